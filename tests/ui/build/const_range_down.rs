//! A range goes up.

use rdna3::build::*;

const RANGE: Vgprs<2> = vgpr!(5..=4);

fn main() {}
