//! Operands of EXP: where the values go and which there are.

use isa::{Asm, Cx, ParseError};

use super::{EXPORT_TARGETS, read};
use crate::{Generation, raw};

/// Reads a target of exports. A comma may follow.
pub(super) fn read_target<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let word = asm.input.peek_word();
    let Some((code, _)) = EXPORT_TARGETS.iter().find(|(_, name)| *name == word) else {
        let what = "a target of exports: mrt0 to mrt7, mrtz, pos0 to pos4, prim, dual_src_blend0 or 1";
        return Err(asm.expected(what));
    };
    asm.input.word();
    asm.input.eat(",");
    Ok(Some(*code))
}

/// The bit of EN that belongs to the source of this name, `s0` to `s3`.
fn enable_bit(name: &str) -> u8 {
    1 << (name.bytes().last().unwrap_or(b'0').wrapping_sub(b'0') & 3)
}

/// How many registers a source of an export has: one if its bit in EN is set.
pub(super) fn source_dwords<I: Generation>(cx: &Cx<'_, I>) -> u8 {
    u8::from(raw::Exp::from_bits(cx.low64()).en() & enable_bit(cx.name) != 0)
}

/// Reads a source of an export, and sets or clears its bit in EN.
pub(super) fn read_source<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let (all, mine) = (asm.field("EN"), u32::from(enable_bit(asm.name)));
    if asm.input.eat_word("off") {
        asm.set_field("EN", all & !mine);
        return Ok(Some(0));
    }
    asm.set_field("EN", all | mine);
    read::vector(asm, 1).map(Some)
}
