//! Nothing can be written to a constant.

use rdna3::build::*;

fn main() {
    let _ = s_mov_b32(5, sgpr!(0));
}
