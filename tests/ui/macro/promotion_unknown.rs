//! A promotion to a format that is not in the set, and to a suffix dword.

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
    promotes to G at 0x80;
    promotes to LIT at 0;
    text "{d}, {s}";
    0 => A (d: u32, s: u32);
}

isa_set! {
    set Set;
    mode isa_ui_tests::toy::Mode { Narrow, Wide };
    value isa_ui_tests::toy::Value;
    operands isa_ui_tests::toy::operands;
    formats { F, LIT }
}

fn main() {}
