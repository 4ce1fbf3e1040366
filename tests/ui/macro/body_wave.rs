//! State of the wave in a row that runs in lanes, and the other way round.

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
    0 => A (d: u32, s0: u32) { d = s0 + scc as u32; }
    1 => B (s0: u32) { pc = s0 as u64; }
    2 => C (s0: b32) { exec_lo = s0; }
    3 => D (d: mask, s0: u32) wave { d = s0 == 0; }
    4 => E (s0: u32) wave { vccz = s0 == 0; }
    5 => F (s0: u32) wave wave { m0 = s0; }
}

isa_ui_tests::toy_set! { F }

fn main() {}
