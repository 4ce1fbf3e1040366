//! The steps of a correctly rounded division: V_DIV_SCALE, V_DIV_FMAS, V_DIV_FIXUP.
//!
//! The guide's text does not give correctly rounded quotients; docs/reference/disagreements.md lists where these functions differ.

use crate::num::{FloatMode, Format, arith, ldexp, soft};

/// The scaling of a division: the power of two, and the exponents from which it applies.
struct Scaling {
    /// Operands are scaled by two to this power.
    scale: i32,
    /// Numerators with a stored exponent up to this are scaled up.
    tiny: i32,
    /// Quotients with an exponent of at least this need a scaled-up denominator.
    far: i32,
}

const fn scaling(format: Format) -> Scaling {
    match format {
        Format::F64 => Scaling { scale: 128, tiny: 53, far: 768 },
        _ => Scaling { scale: 64, tiny: 23, far: 96 },
    }
}

/// V_DIV_SCALE: `value`, which is the denominator or the numerator, scaled so that the division of the two neither over- nor
/// underflows on its way; and whether V_DIV_FMAS has to scale the quotient back.
#[must_use]
pub fn div_scale(format: Format, mode: FloatMode, value: u64, denominator: u64, numerator: u64) -> (u64, bool) {
    let scaling = scaling(format);
    let [value, denominator, numerator] = [value, denominator, numerator].map(|bits| mode.input(format, bits));
    let keep = mode.keeping_denormals();
    let by = |power: i32| ldexp(format, keep, value, power);
    let exponent = |bits| format.exponent(bits);
    let is_denominator = value == denominator;
    if format.is_zero(numerator) || format.is_zero(denominator) {
        return (format.nan(), true);
    }
    let distance = exponent(numerator) - exponent(denominator);
    // 1 / denominator is denormal from the exponent of the largest power of two on.
    let reciprocal_is_denormal = reciprocal_is_denormal(format, denominator);
    let quotient_is_denormal = quotient_may_be_denormal(format, numerator, denominator);
    if distance >= scaling.far {
        return (if is_denominator { by(scaling.scale) } else { value }, true);
    }
    if format.is_denormal(denominator) {
        return (by(scaling.scale), false);
    }
    if reciprocal_is_denormal && quotient_is_denormal {
        return (if is_denominator { by(-scaling.scale) } else { value }, true);
    }
    if reciprocal_is_denormal {
        return (by(-scaling.scale), false);
    }
    if quotient_is_denormal {
        return (if value == numerator { by(scaling.scale) } else { value }, true);
    }
    if exponent(numerator) <= scaling.tiny {
        return (by(scaling.scale), false);
    }
    (value, false)
}

/// Whether the reciprocal of a number is denormal or underflows.
fn reciprocal_is_denormal(format: Format, bits: u64) -> bool {
    let magnitude = bits & format.magnitude_mask();
    // 2^(bias-1) is the largest number whose reciprocal is normal.
    let limit = (2 * format.bias() as u64 - 1) << format.fraction_bits();
    !format.is_nan(bits) && !format.is_infinite(bits) && magnitude > limit
}

/// Whether the exponents of normal numbers allow a quotient that is denormal or underflows. Hardware does not compare the fractions: tests
/// of tinygrad on RDNA3 have the flag for 2^-126 / 1.
fn quotient_may_be_denormal(format: Format, numerator: u64, denominator: u64) -> bool {
    let special = |bits| format.is_nan(bits) || format.is_infinite(bits);
    if special(numerator) || special(denominator) {
        return false;
    }
    exponent_of_normal(format, numerator) - exponent_of_normal(format, denominator) <= 1 - format.bias()
}

/// The exponent of a number that is normalised.
fn exponent_of_normal(format: Format, bits: u64) -> i32 {
    if format.exponent(bits) != 0 {
        return format.exponent(bits) - format.bias();
    }
    let fraction = bits & format.fraction_mask();
    let shift = fraction.leading_zeros() as i32 - (63 - format.fraction_bits() as i32);
    1 - format.bias() - shift
}

/// V_DIV_FMAS: `fma(a, b, c)`, scaled back if V_DIV_SCALE said so: up if `c` has an exponent above the bias, down otherwise.
#[must_use]
pub fn div_fmas(format: Format, mode: FloatMode, a: u64, b: u64, c: u64, scaled: bool) -> u64 {
    // Inputs are not flushed.
    let mode = FloatMode { flush_inputs: false, ..mode };
    let finite = [a, b, c].iter().all(|bits| !format.is_nan(*bits) && !format.is_infinite(*bits));
    if !scaled || !finite {
        return arith::fma(format, mode, a, b, c);
    }
    let power = scaling(format).scale;
    let power = if format.exponent(c) > format.bias() { power } else { -power };
    soft::scaled_fma(format, mode, [a, b, c], power)
}

/// V_DIV_FIXUP: the quotient with the special cases of division put right.
#[must_use]
pub fn div_fixup(format: Format, mode: FloatMode, quotient: u64, denominator: u64, numerator: u64) -> u64 {
    let (denominator, numerator) = (mode.input(format, denominator), mode.input(format, numerator));
    let negative = format.is_negative(denominator) != format.is_negative(numerator);
    let signed = |magnitude| format.with_sign(magnitude, negative);
    let inf = |bits| format.is_infinite(bits);
    if format.is_nan(numerator) {
        return mode.nan(format, numerator);
    }
    if format.is_nan(denominator) {
        return mode.nan(format, denominator);
    }
    if format.is_zero(denominator) && format.is_zero(numerator) || inf(denominator) && inf(numerator) {
        return format.nan();
    }
    if format.is_zero(denominator) || inf(numerator) {
        return signed(format.infinity());
    }
    if inf(denominator) || format.is_zero(numerator) {
        return signed(0);
    }
    let far = match format {
        Format::F16 => -25,
        Format::F64 => -1075,
        _ => -150,
    };
    let distance = format.exponent(numerator) - format.exponent(denominator);
    if distance < far {
        // A number too small for the format, rounded.
        return ldexp(format, mode, signed(format.one()), -0x2000);
    }
    // A quotient that is a NaN overflowed on its way.
    if format.is_nan(quotient) {
        return ldexp(format, mode, signed(format.one()), 0x2000);
    }
    mode.output(format, signed(quotient))
}
