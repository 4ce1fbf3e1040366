//! All of VCC in 32 bits.

use rdna3::build::*;

fn main() {
    let _ = s_mov_b32(VCC, 0);
}
