//! Operands of MUBUF whose text depends on other operands.

use isa::{Asm, ParseError};

use super::BufferSoffset;
use crate::{Generation, flags, roles};

/// Reads a scalar register, a status bit or an inline constant.
pub(super) fn read_source<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    // Where a load can also go to LDS, LLVM takes `scc` for a modifier that later generations have.
    if asm.input.peek_word() == "scc" && asm.has(flags::TO_LDS) && asm.cx().sibling(roles::D).is_some() {
        return Err(asm.expected("a scalar register or an inline constant"));
    }
    BufferSoffset::read(asm)
}
