//! Facts of operands that do not exist, or of something that is not an operand.

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
    source s0 = if s0 is constant { s0 } else { s0 };
    source s1 = if (s1 + 1) is inline { s1 } else { s1 };
    0 => A (d: u32, s0: u32, s1: u32) { d = s0 + s1; }
}

isa_ui_tests::toy_set! { F }

fn main() {}
