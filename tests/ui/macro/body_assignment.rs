//! Roles that are not assigned, or not to be.

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
    0 => A (d: u32, s0: u32) { if s0 == 0 { d = 1; } }
    1 => B (d: u32, s0: u32) { let x = s0; }
    2 => C (d: u32, s0: u32) { d = d + s0; }
    3 => D (d: u32, s0: u32) { d, s0 = s0, 1; }
    4 => E (d: u32, s0: u32, s1: u32) { d = s0; }
    5 => F (d: u32, s0: u32) { d = s0, 1; }
    6 => G (d: u32, s0: u32) { d[3:0] = s0[3:0]; }
}

isa_ui_tests::toy_set! { F }

fn main() {}
