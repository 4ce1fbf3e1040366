//! Text bundles: the assembly of devices and of the host in one file, as `clang -x hip -S` and `clang-offload-bundler` write it.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use amdgpu_arch::{Processor, TargetSelection};
use amdgpu_bundle::BundleEntryId;

use amdgpu_object::printable;

const START: &str = "__CLANG_OFFLOAD_BUNDLE____START__ ";
const END: &str = "__CLANG_OFFLOAD_BUNDLE____END__ ";

/// The most bytes of comments before the first part.
pub const HEAD: usize = 1 << 12;

/// Why no part of a bundle is selected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BundleError {
    /// The bundle has parts for these targets only.
    NoPart(String),
    /// There are several parts for the target: for these.
    SeveralParts(String),
    /// A part has no end.
    NoEnd {
        /// The line that begins it, from 1.
        line: usize,
        /// The ID of its entry.
        id: String,
    },
}

impl fmt::Display for BundleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPart(ids) => write!(f, "the bundle has no part for this target, only for {ids}"),
            Self::SeveralParts(ids) => write!(f, "the bundle has several parts: {ids}"),
            Self::NoEnd { line, id } => write!(f, "the part in line {line} of the bundle, `{id}`, has no end"),
        }
    }
}

impl Error for BundleError {}

/// A part of a bundle.
#[derive(Debug, PartialEq, Eq)]
struct Part<'a> {
    id: &'a str,
    text: Range<usize>,
}

/// Returns whether a text is a bundle: its first line that is neither empty nor a comment begins a part.
pub fn is_bundle(head: &[u8]) -> bool {
    let head = head.get(..HEAD).unwrap_or(head);
    for line in head.split(|byte| *byte == b'\n') {
        let line = line.trim_ascii();
        let Some(comment) = comment(line) else { if line.is_empty() { continue } else { break } };
        if comment.starts_with(START.as_bytes()) {
            return true;
        }
    }
    false
}

/// Replaces a bundle by the part for the selected target, at the same lines and columns; without a target, by the only part for a
/// known processor. Returns any other text unchanged.
///
/// # Errors
/// The part is missing, there are several, or a part has no end.
pub fn select(text: String, wanted: Option<&TargetSelection>) -> Result<String, BundleError> {
    if !is_bundle(text.as_bytes()) {
        return Ok(text);
    }
    let parts = parts(&text)?;
    let fits = |part: &&Part<'_>| {
        let target = BundleEntryId::parse(part.id).and_then(|entry| entry.target_id());
        target.is_some_and(|target| match wanted {
            Some(wanted) => wanted.is_for(&target),
            None => Processor::named(&target.processor).is_some(),
        })
    };
    let fitting: Vec<&Part<'_>> = parts.iter().filter(fits).collect();
    match fitting[..] {
        [part] => Ok(keep(&text, &part.text)),
        [] => Err(BundleError::NoPart(ids(&parts))),
        _ => Err(BundleError::SeveralParts(ids(&parts))),
    }
}

/// Returns the text of a comment that is the whole line.
fn comment(line: &[u8]) -> Option<&[u8]> {
    let begins: [&[u8]; 3] = [b"#", b";", b"//"];
    begins.iter().find_map(|begin| line.strip_prefix(*begin)).map(<[u8]>::trim_ascii)
}

fn parts(text: &str) -> Result<Vec<Part<'_>>, BundleError> {
    let mut parts = Vec::new();
    let mut open: Option<(usize, Part<'_>)> = None;
    let no_end = |line: usize, id: &str| BundleError::NoEnd { line, id: shown(id) };
    let mut at = 0;
    for (line, raw) in text.split_inclusive('\n').enumerate() {
        let start = at;
        at += raw.len();
        let raw = raw.trim();
        if comment(raw.as_bytes()).is_none() {
            continue;
        }
        let comment = raw.trim_start_matches(['#', ';', '/']).trim();
        if let Some(id) = comment.strip_prefix(START) {
            let part = Part { id: id.trim(), text: at..at };
            if let Some((line, part)) = open.replace((line + 1, part)) {
                return Err(no_end(line, part.id));
            }
        } else if let Some(id) = comment.strip_prefix(END)
            && let Some((_, part)) = open.take_if(|(_, part)| part.id == id.trim())
        {
            parts.push(Part { text: part.text.start..start, ..part });
        }
    }
    match open {
        Some((line, part)) => Err(no_end(line, part.id)),
        None => Ok(parts),
    }
}

/// Replaces all outside of a range by blanks, but for line ends.
fn keep(text: &str, range: &Range<usize>) -> String {
    let blank = |text: &str| text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect::<String>();
    let part = |range: Range<usize>| text.get(range).unwrap_or_default();
    [&blank(part(0..range.start)), part(range.clone()), &blank(part(range.end..text.len()))].concat()
}

/// Lists the ids of parts.
fn ids(parts: &[Part<'_>]) -> String {
    let ids: Vec<String> = parts.iter().map(|part| format!("`{}`", shown(part.id))).collect();
    ids.join(", ")
}

/// An id as messages show it.
fn shown(id: &str) -> String {
    printable(id.as_bytes()).chars().take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle(comment: &str, parts: &[(&str, &str)]) -> String {
        let part = |(id, text): &(&str, &str)| format!("\n{comment} {START}{id}\n{text}\n{comment} {END}{id}\n");
        parts.iter().map(part).collect()
    }

    fn selected(text: &str, arch: &str) -> Result<String, String> {
        let wanted = (!arch.is_empty()).then(|| TargetSelection::parse(arch).unwrap());
        select(text.into(), wanted.as_ref()).map(|text| text.trim().into()).map_err(|error| error.to_string())
    }

    const FOUR: [(&str, &str); 4] = [
        ("hip-amdgcn-amd-amdhsa--gfx1100", "navi31"),
        ("hip-amdgpu11.01-amd-amdhsa-unknown-gfx1101", "navi32"),
        ("hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", "aldebaran"),
        ("host-x86_64-unknown-linux-gnu-", "é host"),
    ];

    #[test]
    fn the_part_of_a_target_is_kept() {
        for comment in ["#", ";", "//"] {
            let text = bundle(comment, &FOUR);
            for (arch, expected) in [
                ("gfx1100", Ok("navi31")),
                ("gfx1101", Ok("navi32")),
                ("amdgpu11.01", Ok("navi32")),
                ("gfx1102", Err("no part for this target")),
                ("rdna3.5", Err("no part for this target")),
                ("rdna3", Err("several parts")),
                ("", Err("several parts")),
            ] {
                match (selected(&text, arch), expected) {
                    (Ok(text), Ok(expected)) => assert_eq!(text, expected, "{arch}"),
                    (Err(why), Err(expected)) => {
                        assert!(why.contains(expected) && FOUR.iter().all(|(id, _)| why.contains(id)), "{why}");
                    }
                    (result, _) => panic!("{arch}: {result:?}"),
                }
            }
            let one = bundle(comment, &[FOUR[3], FOUR[0]]);
            assert_eq!(selected(&one, "").as_deref(), Ok("navi31"));
            assert_eq!(selected(&one, "rdna3").as_deref(), Ok("navi31"));
        }
    }

    #[test]
    fn positions_stay() {
        let text = format!("# a note\n{}", bundle("#", &[FOUR[3], FOUR[0]]));
        let kept = select(text.clone(), None).unwrap();
        assert_eq!((kept.find("navi31"), kept.len()), (text.find("navi31"), text.len()));
        assert_eq!(kept.matches('\n').count(), text.matches('\n').count());
    }

    #[test]
    fn other_texts_are_kept() {
        for text in ["", "s_nop 0\n", "# a\n", &format!("s_nop 0\n{}", bundle("#", &FOUR))] {
            assert_eq!(select(text.into(), None), Ok(text.to_owned()));
        }
    }

    #[test]
    fn parts_need_an_end() {
        let text = bundle("#", &FOUR[..2]);
        let cut = text.rfind(END).unwrap();
        let why = selected(&text[..cut], "gfx1100").unwrap_err();
        assert_eq!(why, "the part in line 6 of the bundle, `hip-amdgpu11.01-amd-amdhsa-unknown-gfx1101`, has no end");
        let why = selected(&text.replacen(END, "", 1), "gfx1100").unwrap_err();
        assert_eq!(why, "the part in line 2 of the bundle, `hip-amdgcn-amd-amdhsa--gfx1100`, has no end");
    }
}
