//! `= ROW` of a row that is not there.

use isa::{isa, isa_set};

isa! {
    format F: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        RESERVED [7:0] reserved,
    }
    text "{d}";
    0 => A (d: u32);
}

isa! {
    format G: 32 {
        E [31:24] = 0b10,
        OPX [23:20] = opcode x,
        OPY [19:16] = opcode y,
        DX [15:8]: x.out d: Reg,
        DY [7:0]: y.out d: Reg,
    }
    components x " :: " y;
    text "{d}";
    x 0 => DUO_B = B;
    y 0 => DUO_A = A;
}

isa_set! {
    set Set;
    mode isa_ui_tests::toy::Mode { Narrow, Wide };
    value isa_ui_tests::toy::Value;
    operands isa_ui_tests::toy::operands;
    formats { F, G }
}

fn main() {}
