//! A condition tests a flag, and no clause names the module of flags.

use isa::isa;
#[allow(unused_imports)] use isa_ui_tests::tables::{File, Sets, Value};

isa! {
    operands for I: Sets;
    value Value of File;

    values {
        0..=15  reg "r{}";
        16..=31 int 0..=15;
    }

    /// A register or a number.
    operand Src = reg if plain else reg | int;
}

fn main() {}
