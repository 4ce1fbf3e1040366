//! Operand tables: `values`, `operand`, `number` and `modifier` declarations.
//!
//! [`codes`] resolves sets of codes in each generation, [`validate`] checks the declarations, and [`expand`] generates
//! the types that implement `isa::Operand`, with static tables that `isa::class` interprets.

mod classes;
mod codes;
mod context;
mod counts;
mod docs;
mod expand;
mod facts;
#[cfg(feature = "parse")]
mod fast_syntax;
mod lists;
mod members;
mod numbers;
mod parts;
mod placing;
mod precomputed;
mod runs;
mod statics;
mod tokens;
mod validate;

use proc_macro2::TokenStream;
use quote::quote;

use crate::ast::OperandTables;

/// Generates the Rust code of operand tables, or all errors of the declarations and a placeholder for each class.
pub fn operands(tables: &OperandTables) -> TokenStream {
    match validate::check(tables) {
        Ok(()) => expand::expand(tables),
        Err(errors) => {
            let (errors, placeholders) = (errors.to_compile_error(), expand::placeholders(tables));
            quote!(#errors #placeholders)
        }
    }
}
