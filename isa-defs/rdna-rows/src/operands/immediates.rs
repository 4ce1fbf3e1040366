//! Functions of constants in the instruction that are numbers, branch targets among them.

#[cfg(feature = "parse")]
use amdgpu_operands::{Llvm, begins_register};
#[cfg(feature = "parse")]
use isa::class::expression::{expression_in, unknown_operand};
#[cfg(feature = "parse")]
use isa::{Asm, ParseError, Resolution};
use isa::{Cx, Text};

use super::regs::INLINE_FLOATS;
use crate::{Generation, Value};

/// Returns the value of a branch target.
pub(super) const fn branch_value(code: u32) -> Value {
    Value::Branch(code as u16 as i16)
}

/// Reads a branch target: a label, or a number of dwords.
#[cfg(feature = "parse")]
pub(super) fn read_branch<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    if asm.input.done() {
        return Err(asm.expected("where the branch goes: a label, in a program, or a number of dwords"));
    }
    let start = asm.input.at();
    if begins_register(asm.input.rest()) {
        return Err(asm.rule("a branch goes to a label or a number of dwords, and a register's name is not a label"));
    }
    if let Some(symbolic) = unknown_operand::<I, Llvm>(asm) {
        if symbolic.value != Resolution::Symbol {
            return Err(asm.rule_at(start, "a branch goes to a label, without operators, or a number of dwords"));
        }
        asm.defer_branch(symbolic);
        return Ok(Some(0));
    }
    expression_in(asm, -0x8000, 0xffff, "a branch goes -32768 to 32767 dwords (or 0 to 65535, as bits)").map(Some)
}

/// Writes 32 bits as the inline constant of the same bits is written, or in hexadecimal if there is none.
pub(super) fn write_constant(bits: u32, out: &mut Text) {
    let number = bits as i32;
    if (-16..=64).contains(&number) {
        return out.signed(number);
    }
    match INLINE_FLOATS.iter().find(|f| f.f32 == bits) {
        Some(float) => out.push(float.name),
        None => out.hex(bits),
    }
}

/// Writes a literal constant as the inline constant of the same bits.
pub(super) fn write_literal_constant<I: Generation>(_cx: &Cx<'_, I>, bits: u32, out: &mut Text) {
    write_constant(bits, out);
}
