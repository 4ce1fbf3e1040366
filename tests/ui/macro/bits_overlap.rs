//! Two fields claim the same bits.

use isa::isa;

isa! {
    format F: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:7]: out d: Reg,
        S [7:0]: s: Reg,
    }
    text "{d}, {s}";
    0 => A (d: u32, s: u32);
}

isa_ui_tests::toy_set! { F }

fn main() {}
