//! Half a register where 32 bits are added.

use rdna3::build::*;

fn main() {
    let _ = v_add_f32(v(0).lo(), v(1), v(2));
}
