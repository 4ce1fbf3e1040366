//! The names that the blocks of a set share: words, types and mnemonics, and which names nothing can have.

use std::collections::HashMap;

use proc_macro2::Ident;

use crate::fault::Faults;
use crate::model::Mnemonic;
use crate::tree::Block;

/// The most words that all blocks of a set may declare together: a shape keeps one bit for each.
const MOST_WORDS: usize = 128;

/// What Rust lets nothing be called, also not with `r#` before it.
pub const NO_NAMES: [&str; 5] = ["Self", "_", "crate", "self", "super"];

/// The words that blocks declare.
pub fn declared_words(blocks: &[Block]) -> Result<Vec<String>, Faults> {
    let mut words: Vec<String> = Vec::new();
    let mut faults = Faults::default();
    for word in blocks.iter().flat_map(|b| &b.words) {
        let text = word.to_string();
        if !words.contains(&text) {
            words.push(text);
            if words.len() == MOST_WORDS + 1 {
                faults.say(word.span(), format!("a set can declare {MOST_WORDS} words"));
            }
        }
    }
    faults.result().map(|()| words)
}

/// The names of blocks become names of types.
pub fn block_names(blocks: &[Block], faults: &mut Faults) {
    const OWN: [&str; 6] = ["instr", "opcode", "decodeerror", "decoder", "decoded", "operandinfo"];
    let mut names: HashMap<String, &Ident> = HashMap::new();
    for block in blocks {
        let name = block.name.to_string().to_lowercase().replace('_', "");
        if name == "self" {
            let say = format!("Rust lets no type be called `Self`: give {} another name", block.name);
            faults.say(block.name.span(), say);
        }
        if OWN.contains(&name.as_str()) && !block.tail {
            let say = format!("every set has a type of this name: give {} another one", block.name);
            faults.say(block.name.span(), say);
        }
        if let Some(other) = names.insert(name, &block.name) {
            let what = if block.tail { "tail" } else { "format" };
            let say = if *other == block.name {
                format!(
                    "the set has a block {other} already: give this {what} another name, and list each once in `formats`"
                )
            } else {
                format!(
                    "the set has a block {other} already, and both give a type of the same name: give one another name"
                )
            };
            faults.say(block.name.span(), say);
        }
    }
    if !blocks.iter().any(|b| !b.rows.is_empty())
        && let Some(block) = blocks.first()
    {
        faults.say(block.name.span(), "the set has no rows: write `NUMBER => NAME (…);` after the clauses");
    }
}

/// The rows by their mnemonics, each once.
pub fn mnemonics<'a>(blocks: &'a [Block], faults: &mut Faults) -> (Vec<Mnemonic<'a>>, HashMap<String, usize>) {
    let mut all: Vec<Mnemonic> = Vec::new();
    let mut by_name = HashMap::new();
    let mut formats: Vec<&Ident> = Vec::new();
    for block in blocks {
        for row in block.rows.iter().filter(|r| r.like.is_none()) {
            let name = row.name.to_string();
            if let Some(other) = by_name.insert(name.clone(), all.len()) {
                // A block that is listed twice is reported as such.
                if block.name != *formats[other] {
                    let say = format!(
                        "{name} has a row in {} already: one row for each mnemonic, and `rides` where another format carries it",
                        formats[other]
                    );
                    faults.say(row.name.span(), say);
                }
            }
            formats.push(&block.name);
            all.push(Mnemonic { name, row, carried: Vec::new() });
        }
    }
    (all, by_name)
}
