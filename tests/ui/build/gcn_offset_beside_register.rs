//! A constant beside a register came with GCN 1.4.

use gcn::gcn1_2::build::*;

fn main() {
    let _ = s_load_dword(sgpr!(0), sgpr!(2..=3), sgpr!(5)).offset(4);
}
