//! Memory of the host that waves access in place.

#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

use crate::memory::qword::AtomicCell;

/// The numbers of a region.
#[derive(Debug)]
pub(super) enum RegionCells<'m> {
    /// Its memory. Both variants are a pointer and a length, so that an access does not branch on the variant.
    Owned(alloc::boxed::Box<[AtomicCell]>),
    /// Memory of the host.
    #[cfg_attr(not(target_has_atomic = "64"), expect(dead_code, reason = "memory is shared as atomics of 64 bits"))]
    Shared(&'m [AtomicCell]),
}

impl core::ops::Deref for RegionCells<'_> {
    type Target = [AtomicCell];

    #[inline(always)]
    fn deref(&self) -> &[AtomicCell] {
        match self {
            RegionCells::Owned(cells) => cells,
            RegionCells::Shared(cells) => cells,
        }
    }
}

/// Memory of the host, as atomics of one size in the byte order of the host, which is little-endian.
///
/// Loads and stores of a wave are those of the atomics. An atomic of 4 bytes is one step for other threads in dwords and qwords, one of
/// 8 bytes in qwords. Whole rows of lanes are gathered and scattered in qwords only.
#[cfg(target_has_atomic = "64")]
#[derive(Clone, Copy, Debug)]
pub enum SharedCells<'m> {
    /// Bytes.
    Bytes(&'m [AtomicU8]),
    /// Dwords, from the multiple of 4 at or below the first address on.
    Dwords(&'m [AtomicU32]),
    /// Qwords, from the multiple of 8 at or below the first address on.
    Qwords(&'m [AtomicU64]),
}

#[cfg(target_has_atomic = "64")]
impl SharedCells<'_> {
    /// Returns the size of a number in bytes.
    pub(super) const fn cell_bytes(self) -> u64 {
        match self {
            Self::Bytes(_) => 1,
            Self::Dwords(_) => 4,
            Self::Qwords(_) => 8,
        }
    }

    /// Returns the size of all numbers in bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        let cells = match self {
            Self::Bytes(cells) => cells.len(),
            Self::Dwords(cells) => cells.len(),
            Self::Qwords(cells) => cells.len(),
        };
        cells as u64 * self.cell_bytes()
    }
}

/// Bytes or dwords of the host. Accesses reach them on the slow path.
#[cfg(target_has_atomic = "64")]
#[derive(Debug)]
pub(super) struct Edge<'m> {
    pub start: u64,
    pub bytes: u64,
    pub is_writable: bool,
    pub cells: SharedCells<'m>,
}

/// A host without atomics of 64 bits shares no memory.
#[cfg(not(target_has_atomic = "64"))]
#[derive(Debug)]
pub(super) struct Edge<'m> {
    pub start: u64,
    pub bytes: u64,
    pub is_writable: bool,
    _none: core::marker::PhantomData<&'m ()>,
}

impl Edge<'_> {
    /// The end of the memory.
    pub const fn end(&self) -> u64 {
        self.start + self.bytes
    }

    /// Whether an address is in it.
    pub const fn holds(&self, address: u64) -> bool {
        address.wrapping_sub(self.start) < self.bytes
    }
}

#[cfg(not(target_has_atomic = "64"))]
impl Edge<'_> {
    pub fn read(&self, _address: u64, _bytes: &mut [u8]) {}

    pub fn write(&self, _address: u64, _bytes: &[u8]) {}

    pub fn update(&self, _address: u64, _bytes: usize, _f: &mut dyn FnMut(u64) -> u64) -> Option<u64> {
        None
    }
}

#[cfg(target_has_atomic = "64")]
impl Edge<'_> {
    /// The offset of an address from the first number.
    fn offset(&self, address: u64) -> usize {
        (address - self.start / self.cells.cell_bytes() * self.cells.cell_bytes()) as usize
    }

    /// Reads bytes, all of which are in it.
    pub fn read(&self, address: u64, bytes: &mut [u8]) {
        let offset = self.offset(address);
        match self.cells {
            SharedCells::Bytes(cells) => {
                let cells = cells.get(offset..).unwrap_or_default();
                bytes.iter_mut().zip(cells).for_each(|(to, cell)| *to = cell.load(Ordering::Acquire));
            }
            SharedCells::Dwords(cells) => each_dword(offset, bytes.len(), |index, within, range| {
                let dword = cells.get(index).map_or(0, |cell| cell.load(Ordering::Acquire)).to_le_bytes();
                let from = dword.get(within..within + range.len()).unwrap_or_default();
                bytes.get_mut(range).unwrap_or_default().copy_from_slice(from);
            }),
            // They are a region.
            SharedCells::Qwords(_) => {}
        }
    }

    /// Writes bytes, all of which are in it.
    pub fn write(&self, address: u64, bytes: &[u8]) {
        let offset = self.offset(address);
        match self.cells {
            SharedCells::Bytes(cells) => {
                let cells = cells.get(offset..).unwrap_or_default();
                bytes.iter().zip(cells).for_each(|(byte, cell)| cell.store(*byte, Ordering::Release));
            }
            SharedCells::Dwords(cells) => each_dword(offset, bytes.len(), |index, within, range| {
                let Some(cell) = cells.get(index) else { return };
                let part = bytes.get(range).unwrap_or_default();
                if let Some(whole) = part.first_chunk() {
                    return cell.store(u32::from_le_bytes(*whole), Ordering::Release);
                }
                let bits = part.iter().rev().fold(0, |bits, byte| bits << 8 | u32::from(*byte));
                let (mask, shift) = ((1 << (8 * part.len())) - 1, 8 * within);
                let replace = |old| Some(old & !(mask << shift) | bits << shift);
                // Cannot fail: the function always gives a value.
                let _ = cell.fetch_update(Ordering::AcqRel, Ordering::Acquire, replace);
            }),
            SharedCells::Qwords(_) => {}
        }
    }

    /// Replaces a dword with a function of it in one step, and returns the old one; `None` for anything else than a dword.
    pub fn update(&self, address: u64, bytes: usize, f: &mut dyn FnMut(u64) -> u64) -> Option<u64> {
        let SharedCells::Dwords(cells) = self.cells else { return None };
        let offset = self.offset(address);
        if bytes != 4 || !offset.is_multiple_of(4) || address + 4 > self.end() {
            return None;
        }
        let cell = cells.get(offset / 4)?;
        let old = cell.fetch_update(Ordering::AcqRel, Ordering::Acquire, |old| Some(f(old.into()) as u32));
        old.ok().map(u64::from)
    }
}

/// Calls a function with each dword of an access at an offset: its index, the offset in it, and the range of the access.
#[cfg(target_has_atomic = "64")]
fn each_dword(offset: usize, bytes: usize, mut each: impl FnMut(usize, usize, core::ops::Range<usize>)) {
    let mut at = 0;
    while at < bytes {
        let within = (offset + at) % 4;
        let count = (4 - within).min(bytes - at);
        each((offset + at) / 4, within, at..at + count);
        at += count;
    }
}
