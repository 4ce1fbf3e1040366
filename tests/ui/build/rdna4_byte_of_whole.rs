//! Conversions from 8-bit floats choose a byte of their source.

use rdna4::build::*;

fn main() {
    let _ = v_cvt_f32_i32(v(0), v(1)).source_byte(1);
}
