//! Generation of the Rust code of a set.
//!
//! - [`raw_layouts`]: a bitfield for each format and suffix dword, `mod raw`.
//! - [`types`]: `Instr`, a struct with accessors for each format, `Opcode`, `mod flags`, `mod roles`.
//! - [`tables`]: the implementation of `isa::Isa` and its static tables. [`shared_tables`], [`fast_decode`] and
//!   [`fast_parse`] generate parts of them, [`modifiers`] and [`inst_tables`] those of operand-level instructions.
//! - [`bodies`]: the bytecode of bodies, the clauses that apply to them, and their effects.
//! - [`relations`]: opcodes that relate to one another, such as opposite comparisons.
//! - [`builders`]: typed builders, `mod build`.
//!
//! The features `parse` and `inst` decide whether the crate has the modules for the parser, and those for operand-level instructions,
//! bodies and builders.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ast::SetHeader;
use crate::model::Set;

#[cfg(feature = "inst")]
mod bodies;
#[cfg(feature = "inst")]
mod body_docs;
#[cfg(feature = "inst")]
mod builder_types;
#[cfg(feature = "inst")]
mod builders;
mod fast_decode;
#[cfg(feature = "parse")]
mod fast_parse;
#[cfg(feature = "inst")]
mod inst_tables;
#[cfg(any(feature = "parse", feature = "inst"))]
mod modifiers;
mod raw_layouts;
#[cfg(feature = "inst")]
mod relations;
mod selectors;
mod shared_tables;
mod tables;
mod tokens;
mod types;
mod variant_tables;
mod window;

pub use tokens::camel_case;

/// Generates the Rust code of a set.
pub fn set(header: &SetHeader, set: &Set) -> TokenStream {
    let raw = raw_layouts::raw_module(set);
    let flags = types::flags_module(set);
    let roles = types::roles_module(set);
    let opcode = types::opcode_enum(header, set);
    let tables = tables::isa_impl(header, set);
    let structs = set.formats.iter().enumerate().map(|(i, f)| types::format_struct(header, f, i as u8));
    let instr = types::instr_enum(header, set);
    #[cfg(feature = "inst")]
    let build = header.build.as_ref().map(|clause| builders::build_module(clause, &header.name, set));
    #[cfg(not(feature = "inst"))]
    let build = TokenStream::new();
    quote!(#raw #flags #roles #opcode #tables #(#structs)* #instr #build)
}
