//! VOP2: vector instructions with two sources.

use isa::isa;

isa! {
    /// Vector ALU, two sources and one destination. Guide §15.3.1.
    ///
    /// Carry-in, carry-out and the selecting mask of V_CNDMASK_B32 are VCC here; VOP3 and VOP3SD name them.
    format VOP2: 32 {
        ENCODING [31]    = 0b0,
        OP       [30:25] = opcode,
        VDST     [24:17]: out d: Vgpr,
        VSRC1    [16:9]:  s1: Vsrc1,
        SRC0     [8:0]:   s0: Src,
        implied out sd: Vcc,
        implied s2: Vcc,
    }
    words clamp, float_text, nodpp, signs, splat;
    suffix "_e32";
    tail DPP16 when SRC0 == 250 if !nodpp suffix "_dpp";
    tail DPP8 when SRC0 == 233 | SRC0 == 234 if !nodpp suffix "_dpp";
    tail LITERAL when SRC0 == 255;
    rides VOP3 at 0x100 if !sd;
    rides VOP3SD at 0x100 if sd;
    text "{d}, {sd}, {s0}, {s1}, {s2}";

    1  => V_CNDMASK_B32        (d: b32, s0: b32, s1: b32, s2: mask) signs;
    2  => V_DOT2ACC_F32_F16    (d: inout f32, s0: f16x2, s1: f16x2) no VOP3, also "v_dot2c_f32_f16";
    3  => V_ADD_F32            (d: f32, s0: f32, s1: f32);
    4  => V_SUB_F32            (d: f32, s0: f32, s1: f32);
    5  => V_SUBREV_F32         (d: f32, s0: f32, s1: f32);
    6  => V_FMAC_DX9_ZERO_F32  (d: inout f32, s0: f32, s1: f32) nodpp, also "v_fmac_legacy_f32";
    7  => V_MUL_DX9_ZERO_F32   (d: f32, s0: f32, s1: f32) also "v_mul_legacy_f32";
    8  => V_MUL_F32            (d: f32, s0: f32, s1: f32);
    9  => V_MUL_I32_I24        (d: i32, s0: i24, s1: i24) clamp;
    10 => V_MUL_HI_I32_I24     (d: i32, s0: i24, s1: i24);
    11 => V_MUL_U32_U24        (d: u32, s0: u24, s1: u24) clamp;
    12 => V_MUL_HI_U32_U24     (d: u32, s0: u24, s1: u24);
    15 => V_MIN_F32            (d: f32, s0: f32, s1: f32);
    16 => V_MAX_F32            (d: f32, s0: f32, s1: f32);
    17 => V_MIN_I32            (d: i32, s0: i32, s1: i32);
    18 => V_MAX_I32            (d: i32, s0: i32, s1: i32);
    19 => V_MIN_U32            (d: u32, s0: u32, s1: u32);
    20 => V_MAX_U32            (d: u32, s0: u32, s1: u32);
    24 => V_LSHLREV_B32        (d: b32, s0: u32, s1: b32);
    25 => V_LSHRREV_B32        (d: b32, s0: u32, s1: b32);
    26 => V_ASHRREV_I32        (d: i32, s0: u32, s1: i32);
    27 => V_AND_B32            (d: b32, s0: b32, s1: b32);
    28 => V_OR_B32             (d: b32, s0: b32, s1: b32);
    29 => V_XOR_B32            (d: b32, s0: b32, s1: b32);
    30 => V_XNOR_B32           (d: b32, s0: b32, s1: b32);
    32 => V_ADD_CO_CI_U32      (d: u32, sd: mask, s0: u32, s1: u32, s2: mask) clamp;
    33 => V_SUB_CO_CI_U32      (d: u32, sd: mask, s0: u32, s1: u32, s2: mask) clamp;
    34 => V_SUBREV_CO_CI_U32   (d: u32, sd: mask, s0: u32, s1: u32, s2: mask) clamp;
    37 => V_ADD_NC_U32         (d: u32, s0: u32, s1: u32) clamp, also "v_add_u32";
    38 => V_SUB_NC_U32         (d: u32, s0: u32, s1: u32) clamp, also "v_sub_u32";
    39 => V_SUBREV_NC_U32      (d: u32, s0: u32, s1: u32) clamp, also "v_subrev_u32";
    43 => V_FMAC_F32           (d: inout f32, s0: f32, s1: f32);
    44 => V_FMAMK_F32          (d: f32, s0: f32, k: f32, s1: f32) nodpp, no VOP3, always LITERAL, text "{d}, {s0}, {k}, {s1}";
    45 => V_FMAAK_F32          (d: f32, s0: f32, s1: f32, k: f32) nodpp, no VOP3, always LITERAL, text "{d}, {s0}, {s1}, {k}";
    47 => V_CVT_PK_RTZ_F16_F32 (d: f16x2, s0: f32, s1: f32) also "v_cvt_pkrtz_f16_f32";
    50 => V_ADD_F16            (d: f16, s0: f16, s1: f16);
    51 => V_SUB_F16            (d: f16, s0: f16, s1: f16);
    52 => V_SUBREV_F16         (d: f16, s0: f16, s1: f16);
    53 => V_MUL_F16            (d: f16, s0: f16, s1: f16);
    54 => V_FMAC_F16           (d: inout f16, s0: f16, s1: f16);
    55 => V_FMAMK_F16          (d: f16, s0: f16, k: f16, s1: f16) nodpp, no VOP3, always LITERAL, text "{d}, {s0}, {k}, {s1}";
    56 => V_FMAAK_F16          (d: f16, s0: f16, s1: f16, k: f16) nodpp, no VOP3, always LITERAL, text "{d}, {s0}, {s1}, {k}";
    57 => V_MAX_F16            (d: f16, s0: f16, s1: f16);
    58 => V_MIN_F16            (d: f16, s0: f16, s1: f16);
    59 => V_LDEXP_F16          (d: f16, s0: f16, s1: i16) float_text;
    60 => V_PK_FMAC_F16        (d: inout f16x2, s0: f16x2, s1: f16x2) nodpp, splat, no VOP3;
}
