//! The arithmetic of buffers that all generations share: arrays of records, linear or swizzled.
//!
//! RDNA3 guide §9.4, and the addressing part of the GCN text on MUBUF.

/// What an instruction says of the address of a buffer access.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Access {
    /// The constant offset in bytes.
    pub offset: u16,
    /// Whether a register gives a further offset.
    pub offen: bool,
    /// Whether a register gives an index.
    pub idxen: bool,
}

impl Access {
    /// How many address registers the instruction has, of 32 bits each.
    #[must_use]
    pub const fn registers(self) -> u8 {
        self.offen as u8 + self.idxen as u8
    }

    /// The index and the offset that the registers hold: the index first where there are two, 0 for what is not there.
    /// RDNA3 guide §9.2 (table 40).
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

/// What a lane brings to an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lane {
    /// The number of the lane in its wave.
    pub id: u8,
    /// The address registers: VADDR and the one after it, as far as the instruction has them.
    pub vaddr: [u32; 2],
}

/// How a swizzled buffer is cut up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Swizzle {
    /// The bytes of a record.
    pub stride: u32,
    /// The bytes of an element.
    pub element: u32,
    /// How many records lie side by side, an element of each.
    pub index_stride: u32,
}

/// Where a byte of a linear array lies: `index * stride + offset`.
#[must_use]
pub const fn linear(index: u64, stride: u32, offset: u64) -> u64 {
    index.wrapping_mul(stride as u64).wrapping_add(offset)
}

/// Where a byte of a swizzled array lies. RDNA3 guide §9.4.2.
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
    /// What a component of an element becomes: DST_SEL. RDNA3 guide §9.6 (table 47), §10.5 (table 50); GCN's buffer
    /// resource has the same codes.
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

/// Every component as it is stored.
pub const IDENTITY: [DstSelect; 4] = [DstSelect::R, DstSelect::G, DstSelect::B, DstSelect::A];

crate::codes! {
    /// How many records lie side by side in a swizzled buffer. RDNA3 guide §9.6 (table 47); GCN's buffer resource has
    /// the same codes.
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
    /// How many records.
    #[must_use]
    pub const fn records(self) -> u32 {
        8 << self as u32
    }
}

/// How many bytes of a buffer scalar loads can reach: the stride (1 if it is 0) times the number of records. An offset at
/// or beyond it is out of range. RDNA3 guide §8.1.2, §8.4.1, §9.4.1.4.
#[must_use]
pub const fn scalar_bytes(stride: u32, records: u32) -> u64 {
    let stride = if stride == 0 { 1 } else { stride };
    stride as u64 * records as u64
}
