//! There are 256 vector registers.

use rdna3::build::*;

const LAST: Vgprs<2> = vgpr!(255..=256);

fn main() {}
