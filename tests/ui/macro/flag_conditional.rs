//! A flag that follows from a condition, stated in a row and declared again.

use isa::isa;

isa! {
    format F: 32 {
        OP [31:24] = opcode,
        D [23:16]: out d: Reg,
        S [15:8]: s0: Reg,
        T [7:0]: s1: Reg,
    }
    flags single if !s1;
    quirks single, odd if;
    text "{d}, {s0}, {s1}";
    0 => A (d: u32, s0: u32) single;
}

isa_ui_tests::toy_set! { F }

fn main() {}
