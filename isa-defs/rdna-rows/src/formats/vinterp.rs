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
    run lanes;
    source s0 if s0 is float = if neg0 { -s0 } else { s0 };
    source s1 if s1 is float = if neg1 { -s1 } else { s1 };
    source s2 if s2 is float = if neg2 { -s2 } else { s2 };
    result d = if clamp { clamp(d) } else { d };

    0 => V_INTERP_P10_F32         (d: f32, s0: f32, s1: f32, s2: f32) disputed "the guide rounds product and sum, and its formula names other lanes than its notes" { d = fma(quad(s0, 1), s1, quad(s2, 0)); }
    1 => V_INTERP_P2_F32          (d: f32, s0: f32, s1: f32, s2: f32) also "v_interp_p2_new_f32", disputed "the guide rounds product and sum, and its formula names other lanes than its notes" { d = fma(quad(s0, 2), s1, s2); }
    2 => V_INTERP_P10_F16_F32     (d: f32, s0: f16, s1: f32, s2: f16) disputed "the guide rounds product and sum, and its formula names other lanes than its notes" { d = fma(quad(s0, 1) as f32, s1, quad(s2, 0) as f32); }
    3 => V_INTERP_P2_F16_F32      (d: f16, s0: f16, s1: f32, s2: f32) disputed "the guide rounds product and sum, and its formula names other lanes than its notes" { d = fma_f16(quad(s0, 2) as f32, s1, s2); }
    4 => V_INTERP_P10_RTZ_F16_F32 (d: f32, s0: f16, s1: f32, s2: f16) { d = external(s0, s1, s2); }
    5 => V_INTERP_P2_RTZ_F16_F32  (d: f16, s0: f16, s1: f32, s2: f32) { d = external(s0, s1, s2); }
}
