//! Checks of rows: opcode numbers and roles.

use crate::ast::{Block, FieldContent, FieldDecl, Row, max_value};
use crate::error::{Errors, bit_count};
use crate::lists::{get, insert, replace};
use crate::spanned::SpannedStr;

/// Checks that each component has one opcode field, and that mnemonics and opcode numbers are unique.
pub(super) fn check_opcodes(block: &Block, errors: &mut Errors) {
    let mut fields: Vec<(Option<&str>, &FieldDecl)> = Vec::new();
    for field in &block.fields {
        let FieldContent::Opcode(component) = &field.content else { continue };
        if let Some(other) = replace(&mut fields, component.as_ref().map(SpannedStr::as_str), field) {
            let message = format!("`{}` is the opcode field already", other.name);
            errors.report(field.name.span(), message, "write all bit ranges of the opcode there, the highest first");
        }
    }
    let (mut numbers, mut names, mut without_field) = (Vec::new(), Vec::new(), Vec::new());
    for row in &block.rows {
        let component = row.component.as_ref().map(SpannedStr::as_str);
        if !insert(&mut names, (component, row.name.as_str())) {
            let message = format!("duplicate row of `{}`", row.name);
            errors.report(row.name.span(), message, "write one row for each mnemonic");
        }
        let is_known = row.component.as_ref().map_or(block.components.is_empty(), |c| block.components.contains(c));
        let Some(field) = get(&fields, &component) else {
            // A format with a single row needs no opcode field.
            let is_single = block.rows.len() == 1 && row.number.value == 0;
            if !is_single && is_known && !block.parsed.fields_incomplete && insert(&mut without_field, component) {
                let of = row.component.as_ref().map_or_else(String::new, |c| format!(" {c}"));
                let message = format!("`{}` has no opcode field for this row", block.name);
                errors.report(row.number.span, message, format!("add the field `OP [bits] = opcode{of},`"));
            }
            continue;
        };
        let width = field.width();
        if row.number.value > max_value(width) {
            let message = format!(
                "the opcode {} of `{}` does not fit the {} of `{}`",
                row.number.value,
                row.name,
                bit_count(width),
                field.name
            );
            errors.report(row.number.span, message, format!("the largest opcode is {}", max_value(width)));
        }
        if let Some(other) = replace(&mut numbers, (component, row.number.value), row.name.as_str()) {
            let message = format!("the opcode {} is already `{other}`", row.number.value);
            errors.report(row.number.span, message, format!("give `{}` another number", row.name));
        }
    }
}

/// Checks that a row lists each role once, and at most one of the roles that share a field.
pub(super) fn check_roles(block: &Block, row: &Row, errors: &mut Errors) {
    for (i, role) in row.roles.iter().enumerate() {
        let before = &row.roles[..i];
        if before.iter().any(|r| r.name == role.name) {
            let message = format!("duplicate role `{}` in `{}`", role.name, row.name);
            errors.report(role.name.span(), message, "list each role once");
            continue;
        }
        let shared = block.fields.iter().find_map(|f| {
            let other = before.iter().find(|r| f.has_role(&r.name) && f.has_role(&role.name))?;
            // The row is valid if another field can hold one of the two roles.
            let has_other_field =
                |name: &SpannedStr| block.fields.iter().any(|g| !std::ptr::eq(f, g) && g.has_role(name));
            (!f.bits.is_empty() && !has_other_field(&other.name) && !has_other_field(&role.name)).then_some((f, other))
        });
        if let Some((field, other)) = shared {
            let message = format!("`{}` holds `{}` or `{}`, not both", field.name, other.name, role.name);
            errors.report(role.name.span(), message, "list one of the two, or give each a separate field");
        }
    }
    for (name, value) in &row.fixed_fields {
        let Some(field) = block.fields.iter().find(|f| f.name == *name) else { continue };
        if value.value > max_value(field.width()) {
            let message = format!("{} does not fit the {} of `{name}`", value.value, bit_count(field.width()));
            errors.report(value.span, message, format!("write a number up to {}", max_value(field.width())));
        }
    }
}
