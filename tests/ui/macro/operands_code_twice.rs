//! One code is in two runs.

use isa::isa;
#[allow(unused_imports)] use isa_ui_tests::tables::{File, Sets, Value};

isa! {
    operands for I: Sets;
    value Value of File;

    values {
        0..=15 reg "r{}";
        15     pc  "pc";
    }

    /// A register.
    operand Reg = reg | pc;
}

fn main() {}
