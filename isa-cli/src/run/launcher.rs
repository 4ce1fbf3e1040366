//! What the launcher of a framework knows about a kernel besides its code object.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The most bytes of a file beside a code object that is read.
const LARGEST: u64 = 1 << 20;

/// The size of the dynamic LDS of a kernel in bytes, and the file that states it.
#[derive(Debug, PartialEq, Eq)]
pub struct DynamicLds {
    /// The size in bytes.
    pub bytes: u32,
    /// The file.
    pub file: PathBuf,
}

/// Reads the size of a kernel's dynamic LDS from the JSON file that Triton writes beside a code object: `NAME.json` beside
/// `NAME.hsaco`, with the kernel in `name` and the size in `shared`. Returns `None` if there is no such file, or if it is
/// about something else.
pub fn dynamic_lds(code_object: &Path, kernel: &str) -> Option<DynamicLds> {
    let file = code_object.with_extension("json");
    let is_small = std::fs::metadata(&file).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= LARGEST);
    let text = if is_small { std::fs::read(&file).ok()? } else { return None };
    Some(DynamicLds { bytes: stated(&text, kernel)?, file })
}

/// The size that Triton's JSON states for a kernel.
fn stated(text: &[u8], kernel: &str) -> Option<u32> {
    let metadata: Value = serde_json::from_slice(text).ok()?;
    if metadata.get("name")?.as_str()? != kernel {
        return None;
    }
    u32::try_from(metadata.get("shared")?.as_u64()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_metadata_of_the_kernel_count() {
        let text = br#"{"hash": "ab", "target": {"backend": "hip"}, "num_warps": 4, "shared": 512, "name": "add"}"#;
        assert_eq!(stated(text, "add"), Some(512));
        assert_eq!(stated(text, "sub"), None);
        let others: [&[u8]; 5] =
            [br#"{"shared": 512}"#, br#"{"name": "add"}"#, br#"{"name": "add", "shared": -1}"#, b"[]", b"\xff"];
        for text in others {
            assert_eq!(stated(text, "add"), None);
        }
    }
}
