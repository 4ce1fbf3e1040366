//! The golden vectors of constants: LLVM's words for the same constants in operands of each type, or that it refuses them.

use std::collections::BTreeSet;

use anyhow::{Context, Result};

use crate::assembler::assemble;
use crate::machine::named;

/// Lines for gfx1100. Each constant replaces `{}`.
const RDNA3: [&str; 56] = [
    "v_add_f16_e32 v0.l, {}, v1.l",
    "v_add_f32_e32 v0, {}, v1",
    "v_add_f64 v[0:1], {}, v[2:3]",
    "v_add_nc_u16 v0.l, {}, v1.l",
    "v_add_nc_u32_e32 v0, {}, v1",
    "v_alignbit_b32 v0, v1, v2, {}",
    "v_ashrrev_i64 v[0:1], v2, {}",
    "v_cmp_class_f16_e64 s0, v1.l, {}",
    "v_cmp_class_f32_e64 s0, v1, {}",
    "v_cmp_eq_f16_e32 vcc_lo, {}, v1.l",
    "v_cmp_eq_u16_e32 vcc_lo, {}, v1.l",
    "v_cmp_lt_u64_e64 s0, v[0:1], {}",
    "v_cndmask_b16 v0.l, v1.l, {}, vcc_lo",
    "v_cvt_f32_f16_e32 v0, {}",
    "v_cvt_pk_u8_f32 v0, {}, v1, v2",
    "v_cvt_pk_u8_f32 v0, v1, {}, v2",
    "v_div_scale_f32 v0, null, {}, v1, v2",
    "v_dot2_bf16_bf16 v0.l, v1, v2, {}",
    "v_dot2_bf16_bf16 v0.l, v1, {}, v2.l",
    "v_dot2_f16_f16 v0.l, v1, v2, {}",
    "v_dot2_f16_f16 v0.l, {}, v1, v2.l",
    "v_dot2_f32_bf16 v0, v1, {}, v2",
    "v_dot2_f32_f16 v0, v1, {}, v2",
    "v_dot2_f32_f16 v0, v1, v2, {}",
    "v_dot2acc_f32_f16 v0, {}, v1",
    "v_dot4_i32_iu8 v0, v1, {}, v2",
    "v_dot8_u32_u4 v0, v1, {}, v2",
    "v_dual_dot2acc_f32_bf16 v0, {}, v1 :: v_dual_mov_b32 v3, v2",
    "v_dual_dot2acc_f32_f16 v0, {}, v1 :: v_dual_mov_b32 v3, v2",
    "v_fma_f16 v0.l, v1.l, v2.l, {}",
    "v_fma_mix_f32 v0, v1, v2, {} op_sel_hi:[0,0,1]",
    "v_fma_mix_f32 v0, v1, {}, v2",
    "v_fma_mix_f32 v0, v1, {}, v2 op_sel_hi:[1,1,0]",
    "v_fma_mixlo_f16 v0, {}, v1, v2 op_sel_hi:[1,0,0]",
    "v_fmaak_f16 v0.l, v1.l, v2.l, {}",
    "v_fmaak_f32 v0, v1, v2, {}",
    "v_ldexp_f16_e64 v0.l, v1.l, {}",
    "v_ldexp_f32 v0, v1, {}",
    "v_ldexp_f64 v[0:1], v[2:3], {}",
    "v_lshlrev_b64 v[0:1], {}, v[2:3]",
    "v_mad_i32_i16 v0, v1.l, v2.l, {}",
    "v_mad_i32_i16 v0, {}, v1.l, v2",
    "v_mad_u64_u32 v[0:1], null, v2, v3, {}",
    "v_pack_b32_f16 v0, {}, v1.l",
    "v_permlane16_b32 v0, v1, {}, s1",
    "v_pk_add_f16 v0, v1, {}",
    "v_pk_add_u16 v0, v1, {}",
    "v_pk_fma_f16 v0, v1, v2, {}",
    "v_pk_fmac_f16 v0, {}, v1",
    "v_readlane_b32 s0, v1, {}",
    "v_sad_u16 v0, {}, v1, v2",
    "v_wmma_f16_16x16x16_f16 v[0:7], v[8:15], v[16:23], {}",
    "v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[12:15], {}",
    "s_add_u32 s0, {}, s1",
    "s_ashr_i64 s[0:1], {}, s2",
    "s_lshl_b64 s[0:1], s[2:3], {}",
];

/// Lines for gfx1150.
const RDNA3_5: [&str; 9] = [
    "s_add_f16 s0, {}, s1",
    "s_add_f32 s0, {}, s1",
    "s_ceil_f16 s0, {}",
    "s_cmp_lt_f16 s0, {}",
    "s_cmp_lt_f32 s0, {}",
    "s_cvt_f32_f16 s0, {}",
    "s_cvt_hi_f32_f16 s0, {}",
    "s_cvt_pk_rtz_f16_f32 s0, {}, s1",
    "s_fmac_f16 s0, {}, s1",
];

/// Constants at the ends of the inline integers, floats, and the bits of floats in each format.
const CONSTANTS: [&str; 24] = [
    "0",
    "1",
    "64",
    "65",
    "-1",
    "-16",
    "-17",
    "0.5",
    "1.0",
    "-4.0",
    "1.5",
    "0.15915494",
    "0x3118",
    "0x3e22",
    "0x3c00",
    "0x3f80",
    "0xfff0",
    "0xffff",
    "0x3c003c00",
    "0x3f803f80",
    "0x3e22f983",
    "0x3f800000",
    "0xffffffff",
    "0x3ff0000000000000",
];

/// Returns the lines of the file: the machine, the text, and the bytes as hex digits or `-`.
pub fn generate() -> Result<BTreeSet<String>> {
    let mut lines = BTreeSet::new();
    for (name, templates) in [("wave32", &RDNA3[..]), ("rdna3.5-wave32", &RDNA3_5[..])] {
        let texts: Vec<String> =
            templates.iter().flat_map(|line| CONSTANTS.map(|constant| line.replace("{}", constant))).collect();
        let machine = named(name).with_context(|| format!("no machine is named {name}"))?;
        let all = assemble(texts.iter().map(String::as_str), machine)?;
        lines.extend(
            texts.iter().zip(all).map(|(text, hex)| format!("{name}\t{text}\t{}", hex.as_deref().unwrap_or("-"))),
        );
    }
    Ok(lines)
}
