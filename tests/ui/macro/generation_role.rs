//! A role that no field carries in any generation; one that a field of another generation carries is not an error.

use isa::{isa, isa_set};

isa! {
    format F: 32 of old, new {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [7:0]: s: Reg in new,
        X [7:0] reserved in old,
    }
    text "{d}, {s}";
    0 => A (d: u32, s: u32);
    1 => B (d: u32, t: u32);
}

isa_set! {
    set Set of old;
    mode isa_ui_tests::toy::Mode { Narrow, Wide };
    value isa_ui_tests::toy::Value;
    operands isa_ui_tests::toy::operands;
    formats { F }
}

fn main() {}
