//! The first clauses of operand classes are missing.

use isa::isa;
#[allow(unused_imports)] use isa_ui_tests::tables::{File, Sets, Value};

isa! {
    operands for I: Sets;

    values {
        0..=15 reg "r{}";
    }

    /// A register.
    operand Reg = reg;
}

fn main() {}
