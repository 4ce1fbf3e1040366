//! Mnemonics: the rows that a name leads to, suffixes, and the name that is nearest to a misspelt one.

use crate::Isa;

/// One row under one of its names, for looking mnemonics up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The mnemonic in text, without a suffix.
    pub name: &'static str,
    /// The index of the format.
    pub format: u8,
    /// The component of the format.
    pub component: u8,
    /// The index of the slot in the component.
    pub slot: u16,
}

/// The rows that a mnemonic can mean, by each way to split it into a name and a suffix of the set.
pub(crate) fn suffixes<I: Isa>(mnemonic: &str) -> impl Iterator<Item = (&'static [Entry], &'static str)> {
    let all =
        I::formats().iter().flat_map(|f| core::iter::once(f.suffix).chain(f.suffix_dwords.iter().map(|t| t.suffix)));
    let mut seen = [""; 8];
    all.filter_map(move |suffix| {
        // Mostly it ends otherwise.
        let name = mnemonic.strip_suffix(suffix).filter(|_| !suffix.is_empty())?;
        let new = !seen.contains(&suffix);
        if new && let Some(free) = seen.iter_mut().find(|x| x.is_empty()) {
            *free = suffix;
        }
        new.then(|| (named::<I>(name), suffix))
    })
}

/// The one of [`suffixes`] that nearly all have, without a search: what stands behind the last `_` is the suffix of one
/// of the formats that carry the row.
pub(crate) fn guess<I: Isa>(mnemonic: &str) -> Option<(&'static [Entry], &'static str)> {
    let (name, suffix) = mnemonic.split_at_checked(mnemonic.bytes().rposition(|b| b == b'_')?)?;
    let rows = named::<I>(name);
    let formats = rows.iter().filter_map(|row| I::formats().get(usize::from(row.format)));
    Some((rows, formats.map(|format| format.suffix).find(|known| *known == suffix)?))
}

/// The rows of this name.
pub(crate) fn named<I: Isa>(name: &str) -> &'static [Entry] {
    let all = I::entries();
    let begin = all.partition_point(|entry| entry.name < name);
    let rest = all.get(begin..).unwrap_or_default();
    let count = rest.iter().take_while(|entry| entry.name == name).count();
    rest.get(..count).unwrap_or_default()
}

/// The mnemonic that is most like this one, if any is like it.
pub(crate) fn nearest_mnemonic<I: Isa>(mnemonic: &str) -> Option<&'static str> {
    nearest(I::entries().iter().map(|e| e.name), mnemonic)
}

/// The name that is most like a misspelt one, if one is no more than a letter or two away.
///
/// ```
/// assert_eq!(isa::nearest(["glc", "slc", "offen"], "ofen"), Some("offen"));
/// assert_eq!(isa::nearest(["glc", "slc", "offen"], "tfe"), None);
/// ```
#[must_use]
pub fn nearest<'a>(names: impl IntoIterator<Item = &'a str>, misspelt: &str) -> Option<&'a str> {
    let most = match misspelt.len() {
        0..=2 => return None,
        3..=5 => 1,
        _ => 2,
    };
    let likely = |name: &&str| name.len().abs_diff(misspelt.len()) <= most;
    let scored = names.into_iter().filter(likely).map(|name| (usize::from(distance(misspelt, name)), name));
    scored.min().filter(|(distance, _)| *distance <= most).map(|(_, name)| name)
}

/// How many letters must be changed, put in or taken out to make one word of the other; at most 255, and only for
/// words below 64 bytes.
#[must_use]
pub fn distance(a: &str, b: &str) -> u8 {
    let mut row = [0u8; 64];
    if b.len() >= row.len() {
        return u8::MAX;
    }
    for (i, cell) in row.iter_mut().enumerate() {
        *cell = i as u8;
    }
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i.min(255) as u8;
        let mut left = (i + 1).min(255) as u8;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (cell, y) in row.iter_mut().skip(1).zip(b.bytes()) {
            let change = diagonal.saturating_add(u8::from(x != y));
            diagonal = *cell;
            left = change.min(left.saturating_add(1)).min(diagonal.saturating_add(1));
            *cell = left;
        }
    }
    row.get(b.len()).copied().unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances_count_changes() {
        for (a, b, n) in [
            ("", "", 0),
            ("abc", "abc", 0),
            ("abc", "abd", 1),
            ("abc", "ab", 1),
            ("abc", "xabc", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(a, b), n, "{a} {b}");
        }
    }
}
