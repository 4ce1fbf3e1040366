//! Faults in two blocks and in several places are all reported, and the set adds none.

use isa::isa;

isa! {
    format F: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [6:0]: s: Reg,
    }
    text "{d}, {s}";
    256 => A (d: u31, s: u32);
    sufix "_x";
    0 => B (d: u32, s: u32) slow
}

isa! {
    format G: 32 {
        E [31:24] = 0b1_0000_0000,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [7:0]: s: Reg,
    }
    text "{d}, {s}";
    0 => C (d: u32, s: u32);
    0 => D (d: u32, s: u32);
}

isa_ui_tests::toy_set! { F, G }

fn main() {}
