//! Descriptors of each family of generations, in the form that accesses need.

use rdna_facts::descriptor::buffer::{BufferDescriptor, BufferResource};
use rdna_facts::descriptor::format::DataFormat;
use rdna_facts::descriptor::image::{BcSwizzle, DstSelect, Image, ImageType};
use rdna_facts::descriptor::rdna4;
use rdna_facts::descriptor::sampler::{Sampler, SamplerValues};

/// The descriptors of a family.
pub(super) trait Resources {
    /// The buffer resource.
    type Buffer: BufferDescriptor;
    /// Each level of a linear image with several levels has rows whose lengths in bytes are multiples of this.
    const ROW_ALIGN: u64;

    /// Returns the buffer resource in four dwords.
    fn buffer(words: [u32; 4]) -> Self::Buffer;
    /// Returns the image resource in eight dwords, of which the last four may be missing; `None` if it is unbound.
    fn image(words: [u32; 8]) -> Option<ImageView>;
    /// Returns the sampler in four dwords, without the limits of the level of detail, and these limits.
    fn sampler(words: [u32; 4]) -> (SamplerValues, [f64; 2]);
}

/// The fields of an image resource. Guide §10.5, table 50; RDNA4's table 60.
pub(super) struct ImageView {
    pub(super) base: u64,
    pub(super) image_type: ImageType,
    pub(super) format: DataFormat,
    pub(super) width: u64,
    pub(super) height: u64,
    /// The last layer, or one less than the depth.
    pub(super) depth: u64,
    pub(super) base_array: u64,
    /// The texels from the start of a row to the next, in images that state them.
    pub(super) pitch: u64,
    /// Whether a volume has a first layer.
    pub(super) is_of_layers: bool,
    pub(super) max_mip: u64,
    pub(super) base_level: u64,
    pub(super) last_level: u64,
    pub(super) selects: [DstSelect; 4],
    pub(super) bc_swizzle: BcSwizzle,
    /// The least level of detail, and the one below which accesses warn.
    pub(super) limits: [f64; 2],
}

/// The descriptors of RDNA3 and RDNA3.5.
pub(super) struct Gfx11;

/// The descriptors of RDNA4.
pub(super) struct Gfx12;

impl Resources for Gfx11 {
    type Buffer = BufferResource;
    const ROW_ALIGN: u64 = 256;

    fn buffer(words: [u32; 4]) -> BufferResource {
        BufferResource::from_words(words)
    }

    fn image(words: [u32; 8]) -> Option<ImageView> {
        let image = match words {
            [a, b, c, d, 0, 0, 0, 0] => Image::from_words4([a, b, c, d]),
            words => Image::from_words8(words),
        };
        if image.is_unbound() {
            return None;
        }
        let low = image.low.values();
        let high = image.high.map(|high| high.values());
        let high = high.as_ref();
        Some(ImageView {
            base: low.base.byte(),
            image_type: low.image_type,
            format: low.format,
            width: low.width.get(),
            height: low.height.get(),
            depth: high.map_or(0, |high| high.depth.into()),
            base_array: high.map_or(0, |high| high.base_array.into()),
            pitch: high.map_or(0, |high| high.pitch().into()),
            is_of_layers: high.is_some_and(|high| high.array_pitch & 1 != 0),
            max_mip: low.max_mip.into(),
            base_level: low.base_level.into(),
            last_level: low.last_level.into(),
            selects: [low.dst_sel_x, low.dst_sel_y, low.dst_sel_z, low.dst_sel_w],
            bc_swizzle: low.bc_swizzle,
            limits: high.map_or([0.0; 2], |high| [high.min_lod, high.min_lod_warn].map(|lod| lod.to_f32().into())),
        })
    }

    fn sampler(words: [u32; 4]) -> (SamplerValues, [f64; 2]) {
        let sampler = Sampler::from_words(words).values();
        let limits = [sampler.min_lod, sampler.max_lod].map(|lod| lod.to_f32().into());
        (sampler, limits)
    }
}

impl Resources for Gfx12 {
    type Buffer = rdna4::buffer::BufferResource;
    const ROW_ALIGN: u64 = 128;

    fn buffer(words: [u32; 4]) -> Self::Buffer {
        rdna4::buffer::BufferResource::from_words(words)
    }

    fn image(words: [u32; 8]) -> Option<ImageView> {
        let image = match words {
            [a, b, c, d, 0, 0, 0, 0] => rdna4::image::Rdna4Image::from_words4([a, b, c, d]),
            words => rdna4::image::Rdna4Image::from_words8(words),
        };
        if image.is_unbound() {
            return None;
        }
        let low = image.low.values();
        let high = image.high.map(|high| high.values());
        let high = high.as_ref();
        Some(ImageView {
            base: low.base.byte(),
            image_type: low.image_type,
            format: low.format,
            width: low.width.get(),
            height: low.height.get(),
            depth: high.map_or(0, |high| high.depth.into()),
            base_array: high.map_or(0, |high| high.base_array.into()),
            pitch: high.map_or(0, |high| high.pitch().into()),
            is_of_layers: high.is_some_and(|high| high.uav_3d),
            max_mip: low.max_mip.into(),
            base_level: low.base_level.into(),
            last_level: low.last_level.into(),
            selects: [low.dst_sel_x, low.dst_sel_y, low.dst_sel_z, low.dst_sel_w],
            bc_swizzle: low.bc_swizzle,
            limits: high.map_or([0.0; 2], |high| [high.min_lod, high.min_lod_warn].map(|lod| lod.to_f32().into())),
        })
    }

    fn sampler(words: [u32; 4]) -> (SamplerValues, [f64; 2]) {
        let sampler = rdna4::sampler::Sampler::from_words(words).values();
        let limits = [sampler.min_lod, sampler.max_lod].map(|lod| lod.to_f32().into());
        let shared = SamplerValues {
            clamp_x: sampler.clamp_x,
            clamp_y: sampler.clamp_y,
            clamp_z: sampler.clamp_z,
            max_aniso_ratio: sampler.max_aniso_ratio,
            depth_compare: sampler.depth_compare,
            force_unnormalized: sampler.force_unnormalized,
            aniso_threshold: sampler.aniso_threshold,
            mc_coord_trunc: sampler.mc_coord_trunc,
            force_degamma: sampler.force_degamma,
            aniso_bias: sampler.aniso_bias,
            trunc_coord: sampler.trunc_coord,
            disable_cube_wrap: sampler.disable_cube_wrap,
            filter_mode: sampler.filter_mode,
            skip_degamma: sampler.skip_degamma,
            lod_bias: sampler.lod_bias,
            lod_bias_sec: sampler.lod_bias_sec,
            xy_mag_filter: sampler.xy_mag_filter,
            xy_min_filter: sampler.xy_min_filter,
            z_filter: sampler.z_filter,
            mip_filter: sampler.mip_filter,
            border_color_ptr: sampler.border_color_ptr,
            border_color: sampler.border_color,
            ..SamplerValues::default()
        };
        (shared, limits)
    }
}
