//! The buffer resource, V#. Guide §9.6, table 47.

use core::fmt;

use amdgpu_memory::buffer::Swizzle;
pub use amdgpu_memory::buffer::{DstSelect, IndexStride};
use amdgpu_memory::{codes, descriptor};

use super::format::DataFormat;

codes! {
    /// Whether and how records are swizzled. Guide §9.4 (table 44), §9.4.2.
    pub enum SwizzleEnable {
        /// They lie one after the other.
        Linear = 0 "linear",
        /// In elements of four bytes.
        Elements4 = 1 "elements of 4 bytes",
        /// In elements of sixteen bytes.
        Elements16 = 3 "elements of 16 bytes",
    }
}

impl SwizzleEnable {
    /// The bytes of an element; `None` if the buffer is linear. The reserved code counts as linear.
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
    /// What is out of bounds. Guide §9.4.1, table 46.
    pub enum OobSelect: full {
        /// An index beyond the records, or an offset beyond the stride.
        Structured = 0 "structured",
        /// An index beyond the records.
        IndexOnly = 1 "index",
        /// Everything if there are no records; nothing otherwise.
        EmptyOnly = 2 "empty only",
        /// An offset beyond the bytes of the buffer; the same as for structured buffers if it is swizzled.
        Raw = 3 "raw",
    }
}

codes! {
    /// When the last-level cache keeps nothing (NOALLOC) whatever page and instruction say. Guide §9.6, table 47.
    pub enum LlcNoAlloc: full {
        /// Never.
        Never = 0 "never",
        /// When it is written.
        Writes = 1 "writes",
        /// When it is read.
        Reads = 2 "reads",
        /// Always.
        Always = 3 "always",
    }
}

impl LlcNoAlloc {
    /// Whether an access keeps nothing in the last-level cache: `page` is what the page table says, `dlc` the
    /// instruction's bit.
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
    /// The kind of resource that four dwords are, by their two highest bits. Guide §9.6, table 47.
    pub enum ResourceKind {
        /// A buffer.
        Buffer = 0 "buffer",
    }
}

descriptor! {
    /// The buffer resource, V#: four dwords. Guide §9.6, table 47.
    pub struct BufferResource [u128; 4], values BufferValues {
        /// The address of the first byte.
        base: u64 = 48,
        /// The bytes from one record to the next.
        stride: u16 = 14,
        /// Whether and how records are swizzled.
        swizzle: SwizzleEnable = 2,
        /// How many records there are; how many bytes if the stride is 0 or the buffer is not swizzled (guide §9.4).
        num_records: u32 = 32,
        /// What the first component becomes.
        dst_sel_x: DstSelect = 3,
        /// What the second component becomes.
        dst_sel_y: DstSelect = 3,
        /// What the third component becomes.
        dst_sel_z: DstSelect = 3,
        /// What the fourth component becomes.
        dst_sel_w: DstSelect = 3,
        /// What elements are made of. A buffer can have formats of codes below 64.
        format: DataFormat = 6,
        _ = 3,
        /// The records that lie side by side in a swizzled buffer.
        index_stride: IndexStride = 2,
        /// Whether the lane's number is added to the index.
        add_tid: bool = 1,
        _ = 2,
        /// When the last-level cache keeps nothing.
        llc_no_alloc: LlcNoAlloc = 2,
        /// What is out of bounds.
        oob_select: OobSelect = 2,
        /// The kind of resource.
        kind: ResourceKind = 2,
    }
}

impl BufferResource {
    /// How it is cut up if it is swizzled. Guide §9.4.2.
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

    /// Whether loads give zero and stores do nothing, whatever the address: the format is that of nothing, and, for
    /// untyped instructions, the lane's number is not added. Guide §9.6.
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
