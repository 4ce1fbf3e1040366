//! The resource of ray intersection, which describes a bounding volume hierarchy. Guide §10.9.3, tables 54 and 55.

use core::fmt;

use amdgpu_memory::field::{Address256, Count};
use amdgpu_memory::{codes, descriptor};

codes! {
    /// The results of a triangle test. Guide §10.9.3, tables 54 and 55.
    pub enum TriangleReturn: full {
        /// The triangle ID and the hit status.
        Hit = 0 "triangle and hit status",
        /// The barycentric coordinates.
        Barycentrics = 1 "barycentrics",
    }
}

/// The contents of a dword that a triangle test returns. Guide §10.9.3, table 55.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TriangleDword {
    /// The numerator of the distance, an f32.
    TNum,
    /// The denominator of the distance, an f32.
    TDenom,
    /// The triangle ID, a u32.
    TriangleId,
    /// The hit status, a u32.
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
    /// The use of the last-level cache. Guide §10.9.3, table 54.
    pub enum LlcStream {
        /// As the memory type asks.
        Use = 0 "use",
        /// For loads; stores and atomics bypass it.
        LoadsOnly = 1 "loads only",
        /// Bypassed by all operations.
        Bypass = 3 "bypass",
    }
}

codes! {
    /// The type of the resource. Guide §10.9.3, table 54.
    pub enum BvhType {
        /// A BVH, which has the type of a 1D image.
        Bvh = 8 "BVH",
    }
}

descriptor! {
    /// The resource of `IMAGE_BVH_INTERSECT_RAY` and `IMAGE_BVH64_INTERSECT_RAY`: four dwords. Guide §10.9.3, table 54.
    pub struct BvhResource [u128; 4], values BvhValues {
        /// The address of the first node.
        base: Address256 = 40,
        _ = 15,
        /// The number of ULPs added in the ray-box test.
        box_growing: u8 = 8,
        /// Whether the results of a ray-box test are sorted.
        box_sorting: bool = 1,
        /// The number of nodes, for the bounds check.
        nodes: Count = 42,
        _ = 13,
        /// Whether node pointers hold flags (winding, culling).
        pointer_flags: bool = 1,
        /// The results of a triangle test.
        triangle_return: TriangleReturn = 1,
        /// The use of the last-level cache.
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
