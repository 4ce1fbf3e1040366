//! The buffer resource, V#. Guide §9.6, table 47.

use core::fmt;

use amdgpu_memory::buffer::Swizzle;
pub use amdgpu_memory::buffer::{DstSelect, IndexStride};
use amdgpu_memory::{codes, descriptor};

use super::format::DataFormat;

codes! {
    /// The swizzle mode and its element size. Guide §9.4 (table 44), §9.4.2.
    pub enum SwizzleEnable {
        /// Linear: no swizzle.
        Linear = 0 "linear",
        /// Swizzled in elements of four bytes.
        Elements4 = 1 "elements of 4 bytes",
        /// Swizzled in elements of sixteen bytes.
        Elements16 = 3 "elements of 16 bytes",
    }
}

impl SwizzleEnable {
    /// The size of an element in bytes; `None` if the buffer is linear. The reserved code counts as linear.
    #[must_use]
    pub const fn element(self) -> Option<u32> {
        match self {
            SwizzleEnable::Elements4 => Some(4),
            SwizzleEnable::Elements16 => Some(16),
            SwizzleEnable::Linear | SwizzleEnable::Reserved(_) => None,
        }
    }
}

codes! {
    /// The out-of-bounds check. Guide §9.4.1, table 46.
    pub enum OobSelect: full {
        /// Structured buffers: out of bounds if the index is beyond the records or the offset beyond the stride.
        Structured = 0 "structured",
        /// Out of bounds if the index is beyond the records.
        IndexOnly = 1 "index",
        /// Out of bounds only if the buffer has no records.
        EmptyOnly = 2 "empty only",
        /// Raw buffers: out of bounds if the offset is beyond the size in bytes; swizzled buffers as structured ones.
        Raw = 3 "raw",
    }
}

codes! {
    /// The accesses that do not allocate in the last-level cache, regardless of page and instruction. Guide §9.6, table
    /// 47.
    pub enum LlcNoAlloc: full {
        /// None.
        Never = 0 "never",
        /// Writes.
        Writes = 1 "writes",
        /// Reads.
        Reads = 2 "reads",
        /// All.
        Always = 3 "always",
    }
}

impl LlcNoAlloc {
    /// Whether an access does not allocate in the last-level cache; `page` is NOALLOC of the page table entry, `dlc`
    /// the bit of the instruction.
    #[must_use]
    pub const fn no_alloc(self, read: bool, page: bool, dlc: bool) -> bool {
        match self {
            LlcNoAlloc::Never => page || dlc,
            LlcNoAlloc::Writes => !read || page || dlc,
            LlcNoAlloc::Reads => read || page || dlc,
            LlcNoAlloc::Always => true,
        }
    }
}

codes! {
    /// The resource type in the two highest bits of four dwords. Guide §9.6, table 47.
    pub enum ResourceKind {
        /// A buffer.
        Buffer = 0 "buffer",
    }
}

descriptor! {
    /// The buffer resource, V#: four dwords. Guide §9.6, table 47.
    #[doc(alias = "V#")]
    pub struct BufferResource [u128; 4], values BufferValues {
        /// The address of the first byte.
        base: u64 = 48,
        /// The distance between records in bytes.
        stride: u16 = 14,
        /// The swizzle mode.
        swizzle: SwizzleEnable = 2,
        /// The number of records, or of bytes if the stride is 0 or the buffer is not swizzled (guide §9.4).
        num_records: u32 = 32,
        /// The source of the first component.
        dst_sel_x: DstSelect = 3,
        /// The source of the second component.
        dst_sel_y: DstSelect = 3,
        /// The source of the third component.
        dst_sel_z: DstSelect = 3,
        /// The source of the fourth component.
        dst_sel_w: DstSelect = 3,
        /// The format of elements. Buffers have formats with codes below 64.
        format: DataFormat = 6,
        _ = 3,
        /// The number of adjacent records in a swizzled buffer.
        index_stride: IndexStride = 2,
        /// Whether the hardware adds the lane number to the index.
        add_tid: bool = 1,
        _ = 2,
        /// The accesses that do not allocate in the last-level cache.
        llc_no_alloc: LlcNoAlloc = 2,
        /// The out-of-bounds check.
        oob_select: OobSelect = 2,
        /// The resource type.
        kind: ResourceKind = 2,
    }
}

/// A buffer resource of any generation, as addresses need it.
pub trait BufferDescriptor: Copy {
    /// The resource type.
    fn kind(&self) -> ResourceKind;
    /// The address of the first byte.
    fn base(&self) -> u64;
    /// The distance between records in bytes.
    fn stride(&self) -> u32;
    /// The distance between records in the bounds check of scalar loads: without RDNA4's scale of the stride (RDNA4's guide §8.1.2).
    fn scalar_stride(&self) -> u32;
    /// The number of records, or of bytes.
    fn num_records(&self) -> u32;
    /// The format of elements.
    fn format(&self) -> DataFormat;
    /// The sources of the components.
    fn selects(&self) -> [DstSelect; 4];
    /// Whether the hardware adds the lane number to the index.
    fn add_tid(&self) -> bool;
    /// The out-of-bounds check.
    fn oob_select(&self) -> OobSelect;
    /// The geometry of a swizzled buffer; `None` if it is linear. Guide §9.4.2.
    fn cut(&self) -> Option<Swizzle>;

    /// Whether the resource is unbound, so that loads return zero and stores are dropped: its format is INVALID and,
    /// for untyped instructions, the hardware does not add the lane number to the index. Guide §9.6.
    fn is_unbound(&self, typed: bool) -> bool {
        self.format().into_bits() == 0 && (typed || !self.add_tid())
    }
}

impl BufferDescriptor for BufferResource {
    fn kind(&self) -> ResourceKind {
        Self::kind(self)
    }

    fn base(&self) -> u64 {
        Self::base(self)
    }

    fn stride(&self) -> u32 {
        u32::from(Self::stride(self))
    }

    fn scalar_stride(&self) -> u32 {
        u32::from(Self::stride(self))
    }

    fn num_records(&self) -> u32 {
        Self::num_records(self)
    }

    fn format(&self) -> DataFormat {
        Self::format(self)
    }

    fn selects(&self) -> [DstSelect; 4] {
        [Self::dst_sel_x(self), Self::dst_sel_y(self), Self::dst_sel_z(self), Self::dst_sel_w(self)]
    }

    fn add_tid(&self) -> bool {
        Self::add_tid(self)
    }

    fn oob_select(&self) -> OobSelect {
        Self::oob_select(self)
    }

    fn cut(&self) -> Option<Swizzle> {
        Self::cut(*self)
    }
}

impl BufferResource {
    /// The geometry of a swizzled buffer; `None` if it is linear. Guide §9.4.2.
    #[must_use]
    pub const fn cut(self) -> Option<Swizzle> {
        match self.swizzle().element() {
            None => None,
            Some(element) => {
                let (stride, index_stride) = (self.stride() as u32, self.index_stride().records());
                Some(Swizzle { stride, element, index_stride })
            }
        }
    }

    /// Whether the resource is unbound, so that loads return zero and stores are dropped: its format is INVALID and,
    /// for untyped instructions, the hardware does not add the lane number to the index. Guide §9.6.
    #[must_use]
    pub const fn is_unbound(self, typed: bool) -> bool {
        self.format().into_bits() == 0 && (typed || !self.add_tid())
    }
}

impl fmt::Display for BufferResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let v = self.values();
        write!(f, "buffer at {:#x}, ", v.base)?;
        match v.stride {
            0 => write!(f, "{} bytes", v.num_records)?,
            stride => write!(f, "{} records of {stride} bytes", v.num_records)?,
        }
        write!(f, ", {}, select {}{}{}{}", v.format, v.dst_sel_x, v.dst_sel_y, v.dst_sel_z, v.dst_sel_w)?;
        if v.swizzle != SwizzleEnable::Linear {
            write!(f, ", swizzled: {} of {} records", v.swizzle, v.index_stride)?;
        }
        write!(f, ", bounds {}", v.oob_select)?;
        super::flags(f, &[(v.add_tid, "index + lane")])?;
        if v.llc_no_alloc != LlcNoAlloc::Never {
            write!(f, ", no LLC allocation: {}", v.llc_no_alloc)?;
        }
        if v.kind != ResourceKind::Buffer {
            write!(f, ", not a buffer: kind {}", v.kind.into_bits())?;
        }
        Ok(())
    }
}
