//! Bits and numbers that do not fit.

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
    0 => A (d: u32, s0: u32) { d = s0[40:32] as u32; }
    1 => B (d: u32, s0: u32) { d = s0[32] as u32; }
    2 => C (d: u8, s0: u8) { d = s0 + 256; }
    3 => D (d: u32, s0: u32) { d = s0[0:3] as u32; }
    4 => E (d: u32, s0: f32) { d = s0[3:0] as u32; }
    5 => F (d: f16, s0: f16) { d = s0 + 0.1; }
    6 => G (d: u16x2, s0: u16x2) { d = join(s0[0], s0[2]); }
    7 => H (d: f32, s0: b16) { d = s0 as f32; }
    8 => I (d: i8, s0: i8) { d = s0 - 129; }
}

isa_ui_tests::toy_set! { F }

fn main() {}
