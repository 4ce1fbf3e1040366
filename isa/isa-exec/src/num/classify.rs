//! Classes of numbers, and their exponents and fractions.

use crate::num::arith::first_nan;
use crate::num::round::round_parts;
use crate::num::{FloatMode, Format};

/// Whether a value is in one of the classes that `mask` selects (V_CMP_CLASS): bits 0 to 9 are signaling NaN, quiet NaN,
/// -infinity, negative normal, negative denormal, -0, +0, positive denormal, positive normal, +infinity.
#[must_use]
pub const fn class(format: Format, bits: u64, mask: u32) -> bool {
    let negative = format.is_negative(bits);
    let class = if format.is_signaling(bits) {
        0
    } else if format.is_nan(bits) {
        1
    } else {
        let distance = if format.is_infinite(bits) {
            3
        } else if format.is_zero(bits) {
            0
        } else if format.is_denormal(bits) {
            1
        } else {
            2
        };
        if negative { 5 - distance } else { 6 + distance }
    };
    mask >> class & 1 != 0
}

/// The exponent `e` of a number `m * 2^e` with `m` in [0.5, 1); 0 for zeros, infinities and NaNs.
#[must_use]
pub const fn frexp_exp(format: Format, mode: FloatMode, bits: u64) -> i32 {
    let bits = mode.input(format, bits);
    if format.is_zero(bits) || format.is_infinite(bits) || format.is_nan(bits) {
        return 0;
    }
    let stored = format.exponent(bits);
    if stored != 0 {
        return stored - format.bias() + 1;
    }
    let leading = (bits & format.fraction_mask()).leading_zeros() as i32;
    // The fraction's top bit, if set, has the exponent of the smallest normal number minus one.
    let shift = leading - (63 - format.fraction_bits() as i32);
    1 - format.bias() - shift + 1
}

/// The `m` of [`frexp_exp`], with its sign; zeros, infinities and NaNs are returned.
#[must_use]
pub fn frexp_mant(format: Format, mode: FloatMode, bits: u64) -> u64 {
    let bits = mode.input(format, bits);
    if let Some(nan) = first_nan(format, mode, &[bits]) {
        return nan;
    }
    if format.is_infinite(bits) || format.is_zero(bits) {
        return bits;
    }
    let half = (format.bias() as u64 - 1) << format.fraction_bits();
    let fraction = if format.exponent(bits) == 0 {
        let fraction = bits & format.fraction_mask();
        let shift = fraction.leading_zeros() - (63 - format.fraction_bits());
        fraction << shift & format.fraction_mask()
    } else {
        bits & format.fraction_mask()
    };
    format.with_sign(half | fraction, format.is_negative(bits))
}

/// `value * 2^exponent`, rounded once.
#[must_use]
pub fn ldexp(format: Format, mode: FloatMode, bits: u64, exponent: i32) -> u64 {
    let bits = mode.input(format, bits);
    if let Some(nan) = first_nan(format, mode, &[bits]) {
        return nan;
    }
    if format.is_infinite(bits) || format.is_zero(bits) {
        return bits;
    }
    let negative = format.is_negative(bits);
    let fraction = bits & format.fraction_mask();
    let stored = format.exponent(bits);
    let integer = if stored == 0 { fraction } else { fraction | 1 << format.fraction_bits() };
    let shift = integer.leading_zeros();
    let own = stored.max(1) - format.bias() + 63 - format.fraction_bits() as i32 - shift as i32;
    // Beyond this range every format over- or underflows.
    let exponent = own + exponent.clamp(-0x4000, 0x4000);
    round_parts(format, mode, negative, exponent, integer << shift)
}
