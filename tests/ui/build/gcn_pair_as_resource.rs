//! A resource has four registers.

use gcn::gcn1_4::build::*;

fn main() {
    let _ = s_buffer_load_dword(sgpr!(0), sgpr!(2..=3), 16);
}
