//! The sampler, S#. Guide §10.6, table 51.

use amdgpu_memory::field::Fixed;
use amdgpu_memory::{codes, descriptor};

/// An unsigned fixed-point number u4.8: an LOD.
pub type U4_8 = Fixed<false, 12, 8>;
/// A signed fixed-point number s6.8: an LOD bias.
pub type S6_8 = Fixed<true, 14, 8>;
/// A signed fixed-point number s2.4.
pub type S2_4 = Fixed<true, 6, 4>;
/// An unsigned fixed-point number u1.5.
pub type U1_5 = Fixed<false, 6, 5>;

codes! {
    /// The clamp or wrap mode at the edge of an image. Guide §10.6, table 51.
    pub enum Clamp: full {
        /// Repeats the image.
        Wrap = 0 "Wrap",
        /// Mirrors and repeats the image.
        Mirror = 1 "Mirror",
        /// Clamps to the last texel.
        ClampLastTexel = 2 "ClampLastTexel",
        /// Mirrors the image once, then clamps to its last texel.
        MirrorOnceLastTexel = 3 "MirrorOnceLastTexel",
        /// Clamps halfway between the last texel and the border.
        ClampHalfBorder = 4 "ClampHalfBorder",
        /// Mirrors the image once, then clamps halfway to the border.
        MirrorOnceHalfBorder = 5 "MirrorOnceHalfBorder",
        /// Clamps to the border colour.
        ClampBorder = 6 "ClampBorder",
        /// Mirrors the image once, then clamps to the border colour.
        MirrorOnceBorder = 7 "MirrorOnceBorder",
    }
}

codes! {
    /// The maximum anisotropy ratio. Guide §10.6, table 51.
    pub enum MaxAniso {
        /// None.
        R1 = 0 "1:1",
        /// 2.
        R2 = 1 "2:1",
        /// 4.
        R4 = 2 "4:1",
        /// 8.
        R8 = 3 "8:1",
        /// 16.
        R16 = 4 "16:1",
    }
}

codes! {
    /// The depth comparison. Guide §10.6, table 51.
    pub enum Compare: full {
        /// Never.
        Never = 0 "Never",
        /// Less.
        Less = 1 "Less",
        /// Equal.
        Equal = 2 "Equal",
        /// Less or equal.
        LessEqual = 3 "LessEqual",
        /// Greater.
        Greater = 4 "Greater",
        /// Not equal.
        NotEqual = 5 "NotEqual",
        /// Greater or equal.
        GreaterEqual = 6 "GreaterEqual",
        /// Always.
        Always = 7 "Always",
    }
}

codes! {
    /// The reduction of the texels of a filter. Guide §10.6, table 51.
    pub enum FilterMode {
        /// The weighted mean (blend).
        Blend = 0 "Blend",
        /// The minimum.
        Min = 1 "Min",
        /// The maximum.
        Max = 2 "Max",
    }
}

codes! {
    /// The filter in X and Y. Guide §10.6, table 51.
    pub enum XyFilter: full {
        /// Point: the nearest texel.
        Point = 0 "point",
        /// Bilinear: the four nearest texels.
        Bilinear = 1 "bilinear",
        /// Anisotropic, with point samples.
        AnisoPoint = 2 "aniso-point",
        /// Anisotropic, with bilinear samples.
        AnisoLinear = 3 "aniso-linear",
    }
}

codes! {
    /// The filter in Z, or between mip levels. Guide §10.6, table 51.
    pub enum LinearFilter {
        /// None: the filter of X and Y for a volume, the base level for mip levels.
        None = 0 "none",
        /// Point: the nearest.
        Point = 1 "point",
        /// Linear: the two nearest.
        Linear = 2 "linear",
    }
}

codes! {
    /// The border colour. Guide §10.6, table 51.
    pub enum BorderColor: full {
        /// Zero in all components.
        TransparentBlack = 0 "transparent black",
        /// Zero, and one for alpha.
        OpaqueBlack = 1 "opaque black",
        /// One in all components.
        OpaqueWhite = 2 "opaque white",
        /// The colour that the border colour pointer selects.
        Register = 3 "register",
    }
}

descriptor! {
    /// The sampler, S#: four dwords. Guide §10.6, table 51.
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
        min_lod: U4_8 = 12,
        /// The maximum LOD.
        max_lod: U4_8 = 12,
        _ = 8,
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
        _ = 2,
        /// Whether a blend uses the PRT default value for non-resident mip levels.
        blend_prt: bool = 1,
        _ = 1,
        /// The border colour pointer.
        border_color_ptr: u16 = 12,
        _ = 18,
        /// The border colour.
        border_color: BorderColor = 2,
    }
}

/// Implements the text of a sampler, with further flags.
macro_rules! sampler_text {
    ($sampler:ty $(, $flag:ident $text:literal)*) => {
        impl core::fmt::Display for $sampler {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let v = self.values();
                write!(f, "sampler {} mag {} min", v.xy_mag_filter, v.xy_min_filter)?;
                write!(f, ", z {}, mip {}, {}", v.z_filter, v.mip_filter, v.filter_mode)?;
                write!(f, ", clamp {} {} {}", v.clamp_x, v.clamp_y, v.clamp_z)?;
                write!(f, ", lod {} to {}", v.min_lod, v.max_lod)?;
                if v.lod_bias != S6_8::default() || v.lod_bias_sec != S2_4::default() {
                    write!(f, ", bias {} + {}", v.lod_bias, v.lod_bias_sec)?;
                }
                if v.max_aniso_ratio != MaxAniso::R1 {
                    write!(f, ", aniso {} threshold {} bias {}", v.max_aniso_ratio, v.aniso_threshold, v.aniso_bias)?;
                }
                if v.depth_compare != Compare::Never {
                    write!(f, ", compare {}", v.depth_compare)?;
                }
                match v.border_color {
                    BorderColor::Register => write!(f, ", border {:#x}", v.border_color_ptr)?,
                    color => write!(f, ", border {color}")?,
                }
                let flags = [
                    (v.force_unnormalized, "unnormalized"),
                    (v.mc_coord_trunc, "mc trunc"),
                    (v.force_degamma, "force degamma"),
                    (v.trunc_coord, "trunc coord"),
                    (v.disable_cube_wrap, "no cube wrap"),
                    (v.skip_degamma, "skip degamma"),
                    $((v.$flag, $text),)*
                ];
                $crate::descriptor::flags(f, &flags)
            }
        }
    };
}

pub(crate) use sampler_text;

sampler_text!(Sampler, blend_prt "blend PRT");
