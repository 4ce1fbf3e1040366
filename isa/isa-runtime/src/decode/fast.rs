//! The quick way from words to an instruction: a few loads from small tables, which the compiler fills.
//!
//! The bits of the first dword that tell formats apart (the window) lead to the place of the opcode's other bits, these
//! to a number, and the number to one [`Form`]: two dwords of fixed bits, and the fields whose codes must be looked up.
//! What a code means there are two bits of a byte: none for a code that surely stands for something, [`TAIL`] for one
//! that announces the one suffix dword that changes nothing else (a literal, say), [`ASK`] for everything that is not sure. Tables
//! have 512 bytes each and those of narrower fields repeat themselves, so that a code is a shift and a mask away
//! whatever its width. Four tables share their bytes: bits 0 to 3 say [`TAIL`] and bits 4 to 7 [`ASK`], one for each.
//!
//! The fast decoder never reports an error: it declines, and [`in_full`](crate::decode::in_full) decides. It accepts the
//! codes of [`Operand::SURE`](crate::Operand::SURE) only; a test compares both decoders.
//!
//! Lengths are told by branches, not by arithmetic: a processor guesses them, and so need not wait for one instruction
//! to know where the next begins.
//!
//! [`tables`] is run by the compiler (`fast/build.rs`).

mod build;

use crate::encode::Kept;
use crate::tables::Isa;

pub use build::{Built, Source, build, tables};

/// In a set: the code announces the suffix dword that the form can have without any other change.
const TAIL: u8 = 1;
/// In a set: the tables do not know.
const ASK: u8 = 1 << SETS;

/// How many sets share bytes.
const SETS: usize = 4;
/// The bytes of a set.
const SET: usize = 512;
/// How many forms there can be.
const FORMS: usize = 256;

/// The number of the form, which fits no words, of opcodes that no row has. Form 0 fits none either, but rows may.
const NO_ROW: u8 = 1;

/// How many fields of a form can be looked up.
const CHECKS: usize = 6;
/// How many of them are always looked up, whether there are any or not: cheaper than to ask.
const ALWAYS: usize = 3;

/// Where the words with one value of the window have the rest of their opcode.
#[derive(Clone, Copy)]
pub struct Window {
    base: u16,
    mask: u16,
    shift: u32,
}

/// A field to look up: its lowest bit in the first two dwords, where its set begins, and which bits there are its own.
#[derive(Clone, Copy)]
struct Check {
    lo: u8,
    mask: u8,
    set: SetAt,
}

/// Where a set can begin. Not a number, so that the compiler knows that no code leads beyond the last one.
#[derive(Clone, Copy)]
#[repr(u16)]
enum SetAt {
    S0 = 0,
    S1 = 512,
    S2 = 1024,
    S3 = 1536,
    S4 = 2048,
    S5 = 2560,
    S6 = 3072,
    S7 = 3584,
    S8 = 4096,
    S9 = 4608,
    S10 = 5120,
    S11 = 5632,
    S12 = 6144,
    S13 = 6656,
    S14 = 7168,
    S15 = 7680,
}

impl SetAt {
    /// All, in order: more sets than find room there are none, see [`build`](mod@build).
    const ALL: [SetAt; 16] = {
        use SetAt::*;
        [S0, S1, S2, S3, S4, S5, S6, S7, S8, S9, S10, S11, S12, S13, S14, S15]
    };
}

impl Check {
    /// Always sure.
    const NONE: Check = Check { lo: 0, mask: 0, set: SetAt::S0 };

    const fn number(self) -> u32 {
        self.lo as u32 | (self.mask as u32) << 8 | (self.set as u32) << 16
    }

    /// The other way round.
    const fn of(number: u32) -> Check {
        Check { lo: number as u8, mask: (number >> 8) as u8, set: SetAt::ALL[(number >> 16) as usize / SET] }
    }

    /// What the code in these words comes to.
    #[inline(always)]
    fn look<const S: usize>(&self, sets: &[u8; S], low: u64) -> u8 {
        let code = (low >> (self.lo & 63)) as usize & (SET - 1);
        sets[(self.set as usize | code) & (S - 1)] & self.mask
    }
}

/// All that is to be held against the words of one form.
#[derive(Clone, Copy)]
pub struct Form {
    mask: u64,
    value: u64,
    /// The fields that are always looked up.
    checks: [Check; ALWAYS],
    format: u8,
    /// The length without an announced suffix dword.
    len: u8,
    /// The length with one.
    longer: u8,
    /// The number of the other fields to look up; 0 where there are none.
    more: u8,
}

impl Form {
    /// Fits no words.
    const NONE: Form = Form { mask: 0, value: 1, checks: [Check::NONE; ALWAYS], format: 0, len: 0, longer: 0, more: 0 };
}

/// The tables of a set: `M` modes, `W` windows, `O` opcodes, `R` forms with more fields than are always looked up, `S`
/// bytes of sets (a power of two).
pub struct Tables<const M: usize, const W: usize, const O: usize, const R: usize, const S: usize> {
    windows: [Window; W],
    ops: [[u8; O]; M],
    /// As many as a byte can name, so that none is beyond them.
    forms: [Form; FORMS],
    more: [[Check; CHECKS - ALWAYS]; R],
    sets: [u8; S],
}

impl<const M: usize, const W: usize, const O: usize, const R: usize, const S: usize> Tables<M, W, O, R, S> {
    /// The number of the form that the opcode in a first dword leads to.
    #[inline(always)]
    fn op(&self, lo: u8, mode: usize, word: u32) -> Option<u8> {
        let window = self.windows.get((word >> lo) as usize & (W - 1))?;
        let at = usize::from(window.base) + (word >> (window.shift & 31) & u32::from(window.mask)) as usize;
        self.ops.get(mode)?.get(at).copied()
    }
}

/// The instruction that these words surely begin with, and its length. `lo` is the window's lowest bit.
#[inline(always)]
pub fn decode<I: Isa, const M: usize, const W: usize, const O: usize, const R: usize, const S: usize>(
    tables: &'static Tables<M, W, O, R, S>,
    lo: u8,
    mode: usize,
    low: u64,
    third: u32,
) -> Option<(I::Instr, usize)> {
    let first = low as u32;
    let form = &tables.forms[usize::from(tables.op(lo, mode, first)?)];
    let look = |checks: &[Check; 3]| checks.iter().fold(0, |class, check| class | check.look(&tables.sets, low));
    let mut class = look(&form.checks);
    if form.more != 0 {
        class |= look(tables.more.get(usize::from(form.more))?);
    }
    if low & form.mask != form.value || class >= 1 << SETS {
        return None;
    }
    let (low, third, len) = match if class == 0 { form.len } else { form.longer } {
        1 => (u64::from(first), 0, 1),
        2 => (low, 0, 2),
        _ => (low, third, 3),
    };
    Some((I::kept(form.format, Kept::packed(low, third, len as u8))?, len))
}

/// Whether a word surely begins no instruction of any row, so that no other way need be tried.
#[inline]
pub fn hopeless<const M: usize, const W: usize, const O: usize, const R: usize, const S: usize>(
    tables: &'static Tables<M, W, O, R, S>,
    lo: u8,
    word: u32,
) -> bool {
    tables.op(lo, 0, word) == Some(NO_ROW)
}
