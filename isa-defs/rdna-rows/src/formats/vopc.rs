//! VOPC: vector comparisons.

use isa::isa;

isa! {
    /// Vector compare, one bit for each lane: V_CMP writes VCC (in VOP3 any scalar registers), V_CMPX the EXEC mask.
    /// Guide §15.3.3.
    format VOPC: 32 of (rdna3, rdna3_5), rdna4 {
        ENCODING [31:25] = 0b0111110,
        OP       [24:17] = opcode,
        VSRC1    [16:9]: s1: Vsrc1,
        SRC0     [8:0]:  s0: Src,
        implied out d: Vcc,
    }
    flags signs1;
    quirks float_text;
    suffix "_e32";
    dword DPP16 when SRC0 == 250 if !(s0 is 64) suffix "";
    dword DPP8 when SRC0 == 233 | SRC0 == 234 if !(s0 is 64) suffix "";
    dword LITERAL when SRC0 == 255;
    promotes to VOP3 at 0;
    text "{d}, {s0}, {s1}";
    run lanes;
    inactive d = false;

    for rel in [1 LT { s0 < s1 }, 2 EQ { s0 == s1 }, 3 LE { s0 <= s1 }, 4 GT { s0 > s1 }, 5 LG { s0 < s1 || s0 > s1 }, 6 GE { s0 >= s1 },
        7 O { s0 == s0 && s1 == s1 }, 8 U { s0 != s0 || s1 != s1 }, 9 NGE { !(s0 >= s1) }, 10 NLG { !(s0 < s1 || s0 > s1) },
        11 NGT { !(s0 > s1) }, 12 NLE { !(s0 <= s1) }, 13 NEQ { s0 != s1 }, 14 NLT { !(s0 < s1) }] {
        0x00 + rel => V_CMP_{rel}_F16  (d: mask, s0: f16, s1: f16) { d = rel; }
        0x10 + rel => V_CMP_{rel}_F32  (d: mask, s0: f32, s1: f32) { d = rel; }
        0x20 + rel => V_CMP_{rel}_F64  (d: mask, s0: f64, s1: f64) { d = rel; }
        0x80 + rel => V_CMPX_{rel}_F16 (s0: f16, s1: f16) { exec = rel; }
        0x90 + rel => V_CMPX_{rel}_F32 (s0: f32, s1: f32) { exec = rel; }
        0xA0 + rel => V_CMPX_{rel}_F64 (s0: f64, s1: f64) { exec = rel; }
    }
    for rel in [1 LT { s0 < s1 }, 2 EQ { s0 == s1 }, 3 LE { s0 <= s1 }, 4 GT { s0 > s1 }, 5 NE { s0 != s1 }, 6 GE { s0 >= s1 }] {
        0x30 + rel => V_CMP_{rel}_I16  (d: mask, s0: i16, s1: i16) { d = rel; }
        0x38 + rel => V_CMP_{rel}_U16  (d: mask, s0: u16, s1: u16) { d = rel; }
        0xB0 + rel => V_CMPX_{rel}_I16 (s0: i16, s1: i16) { exec = rel; }
        0xB8 + rel => V_CMPX_{rel}_U16 (s0: u16, s1: u16) { exec = rel; }
    }
    for rel in [1 LT { s0 < s1 }, 2 EQ { s0 == s1 }, 3 LE { s0 <= s1 }, 4 GT { s0 > s1 }, 5 NE { s0 != s1 }, 6 GE { s0 >= s1 }] {
        0x40 + rel => V_CMP_{rel}_I32  (d: mask, s0: i32, s1: i32) { d = rel; }
        0x48 + rel => V_CMP_{rel}_U32  (d: mask, s0: u32, s1: u32) { d = rel; }
        0x50 + rel => V_CMP_{rel}_I64  (d: mask, s0: i64, s1: i64) { d = rel; }
        0x58 + rel => V_CMP_{rel}_U64  (d: mask, s0: u64, s1: u64) { d = rel; }
        0xC0 + rel => V_CMPX_{rel}_I32 (s0: i32, s1: i32) { exec = rel; }
        0xC8 + rel => V_CMPX_{rel}_U32 (s0: u32, s1: u32) { exec = rel; }
        0xD0 + rel => V_CMPX_{rel}_I64 (s0: i64, s1: i64) { exec = rel; }
        0xD8 + rel => V_CMPX_{rel}_U64 (s0: u64, s1: u64) { exec = rel; }
    }
    0x00 - => V_CMP_F_F16  (d: mask, s0: f16, s1: f16) { d = false; }
    0x10 - => V_CMP_F_F32  (d: mask, s0: f32, s1: f32) { d = false; }
    0x20 - => V_CMP_F_F64  (d: mask, s0: f64, s1: f64) { d = false; }
    0x40 - => V_CMP_F_I32  (d: mask, s0: i32, s1: i32) { d = false; }
    0x48 - => V_CMP_F_U32  (d: mask, s0: u32, s1: u32) { d = false; }
    0x50 - => V_CMP_F_I64  (d: mask, s0: i64, s1: i64) { d = false; }
    0x58 - => V_CMP_F_U64  (d: mask, s0: u64, s1: u64) { d = false; }
    0x80 - => V_CMPX_F_F16 (s0: f16, s1: f16) { exec = false; }
    0x90 - => V_CMPX_F_F32 (s0: f32, s1: f32) { exec = false; }
    0xA0 - => V_CMPX_F_F64 (s0: f64, s1: f64) { exec = false; }
    0xC0 - => V_CMPX_F_I32 (s0: i32, s1: i32) { exec = false; }
    0xC8 - => V_CMPX_F_U32 (s0: u32, s1: u32) { exec = false; }
    0xD0 - => V_CMPX_F_I64 (s0: i64, s1: i64) { exec = false; }
    0xD8 - => V_CMPX_F_U64 (s0: u64, s1: u64) { exec = false; }
    0x0F - => V_CMP_T_F16  (d: mask, s0: f16, s1: f16) also "v_cmp_tru_f16" { d = true; }
    0x1F - => V_CMP_T_F32  (d: mask, s0: f32, s1: f32) also "v_cmp_tru_f32" { d = true; }
    0x2F - => V_CMP_T_F64  (d: mask, s0: f64, s1: f64) also "v_cmp_tru_f64" { d = true; }
    0x47 - => V_CMP_T_I32  (d: mask, s0: i32, s1: i32) also "v_cmp_tru_i32" { d = true; }
    0x4F - => V_CMP_T_U32  (d: mask, s0: u32, s1: u32) also "v_cmp_tru_u32" { d = true; }
    0x57 - => V_CMP_T_I64  (d: mask, s0: i64, s1: i64) also "v_cmp_tru_i64" { d = true; }
    0x5F - => V_CMP_T_U64  (d: mask, s0: u64, s1: u64) also "v_cmp_tru_u64" { d = true; }
    0x8F - => V_CMPX_T_F16 (s0: f16, s1: f16) also "v_cmpx_tru_f16" { exec = true; }
    0x9F - => V_CMPX_T_F32 (s0: f32, s1: f32) also "v_cmpx_tru_f32" { exec = true; }
    0xAF - => V_CMPX_T_F64 (s0: f64, s1: f64) also "v_cmpx_tru_f64" { exec = true; }
    0xC7 - => V_CMPX_T_I32 (s0: i32, s1: i32) also "v_cmpx_tru_i32" { exec = true; }
    0xCF - => V_CMPX_T_U32 (s0: u32, s1: u32) also "v_cmpx_tru_u32" { exec = true; }
    0xD7 - => V_CMPX_T_I64 (s0: i64, s1: i64) also "v_cmpx_tru_i64" { exec = true; }
    0xDF - => V_CMPX_T_U64 (s0: u64, s1: u64) also "v_cmpx_tru_u64" { exec = true; }
    125 => V_CMP_CLASS_F16  (d: mask, s0: f16, s1: b16) float_text, signs1 { d = class(s0, s1); }
    126 => V_CMP_CLASS_F32  (d: mask, s0: f32, s1: b32) { d = class(s0, s1); }
    127 => V_CMP_CLASS_F64  (d: mask, s0: f64, s1: b32) disputed "the guide takes the exponent 1023 for infinity" { d = class(s0, s1); }
    253 => V_CMPX_CLASS_F16 (s0: f16, s1: b16) float_text, signs1 { exec = class(s0, s1); }
    254 => V_CMPX_CLASS_F32 (s0: f32, s1: b32) { exec = class(s0, s1); }
    255 => V_CMPX_CLASS_F64 (s0: f64, s1: b32) disputed "the guide takes the exponent 1023 for infinity" { exec = class(s0, s1); }
}
