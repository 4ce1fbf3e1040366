//! Bits that one generation alone leaves out, and bits that two fields of another share.

use isa::isa;

isa! {
    format F: 32 of old, new {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [7:0]: s: Reg in old,
        S [6:0]: s: Reg in new,
        FLAG [0]: mod flag: Flag in new,
    }
    text "{d}, {s}{flag}";
    0 => A (d: u32, s: u32);
}

isa_ui_tests::toy_set! { of old; F }

fn main() {}
