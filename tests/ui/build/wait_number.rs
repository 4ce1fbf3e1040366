//! Counters are named.

use rdna3::build::*;

fn main() {
    let _ = s_waitcnt(0);
}
