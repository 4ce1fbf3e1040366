//! Memory of programs.

mod qword;

use alloc::vec::Vec;
use core::fmt;

use crate::memory::qword::Qword;
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
}

/// The bytes of a line of the scalar cache.
pub const SCALAR_LINE: u64 = 64;

/// The bytes of a dword.
const DWORD: u64 = 4;

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

/// A mapped range of addresses.
#[derive(Debug)]
struct Region {
    start: u64,
    bytes: u64,
    /// The memory from the multiple of 8 at or below `start` on.
    qwords: Vec<Qword>,
}

/// Memory of mapped regions. What is outside them faults, except that loads of aligned dwords see zeros in the rest of the
/// last dword of a region, and scalar loads in the rest of its last line ([`SCALAR_LINE`]): LLVM loads `<3 x i8>` as a dword,
/// `<3 x i16>` as two, and three dwords as four with S_LOAD, where the pointer is aligned. Regions may touch: an access may begin in
/// one and end in the next.
///
/// A region is numbers of 64 bits that are atomics: loads and stores of the processor, without unsafe code. Aligned atomics
/// of 4 and 8 bytes are one step for other threads, on hosts that have atomics of 64 bits; on others (with one core, such as
/// Cortex-M) those of 8 bytes are not. What a thread writes before it changes a number is visible to those that read it.
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
    /// It exceeds the address space, or the memory of the host.
    TooLarge,
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MapError::Overlap => "the region overlaps another region",
            MapError::TooLarge => "the region exceeds the address space, or the memory of the host",
        })
    }
}

impl core::error::Error for MapError {}

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
        let qwords = end.div_ceil(8) - start / 8;
        let qwords = usize::try_from(qwords).map_err(|_| MapError::TooLarge)?;
        let mut memory = Vec::new();
        memory.try_reserve_exact(qwords).map_err(|_| MapError::TooLarge)?;
        memory.resize_with(qwords, Qword::default);
        self.regions.insert(at, Region { start, bytes, qwords: memory });
        Ok(())
    }

    /// The regions: the first address and the number of bytes of each, in ascending order.
    pub fn mapped(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.regions.iter().map(|region| (region.start, region.bytes))
    }

    /// The region that an address is in.
    #[inline]
    fn region(&self, address: u64) -> Result<&Region, Unmapped> {
        let at = self.regions.partition_point(|region| region.start <= address);
        let region = at.checked_sub(1).and_then(|at| self.regions.get(at));
        region.filter(|region| address - region.start < region.bytes).ok_or(Unmapped { address })
    }

    /// The region that holds all bytes of an access, and the access's offset from the region's first number.
    #[inline]
    fn find(&self, address: u64, bytes: usize) -> Result<(&Region, u64), Unmapped> {
        let region = self.region(address)?;
        region.offset(address, bytes).map(|offset| (region, offset))
    }

    /// Splits an access that touches several regions: the region of each part, the offset there, and the part's bytes.
    ///
    /// # Errors
    /// The first byte that is not mapped.
    fn parts(&self, address: u64, bytes: usize) -> Result<Vec<(&Region, u64, usize)>, Unmapped> {
        let (mut address, mut left) = (address, bytes);
        let mut parts = Vec::new();
        while left > 0 {
            let region = self.region(address)?;
            let count = region.bytes_from(address).min(left as u64);
            parts.push((region, region.offset(address, count as usize)?, count as usize));
            address = address.wrapping_add(count);
            left -= count as usize;
        }
        Ok(parts)
    }

    /// Whether a byte that is not mapped is in the line of `line` bytes that a region ends in.
    fn is_after_region(&self, address: u64, line: u64) -> bool {
        let at = self.regions.partition_point(|region| region.start <= address);
        let before = at.checked_sub(1).and_then(|at| self.regions.get(at));
        before.is_some_and(|region| region.start + region.bytes > address / line * line)
    }

    /// Reads bytes from several regions. Bytes after a region are zero, in the line of `line` bytes that the region ends in.
    #[cold]
    fn read_parts(&self, mut address: u64, mut bytes: &mut [u8], line: u64) -> Result<(), Unmapped> {
        while !bytes.is_empty() {
            let region = match self.region(address) {
                Ok(region) => Some(region),
                Err(_) if self.is_after_region(address, line) => None,
                Err(unmapped) => return Err(unmapped),
            };
            let count = region.map_or(1, |region| region.bytes_from(address).min(bytes.len() as u64) as usize);
            let (part, rest) = bytes.split_at_mut_checked(count).unwrap_or_default();
            match region {
                Some(region) => region.copy_to(region.offset(address, count)?, part),
                None => part.fill(0),
            }
            (address, bytes) = (address.wrapping_add(count as u64), rest);
        }
        Ok(())
    }

    /// Calls a function for each lane of a mask with the region of its address and the offset there.
    #[inline]
    fn each_lane(
        &self,
        addresses: &[u64; LANES],
        lanes: u32,
        bytes: usize,
        mut f: impl FnMut(usize, &Region, u64),
    ) -> Result<(), (usize, Unmapped)> {
        // Lanes that access one region are usual: it is looked up again for an address outside only.
        let mut region = None;
        for (lane, address) in addresses.iter().enumerate() {
            if lanes >> lane & 1 == 0 {
                continue;
            }
            let inside = region.filter(|region: &&Region| address.wrapping_sub(region.start) < region.bytes);
            let found = match inside {
                Some(region) => region,
                None => self.region(*address).map_err(|unmapped| (lane, unmapped))?,
            };
            region = Some(found);
            f(lane, found, found.offset(*address, bytes).map_err(|unmapped| (lane, unmapped))?);
        }
        Ok(())
    }

    /// Writes a dword for each lane of a mask. Two neighbours become one store of 64 bits: replacing half of a number takes
    /// an atomic exchange, which is 10 times as slow.
    fn scatter_dwords(&self, addresses: &[u64; LANES], lanes: u32, row: &Wide) -> Result<(), (usize, Unmapped)> {
        let (pairs, _) = addresses.as_chunks::<2>();
        let (values, _) = row.0.as_chunks::<2>();
        let mut region: Option<&Region> = None;
        for (pair, ([first, second], [low, high])) in pairs.iter().zip(values).enumerate() {
            let active = lanes >> (2 * pair) & 3;
            if active == 3 && first.is_multiple_of(8) && first.checked_add(4) == Some(*second) {
                let inside = region.filter(|region| first.wrapping_sub(region.start) < region.bytes);
                let found = inside.or_else(|| self.region(*first).ok());
                let whole = found.and_then(|region| region.qword(region.offset(*first, 8).ok()?));
                if let Some(number) = whole {
                    number.store(u64::from(*high) << 32 | u64::from(*low));
                    region = found;
                    continue;
                }
            }
            for (lane, address, value) in [(0, first, low), (1, second, high)] {
                if active >> lane & 1 != 0 {
                    let (region, offset) = self.find(*address, 4).map_err(|unmapped| (2 * pair + lane, unmapped))?;
                    region.set_part(offset, 4, *value);
                }
            }
        }
        Ok(())
    }
}

impl Region {
    /// The bytes of the region from an address in it on.
    #[inline]
    const fn bytes_from(&self, address: u64) -> u64 {
        self.bytes - (address - self.start)
    }

    /// The offset of an access that begins in the region, from the region's first number.
    #[inline]
    fn offset(&self, address: u64, bytes: usize) -> Result<u64, Unmapped> {
        let left = self.bytes_from(address);
        if bytes as u64 > left {
            return Err(Unmapped { address: address.wrapping_add(left) });
        }
        Ok(address - (self.start & !7))
    }

    fn qword(&self, offset: u64) -> Option<&Qword> {
        self.qwords.get(usize::try_from(offset / 8).ok()?)
    }

    /// The dword at any offset.
    #[inline]
    fn dword(&self, offset: u64) -> u32 {
        let number = |offset| self.qword(offset).map_or(0, Qword::load);
        let shift = 8 * (offset % 8);
        let low = number(offset) >> shift;
        if shift > 32 { (low | number(offset + 8) << (64 - shift)) as u32 } else { low as u32 }
    }

    /// Up to four bytes at any offset.
    #[inline]
    fn part(&self, offset: u64, bytes: usize) -> u32 {
        let end = offset % 8 + bytes as u64;
        // Bytes after the access may be in a number that the region does not have.
        if end > 8 || bytes == 4 {
            let mask = if bytes < 4 { (1 << (8 * bytes)) - 1 } else { u32::MAX };
            return self.dword(offset) & mask;
        }
        let number = self.qword(offset).map_or(0, Qword::load) >> (8 * (offset % 8));
        number as u32 & ((1 << (8 * bytes)) - 1)
    }

    /// Replaces up to four bytes at any offset.
    #[inline]
    fn set_part(&self, offset: u64, bytes: usize, value: u32) {
        let shift = 8 * (offset % 8);
        let mask = if bytes < 4 { (1 << (8 * bytes)) - 1 } else { u64::from(u32::MAX) };
        let value = u64::from(value) & mask;
        if let Some(number) = self.qword(offset) {
            number.set_bits(mask << shift, value << shift);
        }
        if shift + 8 * bytes as u64 > 64
            && let Some(number) = self.qword(offset + 8)
        {
            number.set_bits(mask >> (64 - shift), value >> (64 - shift));
        }
    }

    /// Copies bytes from the region. A whole number is one load: a store by another thread is seen in all of its bytes or in none.
    fn copy_to(&self, offset: u64, bytes: &mut [u8]) {
        let head = bytes.len().min(offset.wrapping_neg() as usize % 8);
        let (head, rest) = bytes.split_at_mut_checked(head).unwrap_or_default();
        let (whole, tail) = rest.as_chunks_mut::<8>();
        let copy_parts = |bytes: &mut [u8], offset: u64| {
            for (chunk, at) in bytes.chunks_mut(4).zip((offset..).step_by(4)) {
                let dword = self.part(at, chunk.len()).to_le_bytes();
                chunk.copy_from_slice(dword.get(..chunk.len()).unwrap_or_default());
            }
        };
        let start = offset + head.len() as u64;
        copy_parts(tail, start + 8 * whole.len() as u64);
        for (chunk, at) in whole.iter_mut().zip((start..).step_by(8)) {
            *chunk = self.qword(at).map_or(0, Qword::load).to_le_bytes();
        }
        copy_parts(head, offset);
    }

    /// Copies bytes to the region.
    fn copy_from(&self, offset: u64, bytes: &[u8]) {
        // Up to the first whole number, whole numbers, and the rest.
        let head = bytes.len().min(offset.wrapping_neg() as usize % 8);
        let (head, rest) = bytes.split_at_checked(head).unwrap_or((bytes, &[]));
        let (whole, tail) = rest.as_chunks::<8>();
        let dword = |chunk: &[u8]| chunk.iter().rev().fold(0, |dword, byte| dword << 8 | u32::from(*byte));
        for (chunk, at) in head.chunks(4).zip((offset..).step_by(4)) {
            self.set_part(at, chunk.len(), dword(chunk));
        }
        let offset = offset + head.len() as u64;
        for (chunk, at) in whole.iter().zip((offset..).step_by(8)) {
            if let Some(number) = self.qword(at) {
                number.store(u64::from_le_bytes(*chunk));
            }
        }
        let offset = offset + 8 * whole.len() as u64;
        for (chunk, at) in tail.chunks(4).zip((offset..).step_by(4)) {
            self.set_part(at, chunk.len(), dword(chunk));
        }
    }
}

impl Memory for Regions {
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
        match self.find(address, bytes.len()) {
            Ok((region, offset)) => region.copy_from(offset, bytes),
            Err(_) => {
                let mut rest = bytes;
                for (region, offset, count) in self.parts(address, bytes.len())? {
                    let (part, after) = rest.split_at_checked(count).unwrap_or_default();
                    region.copy_from(offset, part);
                    rest = after;
                }
            }
        }
        Ok(())
    }

    fn update(&self, address: u64, bytes: usize, f: &mut dyn FnMut(u64) -> u64) -> Result<u64, Unmapped> {
        let (region, offset) = self.find(address, bytes)?;
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
        let read = if let (4, [row]) = (bytes, &mut *rows) {
            self.each_lane(addresses, lanes, 4, |lane, region, offset| {
                if let Some(to) = row.0.get_mut(lane) {
                    *to = region.dword(offset);
                }
            })
        } else {
            self.each_lane(addresses, lanes, bytes, |lane, region, offset| {
                for ((pair, at), n) in rows.chunks_mut(2).zip((offset..).step_by(8)).zip((0..bytes).step_by(8)) {
                    match (pair, region.qword(at)) {
                        // A whole number is one load: a store by another thread is seen in both dwords or in none.
                        ([low, high], Some(number)) if at.is_multiple_of(8) && bytes - n >= 8 => {
                            let number = number.load();
                            low.set(lane, number as u32);
                            high.set(lane, (number >> 32) as u32);
                        }
                        (pair, _) => {
                            for (row, part) in pair.iter_mut().zip((0..bytes - n).step_by(4)) {
                                row.set(lane, region.part(at + part as u64, (bytes - n - part).min(4)));
                            }
                        }
                    }
                }
            })
        };
        // The next region may hold the rest of an access.
        read.or_else(|_| gather_lanes(self, addresses, lanes, bytes, rows))
    }

    fn scatter(
        &self,
        addresses: &[u64; LANES],
        lanes: u32,
        bytes: usize,
        rows: &[Wide],
    ) -> Result<(), (usize, Unmapped)> {
        let value = |row: &Wide, lane: usize| row.0.get(lane).copied().unwrap_or(0);
        let written = if let (4, [row]) = (bytes, rows) {
            self.scatter_dwords(addresses, lanes, row)
        } else {
            self.each_lane(addresses, lanes, bytes, |lane, region, offset| {
                let mut left = bytes;
                let mut rows = rows;
                let mut offset = offset;
                // Whole numbers are stored without reading them.
                while let ([low, high, rest @ ..], true, Some(number)) =
                    (rows, offset.is_multiple_of(8) && left >= 8, region.qword(offset))
                {
                    number.store(u64::from(value(high, lane)) << 32 | u64::from(value(low, lane)));
                    (rows, left, offset) = (rest, left - 8, offset + 8);
                }
                for row in rows {
                    region.set_part(offset, left.min(4), value(row, lane));
                    left = left.saturating_sub(4);
                    offset += 4;
                }
            })
        };
        // The next region may hold the rest of an access. Lanes below the one that failed write the same again.
        written.or_else(|_| scatter_lanes(self, addresses, lanes, bytes, rows))
    }
}

#[cfg(test)]
pub(crate) mod tests;
