//! f32 arithmetic rounded to nearest, written without branches so that loops over lanes become vector instructions.
//!
//! Results equal those of the functions for all modes; a test compares them. The host does not say whose payload a NaN of
//! two NaN inputs has, so NaNs are selected afterwards.

const MAGNITUDE: u32 = 0x7FFF_FFFF;
const INFINITY: u32 = 0x7F80_0000;
const QUIET: u32 = 0x0040_0000;
const NAN: u32 = 0xFFC0_0000;

/// Selects without a branch.
#[inline(always)]
const fn select(condition: bool, yes: u32, no: u32) -> u32 {
    if condition { yes } else { no }
}

#[inline(always)]
const fn is_nan(bits: u32) -> bool {
    bits & MAGNITUDE > INFINITY
}

#[inline(always)]
const fn flush<const FLUSH: bool>(bits: u32) -> u32 {
    if FLUSH { select(bits & INFINITY == 0, bits & !MAGNITUDE, bits) } else { bits }
}

/// Replaces a NaN result with the one that the inputs determine.
#[inline(always)]
const fn fix_nan<const IEEE: bool>(result: u32, a: u32, b: u32) -> u32 {
    let quiet = if IEEE { QUIET } else { 0 };
    let of_inputs = select(is_nan(a), a | quiet, select(is_nan(b), b | quiet, NAN));
    select(is_nan(result), of_inputs, result)
}

/// `a + b` rounded to nearest; `FLUSH`: denormal inputs and results are zeros; `IEEE`: signaling NaNs are quieted.
#[inline(always)]
#[must_use]
pub fn add_nearest<const FLUSH: bool, const IEEE: bool>(a: u32, b: u32) -> u32 {
    let (a, b) = (flush::<FLUSH>(a), flush::<FLUSH>(b));
    let sum = (f32::from_bits(a) + f32::from_bits(b)).to_bits();
    flush::<FLUSH>(fix_nan::<IEEE>(sum, a, b))
}

/// `a * b` rounded to nearest, as [`add_nearest`].
#[inline(always)]
#[must_use]
pub fn mul_nearest<const FLUSH: bool, const IEEE: bool>(a: u32, b: u32) -> u32 {
    let (a, b) = (flush::<FLUSH>(a), flush::<FLUSH>(b));
    let product = (f32::from_bits(a) * f32::from_bits(b)).to_bits();
    flush::<FLUSH>(fix_nan::<IEEE>(product, a, b))
}

/// `a * b + c` rounded once, to nearest, as [`add_nearest`].
///
/// The sum is computed in f64 and rounded to odd, which is as good as exact for the conversion to f32. Without the FMA target
/// feature `f32::mul_add` is a library call (300 M/s on one core); this is vectorised.
#[inline(always)]
#[must_use]
pub fn fma_nearest<const FLUSH: bool, const IEEE: bool>(a: u32, b: u32, c: u32) -> u32 {
    let (a, b, c) = (flush::<FLUSH>(a), flush::<FLUSH>(b), flush::<FLUSH>(c));
    let product = f64::from(f32::from_bits(a)) * f64::from(f32::from_bits(b));
    let addend = f64::from(f32::from_bits(c));
    let sum = product + addend;
    let shadow = sum - product;
    let error = (product - (sum - shadow)) + (addend - shadow);
    let bits = sum.to_bits();
    // An infinite sum has a NaN as its error, which is not above 0.
    let inexact = error.abs() > 0.0 && bits & 1 == 0;
    let shrinks = (error < 0.0) != (sum < 0.0);
    let step = if shrinks { u64::MAX } else { 1 };
    let odd = f64::from_bits(bits.wrapping_add(if inexact { step } else { 0 }));
    let result = (odd as f32).to_bits();
    let quiet = if IEEE { QUIET } else { 0 };
    let fixed = fix_nan::<IEEE>(result, a, b);
    let fixed = select(is_nan(result) && !is_nan(a) && !is_nan(b) && is_nan(c), c | quiet, fixed);
    flush::<FLUSH>(fixed)
}
