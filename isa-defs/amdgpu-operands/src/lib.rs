//! Operands that all generations of AMD's GPU instruction sets share: numbers and expressions in LLVM's syntax, inline constants, and
//! register ranges. Depend on `rdna3` or `gcn` instead. Codes, register files and formats are in the crate of each set.
#![no_std]

pub mod build;
mod effects;
mod expression;
pub mod files;
mod inline;
mod number;
mod symbol;
mod syntax;

/// The crate that the macros of [`build`] refer to.
#[doc(hidden)]
pub use isa_runtime as isa;

pub use effects::{OperandRegisters, RegisterEffects, RegisterSet, Unit};
pub use expression::{expression, expression_in, in_range, with_names};
pub use inline::{is_inline, literal_bits, literal_half, write_literal};
pub use isa_runtime::InlineFloat;
pub use isa_runtime::class::write_range;
pub use isa_runtime::inst::RegHalf as Half;
pub use number::{
    Number, call, constant, constant_bits, constant_in_bars, constant_value, integer, integer_in, key, keyed, number,
    write_signed_hex,
};
pub use symbol::{begins_register, nearest_register, unknown_operand};
pub use syntax::Llvm;
