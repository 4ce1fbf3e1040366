//! The arithmetic of buffers that all generations share: arrays of records, linear or swizzled.
//!
//! RDNA3 guide §9.4, and the addressing part of the GCN text on MUBUF.

/// The address fields of a buffer instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Access {
    /// The immediate offset in bytes.
    pub offset: u32,
    /// Whether a VGPR holds an offset.
    pub offen: bool,
    /// Whether a VGPR holds an index.
    pub idxen: bool,
}

impl Access {
    /// The number of address VGPRs.
    #[must_use]
    pub const fn registers(self) -> u8 {
        self.offen as u8 + self.idxen as u8
    }

    /// Returns the index and the offset from the address VGPRs, 0 for one that the instruction does not have. The index
    /// comes first if there are both. RDNA3 guide §9.2 (table 40).
    #[must_use]
    pub const fn split(self, registers: [u32; 2]) -> (u32, u32) {
        match (self.idxen, self.offen) {
            (false, false) => (0, 0),
            (false, true) => (0, registers[0]),
            (true, false) => (registers[0], 0),
            (true, true) => (registers[0], registers[1]),
        }
    }
}

/// The lane's part of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lane {
    /// The lane number within the wave.
    pub id: u8,
    /// The values of VADDR and the VGPR after it.
    pub vaddr: [u32; 2],
}

/// The geometry of a swizzled buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Swizzle {
    /// The size of a record in bytes.
    pub stride: u32,
    /// The size of an element in bytes.
    pub element: u32,
    /// The number of records whose elements are adjacent: const_index_stride.
    pub index_stride: u32,
}

/// Returns the buffer offset of a byte of a linear array: `index * stride + offset`.
#[must_use]
pub const fn linear(index: u64, stride: u32, offset: u64) -> u64 {
    index.wrapping_mul(stride as u64).wrapping_add(offset)
}

/// Returns the buffer offset of a byte of a swizzled array. RDNA3 guide §9.4.2.
///
/// Groups of `index_stride` records are stored element by element: first the first element of each record, then the
/// second of each, and so on.
#[must_use]
pub const fn swizzled(index: u64, offset: u64, by: Swizzle) -> u64 {
    // A width of 0 never comes from a descriptor; it counts as 1 here, so that there is nothing to divide by.
    let element = if by.element == 0 { 1 } else { by.element as u64 };
    let index_stride = if by.index_stride == 0 { 1 } else { by.index_stride as u64 };
    let (index_msb, index_lsb) = (index / index_stride, index % index_stride);
    let (offset_msb, offset_lsb) = (offset / element, offset % element);
    index_msb
        .wrapping_mul(by.stride as u64)
        .wrapping_add(offset_msb.wrapping_mul(element))
        .wrapping_mul(index_stride)
        .wrapping_add(index_lsb * element)
        .wrapping_add(offset_lsb)
}

crate::codes! {
    /// The source of a component: DST_SEL. RDNA3 guide §9.6 (table 47), §10.5 (table 50); GCN's buffer resource has the
    /// same codes.
    pub enum DstSelect {
        /// Zero.
        Zero = 0 "0",
        /// One.
        One = 1 "1",
        /// The first component.
        R = 4 "R",
        /// The second component.
        G = 5 "G",
        /// The third component.
        B = 6 "B",
        /// The fourth component.
        A = 7 "A",
    }
}

/// The identity: each component selects itself.
pub const IDENTITY: [DstSelect; 4] = [DstSelect::R, DstSelect::G, DstSelect::B, DstSelect::A];

crate::codes! {
    /// The number of records whose elements are adjacent in a swizzled buffer. RDNA3 guide §9.6 (table 47); GCN has the
    /// same codes.
    pub enum IndexStride: full {
        /// 8 records.
        By8 = 0 "8",
        /// 16 records.
        By16 = 1 "16",
        /// 32 records.
        By32 = 2 "32",
        /// 64 records.
        By64 = 3 "64",
    }
}

impl IndexStride {
    /// The number of records.
    #[must_use]
    pub const fn records(self) -> u32 {
        8 << self as u32
    }
}

/// Returns the size of a buffer for scalar loads: the stride (1 if it is 0) times the number of records. Larger or
/// equal offsets are out of range. RDNA3 guide §8.1.2, §8.4.1, §9.4.1.4.
#[must_use]
pub const fn scalar_bytes(stride: u32, records: u32) -> u64 {
    let stride = if stride == 0 { 1 } else { stride };
    stride as u64 * records as u64
}
