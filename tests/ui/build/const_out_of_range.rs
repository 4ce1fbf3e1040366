//! There are 106 scalar registers.

use rdna3::build::*;

const LAST: Sgprs<1> = sgpr!(106);

fn main() {}
