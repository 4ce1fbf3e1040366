//! Conversions between f32 and the 16-bit formats, written without branches so that loops over elements become vector
//! instructions.
//!
//! Results equal those of `convert` in the mode `FloatMode::IEEE`, but for NaNs: a NaN gives some bits of a NaN when it is
//! widened, and any bits when it is narrowed.

const MAGNITUDE: u32 = 0x7FFF_FFFF;

/// Selects without a branch.
#[inline(always)]
const fn select(condition: bool, yes: u32, no: u32) -> u32 {
    if condition { yes } else { no }
}

/// Widens an f16.
#[inline(always)]
pub(crate) fn f16_to_f32(bits: u32) -> f32 {
    // 127 - 15, the difference of the biases.
    const REBIAS: u32 = 112 << 23;
    const MIN_NORMAL: u32 = 113 << 23;
    let magnitude = (bits & 0x7FFF) << 13;
    let normal = magnitude.wrapping_add(REBIAS);
    // Not a product: one with a denormal operand takes the host 150 cycles.
    let denormal = f32::from_bits(magnitude | MIN_NORMAL) - f32::from_bits(MIN_NORMAL);
    let special = normal.wrapping_add(REBIAS);
    let finite = select(bits & 0x7C00 == 0, denormal.to_bits(), normal);
    f32::from_bits(select(bits & 0x7C00 == 0x7C00, special, finite) | (bits & 0x8000) << 16)
}

/// Rounds an f32 to the nearest f16, ties to even.
#[inline(always)]
pub(crate) fn f32_to_f16(value: f32) -> u32 {
    const REBIAS: u32 = 112 << 23;
    const MIN_NORMAL: u32 = 113 << 23;
    let bits = value.to_bits();
    let magnitude = bits & MAGNITUDE;
    let rounded = magnitude.wrapping_sub(REBIAS).wrapping_add(0xFFF).wrapping_add(magnitude >> 13 & 1) >> 13;
    // The last bit of 0.5 has the weight of the last bit of an f16 denormal: the host's addition rounds.
    let denormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());
    select(magnitude < MIN_NORMAL, denormal, rounded.min(0x7C00)) | bits >> 16 & 0x8000
}

/// Widens a bf16.
#[inline(always)]
pub(crate) const fn bf16_to_f32(bits: u32) -> f32 {
    f32::from_bits(bits << 16)
}

/// Rounds an f32 to the nearest bf16, ties to even.
#[inline(always)]
pub(crate) const fn f32_to_bf16(value: f32) -> u32 {
    let bits = value.to_bits();
    bits.wrapping_add(0x7FFF).wrapping_add(bits >> 16 & 1) >> 16
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
