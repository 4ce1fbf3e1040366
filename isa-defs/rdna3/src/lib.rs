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
//! the bare layouts.
#![no_std]

#[doc(inline)]
pub use rdna3_rows::*;

/// Assembles at compile time: an array of the words of all lines, in LLVM's syntax.
///
/// ```
/// const KERNEL: &[u32] = &rdna3::asm! {
///     s_mov_b32 s0, 8;
///     again:
///     v_add_f32 v0, v0, v1;
///     s_add_i32 s0, s0, -1;
///     s_cmp_lg_u32 s0, 0;
///     s_cbranch_scc1 again;
///     s_endpgm;
/// };
/// assert_eq!(KERNEL[1], 0x0600_0300);
/// ```
///
/// Statements end with semicolons or, in a block without any, with lines (a line that ends in a comma or in `::` goes
/// on). A name before a colon is a label, and branches name it; `.long` takes dwords as they are. A block that begins
/// with `.wave64` is for 64 lanes, else it is for 32. Comments are Rust's.
///
/// Each line is read by the parser of [`Instr::parse`], strictly; every line that it refuses is a compile error at the
/// tokens at fault, all of them in one run.
pub use rdna3_asm::asm;
