//! Operands of MUBUF and MTBUF instructions: data and offsets.

use isa::Cx;

use super::ds::data_value;
use crate::{Generation, Value, raw};

/// Returns how many registers a buffer instruction moves: as many as the type has dwords, and one for the status if TFE is
/// set.
pub(super) fn data_dwords<I: Generation>(cx: &Cx<'_, I>) -> u8 {
    cx.ty.dwords().saturating_add(u8::from(raw::Mubuf::from_bits(cx.low64()).tfe()))
}

/// Returns the value of the registers that a buffer instruction moves.
pub(super) fn buffer_data<I: Generation>(cx: &Cx<'_, I>, code: u32) -> Value {
    data_value(cx, code, data_dwords(cx))
}
