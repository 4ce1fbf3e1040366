//! One name stands for two registers.

use isa::isa;
#[allow(unused_imports)] use isa_ui_tests::tables::{File, Sets, Value};

isa! {
    operands for I: Sets;
    value Value of File;

    values {
        0..=15 reg "r{}";
        16     sp  "sp";
        17     fp  "sp";
        18     odd "r7";
    }

    /// A register.
    operand Reg = reg | sp | fp;
}

fn main() {}
