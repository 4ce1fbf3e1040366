//! Clauses of formats that do not fit their rows.

use isa::isa;

isa! {
    format F: 32 {
        OP [31:24] = opcode,
        D [23:16]: out d: Reg,
        S [15:8]: s0: Reg,
        T [7:0]: s1: Reg,
    }
    run often;
    source s0 = s0 + 1;
    source s1 = s0 == s1;
    result d = 2.0;
    inactive d = d;
    active = s0;
    address mem in ram = s0;
    address memory in global = s0;
    address mem in global = s0 == 1;
    address mem in global when glc = s0;
    text "{d}, {s0}, {s1}";
    0 => A (d: u32, s0: u32, s1: u32) { d = s0 + s1 + mem.u32; }
}

isa_ui_tests::toy_set! { F }

fn main() {}
