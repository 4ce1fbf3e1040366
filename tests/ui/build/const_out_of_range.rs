//! There are 106 scalar registers.

use rdna3::build::*;

const LAST: Sgpr = sgpr!(106);

fn main() {}
