//! Arithmetic of f16 and bf16 in f32, and conversions, rounded to nearest once, written without branches so that loops over lanes become
//! vector instructions.
//!
//! f32 has more than twice the bits of either format and two more, so a sum or a product that is rounded to f32 and then to the format
//! has the bits of one rounding. A fused multiply-add needs a check: [`HalfFormat::is_tie`].

use crate::num::Format;

const SIGN: u32 = 0x8000_0000;

/// A format of 16 bits whose numbers are computed in f32.
pub(crate) trait HalfFormat {
    /// The format.
    const FORMAT: Format;

    /// Plus infinity, which is also the mask of the exponent.
    const INFINITY: u32;

    /// The value of a number in the upper 16 bits; the lower ones are ignored. A denormal is a zero of its sign if `FLUSH` is set.
    /// Infinities and NaNs give a number.
    fn widen<const FLUSH: bool>(upper: u32) -> f32;

    /// The nearest number, with its sign. A denormal result is a zero of its sign if `FLUSH` is set. Magnitudes above `limit`, which
    /// [`limit`](Self::limit) gives, are replaced by it. A NaN gives a number.
    fn narrow<const FLUSH: bool>(value: f32, limit: f32) -> u32;

    /// The value of the nearest number, as [`narrow`](Self::narrow). The limit and a NaN give a number.
    fn round<const FLUSH: bool>(value: f32, limit: f32) -> f32;

    /// The limit of magnitudes; `saturate`: results that are too large become the largest finite number.
    fn limit(saturate: bool) -> f32;

    /// All ones if a value is halfway between two numbers, else zero. Then the value may be on the wrong side of the halfway point, if
    /// it was rounded itself; all other values are on the side that they were on before. With the limit that
    /// [`narrow`](Self::narrow) gets, both compute the same sum.
    fn is_tie(value: f32, limit: f32) -> u32;

    /// All ones if the product of two numbers in f32 may not be exact, else zero.
    fn is_inexact_product(a: f32, b: f32) -> u32;
}

/// Selects without a branch.
#[inline(always)]
pub(crate) const fn mask(condition: bool) -> u32 {
    if condition { u32::MAX } else { 0 }
}

/// The smaller of two numbers, `b` for NaNs: one instruction, unlike `f32::min`.
#[inline(always)]
pub(crate) fn lower(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The larger of two numbers, `b` for NaNs.
#[inline(always)]
pub(crate) fn higher(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The magnitude of a number.
#[inline(always)]
pub(crate) fn magnitude(value: f32) -> f32 {
    f32::from_bits(value.to_bits() & !SIGN)
}

/// IEEE 754 binary16.
pub(crate) struct F16;

/// The difference of the biases of f32 and f16, as bits of the exponent.
const BIAS: u32 = 112 << 23;

/// The smallest normal number.
const SMALLEST_NORMAL: f32 = f32::from_bits(113 << 23);

/// The fraction bits that f32 has and f16 has not, as bits of the exponent.
const CUT: u32 = 13 << 23;

impl F16 {
    /// The bits of f32 that stand for the exponent of a magnitude, which is that of the smallest normal number for smaller ones; and
    /// the magnitude rounded to an f16. That plus the bits of the exponent plus [`CUT`] has the rounded fraction at its low end.
    #[inline(always)]
    fn rounded(magnitude: f32) -> (u32, f32) {
        let exponent = higher(magnitude, SMALLEST_NORMAL).to_bits() & 0x7F80_0000;
        // The last bit of a number with this exponent is worth as much as the last bit of an f16.
        (exponent, magnitude + f32::from_bits(exponent + CUT))
    }

    /// The number that a sum of [`rounded`](Self::rounded) stands for.
    #[inline(always)]
    fn number((exponent, sum): (u32, f32)) -> u32 {
        let fraction = sum.to_bits().wrapping_sub(exponent + CUT);
        // The leading 1 of a normal number adds one to the exponent; so does a carry out of the fraction.
        ((exponent - (113 << 23)) >> 13) + fraction
    }

    /// [`widen`](Half::widen), infinities and NaNs too.
    #[inline(always)]
    pub(crate) fn widen_all<const FLUSH: bool>(upper: u32) -> f32 {
        let is_special = mask(upper & 0x7C00_0000 == 0x7C00_0000);
        // The largest exponent remains the largest.
        f32::from_bits(Self::widen::<FLUSH>(upper).to_bits() + (is_special & BIAS))
    }

    #[inline(always)]
    fn flushed<const FLUSH: bool>(magnitude: u32) -> u32 {
        if FLUSH { magnitude & mask(magnitude >= 0x0400) } else { magnitude }
    }

    /// [`narrow`](Half::narrow) toward zero.
    #[inline(always)]
    pub(crate) fn narrow_to_zero<const FLUSH: bool>(value: f32) -> u32 {
        let magnitude = lower(magnitude(value), 65504.0);
        let (exponent, sum) = Self::rounded(magnitude);
        let is_above = sum - f32::from_bits(exponent + CUT) > magnitude;
        let number = Self::number((exponent, sum)).wrapping_add(mask(is_above));
        Self::flushed::<FLUSH>(number) | (value.to_bits() & SIGN) >> 16
    }
}

impl HalfFormat for F16 {
    const FORMAT: Format = Format::F16;
    const INFINITY: u32 = 0x7C00;

    #[inline(always)]
    fn widen<const FLUSH: bool>(upper: u32) -> f32 {
        let normal = f32::from_bits(((upper & 0x7FFF_0000) >> 3) + BIAS);
        let magnitude = if FLUSH {
            f32::from_bits(normal.to_bits() & mask(normal >= SMALLEST_NORMAL))
        } else {
            // A denormal has no leading 1, and the exponent of the smallest normal number. All others get larger by this. The host
            // takes 150 cycles for a product of a denormal.
            lower(normal + normal - SMALLEST_NORMAL, normal)
        };
        f32::from_bits(magnitude.to_bits() | upper & SIGN)
    }

    #[inline(always)]
    fn narrow<const FLUSH: bool>(value: f32, limit: f32) -> u32 {
        let number = Self::number(Self::rounded(lower(magnitude(value), limit)));
        Self::flushed::<FLUSH>(number) | (value.to_bits() & SIGN) >> 16
    }

    #[inline(always)]
    fn round<const FLUSH: bool>(value: f32, limit: f32) -> f32 {
        let (exponent, sum) = Self::rounded(lower(magnitude(value), limit));
        let rounded = sum - f32::from_bits(exponent + CUT);
        let kept = if FLUSH { mask(rounded >= SMALLEST_NORMAL) } else { u32::MAX };
        f32::from_bits(rounded.to_bits() & kept | value.to_bits() & SIGN)
    }

    #[inline(always)]
    fn limit(saturate: bool) -> f32 {
        // 65536 has the bits of infinity.
        if saturate { 65504.0 } else { 65536.0 }
    }

    #[inline(always)]
    fn is_tie(value: f32, limit: f32) -> u32 {
        let magnitude = lower(magnitude(value), limit);
        let (exponent, sum) = Self::rounded(magnitude);
        let lost = sum - f32::from_bits(exponent + CUT) - magnitude;
        mask(lost.to_bits() & !SIGN == exponent - (11 << 23))
    }

    #[inline(always)]
    fn is_inexact_product(_: f32, _: f32) -> u32 {
        0
    }
}

/// bfloat16.
pub(crate) struct BF16;

impl HalfFormat for BF16 {
    const FORMAT: Format = Format::BF16;
    const INFINITY: u32 = 0x7F80;

    #[inline(always)]
    fn widen<const FLUSH: bool>(upper: u32) -> f32 {
        let kept = if FLUSH { mask(upper & 0x7F80_0000 != 0) | SIGN } else { u32::MAX };
        f32::from_bits(upper & 0xFFFF_0000 & kept)
    }

    #[inline(always)]
    fn narrow<const FLUSH: bool>(value: f32, _: f32) -> u32 {
        let bits = value.to_bits();
        let number = bits.wrapping_add(0x7FFF + (bits >> 16 & 1)) >> 16;
        if FLUSH { number & (mask(number & 0x7F80 != 0) | 0x8000) } else { number }
    }

    #[inline(always)]
    fn round<const FLUSH: bool>(value: f32, limit: f32) -> f32 {
        f32::from_bits(Self::narrow::<FLUSH>(value, limit) << 16)
    }

    #[inline(always)]
    fn limit(_: bool) -> f32 {
        f32::INFINITY
    }

    #[inline(always)]
    fn is_tie(value: f32, _: f32) -> u32 {
        mask(value.to_bits() & 0xFFFF == 0x8000)
    }

    #[inline(always)]
    fn is_inexact_product(a: f32, b: f32) -> u32 {
        // A normal product has 16 bits; others may have lost some or are infinite.
        let is_normal = (magnitude(a * b).to_bits().wrapping_sub(0x0080_0000)) < 0x7F00_0000;
        mask(!is_normal) & mask(a != 0.0) & mask(b != 0.0)
    }
}

/// Widens an f16. A NaN gives a NaN.
#[inline(always)]
pub(crate) fn f16_to_f32(bits: u32) -> f32 {
    F16::widen_all::<false>(bits << 16)
}

/// Rounds an f32 to the nearest f16. A NaN gives any bits.
#[inline(always)]
pub(crate) fn f32_to_f16(value: f32) -> u32 {
    F16::narrow::<false>(value, F16::limit(false))
}

/// Widens a bf16.
#[inline(always)]
pub(crate) fn bf16_to_f32(bits: u32) -> f32 {
    BF16::widen::<false>(bits << 16)
}

/// Rounds an f32 to the nearest bf16. A NaN gives any bits.
#[inline(always)]
pub(crate) fn f32_to_bf16(value: f32) -> u32 {
    BF16::narrow::<false>(value, BF16::limit(false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::{FloatMode, Format, convert};

    const MODE: FloatMode = FloatMode::IEEE;

    /// A format with its conversions to and from f32.
    type Case = (Format, fn(u32) -> f32, fn(f32) -> u32);

    const CASES: [Case; 2] = [(Format::F16, f16_to_f32, f32_to_f16), (Format::BF16, bf16_to_f32, f32_to_bf16)];

    #[test]
    fn widening_is_exact() {
        for (format, widen, _) in CASES {
            for bits in 0..=0xFFFF {
                let expected = convert(format, MODE, Format::F32, MODE, bits);
                let found = widen(bits as u32);
                if Format::F32.is_nan(expected) {
                    assert!(found.is_nan(), "{format:?} {bits:#x}");
                } else {
                    assert_eq!(u64::from(found.to_bits()), expected, "{format:?} {bits:#x}");
                }
            }
        }
    }

    #[test]
    fn narrowing_rounds_to_nearest() {
        for (format, _, narrow) in CASES {
            // All numbers of the upper 16 bits, beside ties of bf16, and with bits that are ties of f16.
            for upper in 0..=0xFFFFu32 {
                for lower in [0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF, 0x0FFF, 0x1000, 0x1001, 0x3000] {
                    let bits = upper << 16 | lower;
                    let value = f32::from_bits(bits);
                    if !value.is_nan() {
                        let expected = convert(Format::F32, MODE, format, MODE, bits.into());
                        assert_eq!(u64::from(narrow(value)), expected, "{format:?} {bits:#x}");
                    }
                }
            }
        }
    }
}
