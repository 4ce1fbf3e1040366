//! A row split by two fields.

use isa::{isa, isa_set};

isa! {
    format F: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [7:2]: s: Reg,
        G [1]: mod g: Flag,
        H [0]: mod h: Flag,
    }
    text "{d}, {s}{g}{h}";
    0 => A (d: u32 if G, s: u32 out if H);
}

isa_set! {
    set Set;
    mode isa_ui_tests::toy::Mode { Narrow, Wide };
    value isa_ui_tests::toy::Value;
    operands isa_ui_tests::toy::operands;
    formats { F }
}

fn main() {}
