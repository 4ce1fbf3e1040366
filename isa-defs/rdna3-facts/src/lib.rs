//! The facts of AMD's RDNA3 guide that stand around the instructions: registers, messages, exports, descriptors,
//! addresses, counters, and what must stand between instructions. Depend on the crate `rdna3`, which re-exports all of
//! this beside `asm!`; apart from it, this compiles while the macros of `asm!` are linked.
#![no_std]
// What bitfield-struct writes for each field of a layout.
#![allow(clippy::result_unit_err)]

#[cfg(feature = "lint")]
extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod address;
pub mod cache;
pub mod counter;
pub mod descriptor;
pub mod export;
pub mod initial;
mod layout;
#[cfg(feature = "lint")]
pub mod lint;
pub mod message;
pub mod register;
pub mod wave_state;

#[doc(inline)]
pub use rdna3_rows::*;
