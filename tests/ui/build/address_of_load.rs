//! A plain number is not an address.

use rdna3::build::*;

fn main() {
    let _ = global_load_b32(v(0), 16, OFF);
}
