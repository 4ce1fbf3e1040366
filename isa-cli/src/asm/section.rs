//! Sections and the bytes that gather in them.

use std::ops::Range;

/// More than any program has in all its sections: a fill by mistake is an error, not the end of memory.
pub const LARGEST: u64 = 1 << 28;

/// A section.
#[derive(Debug)]
pub struct Section {
    /// Its name.
    pub name: String,
    /// Whether it holds code, so that gaps hold instructions that do nothing.
    pub code: bool,
    /// What it holds so far.
    pub bytes: Vec<u8>,
    /// The largest alignment asked for.
    pub align: u64,
    /// What of it are no instructions.
    pub data: Vec<Range<usize>>,
    /// Up to where the registers of its instructions are counted.
    pub counted: usize,
    /// How many bytes it may hold: what others leave of [`LARGEST`].
    pub limit: u64,
}

/// How a gap is filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gap {
    /// With `s_nop 0` in code, zeros elsewhere.
    Idle,
    /// With this value, of this many bytes.
    Value(i64, usize),
}

/// The section would be too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

impl Section {
    /// An empty section.
    pub fn new(name: &str, code: bool) -> Self {
        Self { name: name.into(), code, bytes: Vec::new(), align: 4, data: Vec::new(), counted: 0, limit: LARGEST }
    }

    /// Bytes it holds.
    pub fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Whether so many bytes more may be put in.
    pub fn room(&self, bytes: u64) -> Result<usize, TooLarge> {
        if self.len().saturating_add(bytes) > self.limit { Err(TooLarge) } else { Ok(bytes as usize) }
    }

    /// Puts in `value`, of `size` bytes, `count` times. Beyond eight bytes a value is zero.
    pub fn fill(&mut self, count: u64, size: usize, value: i64) -> Result<(), TooLarge> {
        let room = self.room(count.saturating_mul(size as u64))?;
        let bytes = value.to_le_bytes();
        if size == 1 || value == 0 {
            self.bytes.resize(self.bytes.len() + room, bytes[0]);
            return Ok(());
        }
        let one = bytes.iter().copied().chain(std::iter::repeat(0)).take(size);
        let end = self.bytes.len() + room;
        self.bytes.reserve(room);
        while self.bytes.len() < end && size > 0 {
            self.bytes.extend(one.clone());
        }
        Ok(())
    }

    /// Fills up to a multiple of `align`, unless that takes more than `most` bytes.
    pub fn align(&mut self, align: u64, gap: Gap, most: Option<u64>) -> Result<(), TooLarge> {
        self.align = self.align.max(align);
        let missing = self.len().next_multiple_of(align.max(1)) - self.len();
        if most.is_some_and(|most| missing > most) {
            return Ok(());
        }
        self.room(missing)?;
        match gap {
            Gap::Value(value, size) => {
                let size = size.max(1) as u64;
                self.fill(missing / size, size as usize, value)?;
                self.fill(missing % size, 1, 0)
            }
            Gap::Idle if self.code => {
                self.fill(missing % 4, 1, 0)?;
                self.fill(missing / 4, 4, S_NOP)
            }
            Gap::Idle => self.fill(missing, 1, 0),
        }
    }
}

/// `s_nop 0` of every set of the family, which is what LLVM fills code with.
const S_NOP: i64 = 0xbf80_0000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps() {
        let mut code = Section::new(".text", true);
        code.fill(1, 1, 7).unwrap();
        code.align(8, Gap::Idle, None).unwrap();
        assert_eq!(code.bytes, [7, 0, 0, 0, 0, 0, 0x80, 0xbf]);
        code.align(16, Gap::Idle, Some(4)).unwrap();
        assert_eq!(code.len(), 8);
        code.align(16, Gap::Value(0x0102_0304, 4), None).unwrap();
        assert_eq!(code.bytes[8..], [4, 3, 2, 1, 4, 3, 2, 1]);
        assert_eq!(code.align, 16);
        assert_eq!(code.fill(u64::MAX, 8, 0), Err(TooLarge));
        assert_eq!(code.align(1 << 40, Gap::Idle, None), Err(TooLarge));
        assert_eq!(code.len(), 16);
    }
}
