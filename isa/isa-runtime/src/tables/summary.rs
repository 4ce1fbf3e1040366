//! Summaries of rows: their flags, and properties of the types of their operands.
//!
//! Rules between operands look at the summary first: most instructions belong to rows that cannot break a rule. Const functions
//! compute the summaries, so that a check reads one entry of a table instead of the types of all operands.

use bitfield_struct::bitfield;

use super::{Access, Bounds, EncodingVariant, Format, Isa, Packed, Place, Shape, Slot};
use crate::{Class, MAX_DWORDS, Type};

/// The types of a row's operands, as far as rules depend on them.
#[bitfield(u16, default = false, new = false)]
#[derive(PartialEq, Eq)]
pub struct RowTypes {
    /// Whether an operand is a lane mask.
    pub has_mask: bool,
    /// Whether all operands that are read and are no masks are floats.
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

    /// Adds an operand to the summary.
    const fn add(&mut self, access: Access, ty: Type) {
        if ty.dwords() > self.widest() {
            self.set_widest(ty.dwords());
        }
        let is_read = !matches!(access, Access::Write);
        if is_read && (ty.bits() != 32 || ty.lanes() != 1) {
            self.set_reads_dwords(false);
        }
        if ty.bits() < 16 {
            self.set_has_narrow(true);
        }
        if matches!(ty.class(), Class::Mask) {
            self.set_has_mask(true);
        } else if !is_read {
            self.set_writes_float(ty.is_float() && ty.lanes() == 1);
        } else if !ty.is_float() {
            self.set_reads_floats(false);
        }
    }
}

/// A row in a format: the index of its flags in [`Isa::flags_of_shapes`], and its types.
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
    place: Place,
    rows: &'static [RowSummary],
}

/// The flags of an opcode without a row.
const UNKNOWN: u16 = u16::MAX;

/// Summarizes the rows of a component.
#[must_use]
pub const fn row_summaries<I: Isa, const N: usize>(
    table: &[u16; N],
    slots: &[Slot],
    shapes: &[Shape<I>],
    forms_of_shapes: &[u16],
    forms: &[EncodingVariant],
    bounds: &Bounds<'_>,
) -> [RowSummary; N] {
    let mut out = [RowSummary { flags: UNKNOWN, types: RowTypes::NONE }; N];
    let mut i = 0;
    while i < N {
        if table[i] != 0 {
            let shape = &shapes[slots[table[i] as usize - 1].shape as usize];
            out[i].flags = shape.flags;
            // All variants have operands of the same types, but for an operand that a variant bit adds.
            let mut at = 0;
            while at < shape.forms.len as usize {
                let form = forms_of_shapes[shape.forms.start as usize + at] as usize;
                if form != 0 {
                    add_operands(&mut out[i].types, &forms[form - 1], bounds);
                    break;
                }
                at += 1;
            }
        }
        i += 1;
    }
    out
}

const fn add_operands(types: &mut RowTypes, form: &EncodingVariant, bounds: &Bounds<'_>) {
    let mut i = 0;
    while i < form.operands.len as usize {
        let bound = &bounds.distinct[bounds.all[form.operands.start as usize + i] as usize];
        types.add(bound.access, bound.ty);
        i += 1;
    }
}

/// Summarizes all formats; `rows` are those of each component.
#[must_use]
pub const fn format_summaries<I: Isa, const N: usize>(
    formats: &[Format<I>; N],
    rows: &[&'static [RowSummary]],
) -> [FormatSummary; N] {
    let mut out = [FormatSummary { place: Place::NONE, rows: &[] }; N];
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
    let row = format.rows.get(format.place.get(Packed::new(*words).low) as usize)?;
    Some((*I::flags_of_shapes().get(usize::from(row.flags))?, row.types))
}
