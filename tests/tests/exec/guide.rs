//! The examples that the guide prints after its instructions (chapter 16): an input and the output, bit for bit.

use std::collections::BTreeSet;

use isa_tests::needs::shared_for;

use crate::machine::run_lines;

/// Unary vector instructions: mnemonic, input, output.
const VECTOR: &[(&str, u32, u32)] = &[
    ("v_exp_f32", 0xff80_0000, 0x0000_0000),
    ("v_exp_f32", 0x8000_0000, 0x3f80_0000),
    ("v_exp_f32", 0x7f80_0000, 0x7f80_0000),
    ("v_log_f32", 0xff80_0000, 0xffc0_0000),
    ("v_log_f32", 0xbf80_0000, 0xffc0_0000),
    ("v_log_f32", 0x8000_0000, 0xff80_0000),
    ("v_log_f32", 0x0000_0000, 0xff80_0000),
    ("v_log_f32", 0x3f80_0000, 0x0000_0000),
    ("v_log_f32", 0x7f80_0000, 0x7f80_0000),
    ("v_rcp_f32", 0xff80_0000, 0x8000_0000),
    ("v_rcp_f32", 0xc000_0000, 0xbf00_0000),
    ("v_rcp_f32", 0x8000_0000, 0xff80_0000),
    ("v_rcp_f32", 0x0000_0000, 0x7f80_0000),
    ("v_rcp_f32", 0x7f80_0000, 0x0000_0000),
    ("v_rsq_f32", 0xff80_0000, 0xffc0_0000),
    ("v_rsq_f32", 0x8000_0000, 0xff80_0000),
    ("v_rsq_f32", 0x0000_0000, 0x7f80_0000),
    ("v_rsq_f32", 0x4080_0000, 0x3f00_0000),
    ("v_rsq_f32", 0x7f80_0000, 0x0000_0000),
    ("v_sqrt_f32", 0xff80_0000, 0xffc0_0000),
    ("v_sqrt_f32", 0x8000_0000, 0x8000_0000),
    ("v_sqrt_f32", 0x0000_0000, 0x0000_0000),
    ("v_sqrt_f32", 0x4080_0000, 0x4000_0000),
    ("v_sqrt_f32", 0x7f80_0000, 0x7f80_0000),
    ("v_sin_f32", 0xff80_0000, 0xffc0_0000),
    ("v_sin_f32", 0xff7f_ffff, 0x0000_0000),
    ("v_sin_f32", 0x8000_0000, 0x8000_0000),
    ("v_sin_f32", 0x3e80_0000, 0x3f80_0000),
    ("v_sin_f32", 0x7f80_0000, 0xffc0_0000),
    ("v_cos_f32", 0xff80_0000, 0xffc0_0000),
    ("v_cos_f32", 0xff7f_ffff, 0x3f80_0000),
    ("v_cos_f32", 0x8000_0000, 0x3f80_0000),
    ("v_cos_f32", 0x3e80_0000, 0x0000_0000),
    ("v_cos_f32", 0x7f80_0000, 0xffc0_0000),
    ("v_exp_f16", 0xfc00, 0x0000),
    ("v_exp_f16", 0x8000, 0x3c00),
    ("v_exp_f16", 0x7c00, 0x7c00),
    ("v_log_f16", 0xfc00, 0xfe00),
    ("v_log_f16", 0xbc00, 0xfe00),
    ("v_log_f16", 0x8000, 0xfc00),
    ("v_log_f16", 0x0000, 0xfc00),
    ("v_log_f16", 0x3c00, 0x0000),
    ("v_log_f16", 0x7c00, 0x7c00),
    ("v_rcp_f16", 0xfc00, 0x8000),
    ("v_rcp_f16", 0xc000, 0xb800),
    ("v_rcp_f16", 0x8000, 0xfc00),
    ("v_rcp_f16", 0x0000, 0x7c00),
    ("v_rcp_f16", 0x7c00, 0x0000),
    ("v_rsq_f16", 0xfc00, 0xfe00),
    ("v_rsq_f16", 0x8000, 0xfc00),
    ("v_rsq_f16", 0x0000, 0x7c00),
    ("v_rsq_f16", 0x4400, 0x3800),
    ("v_rsq_f16", 0x7c00, 0x0000),
    ("v_sqrt_f16", 0xfc00, 0xfe00),
    ("v_sqrt_f16", 0x8000, 0x8000),
    ("v_sqrt_f16", 0x0000, 0x0000),
    ("v_sqrt_f16", 0x4400, 0x4000),
    ("v_sqrt_f16", 0x7c00, 0x7c00),
    ("v_sin_f16", 0xfc00, 0xfe00),
    ("v_sin_f16", 0xfbff, 0x0000),
    ("v_sin_f16", 0x8000, 0x8000),
    ("v_sin_f16", 0x3400, 0x3c00),
    ("v_sin_f16", 0x7bff, 0x0000),
    ("v_sin_f16", 0x7c00, 0xfe00),
    ("v_cos_f16", 0xfc00, 0xfe00),
    ("v_cos_f16", 0xfbff, 0x3c00),
    ("v_cos_f16", 0x8000, 0x3c00),
    ("v_cos_f16", 0x3400, 0x0000),
    ("v_cos_f16", 0x7bff, 0x3c00),
    ("v_cos_f16", 0x7c00, 0xfe00),
    ("v_clz_i32_u32", 0x0000_0000, 0xffff_ffff),
    ("v_clz_i32_u32", 0x8000_00ff, 0),
    ("v_clz_i32_u32", 0x1000_00ff, 3),
    ("v_clz_i32_u32", 0x0000_ffff, 16),
    ("v_clz_i32_u32", 0x0000_0001, 31),
    ("v_ctz_i32_b32", 0x0000_0000, 0xffff_ffff),
    ("v_ctz_i32_b32", 0xff00_0001, 0),
    ("v_ctz_i32_b32", 0xff00_0008, 3),
    ("v_ctz_i32_b32", 0xffff_0000, 16),
    ("v_ctz_i32_b32", 0x8000_0000, 31),
    ("v_cls_i32", 0x0000_0000, 0xffff_ffff),
    ("v_cls_i32", 0x4000_0000, 1),
    ("v_cls_i32", 0x8000_0000, 1),
    ("v_cls_i32", 0x0fff_ffff, 4),
    ("v_cls_i32", 0xffff_0000, 16),
    ("v_cls_i32", 0xffff_fffe, 31),
    ("v_cls_i32", 0xffff_ffff, 0xffff_ffff),
];

/// Unary scalar instructions.
const SCALAR: &[(&str, u32, u32)] = &[
    ("s_abs_i32", 0x0000_0001, 0x0000_0001),
    ("s_abs_i32", 0x7fff_ffff, 0x7fff_ffff),
    ("s_abs_i32", 0x8000_0000, 0x8000_0000),
    ("s_abs_i32", 0x8000_0001, 0x7fff_ffff),
    ("s_abs_i32", 0x8000_0002, 0x7fff_fffe),
    ("s_abs_i32", 0xffff_ffff, 0x0000_0001),
    ("s_bcnt0_i32_b32", 0x0000_0000, 32),
    ("s_bcnt0_i32_b32", 0xcccc_cccc, 16),
    ("s_bcnt0_i32_b32", 0xffff_ffff, 0),
    ("s_bcnt1_i32_b32", 0x0000_0000, 0),
    ("s_bcnt1_i32_b32", 0xcccc_cccc, 16),
    ("s_bcnt1_i32_b32", 0xffff_ffff, 32),
    ("s_cls_i32", 0x0000_0000, 0xffff_ffff),
    ("s_cls_i32", 0x0000_cccc, 16),
    ("s_cls_i32", 0xffff_3333, 16),
    ("s_cls_i32", 0x7fff_ffff, 1),
    ("s_cls_i32", 0x8000_0000, 1),
    ("s_cls_i32", 0xffff_ffff, 0xffff_ffff),
    ("s_clz_i32_u32", 0x0000_0000, 0xffff_ffff),
    ("s_clz_i32_u32", 0x0000_cccc, 16),
    ("s_clz_i32_u32", 0xffff_3333, 0),
    ("s_clz_i32_u32", 0x7fff_ffff, 1),
    ("s_clz_i32_u32", 0x8000_0000, 0),
    ("s_clz_i32_u32", 0xffff_ffff, 0),
    ("s_ctz_i32_b32", 0xaaaa_aaaa, 1),
    ("s_ctz_i32_b32", 0x5555_5555, 0),
    ("s_ctz_i32_b32", 0x0000_0000, 0xffff_ffff),
    ("s_ctz_i32_b32", 0xffff_ffff, 0),
    ("s_ctz_i32_b32", 0x0001_0000, 16),
];

/// S_ABSDIFF_I32: two inputs and the output.
const DIFFERENCES: &[(u32, u32, u32)] = &[
    (0x0000_0002, 0x0000_0005, 0x0000_0003),
    (0xffff_ffff, 0x0000_0000, 0x0000_0001),
    (0x8000_0000, 0x0000_0000, 0x8000_0000),
    (0x8000_0000, 0x0000_0001, 0x7fff_ffff),
    (0x8000_0000, 0xffff_ffff, 0x7fff_ffff),
    (0x8000_0000, 0xffff_fffe, 0x7fff_fffe),
];

/// How many examples the guide prints; an instruction of VOP1 has them again in VOP3.
const EXAMPLES: usize = 122;

/// Returns a number as the guide writes it, as 32 bits.
fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse::<i64>().ok().map(|n| n as u32),
    }
}

/// Returns the examples in the text of chapter 16, `NAME(input, …) ⇒ output`.
fn printed(text: &str) -> BTreeSet<(String, Vec<u32>, u32)> {
    let parts: Vec<&str> = text.split('⇒').collect();
    let example = |pair: &[&str]| {
        let (before, after) = (pair.first()?.trim_end().strip_suffix(')')?, pair.get(1)?.trim_start());
        let (head, inputs) = before.rsplit_once('(')?;
        let name = head.rsplit(char::is_whitespace).next()?.to_lowercase();
        let output = after.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).next()?;
        let inputs: Option<Vec<u32>> = inputs.split(',').map(|input| number(input.trim())).collect();
        Some((name, inputs?, number(output)?))
    };
    parts.windows(2).map(|pair| example(pair).unwrap_or_else(|| panic!("no example: {pair:?}"))).collect()
}

#[test]
fn all_examples_of_the_guide_are_here() {
    let unary = VECTOR.iter().chain(SCALAR).map(|&(name, input, output)| (name.to_string(), vec![input], output));
    let binary = DIFFERENCES.iter().map(|&(a, b, output)| ("s_absdiff_i32".to_string(), vec![a, b], output));
    let here: BTreeSet<(String, Vec<u32>, u32)> = unary.chain(binary).collect();
    assert_eq!(here.len(), EXAMPLES);
    let Some(path) = shared_for("the guide's examples", "spec/rdna3/16-instructions.txt") else { return };
    let text = std::fs::read_to_string(path).expect("the guide's chapter 16");
    let printed = printed(&text);
    assert_eq!(printed.len(), EXAMPLES);
    let missing: Vec<_> = printed.difference(&here).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn vector_examples_are_bit_exact() {
    for &(mnemonic, input, output) in VECTOR {
        let half = mnemonic.ends_with("f16");
        let line = if half { format!("{mnemonic}_e32 v1.l, v0.l") } else { format!("{mnemonic}_e32 v1, v0") };
        let wave = run_lines(&[&line], |wave| {
            (0..32).for_each(|lane| wave.set_vgpr(0, lane, input));
        });
        for lane in [0, 31] {
            assert_eq!(wave.vgpr(1, lane), output, "{mnemonic}({input:#x}): {:#x}", wave.vgpr(1, lane));
        }
    }
}

#[test]
fn scalar_examples_are_bit_exact() {
    for &(mnemonic, input, output) in SCALAR {
        let wave = run_lines(&[&format!("{mnemonic} s1, s0")], |wave| wave.set_sgpr(0, input));
        assert_eq!(wave.sgpr(1), output, "{mnemonic}({input:#x}): {:#x}", wave.sgpr(1));
    }
    for &(a, b, output) in DIFFERENCES {
        let wave = run_lines(&["s_absdiff_i32 s2, s0, s1"], |wave| {
            wave.set_sgpr(0, a);
            wave.set_sgpr(1, b);
        });
        assert_eq!(wave.sgpr(2), output, "absdiff({a:#x}, {b:#x}): {:#x}", wave.sgpr(2));
    }
}

/// The guide's example of V_PERMLANE16_B32: a rotation within each row of 16 lanes.
#[test]
fn permlane16_rotates_rows() {
    let lines = ["v_permlane16_b32 v1, v0, s0, s1"];
    let wave = run_lines(&lines, |wave| {
        wave.set_sgpr(0, 0x8765_4321);
        wave.set_sgpr(1, 0x0fed_cba9);
        (0..32).for_each(|lane| wave.set_vgpr(0, lane, 100 + lane as u32));
    });
    for (lane, from) in [(0, 1), (1, 2), (14, 15), (15, 0), (16, 17), (30, 31), (31, 16)] {
        assert_eq!(wave.vgpr(1, lane), 100 + from, "lane {lane}");
    }
}
