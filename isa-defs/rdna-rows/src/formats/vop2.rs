//! VOP2: vector instructions with two sources.

use isa::isa;

isa! {
    /// Vector ALU, two sources and one destination. Guide §15.3.1.
    ///
    /// Carry-in, carry-out and the selecting mask of V_CNDMASK_B32 are VCC here; VOP3 and VOP3SD name them.
    format VOP2: 32 of (rdna3, rdna3_5), rdna4 {
        ENCODING [31]    = 0b0,
        OP       [30:25] = opcode,
        VDST     [24:17]: out d: Vgpr,
        VSRC1    [16:9]:  s1: Vsrc1,
        SRC0     [8:0]:   s0: Src,
        implied out sd: Vcc,
        implied s2: Vcc,
    }
    // `repeats`: the value of an inline constant is in both halves. `dot`: a dot product of halves, for which that is true
    // as well.
    // `unclamped`: CLMP does not change the result.
    // `favors_numbers`: a NaN loses against a number even if it signals, so that sources are quiet first.
    flags clamp, one_scalar, signs, repeats, unclamped, favors_numbers, dot if s0 is packed & s0 is float & !(d is packed);
    quirks float_text;
    suffix "_e32";
    dword DPP16 when SRC0 == 250 if !(d is 64) suffix "_dpp";
    dword DPP8 when SRC0 == 233 | SRC0 == 234 if !(d is 64) suffix "_dpp";
    dword LITERAL when SRC0 == 255;
    promotes to VOP3 at 0x100 if !sd;
    promotes to VOP3SD at 0x100 if sd;
    text "{d}, {sd}, {s0}, {s1}, {s2}";
    run lanes;
    source s0 if favors_numbers = max(s0, s0);
    source s1 if favors_numbers = max(s1, s1);
    source s0 if repeats | dot = if s0 is inline { join(s0[0], s0[0]) } else { s0 };
    inactive sd = false;

    1  => V_CNDMASK_B32        (d: b32, s0: b32, s1: b32, s2: mask) signs { d = if s2 { s1 } else { s0 }; }
    2 -  => V_DOT2ACC_F32_F16    (d: inout f32, s0: f16x2, s1: f16x2) no VOP3, also "v_dot2c_f32_f16" { d = dot2(s0, s1, d); }
    3  => V_ADD_F32            (d: f32, s0: f32, s1: f32) { d = s0 + s1; }
    4  => V_SUB_F32            (d: f32, s0: f32, s1: f32) { d = s0 - s1; }
    5  => V_SUBREV_F32         (d: f32, s0: f32, s1: f32) { d = s1 - s0; }
    6 -  => V_FMAC_DX9_ZERO_F32  (d: inout f32, s0: f32, s1: f32) no DPP16, no DPP8, no DPP16_VOP3, also "v_fmac_legacy_f32" { d = if s0 == 0.0 || s1 == 0.0 { d } else { fma(s0, s1, d) }; }
    7  => V_MUL_DX9_ZERO_F32   (d: f32, s0: f32, s1: f32) also "v_mul_legacy_f32" { d = if s0 == 0.0 || s1 == 0.0 { 0.0 } else { s0 * s1 }; }
    8  => V_MUL_F32            (d: f32, s0: f32, s1: f32) { d = s0 * s1; }
    9  => V_MUL_I32_I24        (d: i32, s0: i24, s1: i24) clamp { d = s0 as i32 * s1 as i32; }
    10 => V_MUL_HI_I32_I24     (d: i32, s0: i24, s1: i24) { d = (s0 as i64 * s1 as i64 >> 32) as i32; }
    11 => V_MUL_U32_U24        (d: u32, s0: u24, s1: u24) clamp { d = s0 as u32 * s1 as u32; }
    12 => V_MUL_HI_U32_U24     (d: u32, s0: u24, s1: u24) { d = (s0 as u64 * s1 as u64 >> 32) as u32; }
    15 21 => V_MIN_F32            (d: f32, s0: f32, s1: f32) named V_MIN_NUM_F32 in rdna4, favors_numbers in rdna4 { d = min(s0, s1); }
    16 22 => V_MAX_F32            (d: f32, s0: f32, s1: f32) named V_MAX_NUM_F32 in rdna4, favors_numbers in rdna4 { d = max(s0, s1); }
    17 => V_MIN_I32            (d: i32, s0: i32, s1: i32) { d = min(s0, s1); }
    18 => V_MAX_I32            (d: i32, s0: i32, s1: i32) { d = max(s0, s1); }
    19 => V_MIN_U32            (d: u32, s0: u32, s1: u32) { d = min(s0, s1); }
    20 => V_MAX_U32            (d: u32, s0: u32, s1: u32) { d = max(s0, s1); }
    24 => V_LSHLREV_B32        (d: b32, s0: u32, s1: b32) { d = s1 << s0[4:0]; }
    25 => V_LSHRREV_B32        (d: b32, s0: u32, s1: b32) { d = s1 >> s0[4:0]; }
    26 => V_ASHRREV_I32        (d: i32, s0: u32, s1: i32) { d = s1 >> s0[4:0]; }
    27 => V_AND_B32            (d: b32, s0: b32, s1: b32) { d = s0 & s1; }
    28 => V_OR_B32             (d: b32, s0: b32, s1: b32) { d = s0 | s1; }
    29 => V_XOR_B32            (d: b32, s0: b32, s1: b32) { d = s0 ^ s1; }
    30 => V_XNOR_B32           (d: b32, s0: b32, s1: b32) { d = !(s0 ^ s1); }
    32 => V_ADD_CO_CI_U32      (d: u32, sd: mask, s0: u32, s1: u32, s2: mask) clamp { d, sd = s0 + s1 + s2 as u32, carry(s0, s1, s2); }
    33 => V_SUB_CO_CI_U32      (d: u32, sd: mask, s0: u32, s1: u32, s2: mask) clamp { d, sd = s0 - s1 - s2 as u32, borrow(s0, s1, s2); }
    34 => V_SUBREV_CO_CI_U32   (d: u32, sd: mask, s0: u32, s1: u32, s2: mask) clamp, disputed "the guide borrows for the reverse difference" { d, sd = s1 - s0 - s2 as u32, borrow(s1, s0, s2); }
    37 => V_ADD_NC_U32         (d: u32, s0: u32, s1: u32) clamp, also "v_add_u32" { d = s0 + s1; }
    38 => V_SUB_NC_U32         (d: u32, s0: u32, s1: u32) clamp, also "v_sub_u32" { d = s0 - s1; }
    39 => V_SUBREV_NC_U32      (d: u32, s0: u32, s1: u32) clamp, also "v_subrev_u32" { d = s1 - s0; }
    43 => V_FMAC_F32           (d: inout f32, s0: f32, s1: f32) { d = fma(s0, s1, d); }
    44 => V_FMAMK_F32          (d: f32, s0: f32, k: f32, s1: f32) no VOP3, always LITERAL, text "{d}, {s0}, {k}, {s1}" { d = fma(s0, k, s1); }
    45 => V_FMAAK_F32          (d: f32, s0: f32, s1: f32, k: f32) no VOP3, always LITERAL, text "{d}, {s0}, {s1}, {k}" { d = fma(s0, s1, k); }
    47 => V_CVT_PK_RTZ_F16_F32 (d: f16x2, s0: f32, s1: f32) also "v_cvt_pkrtz_f16_f32", unclamped, disputed "the guide does not say that CLMP has no effect" { d = join(rtz_f16(s0), rtz_f16(s1)); }
    50 => V_ADD_F16            (d: f16, s0: f16, s1: f16) { d = s0 + s1; }
    51 => V_SUB_F16            (d: f16, s0: f16, s1: f16) { d = s0 - s1; }
    52 => V_SUBREV_F16         (d: f16, s0: f16, s1: f16) { d = s1 - s0; }
    53 => V_MUL_F16            (d: f16, s0: f16, s1: f16) { d = s0 * s1; }
    54 => V_FMAC_F16           (d: inout f16, s0: f16, s1: f16) { d = fma(s0, s1, d); }
    55 => V_FMAMK_F16          (d: f16, s0: f16, k: f16, s1: f16) no VOP3, always LITERAL, text "{d}, {s0}, {k}, {s1}" { d = fma(s0, k, s1); }
    56 => V_FMAAK_F16          (d: f16, s0: f16, s1: f16, k: f16) no VOP3, always LITERAL, text "{d}, {s0}, {s1}, {k}" { d = fma(s0, s1, k); }
    57 49 => V_MAX_F16            (d: f16, s0: f16, s1: f16) named V_MAX_NUM_F16 in rdna4, favors_numbers in rdna4 { d = max(s0, s1); }
    58 48 => V_MIN_F16            (d: f16, s0: f16, s1: f16) named V_MIN_NUM_F16 in rdna4, favors_numbers in rdna4 { d = min(s0, s1); }
    59 => V_LDEXP_F16          (d: f16, s0: f16, s1: i16) float_text, disputed "the guide's power of two overflows" { d = ldexp(s0, s1); }
    60 => V_PK_FMAC_F16        (d: inout f16x2, s0: f16x2, s1: f16x2) no DPP16, no DPP8, repeats, no VOP3 { d = fma(s0, s1, d); }
    2  => V_ADD_F64            (d: f64, s0: f64, s1: f64) in rdna4 { d = s0 + s1; }
    6  => V_MUL_F64            (d: f64, s0: f64, s1: f64) in rdna4 { d = s0 * s1; }
    13 => V_MIN_NUM_F64        (d: f64, s0: f64, s1: f64) in rdna4, favors_numbers, also "v_min_f64" { d = min(s0, s1); }
    14 => V_MAX_NUM_F64        (d: f64, s0: f64, s1: f64) in rdna4, favors_numbers, also "v_max_f64" { d = max(s0, s1); }
    31 => V_LSHLREV_B64        (d: b64, s0: u32, s1: b64) in rdna4, one_scalar { d = s1 << s0[5:0]; }
}
