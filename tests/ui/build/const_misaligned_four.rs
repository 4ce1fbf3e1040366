//! A buffer resource begins with a multiple of four.

use rdna3::build::*;

const RESOURCE: Sgprs<4> = sgpr!(6..=9);

fn main() {}
