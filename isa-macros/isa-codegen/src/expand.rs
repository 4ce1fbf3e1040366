//! Generation of the Rust code of a set.
//!
//! - [`raw_layouts`]: a bitfield for each format and suffix dword, `mod raw`.
//! - [`types`]: `Instr`, a struct with accessors for each format, `Opcode`, `mod flags`, `mod roles`.
//! - [`tables`]: the implementation of `isa::Isa` and its static tables. [`shared_tables`], [`fast_decode`] and
//!   [`fast_parse`] generate parts of them, [`inst_tables`] those of operand-level instructions.
//! - [`bodies`]: the bytecode of bodies, the clauses that apply to them, and their effects.
//! - [`relations`]: opcodes that relate to one another, such as opposite comparisons.
//! - [`builders`]: typed builders, `mod build`.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ast::SetHeader;
use crate::model::Set;

mod bodies;
mod body_docs;
mod builder_types;
mod builders;
mod fast_decode;
mod fast_parse;
mod inst_tables;
mod raw_layouts;
mod relations;
mod selectors;
mod shared_tables;
mod tables;
mod tokens;
mod types;
mod variant_tables;
mod window;

pub use tokens::{attrs, camel_case};

/// Generates the Rust code of a set.
pub fn set(header: &SetHeader, set: &Set) -> TokenStream {
    let raw = raw_layouts::raw_module(set);
    let flags = types::flags_module(set);
    let roles = types::roles_module(set);
    let opcode = types::opcode_enum(header, set);
    let modifiers = match inst_tables::Modifiers::assign(set) {
        Ok(modifiers) => modifiers,
        Err(error) => return error,
    };
    let tables = tables::isa_impl(header, set, &modifiers);
    let modifiers = modifiers.module();
    let structs = set.formats.iter().enumerate().map(|(i, f)| types::format_struct(header, f, i as u8));
    let instr = types::instr_enum(header, set);
    let build = header.build.as_ref().map(|clause| builders::build_module(clause, &header.name, set));
    quote!(#raw #flags #roles #opcode #modifiers #tables #(#structs)* #instr #build)
}
