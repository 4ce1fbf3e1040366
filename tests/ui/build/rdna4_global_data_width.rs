//! 64 bits take two registers.

use rdna4::build::*;

fn main() {
    let _ = global_load_b64(v(0), vgpr!(2..=3), OFF);
}
