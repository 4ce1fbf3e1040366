//! A clause that no set has.

use isa::isa_set;

isa_set! {
    set Set;
    format F;
}

fn main() {}
