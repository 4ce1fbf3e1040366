//! There is no short encoding.

use rdna3::build::*;

fn main() {
    let _ = v_fma_f32(v(0), v(1), v(2), v(3)).e32();
}
