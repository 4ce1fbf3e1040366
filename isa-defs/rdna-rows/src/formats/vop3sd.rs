//! VOP3SD: vector instructions with a scalar destination beside the vector one.

use isa::isa;

isa! {
    /// Vector ALU, up to three sources, and a lane mask as a second destination. Guide §15.3.5.
    ///
    /// It has VOP3's encoding; SDST stands where ABS and OPSEL are there.
    format VOP3SD: 64 of (rdna3, rdna3_5), rdna4 {
        VDST     [7:0]:   out d: Vdst3,
        SDST     [14:8]:  out sd: MaskDst,
        CLMP     [15]:    mod clamp: Clamp if clamp | d is float else reserved,
        OP       [25:16]  = opcode,
        ENCODING [31:26]  = 0b110101,
        SRC0     [40:32]: s0: Src3<0> else 0 newer 0x80,
        SRC1     [49:41]: s1: Src3<1> else 0 newer 0x80,
        SRC2     [58:50]: s2: Src3<2> else 0 newer 0x80,
        OMOD     [60:59]: mod omod: Omod if d is float else reserved,
        NEG0     [61]:    mod neg0: Hidden if s0 is float else reserved,
        NEG1     [62]:    mod neg1: Hidden if s1 is float else reserved,
        NEG2     [63]:    mod neg2: Hidden if s2 is float else reserved,
    }
    // `late_sources`: the result must not overlap a source on gfx11.0, which may read it too late.
    flags clamp, late_sources;
    suffix "_e64";
    dword DPP16_VOP3 when SRC0 == 250 if !(d is 64 | s0 is 64 | s1 is 64) suffix "_e64_dpp";
    dword DPP8 when SRC0 == 233 | SRC0 == 234 if !(d is 64 | s0 is 64 | s1 is 64) suffix "_e64_dpp";
    dword LITERAL when SRC0 == 255 | SRC1 == 255 | SRC2 == 255;
    text "{d}, {sd}, {s0}, {s1}, {s2}{clamp}{omod}";
    run lanes;
    source s0 if s0 is float = if neg0 { -s0 } else { s0 };
    source s1 if s1 is float = if neg1 { -s1 } else { s1 };
    source s2 if s2 is float = if neg2 { -s2 } else { s2 };
    result d if d is float = omod(d, omod);
    result d if d is float = if clamp { clamp(d) } else { d };
    saturate d if d is int = clamp;
    inactive sd = false;

    764 => V_DIV_SCALE_F32 (d: f32, sd: mask, s0: f32, s1: f32, s2: f32) no DPP16_VOP3, no DPP8, disputed "the guide's scales give wrong quotients" { d, sd = div_scale(s0, s1, s2), div_scale_flag(s0, s1, s2); }
    765 => V_DIV_SCALE_F64 (d: f64, sd: mask, s0: f64, s1: f64, s2: f64) disputed "the guide's scales give wrong quotients" { d, sd = div_scale(s0, s1, s2), div_scale_flag(s0, s1, s2); }
    766 => V_MAD_U64_U32   (d: u64, sd: mask, s0: u32, s1: u32, s2: u64) named V_MAD_CO_U64_U32 in rdna4, clamp, late_sources { let w = s0 as u128 * s1 as u128 + s2 as u128; d, sd = w as u64, w[64]; }
    767 => V_MAD_I64_I32   (d: i64, sd: mask, s0: i32, s1: i32, s2: i64) named V_MAD_CO_I64_I32 in rdna4, clamp, late_sources { let w = s0 as i128 * s1 as i128 + s2 as i128; d, sd = w as i64, w[64]; }
    768 => V_ADD_CO_U32    (d: u32, sd: mask, s0: u32, s1: u32) clamp { d, sd = s0 + s1, carry(s0, s1, false); }
    769 => V_SUB_CO_U32    (d: u32, sd: mask, s0: u32, s1: u32) clamp { d, sd = s0 - s1, s0 < s1; }
    770 => V_SUBREV_CO_U32 (d: u32, sd: mask, s0: u32, s1: u32) clamp { d, sd = s1 - s0, s1 < s0; }
}
