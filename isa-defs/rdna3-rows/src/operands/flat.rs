//! Operands of FLAT, GLOBAL and SCRATCH instructions: their addresses and offsets.

use super::placing;
use isa::inst::Placing;
use isa::{Asm, CodeSet, Cx, Names, Operand, ParseError, Plain, Sure, Text, Type, Values, Word};

use super::read;
use super::regs::{ADDRESS_NAMES, PLAIN_SGPRS, REGISTERS_OR_OFF, sgpr_value, write_sgpr};
use crate::{Generation, Value, raw};

/// The code of NULL: no scalar address.
const NULL: u32 = 124;

/// The code of EXEC.
const EXEC: u32 = 126;

/// Pairs of scalar registers, and NULL.
static PAIRS: CodeSet = {
    let mut set = CodeSet::NONE;
    let mut code = 0;
    while code <= EXEC {
        set = set.with(code, code);
        code += 2;
    }
    set
};

static SURE_PAIRS: CodeSet = PAIRS.without(EXEC, EXEC);

/// The scalar registers of a global address, or `off`. LLVM shows an odd register as the pair that it is part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GlobalSaddr;

impl<I: Generation> Operand<I> for GlobalSaddr {
    type Get = u8;

    const PLACING: &'static Placing = &placing::GLOBAL_SADDR;

    const PLAIN: &'static Plain =
        &Plain { names: &[Word::new("off", 0, NULL), Word::new("vcc", 2, 106)], ..PLAIN_SGPRS };

    const NAMES: Names = ADDRESS_NAMES[1];
    const VALUES: Values<Value> =
        Values::alone(|code| if code == NULL { Value::Off } else { sgpr_value(code & !1, 2) });

    const SURE: Sure = Sure::With(&SURE_PAIRS);

    fn codes(_ty: Type) -> Option<&'static CodeSet> {
        Some(&PAIRS)
    }

    /// EXEC is allowed where the lane's number, not a register, completes the address.
    fn check(cx: &Cx<'_, I>, code: u32) -> bool {
        code != EXEC || cx.sibling("addr").is_none()
    }

    fn printable(_cx: &Cx<'_, I>, code: u32) -> bool {
        code < NULL && code != 107
    }

    fn write(_cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        if code == NULL { out.push("off") } else { write_sgpr(code & !1, 2, out) }
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        if asm.input.eat_word("off") {
            return Ok(Some(NULL));
        }
        let start = asm.input.at();
        // NULL stands for `off`, and beside an address it would change how wide that is.
        let null = asm.cx().sibling("addr").is_none();
        match read::scalar(asm, 2)? {
            code if PAIRS.has(code) && (code != NULL || null) => Ok(Some(code)),
            _ => {
                asm.input.go(start);
                Err(asm.expected("`off` or a pair of scalar registers that begins with an even one"))
            }
        }
    }
}

static SCRATCH_BASES: CodeSet = CodeSet::NONE.with(0, 126);

/// The scalar register of a scratch address, or `off`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScratchSaddr;

impl<I: Generation> Operand<I> for ScratchSaddr {
    type Get = u8;

    const PLACING: &'static Placing = &placing::SCRATCH_SADDR;

    const PLAIN: &'static Plain = &Plain { names: REGISTERS_OR_OFF, ..PLAIN_SGPRS };

    const NAMES: Names = ADDRESS_NAMES[0];
    const VALUES: Values<Value> = Values::alone(|code| if code == NULL { Value::Off } else { sgpr_value(code, 1) });

    const SURE: Sure = Sure::Only(&SCRATCH_BASES);

    fn write(_cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        if code == NULL { out.push("off") } else { write_sgpr(code, 1, out) }
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        if asm.input.eat_word("off") {
            return Ok(Some(NULL));
        }
        let start = asm.input.at();
        match read::scalar(asm, 1)? {
            code if SCRATCH_BASES.has(code) => Ok(Some(code)),
            _ => {
                asm.input.go(start);
                Err(asm.expected("`off` or a scalar register that can be an address"))
            }
        }
    }
}

/// How many vector registers a global address has: two that hold all of it, or one that holds an offset from SADDR.
pub(super) fn global_dwords<I: Generation>(cx: &Cx<'_, I>) -> u8 {
    let saddr = raw::Global::from_bits(cx.low64()).saddr();
    if u32::from(saddr) == NULL { 2 } else { 1 }
}
