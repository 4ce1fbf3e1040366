//! As many registers as are loaded.

use rdna3::build::*;

fn main() {
    let _ = s_load_b128(sgpr!(4..=5), sgpr!(0..=1), NULL, 0);
}
