//! The dwords of an instruction, and changes of a field.

use core::hash::{Hash, Hasher};
use core::mem::MaybeUninit;
use core::ops::Deref;

use crate::tables::{Isa, MAX_DWORDS, Packed};
use crate::{DecodeError, decode};

/// The dwords of an instruction, stored inline.
///
/// ```
/// let words = isa::Words::new([0xbfb0_0000, 0, 0], 1);
/// assert_eq!(words.len(), 1);
/// assert!(words.to_le_bytes().eq([0x00, 0x00, 0xb0, 0xbf]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Words {
    words: [u32; MAX_DWORDS],
    len: u8,
}

/// The dwords of an instruction and their number, which the struct of each format holds.
///
/// They are stored as bytes, so that the discriminant of `Instr` fits before them and `Instr` has 16 bytes, in which the dwords
/// are aligned. The dwords beyond the length are 0.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct PackedWords {
    len: u8,
    /// Never read: padding that aligns the dwords.
    spare: MaybeUninit<[u8; 2]>,
    /// The first two dwords as one number, so that they are stored at once: a load of dwords that were stored one by one stalls
    /// store forwarding.
    low: [u8; 8],
    third: [u8; 4],
}

impl PartialEq for PackedWords {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.words() == other.words() && self.len == other.len
    }
}

impl Eq for PackedWords {}

impl Hash for PackedWords {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.words().hash(state);
    }
}

impl PackedWords {
    /// Returns the first `len` of these dwords.
    #[inline(always)]
    #[must_use]
    pub const fn new(words: [u32; MAX_DWORDS], len: u8) -> Self {
        let Packed { low, third } = Packed::new(words);
        Self::packed(low, third, len)
    }

    /// Returns these dwords, the first two as one number.
    #[inline(always)]
    #[must_use]
    pub const fn packed(low: u64, third: u32, len: u8) -> Self {
        PackedWords { len, spare: MaybeUninit::uninit(), low: low.to_ne_bytes(), third: third.to_ne_bytes() }
    }

    /// Returns the dwords.
    #[inline(always)]
    #[must_use]
    pub const fn words(&self) -> [u32; MAX_DWORDS] {
        Packed { low: self.low64(), third: u32::from_ne_bytes(self.third) }.words()
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

impl Words {
    /// Returns the first `len` of these dwords, at most 3.
    #[inline]
    #[must_use]
    pub const fn new(words: [u32; MAX_DWORDS], len: usize) -> Self {
        Words { words, len: if len > MAX_DWORDS { MAX_DWORDS as u8 } else { len as u8 } }
    }

    /// Returns the bytes in memory order.
    pub fn to_le_bytes(self) -> impl Iterator<Item = u8> {
        self.words.into_iter().take(usize::from(self.len)).flat_map(u32::to_le_bytes)
    }
}

impl Deref for Words {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        self.words.get(..usize::from(self.len)).unwrap_or(&[])
    }
}

/// Returns an instruction with the code of one field replaced.
///
/// # Errors
/// Those of [`decode()`] for the changed dwords. If the code selects a suffix dword, it is 0.
pub fn with_code<I: Isa>(
    format: u8,
    mut words: [u32; MAX_DWORDS],
    field: usize,
    code: u32,
    mode: I::Mode,
) -> Result<I::Instr, DecodeError<I>> {
    let Some(f) = I::TABLES.formats.get(usize::from(format)).and_then(|x| x.fields.get(field)) else {
        return Err(DecodeError::UnknownFormat { word: words[0] });
    };
    if u64::from(code) >> f.bits.width() != 0 {
        return Err(DecodeError::InvalidOperand {
            format,
            field: field as u8,
            opcode: crate::opcode::<I>(format, &words, 0).unwrap_or(u16::MAX),
            code,
        });
    }
    f.bits.set(&mut words, code);
    decode::<I>(&words, mode).map(|(instr, _)| instr)
}
