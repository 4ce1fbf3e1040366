//! How far a line is read.

use core::num::NonZeroU64;

use crate::parse::recipe::ReadStep;

/// How far a line is read: what changes with every operand. It is two numbers, of which one is never 0, so that an
/// `Option` of it is handed around in two registers: in memory, written in parts and read as a whole, it would make the
/// processor wait.
#[derive(Clone, Copy)]
pub(super) struct Now {
    /// The first two words.
    pub low: u64,
    /// Behind what has been read, in the lower half; above it the operands and modifiers of this component that the text
    /// has, a bit for each, and [`ASKED`]; and the highest bit.
    rest: NonZeroU64,
}

/// The highest bit, which is always there.
const HERE: NonZeroU64 = NonZeroU64::MIN.saturating_add(u64::MAX >> 1);

impl Now {
    /// Behind what has been read, with these words and marks.
    #[inline(always)]
    pub fn new(at: usize, low: u64, marks: u32) -> Self {
        Now { low, rest: HERE | (at as u64 | u64::from(marks) << 32) }
    }

    /// Behind what has been read.
    #[inline(always)]
    pub const fn at(self) -> usize {
        self.rest.get() as u32 as usize
    }

    /// A bit for each operand and modifier that the text has, and [`ASKED`].
    #[inline(always)]
    pub const fn marks(self) -> u32 {
        (self.rest.get() >> 32) as u32 & (u32::MAX >> 1)
    }

    /// The operands and modifiers that the text has: a bit for each.
    #[inline(always)]
    pub const fn seen(self) -> u32 {
        self.marks() & !ASKED
    }

    /// Elsewhere in the text.
    #[inline(always)]
    pub fn go(self, at: usize) -> Self {
        Now::new(at, self.low, self.marks())
    }

    /// With [`ASKED`] where the lowest bit is set, the only one that may be.
    #[inline(always)]
    pub fn asked(self, unsure: u8) -> Self {
        Now { rest: self.rest | u64::from(unsure) << (32 + ASKED.trailing_zeros()), ..self }
    }

    /// Behind what mostly stands before an operand and the operand itself, which has so many bits. It is not among those
    /// that the text has: all are that stand in order. No kind has set its bits before.
    #[inline(always)]
    pub fn past(self, step: &ReadStep, code: u32, bits: u32) -> Self {
        let low = self.low | u64::from(code & step.place.ones) << (step.place.lo & 63);
        let bytes = (u32::from(step.lead_bits) + bits) / 8;
        Now { low, rest: HERE | (self.rest.get() + u64::from(bytes)) }
    }

    /// Behind an operand or modifier with this code.
    #[inline(always)]
    pub fn with(self, step: &ReadStep, code: u32, at: usize) -> Self {
        let (ones, lo) = (step.place.ones, step.place.lo & 63);
        let low = self.low & !(u64::from(ones) << lo) | u64::from(code & ones) << lo;
        Now::new(at, low, self.marks() | 1 << (step.at & 31))
    }
}

/// The mark of words that have to be decoded, since something was read that is not sure: a form on the quick way has no
/// more than 30 operands and modifiers.
pub(super) const ASKED: u32 = 1 << 30;
