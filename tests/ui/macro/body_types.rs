//! Operators between unlike types, and on types that lack them.

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
    0 => A (d: u32, s0: u32, s1: i32) { d = s0 + s1; }
    1 => B (d: b32, s0: b32, s1: b32) { d = s0 + s1; }
    2 => C (d: f32, s0: f32, s1: f32) { d = s0 & s1; }
    3 => D (d: u32, s0: f32) { d = s0; }
    4 => E (d: u32, s0: u32) { d = s0 << -1; }
    5 => F (d: u32, s0: u32, s1: u32) { d = s0 < s1; }
    6 => G (d: f32, s0: f32) { d = s0 + 1; }
    7 => H (d: u32, s0: u32) { let x = 1; d = s0; }
}

isa_ui_tests::toy_set! { F }

fn main() {}
