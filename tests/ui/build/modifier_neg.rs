//! Integers have no sign bits.

use rdna3::build::*;

fn main() {
    let _ = v_and_b32(v(0), v(1), v(2)).neg(0);
}
