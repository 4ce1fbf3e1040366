//! Specialization: the blocks of one generation, derived from blocks that cover several.
//!
//! A specialized block has one layout and one opcode number for each row, like a block without generations.

use crate::ast::{Block, FieldContent, FieldDecl, GenerationProperty, OperandClauseKind, Row, RowProperty};
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

/// Returns the item of a column, or the only one.
fn of_column<T>(items: &[T], column: usize) -> Option<&T> {
    items.get(if items.len() == 1 { 0 } else { column })
}

/// Specializes a block for one of its generations.
///
/// The result has the generation's width and fields, the rows with an opcode number in its column, and those of their roles
/// that a field holds. The name of the generation is a flag of every row.
pub fn specialize(block: &Block, generation: &SpannedStr) -> Block {
    let Some(column) = block.column_of(generation) else { return block.clone() };
    let mut result = block.clone();
    if let Some(width) = of_column(&block.widths, column) {
        result.width = width.clone();
    }
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
    result.operand_clauses.retain(|clause| match &clause.kind {
        OperandClauseKind::Address(_, _, Some(field)) | OperandClauseKind::Reads(_, field) => !is_absent(field),
        _ => true,
    });
    let specialize_row = |mut row: Row| {
        if !row.generations.is_empty() && !row.generations.contains(generation) {
            return None;
        }
        row.number = of_column(&row.columns, column)?.clone()?;
        row.roles.retain(|role| !is_absent(&role.name));
        row.fixed_fields.retain(|(field, _)| !is_absent(field));
        row.flags.push(generation.clone());
        for GenerationProperty { generations, property } in std::mem::take(&mut row.generation_properties) {
            match property {
                _ if !generations.contains(generation) => {}
                RowProperty::Flag(flag) => row.flags.push(flag),
                // Text may still have the name of the other generations.
                RowProperty::Name(name) => {
                    let old = std::mem::replace(&mut row.name, name);
                    row.aliases.push(SpannedStr::new(old.as_str().to_lowercase(), old.span()));
                }
                RowProperty::TextName(name) => row.text_name = Some(name),
                RowProperty::Alias(name) => row.aliases.push(name),
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
    let names = |row: &Row| {
        let is_name =
            |p: &&GenerationProperty| matches!(p.property, RowProperty::Name(_)) && p.generations.contains(generation);
        match &row.generation_properties.iter().find(is_name)?.property {
            RowProperty::Name(name) => Some((row.name.clone(), name.clone())),
            _ => None,
        }
    };
    let renamed: Vec<(SpannedStr, SpannedStr)> =
        present.iter().flat_map(|block| &block.rows).filter_map(names).collect();
    let mut result: Vec<Block> = present.iter().map(|block| specialize(block, generation)).collect();
    for block in &mut result {
        block.suffix_dwords.retain(|suffix_dword| !is_absent(&suffix_dword.name));
        block.promotions.retain(|promotion| !is_absent(&promotion.format));
        for row in &mut block.rows {
            row.excluded.retain(|name| !is_absent(name));
            // Rows of dual-issue formats refer to others by the name that those have in all generations.
            if let Some(name) = row.base.as_ref().and_then(|base| renamed.iter().find(|(from, _)| from == base)) {
                row.base = Some(name.1.clone());
            }
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
