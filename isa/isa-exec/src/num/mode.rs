//! Rounding, denormals and NaNs, as the MODE register sets them.

use crate::num::Format;

/// A rounding direction, numbered as in MODE.FP_ROUND.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Round {
    /// To nearest, ties to even.
    #[default]
    NearestEven,
    /// Toward plus infinity.
    Up,
    /// Toward minus infinity.
    Down,
    /// Toward zero.
    TowardZero,
}

impl Round {
    /// All directions, in MODE's order.
    pub const ALL: [Round; 4] = [Round::NearestEven, Round::Up, Round::Down, Round::TowardZero];

    /// The direction that two bits of MODE select; further bits are ignored.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Round {
        match bits & 3 {
            0 => Round::NearestEven,
            1 => Round::Up,
            2 => Round::Down,
            _ => Round::TowardZero,
        }
    }

    /// Whether an inexact magnitude is rounded up: `odd`, that its last kept bit is 1; `rest`, how the cut-off part compares
    /// with half of that bit. Not to be called with an exact magnitude.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn increments(self, negative: bool, odd: bool, rest: core::cmp::Ordering) -> bool {
        match self {
            Round::NearestEven => match rest {
                core::cmp::Ordering::Greater => true,
                core::cmp::Ordering::Equal => odd,
                core::cmp::Ordering::Less => false,
            },
            Round::Up => !negative,
            Round::Down => negative,
            Round::TowardZero => false,
        }
    }

    /// Whether a result too large for the format becomes infinite; the largest finite number otherwise.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn overflows_to_infinity(self, negative: bool) -> bool {
        match self {
            Round::NearestEven => true,
            Round::Up => !negative,
            Round::Down => negative,
            Round::TowardZero => false,
        }
    }
}

/// The part of MODE that governs operations on one floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FloatMode {
    /// How results are rounded.
    pub round: Round,
    /// Whether denormal inputs are replaced with zeros of their sign.
    pub flush_inputs: bool,
    /// Whether denormal results are replaced with zeros of their sign.
    pub flush_outputs: bool,
    /// MODE.IEEE: signaling NaNs are quieted, and min and max propagate them.
    pub ieee: bool,
    /// MODE.DX10_CLAMP: a NaN that is clamped becomes 0.
    pub dx10_clamp: bool,
    /// MODE.FP16_OVFL for f16: a finite result that overflows becomes the largest finite number; for formats of 8 bits an infinite one too.
    pub saturate: bool,
}

impl FloatMode {
    /// IEEE 754's default: to nearest even, denormals kept, signaling NaNs quieted.
    pub const IEEE: FloatMode = FloatMode {
        round: Round::NearestEven,
        flush_inputs: false,
        flush_outputs: false,
        ieee: true,
        dx10_clamp: true,
        saturate: false,
    };

    /// The same mode with another rounding direction.
    #[must_use]
    pub const fn rounding(self, round: Round) -> FloatMode {
        FloatMode { round, ..self }
    }

    /// The same mode with denormal inputs and results flushed to zero.
    #[must_use]
    pub const fn flushing(self) -> FloatMode {
        FloatMode { flush_inputs: true, flush_outputs: true, ..self }
    }

    /// The same mode with denormal inputs and results kept.
    #[must_use]
    pub const fn keeping_denormals(self) -> FloatMode {
        FloatMode { flush_inputs: false, flush_outputs: false, ..self }
    }

    /// Replaces a denormal input with a zero of its sign where the mode says so.
    #[inline(always)]
    #[must_use]
    pub const fn input(self, format: Format, bits: u64) -> u64 {
        if self.flush_inputs { format.flush(bits) } else { bits }
    }

    /// Replaces a denormal result with a zero of its sign where the mode says so.
    #[inline(always)]
    #[must_use]
    pub const fn output(self, format: Format, bits: u64) -> u64 {
        if self.flush_outputs { format.flush(bits) } else { bits }
    }

    /// A NaN input as a result: quiet with [`ieee`](Self::ieee), unchanged otherwise.
    #[inline(always)]
    #[must_use]
    pub const fn nan(self, format: Format, bits: u64) -> u64 {
        if self.ieee { format.quiet(bits) } else { bits }
    }
}

/// The MODE register (guide §3.4.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Mode(pub u32);

impl Mode {
    /// MODE of a compute kernel: to nearest even, f32 denormals flushed, f16 and f64 denormals kept, DX10_CLAMP and IEEE set.
    pub const DEFAULT: Mode = Mode(0x3C0);

    /// Returns the rounding and denormal mode of operations on a format. bf16 follows the bits of f32; conversions to formats of 8
    /// bits round to nearest and keep denormals.
    #[must_use]
    pub const fn of(self, format: Format) -> FloatMode {
        if matches!(format, Format::F8 | Format::BF8) {
            return FloatMode { saturate: self.0 & 1 << 23 != 0, ..FloatMode::IEEE };
        }
        let wide = matches!(format, Format::F16 | Format::F64);
        let round = if wide { self.0 >> 2 } else { self.0 };
        let denormals = if wide { self.0 >> 6 } else { self.0 >> 4 };
        FloatMode {
            round: Round::from_bits(round),
            flush_inputs: denormals & 1 == 0,
            flush_outputs: denormals & 2 == 0,
            ieee: self.0 & 1 << 9 != 0,
            dx10_clamp: self.0 & 1 << 8 != 0,
            saturate: matches!(format, Format::F16) && self.0 & 1 << 23 != 0,
        }
    }
}
