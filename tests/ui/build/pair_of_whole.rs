//! The halves of a pair have separate functions.

use rdna3::build::*;

fn main() {
    let _ = dual(v_add_f32(v(0), v(1), v(2)), v_dual_mov_b32(v(3), v(4)));
}
