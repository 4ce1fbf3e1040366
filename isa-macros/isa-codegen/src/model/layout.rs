//! The layout of a format: its fields and those of its suffix dwords, and the operands that they hold.

use isa_schema::{BitRange, FixedBits};

use super::types::{Component, Field, Format, Operand};
use crate::ast::{self, Block, FieldContent, SuffixDwordClause};
use crate::error::Errors;

/// Lays out a format. Its components have no encodings yet.
pub(super) fn format<'a>(block: &'a Block, all_suffix_dwords: &[&'a Block], errors: &mut Errors) -> Format<'a> {
    let dwords = (block.width.value / 32) as u8;
    let mut fields: Vec<Field> =
        block.fields.iter().map(|decl| Field { decl, bits: field_bits(decl, 0), suffix_dword: None }).collect();
    let mut suffix_dwords: Vec<(&SuffixDwordClause, &Block)> = Vec::new();
    for clause in &block.suffix_dwords {
        let Some(suffix_dword) = all_suffix_dwords.iter().find(|t| t.name == clause.name) else {
            let message = format!("the set has no suffix dword `{}`", clause.name);
            errors.report(clause.name.span(), message, "correct the name, or list the suffix dword in `formats`");
            continue;
        };
        check_accessors(block, suffix_dword, errors);
        let index = Some(suffix_dwords.len());
        fields.extend(suffix_dword.fields.iter().map(|decl| Field {
            decl,
            bits: field_bits(decl, dwords),
            suffix_dword: index,
        }));
        suffix_dwords.push((clause, *suffix_dword));
    }
    let mut fixed = FixedBits::default();
    for field in fields.iter().filter(|f| f.suffix_dword.is_none()) {
        if let FieldContent::Fixed(n) = &field.decl.content {
            fixed.set(&field.bits, n.value);
        }
    }
    let names: Vec<Option<String>> = if block.components.is_empty() {
        vec![None]
    } else {
        block.components.iter().map(|c| Some(c.to_string())).collect()
    };
    let components = names.into_iter().map(|name| component(name, &fields)).collect();
    let mut selector_fields = Vec::new();
    for (index, field) in fields.iter().enumerate().filter(|(_, field)| field.suffix_dword.is_none()) {
        let is_selector = |clause: &SuffixDwordClause| clause.when.iter().any(|(name, _)| *name == field.decl.name);
        if suffix_dwords.iter().any(|(clause, _)| is_selector(clause)) {
            selector_fields.push(index);
        }
    }
    Format { block, dwords, fields, suffix_dwords, components, selector_fields, fixed }
}

/// Checks that no field's accessor has the name of a suffix dword's accessor.
fn check_accessors(block: &Block, suffix_dword: &Block, errors: &mut Errors) {
    let has_accessor = |f: &&ast::FieldDecl| {
        matches!(f.content, FieldContent::Operand(_) | FieldContent::Opcode(_)) && !f.bits.is_empty()
    };
    let collides =
        |f: &&ast::FieldDecl| f.name.to_string().to_lowercase() == suffix_dword.name.to_string().to_lowercase();
    if let Some(field) = block.fields.iter().filter(has_accessor).find(collides) {
        let message = format!(
            "the field `{}` of `{}` has the name of the suffix dword `{}`",
            field.name, block.name, suffix_dword.name
        );
        errors.report(field.name.span(), message, "rename the field");
    }
}

/// Collects the operands of a component: of its fields and of all suffix dwords.
fn component<'a>(name: Option<String>, fields: &[Field<'a>]) -> Component<'a> {
    let is_opcode =
        |f: &Field| matches!(&f.decl.content, FieldContent::Opcode(c) if c.as_ref().map(ToString::to_string) == name);
    // A format without an opcode field has a single row, number 0 (checked with the block).
    let opcode = fields.iter().find(|f| is_opcode(f)).map(|f| f.bits.clone()).unwrap_or_default();
    let mut operands = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let FieldContent::Operand(decl) = &field.decl.content else {
            continue;
        };
        if field.suffix_dword.is_none() && decl.component.as_ref().map(ToString::to_string) != name {
            continue;
        }
        for (access, role) in &decl.roles {
            operands.push(Operand {
                name: role.to_string(),
                access: *access,
                field: (!field.decl.bits.is_empty()).then_some(index),
                decl,
                class: decl.class.clone(),
                bits: field.bits.clone(),
                suffix_dword: field.suffix_dword,
            });
        }
    }
    Component { name, opcode, operands, encodings: Vec::new(), by_number: Vec::new(), shapes: Vec::new() }
}

/// Returns the bits of a field. `first` is the index of the block's first dword.
fn field_bits(decl: &ast::FieldDecl, first: u8) -> Vec<BitRange> {
    decl.bits.iter().map(|range| BitRange::new(first * 32 + range.lo as u8, range.width() as u8)).collect()
}
