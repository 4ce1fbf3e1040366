//! A range does not fit its bits.

use isa::isa;
#[allow(unused_imports)] use isa_ui_tests::tables::{File, Sets, Value};

isa! {
    operands for I: Sets;
    value Value of File;

    /// A number.
    number Imm = 0..=4096, bits 12;
}

fn main() {}
