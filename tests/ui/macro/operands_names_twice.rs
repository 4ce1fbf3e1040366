//! Two codes have one name.

use isa::isa;
#[allow(unused_imports)] use isa_ui_tests::tables::{File, Sets, Value};

isa! {
    operands for I: Sets;
    value Value of File;

    /// A comparison.
    modifier Compare = names " {}" { 0 "lt", 1 "eq", 2 "lt", 1 "ne" };
}

fn main() {}
