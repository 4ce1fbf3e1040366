//! The buffer of `printf`, into which OpenCL and HIP (`-mprintf-kind=buffered`) write records.
//!
//! The first dword counts the bytes that are taken, the second one says how many there are, and records follow. A record of OpenCL
//! is the number of its format and the arguments, each a multiple of 4 bytes. A record of HIP begins with a dword: bit 0 selects
//! standard error, bit 1 says that a hash of the format follows instead of the format, and the rest is the record's size in bytes.

use std::collections::BTreeMap;

use amdgpu_object::{PrintfFormat, PrintfKey};
use isa_exec::memory::Memory;

use super::format::{self, Arguments};
use super::hostcall::{Qwords, text_of};
use super::memory::{BASE, Pages};
use super::{Printed, Stream};

/// The address of the buffer.
pub(super) const ADDRESS: u64 = BASE + 0x0100_0000;
/// The size of its head: two dwords.
const HEAD: u64 = 8;
/// The size of the records. ROCm's buffer has about as many bytes for all work-groups.
const BYTES: u32 = 4 << 20;

/// Records that a work-group has written.
#[derive(Debug)]
pub(super) struct PrintfBuffer {
    pages: Pages,
    /// The bytes that a wave has taken at once, for a record of each lane if LLVM has combined the additions of the lanes: the end
    /// and the wave, by the start.
    taken: BTreeMap<u32, (u32, usize)>,
}

impl PrintfBuffer {
    /// A buffer without records.
    pub fn new() -> Self {
        let buffer = Self { pages: Pages::new(ADDRESS, HEAD + u64::from(BYTES)), taken: BTreeMap::new() };
        // The address is that of the buffer.
        let _ = buffer.pages.write(ADDRESS + 4, &BYTES.to_le_bytes());
        buffer
    }

    /// The memory that waves access.
    pub const fn pages(&self) -> &Pages {
        &self.pages
    }

    /// Learns that a wave has changed a number.
    pub fn changed(&mut self, address: u64, old: u64, new: u64, wave: usize) {
        if let (ADDRESS, Ok(old), Ok(new)) = (address, u32::try_from(old), u32::try_from(new))
            && new > old
        {
            self.taken.insert(old, (new, wave));
        }
    }

    /// Returns the texts of all records.
    pub fn printed(&self, formats: &[PrintfFormat]) -> Vec<Printed> {
        // LLVM gives OpenCL's formats numbers from 1 on; every call has one.
        let is_opencl = formats.iter().any(|format| matches!(format.key, PrintfKey::Id(_)));
        let used = self.dword(0).min(BYTES);
        let mut printed = Vec::new();
        let mut at = 0;
        while at < used {
            let taken = self.taken_at(at);
            let known = if is_opencl { self.opencl(at, formats) } else { self.hip(at, formats) };
            let next = match (&known, taken) {
                (Some((size, ..)), _) => at.saturating_add((*size).max(4)),
                // Records that their wave has not written yet.
                (None, Some((end, _))) => end.max(at.saturating_add(4)),
                (None, None) => break,
            };
            let wave = taken.map_or(0, |(_, wave)| wave);
            match known {
                Some((_, stream, text)) => printed.push(Printed { wave, lane: None, stream, text }),
                None if self.dword(HEAD + u64::from(at)) == 0 => {}
                None => {
                    let text = b"printf: a record has no format in the metadata\n".into();
                    printed.push(Printed { wave, lane: None, stream: Stream::Stderr, text });
                }
            }
            at = next;
        }
        printed
    }

    /// The end of the bytes that were taken with those at an offset, and the wave.
    fn taken_at(&self, at: u32) -> Option<(u32, usize)> {
        self.taken.range(..=at).next_back().map(|(_, taken)| *taken).filter(|(end, _)| *end > at)
    }

    /// The dword at an offset from the head.
    fn dword(&self, offset: u64) -> u32 {
        let mut bytes = [0; 4];
        self.pages.read(ADDRESS + offset, &mut bytes).map_or(0, |()| u32::from_le_bytes(bytes))
    }

    /// The bytes of a record.
    fn bytes(&self, at: u32, size: u32) -> Option<Vec<u8>> {
        let end = at.checked_add(size).filter(|end| *end <= BYTES)?;
        let mut bytes = vec![0; (end - at) as usize];
        self.pages.read(ADDRESS + HEAD + u64::from(at), &mut bytes).ok()?;
        Some(bytes)
    }

    /// The size and the text of a record of OpenCL.
    fn opencl(&self, at: u32, formats: &[PrintfFormat]) -> Option<(u32, Stream, Vec<u8>)> {
        let id = self.dword(HEAD + u64::from(at));
        let format = formats.iter().find(|format| format.key == PrintfKey::Id(id))?;
        let mut sizes = format.sizes.iter().map(|size| size.checked_next_multiple_of(4));
        let size = sizes.try_fold(4_u32, |sum, size| sum.checked_add(size?))?;
        let bytes = self.bytes(at, size)?;
        let mut text = Vec::new();
        let mut arguments = Sized { bytes: bytes.get(4..)?, sizes: &format.sizes };
        format::format(&mut text, format.text.as_bytes(), &mut arguments);
        Some((size, Stream::Stdout, text))
    }

    /// The size and the text of a record of HIP.
    fn hip(&self, at: u32, formats: &[PrintfFormat]) -> Option<(u32, Stream, Vec<u8>)> {
        let control = self.dword(HEAD + u64::from(at));
        let size = control >> 2;
        if self.taken_at(at).is_some_and(|(end, _)| at.saturating_add(size) > end) {
            return None;
        }
        let bytes = self.bytes(at, size)?;
        let stream = if control & 1 != 0 { Stream::Stderr } else { Stream::Stdout };
        let rest = bytes.get(4..)?;
        if control & 2 == 0 {
            return Some((size, stream, text_of(rest)));
        }
        let (hash, arguments) = rest.split_at_checked(8)?;
        let hash = PrintfKey::Hash(u64::from_le_bytes(hash.try_into().ok()?));
        let format = formats.iter().find(|format| format.key == hash)?;
        let mut text = Vec::new();
        format::format(&mut text, format.text.as_bytes(), &mut Qwords(arguments));
        Some((size, stream, text))
    }
}

/// Arguments whose sizes the metadata state.
struct Sized<'a> {
    bytes: &'a [u8],
    sizes: &'a [u32],
}

impl Sized<'_> {
    fn take(&mut self) -> Option<&[u8]> {
        let (size, sizes) = self.sizes.split_first()?;
        self.sizes = sizes;
        let (argument, rest) = self.bytes.split_at_checked(size.next_multiple_of(4) as usize)?;
        self.bytes = rest;
        argument.get(..*size as usize)
    }
}

impl Arguments for Sized<'_> {
    fn next(&mut self, elements: usize) -> Option<(&[u8], usize)> {
        let argument = self.take()?;
        // A vector of three takes the room of four.
        let size = argument.len() / if elements == 3 { 4 } else { elements };
        Some((argument, size))
    }

    fn string(&mut self) -> Option<&[u8]> {
        self.take()?.split(|byte| *byte == 0).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Appends a record, as `__printf_alloc` and the stores after it do.
    fn append(buffer: &mut PrintfBuffer, record: &[u8], wave: usize) {
        let old = buffer.dword(0);
        let new = old + record.len() as u32;
        buffer.pages.write(ADDRESS, &new.to_le_bytes()).expect("mapped");
        buffer.pages.write(ADDRESS + HEAD + u64::from(old), record).expect("mapped");
        buffer.changed(ADDRESS, old.into(), new.into(), wave);
    }

    fn formats(entries: &[&str]) -> Vec<PrintfFormat> {
        entries.iter().map(|entry| PrintfFormat::parse(entry).expect("an entry")).collect()
    }

    fn texts(buffer: &PrintfBuffer, formats: &[PrintfFormat]) -> Vec<(usize, Stream, String)> {
        let text = |printed: Printed| String::from_utf8(printed.text).expect("text");
        buffer.printed(formats).into_iter().map(|printed| (printed.wave, printed.stream, text(printed))).collect()
    }

    #[test]
    fn records_of_opencl_are_printed() {
        let formats = formats(&[r"1:0:plain\n", r"2:4:4:8:8:12:%d %.1f %v3hd %s\n", r"3:1:4:%s|\n"]);
        let mut buffer = PrintfBuffer::new();
        append(&mut buffer, &1_u32.to_le_bytes(), 0);
        let mut record = Vec::from(2_u32.to_le_bytes());
        record.extend((-7_i32).to_le_bytes());
        record.extend(0.5_f64.to_le_bytes());
        record.extend([1_i16, -2, 3, 0].iter().flat_map(|n| n.to_le_bytes()));
        record.extend(b"const: str\0\0");
        append(&mut buffer, &record, 2);
        // An empty string, as LLVM fills it up.
        append(&mut buffer, &[3, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF], 1);
        // A wave that has not written its record yet.
        append(&mut buffer, &[0; 12], 1);
        // Records of two lanes that were taken at once.
        append(&mut buffer, &[1, 0, 0, 0, 1, 0, 0, 0], 1);
        let out = Stream::Stdout;
        let expected = [
            (0, out, "plain\n"),
            (2, out, "-7 0.5 1,-2,3 const: str\n"),
            (1, out, "|\n"),
            (1, out, "plain\n"),
            (1, out, "plain\n"),
        ];
        assert_eq!(texts(&buffer, &formats), expected.map(|(wave, stream, text)| (wave, stream, text.to_owned())));
    }

    #[test]
    fn records_of_hip_are_printed() {
        let formats = formats(&["0:0:30253cdb2f461a41,%d %s %f\n", "0:0:1,err\n"]);
        let mut buffer = PrintfBuffer::new();
        let mut record = Vec::from((44_u32 << 2 | 2).to_le_bytes());
        record.extend(0x3025_3cdb_2f46_1a41_u64.to_le_bytes());
        record.extend((-3_i32 as u32 as u64).to_le_bytes());
        record.extend(b"nine char\0\0\0\0\0\0\0");
        record.extend(1.5_f64.to_le_bytes());
        append(&mut buffer, &record, 4);
        let mut record = Vec::from((12_u32 << 2 | 3).to_le_bytes());
        record.extend(1_u64.to_le_bytes());
        append(&mut buffer, &record, 5);
        let mut record = Vec::from((20_u32 << 2).to_le_bytes());
        record.extend(b"own %d\n\0");
        record.extend(9_u64.to_le_bytes());
        append(&mut buffer, &record, 6);
        let expected = [
            (4, Stream::Stdout, "-3 nine char 1.500000\n"),
            (5, Stream::Stderr, "err\n"),
            (6, Stream::Stdout, "own 9\n"),
        ];
        assert_eq!(texts(&buffer, &formats), expected.map(|(wave, stream, text)| (wave, stream, text.to_owned())));
        // Without formats all records bring their own.
        let mut buffer = PrintfBuffer::new();
        append(&mut buffer, &record, 0);
        assert_eq!(texts(&buffer, &[]), [(0, Stream::Stdout, "own 9\n".to_owned())]);
    }

    #[test]
    fn damaged_records_end_the_output() {
        let formats = formats(&[r"1:2:4:4294967295:%d %d\n", r"2:0:x\n"]);
        for record in [[0; 4], [1, 0, 0, 0], [9, 0, 0, 0], [0xFF; 4]] {
            for formats in [&formats[..], &[]] {
                let mut buffer = PrintfBuffer::new();
                buffer.pages.write(ADDRESS, &u32::MAX.to_le_bytes()).expect("mapped");
                buffer.pages.write(ADDRESS + HEAD, &record).expect("mapped");
                assert_eq!(texts(&buffer, formats), []);
                buffer.changed(ADDRESS, 0, u32::MAX.into(), 0);
                let texts = texts(&buffer, formats);
                assert!(
                    texts.iter().all(|(_, _, text)| text.starts_with("printf: a record has no format")),
                    "{texts:?}"
                );
                assert_eq!(texts.is_empty(), record == [0; 4], "{record:?}");
            }
        }
    }
}
