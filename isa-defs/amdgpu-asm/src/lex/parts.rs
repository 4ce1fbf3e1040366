//! The text of a program, in memory or in a file of which each thread reads one part after another.
//!
//! Reading a whole file into memory takes more time for page faults than for copying. So each thread reads its parts into a
//! buffer, which stays in the processor's cache. If reading a part fails, the caller reads the whole file instead
//! and reports its errors.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::lex::lines::Lines;

/// The size of a part in bytes: about a thousand lines, so that the overhead of a part is small.
pub const PART: usize = 1 << 15;

/// The size of a program in bytes from which on [`assemble_in_parts`](crate::assemble_in_parts) is faster than
/// [`assemble`](crate::assemble).
pub const MIN_SIZE_IN_PARTS: u64 = PART as u64 + 1;

/// The number of bytes that are first read beyond a part, for the end of its last line.
const BEYOND: usize = 1 << 8;

/// A source of bytes that several threads read at any offset, such as a file.
pub trait ReadAt: Sync {
    /// Fills `bytes` from this offset on.
    ///
    /// # Errors
    /// There are fewer bytes, or they cannot be read.
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()>;
}

/// One at a time.
impl<T: Read + Seek + Send> ReadAt for Mutex<T> {
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let mut file = self.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(bytes)
    }
}

/// All at once, and the file stays where it is.
#[cfg(unix)]
impl ReadAt for &File {
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(*self, bytes, at)
    }
}

/// Returns a file as threads share it.
#[cfg(unix)]
#[must_use]
pub fn shared(file: &File) -> impl ReadAt {
    file
}

/// Returns a file as threads share it.
#[cfg(not(unix))]
#[must_use]
pub fn shared(file: &File) -> impl ReadAt {
    Mutex::new(file)
}

/// The text of a program.
#[derive(Clone, Copy)]
pub enum Text<'a> {
    /// In memory.
    Whole(&'a str),
    /// In a file of this size.
    File(&'a dyn ReadAt, usize),
}

/// The character in place of each byte of a source that is not UTF-8. Only comments and lines that are skipped may contain it.
pub const NOT_UTF8: char = '\u{fdd1}';

/// Decodes the bytes of a program. Bytes that are not UTF-8 become a character that only comments may contain.
#[must_use]
pub fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let mut text = String::with_capacity(error.as_bytes().len());
        for chunk in error.as_bytes().utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().map(|_| NOT_UTF8));
        }
        text
    })
}

/// The error of a part of a file that cannot be read, is shorter than expected or is not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unread;

/// The part of a text that a thread works on.
#[derive(Default)]
pub struct PartBuffer<'a> {
    /// The lines of the part, after bytes that belong to the part before.
    text: Cow<'a, str>,
    /// Where that begins in the whole.
    base: usize,
    /// Where the lines begin in `text`.
    start: usize,
}

impl PartBuffer<'_> {
    /// The lines of the part that was read last.
    pub fn lines(&self) -> Lines<'_> {
        Lines::new(&self.text, self.base, self.start)
    }
}

impl<'a> Text<'a> {
    /// Returns the size in bytes.
    pub fn size(self) -> usize {
        match self {
            Self::Whole(text) => text.len(),
            Self::File(_, size) => size,
        }
    }

    /// Returns the parts of `size` bytes, which may begin within lines.
    pub fn parts(self, size: usize) -> Vec<Range<usize>> {
        let all = self.size();
        (0..all).step_by(size).map(|start| start..start.saturating_add(size).min(all)).collect()
    }

    /// Reads the lines that begin in a part, to their ends.
    pub fn read<'r>(self, part: &Range<usize>, buffer: &'r mut PartBuffer<'a>) -> Option<Lines<'r>> {
        match self {
            Self::Whole(text) => {
                let bytes = text.as_bytes();
                let (start, end) = (line_at(bytes, part.start), line_at(bytes, part.end));
                *buffer = PartBuffer { text: Cow::Borrowed(text.get(..end)?), base: 0, start };
            }
            Self::File(file, size) => {
                let mut bytes = std::mem::take(&mut buffer.text).into_owned().into_bytes();
                // The byte before the part tells whether a line begins with it.
                let base = part.start.saturating_sub(1);
                let mut known = 0;
                let mut end = part.end.saturating_add(BEYOND).min(size);
                // Parts of one size need no larger buffer than the first, which has no byte before it.
                bytes.reserve_exact((1 + part.len() + BEYOND).saturating_sub(bytes.len()));
                let (start, end) = loop {
                    bytes.resize(end - base, 0);
                    file.read_at((base + known) as u64, bytes.get_mut(known..)?).ok()?;
                    let (from, to) = (line_at(&bytes, part.start - base), line_at(&bytes, part.end - base));
                    // A line that begins after the part is not looked for, and one that goes on is read to its end.
                    if base + from >= part.end || to < bytes.len() || end == size {
                        break (from, to);
                    }
                    known = bytes.len();
                    end = end.saturating_add(known).min(size);
                };
                bytes.truncate(end);
                // These bytes belong to the part before and may begin within a character.
                bytes.get_mut(..start)?.fill(b' ');
                *buffer = PartBuffer { text: Cow::Owned(String::from_utf8(bytes).ok()?), base, start };
            }
        }
        Some(buffer.lines())
    }
}

/// Returns the offset of the first line that begins at `at` or later.
fn line_at(bytes: &[u8], at: usize) -> usize {
    let Some(before) = at.checked_sub(1) else { return 0 };
    let rest = bytes.get(before..).unwrap_or_default();
    memchr::memchr(b'\n', rest).map_or(bytes.len(), |end| before + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of all parts, and where they begin; `None` if one cannot be read.
    fn lines(text: Text<'_>, size: usize) -> Option<Vec<(usize, String)>> {
        let mut buffer = PartBuffer::default();
        let mut all = Vec::new();
        for part in text.parts(size) {
            let mut lines = text.read(&part, &mut buffer)?;
            all.extend(std::iter::from_fn(|| lines.next_raw()).map(|(at, line)| (at, line.to_owned())));
        }
        Some(all)
    }

    /// Returns the result of `then` for bytes in a file.
    fn in_file<R>(bytes: &[u8], then: impl FnOnce(Text<'_>) -> R) -> R {
        then(Text::File(&Mutex::new(io::Cursor::new(bytes.to_vec())), bytes.len()))
    }

    #[test]
    fn parts_hold_each_line_once() {
        let mut random = isa_tests::random::numbers();
        for _ in 0..60 {
            // Some lines are longer than a part and the bytes read beyond it, and the last line may have no line end.
            let line = |random: &mut dyn FnMut(usize) -> usize| {
                ["", "a", "é", "bcd", "\u{1f600}"][random(5)].repeat([1, 9, 700][random(3)])
            };
            let mut source: String = (0..random(12)).map(|_| line(&mut random) + "\n").collect();
            source += &line(&mut random);
            let mut at = 0;
            let mut expected = Vec::new();
            for line in source.split_inclusive('\n') {
                expected.push((at, line.trim_end_matches('\n').to_owned()));
                at += line.len();
            }
            for size in [1, 2, 3, 7, 64, 1000, PART] {
                assert_eq!(lines(Text::Whole(&source), size).as_ref(), Some(&expected), "{size}: {source:?}");
                assert_eq!(
                    in_file(source.as_bytes(), |text| lines(text, size)).as_ref(),
                    Some(&expected),
                    "{size}: {source:?}"
                );
            }
        }
    }

    #[test]
    fn what_is_no_text_is_not_read() {
        let source = "s_nop 0\né\n".repeat(12);
        for at in 0..source.len() {
            let mut bytes = source.clone().into_bytes();
            bytes[at] = 0xff;
            for size in [1, 64, PART] {
                assert_eq!(in_file(&bytes, |text| lines(text, size)), None, "{at} {size}");
            }
        }
    }

    #[test]
    fn a_file_that_is_cut_is_not_read() {
        let file = Mutex::new(io::Cursor::new(b"a\nb\nc".to_vec()));
        for size in [1, 3, PART] {
            assert!(lines(Text::File(&file, 5), size).is_some());
            assert_eq!(lines(Text::File(&file, 6), size), None, "{size}");
        }
    }
}
