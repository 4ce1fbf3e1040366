//! The shape of a row in a format: which bits are fixed, which operands there are, and how they are printed.

use super::types::{BoundOperand, Field, Format, FormatRow, Operand, Shape, Variant, VariantBits};
use crate::ast::{Access, FieldContent, Role};
use crate::error::Errors;
use crate::facts::RowFacts;
use crate::lists::insert;
use crate::spanned::SpannedStr;
use crate::template::{self, Piece, Resolved, Step};
use crate::ty;

/// A suffix dword (its index plus one, or 0) and a value of the variant bit: together they select an encoding variant.
#[derive(Clone, Copy)]
struct VariantKey {
    suffix_dword: usize,
    bit: usize,
}

/// Determines the shape of a row in a component of a format. Returns `None` after an error.
pub(super) fn resolve(
    format: &mut Format,
    component: usize,
    row: &FormatRow,
    flags: &[String],
    errors: &mut Errors,
) -> Option<Shape> {
    add_operands_of_row_classes(format, component, row);
    let format = &*format;
    let facts = row.facts();
    check_requirements(format, row, errors);
    let always = always_suffix_dword(format, row, errors)?;
    let variant_field = variant_field(format, row, errors)?;
    let template = template_of(format, row, errors)?;
    let mut shape = Shape {
        flags: flag_bits(&facts, flags),
        always,
        selectors: selectors(format, component, row),
        only_mode: row.row.only_mode.as_ref().or(row.base.only_mode.as_ref()).map(ToString::to_string),
        variant_bit: variant_field.map(|f| f.bits[0]),
        variants: Vec::new(),
    };
    for bit in 0..=usize::from(variant_field.is_some()) {
        for suffix_dword in 0..=format.suffix_dwords.len() {
            let variant = if allows_suffix_dword(format, row, always, suffix_dword) {
                Some(variant(format, component, row, VariantKey { suffix_dword, bit }, &template, errors)?)
            } else {
                None
            };
            shape.variants.push(variant);
        }
    }
    Some(shape)
}

/// Checks the `require` clauses of the format. They do not apply to promoted rows.
fn check_requirements(format: &Format, row: &FormatRow, errors: &mut Errors) {
    let facts = row.facts();
    for cond in format.block.requirements.iter().filter(|c| !row.is_promoted() && !c.holds(&facts)) {
        let mut names = Vec::new();
        cond.names(&mut names);
        let names: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
        let message = format!("`{}` does not satisfy a `require` clause of `{}`", row.row.name, format.block.name);
        errors.report(
            row.row.name.span(),
            message,
            format!("write flags or roles that satisfy the condition on {}", names.join(", ")),
        );
    }
}

/// Returns the index of the suffix dword that always follows the row plus one, or 0. Returns `None` after an error.
fn always_suffix_dword(format: &Format, row: &FormatRow, errors: &mut Errors) -> Option<usize> {
    let Some(name) = row.row.always.as_ref().or(row.base.always.as_ref()) else { return Some(0) };
    let index = format.suffix_dwords.iter().position(|(clause, _)| clause.name == *name);
    if index.is_none() {
        let message = format!("`{}` has no suffix dword `{name}`", format.block.name);
        errors.report(name.span(), message, format!("write `dword {name} when …;` in the format"));
    }
    Some(index? + 1)
}

/// Returns whether the row can have a suffix dword: an index plus one, or 0 for none.
fn allows_suffix_dword(format: &Format, row: &FormatRow, always: usize, suffix_dword: usize) -> bool {
    let Some(index) = suffix_dword.checked_sub(1) else { return always == 0 };
    let clause = format.suffix_dwords[index].0;
    (always == suffix_dword || (always == 0 && !clause.when.is_empty()))
        && !row.row.excluded.contains(&clause.name)
        && !row.base.excluded.contains(&clause.name)
        && (always == suffix_dword || clause.cond.as_ref().is_none_or(|c| c.holds(&row.facts())))
}

/// Returns a bit for each of [`Format::selector_fields`]: whether it can select a suffix dword of this row. A field that holds
/// operands can do so only if the row has one of them.
fn selectors(format: &Format, component: usize, row: &FormatRow) -> u8 {
    let operands = &format.components[component].operands;
    let is_listed = |o: &Operand| o.access == Access::Modifier || row.base.roles.iter().any(|r| r.name == o.name);
    let mut selectors = 0;
    for (nth, index) in format.selector_fields.iter().enumerate() {
        let can_select = match format.fields[*index].decl.content {
            FieldContent::Operand(_) => operands.iter().any(|o| o.field == Some(*index) && is_listed(o)),
            _ => true,
        };
        selectors |= u8::from(can_select) << nth;
    }
    selectors
}

/// Adds an operand to the component for each `role: type as Class` of the row, unless an earlier row has added it.
fn add_operands_of_row_classes(format: &mut Format, component: usize, row: &FormatRow) {
    let operands = &mut format.components[component].operands;
    for role in row.base.roles.iter().filter(|_| !row.is_promoted()) {
        let Some(class) = &role.class else { continue };
        if operands.iter().any(|o| role.name == o.name && o.class.text == class.text) {
            continue;
        }
        let Some(from) = operands.iter().find(|o| role.name == o.name) else {
            continue;
        };
        let operand = Operand {
            name: from.name.clone(),
            access: from.access,
            field: from.field,
            decl: from.decl,
            class: class.clone(),
            bits: from.bits.clone(),
            suffix_dword: from.suffix_dword,
        };
        operands.push(operand);
    }
}

/// Returns the flags of a row, a bit each.
fn flag_bits(facts: &RowFacts, flags: &[String]) -> u128 {
    flags.iter().enumerate().filter(|(_, flag)| facts.has_flag(flag)).fold(0, |bits, (i, _)| bits | 1 << i)
}

/// Returns the field that holds the variant bit, if the row has one: the field that `if FIELD` and `out if FIELD` of
/// its roles name. Returns `None` after an error.
fn variant_field<'f, 'a>(
    format: &'f Format<'a>,
    row: &FormatRow,
    errors: &mut Errors,
) -> Option<Option<&'f Field<'a>>> {
    let mut found: Option<&Field> = None;
    for name in row.base.roles.iter().filter_map(|r| r.exists_if.as_ref().or(r.written_if.as_ref())) {
        let field = format.fields.iter().find(|f| f.decl.name == *name && f.suffix_dword.is_none());
        let Some(field) = field.filter(|f| f.bits.len() == 1 && f.bits[0].width == 1) else {
            let message = format!("`{}` has no one-bit field `{name}`", format.block.name);
            errors.report(name.span(), message, "write a modifier of one bit after `if`");
            return None;
        };
        if found.is_some_and(|f| f.decl.name != *name) {
            let message = "the roles of a row test two different fields";
            errors.report(name.span(), message, "write the same field after every `if` of the row");
            return None;
        }
        found = Some(field);
    }
    Some(found)
}

/// Determines an encoding variant. Returns `None` after an error.
fn variant(
    format: &Format,
    component: usize,
    row: &FormatRow,
    key: VariantKey,
    template: &[Piece],
    errors: &mut Errors,
) -> Option<Variant> {
    let bound = bound_operands(format, component, row, key, errors)?;
    let text = text(format, component, row, key, (&bound, template), errors)?;
    Some(Variant {
        fixed: fixed_bits(format, component, row, key, &bound),
        suffix: suffix(format, row, key),
        bound,
        text,
    })
}

/// Returns the `fix FIELD = n` of a row for a field.
fn fixed_value(row: &FormatRow, field: &Field) -> Option<u64> {
    row.row.fixed_fields.iter().find(|(name, _)| field.decl.name == *name).map(|(_, value)| value.value)
}

/// Collects the operands and modifiers of a variant. Returns `None` after an error.
fn bound_operands(
    format: &Format,
    component: usize,
    row: &FormatRow,
    key: VariantKey,
    errors: &mut Errors,
) -> Option<Vec<BoundOperand>> {
    let operands = &format.components[component].operands;
    let facts = row.facts();
    let exists = |operand: &Operand| {
        operand.suffix_dword.is_none_or(|t| t + 1 == key.suffix_dword)
            && operand.decl.cond.as_ref().is_none_or(|cond| cond.holds(&facts))
    };
    let mut bound: Vec<BoundOperand> = Vec::new();
    for role in &row.base.roles {
        if role.exists_if.is_some() && (key.bit == 0) != role.exists_if_zero {
            continue;
        }
        let Some(operand) = operand_of_role(operands, role, row, exists) else {
            report_role(format, component, row, role, errors);
            return None;
        };
        bound.push(BoundOperand { operand, ty: role.ty, access: access(&operands[operand], role, key) });
    }
    for (index, operand) in operands.iter().enumerate() {
        let is_fixed = operand.field.is_some_and(|f| fixed_value(row, &format.fields[f]).is_some());
        if operand.access == Access::Modifier && exists(operand) && !is_fixed {
            bound.push(BoundOperand { operand: index, ty: ty::MODIFIER, access: Access::Modifier });
        }
    }
    Some(bound)
}

/// Determines the fixed bits of a variant. They exclude the opcode, which the decoder has looked up, so that rows can
/// share a variant.
fn fixed_bits(
    format: &Format,
    component: usize,
    row: &FormatRow,
    key: VariantKey,
    bound: &[BoundOperand],
) -> VariantBits {
    let component = &format.components[component];
    let mut fixed = VariantBits { written: format.fixed, required: format.fixed };
    for (index, field) in format.fields.iter().enumerate() {
        if field.suffix_dword.is_some_and(|t| t + 1 != key.suffix_dword) {
            continue;
        }
        // A field that selects the suffix dword holds the selecting code instead of the row's operand.
        let is_listed = |o: &Operand| o.field == Some(index) && row.base.roles.iter().any(|r| r.name == o.name);
        let selects_suffix_dword = key.suffix_dword.checked_sub(1).is_some_and(|t| {
            field.suffix_dword.is_none()
                && format.suffix_dwords[t].0.when.iter().any(|(name, _)| *name == field.decl.name)
                && (!matches!(field.decl.content, FieldContent::Operand(_)) || component.operands.iter().any(is_listed))
        });
        if let Some(value) = fixed_value(row, field) {
            fixed.require(&field.bits, value);
            continue;
        }
        match &field.decl.content {
            FieldContent::Fixed(n) => fixed.require(&field.bits, n.value),
            FieldContent::Reserved(n) => fixed.require(&field.bits, *n),
            FieldContent::Ignored(value) => fixed.leave(&field.bits, *value),
            FieldContent::Opcode(_) => {}
            FieldContent::Operand(decl) => {
                let in_component =
                    field.suffix_dword.is_some() || decl.component.as_ref().map(ToString::to_string) == component.name;
                let is_used = bound.iter().any(|b| component.operands[b.operand].field == Some(index));
                // An operand of the suffix dword that the row does not list belongs to the operand that selected the suffix dword.
                let belongs_to_selector =
                    field.suffix_dword.is_some() && decl.roles.iter().all(|(access, _)| *access != Access::Modifier);
                if in_component && !is_used && !selects_suffix_dword && !belongs_to_selector && !field.bits.is_empty() {
                    if decl.unused.is_reserved {
                        fixed.require(&field.bits, decl.unused.value);
                    } else {
                        fixed.leave(&field.bits, decl.unused.value);
                    }
                }
            }
        }
    }
    fixed
}

/// Finds the operand that holds a role. An operand of the suffix dword precedes one of the format, and the row's operand class
/// (`as Class`) precedes the field's.
fn operand_of_role(
    operands: &[Operand],
    role: &Role,
    row: &FormatRow,
    exists: impl Fn(&Operand) -> bool,
) -> Option<usize> {
    let row_class = role.class.as_ref().filter(|_| !row.is_promoted());
    let holds_role = |o: &&Operand| role.name == o.name && o.access != Access::Modifier && exists(o);
    let has_class = |o: &&Operand| match &row_class {
        Some(class) => o.class.text == class.text,
        None => true,
    };
    let in_suffix_dword = |o: &&Operand| holds_role(o) && o.suffix_dword.is_some();
    let find = |is: &dyn Fn(&&Operand) -> bool| operands.iter().position(|o| is(&o));
    // The row's class replaces that of the format's field; a suffix dword keeps its own.
    find(&|o| in_suffix_dword(o) && has_class(o))
        .or_else(|| find(&in_suffix_dword))
        .or_else(|| find(&|o| holds_role(o) && has_class(o)))
}

/// Returns the access to an operand in a variant.
fn access(operand: &Operand, role: &Role, key: VariantKey) -> Access {
    if role.is_inout || (role.written_if.is_some() && key.bit == 1) { Access::ReadWrite } else { operand.access }
}

/// Reports a role that no operand of the format holds.
fn report_role(format: &Format, component: usize, row: &FormatRow, role: &Role, errors: &mut Errors) {
    let block = format.block;
    let operands = &format.components[component].operands;
    let suffix_dword = operands.iter().find(|o| role.name == o.name).and_then(|o| o.suffix_dword);
    let (message, help) = match suffix_dword {
        Some(t) => {
            let suffix_dword = &format.suffix_dwords[t].0.name;
            (
                format!("only the suffix dword `{suffix_dword}` holds `{}`", role.name),
                format!("write `always {suffix_dword}` on this row"),
            )
        }
        None if row.is_promoted() => (
            format!("`{}` is promoted to `{}`, where no field holds `{}`", row.row.name, block.name, role.name),
            format!("write `no {}` on the row, or a condition after `promotes to`", block.name),
        ),
        None if operands.iter().any(|o| role.name == o.name && o.access != Access::Modifier) => (
            format!(
                "the field of `{}` that holds `{}` has a condition, which is false for `{}`",
                block.name, role.name, row.row.name
            ),
            "change the row so that the condition holds, or delete the role".into(),
        ),
        None => {
            let mut names = Vec::new();
            for operand in operands.iter().filter(|o| o.access != Access::Modifier) {
                insert(&mut names, format!("`{}`", operand.name));
            }
            (
                format!("no field of `{}` holds `{}`", block.name, role.name),
                format!("the roles of its fields are {}", names.join(", ")),
            )
        }
    };
    errors.report(role.name.span(), message, help);
}

/// Returns the mnemonic suffix: that of the suffix dword or, in rows that several formats encode, that of the format.
fn suffix(format: &Format, row: &FormatRow, key: VariantKey) -> String {
    let of_suffix_dword = key.suffix_dword.checked_sub(1).and_then(|t| format.suffix_dwords[t].0.suffix.as_ref());
    let of_format = format.block.suffix.as_ref().filter(|_| row.is_shared && !row.row.is_bare);
    SpannedStr::or_empty(of_suffix_dword.or(of_format)).to_string()
}

/// Returns the template of a row, without that of a suffix dword. Returns `None` after an error.
fn template_of(format: &Format, row: &FormatRow, errors: &mut Errors) -> Option<Vec<Piece>> {
    let facts = row.facts();
    let of_row = if row.is_promoted() { None } else { row.row.template.as_ref().or(row.base.template.as_ref()) };
    let chosen = of_row.or_else(|| {
        let clause = format.block.texts.iter().find(|t| t.cond.as_ref().is_none_or(|c| c.holds(&facts)));
        clause.map(|t| &t.template)
    });
    match chosen.map(template::parse) {
        None => Some(Vec::new()),
        Some(Ok(pieces)) => Some(pieces),
        Some(Err(e)) => {
            errors.push(e);
            None
        }
    }
}

/// Determines the print steps of a variant: the row's template, followed by the suffix dword's. Returns `None` after an error.
fn text(
    format: &Format,
    component: usize,
    row: &FormatRow,
    key: VariantKey,
    (bound, template): (&[BoundOperand], &[Piece]),
    errors: &mut Errors,
) -> Option<Vec<Step>> {
    let facts = row.facts();
    let mut pieces = template.to_vec();
    let of_suffix_dword = key
        .suffix_dword
        .checked_sub(1)
        .and_then(|t| format.suffix_dwords[t].1.texts.iter().find(|t| t.cond.as_ref().is_none_or(|c| c.holds(&facts))));
    // A dual-issue pair has one suffix dword, which the first component prints.
    if let Some(clause) = of_suffix_dword.filter(|_| component == 0) {
        match template::parse(&clause.template) {
            Ok(more) => pieces.extend(more),
            Err(e) => {
                errors.push(e);
                return None;
            }
        }
    }
    let operands = &format.components[component].operands;
    Some(template::steps(&pieces, |name| match bound.iter().position(|b| operands[b.operand].name == name) {
        None => Resolved::Absent,
        Some(index) if bound[index].access == Access::Modifier => Resolved::Modifier(index as u8),
        Some(index) => Resolved::Operand(index as u8),
    }))
}
