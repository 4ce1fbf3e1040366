//! A scalar instruction reads no vector registers.

use rdna3::build::*;

fn main() {
    let _ = s_add_u32(sgpr!(0), v(1), 1);
}
