//! A field name twice.

use isa::isa;

isa! {
    format F: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        RESERVED [15] reserved,
        D [14:8]: out d: Reg,
        RESERVED [7] reserved,
        S [6:0]: s: Reg,
    }
    text "{d}, {s}";
    0 => A (d: u32, s: u32);
}

isa_ui_tests::toy_set! { F }

fn main() {}
