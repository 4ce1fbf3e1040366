//! Types with fields for other numbers of parts, and clauses of numbers and flags on other classes.

use isa::isa;
#[allow(unused_imports)] use isa_ui_tests::tables::{File, Sets, Value};

isa! {
    operands for I: Sets;
    value Value of File;

    values {
        0..=14 reg "r{}";
        15     sp  "sp";
    }

    parts Delay(id: u8, skip: u8, other: u8) = { id [3:0], skip [6:4] };
    number Plain(id: u8, skip: u8) = 0..=255;
    modifier Named = names " {}" { 1 "a", 2 "b" }, floats bits;
    modifier Beside = 0..=255, zero beside other;
    modifier Cleared = 0..=1, without no;
    modifier Followed = flag, then ",";
}

isa! {
    operands for I: Sets;
    value Value of File;

    values {
        0..=14 reg "r{}";
    }

    number Float = 0..=255, floats f64;
}

fn main() {}
