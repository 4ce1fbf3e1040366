//! Checks of references: every name in a condition, a template or a clause must be defined in the set.

use super::types::{Format, Operand, Set};
use crate::ast::{Access, Block, Cond, FieldContent, OperandClass, SuffixDwordClause, max_value};
use crate::error::{Errors, bit_count};
use crate::lists::insert;
use crate::spanned::SpannedStr;
use crate::template::{self, Piece};

/// Checks all references of a set.
pub(super) fn check(set: &Set, errors: &mut Errors) {
    let mut roles = Vec::new();
    for role in set.mnemonics.iter().flat_map(|m| &m.row.roles) {
        insert(&mut roles, role.name.as_str());
    }
    for format in &set.formats {
        let operands: Vec<&Operand> = format.components.iter().flat_map(|c| &c.operands).collect();
        check_conditions(set, format, (&roles, &operands), errors);
        check_templates(format, &operands, errors);
        check_rows(set, format, errors);
        check_promotions(set, format.block, errors);
    }
    check_literals(set, errors);
}

/// Checks that the code of a literal selects the suffix dword that the operand classes name, or none.
fn check_literals(set: &Set, errors: &mut Errors) {
    let Some(classes) = &set.classes else { return };
    let clauses = || set.formats.iter().flat_map(|format| &format.suffix_dwords);
    let operands = set.formats.iter().flat_map(|format| &format.components).flat_map(|component| &component.operands);
    let mut used: Vec<&OperandClass> = operands.map(|operand| &operand.class).collect();
    used.sort_by_key(|class| &class.text);
    used.dedup_by_key(|class| &class.text);
    for (code, dword) in used.into_iter().filter_map(|class| classes.literal(class)) {
        let selects = |clause: &SuffixDwordClause| clause.when.iter().any(|(_, when)| when.value as u32 == code);
        let mut selected = clauses().filter(|(clause, _)| selects(clause)).peekable();
        if selected.peek().is_some() && !selected.any(|(_, block)| block.name == dword.as_str()) {
            let message = format!("the code {code} selects another suffix dword than `{dword}`");
            errors.report(dword.span(), message, "name the one of `dword … when`");
        }
    }
}

/// Returns the conditions of a format and of its suffix dwords.
fn conditions<'a>(format: &Format<'a>) -> Vec<&'a Cond> {
    let block = format.block;
    let mut blocks = vec![block];
    blocks.extend(format.suffix_dwords.iter().map(|(_, block)| *block));
    let mut all = Vec::new();
    for field in blocks.iter().flat_map(|block| &block.fields) {
        if let FieldContent::Operand(operand) = &field.content {
            all.extend(&operand.cond);
        }
    }
    for text in blocks.iter().flat_map(|block| &block.texts) {
        all.extend(&text.cond);
    }
    for clause in &block.suffix_dwords {
        all.extend(&clause.cond);
    }
    for promotion in &block.promotions {
        all.extend(&promotion.cond);
    }
    all.extend(&block.requirements);
    for (_, cond) in &block.conditional_flags {
        all.push(cond);
    }
    all
}

/// Checks that conditions name flags and roles: the roles of all rows of the set, or operands of the format.
fn check_conditions(set: &Set, format: &Format, (roles, operands): (&[&str], &[&Operand]), errors: &mut Errors) {
    let (mut names, mut tested_roles) = (Vec::new(), Vec::new());
    for cond in conditions(format) {
        cond.names(&mut names);
        cond.tested_roles(&mut tested_roles);
    }
    for name in names {
        let text = name.to_string();
        let in_row = roles.binary_search(&name.as_str()).is_ok();
        let in_field = operands.iter().any(|o| o.name == text && o.access != Access::Modifier);
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
fn check_templates(format: &Format, operands: &[&Operand], errors: &mut Errors) {
    let block = format.block;
    let mut templates: Vec<&SpannedStr> = block.texts.iter().map(|t| &t.template).collect();
    for (_, suffix_dword) in &format.suffix_dwords {
        templates.extend(suffix_dword.texts.iter().map(|t| &t.template));
    }
    for row in &block.rows {
        templates.extend(&row.template);
    }
    for text in templates {
        for piece in template::parse(text).unwrap_or_default() {
            if let Piece::Name(name) = piece
                && !operands.iter().any(|o| o.name == name)
                && !block.other_generations.contains(&name)
            {
                let mut known = Vec::new();
                for operand in operands {
                    insert(&mut known, format!("`{}`", operand.name));
                }
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
