//! Resolution of a set: assigns every row to the formats that encode it, and every role to the field that holds it.

use isa_schema::MAX_MNEMONIC_LEN;

use crate::ast::{Access, Block, Row};
use crate::body::clauses;
use crate::error::{Error, Errors};
use crate::operand_tables::class_codes::Classes;
use crate::template::Step;

mod collisions;
mod layout;
mod names;
mod references;
mod rows;
mod shape;
mod types;

pub use types::{
    BoundOperand, Component, Encoding, Field, Format, FormatRow, Mnemonic, Operand, Set, Shape, Variant, VariantBits,
};

/// Resolves the blocks of a set. `flags` are the flags that the blocks declare.
pub fn resolve<'a>(blocks: &'a [Block], flags: Vec<String>, classes: Option<Classes<'a>>) -> Result<Set<'a>, Errors> {
    let mut errors = Errors::default();
    let suffix_dwords: Vec<&Block> = blocks.iter().filter(|b| b.is_suffix_dword).collect();
    let mut formats = Vec::new();
    for block in blocks.iter().filter(|b| !b.is_suffix_dword) {
        formats.push(layout::format(block, &suffix_dwords, &mut errors));
    }
    let (mnemonics, by_name) = names::mnemonics(blocks, &mut errors);
    names::check_blocks(blocks, &mut errors);
    let mut set = Set { formats, suffix_dwords, flags, mnemonics, classes };
    references::check(&set, &mut errors);
    errors.into_result()?;
    let mut errors = Errors::default();
    let mut all = Vec::new();
    for format in 0..set.formats.len() {
        let rows = rows::collect(&set, format, blocks, &by_name, &mut errors);
        all.extend(rows.into_iter().map(|(component, row)| (format, component, row)));
    }
    // A format's own rows come first: an error in one is not reported again for the formats to which it is promoted.
    let mut invalid: Vec<*const Row> = Vec::new();
    all.sort_by_key(|(.., row)| row.is_promoted());
    let mut clauses = clauses::Cache::default();
    for (format, component, row) in &all {
        if invalid.contains(&std::ptr::from_ref(row.base)) {
            continue;
        }
        let name = set.formats[*format].block.name.to_string();
        set.mnemonics[row.mnemonic].encoded_in.push((name, row.number));
        if add_encoding(&mut set, *format, *component, row, (&mut clauses, &mut errors)).is_none() {
            invalid.push(std::ptr::from_ref(row.row));
        }
    }
    errors.into_result()?;
    collisions::check(&set)?;
    Ok(set)
}

/// Adds the encoding of a row to a format. Returns `None` after an error.
fn add_encoding<'a>(
    set: &mut Set<'a>,
    format: usize,
    component: usize,
    row: &FormatRow<'a>,
    (clauses, errors): (&mut clauses::Cache, &mut Errors),
) -> Option<()> {
    let shape = shape::resolve(&mut set.formats[format], component, row, &set.flags, errors)?;
    let clauses = clauses.compile(&set.formats[format], row, errors);
    let block = set.formats[format].block;
    let c = &mut set.formats[format].components[component];
    check_text_is_complete(block, c, &shape, row, errors)?;
    let shape = match c.shapes.iter().position(|s| *s == shape) {
        Some(index) => index,
        None => {
            c.shapes.push(shape);
            c.shapes.len() - 1
        }
    };
    let text = match &row.row.text_name {
        Some(name) => name.to_string(),
        None => row.row.name.as_str().to_lowercase(),
    };
    let aliases: Vec<String> = row.row.aliases.iter().map(ToString::to_string).collect();
    let given = row.row.text_name.iter().chain(&row.row.aliases).map(|name| (name.to_string(), name.span()));
    let derived = row.row.text_name.is_none().then(|| (text.clone(), row.row.name.span()));
    for (name, span) in given.chain(derived) {
        if name.len() > MAX_MNEMONIC_LEN || !name.is_ascii() {
            let message = format!("the mnemonic `{name}` is too long or not ASCII");
            errors.report(span, message, format!("write at most {MAX_MNEMONIC_LEN} ASCII characters"));
            return None;
        }
    }
    // Validation limits an opcode to 16 bits.
    let number = row.number as usize;
    if c.by_number.len() <= number {
        c.by_number.resize(number + 1, 0);
    }
    c.by_number[number] = c.encodings.len() as u16 + 1;
    c.encodings.push(Encoding { number: row.number, mnemonic: row.mnemonic, shape, text, aliases, clauses });
    Some(())
}

/// Checks that the text of every variant names all operands that have a field: the parser could not restore the others.
fn check_text_is_complete(
    block: &Block,
    component: &Component,
    shape: &Shape,
    row: &FormatRow,
    errors: &mut Errors,
) -> Option<()> {
    let missing = shape.variants.iter().flatten().find_map(|variant| {
        variant.bound.iter().enumerate().find_map(|(index, bound)| {
            let operand = &component.operands[bound.operand];
            let is_written = variant.text.contains(&Step::Operand(index as u8));
            (bound.access != Access::Modifier && operand.field.is_some() && !is_written).then_some(&operand.name)
        })
    });
    let role = missing.and_then(|name| row.base.roles.iter().find(|r| r.name == *name));
    let Some(role) = role else { return Some(()) };
    let message = format!("the text of `{}` in `{}` does not name `{}`", row.row.name, block.name, role.name);
    let help = format!("write `{{{}}}` in a `text` of the format or of the row", role.name);
    let mut error = Error::with_help(role.name.span(), message, help);
    // A template of the format lacks the operand in many rows.
    if row.row.template.is_none() {
        error = error.with_cause(format!("the text of `{}` does not name `{}`", block.name, role.name));
    }
    errors.push(error);
    None
}
