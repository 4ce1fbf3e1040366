//! Lookup of mnemonics and their suffixes, and suggestions for misspelt names.

use crate::Isa;
use crate::tables::Format;

/// A row under one of its mnemonics.
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

/// Splits a mnemonic into a name and a suffix of the set in every possible way. Returns the rows for each.
pub(crate) fn suffixes<I: Isa>(mnemonic: &str) -> impl Iterator<Item = (&'static [Entry], &'static str)> {
    let all = I::tables()
        .formats
        .iter()
        .flat_map(|f| core::iter::once(f.suffix).chain(f.suffix_dwords.iter().map(|t| t.suffix)));
    let mut seen = [""; 8];
    all.filter_map(move |suffix| {
        // Most suffixes differ in the last letter, which is faster to compare than all.
        if suffix.as_bytes().last()? != mnemonic.as_bytes().last()? {
            return None;
        }
        let name = mnemonic.strip_suffix(suffix)?;
        let new = !seen.contains(&suffix);
        if new && let Some(free) = seen.iter_mut().find(|x| x.is_empty()) {
            *free = suffix;
        }
        new.then(|| (named::<I>(name), suffix))
    })
}

/// Returns the most frequent result of [`suffixes`] without trying all suffixes: the text from the last `_` on, if it is the
/// suffix of a format that encodes the row.
pub(crate) fn guess<I: Isa>(mnemonic: &str) -> Option<(&'static [Entry], &'static str)> {
    let (name, suffix) = mnemonic.split_at_checked(mnemonic.bytes().rposition(|b| b == b'_')?)?;
    let rows = named::<I>(name);
    let formats = rows.iter().filter_map(|row| Format::<I>::at(row.format));
    Some((rows, formats.map(|format| format.suffix).find(|known| *known == suffix)?))
}

/// Returns the rows with this mnemonic.
pub(crate) fn named<I: Isa>(name: &str) -> &'static [Entry] {
    let all = I::parser_tables().entries;
    let begin = all.partition_point(|entry| entry.name < name);
    let rest = all.get(begin..).unwrap_or_default();
    let count = rest.iter().take_while(|entry| entry.name == name).count();
    rest.get(..count).unwrap_or_default()
}

/// Returns the mnemonic that is most similar to a misspelt one.
pub(crate) fn nearest_mnemonic<I: Isa>(mnemonic: &str) -> Option<&'static str> {
    nearest(I::parser_tables().entries.iter().map(|e| e.name), mnemonic)
}

/// Returns the name that is most similar to a misspelt one, if it differs by no more than one or two letters.
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

/// Returns the Levenshtein distance of two words: at most 255, and 255 if `b` has 64 bytes or more.
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
