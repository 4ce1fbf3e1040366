//! Two addresses, two offsets.

use rdna3::build::*;

fn main() {
    let _ = ds_load_2addr_b32(vgpr!(0..=1), v(2)).offset(4);
}
