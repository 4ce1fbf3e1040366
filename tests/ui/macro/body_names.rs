//! Names that a body does not have.

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
    0 => A (d: u32, s0: u32) { d = s2; }
    1 => B (d: u32, s0: u32) { let x = y; let y = s0; d = x; }
    2 => C (d: u32, s0: u32) { d = pop_count(s0); }
    3 => D (d: u32, s0: u32) { e = s0; }
    4 => E (d: u32, s0: u32) { d = mem; }
    5 => F (d: u32, s0: u32) { d = min; }
    6 => G (d: u32, s0: u32) { d = s0.mid; }
    7 => H (d: u32, s0: u32) { d = s0 as w32; }
}

isa_ui_tests::toy_set! { F }

fn main() {}
