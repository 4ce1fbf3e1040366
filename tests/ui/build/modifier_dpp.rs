//! Multiplications of 32 bits take no DPP.

use rdna3::build::*;

fn main() {
    let _ = v_mul_lo_u32(v(0), v(1), v(2)).dpp16(DppCtrl::row_shr(1));
}
