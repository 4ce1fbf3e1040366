//! Output modifiers and conversions that round, under MODE.

use isa_exec::num::Mode;

use crate::machine::run_lines;

/// MODE with all denormals flushed and DX10_CLAMP.
const FLUSHING: u32 = 0x100;
/// MODE.IEEE.
const IEEE: u32 = 1 << 9;

/// Returns v0 after a line that reads v1, in a mode.
fn result(line: &str, mode: u32, operand: u32) -> u32 {
    let wave = run_lines(&[line], |wave| {
        wave.set_mode(Mode(mode));
        wave.set_vgpr(1, 0, operand);
    });
    wave.vgpr(0, 0)
}

#[test]
fn output_modifiers_need_flushed_results_and_no_ieee_mode() {
    let twice = |mode| f32::from_bits(result("v_mul_f32_e64 v0, v1, 1.0 mul:2", mode, 1.5_f32.to_bits()));
    assert_eq!(twice(FLUSHING), 3.0);
    assert_eq!(twice(FLUSHING | IEEE), 1.5);
    // Denormal results of f32 are kept, those of f16 and f64 do not matter.
    assert_eq!(twice(FLUSHING | 2 << 4), 1.5);
    assert_eq!(twice(FLUSHING | 3 << 6), 3.0);
    let half = |mode| result("v_add_f16_e64 v0.l, v1.l, 0 div:2", mode, 0x4400) & 0xFFFF;
    assert_eq!(half(FLUSHING), 0x4000);
    assert_eq!(half(FLUSHING | 3 << 4), 0x4000);
    assert_eq!(half(FLUSHING | 3 << 6), 0x4400);
}

#[test]
fn output_modifiers_lose_denormals_and_signs_of_zeros() {
    let half = |mode, operand| result("v_max_f32_e64 v0, v1, v1 div:2", mode, operand);
    assert_eq!(half(FLUSHING, 1 << 31), 0);
    assert_eq!(half(FLUSHING, 0x0080_0000), 0);
    assert_eq!(half(FLUSHING, 0x8100_0000), 0x8080_0000);
    assert_eq!(half(FLUSHING | IEEE, 1 << 31), 1 << 31);
}

#[test]
fn packed_bytes_are_rounded_to_nearest() {
    let byte = |number: f32| result("v_cvt_pk_u8_f32 v0, v1, 2, 0x11223344", FLUSHING, number.to_bits());
    let at = |byte: u32| 0x1100_3344 | byte << 16;
    let cases = [(0.5, 0), (1.5, 2), (2.5, 2), (2.51, 3), (254.5, 254), (255.4, 255), (1e9, 255), (-0.6, 0), (-7.0, 0)];
    for (number, expected) in cases {
        assert_eq!(byte(number), at(expected), "{number}");
    }
    assert_eq!(byte(f32::NAN), at(0));
    assert_eq!(byte(f32::INFINITY), at(255));
}

/// Returns v0 after a line, in lane 0, with v1, v2 and v3 and 0x55AA_AA55 in v0 before.
fn of_three(line: &str, operands: [u32; 3]) -> u32 {
    let wave = run_lines(&[line], |wave| {
        wave.set_vgpr(0, 0, 0x55AA_AA55);
        for (register, operand) in (1..).zip(operands) {
            wave.set_vgpr(register, 0, operand);
        }
    });
    wave.vgpr(0, 0)
}

/// Dwords whose halves and bytes are corners of their ranges.
const CORNERS: [u32; 8] =
    [0, 0xFFFF_0001, 0x7FFF_8000, 0x8000_7FFF, 0x0001_FFFF, 0xFFFF_FFFF, 0x1234_8765, 0x8080_7F7F];

/// All triples of corners.
fn triples() -> impl Iterator<Item = [u32; 3]> {
    let pairs = CORNERS.into_iter().flat_map(|a| CORNERS.map(|b| (a, b)));
    pairs.flat_map(|(a, b)| CORNERS.map(|c| [a, b, c]))
}

#[test]
fn clamped_integers_saturate_after_the_last_operation() {
    let unsigned = |half: u32| i64::from(half & 0xFFFF);
    let signed = |half: u32| i64::from(half as i16);
    let short = |number: i64| number.clamp(0, 0xFFFF) as u32;
    let signed_short = |number: i64| number.clamp(-0x8000, 0x7FFF) as u32 & 0xFFFF;
    let dword = |number: i64| number.clamp(0, 0xFFFF_FFFF) as u32;
    let signed_dword = |number: i64| number.clamp(-0x8000_0000, 0x7FFF_FFFF) as u32;
    for operands @ [a, b, c] in triples() {
        let pair = |f: &dyn Fn(u32, u32, u32) -> u32| f(a >> 16, b >> 16, c >> 16) << 16 | f(a, b, c);
        let low = |number: u32| 0x55AA_0000 | number;
        let of = |line: &str| of_three(line, operands);
        let sum = pair(&|a, b, _| short(unsigned(a) + unsigned(b)));
        assert_eq!(of("v_pk_add_u16 v0, v1, v2 clamp"), sum, "{operands:x?}");
        let difference = pair(&|a, b, _| short(unsigned(a) - unsigned(b)));
        assert_eq!(of("v_pk_sub_u16 v0, v1, v2 clamp"), difference, "{operands:x?}");
        let difference = pair(&|a, b, _| signed_short(signed(a) - signed(b)));
        assert_eq!(of("v_pk_sub_i16 v0, v1, v2 clamp"), difference, "{operands:x?}");
        let product = pair(&|a, b, c| short(unsigned(a) * unsigned(b) + unsigned(c)));
        assert_eq!(of("v_pk_mad_u16 v0, v1, v2, v3 clamp"), product, "{operands:x?}");
        let product = pair(&|a, b, c| signed_short(signed(a) * signed(b) + signed(c)));
        assert_eq!(of("v_pk_mad_i16 v0, v1, v2, v3 clamp"), product, "{operands:x?}");
        let product = low(signed_short(signed(a) * signed(b) + signed(c)));
        assert_eq!(of("v_mad_i16 v0.l, v1.l, v2.l, v3.l clamp"), product, "{operands:x?}");
        let product = dword(unsigned(a) * unsigned(b) + i64::from(c));
        assert_eq!(of("v_mad_u32_u16 v0, v1.l, v2.l, v3 clamp"), product, "{operands:x?}");
        let product = signed_dword(signed(a) * signed(b) + i64::from(c as i32));
        assert_eq!(of("v_mad_i32_i16 v0, v1.l, v2.l, v3 clamp"), product, "{operands:x?}");
        let product = dword(i64::from(a & 0xFF_FFFF) * i64::from(b & 0xFF_FFFF) + i64::from(c));
        assert_eq!(of("v_mad_u32_u24 v0, v1, v2, v3 clamp"), product, "{operands:x?}");
        let sum = dword(i64::from(a) + i64::from(b));
        assert_eq!(of("v_add_nc_u32 v0, v1, v2 clamp"), sum, "{operands:x?}");
        let difference = signed_dword(i64::from(a as i32) - i64::from(b as i32));
        assert_eq!(of("v_sub_nc_i32 v0, v1, v2 clamp"), difference, "{operands:x?}");
        let bytes = |dword: u32| dword.to_le_bytes().map(|byte| i64::from(byte as i8));
        let products: i64 = bytes(a).into_iter().zip(bytes(b)).map(|(a, b)| a * b).sum();
        let dot = signed_dword(i64::from(c as i32) + products);
        assert_eq!(of("v_dot4_i32_iu8 v0, v1, v2, v3 neg_lo:[1,1,0] clamp"), dot, "{operands:x?}");
        let distance = a.to_le_bytes().into_iter().zip(b.to_le_bytes()).map(|(a, b)| u32::from(a.abs_diff(b)));
        let distance = c.saturating_add(distance.sum());
        assert_eq!(of("v_sad_u8 v0, v1, v2, v3 clamp"), distance, "{operands:x?}");
    }
}

#[test]
fn halves_of_packed_operands_are_chosen_and_negated() {
    let bit = |bits: u32, at: u32| bits >> at & 1;
    let (a, b) = (0x4000_3C00, 0x4400_4200);
    for bits in 0..256 {
        let [op_sel, op_sel_hi, neg_lo, neg_hi] = [0, 2, 4, 6].map(|at| [bit(bits, at), bit(bits, at + 1)]);
        let line = format!(
            "v_pk_add_f16 v0, v1, v2 op_sel:{op_sel:?} op_sel_hi:{op_sel_hi:?} neg_lo:{neg_lo:?} neg_hi:{neg_hi:?}"
        );
        let half = |operand: u32, high: u32| [[1.0, 2.0], [3.0, 4.0]][operand as usize][high as usize];
        let sum = |high: [u32; 2], negated: [u32; 2]| {
            [0, 1]
                .into_iter()
                .fold(0.0f32, |sum, n| sum + half(n as u32, high[n]) * if negated[n] != 0 { -1.0 } else { 1.0 })
        };
        let f16 = |number: f32| -> u32 {
            let magnitudes = [0x0000, 0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600];
            magnitudes[number.abs() as usize] | if number < 0.0 { 0x8000 } else { 0 }
        };
        let expected = f16(sum(op_sel, neg_lo)) | f16(sum(op_sel_hi, neg_hi)) << 16;
        let found = of_three(&line, [a, b, 0]);
        assert_eq!(found, expected, "{line}: {found:#x}, not {expected:#x}");
    }
}

#[test]
fn operands_of_sixteen_bits_have_no_bits_of_the_other_half() {
    let of = |line: &str| of_three(line, [0xFFFF_1234, 0xABCD_0003, 0xFFFF_0010]);
    assert_eq!(of("v_mul_lo_u16 v0.l, v1.l, v2.l"), 0x55AA_369C);
    assert_eq!(of("v_not_b16 v0.l, v1.l"), 0x55AA_EDCB);
    assert_eq!(of("v_cvt_u32_u16 v0, v1.l"), 0x1234);
    assert_eq!(of("v_mad_u32_u16 v0, v1.l, v2.l, v3"), 0xFFFF_369C + 0x10);
    assert_eq!(of("v_lshrrev_b16 v0.l, v2.l, v1.l"), 0x55AA_0246);
    assert_eq!(of("v_min3_u16 v0.l, v1.l, v2.l, v3.l"), 0x55AA_0003);
    assert_eq!(of("v_pack_b32_f16 v0, v1.l, v2.l"), 0x0003_1234);
    assert_eq!(of("v_and_b16 v0.l, v1.l, v3.l"), 0x55AA_0010);
    assert_eq!(of("v_cvt_f16_u16 v0.l, v2.l"), 0x55AA_4200);
    assert_eq!(of("v_max_f16 v0.h, v1.l, v2.l"), 0x1234_AA55);
}
