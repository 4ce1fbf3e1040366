//! Checks of generations: the names and widths at a block's head, the columns of its rows, and `in` clauses.

use crate::ast::{Block, Row};
use crate::error::{Errors, name_list};
use crate::spanned::SpannedStr;

/// Checks that a block without generations has one column and no `in`.
pub(super) fn check_unused(block: &Block, errors: &mut Errors) {
    let head = if block.is_suffix_dword {
        format!("dword {}", block.name)
    } else {
        format!("format {}: {}", block.name, block.width.value)
    };
    let of_properties = block.rows.iter().flat_map(|r| &r.generation_properties).filter_map(|p| p.generations.first());
    let of_rows = block.rows.iter().filter_map(|r| r.generations.first());
    for generation in block.fields.iter().filter_map(|f| f.generations.first()).chain(of_rows).chain(of_properties) {
        let message = format!("`{}` names no generations at its head", block.name);
        errors.report(generation.span(), message, format!("write `{head} of {generation}`"));
    }
    if block.widths.len() > 1 {
        let message = format!("`{}`, which names no generations, needs one width", block.name);
        errors.report(block.width.span, message, format!("write one width, or name the generations: `{head} of A, B`"));
    }
    for row in &block.rows {
        if row.columns.len() != 1 || row.columns[0].is_none() {
            let message = format!("a row of `{}`, which names no generations, needs one opcode number", block.name);
            let help = format!("write one number, or name the generations at the head: `{head} of A, B`");
            errors.report(row.number.span, message, help);
        }
    }
}

/// Checks that names of generations are unique and declared, and that a row has one number, or one for each column.
pub(super) fn check(block: &Block, errors: &mut Errors) {
    let report_duplicate = |generation: &SpannedStr, errors: &mut Errors| {
        errors.report(generation.span(), format!("duplicate generation `{generation}`"), "name each generation once");
    };
    for (at, generation) in block.generations.iter().enumerate() {
        if block.generations[..at].contains(generation) {
            report_duplicate(generation, errors);
        }
    }
    let known = name_list(&block.generations);
    let of_properties = block.rows.iter().flat_map(|r| &r.generation_properties).map(|p| &p.generations);
    let of_rows = block.rows.iter().map(|r| &r.generations);
    for generations in block.fields.iter().map(|f| &f.generations).chain(of_rows).chain(of_properties) {
        for (at, generation) in generations.iter().enumerate() {
            if !block.generations.contains(generation) {
                let message = format!("`{generation}` is not a generation of `{}`", block.name);
                errors.report(generation.span(), message, format!("its generations are {known}"));
            } else if generations[..at].contains(generation) {
                report_duplicate(generation, errors);
            }
        }
    }
    let count = block.columns.len();
    let heads = || columns(block);
    if block.widths.len() > 1 && block.widths.len() != count {
        let message = format!("`{}` has {} widths, but {count} columns ({})", block.name, block.widths.len(), heads());
        errors.report(block.width.span, message, "write a width for each column of generations, or one for all");
    }
    for row in &block.rows {
        let numbers = row.columns.len();
        if numbers != 1 && numbers != count {
            let message =
                format!("`{}` has {numbers} columns, but `{}` has {count} ({})", row.name, block.name, heads());
            let help = "write a number for each column of the head, `-` where the row does not exist, or one for all";
            errors.report(row.number.span, message, help);
        } else if row.columns.iter().all(Option::is_none) {
            let message = format!("`{}` exists in no generation", row.name);
            errors.report(row.number.span, message, "write its opcode number in a column, or delete the row");
        } else if let Some(generation) = row.generations.iter().find(|g| lacks_number(block, row, g)) {
            let message = format!("`{}` has no opcode number in the column of `{generation}`", row.name);
            errors.report(generation.span(), message, "write the number in place of `-`, or delete the generation");
        }
        if let Some(flag) = row.flags.iter().find(|w| block.generations.contains(w)) {
            let message = format!("the generation `{flag}` is not a flag that a row can set");
            errors.report(
                flag.span(),
                message,
                "write the row's generations as columns or after `in`, and delete the flag",
            );
        }
    }
}

/// Returns whether a row has `-` in the column of a generation.
fn lacks_number(block: &Block, row: &Row, generation: &SpannedStr) -> bool {
    let number = |column: usize| row.columns.get(if row.columns.len() == 1 { 0 } else { column });
    block.column_of(generation).and_then(number).is_some_and(Option::is_none)
}

/// Lists the columns of a block as its head does.
fn columns(block: &Block) -> String {
    let mut rest = block.generations.as_slice();
    let column = |count: &usize| {
        let (column, others) = rest.split_at(*count);
        rest = others;
        let names = name_list(column);
        if *count == 1 { names } else { format!("({names})") }
    };
    block.columns.iter().map(column).collect::<Vec<_>>().join(", ")
}
