//! Operands of SMEM that depend on each other: the three ways to give an offset.

use amdgpu_operands::Llvm;
use isa::class::expression::{expression_in, in_range};
use isa::class::{constant_bits, is_valid};
use isa::inst::{File, OpList, Reg};
use isa::{Asm, Cx, ErrorKind, Op, Operand, ParseError, Text};

use super::{AddressRegister, Registers, Value, space};
use crate::{Generation, flags, gcn1_4};

/// The fields of SMEM that both generations have in the same places, and those that GCN 1.2 has reserved.
const fn fields<I: Generation>(cx: &Cx<'_, I>) -> gcn1_4::raw::Smem {
    gcn1_4::raw::Smem::from_bits(cx.low64())
}

/// The bits of a register's code.
const REGISTER: u32 = 0x7f;

/// Whether a code is that of a scalar register.
fn is_register<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    is_valid(<AddressRegister as Operand<I>>::VALID_CODES, cx, code)
}

fn write_register<I: Generation>(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
    space::<I>().write::<Llvm>(code, 1, cx.ty, 0, out);
}

/// Whether the address has its own register field besides the offset: IMM and SOE choose.
fn has_soffset<I: Generation>(cx: &Cx<'_, I>) -> bool {
    cx.has(flags::GCN1_4) && fields(cx).soe()
}

/// Returns the constant that a code is.
pub(super) fn constant_of<I: Generation>(code: u32) -> i32 {
    let is_signed = I::FEATURES.smem_offset.0 < 0;
    if is_signed { (code << 11) as i32 >> 11 } else { code as i32 }
}

/// Returns the offset as an operand.
pub(super) fn offset_operands<I: Generation>(cx: &Cx<'_, I>, code: u32) -> OpList {
    OpList::one(match offset_value(cx, code) {
        Some(Value::Registers(Registers { file, first, count })) => {
            Op::reg(Reg::new(File(file as u8), first.into(), count))
        }
        Some(Value::Immediate(n)) => Op::int(n.into()),
        _ => Op::OFF,
    })
}

/// Judges the operand of an offset by the bits that say what it is, and by a comparison with the expected one.
pub(super) fn judge_offset<I: Generation>(
    cx: &Cx<'_, I>,
    given: &[Op],
    same: Result<(), ErrorKind>,
) -> Result<(), ErrorKind> {
    let only_soffset = !fields(cx).imm() && has_soffset(cx);
    match given {
        [op] if (*op == Op::OFF) == only_soffset => same,
        _ => Err(ErrorKind::Expected("a constant or one scalar register, or `off` beside another register")),
    }
}

/// Returns whether the address has an offset in the field of constants.
pub(super) fn has_offset<I: Generation>(cx: &Cx<'_, I>) -> bool {
    fields(cx).imm() || !has_soffset(cx)
}

/// Returns whether a code can be the offset.
pub(super) fn is_offset<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    fields(cx).imm() || is_register(cx, code)
}

/// Returns whether LLVM prints an offset that is not valid.
pub(super) fn prints_offset<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    prints_soffset(cx, code & REGISTER)
}

/// Writes the offset and the register of the other field.
pub(super) fn write_offset<I: Generation>(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
    let write_soffset = |out: &mut Text| write_register(cx, u32::from(fields(cx).soffset()), out);
    match (fields(cx).imm(), has_soffset(cx)) {
        (false, true) => write_soffset(out),
        (false, false) => write_register(cx, code & REGISTER, out),
        (true, soffset) => {
            if soffset {
                write_soffset(out);
                out.push(" offset:");
            }
            out.signed_hex(constant_of::<I>(code));
        }
    }
}

/// Returns the value of the offset.
pub(super) fn offset_value<I: Generation>(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
    match (fields(cx).imm(), has_soffset(cx)) {
        (true, _) => Some(Value::Immediate(constant_of::<I>(code))),
        (false, false) => space::<I>().meaning(code & REGISTER, 1).map(Value::of),
        (false, true) => None,
    }
}

/// Reads a constant, a register, or a register and `offset:` after it. All fields of the offset are set here.
pub(super) fn read_offset<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let start = asm.input.at();
    let (low, high) = I::FEATURES.smem_offset;
    let rule = I::FEATURES.smem_rule;
    let mask = (high as u32) << u32::from(low < 0) | 1;
    let word = asm.input.peek_word();
    if asm.input.done() || matches!(word.strip_prefix("no").unwrap_or(word), "glc" | "nv") {
        return Ok(missing_offset(asm));
    }
    let Some(register) = space::<I>().registers::<I, Llvm>(asm)? else {
        let value = constant_bits::<I, Llvm>(asm)?;
        let offset = in_range(asm, start, value, low, high, rule)?;
        asm.set_field("IMM", 1);
        return Ok(Some(offset & mask));
    };
    let code = register.code;
    if register.count != 1 || !is_register(&asm.cx(), code) {
        asm.input.go(start);
        return Err(asm.expected("a constant or one scalar register"));
    }
    let after = asm.input.at();
    asm.input.eat(",");
    if !asm.has(flags::GCN1_4) || !asm.input.eat_key("offset") {
        asm.input.go(after);
        return Ok(Some(code));
    }
    let offset = expression_in(asm, low, high, rule)?;
    asm.set_field("IMM", 1);
    asm.set_field("SOE", 1);
    asm.set_field("SOFFSET", code);
    Ok(Some(offset & mask))
}

/// Returns the offset of an address that states none: the constant 0.
pub(super) fn missing_offset<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Option<u32> {
    asm.set_field("IMM", 1);
    Some(0)
}

/// Returns whether a code can be the register of the other field.
pub(super) fn is_soffset<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    is_register(cx, code)
}

/// Returns whether LLVM prints a register that the generation lacks.
pub(super) fn prints_soffset<I: Generation>(_cx: &Cx<'_, I>, code: u32) -> bool {
    space::<I>().run(code).is_some()
}

/// Writes nothing: [`write_offset`] has written the register.
pub(super) fn write_soffset<I: Generation>(_cx: &Cx<'_, I>, _code: u32, _out: &mut Text) {}

/// Returns the register of the other field, if there is one.
pub(super) fn soffset_value<I: Generation>(cx: &Cx<'_, I>, code: u32) -> Option<Value> {
    if has_soffset(cx) { space::<I>().meaning(code, 1).map(Value::of) } else { None }
}

/// Returns the register that [`read_offset`] has read.
pub(super) fn read_soffset<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    Ok(missing_soffset(asm))
}

/// Returns the register that [`read_offset`] has read.
pub(super) fn missing_soffset<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Option<u32> {
    Some(asm.field("SOFFSET"))
}
