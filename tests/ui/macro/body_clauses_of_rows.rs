//! Clauses of formats whose types do not fit their rows.

use isa::{isa, isa_set};

isa! {
    format F: 32 {
        OP [31:24] = opcode,
        D [23:16]: out d: Reg,
        S [15:8]: s0: Reg,
        T [7:0]: s1: Reg,
    }
    run lanes;
    source s1 = s0 == s1;
    result d = 2.0;
    inactive d = d;
    active = s0;
    address mem in global = s0 == 1;
    address mem in global when glc = s0;
    text "{d}, {s0}, {s1}";
    0 => A (d: u32, s0: u32, s1: u32) { d = s0 + s1 + mem.u32; }
}

isa_set! {
    set Set;
    mode isa_ui_tests::toy::Mode { Narrow, Wide };
    value isa_ui_tests::toy::Value;
    operands isa_ui_tests::toy::operands;
    formats { F }
}

fn main() {}
