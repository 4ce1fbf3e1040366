//! What the procedural macros `isa!` and `isa_set!` make of blocks, once these are read: `isa-macros` reads them, `isa-proc`
//! has the macros themselves.
//!
//! [`tree`] has the blocks as they are written, with every span. `check` refuses what cannot be right, at the token that is
//! wrong; `model` resolves rows against fields (roles bound, conditions evaluated); `expand` writes the Rust. No module
//! knows an instruction set, and none parses: so all of this compiles while what parses tokens does.

extern crate proc_macro;

use proc_macro2::TokenStream;

mod check;
pub mod cond;
mod expand;
pub mod fault;
mod generation;
pub mod head;
mod model;
mod names;
mod shape;
mod template;
pub mod tree;
pub mod ty;

use fault::{Fault, Faults};
use head::Head;
use tree::{Block, Text};

/// What one block can be refused for by itself.
///
/// # Errors
/// All that is wrong with it.
pub fn check(block: &Block) -> Result<(), Faults> {
    check::block(block)
}

/// The Rust of a set of blocks.
///
/// # Errors
/// What is wrong with the blocks together.
pub fn set(head: &Head, blocks: &[Block]) -> Result<TokenStream, Faults> {
    let Some(of) = &head.of else {
        if let Some(block) = blocks.iter().find(|b| !b.generations.is_empty()) {
            let known = check::listed(&block.generations);
            let say = format!(
                "{} covers several generations ({known}): say which this set is, `set {} of {};`",
                block.name, head.name, block.generations[0]
            );
            return Err(Fault::new(head.name.span(), say).into());
        }
        let words = names::declared_words(blocks)?;
        return Ok(expand::set(head, &model::Set::new(blocks, words)?));
    };
    if !blocks.iter().any(|b| b.generations.contains(of)) {
        let mut known: Vec<&Text> = Vec::new();
        for generation in blocks.iter().flat_map(|b| &b.generations) {
            if !known.contains(&generation) {
                known.push(generation);
            }
        }
        let say = format!(
            "no block covers the generation `{of}`: those that blocks of this set name are {}",
            check::listed(known)
        );
        return Err(Fault::new(of.span(), say).into());
    }
    // A word has the same bit in all generations, so blocks that are not in this one count too.
    let words = names::declared_words(blocks)?;
    let blocks = generation::blocks(blocks, of);
    let set = model::Set::new(&blocks, words).map_err(|faults| generation::named(faults, of))?;
    Ok(expand::set(head, &set))
}
