//! From an instruction to words, and changing one field of it.

use core::hash::{Hash, Hasher};
use core::mem::MaybeUninit;
use core::ops::Deref;

use crate::tables::{Isa, MAX_DWORDS, Packed};
use crate::{DecodeError, decode};

/// The dwords of one instruction, inline.
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

/// What every format's struct holds: an instruction's words and how many they are.
///
/// Kept as bytes so that the tag of `Instr` finds room before them: all of it is 16 bytes, and the words are aligned in
/// it. They are zero beyond the length.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Kept {
    len: u8,
    /// Never read: the words begin at a multiple of four.
    spare: MaybeUninit<[u8; 2]>,
    /// The first two words as one number, so that they are written at once: a processor waits where it reads as a whole
    /// what it has just written in parts.
    low: [u8; 8],
    third: [u8; 4],
}

impl PartialEq for Kept {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.words() == other.words() && self.len == other.len
    }
}

impl Eq for Kept {}

impl Hash for Kept {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.words().hash(state);
    }
}

impl Kept {
    /// These words, `len` of which count.
    #[inline(always)]
    #[must_use]
    pub const fn new(words: [u32; MAX_DWORDS], len: u8) -> Self {
        let Packed { low, third } = Packed::new(words);
        Self::packed(low, third, len)
    }

    /// The same of the first two words as one number.
    #[inline(always)]
    #[must_use]
    pub const fn packed(low: u64, third: u32, len: u8) -> Self {
        Kept { len, spare: MaybeUninit::uninit(), low: low.to_ne_bytes(), third: third.to_ne_bytes() }
    }

    /// The words.
    #[inline(always)]
    #[must_use]
    pub const fn words(&self) -> [u32; MAX_DWORDS] {
        Packed { low: u64::from_ne_bytes(self.low), third: u32::from_ne_bytes(self.third) }.words()
    }

    /// How many words count.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(&self) -> u8 {
        self.len
    }
}

impl Words {
    /// The first `len` of these dwords; `len` is cut to 3.
    #[inline]
    #[must_use]
    pub const fn new(words: [u32; MAX_DWORDS], len: usize) -> Self {
        Words { words, len: if len > MAX_DWORDS { MAX_DWORDS as u8 } else { len as u8 } }
    }

    /// The bytes in memory order.
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

/// An instruction with the code of one field replaced.
///
/// # Errors
/// What [`decode()`] says of the words that come of it. A code that announces a suffix dword where there was none gets a suffix dword
/// of zero.
pub fn with_code<I: Isa>(
    format: u8,
    mut words: [u32; MAX_DWORDS],
    field: usize,
    code: u32,
    mode: I::Mode,
) -> Result<I::Instr, DecodeError<I>> {
    let Some(f) = I::formats().get(usize::from(format)).and_then(|x| x.fields.get(field)) else {
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
