//! The cache policy of RDNA4 is a temporal hint and a scope.

use rdna4::build::*;

fn main() {
    let _ = global_load_b32(v(0), vgpr!(2..=3), OFF).glc();
}
