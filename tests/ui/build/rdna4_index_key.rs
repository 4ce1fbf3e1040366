//! Sparse matrices have an index.

use rdna4::build::*;

fn main() {
    let _ = v_wmma_f32_16x16x16_f16(vgpr!(0..=7), vgpr!(8..=11), vgpr!(12..=15), vgpr!(0..=7)).index_key(1);
}
