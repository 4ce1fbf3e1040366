//! Memory of AMD GPUs, as far as several generations share it: how descriptors are laid out, built and checked, and how
//! addresses are made of registers and descriptors.
//!
//! [`descriptor!`] and [`codes!`] declare layouts and enums once; [`buffer`] has the arithmetic of linear and swizzled
//! buffers; [`address`] what an address comes to or why there is none. [`gcn`] is the buffer resource of GCN 1.0 to 1.4
//! and what addresses come to there; RDNA3's descriptors and addresses are in the crate `rdna3`.
//!
//! Everything is a pure function of plain values: nothing here knows an instruction set.
#![no_std]

pub mod address;
pub mod buffer;
mod codes;
mod descriptor;
pub mod field;
pub mod gcn;

pub use address::{Address, Fault, Spans};
pub use field::{Allowed, Coded, FieldError, Refused};

/// What expansions name. Not for direct use.
#[doc(hidden)]
pub mod __private {
    pub use bitfield_struct::bitfield;
    pub use core;
}
