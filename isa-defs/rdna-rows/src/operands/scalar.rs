//! Functions of scalar operands: sources, scalar memory addresses, and the one-bit flag that every format uses.

use amdgpu_operands::Llvm;
#[cfg(feature = "parse")]
use isa::class::constant_bits;
#[cfg(feature = "parse")]
use isa::class::expression::{expression_in, in_range};
#[cfg(feature = "parse")]
use isa::{Asm, ParseError};
use isa::{Class, Cx, Operand, Text, Type};

use super::codes::{LITERAL, NULL};
use super::immediates::write_constant;
use super::tables0::{CLASS_SSRC, SPACE};
use super::{SmemOffset, SmemOffset24, Ssrc};
use crate::{Generation, flags, roles};

/// Returns the type that decides how a constant of a scalar source is read, in a row with these flags.
pub(crate) fn constant_type(ty: Type, flags: u128) -> Type {
    isa::class::constants_in(CLASS_SSRC.constants, ty, flags, 0).of_type(ty)
}

/// Writes a source that has to be a register. LLVM marks constants as wrong.
pub(super) fn write_register<I: Generation>(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
    match code {
        LITERAL => write_constant(cx.suffix_dword_value(), out),
        128..=208 | 240..=248 => {
            SPACE.write::<Llvm>(code, 1, Type::new(Class::Bits, 32, 1), 0, out);
        }
        _ => return Ssrc::write(cx, code, out),
    }
    out.push("/*Invalid immediate*/");
}

/// Writes the constant in the address of a scalar load after a register; without one, [`write_soffset`] has written it.
pub(super) fn write_offset<I: Generation>(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
    let has_register = cx.sibling(roles::SOFFSET).is_some_and(|(code, _)| code != NULL);
    if (code != 0 || cx.has(flags::RDNA4)) && has_register {
        out.push(" offset:");
        out.signed_hex(signed(cx, code));
    }
}

/// Returns the number in the field of an offset, which is wider in RDNA4.
fn signed<I: Generation>(cx: &Cx<'_, I>, code: u32) -> i32 {
    if cx.has(flags::RDNA4) { <SmemOffset24 as Operand<I>>::get(code) } else { <SmemOffset as Operand<I>>::get(code) }
}

/// Returns the constant that [`read_soffset`] has read.
#[cfg(feature = "parse")]
pub(super) fn offset<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Option<u32> {
    Some(asm.field("OFFSET"))
}

/// Returns the constant that [`read_soffset`] has read.
#[cfg(feature = "parse")]
pub(super) fn read_offset<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    Ok(offset(asm))
}

/// Writes the register in the address of a scalar load, or the constant alone.
pub(super) fn write_soffset<I: Generation>(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
    match cx.sibling(roles::OFFSET) {
        Some((offset, _)) if code == NULL && (offset != 0 || cx.has(flags::RDNA4)) => {
            out.signed_hex(signed(cx, offset));
        }
        _ => {
            SPACE.write::<Llvm>(code, 1, cx.ty, 0, out);
        }
    }
}

/// Returns the least and the greatest offset of a scalar load, and the error for others.
#[cfg(feature = "parse")]
fn offsets<I: Generation>(asm: &Asm<'_, '_, I>) -> (i64, i64, &'static str) {
    match (asm.has(flags::RDNA4), asm.has(flags::BUFFER)) {
        (false, _) => (-0x10_0000, 0xf_ffff, "the offset has 21 bits: it lies between -1048576 and 1048575"),
        (true, false) => (-0x80_0000, 0x7f_ffff, "the offset has 24 bits: it lies between -8388608 and 8388607"),
        (true, true) => (0, 0x7f_ffff, "the offset into a buffer lies between 0 and 8388607"),
    }
}

/// Reads a register and perhaps `offset:` after it, or the constant alone. Which of the two it is decides what may
/// follow, so the offset is read here too.
#[cfg(feature = "parse")]
pub(super) fn read_soffset<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let start = asm.input.at();
    let (low, high, rule) = offsets(asm);
    // A flag in the place of the offset is a flag, even if a symbol has its name, and the offset is 0.
    let word = asm.input.peek_word();
    if matches!(word.strip_prefix("no").unwrap_or(word), "glc" | "dlc" | "slc") {
        return Ok(Some(NULL));
    }
    let Some(register) = SPACE.registers::<I, Llvm>(asm)? else {
        let value = constant_bits::<I, Llvm>(asm)?;
        let offset = in_range(asm, start, value, low, high, rule)?;
        asm.set_field("OFFSET", offset);
        return Ok(Some(NULL));
    };
    let code = register.code;
    if register.count > 1 || code >= 128 {
        asm.input.go(start);
        return Err(asm.expected("a constant or one scalar register"));
    }
    let after = asm.input.at();
    asm.input.eat(",");
    if asm.input.eat_key("offset") {
        let offset = expression_in(asm, low, high, rule)?;
        asm.set_field("OFFSET", offset);
    } else {
        asm.input.go(after);
    }
    Ok(Some(code))
}
