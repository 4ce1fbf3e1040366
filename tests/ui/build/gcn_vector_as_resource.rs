//! A resource is in scalar registers.

use gcn::gcn1_4::build::*;

fn main() {
    let _ = buffer_load_dword(v(1), OFF, vgpr!(4..=7), 0);
}
