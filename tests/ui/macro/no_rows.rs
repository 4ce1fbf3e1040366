//! A set without rows.

use isa::{isa, isa_set};

isa! {
    format F: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [7:0]: s: Reg,
    }
    text "{d}, {s}";
}

isa_set! {
    set Set;
    mode isa_ui_tests::toy::Mode { Narrow, Wide };
    value isa_ui_tests::toy::Value;
    operands isa_ui_tests::toy::operands;
    formats { F }
}

fn main() {}
