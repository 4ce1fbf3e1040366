//! A number of 64 bits of memory that threads share.

/// The memory of a number.
#[cfg(target_has_atomic = "64")]
pub(super) type AtomicCell = core::sync::atomic::AtomicU64;

/// The memory of a number on a host whose atomics have 32 bits.
#[cfg(not(target_has_atomic = "64"))]
pub(super) type AtomicCell = [core::sync::atomic::AtomicU32; 2];

/// A number of 64 bits that threads read and write. On a host whose atomics have 32 bits, each half is one step for other threads.
#[derive(Clone, Copy)]
pub(super) struct Qword<'a>(pub &'a AtomicCell);

#[cfg(target_has_atomic = "64")]
impl Qword<'_> {
    #[inline(always)]
    pub(super) fn load(self) -> u64 {
        self.0.load(core::sync::atomic::Ordering::Acquire)
    }

    #[inline(always)]
    pub(super) fn store(self, number: u64) {
        self.0.store(number, core::sync::atomic::Ordering::Release);
    }

    /// Replaces the number with a function of it in one step, and returns the old one.
    #[inline]
    pub(super) fn update(self, f: &mut dyn FnMut(u64) -> u64) -> u64 {
        use core::sync::atomic::Ordering::{AcqRel, Acquire};
        let mut old = self.0.load(Acquire);
        loop {
            match self.0.compare_exchange_weak(old, f(old), AcqRel, Acquire) {
                Ok(old) => return old,
                Err(now) => old = now,
            }
        }
    }

    /// Replaces the bits that a mask selects.
    #[inline]
    pub(super) fn set_bits(self, mask: u64, bits: u64) {
        if mask == u64::MAX {
            self.store(bits);
        } else {
            self.update(&mut |old| old & !mask | bits);
        }
    }
}

#[cfg(not(target_has_atomic = "64"))]
impl Qword<'_> {
    pub(super) fn load(self) -> u64 {
        let [low, high] = self.0;
        let load = |half: &core::sync::atomic::AtomicU32| u64::from(half.load(core::sync::atomic::Ordering::Acquire));
        load(high) << 32 | load(low)
    }

    pub(super) fn store(self, number: u64) {
        let [low, high] = self.0;
        low.store(number as u32, core::sync::atomic::Ordering::Release);
        high.store((number >> 32) as u32, core::sync::atomic::Ordering::Release);
    }

    pub(super) fn update(self, f: &mut dyn FnMut(u64) -> u64) -> u64 {
        let old = self.load();
        let new = f(old);
        self.set_bits(old ^ new, new & (old ^ new));
        old
    }

    pub(super) fn set_bits(self, mask: u64, bits: u64) {
        use core::sync::atomic::Ordering::{AcqRel, Acquire};
        for (half, shift) in self.0.iter().zip([0, 32]) {
            let (mask, bits) = ((mask >> shift) as u32, (bits >> shift) as u32);
            if mask != 0 {
                // Cannot fail: the function always gives a value.
                let _ = half.fetch_update(AcqRel, Acquire, |old| Some(old & !mask | bits));
            }
        }
    }
}
