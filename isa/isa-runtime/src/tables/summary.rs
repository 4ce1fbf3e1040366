//! Summaries of rows: their flags, and properties of the types of their operands.
//!
//! Rules between operands look at the summary first: most instructions belong to rows that cannot break a rule. Const functions
//! compute the summaries, so that a check reads one entry of a table instead of the types of all operands.

use bitfield_struct::bitfield;

use super::{Access, Bound, EncodingVariant, Format, Isa, LowBitRange, Run, Shape, Slot};
use crate::dwords::Bits96;
use crate::{Class, MAX_DWORDS};

/// The types of a row's operands, as far as rules depend on them.
#[bitfield(u16, default = false, new = false)]
#[derive(PartialEq, Eq)]
pub struct RowTypes {
    /// Whether an operand is a lane mask.
    pub has_mask: bool,
    /// Whether all operands that are read and are not masks are floats.
    pub reads_floats: bool,
    /// Whether all operands that are read have 32 bits and one lane.
    pub reads_dwords: bool,
    /// Whether the result is one float.
    pub writes_float: bool,
    /// Whether elements of an operand have fewer than 16 bits.
    pub has_narrow: bool,
    #[bits(3)]
    __: u8,
    /// The most 32-bit registers that the type of an operand takes.
    pub widest: u8,
}

impl RowTypes {
    /// The summary of no operands.
    const NONE: RowTypes = RowTypes::from_bits(0).with_reads_floats(true).with_reads_dwords(true);
}

/// A row in a format: the index of its flags in [`Tables::flags_of_shapes`](crate::tables::Tables::flags_of_shapes), and its types.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct RowSummary {
    flags: u16,
    types: RowTypes,
}

/// The rows of a format by their opcode numbers. No rows if a summary of the format would need more than the opcode.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct FormatSummary {
    place: LowBitRange,
    rows: &'static [RowSummary],
}

/// The flags of an opcode without a row.
const UNKNOWN: u16 = u16::MAX;

/// How an operand changes the summary of its row.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct TypeChange {
    /// The flags of [`RowTypes`] that it clears, and those that it sets.
    clears: u16,
    sets: u16,
    dwords: u16,
}

/// Returns how each distinct operand changes the summary of a row.
#[must_use]
pub const fn type_changes<const N: usize>(bounds: &[Bound; N]) -> [TypeChange; N] {
    let none = RowTypes::from_bits(0);
    let (reads_floats, reads_dwords) = (none.with_reads_floats(true), none.with_reads_dwords(true));
    let (has_narrow, has_mask) = (none.with_has_narrow(true), none.with_has_mask(true));
    let writes_float = none.with_writes_float(true).into_bits();
    let mut out = [TypeChange { clears: 0, sets: 0, dwords: 0 }; N];
    let mut i = 0;
    while i < N {
        let (ty, is_read) = (bounds[i].ty, !matches!(bounds[i].access, Access::Write));
        let (mut clears, mut sets) = (0, 0);
        if is_read && (ty.bits() != 32 || ty.lanes() != 1) {
            clears |= reads_dwords.into_bits();
        }
        if ty.bits() < 16 {
            sets |= has_narrow.into_bits();
        }
        if matches!(ty.class(), Class::Mask) {
            sets |= has_mask.into_bits();
        } else if !is_read {
            clears |= writes_float;
            sets |= if ty.is_float() && ty.lanes() == 1 { writes_float } else { 0 };
        } else if !ty.is_float() {
            clears |= reads_floats.into_bits();
        }
        out[i] = TypeChange { clears, sets, dwords: ty.dwords() as u16 };
        i += 1;
    }
    out
}

/// Summarizes the rows of a component. `changes` are those of the distinct operands.
#[must_use]
pub const fn row_summaries<I: Isa, const N: usize, const S: usize>(
    table: &[u16; N],
    slots: &[Slot],
    shapes: &[Shape<I>; S],
    variants_of_shapes: &[u16],
    variants: &[EncodingVariant],
    (bounds, changes): (&[u16], &[TypeChange]),
) -> [RowSummary; N] {
    let none = RowSummary { flags: UNKNOWN, types: RowTypes::NONE };
    let (mut of_shapes, mut i) = ([none; S], 0);
    while i < S {
        let Shape { flags, variants: variants_of_shape, .. } = shapes[i];
        let mut at = variants_of_shape.start as usize;
        // All variants have operands of the same types, but for an operand that a variant bit adds.
        while at + 1 < variants_of_shape.end() && variants_of_shapes[at] == 0 {
            at += 1;
        }
        let types = match variants_of_shapes[at] {
            0 => RowTypes::NONE,
            variant => row_types(variants[variant as usize - 1].operands, bounds, changes),
        };
        of_shapes[i] = RowSummary { flags, types };
        i += 1;
    }
    let (mut out, mut i) = ([none; N], 0);
    while i < N {
        if table[i] != 0 {
            out[i] = of_shapes[slots[table[i] as usize - 1].shape as usize];
        }
        i += 1;
    }
    out
}

/// Summarizes operands.
const fn row_types(operands: Run, bounds: &[u16], changes: &[TypeChange]) -> RowTypes {
    let (mut flags, mut widest) = (RowTypes::NONE.into_bits(), 0);
    let mut at = operands.start as usize;
    let end = operands.end();
    while at < end {
        let change = &changes[bounds[at] as usize];
        flags = flags & !change.clears | change.sets;
        if change.dwords > widest {
            widest = change.dwords;
        }
        at += 1;
    }
    RowTypes::from_bits(flags).with_widest(widest as u8)
}

/// Summarizes all formats; `rows` are those of each component.
#[must_use]
pub const fn format_summaries<I: Isa, const N: usize>(
    formats: &[Format<I>; N],
    rows: &[&'static [RowSummary]],
) -> [FormatSummary; N] {
    let mut out = [FormatSummary { place: LowBitRange::NONE, rows: &[] }; N];
    let mut i = 0;
    while i < N {
        if let [one] = formats[i].components
            && let Some(place) = one.place
        {
            out[i] = FormatSummary { place, rows: rows[one.nth as usize] };
        }
        i += 1;
    }
    out
}

/// Returns the flags of an instruction's row, and a summary of the types of its operands. Returns `None` for unknown opcodes, for
/// dual-issue pairs, and for formats whose opcode is not one range of bits.
#[inline]
#[must_use]
pub fn row_summary<I: Isa>(format: u8, words: &[u32; MAX_DWORDS]) -> Option<(u128, RowTypes)> {
    let format = I::summaries().get(usize::from(format))?;
    let row = format.rows.get(format.place.get(Bits96::new(*words).low) as usize)?;
    Some((*I::tables().flags_of_shapes.get(usize::from(row.flags))?, row.types))
}
