//! Memory of programs.

mod lock;
mod qword;
mod region;
mod rows;
mod shared;

use alloc::vec::Vec;
use core::fmt;

use crate::memory::lock::SpinLock;
use crate::memory::qword::{AtomicCell, Qword};
use crate::memory::region::Region;
#[cfg(target_has_atomic = "64")]
pub use crate::memory::shared::SharedCells;
use crate::memory::shared::{Edge, RegionCells};
use crate::rows::{LANES, Wide};

/// Why an access to memory failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Unmapped {
    /// The first byte that is not mapped.
    pub address: u64,
}

impl fmt::Display for Unmapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the address {:#x} is not mapped", self.address)
    }
}

impl core::error::Error for Unmapped {}

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

    /// Reads bytes for a scalar load. Compilers widen scalar loads, since one that is aligned to its size does not leave the
    /// cache line of its first byte: an implementation may return zeros for bytes that are not mapped but in a line
    /// ([`SCALAR_LINE`]) with mapped memory.
    ///
    /// # Errors
    /// A byte is not mapped.
    fn read_line(&self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        self.read(address, bytes)
    }

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

    /// Learns which wave of its work-group accesses the memory from now on.
    fn begin_turn(&self, _wave: usize) {}

    /// Reads `bytes` bytes for each lane of a mask, from the lane's address: one dword to each row, the last one filled up
    /// with zeros. Other lanes of the rows may get any value.
    ///
    /// # Errors
    /// The lowest lane with a byte that is not mapped.
    fn gather(
        &self,
        addresses: &[u64; LANES],
        lanes: u32,
        bytes: usize,
        rows: &mut [Wide],
    ) -> Result<(), (usize, Unmapped)> {
        gather_lanes(self, addresses, lanes, bytes, rows)
    }

    /// Writes `bytes` bytes for each lane of a mask, the lowest lane first, to the lane's address: a dword of each row, and
    /// of the last one as many bytes as are left.
    ///
    /// # Errors
    /// The lowest lane with a byte that is not mapped; those below it have written.
    fn scatter(
        &self,
        addresses: &[u64; LANES],
        lanes: u32,
        bytes: usize,
        rows: &[Wide],
    ) -> Result<(), (usize, Unmapped)> {
        scatter_lanes(self, addresses, lanes, bytes, rows)
    }

    /// Reads bytes of lanes that access consecutive memory, each like a load of [`gather`](Self::gather), and of inactive lanes
    /// between, before or after them. Returns `false` if it leaves that to `gather`: because a byte is not mapped, or for any other
    /// reason.
    fn read_block(&self, _address: u64, _bytes: &mut [u8]) -> bool {
        false
    }

    /// Writes bytes of lanes that access consecutive memory, each like a store of [`scatter`](Self::scatter). Returns `false` if
    /// it has written nothing and leaves that to `scatter`: because a byte is not mapped, or for any other reason.
    fn write_block(&self, _address: u64, _bytes: &[u8]) -> bool {
        false
    }
}

/// The bytes of a line of the scalar cache.
pub const SCALAR_LINE: u64 = 64;

/// The bytes of a dword.
const DWORD: u64 = 4;

/// The bytes of a page of the host.
const HOST_PAGE: usize = 4096;

/// The most bytes of a region whose pages are written when it is mapped. The system gives zeros for a page until it is written. A store of
/// a part of a number reads first; the system then replaces the page, and interrupts all threads of the process for it: two threads took
/// as long as one to write 8 MiB in dwords that do not follow each other. Larger regions may be used in a few places only.
const MOST_WRITTEN: u64 = 64 << 20;

/// [`Memory::gather`], one lane after the other.
///
/// # Errors
/// Those of [`Memory::gather`].
pub fn gather_lanes<M: Memory + ?Sized>(
    memory: &M,
    addresses: &[u64; LANES],
    lanes: u32,
    bytes: usize,
    rows: &mut [Wide],
) -> Result<(), (usize, Unmapped)> {
    for lane in lanes_of(lanes) {
        let address = addresses.get(lane).copied().unwrap_or(0);
        let mut buffer = [0; 16];
        memory.read(address, buffer.get_mut(..bytes).unwrap_or_default()).map_err(|unmapped| (lane, unmapped))?;
        for (row, dword) in rows.iter_mut().zip(buffer.as_chunks().0) {
            if let Some(to) = row.0.get_mut(lane) {
                *to = u32::from_le_bytes(*dword);
            }
        }
    }
    Ok(())
}

/// [`Memory::scatter`], one lane after the other.
///
/// # Errors
/// Those of [`Memory::scatter`].
pub fn scatter_lanes<M: Memory + ?Sized>(
    memory: &M,
    addresses: &[u64; LANES],
    lanes: u32,
    bytes: usize,
    rows: &[Wide],
) -> Result<(), (usize, Unmapped)> {
    for lane in lanes_of(lanes) {
        let mut buffer = [0; 16];
        let (chunks, _) = buffer.as_chunks_mut::<4>();
        for (row, chunk) in rows.iter().zip(chunks) {
            *chunk = row.0.get(lane).copied().unwrap_or(0).to_le_bytes();
        }
        let address = addresses.get(lane).copied().unwrap_or(0);
        let part = buffer.get(..bytes.min(16)).unwrap_or_default();
        memory.write(address, part).map_err(|unmapped| (lane, unmapped))?;
    }
    Ok(())
}

/// The numbers of the bits that are set.
pub(crate) fn lanes_of(mut mask: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        (lane < 32).then(|| {
            mask &= mask - 1;
            lane as usize
        })
    })
}

/// Memory of mapped regions. What is outside them faults, except that loads of aligned dwords see zeros in the rest of the
/// first and the last dword of a region, and scalar loads in the rest of its last line ([`SCALAR_LINE`]): LLVM loads `<3 x i8>` as a
/// dword, `<3 x i16>` as two, and three dwords as four with S_LOAD, where the pointer is aligned. An atomic of an aligned dword also sees
/// zeros there, and changes the mapped bytes only: LLVM loads and replaces the dword around a number of 8 or 16 bits. Regions may touch: an
/// access may begin in one and end in the next.
///
/// A region is numbers of 64 bits that are atomics: loads and stores of the processor, without unsafe code. Aligned atomics
/// of 4 and 8 bytes are one step for other threads, on hosts that have atomics of 64 bits; on others (with one core, such as
/// Cortex-M) those of 8 bytes are not. What a thread writes before it changes a number is visible to those that read it.
///
/// [`map_shared`](Self::map_shared) maps memory of the host, which waves access in place.
#[derive(Debug, Default)]
pub struct RegionMap<'m> {
    /// In the order of their addresses, without overlap.
    regions: Vec<Region<'m>>,
    /// Shared bytes and dwords, in the order of their addresses.
    edges: Vec<Edge<'m>>,
    /// Held by atomics of dwords that are mapped in part.
    lock: SpinLock,
}

/// Memory of regions that hold their bytes themselves: none is shared with the host.
pub type Regions = RegionMap<'static>;

/// A region that cannot be mapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MapError {
    /// It overlaps another region.
    Overlap,
    /// It exceeds the address space, or the memory of the host.
    TooLarge,
    /// It has more bytes than the memory of the host that is shared.
    Short,
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MapError::Overlap => "the region overlaps another region",
            MapError::TooLarge => "the region exceeds the address space, or the memory of the host",
            MapError::Short => "the region exceeds the memory that is shared",
        })
    }
}

impl core::error::Error for MapError {}

impl<'m> RegionMap<'m> {
    /// Memory without regions.
    #[must_use]
    pub const fn new() -> Self {
        RegionMap { regions: Vec::new(), edges: Vec::new(), lock: SpinLock::new() }
    }

    /// Maps zeros; nothing if `bytes` is 0.
    ///
    /// # Errors
    /// The region overlaps another, or exceeds the address space.
    pub fn map(&mut self, start: u64, bytes: u64) -> Result<(), MapError> {
        let Some(at) = self.room(start, bytes)? else { return Ok(()) };
        let qwords = (start + bytes).div_ceil(8) - start / 8;
        let qwords = usize::try_from(qwords).map_err(|_| MapError::TooLarge)?;
        let qwords: Vec<AtomicCell> = bytemuck::allocation::try_zeroed_vec(qwords).map_err(|()| MapError::TooLarge)?;
        if bytes <= MOST_WRITTEN {
            qwords.iter().step_by(HOST_PAGE / 8).for_each(|cell| Qword(cell).store(0));
        }
        let qwords = RegionCells::Owned(qwords.into_boxed_slice());
        self.regions.insert(at, Region { start, bytes, writable_bytes: bytes, qwords });
        Ok(())
    }

    /// Maps memory of the host, which waves access in place; nothing if `bytes` is 0. A store to memory that is not writable fails
    /// as one to memory that is not mapped.
    ///
    /// # Errors
    /// The region overlaps another, exceeds the address space, or has more bytes than the memory.
    #[cfg(target_has_atomic = "64")]
    pub fn map_shared(
        &mut self,
        start: u64,
        bytes: u64,
        cells: SharedCells<'m>,
        is_writable: bool,
    ) -> Result<(), MapError> {
        let Some(at) = self.room(start, bytes)? else { return Ok(()) };
        if bytes > cells.bytes().saturating_sub(start % cells.cell_bytes()) {
            return Err(MapError::Short);
        }
        match cells {
            SharedCells::Qwords(qwords) => {
                let writable_bytes = if is_writable { bytes } else { 0 };
                self.regions.insert(at, Region { start, bytes, writable_bytes, qwords: RegionCells::Shared(qwords) });
            }
            cells => {
                let at = self.edges.partition_point(|edge| edge.start < start);
                self.edges.insert(at, Edge { start, bytes, is_writable, cells });
            }
        }
        Ok(())
    }

    /// The index in `regions` of a new region; `None` if it has no bytes.
    fn room(&self, start: u64, bytes: u64) -> Result<Option<usize>, MapError> {
        let end = start.checked_add(bytes).ok_or(MapError::TooLarge)?;
        let at = self.regions.partition_point(|region| region.start < start);
        let after_previous = at.checked_sub(1).and_then(|at| self.regions.get(at));
        let overlaps = after_previous.is_some_and(|region| region.start + region.bytes > start)
            || self.regions.get(at).is_some_and(|region| region.start < end)
            || self.edges.iter().any(|edge| edge.start < end && edge.end() > start);
        if overlaps {
            return Err(MapError::Overlap);
        }
        Ok((bytes > 0).then_some(at))
    }

    /// The regions: the first address and the number of bytes of each, in ascending order; after them shared bytes and dwords.
    pub fn mapped(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let edges = self.edges.iter().map(|edge| (edge.start, edge.bytes));
        self.regions.iter().map(|region| (region.start, region.bytes)).chain(edges)
    }

    /// The region that an address is in.
    #[inline]
    fn region(&self, address: u64) -> Result<&Region<'m>, Unmapped> {
        let at = self.regions.partition_point(|region| region.start <= address);
        let region = at.checked_sub(1).and_then(|at| self.regions.get(at));
        region.filter(|region| address - region.start < region.bytes).ok_or(Unmapped { address })
    }

    /// The region that holds all bytes of an access, and the access's offset from the region's first number.
    #[inline]
    fn find(&self, address: u64, bytes: usize) -> Result<(&Region<'m>, u64), Unmapped> {
        let region = self.region(address)?;
        region.offset(address, bytes).map(|offset| (region, offset))
    }

    /// The same, if a store may write the bytes.
    #[inline]
    fn find_for_store(&self, address: u64, bytes: usize) -> Option<(&Region<'m>, u64)> {
        let region = self.region(address).ok().filter(|region| region.takes(address, bytes as u64))?;
        Some((region, address - (region.start & !7)))
    }

    /// The region, or the shared bytes or dwords, that an address is in, and how many bytes of an access.
    fn piece(&self, address: u64, bytes: usize) -> Result<(Piece<'_, 'm>, usize), Unmapped> {
        if let Ok(region) = self.region(address) {
            let count = region.bytes_from(address).min(bytes as u64) as usize;
            return Ok((Piece::Region(region, region.offset(address, count)?), count));
        }
        let at = self.edges.partition_point(|edge| edge.start <= address);
        let edge = at.checked_sub(1).and_then(|at| self.edges.get(at)).filter(|edge| edge.holds(address));
        let edge = edge.ok_or(Unmapped { address })?;
        Ok((Piece::Edge(edge, address), (edge.end() - address).min(bytes as u64) as usize))
    }

    /// Splits a store that touches several regions: the pieces with the bytes of each.
    ///
    /// # Errors
    /// The first byte that is not mapped, or that may only be read.
    fn parts(&self, address: u64, bytes: usize) -> Result<Vec<(Piece<'_, 'm>, usize)>, Unmapped> {
        let (mut address, mut left) = (address, bytes);
        let mut parts = Vec::new();
        while left > 0 {
            let (piece, count) = self.piece(address, left)?;
            if !piece.is_writable() {
                return Err(Unmapped { address });
            }
            parts.push((piece, count));
            address = address.wrapping_add(count as u64);
            left -= count;
        }
        Ok(parts)
    }

    /// Whether a byte that is not mapped is in the line of `line` bytes that a region ends in, or in the dword that one begins in.
    fn is_beside_region(&self, address: u64, line: u64) -> bool {
        self.is_after_region(address, line) || line == DWORD && self.is_before_region(address)
    }

    fn is_before_region(&self, address: u64) -> bool {
        let end = (address / DWORD + 1).saturating_mul(DWORD);
        let at = self.regions.partition_point(|region| region.start <= address);
        let edge = self.edges.partition_point(|edge| edge.start <= address);
        self.regions.get(at).is_some_and(|region| region.start < end)
            || self.edges.get(edge).is_some_and(|edge| edge.start < end)
    }

    fn is_after_region(&self, address: u64, line: u64) -> bool {
        let at = self.regions.partition_point(|region| region.start <= address);
        let region = at.checked_sub(1).and_then(|at| self.regions.get(at)).map(|region| region.start + region.bytes);
        let at = self.edges.partition_point(|edge| edge.start <= address);
        let edge = at.checked_sub(1).and_then(|at| self.edges.get(at)).map(Edge::end);
        region.max(edge).is_some_and(|end| end > address / line * line)
    }

    /// Reads bytes from several regions. Bytes after a region are zero, in the line of `line` bytes that the region ends in, and if these
    /// are dwords, bytes before a region.
    #[cold]
    fn read_parts(&self, mut address: u64, mut bytes: &mut [u8], line: u64) -> Result<(), Unmapped> {
        while !bytes.is_empty() {
            let piece = match self.piece(address, bytes.len()) {
                Ok(piece) => Some(piece),
                Err(_) if self.is_beside_region(address, line) => None,
                Err(unmapped) => return Err(unmapped),
            };
            let count = piece.as_ref().map_or(1, |(_, count)| *count);
            let (part, rest) = bytes.split_at_mut_checked(count).unwrap_or_default();
            match piece {
                Some((piece, _)) => piece.read(part),
                None => part.fill(0),
            }
            (address, bytes) = (address.wrapping_add(count as u64), rest);
        }
        Ok(())
    }

    /// Replaces an aligned dword of which a part is mapped in one step for other such atomics. The other bytes are zeros and stay so.
    ///
    /// # Errors
    /// No byte is mapped, or one may only be read.
    #[cold]
    fn update_part(&self, address: u64, f: &mut dyn FnMut(u64) -> u64) -> Result<u64, Unmapped> {
        let mut pieces = Vec::new();
        for (index, address) in (address..address.saturating_add(DWORD)).enumerate() {
            let Ok((piece, _)) = self.piece(address, 1) else { continue };
            if !piece.is_writable() {
                return Err(Unmapped { address });
            }
            pieces.push((index, piece));
        }
        if pieces.is_empty() {
            return Err(Unmapped { address });
        }
        self.lock.hold(|| {
            let mut bytes = [0; DWORD as usize];
            for (index, piece) in &pieces {
                piece.read(bytes.get_mut(*index..=*index).unwrap_or_default());
            }
            let old = u32::from_le_bytes(bytes);
            let new = (f(old.into()) as u32).to_le_bytes();
            // Plain stores to the bytes that do not change are not lost.
            for (index, piece) in &pieces {
                if let (Some(new), Some(old)) = (new.get(*index..=*index), bytes.get(*index..=*index))
                    && new != old
                {
                    piece.write(new);
                }
            }
            Ok(old.into())
        })
    }
}

/// The memory that a part of an access is in, and where.
enum Piece<'r, 'm> {
    /// A region, and the offset from its first number.
    Region(&'r Region<'m>, u64),
    /// Shared bytes or dwords, and the address.
    Edge(&'r Edge<'m>, u64),
}

impl Piece<'_, '_> {
    const fn is_writable(&self) -> bool {
        match self {
            Piece::Region(region, _) => region.writable_bytes > 0,
            Piece::Edge(edge, _) => edge.is_writable,
        }
    }

    fn read(&self, bytes: &mut [u8]) {
        match self {
            Piece::Region(region, offset) => region.copy_to(*offset, bytes),
            Piece::Edge(edge, address) => edge.read(*address, bytes),
        }
    }

    fn write(&self, bytes: &[u8]) {
        match self {
            Piece::Region(region, offset) => region.copy_from(*offset, bytes),
            Piece::Edge(edge, address) => edge.write(*address, bytes),
        }
    }
}

impl Memory for RegionMap<'_> {
    #[inline]
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        if bytes.is_empty() {
            return Ok(());
        }
        if let Ok((region, offset)) = self.find(address, bytes.len()) {
            region.copy_to(offset, bytes);
            return Ok(());
        }
        let is_dwords = address.is_multiple_of(DWORD) && (bytes.len() as u64).is_multiple_of(DWORD);
        self.read_parts(address, bytes, 1).or_else(|unmapped| {
            let read = if is_dwords { self.read_parts(address, bytes, DWORD) } else { Err(unmapped) };
            read.map_err(|_| unmapped)
        })
    }

    fn read_line(&self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        self.read(address, bytes).or_else(|_| self.read_parts(address, bytes, SCALAR_LINE))
    }

    #[inline]
    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Unmapped> {
        if bytes.is_empty() {
            return Ok(());
        }
        match self.find_for_store(address, bytes.len()) {
            Some((region, offset)) => region.copy_from(offset, bytes),
            None => {
                let mut rest = bytes;
                for (piece, count) in self.parts(address, bytes.len())? {
                    let (part, after) = rest.split_at_checked(count).unwrap_or_default();
                    piece.write(part);
                    rest = after;
                }
            }
        }
        Ok(())
    }

    fn update(&self, address: u64, bytes: usize, f: &mut dyn FnMut(u64) -> u64) -> Result<u64, Unmapped> {
        let (region, offset) = match self.find(address, bytes) {
            Ok((region, _)) if region.writable_bytes == 0 => return Err(Unmapped { address }),
            Ok(found) => found,
            Err(mut unmapped) => {
                if let Ok((Piece::Edge(edge, _), _)) = self.piece(address, bytes) {
                    let edge = Some(edge).filter(|edge| edge.is_writable).ok_or(Unmapped { address })?;
                    if let Some(old) = edge.update(address, bytes, f) {
                        return Ok(old);
                    }
                    unmapped = Unmapped { address: edge.end() };
                }
                let is_dword = bytes as u64 == DWORD && address.is_multiple_of(DWORD);
                return if is_dword { self.update_part(address, f).map_err(|_| unmapped) } else { Err(unmapped) };
            }
        };
        let shift = 8 * (offset % 8);
        if let Some(number) = region.qword(offset).filter(|_| shift + 8 * bytes as u64 <= 64) {
            let mask = if bytes < 8 { (1 << (8 * bytes)) - 1 } else { u64::MAX };
            let old = number.update(&mut |old| old & !(mask << shift) | (f(old >> shift & mask) & mask) << shift);
            return Ok(old >> shift & mask);
        }
        let mut buffer = [0; 8];
        let part = buffer.get_mut(..bytes.min(8)).unwrap_or_default();
        region.copy_to(offset, part);
        let old = u64::from_le_bytes(buffer);
        let new = f(old).to_le_bytes();
        region.copy_from(offset, new.get(..bytes.min(8)).unwrap_or_default());
        Ok(old)
    }

    fn gather(
        &self,
        addresses: &[u64; LANES],
        lanes: u32,
        bytes: usize,
        rows: &mut [Wide],
    ) -> Result<(), (usize, Unmapped)> {
        let read = self.gather_rows(addresses, lanes, bytes, rows);
        // The next region may hold the rest of an access.
        if read.is_some() { Ok(()) } else { gather_lanes(self, addresses, lanes, bytes, rows) }
    }

    fn scatter(
        &self,
        addresses: &[u64; LANES],
        lanes: u32,
        bytes: usize,
        rows: &[Wide],
    ) -> Result<(), (usize, Unmapped)> {
        let written = self.scatter_rows(addresses, lanes, bytes, rows);
        // The next region may hold the rest of an access. Lanes below the one that failed write the same again.
        if written.is_some() { Ok(()) } else { scatter_lanes(self, addresses, lanes, bytes, rows) }
    }

    #[inline]
    fn read_block(&self, address: u64, bytes: &mut [u8]) -> bool {
        let found = self.find(address, bytes.len());
        if let Ok((region, offset)) = found {
            region.copy_to(offset, bytes);
        }
        found.is_ok()
    }

    #[inline]
    fn write_block(&self, address: u64, bytes: &[u8]) -> bool {
        let found = self.find_for_store(address, bytes.len());
        if let Some((region, offset)) = found {
            region.copy_from(offset, bytes);
        }
        found.is_some()
    }
}

#[cfg(test)]
pub(crate) mod tests;
