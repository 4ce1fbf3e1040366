//! Bodies that cannot be parsed.

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
    0 => A (d: u32, s0: u32) { d = s0 }
    1 => B (d: u32, s0: u32) { s0; }
    2 => C (d: u32, s0: u32) { d = if s0 == 0 { 1 }; }
    3 => D (d: bool, s0: u32) { d = 0 < s0 < 4; }
    4 => E (d: u32, s0: u32) { d = ; }
    5 => F (d: u32, s0: u32) { d = "s0"; }
    6 => G (d: u32, s0: u32) { d = (s0 s0); }
}

isa_ui_tests::toy_set! { F }

fn main() {}
