//! VINTERP: interpolation of attributes.

use isa::isa;

isa! {
    /// Parameter interpolation between the vertices of a primitive. Guide §15.4.1.
    ///
    /// The guide prints the eight bits of ENCODING beside bits 31 to 26; they are bits 31 to 24.
    format VINTERP: 64 {
        VDST     [7:0]:   out d: Vdst3,
        WAITEXP  [10:8]:  mod wait_exp: WaitExp,
        OPSEL    [14:11]: mod op_sel: OpSel if s0 is 16,
        CLMP     [15]:    mod clamp: Clamp,
        OP       [22:16]  = opcode,
        RESERVED [23]     reserved,
        ENCODING [31:24]  = 0b11001101,
        SRC0     [40:32]: s0: InterpSrc<0>,
        SRC1     [49:41]: s1: InterpSrc<1>,
        SRC2     [58:50]: s2: InterpSrc<2>,
        UNUSED   [60:59]  reserved,
        NEG0     [61]:    mod neg0: Hidden,
        NEG1     [62]:    mod neg1: Hidden,
        NEG2     [63]:    mod neg2: Hidden,
    }
    text "{d}, {s0}, {s1}, {s2}{clamp}{op_sel}{wait_exp}";

    0 => V_INTERP_P10_F32         (d: f32, s0: f32, s1: f32, s2: f32);
    1 => V_INTERP_P2_F32          (d: f32, s0: f32, s1: f32, s2: f32);
    2 => V_INTERP_P10_F16_F32     (d: f32, s0: f16, s1: f32, s2: f16);
    3 => V_INTERP_P2_F16_F32      (d: f16, s0: f16, s1: f32, s2: f32);
    4 => V_INTERP_P10_RTZ_F16_F32 (d: f32, s0: f16, s1: f32, s2: f16);
    5 => V_INTERP_P2_RTZ_F16_F32  (d: f16, s0: f16, s1: f32, s2: f32);
}
