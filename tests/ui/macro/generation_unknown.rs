//! Names of generations that the block does not cover, or that stand twice.

use isa::isa;

isa! {
    format F: 32 of old, new, old {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [7:0]: s: Reg in ancient | old | new,
    }
    flags quick;
    text "{d}, {s}";
    0 1 0 => A (d: u32, s: u32) new;
}

isa_ui_tests::toy_set! { of old; F }

fn main() {}
