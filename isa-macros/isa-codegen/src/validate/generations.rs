//! Checks of generations: the names at a block's head, the columns of its rows, and `in` clauses.

use crate::ast::Block;
use crate::error::{Errors, name_list};
use crate::spanned::SpannedStr;

/// Checks that a block without generations has one column and no `in`.
pub(super) fn check_unused(block: &Block, errors: &mut Errors) {
    let head = if block.is_suffix_dword {
        format!("dword {}", block.name)
    } else {
        format!("format {}: {}", block.name, block.width.value)
    };
    let of_rows = block.rows.iter().flat_map(|r| &r.generation_properties).filter_map(|p| p.generations.first());
    for generation in block.fields.iter().filter_map(|f| f.generations.first()).chain(of_rows) {
        let message = format!("`{}` names no generations at its head", block.name);
        errors.report(generation.span(), message, format!("write `{head} of {generation}`"));
    }
    for row in &block.rows {
        if row.columns.len() != 1 || row.columns[0].is_none() {
            let message = format!("a row of `{}`, which names no generations, needs one opcode number", block.name);
            let help = format!("write one number, or name the generations at the head: `{head} of A, B`");
            errors.report(row.number.span, message, help);
        }
    }
}

/// Checks that names of generations are unique and declared, and that a row has one column, or one for each generation.
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
    let of_rows = block.rows.iter().flat_map(|r| &r.generation_properties).map(|p| &p.generations);
    for generations in block.fields.iter().map(|f| &f.generations).chain(of_rows) {
        for (at, generation) in generations.iter().enumerate() {
            if !block.generations.contains(generation) {
                let message = format!("`{generation}` is not a generation of `{}`", block.name);
                errors.report(generation.span(), message, format!("its generations are {known}"));
            } else if generations[..at].contains(generation) {
                report_duplicate(generation, errors);
            }
        }
    }
    let count = block.generations.len();
    for row in &block.rows {
        let columns = row.columns.len();
        if columns != 1 && columns != count {
            let message =
                format!("`{}` has {columns} columns, but `{}` has {count} generations ({known})", row.name, block.name);
            let help = "write a number for each generation, `-` where the row does not exist, or one for all";
            errors.report(row.number.span, message, help);
        } else if row.columns.iter().all(Option::is_none) {
            let message = format!("`{}` exists in no generation", row.name);
            errors.report(row.number.span, message, "write its opcode number in a column, or delete the row");
        }
        if let Some(flag) = row.flags.iter().find(|w| block.generations.contains(w)) {
            let message = format!("the generation `{flag}` is not a flag that a row can set");
            errors.report(flag.span(), message, "write the row's generations as columns, and delete the flag");
        }
    }
}
