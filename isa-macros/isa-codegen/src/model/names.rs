//! The names of a set: blocks, which become types, and mnemonics.

use super::types::Mnemonic;
use crate::ast::Block;
use crate::body;
use crate::error::Errors;
use crate::lists::replace;

/// Types that every set has, in lower case.
const GENERATED_TYPES: [&str; 7] = ["instr", "inst", "opcode", "decodeerror", "decoder", "decoded", "operandinfo"];

/// Checks that the types named after blocks are unique and valid, and that the set has rows.
pub(super) fn check_blocks(blocks: &[Block], errors: &mut Errors) {
    let mut names = Vec::new();
    for block in blocks {
        let name = block.name.to_string().to_lowercase().replace('_', "");
        let what = if block.is_suffix_dword { "suffix dword" } else { "format" };
        if name == "self" {
            let message = format!("the {what} `{}` would become the type `Self`", block.name);
            errors.report(block.name.span(), message, format!("rename the {what}"));
        }
        if GENERATED_TYPES.contains(&name.as_str()) && !block.is_suffix_dword {
            let message = format!("the type of the format `{}` collides with a type that every set has", block.name);
            errors.report(block.name.span(), message, "rename the format");
        }
        if let Some(other) = replace(&mut names, name, &block.name) {
            let (message, help) = if *other == block.name {
                let message = format!("duplicate block `{other}` in the set");
                (message, format!("rename this {what}, and list each block once in `formats`"))
            } else {
                let message = format!("the blocks `{other}` and `{}` would become types of the same name", block.name);
                (message, "rename one of the two".to_string())
            };
            errors.report(block.name.span(), message, help);
        }
    }
    if !blocks.iter().any(|b| !b.rows.is_empty())
        && let Some(block) = blocks.first()
    {
        errors.report(block.name.span(), "the set has no rows", "write `NUMBER => NAME (…);` after the clauses");
    }
}

/// Collects the mnemonics of all rows, and maps each name to its index. Rows of components, which refer to another row,
/// have no mnemonic.
pub(super) fn mnemonics<'a>(blocks: &'a [Block], errors: &mut Errors) -> (Vec<Mnemonic<'a>>, Vec<(&'a str, usize)>) {
    let mut all: Vec<Mnemonic> = Vec::new();
    let mut by_name = Vec::new();
    for block in blocks {
        for row in block.rows.iter().filter(|r| r.base.is_none()) {
            let name = row.name.to_string();
            if let Some(other) = replace(&mut by_name, row.name.as_str(), all.len()) {
                // `check_blocks` reports a block that is listed twice.
                let other = &all[other].block.name;
                if block.name != *other {
                    let message = format!("`{name}` already has a row in `{other}`");
                    let help =
                        "write one row for each mnemonic, and `promotes to` for a format to which it is promoted";
                    errors.report(row.name.span(), message, help);
                }
            }
            all.push(Mnemonic { name, row, block, encoded_in: Vec::new(), run: body::run(block, row) });
        }
    }
    (all, by_name)
}
