//! Descriptors of RDNA4 in SGPRs: buffers, images, samplers, BVHs. RDNA4's guide §9.6, §10.5 to §10.7, §10.9.3.
//!
//! Fields have other widths and places than RDNA3's; their codes are the same but where a module says otherwise.

pub mod buffer;
pub mod bvh;
pub mod image;
pub mod sampler;

#[doc(inline)]
pub use super::format;
#[doc(inline)]
pub use super::{Address256, Allowed, Count, FieldError, Fixed};
