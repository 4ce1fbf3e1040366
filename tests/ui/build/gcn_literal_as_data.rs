//! A constant cannot be stored.

use gcn::gcn1_4::build::*;

fn main() {
    let _ = s_store_dword(16, sgpr!(2..=3), 0);
}
