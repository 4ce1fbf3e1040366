//! Checks of references: every name in a condition, a template or a clause must be defined in the set.

use std::collections::HashSet;

use super::types::{Format, Operand, Set};
use crate::ast::{Access, Block, Cond, FieldContent, max_value};
use crate::error::{Errors, bit_count};
use crate::template::{self, Piece};

/// Checks all references of a set.
pub(super) fn check(set: &Set, errors: &mut Errors) {
    let roles: HashSet<&str> = set.mnemonics.iter().flat_map(|m| &m.row.roles).map(|role| role.name.as_str()).collect();
    for format in &set.formats {
        check_conditions(set, format, &roles, errors);
        check_templates(format, errors);
        check_rows(set, format, errors);
        check_promotions(set, format.block, errors);
    }
}

/// Returns the operands and modifiers of all components.
fn operands<'f>(format: &'f Format) -> impl Iterator<Item = &'f Operand<'f>> {
    format.components.iter().flat_map(|c| &c.operands)
}

/// Returns the conditions of a format and of its suffix dwords.
fn conditions<'a>(format: &'a Format) -> impl Iterator<Item = &'a Cond> {
    let of_fields = |block: &'a Block| {
        block.fields.iter().filter_map(|f| match &f.content {
            FieldContent::Operand(operand) => operand.cond.as_ref(),
            _ => None,
        })
    };
    let block = format.block;
    of_fields(block)
        .chain(format.suffix_dwords.iter().flat_map(move |(_, suffix_dword)| of_fields(suffix_dword)))
        .chain(block.texts.iter().filter_map(|t| t.cond.as_ref()))
        .chain(
            format
                .suffix_dwords
                .iter()
                .flat_map(|(_, suffix_dword)| suffix_dword.texts.iter().filter_map(|t| t.cond.as_ref())),
        )
        .chain(block.suffix_dwords.iter().filter_map(|t| t.cond.as_ref()))
        .chain(block.promotions.iter().filter_map(|p| p.cond.as_ref()))
        .chain(&block.requirements)
        .chain(block.conditional_flags.iter().map(|(_, cond)| cond))
}

/// Checks that conditions name flags and roles. `roles` are those of all rows of the set.
fn check_conditions(set: &Set, format: &Format, roles: &HashSet<&str>, errors: &mut Errors) {
    let (mut names, mut tested_roles) = (Vec::new(), Vec::new());
    for cond in conditions(format) {
        cond.names(&mut names);
        cond.tested_roles(&mut tested_roles);
    }
    for name in names {
        let text = name.to_string();
        let in_row = roles.contains(name.as_str());
        let in_field = operands(format).any(|o| o.name == text && o.access != Access::Modifier);
        if in_row || in_field || format.block.other_generations.contains(&text) {
            continue;
        }
        if tested_roles.contains(&name) {
            let message = format!("`{text}` is not a role of any row");
            errors.report(name.span(), message, "write a role before `is`, which tests the role's type");
        } else if text != "promoted" && !set.flags.contains(&text) {
            let message = format!("`{text}` is neither a declared flag nor a role");
            errors.report(name.span(), message, format!("declare the flag with `flags {text};`"));
        }
    }
}

/// Checks that templates name roles and modifiers of the format.
fn check_templates(format: &Format, errors: &mut Errors) {
    let block = format.block;
    let of_suffix_dwords = format.suffix_dwords.iter().flat_map(|(_, suffix_dword)| &suffix_dword.texts);
    let templates = block.texts.iter().chain(of_suffix_dwords).map(|t| &t.template);
    for text in templates.chain(block.rows.iter().filter_map(|r| r.template.as_ref())) {
        for piece in template::parse(text).unwrap_or_default() {
            if let Piece::Name(name) = piece
                && !operands(format).any(|o| o.name == name)
                && !block.other_generations.contains(&name)
            {
                let mut known: Vec<String> = operands(format).map(|o| format!("`{}`", o.name)).collect();
                known.sort_unstable();
                known.dedup();
                let message = format!("no field of `{}` holds `{name}`, which the template names", block.name);
                errors.report(text.span(), message, format!("its roles and modifiers are {}", known.join(", ")));
            }
        }
    }
}

/// Checks that `no` and `fix` of rows name formats, suffix dwords and fields.
fn check_rows(set: &Set, format: &Format, errors: &mut Errors) {
    let block = format.block;
    for row in &block.rows {
        for name in &row.excluded {
            let is_promotion = block.promotions.iter().any(|p| p.format == *name);
            if !is_promotion && !set.suffix_dwords.iter().any(|t| t.name == *name) {
                let message =
                    format!("`{name}` is neither a suffix dword nor a format to which `{}` is promoted", block.name);
                errors.report(
                    name.span(),
                    message,
                    "write `no` with a suffix dword, or with a format of a `promotes to` clause",
                );
            }
        }
        for (name, value) in &row.fixed_fields {
            match format.fields.iter().find(|f| f.decl.name == *name && !f.bits.is_empty()) {
                None => {
                    let message = format!("`{}` has no field `{name}`", block.name);
                    errors.report(name.span(), message, "write the name of a field: `fix FIELD = n`");
                }
                Some(f) if value.value > max_value(f.decl.width()) => {
                    let width = f.decl.width();
                    let message = format!("{} does not fit the {} of `{name}`", value.value, bit_count(width));
                    errors.report(value.span, message, format!("write a number up to {}", max_value(width)));
                }
                Some(_) => {}
            }
        }
    }
}

/// Checks that `promotes to` clauses name formats that can encode promoted rows.
fn check_promotions(set: &Set, block: &Block, errors: &mut Errors) {
    for promotion in &block.promotions {
        let name = &promotion.format;
        let (message, help) = match set.formats.iter().find(|f| f.block.name == *name) {
            None if set.suffix_dwords.iter().any(|t| t.name == *name) => (
                format!("`{name}` is a suffix dword, to which no row can be promoted"),
                format!("write `dword {name} when FIELD == code;`"),
            ),
            None => {
                (format!("the set has no format `{name}`"), "correct the name, or list the format in `formats`".into())
            }
            Some(f) if f.components.len() > 1 => (
                format!("`{name}` is a dual-issue format, to which no row can be promoted"),
                format!("write rows in `{name}` that refer to other rows: `x 4 => NAME = ROW;`"),
            ),
            Some(f) if f.components[0].opcode.is_empty() => (
                format!("`{name}` has no opcode field, so no row can be promoted to it"),
                format!("add the field `OP [bits] = opcode,` to `{name}`"),
            ),
            Some(_) => continue,
        };
        errors.report(name.span(), message, help);
    }
}
