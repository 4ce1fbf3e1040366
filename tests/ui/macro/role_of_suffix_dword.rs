//! A role that only a suffix dword holds, in a row that can lack the suffix dword.

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
    dword LIT when S == 255;
    text "{d}, {s}, {k}";
    0 => A (d: u32, s: u32, k: u32);
}

isa_set! {
    set Set;
    mode isa_ui_tests::toy::Mode { Narrow, Wide };
    value isa_ui_tests::toy::Value;
    operands isa_ui_tests::toy::operands;
    formats { F, LIT }
}

fn main() {}
