//! An addition of integers can be the second of a pair alone.

use rdna3::build::*;

fn main() {
    let _ = dual(v_dual_add_nc_u32(v(0), v(1), v(2)), v_dual_mov_b32(v(3), v(4)));
}
