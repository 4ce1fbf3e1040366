//! Operands of FLAT, GLOBAL and SCRATCH instructions: their addresses and offsets.

use isa::inst::{Dependent, Placing};
use isa::{Asm, CodeSet, Cx, Name, Names, Operand, ParseError, Plain, Sure, Text, Type, Values, Word};

use super::ds::write_unless_zero;
use super::placing::{self, dependent};
use super::read;
use super::regs::{
    ADDRESS_NAMES, PLAIN_LATE, PLAIN_SGPRS, REGISTERS_OR_OFF, sgpr_value, vgpr_value, write_sgpr, write_vgpr,
};
use crate::{Generation, Value, raw};

/// What stands before a constant offset.
pub(super) const OFFSET: Word = Word::new("offset:", 0, 0);

/// The code of NULL: no scalar address.
const NULL: u32 = 124;

/// The offset of a FLAT instruction: twelve bits, unsigned. The field has a thirteenth bit that the hardware ignores;
/// LLVM shows it as part of the number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlatOffset;

impl<I: Generation> Operand<I> for FlatOffset {
    type Get = u16;

    const PLAIN: &'static Plain = &Plain { key: Some((OFFSET, 0, 0xfff)), ..Plain::NONE };

    const SILENT: bool = true;

    const NAMES: Names = Names::alone(|code, out| write_unless_zero(" offset:", code, out));

    const SURE: Sure = Sure::Within(0xfff);

    fn check(_cx: &Cx<'_, I>, code: u32) -> bool {
        code < 1 << 12
    }

    fn printable(_cx: &Cx<'_, I>, _code: u32) -> bool {
        true
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        read::keyed(asm, "offset", 0, 0xfff, "the offset is a number from 0 to 4095")
    }
}

/// The offset of a GLOBAL or SCRATCH instruction: thirteen bits, signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SignedOffset;

impl<I: Generation> Operand<I> for SignedOffset {
    type Get = i16;

    const PLAIN: &'static Plain = &Plain { key: Some((OFFSET, -4096, 4095)), ..Plain::NONE };

    const SILENT: bool = true;

    const CHECKED: bool = false;

    const NAMES: Names = Names::alone(|code, out| {
        if code != 0 {
            out.push(" offset:");
            out.signed(i32::from(<Self as Operand<I>>::get(code)));
        }
    });

    fn get(code: u32) -> i16 {
        ((code << 3) as u16 as i16) >> 3
    }

    fn code(value: i16) -> u32 {
        u32::from(value as u16 & 0x1fff)
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let offset = read::keyed(asm, "offset", -4096, 4095, "the offset is a number from -4096 to 4095")?;
        Ok(offset.map(|n| n & 0x1fff))
    }
}

/// The vector registers of a global address: two that hold all of it, or one that holds an offset from SADDR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GlobalAddr;

impl GlobalAddr {
    fn dwords<I: Generation>(cx: &Cx<'_, I>) -> u8 {
        let saddr = raw::Global::from_bits(cx.low64()).saddr();
        if u32::from(saddr) == NULL { 2 } else { 1 }
    }
}

impl<I: Generation> Operand<I> for GlobalAddr {
    type Get = super::Vgpr;

    const PLACING: &'static Placing = &placing::OPEN_VGPRS;
    const DEPENDENT: Option<Dependent<I>> = dependent!(None);

    const PLAIN: &'static Plain = &PLAIN_LATE;

    const CHECKED: bool = false;
    const LATE: bool = true;

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        write_vgpr(code, Self::dwords(cx), out);
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        read::late_vector(asm, Self::dwords).map(Some)
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(vgpr_value(code, Self::dwords(cx)))
    }
}

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

/// The vector register of a scratch address; `off` unless SVE is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScratchAddr;

impl ScratchAddr {
    fn is_there<I: Generation>(cx: &Cx<'_, I>) -> bool {
        raw::Scratch::from_bits(cx.low64()).sve()
    }
}

impl<I: Generation> Operand<I> for ScratchAddr {
    type Get = super::Vgpr;

    const PLACING: &'static Placing = &placing::SCRATCH_ADDR;

    // Registers set another field, too.
    const PLAIN: &'static Plain = &Plain { names: &[Word::new("off", 0, 0)], ..Plain::NONE };

    const NAMES: Names = Names { altered_by: &["sve"], ..Names::of_any_type(&[Name::EMPTY.with("off")]) };

    const SURE: Sure = Sure::Within(0);

    fn check(cx: &Cx<'_, I>, code: u32) -> bool {
        Self::is_there(cx) || code == 0
    }

    fn printable(_cx: &Cx<'_, I>, _code: u32) -> bool {
        true
    }

    fn write(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        if Self::is_there(cx) { write_vgpr(code, 1, out) } else { out.push("off") }
    }

    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        let off = asm.input.eat_word("off");
        asm.set_field("SVE", u32::from(!off));
        if off { Ok(Some(0)) } else { read::vector(asm, 1).map(Some) }
    }

    fn value(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(if Self::is_there(cx) { vgpr_value(code, 1) } else { Value::Off })
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
