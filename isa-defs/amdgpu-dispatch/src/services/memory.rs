//! The memory of a work-group that has buffers for services of the host.

use std::sync::OnceLock;

use isa_exec::memory::{Memory, Regions, Unmapped, gather_lanes, scatter_lanes};
use isa_exec::rows::{LANES, Wide};

use super::Group;

/// The first address of the buffers. The same addresses are different memory in each work-group.
pub(super) const BASE: u64 = 0x3000_0000_0000;

/// The size of the range of addresses.
pub(super) const BYTES: u64 = 1 << 32;

/// The size of a page in bytes.
const PAGE: u64 = 1 << 14;

/// Memory from an address on, whose pages are allocated at their first access.
#[derive(Debug)]
pub(super) struct Pages {
    start: u64,
    bytes: u64,
    pages: Vec<OnceLock<Regions>>,
}

impl Pages {
    /// Zeros.
    pub fn new(start: u64, bytes: u64) -> Self {
        let pages = (0..bytes.div_ceil(PAGE)).map(|_| OnceLock::new()).collect();
        Self { start, bytes, pages }
    }

    /// Whether an address is inside.
    pub const fn contains(&self, address: u64) -> bool {
        address.wrapping_sub(self.start) < self.bytes
    }

    /// The page of an address.
    fn page(&self, address: u64) -> Result<&Regions, Unmapped> {
        let at = address.wrapping_sub(self.start) / PAGE;
        let page = usize::try_from(at).ok().and_then(|at| self.pages.get(at)).ok_or(Unmapped { address })?;
        Ok(page.get_or_init(|| {
            let mut regions = Regions::new();
            let start = at * PAGE;
            // One region cannot overlap another, and has room.
            let _ = regions.map(self.start + start, PAGE.min(self.bytes - start));
            regions
        }))
    }

    /// Calls a function with each part of a range that is within a page: its address and its bytes.
    fn parts(
        &self,
        address: u64,
        bytes: usize,
        mut f: impl FnMut(&Regions, u64, core::ops::Range<usize>) -> Result<(), Unmapped>,
    ) -> Result<(), Unmapped> {
        let mut at = 0;
        while at < bytes {
            let start = address.wrapping_add(at as u64);
            let left = PAGE - start.wrapping_sub(self.start) % PAGE;
            let end = bytes.min(at.saturating_add(left as usize));
            f(self.page(start)?, start, at..end)?;
            at = end;
        }
        Ok(())
    }
}

impl Memory for Pages {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        let size = bytes.len();
        self.parts(address, size, |page, at, part| page.read(at, bytes.get_mut(part).unwrap_or_default()))
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Unmapped> {
        self.parts(address, bytes.len(), |page, at, part| page.write(at, bytes.get(part).unwrap_or_default()))
    }

    fn update(&self, address: u64, bytes: usize, f: &mut dyn FnMut(u64) -> u64) -> Result<u64, Unmapped> {
        self.page(address)?.update(address, bytes, f)
    }
}

/// The memory of a dispatch with the buffers of a work-group.
pub(crate) struct GroupMemory<'a> {
    pub memory: &'a dyn Memory,
    pub services: &'a Group,
}

/// Whether an address is one of a service.
const fn is_of_services(address: u64) -> bool {
    address.wrapping_sub(BASE) < BYTES
}

/// Whether the first or the last of some bytes is one of a service.
const fn touches_services(address: u64, bytes: usize) -> bool {
    is_of_services(address) || is_of_services(address.wrapping_add(bytes as u64).wrapping_sub(1))
}

impl GroupMemory<'_> {
    /// Whether a lane of a mask accesses the buffers of the work-group.
    fn accesses_services(addresses: &[u64; LANES], lanes: u32) -> bool {
        let inside = |(lane, address): (usize, &u64)| u32::from(is_of_services(*address)) << lane;
        addresses.iter().enumerate().map(inside).fold(0, |mask, bit| mask | bit) & lanes != 0
    }
}

impl Memory for GroupMemory<'_> {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        if is_of_services(address) { self.services.read(address, bytes) } else { self.memory.read(address, bytes) }
    }

    fn read_line(&self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        if is_of_services(address) { self.services.read(address, bytes) } else { self.memory.read_line(address, bytes) }
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Unmapped> {
        if is_of_services(address) { self.services.write(address, bytes) } else { self.memory.write(address, bytes) }
    }

    fn update(&self, address: u64, bytes: usize, f: &mut dyn FnMut(u64) -> u64) -> Result<u64, Unmapped> {
        if is_of_services(address) {
            self.services.update(address, bytes, f)
        } else {
            self.memory.update(address, bytes, f)
        }
    }

    fn gather(
        &self,
        addresses: &[u64; LANES],
        lanes: u32,
        bytes: usize,
        rows: &mut [Wide],
    ) -> Result<(), (usize, Unmapped)> {
        if Self::accesses_services(addresses, lanes) {
            return gather_lanes(self, addresses, lanes, bytes, rows);
        }
        self.memory.gather(addresses, lanes, bytes, rows)
    }

    fn scatter(
        &self,
        addresses: &[u64; LANES],
        lanes: u32,
        bytes: usize,
        rows: &[Wide],
    ) -> Result<(), (usize, Unmapped)> {
        if Self::accesses_services(addresses, lanes) {
            return scatter_lanes(self, addresses, lanes, bytes, rows);
        }
        self.memory.scatter(addresses, lanes, bytes, rows)
    }

    fn read_block(&self, address: u64, bytes: &mut [u8]) -> bool {
        !touches_services(address, bytes.len()) && self.memory.read_block(address, bytes)
    }

    fn write_block(&self, address: u64, bytes: &[u8]) -> bool {
        !touches_services(address, bytes.len()) && self.memory.write_block(address, bytes)
    }

    fn begin_turn(&self, wave: usize) {
        self.services.begin_turn(wave);
    }
}
