//! All instructions of AMD's RDNA3 GPUs: decode, encode, print, parse, check and build them. Depend on this crate to work with RDNA3
//! code.
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
//! The module [`build`] has a function for each mnemonic:
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
//! The macro `isa!` generates [`Instr`] and [`Opcode`] from one row for each instruction of the ISA guide, in the crate `rdna-rows`.
//! [`operands`] documents the codes of their fields, and [`raw`] has the bare layouts. [`register`], [`message`], [`export`],
//! [`wave_state`] and [`initial`] hold facts of the guide's other chapters, from the crate `rdna-facts`.
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `parse` | yes | [`Instr::parse`], [`Instr::check`] |
//! | `inst` | yes | [`Inst`], an instruction at the level of operands; what instructions read, write and compute; facts about opcodes; [`Instr::check`] |
//! | `asm` | yes | `asm!` and `instrs!`, and `parse`. They link the rows into the compiler, so a release build compiles the rows twice |
//! | `build` | yes | the module `build`, and `inst` |
//! | `facts` | yes | the modules `register`, `message`, `export`, `descriptor`, `address`, `counter` and others: facts of the guide besides the instructions; and `inst` |
//! | `lint` | yes | the module `lint`: missing waits and hazards; and `facts`. It allocates |
//! | `exec` | no | the module `exec`: execution on the CPU with `isa-exec`; and `lint`. It allocates |
//!
//! Without features the crate decodes, encodes and prints instructions and lists their operands, and compiles fastest. Without
//! `lint` and `exec` it needs neither std nor an allocator.
#![no_std]

#[cfg(feature = "exec")]
pub mod exec;

// Its items are those of the rows and of the guide's other chapters.
#[cfg(feature = "facts")]
#[doc(inline)]
pub use rdna_facts::*;
#[cfg(not(feature = "facts"))]
#[doc(inline)]
pub use rdna_rows::*;
// Without these, rustdoc documents the modules in `rdna3::rdna3` only, and the front page does not list them.
#[cfg(feature = "build")]
#[doc(inline)]
pub use rdna_rows::rdna3::build;
#[cfg(any(feature = "parse", feature = "inst"))]
#[doc(inline)]
pub use rdna_rows::rdna3::modifiers;
#[doc(inline)]
pub use rdna_rows::rdna3::raw;

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
/// on). A name before a colon is a label, and branches name it; `.long` takes dwords. A block that begins
/// with `.wave64` is for 64 lanes, else it is for 32. Comments are Rust's.
///
/// Each line is read by the parser of [`Instr::parse`], strictly; every line that it refuses is a compile error at the
/// wrong tokens, all of them in one run.
#[cfg(feature = "asm")]
pub use rdna3_asm::asm;

/// Assembles lines with values of run time in them: `Result<[Instr; N], isa::LineError>`.
///
/// ```
/// use rdna3::instrs;
///
/// let (registers, count) = (4..6, 3);
/// for n in registers {
///     let register = format!("v{n}");
///     let code = instrs! {
///         s_mov_b32 s0, {count};
///         again:
///         v_add_f32 {register.as_str()}, {0.5f32}, v1;
///         s_sub_i32 s0, s0, 1;
///         s_cbranch_scc0 again;
///     }?;
///     assert_eq!(code[1].to_string(), format!("v_add_f32_e32 v{n}, 0.5, v1"));
///     assert_eq!(code[3].branch_offset(), Some(-3));
/// }
/// # Ok::<(), rdna3::isa::LineError>(())
/// ```
///
/// The syntax is that of [`asm!`](macro@crate::asm) without `.long`. Values are written in braces and implement
/// [`isa::ToText`]: registers, integers, `f32`, `f64`, text. The compiler reports a line that is wrong for all values. A line that
/// is wrong for the given values is a [`isa::LineError`] at run time, with the same message.
#[cfg(feature = "asm")]
#[macro_export]
macro_rules! instrs {
    ($($line:tt)*) => { $crate::__private::instrs! { {$crate} $($line)* } };
}

/// The items that expansions name. Not for direct use.
#[doc(hidden)]
#[cfg(feature = "asm")]
pub mod __private {
    pub use rdna3_asm::instrs;

    use crate::isa::{LineError, LinePart};
    use crate::{Instr, Rdna3};

    /// The instructions of these lines; `mode` is 0 for wave32 and 1 for wave64.
    ///
    /// # Errors
    /// See [`crate::isa::instructions`].
    pub fn instructions<const N: usize>(mode: usize, lines: &[&[LinePart<'_>]; N]) -> Result<[Instr; N], LineError> {
        rdna_rows::instructions::<Rdna3, N>(mode, lines)
    }
}
