//! A modifier with text has a clause of one without, and the clause lacks its text.

use isa::isa;
#[allow(unused_imports)] use isa_ui_tests::tables::{File, Sets, Value};

isa! {
    operands for I: Sets;
    value Value of File;

    values {
        0..=15 reg "r{}";
    }

    /// A flag.
    modifier Flag = flag, stated by "th:RETURN";
    /// A bit that another modifier shows.
    modifier Bit = hidden, stated "th:RETURN";
}

fn main() {}
