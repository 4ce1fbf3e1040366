//! RDNA4 has one barrier of two halves.

use rdna4::build::*;

fn main() {
    let _ = s_barrier();
    let _ = s_waitcnt_vscnt(NULL, 0);
    let _ = buffer_gl0_inv();
}
