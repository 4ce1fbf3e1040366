//! The hardware registers of RDNA4 have other numbers.

use rdna4::build::*;

fn main() {
    let _ = s_getreg_b32(sgpr!(0), HwRegister::named("HW_REG_MODE").unwrap());
}
