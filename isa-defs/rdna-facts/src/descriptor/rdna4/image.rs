//! RDNA4's image resource, T#. RDNA4's guide §10.5, table 60.

use core::fmt;

use amdgpu_memory::descriptor;
use amdgpu_memory::field::{Address256, Count};

use super::sampler::U5_8;
use crate::descriptor::flags;
use crate::descriptor::format::DataFormat;
use crate::descriptor::image::image_of_halves;
pub use crate::descriptor::image::{BcSwizzle, DstSelect, ImageType};

descriptor! {
    /// The first half of the image resource, T#, which is all of it for rows, planes and multi-sampled planes: four
    /// dwords. RDNA4's guide §10.5, table 60.
    #[doc(alias = "T#")]
    pub struct ImageResource [u128; 4], values ImageValues {
        /// The address of the first byte.
        base: Address256 = 40,
        _ = 4,
        /// One less than the number of mip levels; for a multisampled image, the binary logarithm of the number of
        /// samples.
        max_mip: u8 = 5,
        /// The format of texels.
        format: DataFormat = 8,
        /// The largest mip level of the view; 0 for multisampled images.
        base_level: u8 = 5,
        /// The width of level 0 in texels.
        width: Count = 16,
        /// The height of level 0 in texels.
        height: Count = 16,
        _ = 2,
        /// The source of the first component.
        dst_sel_x: DstSelect = 3,
        /// The source of the second component.
        dst_sel_y: DstSelect = 3,
        /// The source of the third component.
        dst_sel_z: DstSelect = 3,
        /// The source of the fourth component.
        dst_sel_w: DstSelect = 3,
        _ = 3,
        /// The smallest mip level of the view; for a multisampled image, the binary logarithm of the number of samples.
        last_level: u8 = 5,
        _ = 5,
        /// The order of the components of a border colour.
        bc_swizzle: BcSwizzle = 3,
        /// The dimensions.
        image_type: ImageType = 4,
    }
}

descriptor! {
    /// The second half of the image resource, T#: arrays, volumes and cubes: four dwords, bits 128 to 255. RDNA4's guide
    /// §10.5, table 60.
    pub struct ImageResourceHigh [u128; 4], values ImageHighValues {
        /// One less than the depth of a volume; the last slice of an array or a cube; the low bits of the pitch less one
        /// of a row, a plane or a multi-sampled plane that is not an array, if it is greater than the width.
        depth: u16 = 14,
        /// The two highest bits of the pitch less one.
        pitch_msb: u8 = 2,
        /// The first slice of the view.
        base_array: u16 = 13,
        _ = 7,
        /// Of a volume: whether it is a view of some layers (UAV) and not of the whole (SRV).
        uav_3d: bool = 1,
        /// The LOD below which LWE reports accesses; the texture is partially resident if it is not 0.
        min_lod_warn: U5_8 = 13,
        _ = 5,
        /// Whether texels were sampled at their corners, not at their centres.
        corner_samples: bool = 1,
        _ = 2,
        /// The smallest LOD of a partially resident texture.
        min_lod: U5_8 = 13,
        ; _ = 57
    }
}

impl ImageHighValues {
    /// The pitch in texels, for image types that store one here.
    #[must_use]
    pub const fn pitch(&self) -> u32 {
        (self.depth as u32 | (self.pitch_msb as u32) << 14) + 1
    }
}

/// An image resource of 128 or 256 bits. RDNA4's guide §10.5.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rdna4Image {
    /// The first half.
    pub low: ImageResource,
    /// The second half, which instructions with R128 = 0 read.
    pub high: Option<ImageResourceHigh>,
}

image_of_halves!(Rdna4Image);

impl Rdna4Image {
    /// Whether the resource is unbound, with all bits zero: accesses return zero without reading memory. RDNA4's guide
    /// §10.5.
    #[must_use]
    pub const fn is_unbound(self) -> bool {
        matches!(self.to_words(), [0, 0, 0, 0, 0, 0, 0, 0])
    }

    /// Whether the texture is partially resident. RDNA4's guide §10.10.
    #[must_use]
    pub fn is_partially_resident(self) -> bool {
        self.high.is_some_and(|high| high.min_lod_warn() != U5_8::default())
    }
}

impl fmt::Display for ImageResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let v = self.values();
        write!(f, "{} image at {:?}, {:?} x {:?}, {}", v.image_type, v.base, v.width, v.height, v.format)?;
        write!(f, ", select {}{}{}{}", v.dst_sel_x, v.dst_sel_y, v.dst_sel_z, v.dst_sel_w)?;
        if v.image_type.is_msaa() {
            write!(f, ", {} samples", 1u32 << v.max_mip)?;
        } else {
            write!(f, ", levels {} to {} of {}", v.base_level, v.last_level, u32::from(v.max_mip) + 1)?;
        }
        if v.bc_swizzle != BcSwizzle::Xyzw {
            write!(f, ", border {}", v.bc_swizzle)?;
        }
        Ok(())
    }
}

impl fmt::Display for ImageResourceHigh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let v = self.values();
        write!(f, "depth or last slice {}, first slice {}", v.depth, v.base_array)?;
        if v.pitch_msb != 0 {
            write!(f, ", pitch bits 15:14 {}", v.pitch_msb)?;
        }
        write!(f, ", least lod {}, warning below {}", v.min_lod, v.min_lod_warn)?;
        flags(f, &[(v.uav_3d, "view of layers"), (v.corner_samples, "corner samples")])
    }
}
