//! Fields whose names nothing can have in Rust.

use isa::isa;

isa! {
    format F: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        SELF [15:8]: out d: Reg,
        SUPER [7:4]: s: Reg,
        CRATE [3:0] reserved,
    }
    text "{d}, {s}";
    0 => A (d: u32, s: u32);
}

isa_ui_tests::toy_set! { F }

fn main() {}
