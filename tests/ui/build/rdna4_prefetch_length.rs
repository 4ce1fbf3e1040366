//! The length of a prefetch is a register and a constant.

use rdna4::build::*;

fn main() {
    let _ = s_prefetch_data(sgpr!(0..=1), 0, 3, NULL);
}
