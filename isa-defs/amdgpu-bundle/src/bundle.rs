//! Offload bundles of clang: a table of entries with IDs, offsets and sizes.

use crate::bytes::Fields;
use crate::damage::Reason;

/// The first bytes of a bundle.
pub const MAGIC: &[u8] = b"__CLANG_OFFLOAD_BUNDLE__";

/// An entry of a bundle.
pub struct Entry<'a> {
    pub id: &'a [u8],
    /// In bytes from the start of the bundle.
    pub offset: u64,
    /// In bytes.
    pub size: u64,
}

/// The table of a bundle.
pub struct Bundle<'a> {
    pub entries: Vec<Entry<'a>>,
    /// The size of the table in bytes, with the magic number.
    pub header: usize,
}

impl<'a> Bundle<'a> {
    /// Reads the table of a bundle. `Err` has the number of bytes that were read, too.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, (Reason, usize)> {
        let mut fields = Fields(bytes.get(MAGIC.len()..).unwrap_or_default());
        let mut entries = Vec::new();
        let mut read = || -> Option<()> {
            // The number is not trusted: each entry has to be there.
            for _ in 0..fields.u64()? {
                let (offset, size, length) = (fields.u64()?, fields.u64()?, fields.u64()?);
                entries.push(Entry { id: fields.bytes(length)?, offset, size });
            }
            Some(())
        };
        let is_whole = read().is_some();
        let header = bytes.len() - fields.0.len();
        if !is_whole {
            let part = format!("entry {} of its table", entries.len() + 1);
            return Err((Reason::Truncated { part, end: None, have: bytes.len() as u64 }, header));
        }
        Ok(Self { entries, header })
    }
}
