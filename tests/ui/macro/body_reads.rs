//! Operands that clauses read as other types.

use isa::isa;

isa! {
    format F: 32 {
        OP [31:24] = opcode,
        D [23:16]: out d: Reg,
        S [15:8]: s0: Reg,
        T [7:0]: s1: Reg,
    }
    run lanes;
    text "{d}, {s0}, {s1}";
    source s0 = s1.f16x2[0] as u32;
    source s1 = s1.u16 as u32;
    result d = if s2 is scalar { d } else { d };
    0 => A (d: u32, s0: u32, s1: u32) { d = s0 + s1; }
}

isa_ui_tests::toy_set! { F }

fn main() {}
