//! Invalid bodies cause no errors elsewhere.

use isa::isa;

isa! {
    /// Arithmetic.
    format ALU: 32 {
        OP [31:24] = opcode,
        D  [23:16]: out d: Reg,
        A  [15:8]:  a: Reg,
        B  [7:0]:   b: Reg,
    }
    text "{d}, {a}, {b}";

    0 => ADD (d: u32, a: u32, b: u32) { d = a + c; }
    1 => SUB (d: u32, a: u32, b: u32) { d = a - b }
}

isa_ui_tests::toy_set! { ALU }

fn main() {}
