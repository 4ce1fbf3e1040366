//! Operands of EXP: where the values go.

use isa::{Asm, ParseError};

use super::EXPORT_TARGETS;
use crate::Generation;

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
