//! Eight registers of a matrix are not a constant.

use rdna3::build::*;

fn main() {
    let _ = v_mqsad_u32_u8(vgpr!(0..=3), vgpr!(4..=5), v(6), 0);
}
