//! Checks of names: fields, components and flags.

use proc_macro2::Span;

use crate::ast::{Block, FieldContent};
use crate::error::{Errors, name_list};
use crate::lists::{insert, replace};
use crate::names::INVALID_IDENTS;
use crate::spanned::SpannedStr;

/// Keywords of rows and conditions, which no flag can be named after.
const KEYWORDS: [&str; 13] =
    ["no", "always", "bare", "as", "also", "text", "only", "fix", "promoted", "is", "wave", "lanes", "disputed"];

/// Methods of the generated structs, which no accessor can be named after.
const METHODS: [&str; 3] = ["words", "raw", "opcode"];

/// Checks that fields are unique, and that accessors of their names can be generated.
pub(super) fn check_fields(block: &Block, errors: &mut Errors) {
    let mut names = Vec::new();
    for field in block.fields.iter().filter(|f| !f.bits.is_empty()) {
        let name = field.name.to_string().to_lowercase();
        let is_method = match &field.content {
            FieldContent::Operand(_) => METHODS.contains(&name.as_str()),
            // The accessor of an opcode field named OPCODE is called `opcode_number`.
            FieldContent::Opcode(_) => name != "opcode" && METHODS.contains(&name.as_str()),
            _ => false,
        };
        if is_method {
            let message = format!("the accessor of `{}` collides with the method `{name}` of instructions", field.name);
            errors.report(field.name.span(), message, "rename the field");
        }
        // Every field has an accessor in the raw layout.
        if INVALID_IDENTS.contains(&name.as_str()) {
            let message = format!("Rust allows no method named `{name}`");
            errors.report(field.name.span(), message, "rename the field");
        }
        if let Some(other) = replace(&mut names, name, &field.name) {
            let message = format!("duplicate field `{other}` in `{}`", block.name);
            let help = format!("write all its bit ranges in one field, `{other} [high, low]`, or rename this one");
            errors.report(field.name.span(), message, help);
        }
    }
}

/// Checks that operand fields and rows name a component if the block declares components, and only then.
pub(super) fn check_components(block: &Block, errors: &mut Errors) {
    let mut check = |component: Option<&SpannedStr>, span: Span, subject: &str, example: &str| match component {
        Some(name) if block.components.is_empty() => {
            let message = format!("`{}` declares no components, so `{name}` names none", block.name);
            errors.report(name.span(), message, format!("delete `{name}`, or write `components {name} \" :: \" y;`"));
        }
        Some(name) if !block.components.contains(name) => {
            let message = format!("`{name}` is not a component of `{}`", block.name);
            errors.report(name.span(), message, format!("its components are {}", name_list(&block.components)));
        }
        None if !block.components.is_empty() => {
            let message = format!("{subject} of `{}` must name its component", block.name);
            let help = format!("write `{example}`; the components are {}", name_list(&block.components));
            errors.report(span, message, help);
        }
        _ => {}
    };
    if block.parsed.clauses_incomplete {
        return;
    }
    for field in &block.fields {
        match &field.content {
            FieldContent::Opcode(component) => {
                let example = format!("{} [bits] = opcode x", field.name);
                check(component.as_ref(), field.name.span(), "an opcode field", &example);
            }
            FieldContent::Operand(operand) => {
                let example = operand.roles.first().map_or_else(String::new, |(_, role)| format!("x.{role}: Class"));
                check(operand.component.as_ref(), field.name.span(), "a field", &example);
            }
            FieldContent::Fixed(_) | FieldContent::Reserved(_) | FieldContent::Ignored(_) => {}
        }
    }
    for row in &block.rows {
        check(row.component.as_ref(), row.number.span, "a row", &format!("x {} => …", row.number.value));
    }
}

/// Checks that flags are declared once, and that rows have declared flags only.
pub(super) fn check_flags(block: &Block, errors: &mut Errors) {
    let mut declared = Vec::new();
    for flag in &block.flags {
        let name = flag.to_string();
        if KEYWORDS.contains(&name.as_str()) {
            errors.report(flag.span(), format!("`{name}` is a keyword of the row language"), "rename the flag");
        } else if !insert(&mut declared, name.to_lowercase()) {
            errors.report(flag.span(), format!("duplicate flag `{name}`"), "declare each flag once");
        }
    }
    if let Some((flag, _)) = block.conditional_flags.first().filter(|_| block.is_suffix_dword) {
        let message = format!("`{flag}` follows from a condition, but the suffix dword `{}` has no rows", block.name);
        errors.report(flag.span(), message, "declare it in a format");
    }
    for flag in block.rows.iter().flat_map(|r| &r.flags) {
        if block.derived_flags.iter().any(|(derived, _)| derived == flag) {
            let message = format!("`{flag}` follows from the bodies of rows");
            errors.report(flag.span(), message, "leave it to the body, or declare the flag without a fact");
        }
        if block.conditional_flags.iter().any(|(conditional, _)| conditional == flag) {
            let message = format!("`{flag}` follows from a condition");
            errors.report(flag.span(), message, "leave it to the condition, or declare the flag without one");
        }
        if !block.flags.contains(flag) && !block.parsed.clauses_incomplete {
            let message = format!("`{flag}` is not a flag of `{}`", block.name);
            errors.report(flag.span(), message, format!("declare it with `flags {flag};`"));
        }
    }
}
