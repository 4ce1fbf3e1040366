//! A clause with an attribute that is not a condition.

use isa::isa_set;

isa_set! {
    set Set;
    #[inline]
    parse;
}

fn main() {}
