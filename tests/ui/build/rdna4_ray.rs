//! The ray of eight boxes has the base, the length and mask, the origin, the direction and the offset.

use rdna4::build::*;

fn main() {
    let _ = image_bvh8_intersect_ray(vgpr!(0..=9), (v(0), v(1), vgpr!(2..=4), vgpr!(5..=7), v(8)), sgpr!(0..=3));
}
