//! Checks of `dword` clauses.

use crate::ast::{Block, max_value};
use crate::error::{Errors, bit_count};
use crate::lists::{insert, replace};

/// Checks the fields and codes that select suffix dwords.
pub(super) fn check_suffix_dwords(block: &Block, errors: &mut Errors) {
    let mut codes = Vec::new();
    let mut names = Vec::new();
    if let Some(clause) = block.suffix_dwords.first()
        && block.width.value > 64
    {
        let message = format!("`{}` has {} bits, so no suffix dword can follow", block.name, block.width.value);
        errors.report(
            clause.name.span(),
            message,
            "delete the `dword` clause: an instruction has at most three dwords",
        );
    }
    for clause in &block.suffix_dwords {
        if !insert(&mut names, clause.name.as_str()) {
            let message = format!("duplicate `dword` clause of `{}`", clause.name);
            let help = format!("join them: `dword {} when F == n | G == m;`", clause.name);
            errors.report(clause.name.span(), message, help);
        }
        for (name, code) in &clause.when {
            let Some(field) = block.fields.iter().find(|f| f.name == *name && !f.bits.is_empty()) else {
                if !block.parsed.fields_incomplete {
                    let message = format!("`{}` has no field `{name}`", block.name);
                    errors.report(name.span(), message, "name the field whose code selects the suffix dword");
                }
                continue;
            };
            if field.bits.len() > 1 {
                let message = format!("`{name}` has several bit ranges, so it cannot select a suffix dword");
                errors.report(name.span(), message, "select the suffix dword by a field with one range");
            } else if code.value > max_value(field.width()) {
                let message = format!("{} does not fit the {} of `{name}`", code.value, bit_count(field.width()));
                errors.report(code.span, message, format!("write a code up to {}", max_value(field.width())));
            }
            if let Some(other) = replace(&mut codes, (name.as_str(), code.value), &clause.name)
                && other != &clause.name
            {
                let message = format!("`{name} == {}` already selects `{other}`", code.value);
                errors.report(code.span, message, "write a code that selects no other suffix dword");
            }
        }
    }
}
