//! The resource of ray intersection, which describes a bounding volume hierarchy. Guide §10.9.3, tables 54 and 55.

use core::fmt;

use amdgpu_memory::field::{Address256, Count};
use amdgpu_memory::{codes, descriptor};

codes! {
    /// What the test of a triangle returns. Guide §10.9.3, tables 54 and 55.
    pub enum TriangleReturn: full {
        /// The triangle's number and whether it was hit.
        Hit = 0 "triangle and hit status",
        /// The barycentric coordinates.
        Barycentrics = 1 "barycentrics",
    }
}

/// What a dword holds that the test of a triangle returns. Guide §10.9.3, table 55.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TriangleDword {
    /// The numerator of the distance, an f32.
    TNum,
    /// The denominator of the distance, an f32.
    TDenom,
    /// The triangle's number, a u32.
    TriangleId,
    /// Whether it was hit, a u32.
    HitStatus,
    /// The numerator of I, an f32.
    INum,
    /// The numerator of J, an f32.
    JNum,
}

impl TriangleReturn {
    /// The four dwords that are returned. Guide §10.9.3, table 55.
    #[must_use]
    pub const fn dwords(self) -> [TriangleDword; 4] {
        use TriangleDword::{HitStatus, INum, JNum, TDenom, TNum, TriangleId};
        match self {
            TriangleReturn::Hit => [TNum, TDenom, TriangleId, HitStatus],
            TriangleReturn::Barycentrics => [TNum, TDenom, INum, JNum],
        }
    }
}

codes! {
    /// How the last-level cache is used. Guide §10.9.3, table 54.
    pub enum LlcStream {
        /// As the memory type says.
        Use = 0 "use",
        /// For loads; stores and atomics go past it.
        LoadsOnly = 1 "loads only",
        /// Not at all.
        Bypass = 3 "bypass",
    }
}

codes! {
    /// The type that the resource has to have. Guide §10.9.3, table 54.
    pub enum BvhType {
        /// The type of a row of texels, which a hierarchy is to the hardware.
        Bvh = 8 "BVH",
    }
}

descriptor! {
    /// The resource of `IMAGE_BVH_INTERSECT_RAY` and `IMAGE_BVH64_INTERSECT_RAY`: four dwords. Guide §10.9.3, table 54.
    pub struct BvhResource [u128; 4], values BvhValues {
        /// The address of the first node.
        base: Address256 = 40,
        _ = 15,
        /// By how many units of the last place boxes grow in the test of a ray against a box.
        box_growing: u8 = 8,
        /// Whether the results of the test of a ray against a box are sorted.
        box_sorting: bool = 1,
        /// How many nodes there are, for the check of bounds.
        nodes: Count = 42,
        _ = 13,
        /// Whether pointers to nodes hold flags (winding, culling).
        pointer_flags: bool = 1,
        /// What the test of a triangle returns.
        triangle_return: TriangleReturn = 1,
        /// How the last-level cache is used.
        llc_stream: LlcStream = 2,
        /// Whether all pages are of 64 kB or more.
        big_page: bool = 1,
        /// The type.
        kind: BvhType = 4,
    }
}

impl fmt::Display for BvhResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let v = self.values();
        write!(f, "BVH at {:?}, {:?} nodes, returns {}", v.base, v.nodes, v.triangle_return)?;
        if v.box_growing != 0 {
            write!(f, ", boxes grow {} ulp", v.box_growing)?;
        }
        let flags =
            [(v.box_sorting, "sorted"), (v.pointer_flags, "pointer flags"), (v.big_page, "pages of 64 kB or more")];
        super::flags(f, &flags)?;
        if v.llc_stream != LlcStream::Use {
            write!(f, ", LLC {}", v.llc_stream)?;
        }
        if v.kind != BvhType::Bvh {
            write!(f, ", not a BVH: type {}", v.kind.into_bits())?;
        }
        Ok(())
    }
}
