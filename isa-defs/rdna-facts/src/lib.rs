//! Facts of AMD's RDNA guides besides the instructions: registers, messages, exports, descriptors, addresses, counters and hazards.
//! Depend on `rdna3`, `rdna3_5` or `rdna4` instead, which re-export this crate. It is a separate crate so that cargo compiles it while the macros of
//! `asm!` are linked.
#![no_std]
// bitfield-struct generates such results for each field of a layout.
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
#[cfg(feature = "lint")]
pub mod flow;
pub mod initial;
mod layout;
#[cfg(feature = "lint")]
pub mod lint;
#[cfg(feature = "lint")]
pub mod live;
pub mod message;
pub mod register;
pub mod wave_state;

#[doc(inline)]
pub use rdna_rows::*;
