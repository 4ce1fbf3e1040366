//! Operands of FLAT, GLOBAL and SCRATCH instructions: functions of their addresses.

use isa::{Asm, Cx, ParseError};

use super::read;
use crate::{Generation, raw, roles};

/// The code of NULL: no scalar address.
pub(super) const NULL: u32 = 124;

/// The code of EXEC.
const EXEC: u32 = 126;

/// Returns whether scalar registers can be a base. EXEC is allowed where the lane's number, not a register, completes the
/// address.
pub(super) fn is_base<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    code != EXEC || cx.sibling(roles::ADDR).is_none()
}

/// Reads the scalar registers of a global address, or `off`.
pub(super) fn read_global_base<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    if asm.input.eat_word("off") {
        return Ok(Some(NULL));
    }
    let start = asm.input.at();
    // NULL means `off`, and beside an address it would change how wide that is.
    let null = asm.cx().sibling(roles::ADDR).is_none();
    match read::scalar(asm, 2)? {
        code if code.is_multiple_of(2) && (code != NULL || null) => Ok(Some(code)),
        _ => {
            asm.input.go(start);
            Err(asm.expected("`off` or a pair of scalar registers that begins with an even one"))
        }
    }
}

/// Returns how many vector registers a global address has: two that hold all of it, or one that holds an offset from SADDR.
pub(super) fn global_dwords<I: Generation>(cx: &Cx<'_, I>) -> u8 {
    let saddr = raw::Global::from_bits(cx.low64()).saddr();
    if u32::from(saddr) == NULL { 2 } else { 1 }
}
