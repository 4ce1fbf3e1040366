//! The buffer resource: the address, the size and the element format of a buffer.

use core::fmt;

use crate::buffer::{DstSelect, IndexStride};
use crate::{codes, descriptor};

codes! {
    /// The number format of an element's components: NUMFORMAT. Names and values are LLVM's.
    pub enum NumberFormat: full {
        /// Unsigned, from 0 to 1.
        Unorm = 0 "UNORM",
        /// Signed, from -1 to 1.
        Snorm = 1 "SNORM",
        /// An unsigned integer, read as a float.
        Uscaled = 2 "USCALED",
        /// A signed integer, read as a float.
        Sscaled = 3 "SSCALED",
        /// An unsigned integer.
        Uint = 4 "UINT",
        /// A signed integer.
        Sint = 5 "SINT",
        /// Signed, from -1 to 1, all codes at equal distances. GCN 1.0 and 1.1; reserved from 1.2 on.
        SnormOgl = 6 "SNORM_OGL",
        /// A floating-point number.
        Float = 7 "FLOAT",
    }
}

impl NumberFormat {
    /// LLVM's name in a generation: code 6 is `RESERVED_6` from GCN 1.2 on.
    #[must_use]
    pub const fn name_in(self, generation: super::Generation) -> &'static str {
        use super::Generation::{Gcn1_2, Gcn1_4};
        match (self, generation) {
            (NumberFormat::SnormOgl, Gcn1_2 | Gcn1_4) => "RESERVED_6",
            _ => self.name(),
        }
    }
}

codes! {
    /// The widths of an element's components, the highest first: DATAFORMAT. Names and values are LLVM's.
    pub enum DataFormat {
        /// No format: the resource is unbound.
        Invalid = 0 "INVALID",
        /// 8 bits.
        D8 = 1 "8",
        /// 16 bits.
        D16 = 2 "16",
        /// Two of 8 bits.
        D8x2 = 3 "8_8",
        /// 32 bits.
        D32 = 4 "32",
        /// Two of 16 bits.
        D16x2 = 5 "16_16",
        /// Two of 11 bits and, highest, one of 10.
        D10_11_11 = 6 "10_11_11",
        /// One of 10 bits and, higher, two of 11.
        D11_11_10 = 7 "11_11_10",
        /// One of 2 bits and, higher, three of 10.
        D10_10_10_2 = 8 "10_10_10_2",
        /// Three of 10 bits and, highest, one of 2.
        D2_10_10_10 = 9 "2_10_10_10",
        /// Four of 8 bits.
        D8x4 = 10 "8_8_8_8",
        /// Two of 32 bits.
        D32x2 = 11 "32_32",
        /// Four of 16 bits.
        D16x4 = 12 "16_16_16_16",
        /// Three of 32 bits.
        D32x3 = 13 "32_32_32",
        /// Four of 32 bits.
        D32x4 = 14 "32_32_32_32",
    }
}

impl DataFormat {
    /// The bits of the components, the highest first; empty if there is no element.
    #[must_use]
    pub const fn components(self) -> &'static [u8] {
        match self {
            DataFormat::Invalid | DataFormat::Reserved(_) => &[],
            DataFormat::D8 => &[8],
            DataFormat::D16 => &[16],
            DataFormat::D8x2 => &[8, 8],
            DataFormat::D32 => &[32],
            DataFormat::D16x2 => &[16, 16],
            DataFormat::D10_11_11 => &[10, 11, 11],
            DataFormat::D11_11_10 => &[11, 11, 10],
            DataFormat::D10_10_10_2 => &[10, 10, 10, 2],
            DataFormat::D2_10_10_10 => &[2, 10, 10, 10],
            DataFormat::D8x4 => &[8, 8, 8, 8],
            DataFormat::D32x2 => &[32, 32],
            DataFormat::D16x4 => &[16, 16, 16, 16],
            DataFormat::D32x3 => &[32, 32, 32],
            DataFormat::D32x4 => &[32, 32, 32, 32],
        }
    }

    /// The size of an element in bytes.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        let sizes = self.components();
        let (mut bits, mut i) = (0, 0);
        while i < sizes.len() {
            bits += sizes[i] as u32;
            i += 1;
        }
        bits / 8
    }
}

codes! {
    /// The size of an element of a swizzled buffer: ELEMSIZE.
    pub enum ElementSize: full {
        /// 2 bytes.
        B2 = 0 "2",
        /// 4 bytes.
        B4 = 1 "4",
        /// 8 bytes.
        B8 = 2 "8",
        /// 16 bytes.
        B16 = 3 "16",
    }
}

impl ElementSize {
    /// The size in bytes.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        2 << self as u32
    }
}

codes! {
    /// The type of a resource: TYPE.
    pub enum ResourceType {
        /// A buffer.
        Buffer = 0 "buffer",
    }
}

descriptor! {
    /// The buffer resource of GCN 1.0 to 1.4: four dwords in SGPRs.
    ///
    /// ```
    /// use amdgpu_memory::gcn::BufferValues;
    /// let buffer = BufferValues { base: 0x1_0000, num_records: 64, ..BufferValues::default() }.build()?;
    /// assert_eq!(buffer.to_words(), [0x1_0000, 0, 64, 0]);
    /// assert!(BufferValues { stride: 0x4000, ..BufferValues::default() }.build().is_err());
    /// # Ok::<(), amdgpu_memory::FieldError>(())
    /// ```
    #[doc(alias = "V#")]
    pub struct BufferResource [u128; 4], values BufferValues {
        /// The address of the first byte.
        base: u64 = 48,
        /// The distance between records in bytes; 0 if the buffer has no records.
        stride: u16 = 14,
        /// Whether banks of the L1 cache are swizzled.
        cache_swizzle: bool = 1,
        /// Whether records are swizzled.
        swizzle_enable: bool = 1,
        /// The number of records, or of bytes if the stride is 0.
        num_records: u32 = 32,
        /// The source of the first component.
        dst_sel_x: DstSelect = 3,
        /// The source of the second component.
        dst_sel_y: DstSelect = 3,
        /// The source of the third component.
        dst_sel_z: DstSelect = 3,
        /// The source of the fourth component.
        dst_sel_w: DstSelect = 3,
        /// The number format of the components.
        number_format: NumberFormat = 3,
        /// The widths of the components.
        data_format: DataFormat = 4,
        /// The size of an element of a swizzled buffer.
        element_size: ElementSize = 2,
        /// The number of adjacent records in a swizzled buffer.
        index_stride: IndexStride = 2,
        /// Whether the hardware adds the lane number to the index.
        tid_enable: bool = 1,
        _ = 1,
        /// Whether addresses are hashed.
        hash_enable: bool = 1,
        /// Whether the buffer is a heap.
        heap: bool = 1,
        _ = 3,
        /// The resource type.
        resource_type: ResourceType = 2,
    }
}

impl BufferResource {
    /// The swizzle, unless the buffer is linear.
    #[must_use]
    pub const fn swizzle(self) -> Option<crate::buffer::Swizzle> {
        if !self.swizzle_enable() {
            return None;
        }
        Some(crate::buffer::Swizzle {
            stride: self.stride() as u32,
            element: self.element_size().bytes(),
            index_stride: self.index_stride().records(),
        })
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
        write!(f, ", {}_{}", v.data_format, v.number_format)?;
        write!(f, ", select {}{}{}{}", v.dst_sel_x, v.dst_sel_y, v.dst_sel_z, v.dst_sel_w)?;
        if v.swizzle_enable {
            write!(f, ", swizzled: {} bytes of {} records", v.element_size, v.index_stride)?;
        }
        let flags = [
            (v.cache_swizzle, "cache swizzle"),
            (v.tid_enable, "index + lane"),
            (v.hash_enable, "hashed"),
            (v.heap, "heap"),
        ];
        for (_, name) in flags.into_iter().filter(|(set, _)| *set) {
            write!(f, ", {name}")?;
        }
        if v.resource_type != ResourceType::Buffer {
            write!(f, ", type {}", v.resource_type)?;
        }
        if self.reserved() != 0 {
            write!(f, ", reserved bits {:#x}", self.reserved())?;
        }
        Ok(())
    }
}
