//! The set has the name of a format's type.

use isa::{isa, isa_set};

isa! {
    /// Arithmetic.
    format ALU: 32 {
        OP       [31:24] = opcode,
        D        [23:16]: out d: Reg,
        A        [15:8]:  a: Reg,
        RESERVED [7:0] reserved,
    }
    text "{d}, {a}";

    0 => NOT (d: u32, a: u32) { d = !a; }
}

isa_set! {
    /// A set.
    set Alu;
    mode isa_ui_tests::toy::Mode { Narrow, Wide };
    value isa_ui_tests::toy::Value;
    operands isa_ui_tests::toy::operands;
    formats { ALU }
}

fn main() {}
