//! Conversions between formats, and between numbers and integers.

use crate::num::eighths::{narrow, widen};
use crate::num::round::{round_f64, round_parts};
use crate::num::{FloatMode, Format};

/// Converts between formats. `input` treats the operand's denormals, `mode` rounds and treats the result's.
///
/// A NaN keeps its sign and the upper bits of its payload, and becomes quiet. A format of 8 bits is converted by way of f32, to nearest.
#[must_use]
pub fn convert(from: Format, input: FloatMode, to: Format, mode: FloatMode, bits: u64) -> u64 {
    if matches!(from, Format::F8 | Format::BF8) {
        let wide = widen(from, bits as u32).into();
        return if to == Format::F32 { wide } else { convert(Format::F32, FloatMode::IEEE, to, mode, wide) };
    }
    if matches!(to, Format::F8 | Format::BF8) {
        let wide = if from == Format::F32 { bits } else { convert(from, input, Format::F32, FloatMode::IEEE, bits) };
        return narrow(to, wide as u32, mode.saturate).into();
    }
    let bits = input.input(from, bits);
    let negative = from.is_negative(bits);
    if from.is_nan(bits) {
        let payload = (bits & from.fraction_mask()) << (63 - from.fraction_bits());
        let fraction = payload >> (63 - to.fraction_bits());
        // A payload without its upper bits would be an infinity.
        let quiet = if mode.ieee || fraction == 0 { to.quiet_bit() } else { 0 };
        return to.with_sign(to.infinity() | fraction | quiet, negative);
    }
    if from.is_infinite(bits) {
        return to.with_sign(to.infinity(), negative);
    }
    match to {
        Format::F64 => mode.output(to, from.to_f64(bits).to_bits()),
        _ => round_f64(to, mode, from.to_f64(bits)),
    }
}

/// An unsigned integer, rounded to a format.
#[must_use]
pub fn from_unsigned(format: Format, mode: FloatMode, value: u64) -> u64 {
    let shift = value.leading_zeros();
    round_parts(format, mode, false, 63 - shift as i32, value.checked_shl(shift).unwrap_or(0))
}

/// A signed integer, rounded to a format.
#[must_use]
pub fn from_signed(format: Format, mode: FloatMode, value: i64) -> u64 {
    let magnitude = value.unsigned_abs();
    let shift = magnitude.leading_zeros();
    round_parts(format, mode, value < 0, 63 - shift as i32, magnitude.checked_shl(shift).unwrap_or(0))
}

/// The number truncated to an unsigned integer of some bits: out of range saturates, a NaN is 0.
#[must_use]
pub fn to_unsigned(format: Format, bits: u64, width: u32) -> u64 {
    let value = format.to_f64(bits);
    let limit = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    // Rust's conversion truncates, saturates and makes a NaN 0.
    (value as u64).min(limit)
}

/// The number truncated to a signed integer of some bits: out of range saturates, a NaN is 0.
#[must_use]
pub fn to_signed(format: Format, bits: u64, width: u32) -> i64 {
    let value = format.to_f64(bits) as i64;
    let limit = if width >= 64 { i64::MAX } else { (1 << (width - 1)) - 1 };
    value.clamp(-limit - 1, limit)
}

/// The number scaled by `scale` and rounded to the nearest integer, ties to even; a NaN is 0.
fn scaled(format: Format, mode: FloatMode, bits: u64, scale: f64) -> i64 {
    let value = format.to_f64(mode.input(format, bits)) * scale;
    if value.is_nan() { 0 } else { libm::rint(value) as i64 }
}

/// A number in [-1, 1] as a signed normalised 16-bit integer: -1 is -32767; out of range saturates.
#[must_use]
pub fn to_snorm(format: Format, mode: FloatMode, bits: u64) -> i16 {
    scaled(format, mode, bits, 32767.0).clamp(-32767, 32767) as i16
}

/// A number in [0, 1] as an unsigned normalised 16-bit integer; out of range saturates.
#[must_use]
pub fn to_unorm(format: Format, mode: FloatMode, bits: u64) -> u16 {
    scaled(format, mode, bits, 65535.0).clamp(0, 65535) as u16
}

/// `floor(value + 0.5)` as a signed 32-bit integer, of the exact sum: out of range saturates, a NaN is 0.
#[must_use]
pub fn nearest(format: Format, bits: u64) -> i32 {
    // For f32 and narrower formats the sum is exact, or so near to 0.5 that its floor is.
    libm::floor(format.to_f64(bits) + 0.5) as i32
}
