//! RDNA4's buffer resource, V#. RDNA4's guide §9.6, table 57.

use core::fmt;

use amdgpu_memory::buffer::Swizzle;
use amdgpu_memory::{codes, descriptor};

pub use crate::descriptor::buffer::{BufferDescriptor, DstSelect, IndexStride, OobSelect, ResourceKind, SwizzleEnable};
use crate::descriptor::flags;
use crate::descriptor::format::DataFormat;

codes! {
    /// The factor of the stride. RDNA4's guide §9.6, table 57.
    pub enum StrideScale: full {
        /// The stride counts bytes.
        X1 = 0 "1",
        /// The stride counts units of 4 bytes.
        X4 = 1 "4",
        /// The stride counts units of 8 bytes.
        X8 = 2 "8",
        /// The stride counts units of 32 bytes.
        X32 = 3 "32",
    }
}

impl StrideScale {
    /// The factor.
    #[must_use]
    pub const fn factor(self) -> u32 {
        match self {
            StrideScale::X1 => 1,
            StrideScale::X4 => 4,
            StrideScale::X8 => 8,
            StrideScale::X32 => 32,
        }
    }
}

codes! {
    /// The access to compressed data. RDNA4's guide §9.6, table 57.
    pub enum CompressionAccess: full {
        /// Normal.
        Normal = 0 "normal",
        /// Existing data are compressed.
        Compress = 1 "compress",
        /// The compressed data are accessed.
        Compressed = 2 "compressed data",
        /// The metadata are accessed.
        Metadata = 3 "metadata",
    }
}

descriptor! {
    /// The buffer resource, V#: four dwords. RDNA4's guide §9.6, table 57.
    #[doc(alias = "V#")]
    pub struct BufferResource [u128; 4], values BufferValues {
        /// The address of the first byte.
        base: u64 = 48,
        /// The distance between records, in units of the stride scale.
        stride: u16 = 14,
        /// The swizzle mode.
        swizzle: SwizzleEnable = 2,
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
        /// The format of elements. Buffers have formats with codes below 64.
        format: DataFormat = 6,
        /// The factor of the stride.
        stride_scale: StrideScale = 2,
        _ = 1,
        /// The number of adjacent records in a swizzled buffer.
        index_stride: IndexStride = 2,
        /// Whether the hardware adds the lane number to the index.
        add_tid: bool = 1,
        /// Whether stores compress.
        write_compression: bool = 1,
        /// Whether the resource can be compressed.
        compression: bool = 1,
        /// The access to compressed data.
        compression_access: CompressionAccess = 2,
        /// The out-of-bounds check. The guide's table 56 lists no code 3; drivers use it for raw buffers, as in RDNA3.
        oob_select: OobSelect = 2,
        /// The resource type.
        kind: ResourceKind = 2,
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
        u32::from(Self::stride(self)) * Self::stride_scale(self).factor()
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
        let (stride, index_stride) = (BufferDescriptor::stride(self), Self::index_stride(self).records());
        Self::swizzle(self).element().map(|element| Swizzle { stride, element, index_stride })
    }
}

impl fmt::Display for BufferResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let v = self.values();
        write!(f, "buffer at {:#x}, ", v.base)?;
        match BufferDescriptor::stride(self) {
            0 => write!(f, "{} bytes", v.num_records)?,
            stride => write!(f, "{} records of {stride} bytes", v.num_records)?,
        }
        write!(f, ", {}, select {}{}{}{}", v.format, v.dst_sel_x, v.dst_sel_y, v.dst_sel_z, v.dst_sel_w)?;
        if v.swizzle != SwizzleEnable::Linear {
            write!(f, ", swizzled: {} of {} records", v.swizzle, v.index_stride)?;
        }
        write!(f, ", bounds {}", v.oob_select)?;
        let all =
            [(v.add_tid, "index + lane"), (v.write_compression, "stores compress"), (v.compression, "compressed")];
        flags(f, &all)?;
        if v.compression_access != CompressionAccess::Normal {
            write!(f, ", access {}", v.compression_access)?;
        }
        if v.kind != ResourceKind::Buffer {
            write!(f, ", not a buffer: kind {}", v.kind.into_bits())?;
        }
        Ok(())
    }
}
