//! The rows that a format encodes: its own, and those that are promoted to it.

use super::types::{FormatRow, Set};
use crate::ast::{Block, Promotion, Row, max_value};
use crate::error::{Errors, bit_count};
use crate::facts::RowFacts;
use crate::lists::{get, replace};

/// Collects the rows that a format encodes, each with the index of its component. `by_name` are the indices of mnemonics.
pub(super) fn collect<'a>(
    set: &Set<'a>,
    format: usize,
    blocks: &'a [Block],
    by_name: &[(&str, usize)],
    errors: &mut Errors,
) -> Vec<(usize, FormatRow<'a>)> {
    let components = &set.formats[format].components;
    let block = set.formats[format].block;
    let mut all: Vec<(usize, FormatRow<'a>)> = Vec::new();
    for row in &block.rows {
        let name = row.component.as_ref().map(ToString::to_string);
        let Some(component) = components.iter().position(|c| c.name == name) else {
            continue;
        };
        let base = match &row.base {
            None => row,
            Some(base) => match get(by_name, &base.as_str()) {
                Some(&index) => set.mnemonics[index].row,
                None => {
                    let message = format!("the set has no row `{base}`");
                    errors.report(base.span(), message, "write the mnemonic of a row of another format");
                    continue;
                }
            },
        };
        let mnemonic = get(by_name, &base.name.as_str()).copied().unwrap_or(0);
        let is_shared = is_promoted_from(row, block, blocks);
        let row =
            FormatRow { format: block, row, base, number: row.number.value, promotion: None, is_shared, mnemonic };
        all.push((component, row));
    }
    for from in blocks {
        for promotion in from.promotions.iter().filter(|p| p.format == block.name) {
            for row in from.rows.iter().filter(|row| applies_to(promotion, row, from)) {
                let mnemonic = get(by_name, &row.name.as_str()).copied().unwrap_or(0);
                let number = promotion.offset.value.saturating_add(row.number.value);
                let promotion = Some(promotion);
                all.push((
                    0,
                    FormatRow { format: block, row, base: row, number, promotion, is_shared: true, mnemonic },
                ));
            }
        }
    }
    remove_invalid_promotions(set, format, &mut all, errors);
    all
}

/// Returns whether a `promotes to` clause of a format promotes a row of it.
fn applies_to(promotion: &Promotion, row: &Row, format: &Block) -> bool {
    let facts = RowFacts::new(row, row, false).in_format(format);
    !row.excluded.contains(&promotion.format) && promotion.cond.as_ref().is_none_or(|c| c.holds(&facts))
}

/// Returns whether a row is promoted from its own format to another format of the set.
fn is_promoted_from(row: &Row, block: &Block, blocks: &[Block]) -> bool {
    row.base.is_none()
        && block.promotions.iter().any(|p| applies_to(p, row, block) && blocks.iter().any(|b| p.format == b.name))
}

/// Removes promoted rows whose opcode does not fit the format or is taken. Reports one error for each `promotes to` clause.
fn remove_invalid_promotions<'a>(
    set: &Set<'a>,
    format: usize,
    all: &mut Vec<(usize, FormatRow<'a>)>,
    errors: &mut Errors,
) {
    let name = &set.formats[format].block.name;
    let width: u32 = set.formats[format].components[0].opcode.iter().map(|bits| u32::from(bits.width)).sum();
    let mut taken: Vec<((usize, u64), &Row)> = Vec::new();
    // For each clause: the number of further rows with an error, and the message of the first.
    let mut invalid: Vec<(&Promotion, usize, String)> = Vec::new();
    all.sort_by_key(|(component, r)| (*component, r.is_promoted(), r.number));
    all.retain(|(component, r)| {
        let promoted = format!("`{}`, promoted to `{name}`, gets the opcode {}", r.row.name, r.number);
        let message = if r.is_promoted() && r.number > max_value(width) {
            format!("{promoted}, which does not fit the {} of the opcode field", bit_count(width))
        } else if let Some(other) = replace(&mut taken, (*component, r.number), r.row) {
            format!("{promoted}, which `{}` already has", other.name)
        } else {
            return true;
        };
        if let Some(promotion) = r.promotion {
            match invalid.iter_mut().find(|(p, ..)| std::ptr::eq(*p, promotion)) {
                Some((_, more, _)) => *more += 1,
                None => invalid.push((promotion, 0, message)),
            }
        }
        false
    });
    for (promotion, more, message) in invalid {
        let more = match more {
            0 => String::new(),
            1 => " (and 1 more row)".into(),
            n => format!(" (and {n} more rows)"),
        };
        let help = format!("correct the number after `at`, or write `no {name}` on the row");
        errors.report(promotion.offset.span, format!("{message}{more}"), help);
    }
}
