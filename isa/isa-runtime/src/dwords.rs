//! The dwords of an instruction: as callers get them, as instructions store them, and as the fast paths compute with them.

use core::hash::{Hash, Hasher};
use core::mem::MaybeUninit;
use core::ops::Deref;

use isa_schema::{BitRange, MAX_DWORDS};

use crate::Isa;

/// The dwords of an instruction, stored inline.
///
/// ```
/// let dwords = isa::InstrDwords::new([0xbfb0_0000, 0, 0], 1);
/// assert_eq!(dwords.len(), 1);
/// assert!(dwords.to_le_bytes().eq([0x00, 0x00, 0xb0, 0xbf]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InstrDwords {
    all: [u32; MAX_DWORDS],
    len: u8,
}

impl InstrDwords {
    /// Returns the first `len` of these dwords, at most 3.
    #[inline]
    #[must_use]
    pub const fn new(all: [u32; MAX_DWORDS], len: usize) -> Self {
        InstrDwords { all, len: if len > MAX_DWORDS { MAX_DWORDS as u8 } else { len as u8 } }
    }

    /// Returns the bytes in memory order.
    pub fn to_le_bytes(self) -> impl Iterator<Item = u8> {
        self.all.into_iter().take(usize::from(self.len)).flat_map(u32::to_le_bytes)
    }
}

impl Deref for InstrDwords {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        self.all.get(..usize::from(self.len)).unwrap_or(&[])
    }
}

/// The dwords of an instruction as a number of 96 bits. Its parts stay in registers; an array in memory that is written in parts and
/// read as a whole causes a store-forwarding stall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits96 {
    /// The first two dwords.
    pub low: u64,
    /// The third dword.
    pub third: u32,
}

impl Bits96 {
    pub const ZERO: Bits96 = Bits96 { low: 0, third: 0 };

    #[inline(always)]
    pub const fn new([w0, w1, w2]: [u32; MAX_DWORDS]) -> Self {
        Bits96 { low: w0 as u64 | (w1 as u64) << 32, third: w2 }
    }

    #[inline(always)]
    pub const fn dwords(self) -> [u32; MAX_DWORDS] {
        [self.low as u32, (self.low >> 32) as u32, self.third]
    }

    /// Returns the value of a bit range.
    #[inline(always)]
    pub const fn get(self, range: BitRange) -> u32 {
        let from_lo = if range.lo < 64 { (self.low >> range.lo) as u32 } else { self.third >> (range.lo & 31) };
        from_lo & range.ones()
    }

    /// Returns whether a bit is set.
    #[inline(always)]
    pub const fn bit(self, at: u8) -> bool {
        let from_bit = if at < 64 { (self.low >> at) as u32 } else { self.third >> (at & 31) };
        from_bit & 1 == 1
    }

    /// Sets the bits of a value from `lo` on. They must be 0.
    #[inline(always)]
    pub const fn put(&mut self, lo: u8, value: u32) {
        if lo < 64 {
            self.low |= (value as u64) << lo;
        } else {
            self.third |= value << (lo & 31);
        }
    }
}

/// The dwords of an instruction and their number, which the struct of each format holds.
///
/// They are stored as bytes, so that the discriminant of `Instr` fits before them and `Instr` has 16 bytes, in which the dwords
/// are aligned. The dwords beyond the length are 0.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct PackedDwords {
    len: u8,
    /// Never read: padding that aligns the dwords.
    spare: MaybeUninit<[u8; 2]>,
    /// The first two dwords as one number, so that they are stored at once: a load of dwords that were stored one by one stalls
    /// store forwarding.
    low: [u8; 8],
    third: [u8; 4],
}

impl PartialEq for PackedDwords {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.dwords() == other.dwords() && self.len == other.len
    }
}

impl Eq for PackedDwords {}

impl Hash for PackedDwords {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.dwords().hash(state);
    }
}

impl PackedDwords {
    /// Returns the first `len` of these dwords.
    #[inline(always)]
    #[must_use]
    pub const fn new(dwords: [u32; MAX_DWORDS], len: u8) -> Self {
        let Bits96 { low, third } = Bits96::new(dwords);
        Self::from_low(low, third, len)
    }

    /// Returns these dwords, the first two as one number.
    #[inline(always)]
    #[must_use]
    pub const fn from_low(low: u64, third: u32, len: u8) -> Self {
        PackedDwords { len, spare: MaybeUninit::uninit(), low: low.to_ne_bytes(), third: third.to_ne_bytes() }
    }

    /// Returns the dwords.
    #[inline(always)]
    #[must_use]
    pub const fn dwords(&self) -> [u32; MAX_DWORDS] {
        Bits96 { low: self.low64(), third: u32::from_ne_bytes(self.third) }.dwords()
    }

    /// Returns the first dword.
    #[inline(always)]
    #[must_use]
    pub const fn low32(&self) -> u32 {
        self.low64() as u32
    }

    /// Returns the first two dwords as one number.
    #[inline(always)]
    #[must_use]
    pub const fn low64(&self) -> u64 {
        u64::from_ne_bytes(self.low)
    }

    /// Returns all dwords as one number.
    #[inline(always)]
    #[must_use]
    pub const fn low96(&self) -> u128 {
        self.low64() as u128 | (u32::from_ne_bytes(self.third) as u128) << 64
    }

    /// Returns the number of dwords.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(&self) -> u8 {
        self.len
    }
}

/// An instruction without its first two dwords: the format, the length and the third dword, and the index of its encoding variant
/// once it is known. One number, so that it takes one register.
#[derive(Clone, Copy)]
pub struct InstrRest(u64);

impl InstrRest {
    /// Returns the value for a format, a third dword and a length.
    #[inline(always)]
    #[must_use]
    pub const fn new(format: u8, third: u32, len: u8) -> Self {
        InstrRest((third as u64) << 32 | (len as u64) << 8 | format as u64)
    }

    /// Returns the value with the index of an encoding variant.
    pub(crate) const fn with_variant(self, variant: u16) -> Self {
        InstrRest(self.0 | (variant as u64) << 16)
    }

    /// Returns the index of the encoding variant, or 0.
    pub(crate) const fn variant(self) -> usize {
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

/// An instruction in two numbers, or none.
///
/// Functions return it in two registers. An `Option` of an instruction is returned in memory, where it is written in parts and read
/// as a whole, which stalls store forwarding.
#[doc(hidden)]
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "inst"), allow(dead_code))]
pub struct EncodedInstr {
    low: u64,
    rest: InstrRest,
}

#[cfg_attr(not(feature = "inst"), allow(dead_code))]
impl EncodedInstr {
    /// No instruction: no set has a format with this index.
    pub(crate) const NONE: EncodedInstr = EncodedInstr::new(u8::MAX, 0, 0, 0);

    #[inline(always)]
    pub(crate) const fn new(format: u8, low: u64, third: u32, len: u8) -> Self {
        EncodedInstr { low, rest: InstrRest::new(format, third, len) }
    }

    /// Returns the instruction, if it is one.
    #[inline(always)]
    pub(crate) fn instr<I: Isa>(self) -> Option<I::Instr> {
        I::from_packed(self.rest.format(), PackedDwords::from_low(self.low, self.rest.third(), self.rest.len()))
    }
}
