//! A 64-bit address in registers went with GCN 1.2.

use gcn::gcn1_4::build::*;

fn main() {
    let _ = buffer_load_dword(v(1), vgpr!(2..=3), sgpr!(4..=7), 0).addr64();
}
