//! Multiplication and addition of any format in integers, for the modes and formats that the host does not have.

use crate::num::round::round_parts;
use crate::num::{FloatMode, Format, Round};

/// A finite nonzero number: `significand / 2^63 * 2^exponent`, the top bit of the significand set.
#[derive(Clone, Copy)]
struct Parts {
    negative: bool,
    exponent: i32,
    significand: u64,
}

/// Takes a finite number apart; `None` for a zero.
fn parts(format: Format, bits: u64) -> Option<Parts> {
    let negative = format.is_negative(bits);
    let stored = format.exponent(bits);
    let fraction = bits & format.fraction_mask();
    let integer = if stored == 0 { fraction } else { fraction | 1 << format.fraction_bits() };
    if integer == 0 {
        return None;
    }
    let shift = integer.leading_zeros();
    let exponent = stored.max(1) - format.bias() + 63 - format.fraction_bits() as i32 - shift as i32;
    Some(Parts { negative, exponent, significand: integer << shift })
}

/// A number of 128 bits: `significand / 2^127 * 2^exponent`.
#[derive(Clone, Copy)]
struct Wide {
    negative: bool,
    exponent: i32,
    significand: u128,
}

/// Shifts right; if a bit is lost, the lowest bit is set.
fn shift_sticky(value: u128, by: u32) -> u128 {
    match by {
        0 => value,
        1..128 => value >> by | u128::from(value << (128 - by) != 0),
        _ => u128::from(value != 0),
    }
}

/// Rounds a number times a power of two to a format.
fn round(format: Format, mode: FloatMode, value: Wide, power: i32) -> u64 {
    let shift = value.significand.leading_zeros();
    let normal = value.significand.checked_shl(shift).unwrap_or(0);
    let significand = (normal >> 64) as u64 | u64::from(normal as u64 != 0);
    round_parts(format, mode, value.negative, value.exponent - shift as i32 + power, significand)
}

/// The sum of two numbers, both of which have at least 20 zero bits at the low end; `None` if it is 0.
fn add(a: Wide, b: Wide) -> Option<Wide> {
    let (large, small) = if (a.exponent, a.significand) >= (b.exponent, b.significand) { (a, b) } else { (b, a) };
    // One bit of headroom for the carry.
    let distance = (large.exponent - small.exponent) as u32;
    let (x, y) = (large.significand >> 1, shift_sticky(small.significand >> 1, distance));
    let significand = if large.negative == small.negative { x + y } else { x - y };
    let sum = Wide { negative: large.negative, exponent: large.exponent + 1, significand };
    (significand != 0).then_some(sum)
}

/// The zero that an exact sum of two numbers with different signs gives.
pub(crate) const fn zero_of_sum(format: Format, mode: FloatMode) -> u64 {
    if matches!(mode.round, Round::Down) { format.sign_bit() } else { 0 }
}

/// `a * b + c` of finite numbers, rounded once. The signs of zeros are IEEE 754's.
pub(crate) fn fma(format: Format, mode: FloatMode, a: u64, b: u64, c: u64) -> u64 {
    scaled_fma(format, mode, [a, b, c], 0)
}

/// `(a * b + c) * 2^power` of finite numbers, rounded once.
pub(crate) fn scaled_fma(format: Format, mode: FloatMode, [a, b, c]: [u64; 3], power: i32) -> u64 {
    let negative = format.is_negative(a) != format.is_negative(b);
    let product = parts(format, a).zip(parts(format, b)).map(|(a, b)| {
        let significand = u128::from(a.significand) * u128::from(b.significand);
        // Normalised: the comparison of magnitudes needs it, and the product of two has its top bit in one of two places.
        let shift = significand.leading_zeros();
        Wide { negative, exponent: a.exponent + b.exponent + 1 - shift as i32, significand: significand << shift }
    });
    let addend = parts(format, c).map(|c| Wide {
        negative: c.negative,
        exponent: c.exponent,
        significand: u128::from(c.significand) << 64,
    });
    match (product, addend) {
        (Some(product), Some(addend)) => match add(product, addend) {
            Some(sum) => round(format, mode, sum, power),
            None => zero_of_sum(format, mode),
        },
        (Some(value), None) | (None, Some(value)) => round(format, mode, value, power),
        (None, None) if negative == format.is_negative(c) => format.with_sign(0, negative),
        (None, None) => zero_of_sum(format, mode),
    }
}

/// `a * b` of finite numbers.
pub(crate) fn mul(format: Format, mode: FloatMode, a: u64, b: u64) -> u64 {
    // A zero of the product's sign is added, which changes nothing.
    let negative = format.is_negative(a) != format.is_negative(b);
    fma(format, mode, a, b, format.with_sign(0, negative))
}

/// `a + b` of finite numbers.
pub(crate) fn sum(format: Format, mode: FloatMode, a: u64, b: u64) -> u64 {
    fma(format, mode, a, format.one(), b)
}
