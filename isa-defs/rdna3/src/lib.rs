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
//! Instructions are built by functions that the same rows give, one for each mnemonic ([`build`], a feature that is on by
//! default):
//!
//! ```
//! use rdna3::{Wave, build::*};
//!
//! const POINTER: Sgprs<2> = sgpr!(4..=5);
//! let load = global_load_b32(v(0), v(1), POINTER).offset(16).build(Wave::W32)?;
//! assert_eq!(load.to_string(), "global_load_b32 v0, v1, s[4:5] offset:16");
//! # Ok::<(), BuildError>(())
//! ```
//!
//! Where to look: [`Instr`] and [`Opcode`] are generated from blocks that transcribe the guide's chapter 15, a file for
//! each microcode format, in the crate `rdna3-rows`; [`operands`] says what the codes in their fields mean; [`raw`] has
//! the bare layouts.
#![no_std]

#[doc(inline)]
pub use rdna3_rows::*;
