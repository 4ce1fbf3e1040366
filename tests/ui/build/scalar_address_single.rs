//! The scalar part of an address is a pair.

use rdna3::build::*;

fn main() {
    let _ = global_load_b32(v(0), v(1), sgpr!(2));
}
