//! VOP3SD: vector instructions with a scalar destination beside the vector one.

use isa::isa;

isa! {
    /// Vector ALU, up to three sources, and a lane mask as a second destination. Guide §15.3.5.
    ///
    /// It has VOP3's encoding; SDST stands where ABS and OPSEL are there.
    format VOP3SD: 64 {
        VDST     [7:0]:   out d: Vdst3,
        SDST     [14:8]:  out sd: MaskDst,
        CLMP     [15]:    mod clamp: Clamp if clamp | d is float,
        OP       [25:16]  = opcode,
        ENCODING [31:26]  = 0b110101,
        SRC0     [40:32]: s0: Src3<0>,
        SRC1     [49:41]: s1: Src3<1>,
        SRC2     [58:50]: s2: Src3<2>,
        OMOD     [60:59]: mod omod: Omod if d is float,
        NEG0     [61]:    mod neg0: Hidden if s0 is float,
        NEG1     [62]:    mod neg1: Hidden if s1 is float,
        NEG2     [63]:    mod neg2: Hidden if s2 is float,
    }
    words clamp, nodpp;
    suffix "_e64";
    tail DPP16_VOP3 when SRC0 == 250 if !(nodpp | d is 64 | s0 is 64 | s1 is 64) suffix "_e64_dpp";
    tail DPP8 when SRC0 == 233 | SRC0 == 234 if !(nodpp | d is 64 | s0 is 64 | s1 is 64) suffix "_e64_dpp";
    tail LITERAL when SRC0 == 255 | SRC1 == 255 | SRC2 == 255;
    text "{d}, {sd}, {s0}, {s1}, {s2}{clamp}{omod}";

    764 => V_DIV_SCALE_F32 (d: f32, sd: mask, s0: f32, s1: f32, s2: f32) nodpp;
    765 => V_DIV_SCALE_F64 (d: f64, sd: mask, s0: f64, s1: f64, s2: f64);
    766 => V_MAD_U64_U32   (d: u64, sd: mask, s0: u32, s1: u32, s2: u64) clamp;
    767 => V_MAD_I64_I32   (d: i64, sd: mask, s0: i32, s1: i32, s2: i64) clamp;
    768 => V_ADD_CO_U32    (d: u32, sd: mask, s0: u32, s1: u32) clamp;
    769 => V_SUB_CO_U32    (d: u32, sd: mask, s0: u32, s1: u32) clamp;
    770 => V_SUBREV_CO_U32 (d: u32, sd: mask, s0: u32, s1: u32) clamp;
}
