//! A vector instruction's destination is a vector register.

use rdna3::build::*;

fn main() {
    let _ = v_add_f32(sgpr!(0), v(1), v(2));
}
