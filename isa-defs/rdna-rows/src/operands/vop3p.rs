//! Operands and modifiers of VOP3P.

use amdgpu_operands::Llvm;
#[cfg(feature = "parse")]
use isa::class::constant_value;
#[cfg(feature = "parse")]
use isa::class::expression::expression_in;
#[cfg(feature = "parse")]
use isa::{Asm, ParseError};
use isa::{Class, Constant, Cx, Text, Type};

use super::source::VGPRS;
use super::tables0::SPACE;
use super::{__LIST_OPSELHI, __LIST_OPSELLO, WmmaAcc};
use crate::{Generation, Wave, flags, raw, roles};

/// Returns whether a code can be source `N` beside a suffix dword: beside DPP the mixed-precision instructions take the second
/// source from a VGPR, some rows all sources.
pub(super) fn is_source<const N: usize, I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    let is_vector = cx.has(flags::DPP_VGPRS) || N == 1 && cx.has(flags::MIX);
    !is_vector || cx.suffix_dword_name() == Some("LITERAL") || code >= VGPRS
}

/// Reads the matrix C of WMMA.
#[cfg(feature = "parse")]
pub(super) fn read_accumulator<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let start = asm.input.at();
    if let Some(code) = WmmaAcc::registers(asm)? {
        return Ok(Some(code));
    }
    let Some(constant) = constant_value::<I, Llvm>(asm)? else {
        return Err(SPACE.expected(asm, "vector registers or an inline constant"));
    };
    // LLVM compares with the inline constants of 64 bits, regardless of the type of the elements. 1/(2 pi) is never equal
    // to the shorter constant that it prints.
    const DOUBLE: Type = Type::new(Class::Float, 64, 1);
    let printed = matches!(constant, Constant::Float(f) if f == 0.159_154_94);
    // An integer with the bits of an inline float is that constant where the elements are integers: LLVM refuses it, and
    // builders, which have no floats there, write it.
    let element = asm.ty.element();
    let bits = if element.is_float() { None } else { SPACE.constants.inline(constant, element) };
    match SPACE.constants.inline(constant, DOUBLE).or(printed.then_some(248)).or(bits) {
        Some(code) => Ok(Some(code.into())),
        None => Err(asm.rule_at(start, "a matrix takes inline constants only")),
    }
}

/// How many sources the instruction has: 2 or 3.
fn sources<I: Generation>(cx: &Cx<'_, I>) -> u32 {
    __LIST_OPSELHI.bits(cx)
}

/// Writes OPSEL_HI with the third source's bit, unless all are at their default.
pub(super) fn write_op_sel_hi<I: Generation>(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
    let third = u32::from(raw::Vop3p::from_bits(cx.low64()).opsel_hi2());
    let all = (1 << sources(cx)) - 1;
    let bits = (third << 2 | code) & all;
    if bits != if cx.has(flags::MIX) { 0 } else { all } {
        __LIST_OPSELHI.write(cx, bits, out);
    }
}

/// Puts the bit of a third source into its field, and returns the others.
#[cfg(feature = "parse")]
fn split_op_sel_hi<I: Generation>(asm: &mut Asm<'_, '_, I>, bits: u32) -> u32 {
    if sources(&asm.cx()) == 3 {
        asm.set_field("OPSEL_HI2", bits >> 2 & 1);
    }
    bits & 3
}

/// Reads OPSEL_HI with the third source's bit.
#[cfg(feature = "parse")]
pub(super) fn read_op_sel_hi<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    Ok(__LIST_OPSELHI.read::<I, Llvm>(asm)?.map(|bits| split_op_sel_hi(asm, bits)))
}

/// Returns the default of OPSEL_HI, and puts that of the third source's bit into its field.
#[cfg(feature = "parse")]
pub(super) fn missing_op_sel_hi<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Option<u32> {
    Some(if asm.has(flags::MIX) { 0 } else { split_op_sel_hi(asm, 7) })
}

/// Returns whether a source can have a sign: matrices of integers and of 8-bit floats have signs only at some sources.
pub(super) fn is_neg<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    let Some((_, factor)) = cx.sibling(roles::S0) else { return false };
    let is_sign = factor.is_float() || factor.class() == Class::EitherSign;
    let factors = if is_sign { 0b011 } else { 0 };
    let adds = factor.class() != Class::EitherSign && !cx.has(flags::SPARSE);
    code & !(factors | if adds { 0b100 } else { 0 }) == 0
}

/// The bits of an index register.
const INDEX_BITS: u32 = 32;

/// Returns the number of indices that fit into a register: each lane has two bits for each element of the first matrix. Wave64 has half
/// the elements in a lane, unless they fill one register only.
fn index_keys<I: Generation>(cx: &Cx<'_, I>) -> u32 {
    let Some((_, factor)) = cx.sibling(roles::S0) else { return 1 };
    let elements = match cx.mode {
        Wave::W64 if factor.dwords() > 1 => factor.lanes() / 2,
        _ => factor.lanes(),
    };
    INDEX_BITS / (2 * u32::from(elements)).max(1)
}

/// Returns whether an index register has this part.
pub(super) fn is_index_key<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    code < index_keys(cx)
}

/// Writes OPSEL, or the part of the index.
pub(super) fn write_op_sel<I: Generation>(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
    if code == 0 {
        return;
    }
    if !cx.has(flags::SPARSE) {
        return __LIST_OPSELLO.write(cx, code, out);
    }
    out.push(" index_key:");
    out.dec(code);
}

/// Reads OPSEL, or the part of the index.
#[cfg(feature = "parse")]
pub(super) fn read_op_sel<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    if !asm.has(flags::SPARSE) {
        return __LIST_OPSELLO.read::<I, Llvm>(asm);
    }
    let keys = i64::from(index_keys(&asm.cx()));
    if keys < 2 || !asm.input.eat_key("index_key") {
        return Ok(None);
    }
    expression_in(asm, 0, keys - 1, "the index register has fewer parts").map(Some)
}
