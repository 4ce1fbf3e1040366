//! Runs of llvm-mc.

use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

/// How long llvm-mc may take.
const LIMIT: Duration = Duration::from_secs(60);

/// Waits until llvm-mc ends.
pub fn wait(mut child: Child) {
    let begun = Instant::now();
    while child.try_wait().expect("llvm-mc is waited for").is_none() {
        if begun.elapsed() > LIMIT {
            let _ = child.kill();
            panic!("llvm-mc did not end within {LIMIT:?}");
        }
        thread::sleep(Duration::from_millis(10));
    }
}
