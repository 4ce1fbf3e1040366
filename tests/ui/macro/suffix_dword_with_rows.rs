//! A suffix dword with rows.

use isa::isa;

isa! {
    dword LIT {
        VALUE [31:0]: k: Literal,
    }
    0 => B ();
}

isa! {
    format F: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        S [7:0]: s: Reg,
    }
    text "{d}, {s}";
    0 => A (d: u32, s: u32);
}

isa_ui_tests::toy_set! { F, LIT }

fn main() {}
