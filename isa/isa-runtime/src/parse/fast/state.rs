//! The state of the fast parser between two operands.

use core::num::NonZeroU64;

use crate::parse::match_plan::MatchStep;

/// The state of the fast parser between two operands.
///
/// It has two fields of eight bytes, one of them never 0, so that `Option<ParseState>` is passed in two registers. In
/// memory, writing it in parts and reading it as a whole would stall store forwarding.
#[derive(Clone, Copy)]
pub(super) struct ParseState {
    /// The first two dwords.
    pub low: u64,
    /// The position in the text (bits 0 to 31), the operands and modifiers seen in this component, a bit each, with
    /// [`NEEDS_DECODE`] (bits 32 to 62), and bit 63, which is always set.
    rest: NonZeroU64,
}

/// Bit 63 of `rest`.
const ALWAYS_SET: NonZeroU64 = NonZeroU64::MIN.saturating_add(u64::MAX >> 1);

impl ParseState {
    /// Returns the state at a position, with these dwords and marks.
    #[inline(always)]
    pub fn new(at: usize, low: u64, marks: u32) -> Self {
        ParseState { low, rest: ALWAYS_SET | (at as u64 | u64::from(marks) << 32) }
    }

    /// Returns the position.
    #[inline(always)]
    pub const fn at(self) -> usize {
        self.rest.get() as u32 as usize
    }

    /// Returns the operands and modifiers seen, a bit each, and [`NEEDS_DECODE`].
    #[inline(always)]
    pub const fn marks(self) -> u32 {
        (self.rest.get() >> 32) as u32 & (u32::MAX >> 1)
    }

    /// Returns the operands and modifiers seen, a bit each.
    #[inline(always)]
    pub const fn seen(self) -> u32 {
        self.marks() & !NEEDS_DECODE
    }

    /// Returns the state at another position.
    #[inline(always)]
    pub fn moved_to(self, at: usize) -> Self {
        ParseState::new(at, self.low, self.marks())
    }

    /// Sets [`NEEDS_DECODE`] if `flag` is 1. `flag` is 0 or 1.
    #[inline(always)]
    pub fn with_needs_decode(self, flag: u8) -> Self {
        ParseState { rest: self.rest | u64::from(flag) << (32 + NEEDS_DECODE.trailing_zeros()), ..self }
    }

    /// Advances past the usual separator and an operand of `bits` bits. Operands in template order are not recorded in
    /// `seen`; only out-of-order ones are. The bits of the operand's field are still 0.
    #[inline(always)]
    pub fn past(self, step: &MatchStep, code: u32, bits: u32) -> Self {
        let low = self.low | u64::from(code & step.place.ones) << (step.place.lo & 63);
        let bytes = (u32::from(step.separator_bits) + bits) / 8;
        ParseState { low, rest: ALWAYS_SET | (self.rest.get() + u64::from(bytes)) }
    }

    /// Returns the state after an operand or a modifier with this code, which ends at `at`.
    #[inline(always)]
    pub fn with(self, step: &MatchStep, code: u32, at: usize) -> Self {
        let (ones, lo) = (step.place.ones, step.place.lo & 63);
        let low = self.low & !(u64::from(ones) << lo) | u64::from(code & ones) << lo;
        ParseState::new(at, low, self.marks() | 1 << (step.index & 31))
    }
}

/// The mark of a line whose dwords have to be decoded, because an operand has a code that is not known to be valid. Match
/// plans have at most 30 operands and modifiers.
pub(super) const NEEDS_DECODE: u32 = 1 << 30;
