//! RDNA4's sampler, S#. RDNA4's guide §10.6, table 61.

use amdgpu_memory::descriptor;
use amdgpu_memory::field::Fixed;

use crate::descriptor::sampler::sampler_text;
pub use crate::descriptor::sampler::{
    BorderColor, Clamp, Compare, FilterMode, LinearFilter, MaxAniso, S2_4, S6_8, U1_5, XyFilter,
};

/// An unsigned fixed-point number u5.8: an LOD.
pub type U5_8 = Fixed<false, 13, 8>;

descriptor! {
    /// The sampler, S#: four dwords. RDNA4's guide §10.6, table 61.
    #[doc(alias = "S#")]
    pub struct Sampler [u128; 4], values SamplerValues {
        /// The clamp mode along X.
        clamp_x: Clamp = 3,
        /// The clamp mode along Y.
        clamp_y: Clamp = 3,
        /// The clamp mode along Z.
        clamp_z: Clamp = 3,
        /// The maximum anisotropy ratio.
        max_aniso_ratio: MaxAniso = 3,
        /// The depth comparison.
        depth_compare: Compare = 3,
        /// Whether coordinates are unnormalized: from 0 to the size of the image instead of 1.
        force_unnormalized: bool = 1,
        /// The threshold under which floor(anisotropy ratio) determines the number of samples and the step size.
        aniso_threshold: u8 = 3,
        /// Whether the fraction of a bilinear blend is truncated to one bit, for motion compensation.
        mc_coord_trunc: bool = 1,
        /// Whether the format is forced to sRGB if the data format allows.
        force_degamma: bool = 1,
        /// The anisotropy bias.
        aniso_bias: U1_5 = 6,
        /// Whether texel coordinates are truncated instead of rounded.
        trunc_coord: bool = 1,
        /// Whether seamless cube maps are disabled, so that faces clamp as X and Y do.
        disable_cube_wrap: bool = 1,
        /// The reduction of the texels of a filter.
        filter_mode: FilterMode = 2,
        /// Whether the conversion from sRGB to linear is skipped.
        skip_degamma: bool = 1,
        /// The minimum LOD, relative to the base level of the resource.
        min_lod: U5_8 = 13,
        /// The maximum LOD.
        max_lod: U5_8 = 13,
        _ = 6,
        /// The LOD bias.
        lod_bias: S6_8 = 14,
        /// A second bias, which is added to the computed LOD.
        lod_bias_sec: S2_4 = 6,
        /// The filter for magnification.
        xy_mag_filter: XyFilter = 2,
        /// The filter for minification.
        xy_min_filter: XyFilter = 2,
        /// The filter in Z.
        z_filter: LinearFilter = 2,
        /// The filter between mip levels.
        mip_filter: LinearFilter = 2,
        _ = 22,
        /// The border colour pointer.
        border_color_ptr: u16 = 12,
        /// The border colour.
        border_color: BorderColor = 2,
    }
}

sampler_text!(Sampler);
