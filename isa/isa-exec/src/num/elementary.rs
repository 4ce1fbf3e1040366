//! Reciprocals, roots, exponentials, logarithms and trigonometric functions.
//!
//! f16 and f32 results are computed in f64 and rounded once more, f64 ones with one f64 operation each, so that all are well
//! within the guide's accuracy (1 ULP for f32, 0.51 for f16, 2^29 for f64). The hardware's last bits may differ.

use crate::num::arith::first_nan;
use crate::num::round::round_f64;
use crate::num::{FloatMode, Format, Round};

/// The mode that elementary functions compute in: f32 flushes denormals regardless of MODE, and all round to nearest.
const fn own_mode(format: Format, mode: FloatMode) -> FloatMode {
    let mode = mode.rounding(Round::NearestEven);
    if matches!(format, Format::F32) { mode.flushing() } else { mode }
}

/// Applies a function of f64 to the value, and rounds.
fn apply(format: Format, mode: FloatMode, bits: u64, function: impl Fn(f64) -> f64) -> u64 {
    let bits = mode.input(format, bits);
    if let Some(nan) = first_nan(format, mode, &[bits]) {
        return nan;
    }
    let result = function(format.to_f64(bits));
    if result.is_nan() {
        return format.nan();
    }
    if result.is_infinite() {
        return format.with_sign(format.infinity(), result < 0.0);
    }
    match format {
        Format::F64 => mode.output(format, result.to_bits()),
        _ => round_f64(format, mode, result),
    }
}

/// `1 / value`.
#[must_use]
pub fn rcp(format: Format, mode: FloatMode, bits: u64) -> u64 {
    apply(format, own_mode(format, mode), bits, |x| 1.0 / x)
}

/// The square root; -0 for -0.
#[must_use]
pub fn sqrt(format: Format, mode: FloatMode, bits: u64) -> u64 {
    apply(format, own_mode(format, mode), bits, libm::sqrt)
}

/// `1 / sqrt(value)`; an infinity of the zero's sign for zeros.
#[must_use]
pub fn rsq(format: Format, mode: FloatMode, bits: u64) -> u64 {
    apply(format, own_mode(format, mode), bits, |x| 1.0 / libm::sqrt(x))
}

/// Two to the power of the value.
#[must_use]
pub fn exp2(format: Format, mode: FloatMode, bits: u64) -> u64 {
    apply(format, own_mode(format, mode), bits, libm::exp2)
}

/// The logarithm to the base 2; -infinity for zeros of either sign.
#[must_use]
pub fn log2(format: Format, mode: FloatMode, bits: u64) -> u64 {
    apply(format, own_mode(format, mode), bits, libm::log2)
}

/// The part of a number of turns that the sine needs, in [-0.5, 0.5], exactly.
fn fraction_of_turn(turns: f64) -> f64 {
    // Integers and halves are exact in f64, as is the difference.
    turns - libm::rint(turns)
}

/// The sine of a number of turns (`sin(2 * pi * value)`), exact at quarter turns; NaN for infinities.
#[must_use]
pub fn sin(format: Format, mode: FloatMode, bits: u64) -> u64 {
    apply(format, mode.rounding(Round::NearestEven), bits, |turns| {
        if turns == 0.0 || turns.is_infinite() {
            return if turns == 0.0 { turns } else { f64::NAN };
        }
        let turns = fraction_of_turn(turns);
        if turns.abs() == 0.5 || turns == 0.0 {
            0.0
        } else if turns.abs() == 0.25 {
            4.0 * turns
        } else {
            libm::sin(turns * core::f64::consts::TAU)
        }
    })
}

/// The cosine of a number of turns, exact at quarter turns; NaN for infinities.
#[must_use]
pub fn cos(format: Format, mode: FloatMode, bits: u64) -> u64 {
    apply(format, mode.rounding(Round::NearestEven), bits, |turns| {
        if turns.is_infinite() {
            return f64::NAN;
        }
        let turns = fraction_of_turn(turns).abs();
        if turns == 0.25 { 0.0 } else { libm::cos(turns * core::f64::consts::TAU) }
    })
}
