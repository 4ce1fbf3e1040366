//! The atomic that returns the old value is a separate function.

use rdna3::build::*;

fn main() {
    let _ = global_atomic_add_u32(vgpr!(0..=1), v(2), OFF).glc();
}
