//! Accesses and actions where they cannot be.

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
    0 => A (d: u32, s0: u32) { if s0 == 0 { d = mem.u32; } else { d = 1; } }
    1 => B (d: u32, s0: u32) { d = if s0 == 0 { mem.u32 } else { 1 }; }
    2 => C (d: u32) { d = rmw(mem.u32); }
    3 => D (d: u32, s0: u32) { barrier(s0); d = s0; }
    4 => E (d: u32) { d = barrier(); }
    5 => F (s0: u32) { min(s0, s0); }
    6 => G (d: u32, s0: f32) { d = carry(s0, s0, false) as u32; }
    7 => H (d: u32, s0: u32) { d = |m| m; }
    8 => I (s0: u32) { let x = external(s0); }
}

isa_ui_tests::toy_set! { F }

fn main() {}
