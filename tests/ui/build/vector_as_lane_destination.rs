//! A vector register as the destination of a lane's value, which is a scalar register.

use rdna3::build::*;

fn main() {
    let _ = v_readfirstlane_b32(v(0), v(1));
}
