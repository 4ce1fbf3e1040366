//! RDNA4's resource of ray intersection, which describes a bounding volume hierarchy. RDNA4's guide §10.9.3, tables 65
//! and 66.

use core::fmt;

use amdgpu_memory::field::{Address256, Count};
use amdgpu_memory::{codes, descriptor};

pub use crate::descriptor::bvh::{BvhType, TriangleDword, TriangleReturn};
use crate::descriptor::flags;

codes! {
    /// The order of the boxes that a ray hits. RDNA4's guide §10.9.3, table 65.
    pub enum BoxSorting {
        /// The box that the ray enters first.
        Closest = 0 "closest first",
        /// The box with the longest part of the ray.
        Largest = 1 "largest first",
        /// The box with the first midpoint of the ray's part in it.
        ClosestMidpoint = 2 "closest midpoint first",
    }
}

descriptor! {
    /// The resource of ray intersections: four dwords. RDNA4's guide §10.9.3, table 65.
    pub struct BvhResource [u128; 4], values BvhValues {
        /// The address of the first node.
        base: Address256 = 40,
        _ = 12,
        /// Whether pointers to triangles are sorted before those to boxes.
        triangles_first: bool = 1,
        /// The order of the boxes.
        sorting_heuristic: BoxSorting = 2,
        /// The extension of the far planes of boxes in the ray-box test.
        box_growing: u8 = 8,
        /// Whether the results of a ray-box test are sorted.
        box_sorting: bool = 1,
        /// The number of nodes, for the bounds check.
        nodes: Count = 42,
        _ = 10,
        /// Whether nodes of type 4 are boxes of 64 bytes, and not of 16-bit floats.
        box_node_64: bool = 1,
        /// Whether eight boxes are sorted, and not four.
        wide_sorting: bool = 1,
        /// Whether nodes of type 6 are instances, and not user nodes.
        instances: bool = 1,
        /// Whether node pointers hold flags (winding, culling).
        pointer_flags: bool = 1,
        /// The results of a triangle test.
        triangle_return: TriangleReturn = 1,
        _ = 3,
        /// The type.
        kind: BvhType = 4,
    }
}

impl fmt::Display for BvhResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let v = self.values();
        write!(f, "BVH at {:?}, {:?} nodes, returns {}", v.base, v.nodes, v.triangle_return)?;
        if v.box_growing != 0 {
            write!(f, ", boxes grow by {}", v.box_growing)?;
        }
        if v.box_sorting {
            write!(f, ", sorted: {}", v.sorting_heuristic)?;
        }
        let all = [
            (v.triangles_first, "triangles first"),
            (v.box_node_64, "boxes of 64 bytes"),
            (v.wide_sorting, "eight boxes sorted"),
            (v.instances, "instances"),
            (v.pointer_flags, "pointer flags"),
        ];
        flags(f, &all)?;
        if v.kind != BvhType::Bvh {
            write!(f, ", not a BVH: type {}", v.kind.into_bits())?;
        }
        Ok(())
    }
}
