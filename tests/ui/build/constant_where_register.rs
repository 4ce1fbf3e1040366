//! The second source of an instruction that has the short encoding alone is a register.

use rdna3::build::*;

fn main() {
    let _ = v_pk_fmac_f16(v(0), 1.0, 2.0);
}
