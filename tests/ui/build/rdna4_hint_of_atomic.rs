//! Loads and atomics have hints of different types.

use rdna4::build::*;

fn main() {
    let _ = global_load_b32(v(0), vgpr!(2..=3), OFF).atomic_hint(AtomicHint::NonTemporal);
}
