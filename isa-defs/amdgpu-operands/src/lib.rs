//! Operands that all generations of AMD's GPU instruction sets share: LLVM's syntax of constants, names of registers, and the typed
//! registers of builders. Depend on `rdna3` or `gcn` instead. Codes, register files and formats are in the crate of each set.
#![no_std]

pub mod build;
mod effects;
pub mod files;
mod legal;
mod symbol;
mod syntax;

/// The crate that the macros of [`build`] refer to.
#[doc(hidden)]
pub use isa_runtime as isa;

pub use effects::{OperandRegisters, Pressure, RegisterEffects, RegisterSet, Unit};
pub use isa_runtime::InlineFloat;
pub use isa_runtime::class::write_range;
pub use isa_runtime::inst::RegHalf as Half;
pub use legal::{Authority, LegalityRule, RuleTexts, Violation};
pub use symbol::{begins_register, nearest_register};
pub use syntax::Llvm;
