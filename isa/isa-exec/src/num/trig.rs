//! The words of 2/pi for the reduction of large arguments.

use crate::num::{FloatMode, Format, ldexp};

/// The first 1280 bits of 2/pi after the point, from the highest.
const TWO_OVER_PI: [u64; 20] = [
    0xA2F9_836E_4E44_1529,
    0xFC27_57D1_F534_DDC0,
    0xDB62_9599_3C43_9041,
    0xFE51_63AB_DEBB_C561,
    0xB724_6E3A_424D_D2E0,
    0x0649_2EEA_09D1_921C,
    0xFE1D_EB1C_B129_A73E,
    0xE882_35F5_2EBB_4484,
    0xE99C_7026_B45F_7E41,
    0x3991_D639_8353_39F4,
    0x9C84_5F8B_BDF9_283B,
    0x1FF8_97FF_DE05_980F,
    0xEF2F_118B_5A0A_6D1F,
    0x6D36_7ECF_27CB_09B7,
    0x4F46_3F66_9E5F_EA2D,
    0x7527_BAC7_EBE5_F17B,
    0x3D07_39F7_8A52_92EA,
    0x6BFB_5FB1_1F8D_5D08,
    0x5603_3046_FC7B_6BAB,
    0xF0CF_BC20_9AF4_361D,
];

/// V_TRIG_PREOP_F64: 53 bits of 2/pi, from the segment on that `segment` (0 to 31) and the exponent of `value` select, as a
/// number that multiplied with `value` gives that part of `value * 2/pi` which matters.
#[must_use]
pub fn trig_preop(mode: FloatMode, value: u64, segment: u32) -> u64 {
    let exponent = Format::F64.exponent(value);
    let shift = (segment & 31) * 53 + exponent.saturating_sub(1077).max(0) as u32;
    let bits = window(shift);
    let scale = -53 - shift as i32 + if exponent >= 1968 { 128 } else { 0 };
    let result = crate::num::from_unsigned(Format::F64, FloatMode::IEEE, bits);
    ldexp(Format::F64, mode, result, scale)
}

/// 53 bits of the number from bit `shift` on, counted from the highest; beyond its 1201 bits there are zeros.
fn window(shift: u32) -> u64 {
    let mut bits = 0;
    for at in shift..shift + 53 {
        bits = bits << 1 | bit(at);
    }
    bits
}

/// One of the 1201 bits; the first has the weight 1/2.
fn bit(at: u32) -> u64 {
    let word = TWO_OVER_PI.get(at as usize / 64).filter(|_| at < 1201);
    word.map_or(0, |word| word >> (63 - at % 64) & 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_add_up_to_two_over_pi() {
        let part = |segment| f64::from_bits(trig_preop(FloatMode::IEEE, 1f64.to_bits(), segment));
        assert_eq!(part(0).to_bits(), 0x3FE4_5F30_6DC9_C882);
        assert!(part(1) > 0.0 && part(1) < part(0) * f64::EPSILON);
        assert_eq!(trig_preop(FloatMode::IEEE, 1f64.to_bits(), 31), 0);
    }
}
