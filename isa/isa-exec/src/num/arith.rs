//! Addition, multiplication and fused multiply-add in every format and mode.

use crate::num::round::{add_to_odd, round_f64};
use crate::num::{FloatMode, Format, Round, soft};

/// The first NaN among the inputs, as a result.
#[inline(always)]
pub(crate) fn first_nan(format: Format, mode: FloatMode, inputs: &[u64]) -> Option<u64> {
    inputs.iter().copied().find(|bits| format.is_nan(*bits)).map(|bits| mode.nan(format, bits))
}

/// A sum of two `f64` that was 0: toward minus infinity, numbers of different signs add to -0.
#[inline(always)]
fn zero_toward(mode: FloatMode, sum: f64, a: f64, b: f64) -> f64 {
    let differ = a.is_sign_negative() != b.is_sign_negative();
    if sum == 0.0 && differ && mode.round == Round::Down { -0.0 } else { sum }
}

/// `a + b`.
#[must_use]
pub fn add(format: Format, mode: FloatMode, a: u64, b: u64) -> u64 {
    let (a, b) = (mode.input(format, a), mode.input(format, b));
    if let Some(nan) = first_nan(format, mode, &[a, b]) {
        return nan;
    }
    if format.is_infinite(a) || format.is_infinite(b) {
        let both = format.is_infinite(a) && format.is_infinite(b);
        return if both && a != b {
            format.nan()
        } else if format.is_infinite(a) {
            a
        } else {
            b
        };
    }
    let (x, y) = (format.to_f64(a), format.to_f64(b));
    match format {
        Format::F64 if mode.round == Round::NearestEven => mode.output(format, (x + y).to_bits()),
        Format::F64 => soft::sum(format, mode, a, b),
        _ => round_f64(format, mode, zero_toward(mode, add_to_odd(x, y), x, y)),
    }
}

/// `a - b`: `a` plus the negation of `b`, a NaN included.
#[must_use]
pub fn sub(format: Format, mode: FloatMode, a: u64, b: u64) -> u64 {
    add(format, mode, a, b ^ format.sign_bit())
}

/// `a * b`.
#[must_use]
pub fn mul(format: Format, mode: FloatMode, a: u64, b: u64) -> u64 {
    let (a, b) = (mode.input(format, a), mode.input(format, b));
    if let Some(nan) = first_nan(format, mode, &[a, b]) {
        return nan;
    }
    let negative = format.is_negative(a) != format.is_negative(b);
    if format.is_infinite(a) || format.is_infinite(b) {
        let invalid = format.is_zero(a) || format.is_zero(b);
        return if invalid { format.nan() } else { format.with_sign(format.infinity(), negative) };
    }
    let (x, y) = (format.to_f64(a), format.to_f64(b));
    match format {
        Format::F64 if mode.round == Round::NearestEven => mode.output(format, (x * y).to_bits()),
        Format::F64 => soft::mul(format, mode, a, b),
        // The product of two narrower numbers is exact.
        _ => round_f64(format, mode, x * y),
    }
}

/// `a * b + c`, rounded once.
#[must_use]
pub fn fma(format: Format, mode: FloatMode, a: u64, b: u64, c: u64) -> u64 {
    let [a, b, c] = [a, b, c].map(|bits| mode.input(format, bits));
    if let Some(nan) = first_nan(format, mode, &[a, b, c]) {
        return nan;
    }
    let negative = format.is_negative(a) != format.is_negative(b);
    if format.is_infinite(a) || format.is_infinite(b) {
        let product = format.with_sign(format.infinity(), negative);
        let invalid = format.is_zero(a) || format.is_zero(b) || format.is_infinite(c) && c != product;
        return if invalid { format.nan() } else { product };
    }
    if format.is_infinite(c) {
        return c;
    }
    let [x, y, z] = [a, b, c].map(|bits| format.to_f64(bits));
    match format {
        Format::F64 if mode.round == Round::NearestEven => mode.output(format, libm::fma(x, y, z).to_bits()),
        Format::F64 => soft::fma(format, mode, a, b, c),
        _ => {
            let product = x * y;
            round_f64(format, mode, zero_toward(mode, add_to_odd(product, z), product, z))
        }
    }
}

/// `a * b + c` of f32 values, rounded once, to f16.
#[must_use]
pub fn fma_to_f16(inputs: FloatMode, mode: FloatMode, a: u64, b: u64, c: u64) -> u64 {
    const FROM: Format = Format::F32;
    let [a, b, c] = [a, b, c].map(|bits| inputs.input(FROM, bits));
    let special = [a, b, c].iter().any(|bits| FROM.is_nan(*bits) || FROM.is_infinite(*bits));
    if special {
        return crate::num::convert(FROM, inputs, Format::F16, mode, fma(FROM, inputs, a, b, c));
    }
    let [x, y, z] = [a, b, c].map(|bits| FROM.to_f64(bits));
    let product = x * y;
    round_f64(Format::F16, mode, zero_toward(mode, add_to_odd(product, z), product, z))
}

/// V_MULLIT: `a * b`, but the most negative finite number if `b` is that, -infinity or a NaN, or `c` is a NaN or not
/// positive.
#[must_use]
pub fn mullit(format: Format, mode: FloatMode, a: u64, b: u64, c: u64) -> u64 {
    let lowest = format.with_sign(format.max_finite(), true);
    let (b, c) = (mode.input(format, b), mode.input(format, c));
    let minus_infinity = format.with_sign(format.infinity(), true);
    let dark = format.is_nan(c) || format.is_negative(c) || format.is_zero(c);
    if b == lowest || b == minus_infinity || format.is_nan(b) || dark { lowest } else { mul(format, mode, a, b) }
}
