//! The result of a scalar transcendental operation is a scalar register.

use rdna4::build::*;

fn main() {
    let _ = v_s_exp_f32(v(0), sgpr!(1));
}
