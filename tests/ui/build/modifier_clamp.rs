//! A comparison of integers has no result to clamp.

use rdna3::build::*;

fn main() {
    let _ = v_cmp_eq_u32(VCC_LO, v(1), v(2)).clamp();
}
