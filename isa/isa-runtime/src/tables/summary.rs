//! Summaries of rows: their flags, and properties of the types of their operands.

use isa_schema::{RowSummary, RowTypes};

use super::{Format, Isa, LowBitRange};
use crate::MAX_DWORDS;
use crate::dwords::Bits96;

/// The rows of a format by their opcode numbers. No rows if a summary of the format would need more than the opcode.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct FormatSummary {
    place: LowBitRange,
    rows: &'static [RowSummary],
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
