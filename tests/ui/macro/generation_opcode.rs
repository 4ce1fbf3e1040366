//! An opcode that is too large, and one that is there twice, in one column.

use isa::isa;

isa! {
    format F: 32 of old, new {
        E [31:24] = 0b1,
        OP [23:16] = opcode in new,
        OP [19:16] = opcode in old,
        X [23:20] reserved in old,
        D [15:8]: out d: Reg,
        S [7:0]: s: Reg,
    }
    text "{d}, {s}";
    16 200 => A (d: u32, s: u32);
    2   3  => B (d: u32, s: u32);
    4   3  => C (d: u32, s: u32);
}

isa_ui_tests::toy_set! { of old; F }

fn main() {}
