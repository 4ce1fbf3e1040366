//! Descriptors and addresses that several generations of AMD GPUs share: layouts, builders and checks of descriptors, and the
//! computation of addresses from registers. Depend on `rdna3` or `gcn`, which re-export it.
//!
//! [`descriptor!`] and [`codes!`] declare layouts and enums once; [`buffer`] has the arithmetic of linear and swizzled
//! buffers; [`address`] has addresses and faults. [`gcn`] has the buffer resource and the addresses of GCN 1.0 to 1.4;
//! RDNA3's descriptors and addresses are in the crate `rdna3`.
//!
//! Everything is a pure function of plain values: nothing here knows an instruction set.
//!
//! # Examples
//! ```
//! use amdgpu_memory::gcn::{BufferResource, BufferValues};
//!
//! let resource = BufferValues { base: 0x1_0000, num_records: 64, ..BufferValues::default() }.build()?;
//! assert_eq!(BufferResource::from_words(resource.to_words()), resource);
//! assert!(BufferValues { stride: 0x4000, ..BufferValues::default() }.build().is_err());
//! # Ok::<(), amdgpu_memory::FieldError>(())
//! ```
#![no_std]

pub mod address;
pub mod buffer;
mod codes;
mod descriptor;
pub mod field;
pub mod gcn;

pub use address::{Address, Fault, Spans};
pub use field::{Allowed, Coded, FieldError, Refused};

/// Names that macro expansions use. Not for direct use.
#[doc(hidden)]
pub mod __private {
    pub use bitfield_struct::bitfield;
    pub use core;
}
