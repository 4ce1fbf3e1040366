//! Rounding to integers, output modifiers, and the cube-map builtins.

use crate::num::arith::{self, first_nan};
use crate::num::{FloatMode, Format, Round};

/// Rounds to an integer in a direction, the sign of zero kept.
fn to_integer(format: Format, mode: FloatMode, bits: u64, round: Round) -> u64 {
    let bits = mode.input(format, bits);
    if let Some(nan) = first_nan(format, mode, &[bits]) {
        return nan;
    }
    let stored = format.exponent(bits);
    let fraction = format.fraction_bits() as i32;
    if stored >= format.bias() + fraction || format.is_zero(bits) {
        return bits;
    }
    let negative = format.is_negative(bits);
    let magnitude = bits & format.magnitude_mask();
    if stored < format.bias() {
        // Below one: zero or one. Above a half means nearest is one; a half is a tie, and 0 is even.
        let half = (format.bias() as u64 - 1) << format.fraction_bits();
        let up = round.increments(negative, false, magnitude.cmp(&half));
        return format.with_sign(if up { format.one() } else { 0 }, negative);
    }
    let cut = (format.bias() + fraction - stored) as u32;
    let mask = (1u64 << cut) - 1;
    let lost = magnitude & mask;
    let kept = magnitude & !mask;
    let up = lost != 0 && round.increments(negative, magnitude >> cut & 1 != 0, lost.cmp(&(1 << (cut - 1))));
    format.with_sign(if up { kept + mask + 1 } else { kept }, negative)
}

/// The integer toward zero.
#[must_use]
pub fn trunc(format: Format, mode: FloatMode, bits: u64) -> u64 {
    to_integer(format, mode, bits, Round::TowardZero)
}

/// The integer toward plus infinity.
#[must_use]
pub fn ceil(format: Format, mode: FloatMode, bits: u64) -> u64 {
    to_integer(format, mode, bits, Round::Up)
}

/// The integer toward minus infinity.
#[must_use]
pub fn floor(format: Format, mode: FloatMode, bits: u64) -> u64 {
    to_integer(format, mode, bits, Round::Down)
}

/// The nearest integer, ties to even.
#[must_use]
pub fn rndne(format: Format, mode: FloatMode, bits: u64) -> u64 {
    to_integer(format, mode, bits, Round::NearestEven)
}

/// `value - floor(value)`, below 1: the largest number below it where rounding would give 1. An infinity gives a NaN.
#[must_use]
pub fn fract(format: Format, mode: FloatMode, bits: u64) -> u64 {
    let value = mode.input(format, bits);
    let below = floor(format, mode, value);
    let difference = arith::sub(format, mode, value, below);
    if !format.is_nan(difference) && difference & format.magnitude_mask() >= format.one() {
        return format.one() - 1;
    }
    difference
}

/// Clamps a result to [0, 1]: -0 becomes +0; a NaN becomes +0 with DX10_CLAMP and is kept otherwise.
#[must_use]
pub const fn clamp(format: Format, mode: FloatMode, bits: u64) -> u64 {
    if format.is_nan(bits) {
        return if mode.dx10_clamp { 0 } else { bits };
    }
    if format.is_negative(bits) {
        0
    } else if bits > format.one() {
        format.one()
    } else {
        bits
    }
}

/// Multiplies a result by 2 (1), 4 (2) or a half (3); 0 leaves it unchanged. -0 becomes +0.
///
/// Ignored with MODE.IEEE or if the mode keeps denormal results (guide §7.2.3.1).
#[must_use]
pub fn omod(format: Format, mode: FloatMode, bits: u64, modifier: u32) -> u64 {
    if mode.ieee || !mode.flush_outputs {
        return bits;
    }
    let power = match modifier & 3 {
        0 => return bits,
        1 => 1,
        2 => 2,
        _ => -1,
    };
    let result = crate::num::ldexp(format, mode, bits, power);
    if format.is_zero(result) { 0 } else { result }
}

/// Which face of a cube map a direction hits, and how: the operand with the largest magnitude, z before y before x.
fn major(format: Format, mode: FloatMode, x: u64, y: u64, z: u64) -> (u32, bool) {
    let abs = |bits| mode.input(format, bits) & format.magnitude_mask();
    let at_least = |a: u64, b: u64| !format.is_nan(a) && !format.is_nan(b) && a >= b;
    let (ax, ay, az) = (abs(x), abs(y), abs(z));
    let (axis, value) = if at_least(az, ax) && at_least(az, ay) {
        (2, z)
    } else if at_least(ay, ax) {
        (1, y)
    } else {
        (0, x)
    };
    let value = mode.input(format, value);
    (axis, format.is_negative(value) && !format.is_zero(value) && !format.is_nan(value))
}

/// V_CUBEID: the number of the face, 0.0 to 5.0.
#[must_use]
pub fn cube_id(format: Format, mode: FloatMode, x: u64, y: u64, z: u64) -> u64 {
    let (axis, negative) = major(format, mode, x, y, z);
    crate::num::from_unsigned(format, mode, u64::from(axis) * 2 + u64::from(negative))
}

/// V_CUBESC: the s coordinate before the division.
#[must_use]
pub fn cube_sc(format: Format, mode: FloatMode, x: u64, y: u64, z: u64) -> u64 {
    let (axis, negative) = major(format, mode, x, y, z);
    let flip = |bits: u64| bits ^ format.sign_bit();
    let result = match (axis, negative) {
        (2, true) => flip(x),
        (0, true) => z,
        (0, false) => flip(z),
        _ => x,
    };
    mode.output(format, mode.input(format, result))
}

/// V_CUBETC: the t coordinate before the division.
#[must_use]
pub fn cube_tc(format: Format, mode: FloatMode, x: u64, y: u64, z: u64) -> u64 {
    let (axis, negative) = major(format, mode, x, y, z);
    let flip = |bits: u64| bits ^ format.sign_bit();
    let result = match (axis, negative) {
        (1, true) => flip(z),
        (1, false) => z,
        _ => flip(y),
    };
    mode.output(format, mode.input(format, result))
}

/// V_CUBEMA: twice the coordinate with the largest magnitude.
#[must_use]
pub fn cube_ma(format: Format, mode: FloatMode, x: u64, y: u64, z: u64) -> u64 {
    let (axis, _) = major(format, mode, x, y, z);
    let value = [x, y, z].get(axis as usize).copied().unwrap_or(0);
    arith::add(format, mode, value, value)
}

/// V_CVT_OFF_F32_I4: a signed 4-bit integer in sixteenths, [-0.5, 0.4375].
#[must_use]
pub fn off_i4(bits: u32) -> u32 {
    let value = ((bits << 28) as i32) >> 28;
    (value as f32 / 16.0).to_bits()
}
