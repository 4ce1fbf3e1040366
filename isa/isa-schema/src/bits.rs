//! Bit ranges of instructions.

use core::fmt;

/// The most dwords of an instruction.
pub const MAX_DWORDS: usize = 3;

/// A range of bits inside one dword of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BitRange {
    /// The lowest bit, counted from the lowest bit of the first dword.
    pub lo: u8,
    /// The number of bits, 0 to 32.
    pub width: u8,
}

impl BitRange {
    /// No bits: the value is 0.
    pub const NONE: BitRange = BitRange { lo: 0, width: 0 };

    /// Returns the range of `width` bits from bit `lo` of the instruction up.
    #[must_use]
    pub const fn new(lo: u8, width: u8) -> Self {
        BitRange { lo, width }
    }

    /// Returns the index of the dword.
    #[inline(always)]
    #[must_use]
    pub const fn dword(self) -> usize {
        (self.lo >> 5) as usize
    }

    /// Returns the lowest bit in the dword.
    #[inline(always)]
    #[must_use]
    pub const fn lo_in_dword(self) -> u8 {
        self.lo & 31
    }

    /// Returns the greatest value of the bits.
    #[inline(always)]
    #[must_use]
    pub const fn ones(self) -> u32 {
        if self.width == 0 { 0 } else { u32::MAX >> ((32 - self.width as u32) & 31) }
    }

    /// Returns the mask of the bits in their dword.
    #[inline(always)]
    #[must_use]
    pub const fn mask(self) -> u32 {
        self.ones() << self.lo_in_dword()
    }

    /// Returns the value of these bits.
    #[inline(always)]
    #[must_use]
    pub const fn get(self, dwords: &[u32; MAX_DWORDS]) -> u32 {
        let dword = self.dword();
        if dword < MAX_DWORDS { dwords[dword] >> self.lo_in_dword() & self.ones() } else { 0 }
    }

    /// Replaces these bits. Bits of `value` beyond the width are ignored.
    pub const fn set(self, dwords: &mut [u32; MAX_DWORDS], value: u32) {
        let dword = self.dword();
        if dword < MAX_DWORDS {
            dwords[dword] = dwords[dword] & !self.mask() | (value & self.ones()) << self.lo_in_dword();
        }
    }

    /// Returns the range as a number, for the tables of the fast decoder.
    #[must_use]
    pub const fn to_number(self) -> u32 {
        (self.lo as u32) << 8 | self.width as u32
    }

    /// Returns the range that a number stands for.
    #[must_use]
    pub const fn from_number(number: u32) -> Self {
        BitRange { lo: (number >> 8) as u8, width: number as u8 }
    }
}

/// The bits of an instruction that have a known value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FixedBits {
    /// The bits.
    pub mask: [u32; MAX_DWORDS],
    /// Their value. Bits outside the mask are 0.
    pub value: [u32; MAX_DWORDS],
}

impl FixedBits {
    /// No bits.
    pub const NONE: FixedBits = FixedBits { mask: [0; MAX_DWORDS], value: [0; MAX_DWORDS] };

    /// Returns the values in the first two dwords.
    #[must_use]
    pub fn low64(&self) -> u64 {
        let [first, second, _] = self.value;
        u64::from(first) | u64::from(second) << 32
    }

    /// Sets the bits of a field to a value. The first range holds the most significant bits.
    pub fn set(&mut self, field: &[BitRange], value: u64) {
        let mut rest = value;
        for range in field.iter().rev() {
            range.set(&mut self.mask, u32::MAX);
            range.set(&mut self.value, rest as u32);
            rest = rest.checked_shr(u32::from(range.width)).unwrap_or(0);
        }
    }
}

/// Writes the bits as the guide does: the highest and the lowest, `31:26`, or the only one.
impl fmt::Display for BitRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.width {
            0 | 1 => write!(f, "{}", self.lo),
            width => write!(f, "{}:{}", u32::from(self.lo) + u32::from(width) - 1, self.lo),
        }
    }
}
