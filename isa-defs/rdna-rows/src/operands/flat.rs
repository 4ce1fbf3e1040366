//! Operands of FLAT, GLOBAL and SCRATCH instructions: functions of their addresses.

use isa::Cx;
#[cfg(feature = "parse")]
use isa::{Asm, ParseError};

use super::GlobalSaddr;
use super::codes::EXEC;
use crate::{Generation, roles};

/// Returns whether scalar registers can be a base. EXEC is allowed where the lane's number, not a register, completes the
/// address.
pub(super) fn is_base<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    code != *EXEC.start() || cx.sibling(roles::ADDR).is_none()
}

/// Reads the scalar registers of a global address, or `off`.
#[cfg(feature = "parse")]
pub(super) fn read_global_base<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    // NULL means `off`, and beside an address it would change how wide that is.
    if asm.input.peek_word() == "null" && asm.cx().sibling(roles::ADDR).is_some() {
        return Err(asm.expected("`off` or a pair of scalar registers that begins with an even one"));
    }
    let start = asm.input.at();
    let code = GlobalSaddr::read(asm)?;
    if code.is_some_and(|code| !is_base(&asm.cx(), code)) {
        return Err(asm.rule_at(start, "EXEC is not a base beside an address in a vector register"));
    }
    Ok(code)
}
