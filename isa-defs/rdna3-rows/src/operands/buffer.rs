//! Operands of MUBUF and MTBUF instructions: data, addresses, resources.

use super::placing;
use isa::inst::Placing;
use isa::{Asm, CodeSet, Cx, Operand, ParseError, Plain, Sure, Text};

use super::ds::data_value;
use super::read;
use super::regs::{PLAIN_SCALARS, source_printable, source_value, write_source};
use crate::{Generation, Value, raw};

static SCALARS: CodeSet = CodeSet::NONE.with(0, 208).with(235, 238).with(240, 248).with(253, 253);

/// The scalar offset of a buffer address: a scalar register or an inline constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferSoffset;

impl<I: Generation> Operand<I> for BufferSoffset {
    type Get = u8;

    const PLACING: &'static Placing = &placing::BUFFER_SOFFSET;

    const PLAIN: &'static Plain = &PLAIN_SCALARS;

    const SURE: Sure = Sure::Only(&SCALARS);

    fn printable(_cx: &Cx<'_, I>, code: u32) -> bool {
        code > 127 && source_printable(code, 1)
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        write_source(code, cx.ty, None, out);
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let start = asm.input.at();
        let ty = asm.ty;
        let code = read::source(asm, ty)?;
        if SCALARS.has(code) {
            return Ok(Some(code));
        }
        asm.input.go(start);
        Err(asm.expected("a scalar register or an inline constant"))
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(source_value(code, cx.ty, None))
    }
}

/// How many registers a buffer instruction moves: as many as the type has dwords, and one for the status if TFE is set.
pub(super) fn data_dwords<I: Generation>(cx: &Cx<'_, I>) -> u8 {
    cx.ty.dwords().saturating_add(u8::from(raw::Mubuf::from_bits(cx.low64()).tfe()))
}

/// The value of the registers that a buffer instruction moves.
pub(super) fn buffer_data<I: Generation>(cx: &Cx<'_, I>, code: u32) -> Value {
    data_value(cx, code, data_dwords(cx))
}
