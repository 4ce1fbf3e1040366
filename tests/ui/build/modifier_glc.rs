//! The atomic that returns something is a function of its own.

use rdna3::build::*;

fn main() {
    let _ = global_atomic_add_u32(vgpr!(0..=1), v(2), OFF).glc();
}
