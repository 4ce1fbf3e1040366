//! A set without a clause that it needs.

use isa::isa_set;

isa_set! {
    formats { F }
    value isa_ui_tests::toy::Value;
    set Set;
    operands isa_ui_tests::toy::operands;
}

fn main() {}
