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
