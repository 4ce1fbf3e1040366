//! VOPC: vector comparisons.

use isa::isa;

isa! {
    /// Vector compare, one bit for each lane: V_CMP writes VCC (in VOP3 any scalar registers), V_CMPX the EXEC mask.
    /// Guide §15.3.3.
    format VOPC: 32 {
        ENCODING [31:25] = 0b0111110,
        OP       [24:17] = opcode,
        VSRC1    [16:9]: s1: Vsrc1,
        SRC0     [8:0]:  s0: Src,
        implied out d: Vcc,
    }
    // `cmpx`: writes EXEC.
    words float_text, noclamp, signs1, cmpx;
    suffix "_e32";
    tail DPP16 when SRC0 == 250 if !(s0 is 64) suffix "";
    tail DPP8 when SRC0 == 233 | SRC0 == 234 if !(s0 is 64) suffix "";
    tail LITERAL when SRC0 == 255;
    rides VOP3 at 0;
    text "{d}, {s0}, {s1}";

    for rel in [0 F, 1 LT, 2 EQ, 3 LE, 4 GT, 5 LG, 6 GE, 7 O, 8 U, 9 NGE, 10 NLG, 11 NGT, 12 NLE, 13 NEQ, 14 NLT] {
        0x00 + rel => V_CMP_{rel}_F16  (d: mask, s0: f16, s1: f16);
        0x10 + rel => V_CMP_{rel}_F32  (d: mask, s0: f32, s1: f32);
        0x20 + rel => V_CMP_{rel}_F64  (d: mask, s0: f64, s1: f64);
        0x80 + rel => V_CMPX_{rel}_F16 (s0: f16, s1: f16) cmpx;
        0x90 + rel => V_CMPX_{rel}_F32 (s0: f32, s1: f32) cmpx;
        0xA0 + rel => V_CMPX_{rel}_F64 (s0: f64, s1: f64) cmpx;
    }
    for rel in [1 LT, 2 EQ, 3 LE, 4 GT, 5 NE, 6 GE] {
        0x30 + rel => V_CMP_{rel}_I16  (d: mask, s0: i16, s1: i16);
        0x38 + rel => V_CMP_{rel}_U16  (d: mask, s0: u16, s1: u16);
        0xB0 + rel => V_CMPX_{rel}_I16 (s0: i16, s1: i16) cmpx;
        0xB8 + rel => V_CMPX_{rel}_U16 (s0: u16, s1: u16) cmpx;
    }
    for rel in [0 F, 1 LT, 2 EQ, 3 LE, 4 GT, 5 NE, 6 GE] {
        0x40 + rel => V_CMP_{rel}_I32  (d: mask, s0: i32, s1: i32);
        0x48 + rel => V_CMP_{rel}_U32  (d: mask, s0: u32, s1: u32);
        0x50 + rel => V_CMP_{rel}_I64  (d: mask, s0: i64, s1: i64);
        0x58 + rel => V_CMP_{rel}_U64  (d: mask, s0: u64, s1: u64);
        0xC0 + rel => V_CMPX_{rel}_I32 (s0: i32, s1: i32) cmpx;
        0xC8 + rel => V_CMPX_{rel}_U32 (s0: u32, s1: u32) cmpx;
        0xD0 + rel => V_CMPX_{rel}_I64 (s0: i64, s1: i64) cmpx;
        0xD8 + rel => V_CMPX_{rel}_U64 (s0: u64, s1: u64) cmpx;
    }
    0x0F => V_CMP_T_F16  (d: mask, s0: f16, s1: f16) also "v_cmp_tru_f16";
    0x1F => V_CMP_T_F32  (d: mask, s0: f32, s1: f32) also "v_cmp_tru_f32";
    0x2F => V_CMP_T_F64  (d: mask, s0: f64, s1: f64) also "v_cmp_tru_f64";
    0x47 => V_CMP_T_I32  (d: mask, s0: i32, s1: i32) also "v_cmp_tru_i32";
    0x4F => V_CMP_T_U32  (d: mask, s0: u32, s1: u32) also "v_cmp_tru_u32";
    0x57 => V_CMP_T_I64  (d: mask, s0: i64, s1: i64) also "v_cmp_tru_i64";
    0x5F => V_CMP_T_U64  (d: mask, s0: u64, s1: u64) also "v_cmp_tru_u64";
    0x8F => V_CMPX_T_F16 (s0: f16, s1: f16) cmpx, also "v_cmpx_tru_f16";
    0x9F => V_CMPX_T_F32 (s0: f32, s1: f32) cmpx, also "v_cmpx_tru_f32";
    0xAF => V_CMPX_T_F64 (s0: f64, s1: f64) cmpx, also "v_cmpx_tru_f64";
    0xC7 => V_CMPX_T_I32 (s0: i32, s1: i32) cmpx, also "v_cmpx_tru_i32";
    0xCF => V_CMPX_T_U32 (s0: u32, s1: u32) cmpx, also "v_cmpx_tru_u32";
    0xD7 => V_CMPX_T_I64 (s0: i64, s1: i64) cmpx, also "v_cmpx_tru_i64";
    0xDF => V_CMPX_T_U64 (s0: u64, s1: u64) cmpx, also "v_cmpx_tru_u64";
    125 => V_CMP_CLASS_F16  (d: mask, s0: f16, s1: b16) noclamp, float_text, signs1;
    126 => V_CMP_CLASS_F32  (d: mask, s0: f32, s1: b32) noclamp;
    127 => V_CMP_CLASS_F64  (d: mask, s0: f64, s1: b32) noclamp;
    253 => V_CMPX_CLASS_F16 (s0: f16, s1: b16) cmpx, noclamp, float_text, signs1;
    254 => V_CMPX_CLASS_F32 (s0: f32, s1: b32) cmpx, noclamp;
    255 => V_CMPX_CLASS_F64 (s0: f64, s1: b32) cmpx, noclamp;
}
