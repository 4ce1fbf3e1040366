//! Descriptors in SGPRs: buffers, images, samplers, BVHs. Guide §9.6, §10.5 to §10.7, §10.9.3. Those of RDNA4 are in [`rdna4`].
//!
//! Each is a layout with typed getters, and a struct of plain values whose `build` checks each of them:
//!
//! ```
//! use rdna3::descriptor::buffer::{BufferResource, BufferValues, DstSelect, OobSelect};
//! use rdna3::descriptor::format::DataFormat;
//!
//! let values = BufferValues {
//!     base: 0x7f00_1234_5600,
//!     num_records: 4096,
//!     format: DataFormat::F32_FLOAT,
//!     dst_sel_x: DstSelect::R,
//!     oob_select: OobSelect::Raw,
//!     ..BufferValues::default()
//! };
//! let resource = values.build()?;
//! assert_eq!(BufferResource::from_words(resource.to_words()).values(), values);
//! assert_eq!(resource.to_string(), "buffer at 0x7f0012345600, 4096 bytes, 32_FLOAT, select R000, bounds raw");
//!
//! let wrong = BufferValues { stride: 16384, ..values }.build();
//! assert_eq!(wrong.unwrap_err().to_string(), "stride of BufferResource cannot be 16384: it is a number from 0 to 16383");
//! # Ok::<(), rdna3::descriptor::FieldError>(())
//! ```

pub mod buffer;
pub mod bvh;
pub mod format;
pub mod image;
pub mod rdna4;
pub mod sampler;

pub use amdgpu_memory::field::{Address256, Count, Fixed};
pub use amdgpu_memory::{Allowed, FieldError};

/// Writes the names of the flags that are set, each after a comma.
fn flags(f: &mut core::fmt::Formatter<'_>, flags: &[(bool, &str)]) -> core::fmt::Result {
    flags.iter().filter(|(set, _)| *set).try_for_each(|(_, name)| write!(f, ", {name}"))
}
