//! Operands that all generations of AMD's GPU instruction sets share: LLVM's syntax of constants, names of registers, and the typed
//! registers of builders. Depend on `rdna3` or `gcn` instead. Codes, register files and formats are in the crate of each set.
#![no_std]

#[cfg(feature = "inst")]
pub mod build;
#[cfg(feature = "inst")]
mod effects;
pub mod files;
mod legal;
#[cfg(feature = "parse")]
mod symbol;
mod syntax;

/// The crate that the macros of [`build`] refer to.
#[doc(hidden)]
pub use isa_runtime as isa;

#[cfg(feature = "inst")]
pub use effects::{OperandRegisters, Pressure, RegisterEffects, RegisterSet, Unit};
pub use isa_runtime::InlineFloat;
pub use isa_runtime::RegHalf as Half;
pub use isa_runtime::class::write_range;
pub use legal::{Authority, LegalityRule, RuleTexts, Violation};
#[cfg(feature = "parse")]
pub use symbol::{begins_register, nearest_register};
pub use syntax::Llvm;
