//! The memory of a dispatch: a code object, buffers, and unmapped gaps between them.

use amdgpu_object::CodeObject;
use isa_exec::memory::{MapError, Memory, Regions, Unmapped};

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
    /// Segments of the code object overlap.
    Overlap {
        /// The address of the second.
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
            Self::Overlap { address } => write!(f, "the segment at {address:#x} overlaps another"),
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

/// The memory that all waves of a dispatch share.
#[derive(Debug)]
pub struct AddressSpace {
    regions: Regions,
    next: u64,
}

impl Default for AddressSpace {
    fn default() -> Self {
        Self { regions: Regions::new(), next: BUFFER_BASE }
    }
}

impl AddressSpace {
    /// Maps the segments of a code object.
    ///
    /// # Errors
    /// Segments overlap, or are too large.
    pub fn new(object: &CodeObject) -> Result<Self, SpaceError> {
        let mut space = Self::default();
        for segment in &object.segments {
            space.map(segment.address, segment.bytes.len() as u64)?;
            space.fill(segment.address, &segment.bytes);
        }
        Ok(space)
    }

    fn map(&mut self, address: u64, bytes: u64) -> Result<(), SpaceError> {
        self.regions.map(address, bytes).map_err(|error| match error {
            MapError::Overlap => SpaceError::Overlap { address },
            MapError::TooLarge => SpaceError::TooLarge { bytes },
        })
    }

    fn fill(&self, address: u64, bytes: &[u8]) {
        // The caller has mapped the range.
        let _ = self.regions.write(address, bytes);
    }

    /// Maps a buffer of zeros. An empty one has an address of its own, where nothing is mapped.
    ///
    /// # Errors
    /// It does not fit into the address space.
    pub fn allocate(&mut self, bytes: u64) -> Result<Buffer, SpaceError> {
        let address = self.next;
        let end = address.checked_add(bytes).and_then(|end| end.checked_add(2 * GAP));
        let end = end.filter(|end| *end < 1 << 47).ok_or(SpaceError::TooLarge { bytes })?;
        self.map(address, bytes)?;
        self.next = end & !(GAP - 1);
        Ok(Buffer { address, bytes })
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
    pub const fn memory(&self) -> &Regions {
        &self.regions
    }
}
