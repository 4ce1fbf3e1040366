//! Checks of fields: every bit is in exactly one field, and constants fit their fields.

use crate::ast::{Block, FieldContent, FieldDecl, SpannedBitRange, max_value};
use crate::error::{Errors, bit_count};

/// The widest opcode field, since tables are indexed by the opcode number.
const MAX_OPCODE_BITS: u32 = 16;

/// Checks the bits of all fields.
pub(super) fn check(block: &Block, errors: &mut Errors) {
    let size = block.width.value as u32;
    // The field that each bit is in.
    let mut owners: Vec<Option<&FieldDecl>> = vec![None; size as usize];
    for field in &block.fields {
        for range in &field.bits {
            check_range(block, field, range, &mut owners, errors);
        }
        check_width(field, errors);
    }
    let free: Vec<u32> = (0..size).rev().filter(|&b| owners[b as usize].is_none()).collect();
    if free.is_empty() || block.parsed.fields_incomplete {
        return;
    }
    let list = ranges(&free);
    let which = if let [one] = free[..] { format!("bit {one} is") } else { format!("bits {list} are") };
    let message = format!("{which} in no field of `{}`", block.name);
    errors.report(block.name.span(), message, format!("name the field, or write `RESERVED [{list}] reserved,`"));
}

/// Formats bits in descending order as a field lists them: `31:26, 7`. A range does not cross a dword.
fn ranges(bits: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &bit in bits {
        match ranges.last_mut() {
            Some((_, lo)) if *lo == bit + 1 && *lo != 32 => *lo = bit,
            _ => ranges.push((bit, bit)),
        }
    }
    let format = |&(hi, lo): &(u32, u32)| if hi == lo { hi.to_string() } else { format!("{hi}:{lo}") };
    ranges.iter().map(format).collect::<Vec<_>>().join(", ")
}

/// Checks that a range is inside one dword of the block and overlaps no other field, and enters it in `owners`.
fn check_range<'a>(
    block: &Block,
    field: &'a FieldDecl,
    range: &SpannedBitRange,
    owners: &mut [Option<&'a FieldDecl>],
    errors: &mut Errors,
) {
    let size = owners.len() as u32;
    let SpannedBitRange { hi, lo, span } = *range;
    if hi >= size {
        let message = format!("bit {hi} is outside the {size} bits of `{}`", block.name);
        errors.report(span, message, format!("bits are numbered from {} down to 0", size - 1));
    } else if hi / 32 != lo / 32 {
        let message = format!("the range [{hi}:{lo}] crosses a dword");
        errors.report(span, message, format!("write a range for each dword, the higher first: [{hi}:32, 31:{lo}]"));
    }
    // The range is entered in spite of an error, so that its bits are not reported as free.
    let mut other_owner: Option<&FieldDecl> = None;
    let mut overlap = Vec::new();
    for bit in (lo..=hi.min(size - 1)).rev() {
        match owners[bit as usize] {
            Some(owner) if other_owner.is_none_or(|o| std::ptr::eq(o, owner)) => {
                other_owner = Some(owner);
                overlap.push(bit);
            }
            Some(_) => {}
            None => owners[bit as usize] = Some(field),
        }
    }
    if let Some(owner) = other_owner {
        let (bits, verb) = if overlap.len() == 1 { ("bit", "is") } else { ("bits", "are") };
        let message = format!("{bits} {} of `{}` {verb} also in `{}`", ranges(&overlap), field.name, owner.name);
        errors.report(span, message, "assign each bit to one field");
    }
}

/// Checks that a field's constant fits the field, and that the tables can store the field's values.
fn check_width(field: &FieldDecl, errors: &mut Errors) {
    let width = field.width();
    if width == 0 {
        return;
    }
    let value_span = field.value_span.unwrap_or(field.name.span());
    let (value, span) = match &field.content {
        FieldContent::Fixed(n) => (n.value, n.span),
        FieldContent::Reserved(n) | FieldContent::Ignored(n) => (*n, value_span),
        FieldContent::Operand(operand) => (operand.unused.value.max(operand.unused.newer), value_span),
        FieldContent::Opcode(_) => (0, field.name.span()),
    };
    if value > max_value(width) {
        let message = format!("{value:#b} does not fit the {} of `{}`", bit_count(width), field.name);
        errors.report(span, message, format!("write at most {width} binary digits"));
    }
    match &field.content {
        FieldContent::Opcode(_) if width > MAX_OPCODE_BITS => {
            let message = format!("`{}` has {width} bits, but an opcode has at most {MAX_OPCODE_BITS}", field.name);
            errors.report(field.name.span(), message, "make the other bits a separate field");
        }
        FieldContent::Operand(_) if width > 32 => {
            let message = format!("`{}` has {width} bits, but the code of an operand has at most 32", field.name);
            errors.report(field.name.span(), message, "split it into two fields");
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_join_neighbours_inside_a_dword() {
        assert_eq!(ranges(&[7]), "7");
        assert_eq!(ranges(&[9, 8, 7, 3, 1, 0]), "9:7, 3, 1:0");
        assert_eq!(ranges(&[34, 33, 32, 31, 30]), "34:32, 31:30");
    }
}
