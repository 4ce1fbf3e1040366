//! A fixed value that its field cannot hold, and a reserved and an unused one.

use isa::isa;

isa! {
    format F: 32 {
        E [31:30] = 0b101,
        RESERVED [29:24] reserved = 0x40,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg else 256,
        S [7:0]: s: Reg,
    }
    text "{d}, {s}";
    0 => A (d: u32, s: u32);
}

isa_ui_tests::toy_set! { F }

fn main() {}
