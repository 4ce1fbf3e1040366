//! A class names no set.

use isa::isa;
#[allow(unused_imports)] use isa_ui_tests::tables::{File, Sets, Value};

isa! {
    operands for I: Sets;
    value Value of File;

    values {
        0..=15 reg "r{}";
    }

    general = reg;

    /// A register.
    operand Reg = generl | reg;
}

fn main() {}
