//! 16 bits are half a register.

use rdna3::build::*;

fn main() {
    let _ = v_add_f16(v(0), v(1).lo(), v(2).hi());
}
