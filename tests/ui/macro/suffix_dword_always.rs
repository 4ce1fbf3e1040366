//! `always` with a suffix dword that the format does not have.

use isa::{isa, isa_set};

isa! {
    dword LIT {
        VALUE [31:0]: k: Literal,
    }
}

isa! {
    format F: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [7:0]: s: Reg,
    }
    text "{d}, {s}";
    0 => A (d: u32, s: u32) always LIT;
}

isa_set! {
    set Set;
    mode isa_ui_tests::toy::Mode { Narrow, Wide };
    value isa_ui_tests::toy::Value;
    operands isa_ui_tests::toy::operands;
    formats { F, LIT }
}

fn main() {}
