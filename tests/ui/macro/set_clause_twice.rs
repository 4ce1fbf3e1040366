//! A clause of a set that is stated twice.

use isa::isa_set;

isa_set! {
    set Set;
    value isa_ui_tests::toy::Value;
    formats { F }
    value isa_ui_tests::toy::Value;
}

fn main() {}
