//! Specialization: the blocks of one generation, derived from blocks that cover several.
//!
//! A specialized block has one layout and one opcode number for each row, like a block without generations.

use crate::ast::{Block, FieldContent, FieldDecl, GenerationProperty, Row, RowProperty};
use crate::error::{Error, Errors};
use crate::spanned::SpannedStr;

/// Returns the names of fields, and those of their roles and modifiers.
fn names(fields: &[FieldDecl]) -> Vec<String> {
    let mut names = Vec::new();
    for field in fields {
        names.push(field.name.to_string());
        if let FieldContent::Operand(operand) = &field.content {
            names.extend(operand.roles.iter().map(|(_, name)| name.to_string()));
        }
    }
    names
}

/// Specializes a block for one of its generations.
///
/// The result has the generation's fields, the rows with an opcode number in its column, and those of their roles that
/// a field holds. The name of the generation is a flag of every row.
pub fn specialize(block: &Block, generation: &SpannedStr) -> Block {
    let Some(column) = block.generations.iter().position(|g| g == generation) else { return block.clone() };
    let mut result = block.clone();
    let (present, absent): (Vec<FieldDecl>, Vec<FieldDecl>) =
        result.fields.into_iter().partition(|f| f.generations.is_empty() || f.generations.contains(generation));
    let known = names(&present);
    result.fields = present;
    result.other_generations = names(&absent);
    result.other_generations.retain(|name| !known.contains(name));
    let is_absent = |name: &SpannedStr| result.other_generations.iter().any(|other| name == other);
    result.suffix_dwords.retain_mut(|suffix_dword| {
        let had_selector = !suffix_dword.when.is_empty();
        suffix_dword.when.retain(|(field, _)| !is_absent(field));
        !(had_selector && suffix_dword.when.is_empty())
    });
    let specialize_row = |mut row: Row| {
        row.number = row.columns.get(if row.columns.len() == 1 { 0 } else { column }).cloned().flatten()?;
        row.roles.retain(|role| !is_absent(&role.name));
        row.fixed_fields.retain(|(field, _)| !is_absent(field));
        row.flags.push(generation.clone());
        for GenerationProperty { generations, property } in std::mem::take(&mut row.generation_properties) {
            match property {
                _ if !generations.contains(generation) => {}
                RowProperty::Flag(flag) => row.flags.push(flag),
                RowProperty::TextName(name) => row.text_name = Some(name),
            }
        }
        Some(row)
    };
    result.rows = result.rows.into_iter().filter_map(specialize_row).collect();
    result
}

/// Specializes the blocks of a set, and removes blocks of other generations together with the clauses that name them.
pub fn specialize_all(blocks: &[Block], generation: &SpannedStr) -> Vec<Block> {
    let (present, absent): (Vec<&Block>, Vec<&Block>) =
        blocks.iter().partition(|b| b.generations.is_empty() || b.generations.contains(generation));
    let is_absent =
        |name: &SpannedStr| absent.iter().any(|b| b.name == *name) && !present.iter().any(|b| b.name == *name);
    let mut result: Vec<Block> = present.iter().map(|block| specialize(block, generation)).collect();
    for block in &mut result {
        block.suffix_dwords.retain(|suffix_dword| !is_absent(&suffix_dword.name));
        block.promotions.retain(|promotion| !is_absent(&promotion.format));
        for row in &mut block.rows {
            row.excluded.retain(|name| !is_absent(name));
        }
    }
    result
}

/// Merges the errors of all generations of a block. An error that only some generations have names them.
pub fn merge_errors(found: Vec<(&SpannedStr, Errors)>, errors: &mut Errors) {
    let count = found.len();
    let mut merged: Vec<(Error, Vec<&SpannedStr>)> = Vec::new();
    for (generation, found) in &found {
        for error in found.as_slice() {
            let key = error.key();
            match merged.iter_mut().find(|(other, _)| other.key() == key) {
                Some((_, generations)) => generations.push(generation),
                None => merged.push((error.clone(), vec![generation])),
            }
        }
    }
    for (error, generations) in merged {
        errors.push(if generations.len() == count { error } else { in_generations(&error, &generations) });
    }
}

/// Adds the name of a set's generation to its errors.
pub fn in_generation(found: Errors, generation: &SpannedStr) -> Errors {
    let mut errors = Errors::default();
    for error in found.as_slice() {
        errors.push(in_generations(error, &[generation]));
    }
    errors
}

/// Adds names of generations to an error.
fn in_generations(error: &Error, generations: &[&SpannedStr]) -> Error {
    let names: Vec<String> = generations.iter().map(ToString::to_string).collect();
    Error { message: format!("in {}: {}", names.join(", "), error.message), ..error.clone() }
}
