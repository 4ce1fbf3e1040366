//! Vector registers have numbers of eight bits.

use rdna3::build::*;

fn main() {
    let _ = v_mov_b32(v(256), 0);
}
