//! AMD RDNA3 instructions: decode, encode, text and operands, from one row for each instruction of the ISA guide.
//!
//! ```
//! use rdna3::{Instr, Opcode, Value, Wave};
//!
//! let (instr, dwords) = Instr::decode(&[0x0604_0501], Wave::W32)?;
//! assert_eq!(dwords, 1);
//! assert_eq!(instr.opcode(), Opcode::V_ADD_F32);
//! assert_eq!(instr.to_string(), "v_add_f32_e32 v2, v1, v2");
//! if let Instr::Vop2(x) = instr {
//!     assert_eq!(x.vdst().number(), 2);
//! }
//! let read = instr.operands(Wave::W32).filter(|o| o.access == rdna3::isa::Access::Read).count();
//! assert_eq!(read, 2);
//! # Ok::<(), rdna3::DecodeError>(())
//! ```
//!
//! Where to look: [`Instr`] and [`Opcode`] are generated from blocks that transcribe the guide's chapter 15, a file for
//! each microcode format, in the crate `rdna3-rows`; [`operands`] says what the codes in their fields mean; [`raw`] has
//! the bare layouts. Around the instructions stand the facts of the guide's other chapters: [`register`], [`message`],
//! [`export`], [`wave_state`], [`initial`].
#![no_std]
// What bitfield-struct writes for each field of a layout.
#![allow(clippy::result_unit_err)]

#[cfg(feature = "lint")]
extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod cache;
pub mod counter;
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
