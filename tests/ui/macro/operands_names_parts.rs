//! A name with fewer parts that differ than there are codes.

use isa::isa;
#[allow(unused_imports)] use isa_ui_tests::tables::{File, Sets, Value};

isa! {
    operands for I: Sets;
    value Value of File;

    names FORMATS: u8 { 0 "INVALID", 1..=3 "8_{UNORM|SNORM}" };
}

fn main() {}
