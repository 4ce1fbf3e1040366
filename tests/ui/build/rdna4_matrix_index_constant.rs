//! The index of a sparse matrix is a vector register.

use rdna4::build::*;

fn main() {
    let _ = v_swmmac_f32_16x16x32_f16(vgpr!(0..=7), vgpr!(8..=11), vgpr!(12..=19), 0);
}
