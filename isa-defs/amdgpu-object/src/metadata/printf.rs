//! The formats of `printf` in metadata: entries of `amdhsa.printf`.

/// The number that a call of `printf` stores in front of its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PrintfKey {
    /// OpenCL's: a number that LLVM counts up, 32 bits.
    Id(u32),
    /// HIP's (`-mprintf-kind=buffered`): a hash of the format, 64 bits.
    Hash(u64),
}

/// A format of `printf` with the sizes of its arguments in the buffer.
///
/// # Examples
/// ```
/// use amdgpu_object::{PrintfFormat, PrintfKey};
///
/// let format = PrintfFormat::parse(r"2:2:4:8:sum\72 %d %f\n").unwrap();
/// assert_eq!((format.key, &format.sizes[..], &*format.text), (PrintfKey::Id(2), &[4, 8][..], "sum: %d %f\n"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintfFormat {
    /// The number in the buffer.
    pub key: PrintfKey,
    /// The size of each argument in bytes. HIP's arguments have none: they are a multiple of 8 bytes each.
    pub sizes: Vec<u32>,
    /// The format, as the source has it.
    pub text: String,
}

impl PrintfFormat {
    /// Reads an entry: `ID:COUNT:SIZE:…:TEXT` of OpenCL, where LLVM has escaped some characters of the text, or
    /// `0:0:HASH,TEXT` of HIP. Returns `None` for anything else.
    #[must_use]
    pub fn parse(entry: &str) -> Option<Self> {
        let (id, rest) = entry.split_once(':')?;
        let (count, mut rest) = rest.split_once(':')?;
        let (id, count): (u32, usize) = (id.parse().ok()?, count.parse().ok()?);
        let hash = rest.split_once(',').and_then(|(hash, text)| Some((u64::from_str_radix(hash, 16).ok()?, text)));
        if let ((0, 0), Some((hash, text))) = ((id, count), hash) {
            return Some(Self { key: PrintfKey::Hash(hash), sizes: Vec::new(), text: text.into() });
        }
        let mut sizes = Vec::new();
        for _ in 0..count {
            let (size, after) = rest.split_once(':')?;
            sizes.push(size.parse().ok()?);
            rest = after;
        }
        Some(Self { key: PrintfKey::Id(id), sizes, text: unescape(rest) })
    }
}

/// Replaces the escapes that LLVM writes: control characters, and the colon as `\72`. It does not escape backslashes.
fn unescape(text: &str) -> String {
    const ESCAPES: [(&str, char); 7] =
        [("a", '\u{7}'), ("b", '\u{8}'), ("f", '\u{c}'), ("n", '\n'), ("r", '\r'), ("v", '\u{b}'), ("72", ':')];
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let escape = ESCAPES.iter().find_map(|(name, char)| Some((after.strip_prefix(name)?, *char)));
        let (after, char) = escape.unwrap_or((after, '\\'));
        plain.push(char);
        rest = after;
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_opencl_and_hip_are_read() {
        let parsed = |entry| PrintfFormat::parse(entry).map(|format| (format.key, format.sizes, format.text));
        assert_eq!(parsed(r"4:0:plain\n"), Some((PrintfKey::Id(4), vec![], "plain\n".into())));
        // A backslash of the source stays, and so does a colon that an older LLVM did not escape.
        assert_eq!(parsed(r"1:1:4:a\ %% b:%d"), Some((PrintfKey::Id(1), vec![4], r"a\ %% b:%d".into())));
        assert_eq!(parsed(r"3:1:16:\72\72%v4f\t\r\\"), Some((PrintfKey::Id(3), vec![16], "::%v4f\\t\r\\\\".into())));
        let hip = parsed("0:0:1f3fc1195a143958,0:0: %d, \\n\n");
        assert_eq!(hip, Some((PrintfKey::Hash(0x1f3f_c119_5a14_3958), vec![], "0:0: %d, \\n\n".into())));
        for damaged in ["", "1", "1:2", "x:0:", "1:2:4:%d", "1:1:x:%d", "-1:0:", "4294967296:0:"] {
            assert_eq!(parsed(damaged), None, "{damaged}");
        }
    }
}
