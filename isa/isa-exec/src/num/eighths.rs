//! Conversions between f32 and the formats of 8 bits, written without branches so that loops over lanes become vector instructions.

use crate::num::Format;
pub use crate::num::format::widen;
use crate::num::format::{INFINITY, NAN, limits};

const SIGN: u32 = 0x8000_0000;

/// Rounds an f32 to a number of 8 bits: to nearest, or toward zero if `TRUNCATES` is set.
#[inline(always)]
const fn round<const TRUNCATES: bool>(format: Format, bits: u32, saturates: bool) -> u32 {
    let sign = (bits & SIGN) >> 24;
    let magnitude = bits & !SIGN;
    let fraction_bits = format.fraction_bits();
    // The exponent of the smallest normal number.
    let least = 128 - format.bias() as u32;
    let stored = magnitude >> 23;
    let exponent = if stored > least { stored } else { least };
    let significand = magnitude & 0x007F_FFFF | if stored == 0 { 0 } else { 1 << 23 };
    let cut = 23 - fraction_bits + (exponent - stored);
    let cut = if cut < 31 { cut } else { 31 };
    let kept = significand >> cut;
    let (rest, half) = (significand & ((1 << cut) - 1), 1 << (cut - 1));
    let increments = !TRUNCATES & ((rest > half) | ((rest == half) & (kept & 1 != 0)));
    // The leading 1 of a normal number adds one to the exponent; so does a carry out of the fraction.
    let number = ((exponent - least) << fraction_bits) + kept + increments as u32;
    let (largest, overflowed) = limits(format);
    let too_large = if saturates { largest } else { overflowed };
    let finite = if number > largest { too_large } else { number };
    sign | if magnitude > INFINITY { NAN } else { finite }
}

/// Rounds an f32 to the nearest number of 8 bits. What is too large becomes an infinity, or NaN in a format without infinities; or, if
/// `saturates` is set, the largest finite number, as an infinity does.
#[inline(always)]
#[must_use]
pub const fn narrow(format: Format, bits: u32, saturates: bool) -> u32 {
    round::<false>(format, bits, saturates)
}

/// Adds the upper bits of `random` to the bits of an f32 that a number of 8 bits does not have, and truncates the sum.
#[inline(always)]
#[must_use]
pub const fn narrow_stochastic(format: Format, bits: u32, random: u32, saturates: bool) -> u32 {
    let added = random >> (9 + format.fraction_bits());
    // What is not finite, or would not be, is too large already.
    let is_finite = (bits & !SIGN) + added < INFINITY;
    round::<true>(format, if is_finite { bits + added } else { bits }, saturates)
}

#[cfg(test)]
mod tests {
    use rustc_apfloat::ieee::{Float8E4M3FN, Float8E5M2, Single};
    use rustc_apfloat::{Float, FloatConvert, Round, StatusAnd};

    use super::*;

    /// The nearest number by another implementation; `None` for NaN.
    fn expected<F: Float>(bits: u32, round: Round) -> Option<u32>
    where
        Single: FloatConvert<F>,
    {
        let StatusAnd { value, .. } = Single::from_bits(bits.into()).convert_r(round, &mut false);
        (!value.is_nan()).then(|| value.to_bits() as u32)
    }

    fn is_nan(format: Format, bits: u32) -> bool {
        let (largest, overflowed) = limits(format);
        bits & 0x7F > largest.max(if overflowed == NAN { 0 } else { overflowed })
    }

    /// All upper halves of f32, with lower bits that are ties of either format, and next to ties.
    fn samples() -> impl Iterator<Item = u32> {
        let lower = [0, 1, 0x7FFF, 0x8000, 0xFFFF];
        (0..=0xFFFFu32).flat_map(move |upper| lower.map(|lower| upper << 16 | lower))
    }

    #[test]
    fn all_numbers_widen_exactly() {
        for bits in 0..=0xFFu32 {
            let mut loses = false;
            let of_f8: Single = Float8E4M3FN::from_bits(bits.into()).convert(&mut loses).value;
            let of_bf8: Single = Float8E5M2::from_bits(bits.into()).convert(&mut loses).value;
            for (format, of_format) in [(Format::F8, of_f8), (Format::BF8, of_bf8)] {
                let found = widen(format, bits);
                if of_format.is_nan() {
                    assert!(f32::from_bits(found).is_nan() && found & 0x0040_0000 != 0, "{format:?} {bits:#x}");
                    assert_eq!(found >> 31, bits >> 7, "{format:?} {bits:#x}");
                } else {
                    assert_eq!(u128::from(found), of_format.to_bits(), "{format:?} {bits:#x}");
                }
            }
        }
    }

    #[test]
    fn numbers_are_those_of_the_guide() {
        // Guide §7.5: the largest, the smallest normal and the smallest denormal number.
        let value = |format, bits| f32::from_bits(widen(format, bits));
        assert_eq!([0x7E, 0x08, 0x01].map(|bits| value(Format::F8, bits)), [448.0, 0.015625, 0.001953125]);
        assert_eq!([0x7B, 0x04, 0x01].map(|bits| value(Format::BF8, bits)), [57344.0, 1.0 / 16384.0, 1.0 / 65536.0]);
        assert!(value(Format::F8, 0xFF).is_nan() && value(Format::BF8, 0xFD).is_nan());
        assert_eq!(value(Format::BF8, 0xFC), f32::NEG_INFINITY);
    }

    #[test]
    fn narrowing_rounds_to_nearest() {
        for bits in samples() {
            let of_formats = [
                (Format::F8, expected::<Float8E4M3FN>(bits, Round::NearestTiesToEven)),
                (Format::BF8, expected::<Float8E5M2>(bits, Round::NearestTiesToEven)),
            ];
            for (format, expected) in of_formats {
                let found = narrow(format, bits, false);
                match expected {
                    Some(expected) => assert_eq!(found, expected, "{format:?} {bits:#x}"),
                    None => assert!(is_nan(format, found), "{format:?} {bits:#x}: {found:#x}"),
                }
                assert_eq!(found >> 7, bits >> 31, "{format:?} {bits:#x}");
            }
        }
    }

    #[test]
    fn overflows_are_those_of_the_guide() {
        // Guide §7.6.2.
        let infinity = f32::INFINITY.to_bits();
        for (format, largest, value, overflowed) in
            [(Format::F8, 0x7E, 448f32, 0x7F), (Format::BF8, 0x7B, 57344.0, 0x7C)]
        {
            let large = (2.0 * value).to_bits();
            for sign in [0, SIGN] {
                let of = |number| sign >> 24 | number;
                assert_eq!([infinity, large].map(|bits| narrow(format, sign | bits, false)), [of(overflowed); 2]);
                assert_eq!([infinity, large].map(|bits| narrow(format, sign | bits, true)), [of(largest); 2]);
                assert_eq!([false, true].map(|saturates| narrow(format, sign | 0x7FC0_0001, saturates)), [of(0x7F); 2]);
                assert_eq!(narrow(format, sign | value.to_bits(), false), of(largest));
            }
        }
    }

    #[test]
    fn stochastic_rounding_is_between_truncation_and_the_next_number() {
        for bits in samples() {
            let of_formats = [
                (Format::F8, expected::<Float8E4M3FN>(bits, Round::TowardZero)),
                (Format::BF8, expected::<Float8E5M2>(bits, Round::TowardZero)),
            ];
            for (format, truncated) in of_formats {
                let (least, greatest) =
                    (narrow_stochastic(format, bits, 0, true), narrow_stochastic(format, bits, u32::MAX, true));
                let Some(truncated) = truncated.filter(|_| bits & INFINITY != INFINITY) else { continue };
                assert_eq!(least, truncated, "{format:?} {bits:#x}");
                assert!(greatest - least <= 1, "{format:?} {bits:#x}: {greatest:#x}");
                // Of a normal number that is exact, the random bits do not reach the kept ones.
                let is_exact = f32::from_bits(widen(format, least)) == f32::from_bits(bits);
                assert!(!is_exact || greatest == least, "{format:?} {bits:#x}: {greatest:#x}");
            }
        }
        // One random number more than the distance to the next number carries.
        let bits = 1.0f32.to_bits() | 1 << 19;
        assert_eq!(
            [0x7FFF_FFFF, 0x8000_0000].map(|random| narrow_stochastic(Format::F8, bits, random, false)),
            [0x38, 0x39]
        );
    }
}
