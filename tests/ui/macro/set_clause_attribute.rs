//! Attributes of a clause that takes none.

use isa::isa_set;

isa_set! {
    set Set;
    /// The values.
    value isa_ui_tests::toy::Value;
}

fn main() {}
