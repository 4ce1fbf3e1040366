//! A role that no field holds: one error, also for the format to which the row is promoted.

use isa::{isa, isa_set};

isa! {
    format F: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [7:0]: s: Reg,
    }
    promotes to G at 0x80;
    text "{d}, {s}";
    0 => A (d: u32, s: u32, t: u32);
}

isa! {
    format G: 32 {
        E [31:24] = 0b10,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [7:0]: s: Reg,
    }
    text "{d}, {s}";
    0 => B (d: u32, s: u32);
}

isa_set! {
    set Set;
    mode isa_ui_tests::toy::Mode { Narrow, Wide };
    value isa_ui_tests::toy::Value;
    operands isa_ui_tests::toy::operands;
    formats { F, G }
}

fn main() {}
