//! One register where 64 bits are added.

use rdna3::build::*;

fn main() {
    let _ = v_add_f64(vgpr!(0..=1), v(2), vgpr!(4..=5));
}
