//! Operand tables: `values`, `operand`, `number` and `modifier` declarations.
//!
//! [`codes`] resolves sets of codes in each generation, [`validate`] checks the declarations, and [`expand`] generates
//! the types that implement `isa::Operand`, with static tables that `isa::class` interprets.

pub(crate) mod class_codes;
mod classes;
mod codes;
mod context;
pub(crate) mod counts;
mod docs;
mod expand;
pub(crate) mod facts;
#[cfg(feature = "parse")]
mod fast_syntax;
mod lists;
mod members;
mod numbers;
mod parts;
pub(crate) mod placing;
mod precomputed;
mod runs;
mod statics;
mod tokens;
pub(crate) mod valid_codes;
mod validate;

use proc_macro2::TokenStream;
use quote::quote;

use crate::ast::OperandTables;
pub(crate) use codes::{Bits, insert};

/// Generates the Rust code of operand tables.
///
/// # Errors
/// All errors of the declarations as code, with a placeholder for each class.
pub fn operands(tables: &OperandTables) -> Result<TokenStream, TokenStream> {
    match validate::check(tables) {
        Ok(()) => Ok(expand::expand(tables)),
        Err(errors) => {
            let (errors, placeholders) = (errors.to_compile_error(), expand::placeholders(tables));
            Err(quote!(#errors #placeholders))
        }
    }
}
