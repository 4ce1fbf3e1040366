//! Collisions between formats: two rows that match the same dwords.

use isa_schema::FixedBits;

use super::types::{Encoding, Format, Set};
use crate::error::Errors;

/// Checks that no two formats have rows that match the same dwords.
///
/// A format may cover another one's encoding space where it has no rows.
pub(super) fn check(set: &Set) -> Result<(), Errors> {
    let mut errors = Errors::default();
    for (i, a) in set.formats.iter().enumerate() {
        let of_a: Vec<(FixedBits, &Encoding)> =
            a.components[0].encodings.iter().map(|e| (decoded_bits(a, e), e)).collect();
        for b in set.formats[i + 1..].iter().filter(|b| overlaps(&a.fixed, &b.fixed)) {
            let mut pairs = b.components[0].encodings.iter().filter_map(|e| {
                let bits = decoded_bits(b, e);
                Some((e, of_a.iter().find(|(other, _)| overlaps(other, &bits))?.1))
            });
            let Some((of_b, of_a)) = pairs.next() else { continue };
            let more = pairs.count();
            // The error is reported at the row of the less specific format.
            let (format, row, other, taken) = if covers(a, b) { (a, of_a, b, of_b) } else { (b, of_b, a, of_a) };
            let (row, taken) = (&set.mnemonics[row.mnemonic], &set.mnemonics[taken.mnemonic]);
            let relation = if covers(format, other) {
                format!("`{}` is inside the encoding space of `{}`", other.block.name, format.block.name)
            } else {
                "neither format is more specific".into()
            };
            let more = match more {
                0 => String::new(),
                1 => " (and 1 more row)".into(),
                n => format!(" (and {n} more rows)"),
            };
            let message = format!(
                "`{}` of `{}` matches the same dwords as `{}` of `{}`{more}, and {relation}",
                row.name, format.block.name, taken.name, other.block.name
            );
            errors.report(row.row.name.span(), message, "correct the fixed bits or the opcode numbers");
        }
    }
    errors.into_result()
}

/// Returns the bits by which the decoder selects the format and the row: the fixed bits of the first dword and the
/// opcode.
fn decoded_bits(format: &Format, encoding: &Encoding) -> FixedBits {
    let mut bits = FixedBits { mask: [format.fixed.mask[0], 0, 0], value: [format.fixed.value[0], 0, 0] };
    bits.set(&format.components[0].opcode, encoding.number);
    bits
}

/// Returns whether some instruction has the bits of both.
fn overlaps(x: &FixedBits, y: &FixedBits) -> bool {
    (0..3).all(|w| (x.value[w] ^ y.value[w]) & x.mask[w] & y.mask[w] == 0)
}

/// Returns whether `y` fixes all bits of the first dword that `x` fixes, and more.
fn covers(x: &Format, y: &Format) -> bool {
    let (x, y) = (x.fixed.mask[0], y.fixed.mask[0]);
    x != y && x & !y == 0
}
