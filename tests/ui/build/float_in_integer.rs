//! An integer operand and a floating-point number.

use rdna3::build::*;

fn main() {
    let _ = v_add_nc_u32(v(0), v(1), 1.0);
}
