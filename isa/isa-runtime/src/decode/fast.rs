//! The fast decoder: a few loads from small tables, which the generator computes.
//!
//! The bits of the first dword that distinguish formats (the window) select the position of the other opcode bits. These
//! select one [`Pattern`]: the fixed bits of two dwords, and the fields whose codes need a lookup. A lookup results in two
//! bits: none for a valid code, [`SUFFIX_DWORD`] for a code that selects the suffix dword that changes nothing else (such as a
//! literal), [`NEEDS_CHECK`] for any other code. A table has 512 bytes, and the table of a narrower field is repeated, so
//! that a lookup is a shift and a mask for fields of any width. Four tables share their bytes: bits 0 to 3 are
//! [`SUFFIX_DWORD`] and bits 4 to 7 [`NEEDS_CHECK`], one bit for each table.
//!
//! Fields of the third dword may hold any code, or need zero bits. These bits are in a table apart, which is empty for sets
//! without them, so that their decoders do not change.
//!
//! The fast decoder reports no errors: it declines, and [`decode_slow`](crate::decode::decode_slow) finds the result. A test compares
//! both decoders.
//!
//! Branches on the length are predicted, so the processor starts the next instruction before it knows the length of this one.

use isa_schema::{
    FIRST_PATTERN, FurtherLookups, LOOKUPS_OF_PATTERN, Lookup, MAX_PATTERNS, MAX_SET_BYTES, NEEDS_CHECK, PatternRow,
    Rows, SET_BYTES, UNDEFINED_OPCODE, WindowRow,
};

use crate::dwords::PackedDwords;
use crate::tables::Isa;

/// The position of the other opcode bits for a value of the window.
#[derive(Clone, Copy)]
pub struct Window {
    base: u16,
    mask: u16,
    shift: u32,
}

/// A lookup of a field: its lowest bit in the first two dwords, the bits of its set, and the start of the set.
#[derive(Clone, Copy)]
pub struct Check {
    lo: u8,
    mask: u8,
    set: SetAt,
}

/// The start of a set. An enum instead of a number, so that the compiler omits the bounds check.
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
    /// All starts in order.
    const ALL: [SetAt; MAX_SET_BYTES / SET_BYTES] = {
        use SetAt::*;
        [S0, S1, S2, S3, S4, S5, S6, S7, S8, S9, S10, S11, S12, S13, S14, S15]
    };
}

impl Check {
    /// A check that every code passes.
    const NONE: Check = Check { lo: 0, mask: 0, set: SetAt::S0 };

    const fn new(lookup: Lookup) -> Check {
        Check { lo: lookup.lo, mask: lookup.mask, set: SetAt::ALL[lookup.group as usize] }
    }

    /// Looks up the code in the first two dwords.
    #[inline(always)]
    fn look_up<const S: usize>(&self, sets: &[u8; S], low: u64) -> u8 {
        let code = (low >> (self.lo & 63)) as usize & (SET_BYTES - 1);
        sets[(self.set as usize | code) & (S - 1)] & self.mask
    }
}

/// The checks of an encoding variant. Variants with equal checks share a pattern.
#[derive(Clone, Copy)]
pub struct Pattern {
    mask: u64,
    value: u64,
    /// The unconditional lookups.
    checks: [Check; LOOKUPS_OF_PATTERN],
    format: u8,
    /// The length without a selected suffix dword.
    len: u8,
    /// The length with a selected suffix dword.
    len_with_suffix_dword: u8,
    /// The index in `further`, or 0.
    further: u8,
}

impl Pattern {
    /// Matches nothing.
    const NONE: Pattern = Pattern {
        mask: 0,
        value: 1,
        checks: [Check::NONE; LOOKUPS_OF_PATTERN],
        format: 0,
        len: 0,
        len_with_suffix_dword: 0,
        further: 0,
    };
}

/// The tables of a set: `M` modes, `W` windows, `O` opcodes, `S` bytes of sets (a power of two).
///
pub struct DecoderTables<const M: usize, const W: usize, const O: usize, const S: usize> {
    windows: [Window; W],
    ops: [[u8; O]; M],
    /// One for each value of a byte, so that the index needs no bounds check.
    patterns: [Pattern; MAX_PATTERNS],
    /// The further lookups of patterns.
    further: &'static [FurtherChecks],
    /// For each of `further` the bits of the third dword that are 0; empty if none are.
    third_zero: &'static [u32],
    sets: [u8; S],
}

/// The lookups that a pattern has beyond the unconditional ones.
pub type FurtherChecks = [Check; LOOKUPS_OF_PATTERN];

impl<const M: usize, const W: usize, const O: usize, const S: usize> DecoderTables<M, W, O, S> {
    /// Returns the index of the pattern for a first dword.
    #[inline(always)]
    fn op(&self, lo: u8, mode: usize, word: u32) -> Option<u8> {
        let window = self.windows.get((word >> lo) as usize & (W - 1))?;
        let at = usize::from(window.base) + (word >> (window.shift & 31) & u32::from(window.mask)) as usize;
        self.ops.get(mode)?.get(at).copied()
    }

    /// Decodes the instruction at the start of these dwords. Returns it and its length. `lo` is the lowest bit of the window.
    #[inline(always)]
    pub fn decode<I: Isa>(&self, lo: u8, mode: usize, low: u64, third: u32) -> Option<(I::Instr, usize)> {
        let first = low as u32;
        let pattern = &self.patterns[usize::from(self.op(lo, mode, first)?)];
        let look_up =
            |checks: &[Check; 3]| checks.iter().fold(0, |class, check| class | check.look_up(&self.sets, low));
        let mut class = look_up(&pattern.checks);
        if pattern.further != 0 {
            let at = usize::from(pattern.further);
            class |= look_up(self.further.get(at)?);
            if self.third_zero.get(at).is_some_and(|zero| third & zero != 0) {
                return None;
            }
        }
        if low & pattern.mask != pattern.value || class >= NEEDS_CHECK {
            return None;
        }
        let (low, third, len) = match if class == 0 { pattern.len } else { pattern.len_with_suffix_dword } {
            1 => (u64::from(first), 0, 1),
            2 => (low, 0, 2),
            _ => (low, third, 3),
        };
        Some((I::from_packed(pattern.format, PackedDwords::from_low(low, third, len as u8))?, len))
    }

    /// Returns whether no row has the opcode in a first dword, so that the slow path cannot find an instruction either.
    #[inline]
    pub fn is_undefined_opcode(&self, lo: u8, word: u32) -> bool {
        self.op(lo, 0, word) == Some(UNDEFINED_OPCODE)
    }
}

/// Builds the further lookups of patterns.
#[must_use]
pub const fn further<const N: usize>(rows: Rows<FurtherLookups>) -> [FurtherChecks; N] {
    let (mut out, mut i) = ([[Check::NONE; LOOKUPS_OF_PATTERN]; N], 0);
    while i < N {
        let FurtherLookups { first, second, third } = rows.get(i);
        out[i] = [Check::new(first), Check::new(second), Check::new(third)];
        i += 1;
    }
    out
}

/// Builds the tables.
#[must_use]
pub const fn tables<const M: usize, const W: usize, const O: usize, const S: usize>(
    window_rows: Rows<WindowRow>,
    ops: [[u8; O]; M],
    patterns: Rows<PatternRow>,
    further: &'static [FurtherChecks],
    third_zero: &'static [u32],
    sets: [u8; S],
) -> DecoderTables<M, W, O, S> {
    let mut windows = [Window { base: 0, mask: 0, shift: 0 }; W];
    let mut i = 0;
    while i < W {
        let WindowRow { base, shift, mask } = window_rows.get(i);
        windows[i] = Window { base, mask, shift: shift as u32 };
        i += 1;
    }
    let mut all = [Pattern::NONE; MAX_PATTERNS];
    let mut i = 0;
    while i < patterns.len() {
        let PatternRow { mask, value, first, second, third, format, len, len_with_suffix_dword, further } =
            patterns.get(i);
        let checks = [Check::new(first), Check::new(second), Check::new(third)];
        all[FIRST_PATTERN + i] = Pattern { mask, value, checks, format, len, len_with_suffix_dword, further };
        i += 1;
    }
    DecoderTables { windows, ops, patterns: all, further, third_zero, sets }
}
