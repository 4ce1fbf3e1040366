//! A run across a dword.

use isa::isa;

isa! {
    format F: 64 {
        E [63:36] = 0b1,
        OP [35:28] = opcode,
        D [27:8]: out d: Reg,
        S [7:0]: s: Reg,
    }
    text "{d}, {s}";
    0 => A (d: u32, s: u32);
}

isa_ui_tests::toy_set! { F }

fn main() {}
