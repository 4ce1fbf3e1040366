//! All instructions of AMD's RDNA4 GPUs (gfx1200 and gfx1201): decode, encode, print, parse, check and build them. Depend on this crate
//! to work with RDNA4 code.
//!
//! Most ALU instructions are those of RDNA3.5; instructions on memory have three dwords, temporal hints and scopes. Text is that of LLVM
//! with `+real-true16`, and LLVM's default text is read as well. The crate `rdna3` has the same names and documents the rest.
//!
//! ```
//! use rdna4::{Instr, Opcode, Wave};
//!
//! let (instr, dwords) = Instr::decode(&[0xee05_007c, 0x0028_0001, 0x0000_4003], Wave::W32)?;
//! assert_eq!(dwords, 3);
//! assert_eq!(instr.opcode(), Opcode::GLOBAL_LOAD_B32);
//! assert_eq!(instr.to_string(), "global_load_b32 v1, v[3:4], off offset:64 th:TH_LOAD_HT scope:SCOPE_DEV");
//! // Names of RDNA3 are read where LLVM reads them.
//! let add = Instr::parse("s_add_u32 s0, s1, s2", Wave::W32).unwrap();
//! assert_eq!(add.to_string(), "s_add_co_u32 s0, s1, s2");
//! # Ok::<(), rdna4::DecodeError>(())
//! ```
//!
//! The module `build` has a function for each mnemonic:
//!
//! ```
//! # #[cfg(feature = "build")] {
//! use rdna4::build::*;
//!
//! let load = global_load_b32(v(1), vgpr!(3..=4), OFF).offset(64).th(Hint::HighTemporal).scope(MemoryScope::Device).instr()?;
//! assert_eq!(load.to_string(), "global_load_b32 v1, v[3:4], off offset:64 th:TH_LOAD_HT scope:SCOPE_DEV");
//! let add = global_atomic_add_u32_rtn(v(0), v(1), v(2), sgpr!(0..=1)).atomic_hint(AtomicHint::NonTemporal).instr()?;
//! assert_eq!(add.to_string(), "global_atomic_add_u32 v0, v1, v2, s[0:1] th:TH_ATOMIC_NT_RETURN");
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
//! | `facts` | no | the modules `address`, `cache`, `counter`, `descriptor`, `export`, `initial`, `message`, `register` and `wave_state`: what the guide says besides the instructions. It compiles the rows of RDNA3 too |
//! | `lint` | no | `facts`, and the modules `lint`, `flow` and `live`: missing waits and hazards, control flow, live registers. It allocates |
//! | `exec` | no | the module `exec`: execution on the CPU with `isa-exec`. It allocates |
#![no_std]

#[cfg(feature = "exec")]
pub mod exec;

/// Missing waits and hazards, found as [`rdna_facts::lint`] says.
///
/// ```
/// use rdna4::{Instr, Wave, lint::{Rule, lint}};
///
/// let code: Vec<Instr> = ["s_load_b32 s4, s[0:1], 0x0", "s_add_f32 s4, s4, s5", "s_endpgm"]
///     .into_iter().map(str::parse).collect::<Result<_, _>>()?;
/// let findings = lint(&code, Wave::W32);
/// assert_eq!((findings[0].rule, findings[0].at), (Rule::ReadTooEarly, 1));
/// # Ok::<(), rdna4::isa::ParseError>(())
/// ```
#[cfg(feature = "lint")]
pub mod lint {
    pub use rdna_facts::lint::{Authority, Certainty, Help, Rule, Span, lint};

    /// A place where code breaks a rule.
    pub type Finding = rdna_facts::lint::Finding<crate::Instr>;
    /// Instructions with the facts that the rules need, computed once.
    pub type Program = rdna_facts::lint::Program<crate::Instr>;
}

#[cfg(feature = "facts")]
#[doc(inline)]
pub use rdna_facts::{
    address, cache::rdna4 as cache, counter, descriptor::rdna4 as descriptor, export, initial, message,
    register::rdna4 as register, wave_state::rdna4 as wave_state,
};
#[cfg(feature = "lint")]
#[doc(inline)]
pub use rdna_facts::{flow, live};
#[doc(inline)]
pub use rdna_rows::rdna4::*;
#[cfg(any(feature = "parse", feature = "inst"))]
#[doc(inline)]
pub use rdna_rows::{Authority, Rule, Target, Violation};
#[doc(inline)]
pub use rdna_rows::{
    FAR_BRANCH, Family, Features, File, Format, Generation, Half, Instruction, Registers, Value, Wave, files, isa,
    operands,
};
#[cfg(feature = "inst")]
#[doc(inline)]
pub use rdna_rows::{Pipeline, RegisterEffects, RegisterSet, Unit, dual_issue};

/// Assembles at compile time: an array of the words of all lines, in LLVM's syntax, as `rdna3::asm!` does.
///
/// ```
/// const CODE: &[u32] = &rdna4::asm! {
///     s_add_f32 s0, s1, 1.0;
///     s_cmp_lt_f16 s0, s1;
///     s_endpgm;
/// };
/// assert_eq!(CODE, [0xa000_f201, 0xbf51_0100, 0xbfb0_0000]);
/// ```
#[cfg(feature = "asm")]
pub use rdna3_asm::asm_rdna4 as asm;

/// Assembles lines with values of run time in them, as `rdna3::instrs!` does: `Result<[Instr; N], isa::LineError>`.
///
/// ```
/// let [add] = rdna4::instrs! { s_add_f32 s0, s1, {2.5f32} }?;
/// assert_eq!(add.to_string(), "s_add_f32 s0, s1, 0x40200000");
/// # Ok::<(), rdna4::isa::LineError>(())
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
    pub use rdna3_asm::instrs_rdna4 as instrs;

    use crate::isa::{LineError, LinePart};
    use crate::{Instr, Rdna4};

    /// The instructions of these lines; `mode` is 0 for wave32 and 1 for wave64.
    ///
    /// # Errors
    /// See [`crate::isa::instructions`].
    pub fn instructions<const N: usize>(mode: usize, lines: &[&[LinePart<'_>]; N]) -> Result<[Instr; N], LineError> {
        rdna_rows::instructions::<Rdna4, N>(mode, lines)
    }
}
