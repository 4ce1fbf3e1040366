//! Memory of programs.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};

/// Why an access to memory failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Unmapped {
    /// The first byte that is not mapped.
    pub address: u64,
}

/// Memory that waves on several threads share.
///
/// Methods take `&self`: an implementation synchronises on its own. Bytes of one access may become visible separately, but
/// [`update`](Self::update) is one step for other threads.
pub trait Memory {
    /// Reads bytes.
    ///
    /// # Errors
    /// A byte is not mapped.
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped>;

    /// Writes bytes, or none if one is not mapped.
    ///
    /// # Errors
    /// A byte is not mapped.
    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Unmapped>;

    /// Replaces a number of 4 or 8 bytes with a function of it in one step, and returns the old number. The function may be
    /// called more than once.
    ///
    /// # Errors
    /// A byte is not mapped.
    fn update(&self, address: u64, bytes: usize, f: &mut dyn FnMut(u64) -> u64) -> Result<u64, Unmapped>;
}

/// A mapped range of addresses.
#[derive(Debug)]
struct Region {
    start: u64,
    bytes: u64,
    /// Dwords from the multiple of 4 at or below `start` on.
    dwords: Vec<AtomicU32>,
}

/// Memory of mapped regions. What is outside them faults.
///
/// A region is dwords that are atomics: plain loads and stores of the processor, without unsafe code. An atomic of 8 bytes is
/// not one step for other threads.
#[derive(Debug, Default)]
pub struct Regions {
    /// In the order of their addresses, without overlap.
    regions: Vec<Region>,
}

/// A region that cannot be mapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MapError {
    /// It overlaps another region.
    Overlap,
    /// It exceeds the address space.
    TooLarge,
}

impl Regions {
    /// Memory without regions.
    #[must_use]
    pub const fn new() -> Self {
        Regions { regions: Vec::new() }
    }

    /// Maps zeros; nothing if `bytes` is 0.
    ///
    /// # Errors
    /// The region overlaps another, or exceeds the address space.
    pub fn map(&mut self, start: u64, bytes: u64) -> Result<(), MapError> {
        let end = start.checked_add(bytes).ok_or(MapError::TooLarge)?;
        let at = self.regions.partition_point(|region| region.start < start);
        let after_previous = at.checked_sub(1).and_then(|at| self.regions.get(at));
        let overlaps = after_previous.is_some_and(|region| region.start + region.bytes > start)
            || self.regions.get(at).is_some_and(|region| region.start < end);
        if overlaps {
            return Err(MapError::Overlap);
        }
        if bytes == 0 {
            return Ok(());
        }
        let dwords = end.div_ceil(4) - start / 4;
        let dwords = usize::try_from(dwords).map_err(|_| MapError::TooLarge)?;
        let dwords = (0..dwords).map(|_| AtomicU32::new(0)).collect();
        self.regions.insert(at, Region { start, bytes, dwords });
        Ok(())
    }

    /// The regions: the first address and the number of bytes of each, in ascending order.
    pub fn mapped(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.regions.iter().map(|region| (region.start, region.bytes))
    }

    /// The region that holds all bytes of an access, and the access's offset from the region's first dword.
    #[inline]
    fn find(&self, address: u64, bytes: usize) -> Result<(&Region, u64), Unmapped> {
        let at = self.regions.partition_point(|region| region.start <= address);
        let region = at.checked_sub(1).and_then(|at| self.regions.get(at));
        let region = region.filter(|region| address - region.start < region.bytes).ok_or(Unmapped { address })?;
        let left = region.bytes - (address - region.start);
        if bytes as u64 > left {
            return Err(Unmapped { address: address.wrapping_add(left) });
        }
        Ok((region, address - (region.start & !3)))
    }
}

impl Region {
    fn dword(&self, at: u64) -> u32 {
        usize::try_from(at).ok().and_then(|at| self.dwords.get(at)).map_or(0, |dword| dword.load(Ordering::Relaxed))
    }

    /// Replaces the bits of a dword that a mask selects.
    fn set_bits(&self, at: u64, mask: u32, bits: u32) {
        let Some(dword) = usize::try_from(at).ok().and_then(|at| self.dwords.get(at)) else { return };
        if mask == u32::MAX {
            dword.store(bits, Ordering::Relaxed);
        } else {
            // Cannot fail: the function always gives a value.
            let _ = dword.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| Some(old & !mask | bits & mask));
        }
    }
}

impl Memory for Regions {
    #[inline]
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (region, offset) = self.find(address, bytes.len())?;
        if offset.is_multiple_of(4) && bytes.len().is_multiple_of(4) {
            for (to, at) in bytes.chunks_exact_mut(4).zip(offset / 4..) {
                to.copy_from_slice(&region.dword(at).to_le_bytes());
            }
            return Ok(());
        }
        for (to, at) in bytes.iter_mut().zip(offset..) {
            *to = (region.dword(at / 4) >> (8 * (at % 4))) as u8;
        }
        Ok(())
    }

    #[inline]
    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Unmapped> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (region, offset) = self.find(address, bytes.len())?;
        let (dwords, rest) = bytes.as_chunks::<4>();
        if offset.is_multiple_of(4) && rest.is_empty() {
            for (from, at) in dwords.iter().zip(offset / 4..) {
                region.set_bits(at, u32::MAX, u32::from_le_bytes(*from));
            }
            return Ok(());
        }
        for (from, at) in bytes.iter().zip(offset..) {
            let shift = 8 * (at % 4);
            region.set_bits(at / 4, 0xFF << shift, u32::from(*from) << shift);
        }
        Ok(())
    }

    fn update(&self, address: u64, bytes: usize, f: &mut dyn FnMut(u64) -> u64) -> Result<u64, Unmapped> {
        let (region, offset) = self.find(address, bytes)?;
        let dword = usize::try_from(offset / 4).ok().and_then(|at| region.dwords.get(at));
        if let Some(dword) = dword.filter(|_| bytes == 4 && offset.is_multiple_of(4)) {
            let mut change = |old: u32| Some(f(old.into()) as u32);
            let old = dword.fetch_update(Ordering::Relaxed, Ordering::Relaxed, &mut change);
            return Ok(old.unwrap_or_default().into());
        }
        let mut buffer = [0; 8];
        let part = buffer.get_mut(..bytes.min(8)).unwrap_or_default();
        self.read(address, part)?;
        let old = u64::from_le_bytes(buffer);
        let new = f(old).to_le_bytes();
        self.write(address, new.get(..bytes.min(8)).unwrap_or_default())?;
        Ok(old)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_of_any_alignment_agree() {
        let mut memory = Regions::new();
        memory.map(0x1001, 30).expect("a region");
        assert_eq!(memory.map(0x1010, 4), Err(MapError::Overlap));
        assert_eq!(memory.map(0x0FF0, 0x12), Err(MapError::Overlap));
        memory.write(0x1003, &[1, 2, 3, 4, 5]).expect("mapped");
        let mut four = [0; 4];
        memory.read(0x1004, &mut four).expect("mapped");
        assert_eq!(four, [2, 3, 4, 5]);
        assert_eq!(memory.read(0x1000, &mut four), Err(Unmapped { address: 0x1000 }));
        assert_eq!(memory.read(0x101D, &mut four), Err(Unmapped { address: 0x101F }));
        assert_eq!((memory.map(0x5000, 0), memory.write(0x5000, &[])), (Ok(()), Ok(())));
        assert_eq!(memory.update(0x1004, 4, &mut |old| old + 1), Ok(0x0504_0302));
        memory.read(0x1004, &mut four).expect("mapped");
        assert_eq!(four, [3, 3, 4, 5]);
    }
}
