//! Bit ranges of dwords, and slices of lists.

use crate::tables::MAX_DWORDS;

/// A bit range of one dword of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    word: u8,
    lo: u8,
    width: u8,
}

impl Part {
    /// No bits: always 0.
    pub const NONE: Part = Part::new(0, 0, 0);

    /// `width` bits (0 to 32) of dword `word` from bit `lo` up.
    #[must_use]
    pub const fn new(word: u8, lo: u8, width: u8) -> Self {
        Part { word, lo, width }
    }

    /// Returns the index of the dword.
    #[must_use]
    pub const fn word(self) -> u8 {
        self.word
    }

    /// Returns the lowest bit in that dword.
    #[must_use]
    pub const fn lo(self) -> u8 {
        self.lo
    }

    /// Returns the width in bits.
    #[must_use]
    pub const fn width(self) -> u8 {
        self.width
    }

    /// Returns the mask of the width.
    #[inline]
    const fn ones(self) -> u32 {
        if self.width == 0 { 0 } else { u32::MAX >> ((32 - self.width as u32) & 31) }
    }

    /// Returns the value of these bits in `words`.
    #[inline]
    #[must_use]
    pub const fn get(self, words: &[u32; MAX_DWORDS]) -> u32 {
        // The compiler does not know that `word` is in range.
        if (self.word as usize) < MAX_DWORDS { words[self.word as usize] >> self.lo & self.ones() } else { 0 }
    }

    /// Replaces these bits of `words`. Bits of `value` beyond the width are ignored.
    pub const fn set(self, words: &mut [u32; MAX_DWORDS], value: u32) {
        if (self.word as usize) < MAX_DWORDS {
            let word = &mut words[self.word as usize];
            *word = *word & !(self.ones() << self.lo) | (value & self.ones()) << self.lo;
        }
    }
}

/// The bits of a field or an opcode: one or several ranges, the most significant first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits {
    /// The most significant range. Its width is 0 if there are no bits.
    pub first: Part,
    /// The other ranges.
    pub rest: &'static [Part],
}

impl Bits {
    /// Returns the bits of one range.
    #[must_use]
    pub const fn of(first: Part) -> Self {
        Bits { first, rest: &[] }
    }

    /// Returns the value of these bits in `words`.
    #[inline(always)]
    #[must_use]
    pub const fn get(&self, words: &[u32; MAX_DWORDS]) -> u32 {
        let mut value = self.first.get(words);
        let mut i = 0;
        while i < self.rest.len() {
            let p = self.rest[i];
            value = value << (p.width & 31) | p.get(words);
            i += 1;
        }
        value
    }

    /// Replaces these bits of `words`. Bits of `value` beyond the width are ignored.
    pub const fn set(&self, words: &mut [u32; MAX_DWORDS], value: u32) {
        let mut value = value as u64;
        let mut i = self.rest.len();
        while i > 0 {
            i -= 1;
            self.rest[i].set(words, value as u32);
            value >>= self.rest[i].width;
        }
        self.first.set(words, value as u32);
    }

    /// Returns the number of bits.
    #[must_use]
    pub const fn width(&self) -> u32 {
        let mut width = self.first.width as u32;
        let mut i = 0;
        while i < self.rest.len() {
            width += self.rest[i].width as u32;
            i += 1;
        }
        width
    }

    /// Returns the ranges, the most significant first.
    pub fn parts(&self) -> impl Iterator<Item = Part> {
        core::iter::once(self.first).chain(self.rest.iter().copied())
    }
}

/// The dwords of an instruction, the first two as one number. They stay in registers; an array in memory that is written in
/// parts and read as a whole causes a store-forwarding stall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed {
    /// The first two dwords.
    pub low: u64,
    /// The third dword.
    pub third: u32,
}

impl Packed {
    #[inline(always)]
    pub const fn new([w0, w1, w2]: [u32; MAX_DWORDS]) -> Self {
        Packed { low: w0 as u64 | (w1 as u64) << 32, third: w2 }
    }

    #[inline(always)]
    pub const fn words(self) -> [u32; MAX_DWORDS] {
        [self.low as u32, (self.low >> 32) as u32, self.third]
    }
}

/// The format, the length and the third dword of an instruction, and the index of its encoding variant once it is known. One
/// number, so that it takes one register.
#[derive(Clone, Copy)]
pub struct Rest(u64);

impl Rest {
    /// Returns the value for a format, a third dword and a length.
    #[inline(always)]
    #[must_use]
    pub const fn new(format: u8, third: u32, len: u8) -> Self {
        Rest((third as u64) << 32 | (len as u64) << 8 | format as u64)
    }

    /// Returns the value with the index of an encoding variant.
    pub(crate) const fn with_form(self, form: u16) -> Self {
        Rest(self.0 | (form as u64) << 16)
    }

    /// Returns the index of the encoding variant, or 0.
    pub(crate) const fn form(self) -> usize {
        (self.0 >> 16) as u16 as usize
    }

    pub(crate) const fn format(self) -> u8 {
        self.0 as u8
    }

    pub(crate) const fn len(self) -> u8 {
        (self.0 >> 8) as u8
    }

    pub(crate) const fn third(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// A bit range of the first two dwords.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub(crate) ones: u32,
    pub(crate) lo: u8,
}

impl Place {
    /// No bits: always 0.
    pub const NONE: Place = Place { ones: 0, lo: 0 };

    /// Returns the range of these bits. Returns `None` for several ranges and for bits of the third dword.
    #[must_use]
    pub const fn new(bits: &Bits) -> Option<Self> {
        if bits.rest.is_empty() { Place::of(bits.first) } else { None }
    }

    /// Returns the range of these bits. Returns `None` for bits of the third dword.
    #[must_use]
    pub(crate) const fn of(part: Part) -> Option<Self> {
        let Part { word, lo, .. } = part;
        if word > 1 { None } else { Some(Place { ones: part.ones(), lo: lo + 32 * word }) }
    }

    /// Returns the value of these bits.
    #[inline(always)]
    #[must_use]
    pub const fn get(self, low: u64) -> u32 {
        (low >> (self.lo & 63)) as u32 & self.ones
    }
}
