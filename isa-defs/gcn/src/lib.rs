//! AMD GCN 1.0 to 1.4: the buffer and scalar memory instructions (MUBUF, SMEM), decode, encode, text and operands, from
//! one row for each instruction.
//!
//! Each generation is a set of its own: [`gcn1_0`], [`gcn1_1`], [`gcn1_2`], [`gcn1_4`].
//!
//! ```
//! use gcn::{Wave, gcn1_2, gcn1_4};
//!
//! let (instr, dwords) = gcn1_4::Instr::decode(&[0xc002_0002, 0x24], Wave::W64)?;
//! assert_eq!(dwords, 2);
//! assert_eq!(instr.opcode(), gcn1_4::Opcode::S_LOAD_DWORD);
//! assert_eq!(instr.to_string(), "s_load_dword s0, s[4:5], 0x24");
//! // An error names the generation, the format and the field.
//! let error = gcn1_2::Instr::decode(&[0xc216_0002, 0x24], Wave::W64).unwrap_err();
//! assert_eq!(error.to_string(), "gcn1_2: SMEM has no opcode 133 (OP)");
//! # Ok::<(), gcn1_4::DecodeError>(())
//! ```
//!
//! The rest of these instruction sets is not read, but its lengths are known: [`encoding()`].
#![no_std]

#[doc(inline)]
pub use gcn_rows::*;
