//! A lock for a few loads and stores.

#[cfg(target_has_atomic = "8")]
use core::sync::atomic::{AtomicBool, Ordering};

/// A lock whose holder does a few loads and stores, so that others wait in a loop. Hosts without atomics have one thread.
#[derive(Debug, Default)]
pub(super) struct SpinLock {
    #[cfg(target_has_atomic = "8")]
    is_held: AtomicBool,
}

impl SpinLock {
    pub const fn new() -> Self {
        SpinLock {
            #[cfg(target_has_atomic = "8")]
            is_held: AtomicBool::new(false),
        }
    }

    /// Calls a function while no other thread does.
    pub fn hold<T>(&self, f: impl FnOnce() -> T) -> T {
        #[cfg(target_has_atomic = "8")]
        while self.is_held.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            core::hint::spin_loop();
        }
        let result = f();
        #[cfg(target_has_atomic = "8")]
        self.is_held.store(false, Ordering::Release);
        result
    }
}
