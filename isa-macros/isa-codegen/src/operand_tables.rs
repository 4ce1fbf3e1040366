//! Operand tables: `values`, `operand`, `number` and `modifier` declarations.
//!
//! [`codes`] resolves sets of codes in each generation, [`validate`] checks the declarations, and [`expand`] generates
//! the types that implement `isa::Operand`, with static tables that `isa::class` interprets.

mod classes;
mod codes;
mod context;
mod docs;
mod expand;
mod facts;
mod fast_syntax;
mod lists;
mod numbers;
mod parts;
mod placing;
mod precomputed;
mod runs;
mod statics;
mod tokens;
mod validate;

use proc_macro2::TokenStream;

use crate::ast::OperandTables;
use crate::error::Errors;

/// Generates the Rust code of operand tables.
///
/// # Errors
/// All errors of the declarations.
pub fn operands(tables: &OperandTables) -> Result<TokenStream, Errors> {
    validate::check(tables)?;
    Ok(expand::expand(tables))
}
