//! A class numbers the registers of two runs.

use isa::isa;
#[allow(unused_imports)] use isa_ui_tests::tables::{File, Sets, Value};

isa! {
    operands for I: Sets;
    value Value of File;

    values {
        0..=15  reg "r{}";
        16..=31 other "x{}";
    }

    /// A register.
    operand Reg = reg | other by number;
}

fn main() {}
