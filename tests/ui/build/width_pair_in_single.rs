//! A pair where 32 bits are added.

use rdna3::build::*;

fn main() {
    let _ = v_add_f32(v(0), vgpr!(2..=3), v(1));
}
