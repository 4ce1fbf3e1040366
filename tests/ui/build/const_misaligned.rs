//! A pair of scalar registers begins with an even one.

use rdna3::build::*;

const PAIR: Sgprs<2> = sgpr!(3..=4);

fn main() {}
