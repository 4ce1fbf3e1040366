//! Describes instruction sets as tables of rows, and generates their decoders, encoders, parsers and printers.
//!
//! An [`isa!`] block states a microcode format with its opcode table; [`isa_set!`] joins blocks into a set. The expansion has types for
//! instructions, opcodes and operands, builders, and the semantics of each instruction. [`row_language`] is the reference.
//!
//! Depend on this crate to describe an instruction set of your own. For AMD GPUs depend on `rdna3`, `rdna3_5` or `gcn`, which are
//! made with it.
//!
//! The macros and the runtime are separate crates, which cargo compiles in parallel; this crate re-exports both.
#![no_std]

pub use isa_macros::{isa, isa_set};
#[doc(inline)]
pub use isa_runtime::*;

/// The items that expansions name, so that a crate that uses the macros depends on this one alone. Not for direct use.
#[doc(hidden)]
pub mod __private {
    pub use bitfield_struct::bitfield;
    pub use isa_macros::__isa_finish;
    pub use isa_runtime::__private::*;
}

#[cfg_attr(not(doctest), doc = include_str!("../row-language.md"))]
pub mod row_language {}
