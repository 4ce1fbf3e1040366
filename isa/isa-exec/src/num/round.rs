//! Rounding to a format.

use core::cmp::Ordering;

use crate::num::{FloatMode, Format};

/// Rounds `significand / 2^63 * 2^exponent`, whose sign is separate, to a format.
///
/// The significand has its top bit set, or is 0. What was cut off below it, if it was not 0, is in its lowest bit, which is
/// right for every format here: the narrowest gap between a format's last bit and the lowest bit is 11 bits.
#[inline(always)]
#[must_use]
pub(crate) fn round_parts(format: Format, mode: FloatMode, negative: bool, exponent: i32, significand: u64) -> u64 {
    let sign = if negative { format.sign_bit() } else { 0 };
    if significand == 0 {
        return sign;
    }
    let stored = exponent + format.bias();
    if stored > 2 * format.bias() {
        return sign | overflow(format, mode, negative);
    }
    let below = 63 - format.fraction_bits();
    let cut = if stored >= 1 { below } else { below.saturating_add(1u32.wrapping_sub(stored as u32)) };
    let half = 1 << 63;
    let (kept, inexact, rest) = match cut {
        ..64 => {
            let lost = significand << (64 - cut);
            (significand >> cut, lost != 0, lost.cmp(&half))
        }
        64 => (0, true, significand.cmp(&half)),
        _ => (0, true, Ordering::Less),
    };
    let increment = inexact && mode.round.increments(negative, kept & 1 != 0, rest);
    // The leading 1 of a normal number adds one to the exponent; so does a carry out of the fraction.
    let base = if stored >= 1 { (stored as u64 - 1) << format.fraction_bits() } else { 0 };
    let magnitude = base + kept + u64::from(increment);
    if magnitude >= format.infinity() {
        return sign | overflow(format, mode, negative);
    }
    sign | mode.output(format, magnitude)
}

/// The magnitude of a result that is too large.
#[cold]
fn overflow(format: Format, mode: FloatMode, negative: bool) -> u64 {
    let infinite = mode.round.overflows_to_infinity(negative) && !mode.saturate;
    if infinite { format.infinity() } else { format.max_finite() }
}

/// Rounds a finite `f64` to a format: exactly if the `f64` is exact or was rounded to odd.
#[inline(always)]
#[must_use]
pub(crate) fn round_f64(format: Format, mode: FloatMode, value: f64) -> u64 {
    let bits = value.to_bits();
    let negative = bits >> 63 != 0;
    let stored = (bits >> 52 & 0x7FF) as i32;
    let fraction = bits & ((1 << 52) - 1);
    if stored == 0 {
        let shift = fraction.leading_zeros();
        let significand = fraction.checked_shl(shift).unwrap_or(0);
        return round_parts(format, mode, negative, 11 - 1022 - shift as i32, significand);
    }
    round_parts(format, mode, negative, stored - 1023, (1 << 52 | fraction) << 11)
}

/// The sum of two `f64` rounded to odd: the exact sum, or else its neighbour with an odd last bit. Rounding that to a format
/// with at least two bits less rounds once.
#[inline(always)]
#[must_use]
pub(crate) fn add_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // TwoSum: the error of the sum, exactly.
    let shadow = sum - a;
    let error = (a - (sum - shadow)) + (b - shadow);
    let bits = sum.to_bits();
    if error == 0.0 || bits & 1 != 0 {
        return sum;
    }
    let shrinks = (error < 0.0) != (sum < 0.0);
    f64::from_bits(if shrinks { bits - 1 } else { bits + 1 })
}
