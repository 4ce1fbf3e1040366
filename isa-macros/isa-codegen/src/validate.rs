//! Validation of a single block: its bits, opcode numbers, names and clauses.
//!
//! [`crate::model`] reports errors that involve several blocks.

use proc_macro2::Span;

use crate::ast::{Block, FieldContent};
use crate::error::Errors;
use crate::generation;
use crate::template;

mod bits;
mod clauses;
mod generations;
mod names;
mod rows;

/// Validates a block. A block that covers several generations is validated in each of them.
pub fn block(block: &Block) -> Errors {
    let mut errors = block.parsed.errors.clone();
    if block.generations.is_empty() {
        specialized(block, &mut errors);
        generations::check_unused(block, &mut errors);
        return errors;
    }
    generations::check(block, &mut errors);
    let mut all = Vec::new();
    for name in &block.generations {
        let mut found = Errors::default();
        specialized(&generation::specialize(block, name), &mut found);
        all.push((name, found));
    }
    generation::merge_errors(all, &mut errors);
    errors
}

/// Validates a block with one layout and one opcode number for each row.
fn specialized(block: &Block, errors: &mut Errors) {
    bits::check(block, errors);
    names::check_fields(block, errors);
    names::check_components(block, errors);
    rows::check_opcodes(block, errors);
    names::check_flags(block, errors);
    check_templates(block, errors);
    clauses::check_suffix_dwords(block, errors);
    for row in &block.rows {
        rows::check_roles(block, row, errors);
    }
    if block.is_suffix_dword {
        check_suffix_dword_block(block, errors);
    }
}

/// Checks that templates are well-formed, and that none is shadowed by one without a condition.
fn check_templates(block: &Block, errors: &mut Errors) {
    let of_rows = block.rows.iter().filter_map(|r| r.template.as_ref());
    for text in block.texts.iter().map(|t| &t.template).chain(of_rows) {
        if let Err(error) = template::parse(text) {
            errors.push(error);
        }
    }
    let mut unconditional = false;
    for clause in &block.texts {
        if unconditional {
            let message = "no row uses this template, since the one before it has no condition";
            errors.report(clause.template.span(), message, "write the templates with `if` first");
        }
        unconditional |= clause.cond.is_none();
    }
}

/// Checks that a suffix dword has fields and templates only: its rows are those of the formats that it follows.
fn check_suffix_dword_block(block: &Block, errors: &mut Errors) {
    let mut report = |span: Span, clause: &str| {
        let message = format!("the suffix dword `{}` cannot have {clause}", block.name);
        errors.report(span, message, "write this in the formats that the suffix dword follows");
    };
    if let Some(row) = block.rows.first() {
        report(row.number.span, "rows");
    }
    for field in &block.fields {
        if let FieldContent::Opcode(_) = field.content {
            report(field.name.span(), "an opcode");
        }
    }
    for clause in &block.suffix_dwords {
        report(clause.name.span(), "a `dword` clause");
    }
    for promotion in &block.promotions {
        report(promotion.format.span(), "a `promotes to` clause");
    }
    if let Some(mode) = &block.only_mode {
        report(mode.span(), "an `only` clause");
    }
    if let Some(component) = block.components.first() {
        report(component.span(), "components");
    }
}
