//! A run names a generation that the values do not cover.

use isa::isa;
#[allow(unused_imports)] use isa_ui_tests::tables::{File, Sets, Value};

isa! {
    operands for I: Sets;
    value Value of File;

    values of old, new {
        0..=15  reg "r{}";
        16..=31 more as reg from 16 "x{}" in newer;
    }

    /// A register.
    operand Reg = reg;
}

fn main() {}
