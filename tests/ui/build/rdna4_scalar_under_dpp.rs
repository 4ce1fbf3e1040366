//! Scalar instructions take no data-parallel primitives.

use rdna4::build::*;

fn main() {
    let _ = s_add_f32(sgpr!(0), sgpr!(1), sgpr!(2)).dpp16(DppCtrl::row_mirror());
}
