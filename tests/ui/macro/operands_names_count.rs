//! A run has fewer names than codes.

use isa::isa;
#[allow(unused_imports)] use isa_ui_tests::tables::{File, Sets, Value};

isa! {
    operands for I: Sets;
    value Value of File;

    values {
        0..=2 reg "a" "b";
    }

    /// A register.
    operand Reg = reg;
}

fn main() {}
