//! The code generator of `isa!` and `isa_set!`.
//!
//! `isa-macros`, the proc-macro crate, parses the tokens of a block to [`ast`]. This crate takes the syntax tree
//! through three stages, none of which knows an instruction set:
//!
//! 1. `validate` checks a single block and reports errors at the token that is wrong.
//! 2. `model` resolves the blocks of a set against each other: it assigns rows to formats and roles to fields, and
//!    evaluates conditions.
//! 3. `expand` generates the Rust code.
//!
//! The crate does not depend on `syn`, so that cargo compiles both in parallel.

// Helpers that the tables of the parser or of operand-level instructions alone need.
#![cfg_attr(not(all(feature = "parse", feature = "inst")), allow(dead_code, unused_imports))]

extern crate proc_macro;

pub use isa_body;
use proc_macro2::TokenStream;

pub mod ast;
pub mod body;
pub mod error;
mod expand;
pub mod facts;
mod generation;
mod interner;
mod lists;
mod model;
mod names;
mod operand_tables;
pub mod spanned;
mod template;
pub mod ty;
mod validate;

use ast::{Block, OperandTables, SetHeader};
use error::{Error, Errors, name_list};
use operand_tables::class_codes::Classes;
pub use operand_tables::operands;
use spanned::SpannedStr;

/// Validates a block on its own, and compiles the bodies of its rows. Returns the bodies as `isa!` hands them to
/// `isa_set!`, and no bytes if no row has one.
///
/// # Errors
/// All errors of the block.
pub fn check(block: &Block) -> Result<Vec<u8>, Errors> {
    let mut errors = validate::block(block);
    let bodies = body::compile(block, &mut errors);
    errors.into_result()?;
    Ok(body::encode_all(&bodies))
}

/// Generates the Rust code of a set. The slow path decodes instructions with operand classes that are not in `tables`.
///
/// # Errors
/// All errors that involve several blocks, such as opcodes that collide.
pub fn set(header: &SetHeader, blocks: &[Block], tables: Option<&OperandTables>) -> Result<TokenStream, Errors> {
    let classes = tables.map(|tables| Classes::new(tables, header.generation.as_ref()));
    let collides = |block: &&Block| !block.is_suffix_dword && expand::camel_case(&block.name) == header.name;
    if let Some(block) = blocks.iter().find(collides) {
        let message = format!("the set and the type of the format `{}` are both called `{}`", block.name, header.name);
        return Err(Error::with_help(header.name.span(), message, "rename one of them").into());
    }
    let Some(generation) = &header.generation else {
        if let Some(block) = blocks.iter().find(|b| !b.generations.is_empty()) {
            let known = name_list(&block.generations);
            let message = format!("`{}` covers several generations ({known}), so the set must name one", block.name);
            let help = format!("write `set {} of {};`", header.name, block.generations[0]);
            return Err(Error::with_help(header.name.span(), message, help).into());
        }
        let flags = names::declared_flags(blocks)?;
        return Ok(expand::set(header, &model::resolve(blocks, flags, classes)?));
    };
    if !blocks.iter().any(|b| b.generations.contains(generation)) {
        let mut known: Vec<&SpannedStr> = Vec::new();
        for generation in blocks.iter().flat_map(|b| &b.generations) {
            if !known.contains(&generation) {
                known.push(generation);
            }
        }
        let message = format!("no block of the set covers the generation `{generation}`");
        let help = format!("the generations of its blocks are {}", name_list(known));
        return Err(Error::with_help(generation.span(), message, help).into());
    }
    // Blocks of other generations count too, so that a flag has the same bit in all generations.
    let flags = names::declared_flags(blocks)?;
    let blocks = generation::specialize_all(blocks, generation);
    let set =
        model::resolve(&blocks, flags, classes).map_err(|errors| generation::in_generation(errors, generation))?;
    Ok(expand::set(header, &set))
}
