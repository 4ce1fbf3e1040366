//! The short encoding alone exists, and its second source is a vector register.

use rdna3::build::*;

fn main() {
    let _ = v_fmaak_f32(v(0), v(1), sgpr!(2), 1.0);
}
