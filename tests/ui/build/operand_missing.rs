//! A source is missing.

use rdna3::build::*;

fn main() {
    let _ = v_add_f32(v(0), v(1));
}
