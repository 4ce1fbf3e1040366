//! The bits of fields.

pub use isa_schema::BitRange;
use isa_schema::MAX_DWORDS;

use crate::dwords::Bits96;

/// The bits of a field or an opcode: one or several ranges, the most significant first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldBits {
    /// The most significant range. Its width is 0 if the field is absent.
    pub first: BitRange,
    /// The other ranges.
    pub rest: &'static [BitRange],
}

impl FieldBits {
    /// No bits: the value is 0.
    pub const NONE: FieldBits = FieldBits::of(BitRange::NONE);

    /// Returns the bits of one range.
    #[must_use]
    pub const fn of(first: BitRange) -> Self {
        FieldBits { first, rest: &[] }
    }

    /// Returns the value of these bits in `dwords`.
    #[inline(always)]
    #[must_use]
    pub const fn get(&self, dwords: &[u32; MAX_DWORDS]) -> u32 {
        let mut value = self.first.get(dwords);
        let mut i = 0;
        while i < self.rest.len() {
            let range = self.rest[i];
            value = value << (range.width & 31) | range.get(dwords);
            i += 1;
        }
        value
    }

    /// Replaces these bits of `dwords`. Bits of `value` beyond the width are ignored.
    pub const fn set(&self, dwords: &mut [u32; MAX_DWORDS], value: u32) {
        let mut value = value as u64;
        let mut i = self.rest.len();
        while i > 0 {
            i -= 1;
            self.rest[i].set(dwords, value as u32);
            value >>= self.rest[i].width;
        }
        self.first.set(dwords, value as u32);
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

    /// Returns the ranges that have bits, the most significant first.
    pub fn ranges(&self) -> impl Iterator<Item = BitRange> + Clone {
        core::iter::once(self.first).chain(self.rest.iter().copied()).filter(|range| range.width > 0)
    }
}

/// Operand-level instructions are lifted from and lowered to numbers of 96 bits.
#[cfg_attr(not(feature = "inst"), allow(dead_code))]
impl FieldBits {
    /// Returns the value of these bits.
    pub(crate) const fn get_from(&self, all: Bits96) -> u32 {
        let mut value = all.get(self.first);
        let mut i = 0;
        while i < self.rest.len() {
            value = value << (self.rest[i].width & 31) | all.get(self.rest[i]);
            i += 1;
        }
        value
    }

    /// Sets these bits, which must be 0.
    #[inline(always)]
    pub(crate) const fn put(&self, all: &mut Bits96, value: u32) {
        if self.rest.is_empty() {
            all.put(self.first.lo, value & self.first.ones());
        } else {
            self.put_ranges(all, value);
        }
    }

    /// Sets the bits of several ranges.
    const fn put_ranges(&self, all: &mut Bits96, value: u32) {
        let mut value = value as u64;
        let mut i = self.rest.len();
        while i > 0 {
            i -= 1;
            let range = self.rest[i];
            all.put(range.lo, value as u32 & range.ones());
            value >>= range.width;
        }
        all.put(self.first.lo, value as u32 & self.first.ones());
    }

    /// Clears these bits.
    pub(crate) const fn clear(&self, all: &mut Bits96) {
        let mut mask = Bits96::ZERO;
        self.put(&mut mask, u32::MAX);
        all.low &= !mask.low;
        all.third &= !mask.third;
    }
}

/// A bit range of the first two dwords, with the mask of its width, so that reading it takes a shift and an AND.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LowBitRange {
    pub(crate) ones: u32,
    pub(crate) lo: u8,
}

impl LowBitRange {
    /// No bits: the value is 0.
    pub const NONE: LowBitRange = LowBitRange { ones: 0, lo: 0 };

    /// Returns the range of these bits. Returns `None` for several ranges and for bits of the third dword.
    #[must_use]
    pub const fn new(bits: &FieldBits) -> Option<Self> {
        if bits.rest.is_empty() { LowBitRange::of(bits.first) } else { None }
    }

    /// Returns the range of these bits. Returns `None` for bits of the third dword.
    #[must_use]
    pub(crate) const fn of(range: BitRange) -> Option<Self> {
        if range.lo < 64 { Some(LowBitRange { ones: range.ones(), lo: range.lo }) } else { None }
    }

    /// Returns the value of these bits.
    #[inline(always)]
    #[must_use]
    pub const fn get(self, low: u64) -> u32 {
        (low >> (self.lo & 63)) as u32 & self.ones
    }
}
