//! The image resource, T#. Guide §10.5, table 50.

use core::fmt;

pub use amdgpu_memory::buffer::DstSelect;
use amdgpu_memory::field::{Address256, Count};
use amdgpu_memory::{codes, descriptor};

use super::format::DataFormat;
pub use super::sampler::U4_8;
use crate::operands::ImageDim;

codes! {
    /// The dimensions of an image, or a buffer. Guide §10.5, table 50.
    pub enum ImageType {
        /// A buffer: not an image.
        Buffer = 0 "buffer",
        /// A row of texels.
        D1 = 8 "1D",
        /// A plane.
        D2 = 9 "2D",
        /// A volume.
        D3 = 10 "3D",
        /// The faces of cubes.
        Cube = 11 "cube",
        /// Several rows.
        D1Array = 12 "1D array",
        /// Several planes.
        D2Array = 13 "2D array",
        /// A plane with several samples in each texel.
        D2Msaa = 14 "2D MSAA",
        /// Several such planes.
        D2MsaaArray = 15 "2D MSAA array",
    }
}

impl ImageType {
    /// The DIM of instructions that access such an image.
    #[must_use]
    pub const fn dim(self) -> Option<ImageDim> {
        Some(match self {
            ImageType::D1 => ImageDim::D1,
            ImageType::D2 => ImageDim::D2,
            ImageType::D3 => ImageDim::D3,
            ImageType::Cube => ImageDim::Cube,
            ImageType::D1Array => ImageDim::D1Array,
            ImageType::D2Array => ImageDim::D2Array,
            ImageType::D2Msaa => ImageDim::D2Msaa,
            ImageType::D2MsaaArray => ImageDim::D2MsaaArray,
            ImageType::Buffer | ImageType::Reserved(_) => return None,
        })
    }

    /// Whether texels have several samples.
    #[must_use]
    pub const fn is_msaa(self) -> bool {
        matches!(self, ImageType::D2Msaa | ImageType::D2MsaaArray)
    }
}

codes! {
    /// The order of the components of a border colour in memory. Guide §10.5, table 50.
    pub enum BcSwizzle {
        /// X, Y, Z, W.
        Xyzw = 0 "xyzw",
        /// W before Y.
        Xwyz = 1 "xwyz",
        /// Backwards.
        Wzyx = 2 "wzyx",
        /// W first.
        Wxyz = 3 "wxyz",
        /// X and Z exchanged.
        Zyxw = 4 "zyxw",
        /// X and Y exchanged, and Z and W.
        Yxwz = 5 "yxwz",
    }
}

descriptor! {
    /// The first half of the image resource, T#, which is all of it for rows, planes and multi-sampled planes: four
    /// dwords. Guide §10.5, table 50.
    #[doc(alias = "T#")]
    pub struct ImageResource [u128; 4], values ImageValues {
        /// The address of the first byte.
        base: Address256 = 40,
        _ = 7,
        /// Whether page translation requests are coalesced to 64 kB, which requires pages of 64 kB or more.
        big_page: bool = 1,
        /// One less than the number of mip levels; for a multisampled image, the binary logarithm of the number of
        /// samples.
        max_mip: u8 = 4,
        /// The format of texels.
        format: DataFormat = 8,
        _ = 2,
        /// The width of level 0 in texels.
        width: Count = 14,
        _ = 2,
        /// The height of level 0 in texels.
        height: Count = 14,
        _ = 4,
        /// The source of the first component.
        dst_sel_x: DstSelect = 3,
        /// The source of the second component.
        dst_sel_y: DstSelect = 3,
        /// The source of the third component.
        dst_sel_z: DstSelect = 3,
        /// The source of the fourth component.
        dst_sel_w: DstSelect = 3,
        /// The largest mip level of the view; 0 for multisampled images.
        base_level: u8 = 4,
        /// The smallest mip level of the view; for a multisampled image, the binary logarithm of the number of samples.
        last_level: u8 = 4,
        _ = 5,
        /// The order of the components of a border colour.
        bc_swizzle: BcSwizzle = 3,
        /// The dimensions.
        image_type: ImageType = 4,
    }
}

descriptor! {
    /// The second half of the image resource, T#: arrays, volumes, cubes and metadata: four dwords, bits 128 to 255.
    /// Guide §10.5, table 50.
    pub struct ImageResourceHigh [u128; 4], values ImageHighValues {
        /// One less than the depth of a volume; the last slice of an array or a cube; the low bits of the pitch less one
        /// of a row, a plane or a multi-sampled plane that is not an array, if it is greater than the width.
        depth: u16 = 13,
        /// The highest bit of the pitch less one.
        pitch_13: bool = 1,
        _ = 2,
        /// The first slice of the view.
        base_array: u16 = 13,
        _ = 3,
        /// Of a volume, bit 0: whether it is a view of some layers (UAV) and not of the whole (SRV).
        array_pitch: u8 = 4,
        _ = 4,
        /// The LOD below which LWE reports accesses; the texture is partially resident if it is not 0.
        min_lod_warn: U4_8 = 12,
        _ = 3,
        /// Whether texels were sampled at their corners, not at their centres.
        corner_samples: bool = 1,
        _ = 3,
        /// The smallest LOD of a partially resident texture.
        min_lod: U4_8 = 12,
        _ = 3,
        /// Whether compressed tiles were flushed out to every 256 bytes; multi-sampled depth only.
        iterate_256: bool = 1,
        _ = 8,
        /// Whether metadata addresses keep pipe alignment.
        meta_pipe_aligned: bool = 1,
        _ = 1,
        /// Whether colours are compressed (DCC).
        compression: bool = 1,
        /// Whether alpha is in the most significant bits (DCC).
        alpha_is_on_msb: bool = 1,
        /// Whether colours are not transformed (DCC); 0 leaves that open.
        no_color_transform: bool = 1,
        /// The address of the metadata (DCC).
        meta_data: Address256 = 40,
    }
}

impl ImageHighValues {
    /// The pitch in texels, for image types that store one here.
    #[must_use]
    pub const fn pitch(&self) -> u32 {
        (self.depth as u32 | (self.pitch_13 as u32) << 13) + 1
    }
}

/// An image resource of 128 or 256 bits. Guide §10.5.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Image {
    /// The first half.
    pub low: ImageResource,
    /// The second half, which instructions with R128 = 0 read.
    pub high: Option<ImageResourceHigh>,
}

/// Implements the conversions and the text of a resource of one or two halves.
macro_rules! image_of_halves {
    ($image:ident) => {
        impl $image {
            /// Returns a resource of four dwords.
            #[must_use]
            pub const fn from_words4(words: [u32; 4]) -> Self {
                Self { low: ImageResource::from_words(words), high: None }
            }

            /// Returns a resource of eight dwords.
            #[must_use]
            pub const fn from_words8(words: [u32; 8]) -> Self {
                let [a, b, c, d, e, f, g, h] = words;
                Self {
                    low: ImageResource::from_words([a, b, c, d]),
                    high: Some(ImageResourceHigh::from_words([e, f, g, h])),
                }
            }

            /// The dwords; the last four are zero without a second half.
            #[must_use]
            pub const fn to_words(self) -> [u32; 8] {
                let [a, b, c, d] = self.low.to_words();
                let [e, f, g, h] = match self.high {
                    Some(high) => high.to_words(),
                    None => [0; 4],
                };
                [a, b, c, d, e, f, g, h]
            }
        }

        impl core::fmt::Display for $image {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.low.fmt(f)?;
                match self.high {
                    Some(high) => write!(f, "; {high}"),
                    None => Ok(()),
                }
            }
        }
    };
}

pub(crate) use image_of_halves;

image_of_halves!(Image);

impl Image {
    /// Whether the resource is unbound, with all bits zero: accesses return zero without reading memory. Guide §10.5.
    #[must_use]
    pub const fn is_unbound(self) -> bool {
        let high = match self.high {
            Some(high) => high.into_bits(),
            None => 0,
        };
        // "Resource-level" bits, which the guide leaves out of the question, have no name in its table.
        self.low.into_bits() == 0 && high == 0
    }

    /// Whether the texture is partially resident. Guide §10.10.
    #[must_use]
    pub fn is_partially_resident(self) -> bool {
        self.high.is_some_and(|high| high.min_lod_warn() != U4_8::default())
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
        super::flags(f, &[(v.big_page, "pages of 64 kB or more")])
    }
}

impl fmt::Display for ImageResourceHigh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let v = self.values();
        write!(f, "depth or last slice {}, first slice {}", v.depth, v.base_array)?;
        if v.array_pitch != 0 {
            write!(f, ", array pitch {}", v.array_pitch)?;
        }
        write!(f, ", least lod {}, warning below {}", v.min_lod, v.min_lod_warn)?;
        if v.meta_data != Address256::default() {
            write!(f, ", metadata at {:?}", v.meta_data)?;
        }
        let flags = [
            (v.pitch_13, "pitch bit 13"),
            (v.corner_samples, "corner samples"),
            (v.iterate_256, "iterate 256"),
            (v.meta_pipe_aligned, "pipe aligned"),
            (v.compression, "compressed"),
            (v.alpha_is_on_msb, "alpha on msb"),
            (v.no_color_transform, "no colour transform"),
        ];
        super::flags(f, &flags)
    }
}
