//! The memory of a dispatch: a code object, buffers, and unmapped gaps between them.

use std::sync::atomic::AtomicU64;

use amdgpu_object::CodeObject;
use isa_exec::check::Extent;
use isa_exec::memory::{MapError, Memory, RegionMap, SharedCells, Unmapped};

use crate::services;

/// The address that is added to those of a code object, so that null pointers with an offset do not reach it.
pub const CODE_BASE: u64 = 0x1000_0000_0000;

/// The address of the first buffer.
const BUFFER_BASE: u64 = 0x2000_0000_0000;

/// Buffers begin at multiples of this, and at least this many bytes after each are not mapped.
const GAP: u64 = 0x1_0000;

/// Why memory cannot be mapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpaceError {
    /// Memory overlaps other memory.
    Overlap {
        /// The address of the second of the two.
        address: u64,
    },
    /// No memory is at an address: bits 63 to 47 differ.
    NotCanonical {
        /// The address.
        address: u64,
    },
    /// It does not fit into the address space, or into this machine's memory.
    TooLarge {
        /// Its size in bytes.
        bytes: u64,
    },
}

impl std::fmt::Display for SpaceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Overlap { address } => write!(f, "memory at {address:#x} overlaps other memory"),
            Self::NotCanonical { address } => write!(f, "no memory can be at {address:#x}"),
            Self::TooLarge { bytes } => write!(f, "memory of {bytes} bytes is too large"),
        }
    }
}

impl std::error::Error for SpaceError {}

/// A mapped range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Buffer {
    /// The address of the first byte.
    pub address: u64,
    /// The size in bytes.
    pub bytes: u64,
}

/// A range of the host's memory, and whether a kernel may write to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostRange {
    /// The first address.
    pub start: u64,
    /// The address after the last byte.
    pub end: u64,
    /// Whether stores are allowed.
    pub is_writable: bool,
}

impl HostRange {
    /// Returns the same memory as ranges without overlap, in ascending order. Bytes of several ranges may be written if one of them may.
    /// Empty ranges are left out.
    #[must_use]
    pub fn disjoint(ranges: &[Self]) -> Vec<Self> {
        let used = || ranges.iter().filter(|range| range.start < range.end);
        let mut bounds: Vec<u64> = used().flat_map(|range| [range.start, range.end]).collect();
        bounds.sort_unstable();
        bounds.dedup();
        let mut disjoint: Vec<Self> = Vec::new();
        for (start, end) in bounds.iter().copied().zip(bounds.iter().copied().skip(1)) {
            let mut holding = used().filter(|range| range.start <= start && end <= range.end).peekable();
            if holding.peek().is_none() {
                continue;
            }
            let is_writable = holding.any(|range| range.is_writable);
            match disjoint.last_mut() {
                Some(last) if last.end == start && last.is_writable == is_writable => last.end = end,
                _ => disjoint.push(Self { start, end, is_writable }),
            }
        }
        disjoint
    }
}

/// Memory of the host that waves access in place, at its own addresses.
#[derive(Debug, Clone)]
pub struct SharedBuffer<'m> {
    /// The address of the first byte.
    pub address: u64,
    /// The memory, without gaps, in parts that each begin at a multiple of the size of its numbers.
    pub parts: Vec<SharedCells<'m>>,
    /// Whether stores are allowed; without it they are faults.
    pub is_writable: bool,
}

impl SharedBuffer<'_> {
    /// Returns its address and size.
    #[must_use]
    pub fn range(&self) -> Buffer {
        Buffer { address: self.address, bytes: self.parts.iter().map(|part| part.bytes()).sum() }
    }
}

/// The segments of a code object in memory. Dispatches share those that are read-only.
#[derive(Debug)]
pub struct ObjectImage {
    segments: Vec<SegmentImage>,
}

#[derive(Debug)]
struct SegmentImage {
    address: u64,
    bytes: u64,
    is_writable: bool,
    /// From the multiple of 8 at or below the address on.
    qwords: Vec<AtomicU64>,
}

impl ObjectImage {
    /// Copies the segments of a code object.
    #[must_use]
    pub fn new(object: &CodeObject<'_>) -> Self {
        let segments = object.segments.iter().map(|segment| {
            let before = (segment.address % 8) as usize;
            let mut padded = vec![0; before];
            padded.extend_from_slice(&segment.bytes);
            padded.resize(padded.len().next_multiple_of(8), 0);
            let (qwords, _) = padded.as_chunks();
            SegmentImage {
                address: segment.address,
                bytes: segment.bytes.len() as u64,
                is_writable: segment.is_writable,
                qwords: qwords.iter().map(|bytes| AtomicU64::new(u64::from_le_bytes(*bytes))).collect(),
            }
        });
        Self { segments: segments.collect() }
    }
}

/// The memory that all waves of a dispatch share. `'m` is the lifetime of memory of the host that is mapped.
#[derive(Debug)]
pub struct AddressSpace<'m> {
    regions: RegionMap<'m>,
    next: u64,
    /// What a checker has to know of the regions.
    extents: Vec<Extent>,
}

impl Default for AddressSpace<'_> {
    fn default() -> Self {
        Self { regions: RegionMap::new(), next: BUFFER_BASE, extents: Vec::new() }
    }
}

impl<'m> AddressSpace<'m> {
    /// Maps the segments of a code object.
    ///
    /// # Errors
    /// Segments overlap, or are too large.
    pub fn new(object: &CodeObject<'_>) -> Result<Self, SpaceError> {
        let mut space = Self::default();
        for segment in &object.segments {
            space.map_region(segment.address, segment.bytes.len() as u64)?;
            if let Some(extent) = space.extents.last_mut() {
                extent.is_writable = segment.is_writable;
            }
            space.fill(segment.address, &segment.bytes);
        }
        Ok(space)
    }

    /// Maps the segments of a code object like [`new`](Self::new). Read-only ones are not copied, and stores to them are faults.
    ///
    /// # Errors
    /// Segments overlap, or are too large.
    pub fn with_image(image: &'m ObjectImage) -> Result<Self, SpaceError> {
        let mut space = Self::default();
        for SegmentImage { address, bytes, is_writable, qwords } in &image.segments {
            if *is_writable {
                space.map_region(*address, *bytes)?;
                let contents: Vec<u8> = qwords
                    .iter()
                    .flat_map(|qword| qword.load(std::sync::atomic::Ordering::Relaxed).to_le_bytes())
                    .collect();
                let start = (*address % 8) as usize;
                space.fill(*address, contents.get(start..start + *bytes as usize).unwrap_or_default());
            } else {
                let mapped = space.regions.map_shared(*address, *bytes, SharedCells::Qwords(qwords), false);
                mapped.map_err(|error| error_at(error, *address, *bytes))?;
                space.add_extent(*address, *bytes, false);
            }
        }
        Ok(space)
    }

    /// Maps memory of the host at its own address.
    ///
    /// # Errors
    /// It overlaps other memory, such as the code object, which is at [`CODE_BASE`], or does not fit into the address space.
    pub fn map_shared(&mut self, buffer: &SharedBuffer<'m>) -> Result<Buffer, SpaceError> {
        let mut bytes = 0_u64;
        for part in &buffer.parts {
            let size = part.bytes();
            let address = buffer.address.checked_add(bytes).ok_or(SpaceError::TooLarge { bytes })?;
            self.check_place(address, size)?;
            let mapped = self.regions.map_shared(address, size, *part, buffer.is_writable);
            mapped.map_err(|error| error_at(error, address, size))?;
            bytes += size;
        }
        if bytes > 0 {
            self.add_extent(buffer.address, bytes, buffer.is_writable);
        }
        Ok(Buffer { address: buffer.address, bytes })
    }

    fn add_extent(&mut self, address: u64, bytes: u64, is_writable: bool) {
        self.extents.push(Extent { is_writable, ..Extent::new(address, bytes) });
    }

    /// Maps zeros at an address: for pointers in memory, and for code with fixed halves of addresses. Unlike buffers, what is
    /// mapped so may touch other memory.
    ///
    /// # Errors
    /// It overlaps other memory or the buffers of services (from `0x3000_0000_0000` up to `0x4000_0000_0000`), does not fit into
    /// the address space, or bits 63 to 47 of an address differ.
    pub fn map(&mut self, address: u64, bytes: u64) -> Result<Buffer, SpaceError> {
        self.check_place(address, bytes)?;
        self.map_region(address, bytes)?;
        Ok(Buffer { address, bytes })
    }

    /// Checks whether memory that the caller places can be at an address.
    fn check_place(&self, address: u64, bytes: u64) -> Result<(), SpaceError> {
        let last = address.checked_add(bytes.saturating_sub(1)).ok_or(SpaceError::TooLarge { bytes })?;
        let is_canonical = |address: u64| matches!(address >> 47, 0 | 0x1_FFFF);
        for address in [address, last] {
            if !is_canonical(address) {
                return Err(SpaceError::NotCanonical { address });
            }
        }
        if address < services::END && last >= services::BEGIN {
            return Err(SpaceError::Overlap { address });
        }
        Ok(())
    }

    /// Maps contents at an address, like [`map`](Self::map).
    ///
    /// # Errors
    /// Those of [`map`](Self::map).
    pub fn map_with(&mut self, address: u64, contents: &[u8]) -> Result<Buffer, SpaceError> {
        let buffer = self.map(address, contents.len() as u64)?;
        self.fill(address, contents);
        Ok(buffer)
    }

    fn map_region(&mut self, address: u64, bytes: u64) -> Result<(), SpaceError> {
        self.regions.map(address, bytes).map_err(|error| error_at(error, address, bytes))?;
        if bytes > 0 {
            self.extents.push(Extent::new(address, bytes));
        }
        Ok(())
    }

    fn fill(&self, address: u64, bytes: &[u8]) {
        // The caller has mapped the range.
        let _ = self.regions.write(address, bytes);
    }

    /// Maps a buffer of zeros. An empty one has an address that no other buffer has, where nothing is mapped.
    ///
    /// # Errors
    /// It does not fit into the address space.
    pub fn allocate(&mut self, bytes: u64) -> Result<Buffer, SpaceError> {
        let too_large = SpaceError::TooLarge { bytes };
        let end = |address: u64| {
            let end = address.checked_add(bytes)?.checked_add(2 * GAP);
            end.filter(|end| *end < 1 << 47)
        };
        let mut address = self.next;
        // Memory that is mapped at an address may be in the way.
        while let Some(after) = self.mapped_until(address - GAP, end(address).ok_or(too_large)?) {
            address = after.checked_next_multiple_of(GAP).and_then(|after| after.checked_add(GAP)).ok_or(too_large)?;
        }
        self.map_region(address, bytes)?;
        self.next = end(address).ok_or(too_large)? & !(GAP - 1);
        Ok(Buffer { address, bytes })
    }

    /// The end of the last region that has bytes from `start` up to `end`.
    fn mapped_until(&self, start: u64, end: u64) -> Option<u64> {
        let overlapping = self.regions.mapped().filter(|(first, bytes)| *first < end && first + bytes > start);
        overlapping.map(|(first, bytes)| first + bytes).max()
    }

    /// Maps contents in the range of services, unless something is mapped there.
    pub(crate) fn map_of_services(&mut self, address: u64, contents: &[u8]) -> Result<(), SpaceError> {
        match self.map_region(address, contents.len() as u64) {
            Ok(()) => self.fill(address, contents),
            Err(SpaceError::Overlap { .. }) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Maps a buffer with contents.
    ///
    /// # Errors
    /// It does not fit into the address space.
    pub fn allocate_with(&mut self, contents: &[u8]) -> Result<Buffer, SpaceError> {
        let buffer = self.allocate(contents.len() as u64)?;
        self.fill(buffer.address, contents);
        Ok(buffer)
    }

    /// Maps a buffer of zeros whose bytes count as not written, for a checker.
    ///
    /// # Errors
    /// It does not fit into the address space.
    pub fn allocate_unwritten(&mut self, bytes: u64) -> Result<Buffer, SpaceError> {
        let buffer = self.allocate(bytes)?;
        if let Some(extent) = self.extents.last_mut().filter(|_| bytes > 0) {
            extent.is_written = false;
        }
        Ok(buffer)
    }

    /// Maps a buffer with contents that a kernel may not write, and of which it is given the first `bytes` bytes.
    pub(crate) fn allocate_read_only(&mut self, contents: &[u8], bytes: u64) -> Result<Buffer, SpaceError> {
        let buffer = self.allocate_with(contents)?;
        if let Some(extent) = self.extents.last_mut().filter(|extent| extent.address == buffer.address) {
            (extent.is_writable, extent.bytes) = (false, bytes);
        }
        Ok(buffer)
    }

    /// Returns the parts of the memory, for a checker.
    #[must_use]
    pub fn extents(&self) -> Vec<Extent> {
        let (begin, bytes) = (services::BEGIN, services::END - services::BEGIN);
        let of_host = Extent { is_foreign: true, ..Extent::new(begin, bytes) };
        let others = self.extents.iter().filter(|extent| extent.address.wrapping_sub(begin) >= bytes);
        others.cloned().chain([of_host]).collect()
    }

    /// Returns the contents of a buffer.
    ///
    /// # Errors
    /// The range is not mapped.
    pub fn contents(&self, buffer: Buffer) -> Result<Vec<u8>, Unmapped> {
        let size = usize::try_from(buffer.bytes).map_err(|_| Unmapped { address: buffer.address })?;
        let mut bytes = vec![0; size];
        self.regions.read(buffer.address, &mut bytes)?;
        Ok(bytes)
    }

    /// Returns the memory as waves access it.
    #[must_use]
    pub const fn memory(&self) -> &RegionMap<'m> {
        &self.regions
    }
}

/// Names the memory of an error.
const fn error_at(error: MapError, address: u64, bytes: u64) -> SpaceError {
    match error {
        MapError::Overlap => SpaceError::Overlap { address },
        MapError::TooLarge | MapError::Short => SpaceError::TooLarge { bytes },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_the_host_are_merged() {
        let range = |start, end, is_writable| HostRange { start, end, is_writable };
        let merged = HostRange::disjoint(&[
            range(10, 20, false),
            range(15, 30, true),
            range(30, 30, true),
            range(40, 50, false),
        ]);
        assert_eq!(merged, [range(10, 15, false), range(15, 30, true), range(40, 50, false)]);
        assert_eq!(
            HostRange::disjoint(&[range(0, 8, true), range(8, 16, true), range(2, 4, false)]),
            [range(0, 16, true)]
        );
        assert!(HostRange::disjoint(&[]).is_empty());
    }

    #[test]
    fn memory_at_addresses_is_canonical_and_apart() {
        let mut space = AddressSpace::default();
        let high = 0xFFFF_8000_0000_1000;
        assert_eq!(space.map_with(high, &[1, 2, 3]), Ok(Buffer { address: high, bytes: 3 }));
        // What is mapped may touch, but not overlap.
        assert_eq!(space.map(high + 2, 1), Err(SpaceError::Overlap { address: high + 2 }));
        assert_eq!(space.map(high + 3, 5), Ok(Buffer { address: high + 3, bytes: 5 }));
        let both = Buffer { address: high, bytes: 8 };
        assert_eq!(space.contents(both), Ok(vec![1, 2, 3, 0, 0, 0, 0, 0]));
        let not_canonical = |address| Err(SpaceError::NotCanonical { address });
        assert_eq!(space.map(1 << 47, 4), not_canonical(1 << 47));
        assert_eq!(space.map(0xFFFF_7FFF_FFFF_FFFC, 4), not_canonical(0xFFFF_7FFF_FFFF_FFFC));
        assert_eq!(space.map((1 << 47) - 4, 8), not_canonical((1 << 47) + 3));
        assert_eq!(space.map((1 << 47) - 8, 8).map(|buffer| buffer.bytes), Ok(8));
        assert_eq!(space.map(u64::MAX - 7, 16), Err(SpaceError::TooLarge { bytes: 16 }));
    }

    #[test]
    fn buffers_keep_their_distance_from_mapped_memory() {
        let mut space = AddressSpace::default();
        let first = space.allocate(4).expect("a buffer");
        assert_eq!(first.address, BUFFER_BASE);
        let mapped = space.map(BUFFER_BASE + 3 * GAP + 8, 2 * GAP).expect("memory");
        let buffers = [1, GAP, 3 * GAP].map(|bytes| space.allocate(bytes).expect("a buffer"));
        let mut all = [&[first, mapped][..], &buffers].concat();
        all.sort_by_key(|buffer| buffer.address);
        for pair in all.windows(2) {
            let gap = pair[1].address - (pair[0].address + pair[0].bytes);
            assert!(gap >= GAP || pair.contains(&mapped) && pair.contains(&first), "{pair:x?}");
        }
    }
}
