//! A class that excludes a register that no run has.

use isa::isa;
#[allow(unused_imports)] use isa_ui_tests::tables::{File, Sets, Value};

isa! {
    operands for I: Sets;
    value Value of File;

    values {
        0..=14 reg "r{}";
        15     sp  "sp";
    }

    /// A register.
    operand Reg -> u8 = reg | sp except "fp";
}

fn main() {}
