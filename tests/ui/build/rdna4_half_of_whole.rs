//! An operand of 32 bits is a whole register.

use rdna4::build::*;

fn main() {
    let _ = v_minimum_f32(v(0), v(1).lo(), v(2));
}
