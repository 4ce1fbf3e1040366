//! Offload binaries of LLVM: entries with an image and a map of strings each.

use crate::bytes::{Fields, range};
use crate::damage::Reason;

/// The first bytes of an offload binary.
pub const MAGIC: &[u8] = &[0x10, 0xFF, 0x10, 0xAD];

/// The size of an entry in bytes.
const ENTRY: u64 = 40;

/// The most strings of an entry. LLVM writes two to five.
const MOST_STRINGS: u64 = 64;

/// The most bytes of a triple or a target ID.
const LONGEST_STRING: usize = 256;

/// The header of an offload binary.
pub struct OffloadHeader {
    pub version: u32,
    /// The size in bytes, with the header.
    pub size: u64,
    /// Where the entries begin; of a compressed binary, where the compressed bytes begin.
    pub entries: u64,
    /// The number of entries.
    pub count: u64,
    /// The size of the decompressed binary in bytes, with the header, if it is compressed.
    pub inflated: Option<u64>,
}

/// An entry of an offload binary.
pub struct OffloadEntry<'a> {
    /// The producer: `hip`, `openmp` ….
    pub kind: &'static str,
    pub triple: &'a str,
    pub arch: &'a str,
    pub image: &'a [u8],
    /// Where the image begins.
    pub offset: u64,
}

impl OffloadHeader {
    /// Reads the header of an offload binary.
    pub fn parse(bytes: &[u8]) -> Result<Self, Reason> {
        let short = || Reason::Truncated { part: "the header".into(), end: None, have: bytes.len() as u64 };
        let mut fields = Fields(bytes.get(MAGIC.len()..).unwrap_or_default());
        let version = fields.u32().ok_or_else(short)?;
        if !(1..=3).contains(&version) {
            return Err(Reason::Version { version });
        }
        let size = fields.u64().ok_or_else(short)?;
        let (entries, count) = (fields.u64().ok_or_else(short)?, fields.u64().ok_or_else(short)?);
        let inflated = if version >= 3 { Some(fields.u64().ok_or_else(short)?) } else { None };
        // Version 1 has one entry and states its size here.
        let count = if version == 1 { 1 } else { count };
        Ok(Self { version, size, entries, count, inflated: inflated.filter(|inflated| *inflated != 0) })
    }

    /// Reads an entry of the binary, whose bytes these are.
    pub fn entry<'a>(&self, bytes: &'a [u8], index: u64) -> Result<OffloadEntry<'a>, Reason> {
        let have = bytes.len() as u64;
        let truncated = |part: &str, end: Option<u64>| Reason::Truncated { part: part.into(), end, have };
        let start = index.checked_mul(ENTRY).and_then(|offset| offset.checked_add(self.entries));
        let entry = start.and_then(|start| range(bytes, start, ENTRY));
        let end = start.and_then(|start| start.checked_add(ENTRY));
        let mut fields = Fields(entry.ok_or_else(|| truncated(&format!("entry {}", index + 1), end))?);
        // The entry is as long as its fields.
        let _image_kind = fields.u16();
        let kind = match fields.u16().unwrap_or_default() {
            1 => "openmp",
            2 => "cuda",
            4 => "hip",
            8 => "sycl",
            _ => "none",
        };
        let _flags = fields.u32();
        let mut number = || fields.u64().unwrap_or_default();
        let (strings, count, offset, size) = (number(), number(), number(), number());
        let image = range(bytes, offset, size);
        let image =
            image.ok_or_else(|| truncated(&format!("the image of entry {}", index + 1), offset.checked_add(size)))?;
        let string = |name: &str| self.string(bytes, strings, count, name).unwrap_or_default();
        Ok(OffloadEntry { kind, triple: string("triple"), arch: string("arch"), image, offset })
    }

    /// The value of a key in a map of `count` strings.
    fn string<'a>(&self, bytes: &'a [u8], map: u64, count: u64, name: &str) -> Option<&'a str> {
        let at = |offset: u64| bytes.get(usize::try_from(offset).ok()?..);
        let mut fields = Fields(at(map)?);
        for _ in 0..count.min(MOST_STRINGS) {
            let (key, value) = (fields.u64()?, fields.u64()?);
            let size = if self.version == 1 { None } else { Some(fields.u64()?) };
            if at(key).is_some_and(|key| key.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.first() == Some(&0)))
            {
                let value = match size {
                    Some(size) => range(bytes, value, size)?,
                    None => at(value)?
                        .iter()
                        .take(LONGEST_STRING)
                        .position(|byte| *byte == 0)
                        .and_then(|end| at(value)?.get(..end))?,
                };
                return std::str::from_utf8(value.get(..LONGEST_STRING.min(value.len()))?).ok();
            }
        }
        None
    }
}
