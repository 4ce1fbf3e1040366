//! The sampler, S#. Guide §10.6, table 51.

use core::fmt;

use amdgpu_memory::field::Fixed;
use amdgpu_memory::{codes, descriptor};

/// An unsigned number of four bits before and eight behind the point (u4.8): a level of detail.
pub type U4_8 = Fixed<false, 12, 8>;
/// A signed number of 14 bits, eight of them behind the point (s6.8).
pub type S6_8 = Fixed<true, 14, 8>;
/// A signed number of six bits, four of them behind the point (s2.4).
pub type S2_4 = Fixed<true, 6, 4>;
/// An unsigned number of one bit before and five behind the point (u1.5).
pub type U1_5 = Fixed<false, 6, 5>;

codes! {
    /// What lies beyond the edge of an image. Guide §10.6, table 51.
    pub enum Clamp: full {
        /// The image again.
        Wrap = 0 "Wrap",
        /// The image in a mirror, again and again.
        Mirror = 1 "Mirror",
        /// The last texel.
        ClampLastTexel = 2 "ClampLastTexel",
        /// The image in a mirror, then its last texel.
        MirrorOnceLastTexel = 3 "MirrorOnceLastTexel",
        /// Halfway from the last texel to the border.
        ClampHalfBorder = 4 "ClampHalfBorder",
        /// The image in a mirror, then halfway to the border.
        MirrorOnceHalfBorder = 5 "MirrorOnceHalfBorder",
        /// The border.
        ClampBorder = 6 "ClampBorder",
        /// The image in a mirror, then the border.
        MirrorOnceBorder = 7 "MirrorOnceBorder",
    }
}

codes! {
    /// The greatest anisotropy. Guide §10.6, table 51.
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
    /// When the comparison of a depth holds. Guide §10.6, table 51.
    pub enum Compare: full {
        /// Never.
        Never = 0 "Never",
        /// If it is less.
        Less = 1 "Less",
        /// If it is equal.
        Equal = 2 "Equal",
        /// If it is less or equal.
        LessEqual = 3 "LessEqual",
        /// If it is greater.
        Greater = 4 "Greater",
        /// If it is not equal.
        NotEqual = 5 "NotEqual",
        /// If it is greater or equal.
        GreaterEqual = 6 "GreaterEqual",
        /// Always.
        Always = 7 "Always",
    }
}

codes! {
    /// What becomes of the texels that a filter takes. Guide §10.6, table 51.
    pub enum FilterMode {
        /// Their weighted mean.
        Blend = 0 "Blend",
        /// The least.
        Min = 1 "Min",
        /// The greatest.
        Max = 2 "Max",
    }
}

codes! {
    /// The filter within a plane. Guide §10.6, table 51.
    pub enum XyFilter: full {
        /// The nearest texel.
        Point = 0 "point",
        /// The four nearest.
        Bilinear = 1 "bilinear",
        /// The nearest along the axis of anisotropy.
        AnisoPoint = 2 "aniso-point",
        /// The four nearest along the axis of anisotropy.
        AnisoLinear = 3 "aniso-linear",
    }
}

codes! {
    /// The filter between planes of a volume, or between levels of detail. Guide §10.6, table 51.
    pub enum LinearFilter {
        /// None: the filter within the plane for a volume, the base level of a mipmap.
        None = 0 "none",
        /// The nearest.
        Point = 1 "point",
        /// The two nearest.
        Linear = 2 "linear",
    }
}

codes! {
    /// The colour beyond the border. Guide §10.6, table 51.
    pub enum BorderColor: full {
        /// Zero in all components.
        TransparentBlack = 0 "transparent black",
        /// Zero, and one for alpha.
        OpaqueBlack = 1 "opaque black",
        /// One in all components.
        OpaqueWhite = 2 "opaque white",
        /// The colour that the pointer leads to.
        Register = 3 "register",
    }
}

descriptor! {
    /// The sampler, S#: four dwords. Guide §10.6, table 51.
    pub struct Sampler [u128; 4], values SamplerValues {
        /// What lies beyond the edge along X.
        clamp_x: Clamp = 3,
        /// What lies beyond the edge along Y.
        clamp_y: Clamp = 3,
        /// What lies beyond the edge along Z.
        clamp_z: Clamp = 3,
        /// The greatest anisotropy.
        max_aniso_ratio: MaxAniso = 3,
        /// When the comparison of a depth holds.
        depth_compare: Compare = 3,
        /// Whether coordinates are taken as unnormalized: from 0 to the size of the image instead of 1.
        force_unnormalized: bool = 1,
        /// The threshold under which the whole part of the anisotropy gives the number of samples and the step.
        aniso_threshold: u8 = 3,
        /// Whether the fraction of a bilinear blend is cut to one bit, for motion compensation.
        mc_coord_trunc: bool = 1,
        /// Whether the format is taken as sRGB where it can be.
        force_degamma: bool = 1,
        /// A bias of anisotropy.
        aniso_bias: U1_5 = 6,
        /// Whether coordinates of texels are truncated, not rounded.
        trunc_coord: bool = 1,
        /// Whether the edges of a cube's faces are seams, clamped as for X and Y.
        disable_cube_wrap: bool = 1,
        /// What becomes of the texels that a filter takes.
        filter_mode: FilterMode = 2,
        /// Whether sRGB stays as it is stored.
        skip_degamma: bool = 1,
        /// The least level of detail, from the resource's base level on.
        min_lod: U4_8 = 12,
        /// The greatest level of detail.
        max_lod: U4_8 = 12,
        _ = 8,
        /// A bias of the level of detail.
        lod_bias: S6_8 = 14,
        /// A second bias, which is added to the computed level of detail.
        lod_bias_sec: S2_4 = 6,
        /// The filter for magnification.
        xy_mag_filter: XyFilter = 2,
        /// The filter for minification.
        xy_min_filter: XyFilter = 2,
        /// The filter between planes of a volume.
        z_filter: LinearFilter = 2,
        /// The filter between levels of detail.
        mip_filter: LinearFilter = 2,
        _ = 2,
        /// Whether absent levels of a partially resident texture count as a default value in a blend.
        blend_prt: bool = 1,
        _ = 1,
        /// Where the colour of the border is.
        border_color_ptr: u16 = 12,
        _ = 18,
        /// The colour of the border.
        border_color: BorderColor = 2,
    }
}

impl fmt::Display for Sampler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
            (v.blend_prt, "blend PRT"),
        ];
        super::flags(f, &flags)
    }
}
