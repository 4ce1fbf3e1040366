//! All instructions of AMD's RDNA3.5 GPUs (gfx1150 to gfx1154): decode, encode, print, parse, check and build them. Depend on this crate
//! to work with RDNA3.5 code.
//!
//! RDNA3.5 is RDNA3 with scalar floating-point instructions, and with scalar registers and inline constants as the second
//! source beside DPP controls. The crate `rdna3` has the same names and documents the rest.
//!
//! ```
//! use rdna3_5::{Instr, Opcode, Wave};
//!
//! let (instr, dwords) = Instr::decode(&[0xa000_0201], Wave::W32)?;
//! assert_eq!(dwords, 1);
//! assert_eq!(instr.opcode(), Opcode::S_ADD_F32);
//! assert_eq!(instr.to_string(), "s_add_f32 s0, s1, s2");
//! let moved = Instr::parse("v_add_f32 v0, v1, s2 row_mirror", Wave::W32).unwrap();
//! assert_eq!(moved.to_string(), "v_add_f32_e64_dpp v0, v1, s2 row_mirror row_mask:0xf bank_mask:0xf");
//! # Ok::<(), rdna3_5::DecodeError>(())
//! ```
//!
//! The module `build` has a function for each mnemonic:
//!
//! ```
//! # #[cfg(feature = "build")] {
//! use rdna3_5::build::*;
//!
//! assert_eq!(s_add_f32(sgpr!(0), sgpr!(1), 1.0).instr()?.to_string(), "s_add_f32 s0, s1, 1.0");
//! let moved = v_add_f32(v(0), v(1), sgpr!(2)).dpp16(DppCtrl::row_mirror()).instr()?;
//! assert_eq!(moved.to_string(), "v_add_f32_e64_dpp v0, v1, s2 row_mirror row_mask:0xf bank_mask:0xf");
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `parse` | yes | `Instr::parse`, `Instr::check` |
//! | `inst` | yes | `Inst`, an instruction at the level of operands; what instructions read, write and compute; facts about opcodes; `Instr::check` |
//! | `asm` | yes | `asm!` and `instrs!`, and `parse`. They link the rows into the compiler, so a release build compiles the rows twice |
//! | `build` | yes | the module `build`, and `inst` |
//! | `lint` | no | the modules `lint`, `counter`, `descriptor` and others of `rdna3`: missing waits and hazards, facts of the guide. It compiles the rows of RDNA3 too, and allocates |
//! | `exec` | no | the module `exec`: execution on the CPU with `isa-exec`. It allocates |
#![no_std]

#[cfg(feature = "exec")]
pub mod exec;

/// Missing waits and hazards, found as [`rdna_facts::lint`] says.
///
/// ```
/// use rdna3_5::{Instr, Wave, lint::{Rule, lint}};
///
/// let code: Vec<Instr> = ["s_load_b32 s4, s[0:1], null", "s_add_f32 s4, s4, s5", "s_endpgm"]
///     .into_iter().map(str::parse).collect::<Result<_, _>>()?;
/// let findings = lint(&code, Wave::W32);
/// assert_eq!((findings[0].rule, findings[0].at), (Rule::ReadTooEarly, 1));
/// # Ok::<(), rdna3_5::isa::ParseError>(())
/// ```
#[cfg(feature = "lint")]
pub mod lint {
    pub use rdna_facts::lint::{Authority, Certainty, Help, Rule, Span, lint};

    /// A place where code breaks a rule.
    pub type Finding = rdna_facts::lint::Finding<crate::Instr>;
    /// Instructions with the facts that the rules need, computed once.
    pub type Program = rdna_facts::lint::Program<crate::Instr>;
}

#[cfg(feature = "lint")]
#[doc(inline)]
pub use rdna_facts::{counter, descriptor, export, flow, initial, live, message, register, wave_state};
#[doc(inline)]
pub use rdna_rows::rdna3_5::*;
#[cfg(any(feature = "parse", feature = "inst"))]
#[doc(inline)]
pub use rdna_rows::{Authority, Rule, Target, Violation};
#[doc(inline)]
pub use rdna_rows::{
    FAR_BRANCH, Features, File, Format, Generation, Half, Instruction, Registers, Value, Wave, files, isa, operands,
};
#[cfg(feature = "inst")]
#[doc(inline)]
pub use rdna_rows::{Pipeline, RegisterEffects, RegisterSet, Unit, dual_issue};

/// Assembles at compile time: an array of the words of all lines, in LLVM's syntax, as `rdna3::asm!` does.
///
/// ```
/// const CODE: &[u32] = &rdna3_5::asm! {
///     s_add_f32 s0, s1, 1.0;
///     s_cmp_lt_f16 s0, s1;
///     s_endpgm;
/// };
/// assert_eq!(CODE, [0xa000_f201, 0xbf51_0100, 0xbfb0_0000]);
/// ```
#[cfg(feature = "asm")]
pub use rdna3_asm::asm_rdna3_5 as asm;

/// Assembles lines with values of run time in them, as `rdna3::instrs!` does: `Result<[Instr; N], isa::LineError>`.
///
/// ```
/// let [add] = rdna3_5::instrs! { s_add_f32 s0, s1, {2.5f32} }?;
/// assert_eq!(add.to_string(), "s_add_f32 s0, s1, 0x40200000");
/// # Ok::<(), rdna3_5::isa::LineError>(())
/// ```
#[cfg(feature = "asm")]
#[macro_export]
macro_rules! instrs {
    ($($line:tt)*) => { $crate::__private::instrs! { {$crate} $($line)* } };
}

/// The items that expansions name. Not for direct use.
#[doc(hidden)]
#[cfg(feature = "asm")]
pub mod __private {
    pub use rdna3_asm::instrs_rdna3_5 as instrs;

    use crate::isa::{LineError, LinePart};
    use crate::{Instr, Rdna3_5};

    /// The instructions of these lines; `mode` is 0 for wave32 and 1 for wave64.
    ///
    /// # Errors
    /// See [`crate::isa::instructions`].
    pub fn instructions<const N: usize>(mode: usize, lines: &[&[LinePart<'_>]; N]) -> Result<[Instr; N], LineError> {
        rdna_rows::instructions::<Rdna3_5, N>(mode, lines)
    }
}
