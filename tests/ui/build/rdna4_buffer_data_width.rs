//! Data of a buffer store are vector registers.

use rdna4::build::*;

fn main() {
    let _ = buffer_store_b64(sgpr!(0..=1), OFF, sgpr!(4..=7), NULL);
}
