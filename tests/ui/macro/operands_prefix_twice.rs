//! Two runs of registers have the same names.

use isa::isa;
#[allow(unused_imports)] use isa_ui_tests::tables::{File, Sets, Value};

isa! {
    operands for I: Sets;
    value Value of File;

    values {
        0..=15  reg "r{}";
        16..=31 sp  "r{}";
    }

    /// A register.
    operand Reg = reg | sp;
}

fn main() {}
