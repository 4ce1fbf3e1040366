//! Sources and destinations of vector instructions.

use amdgpu_operands::Llvm;
use isa::class::OpList;
#[cfg(feature = "parse")]
use isa::{Asm, ParseError};
use isa::{Cx, ErrorKind, Op, Operand, Text};

#[cfg(feature = "parse")]
use super::source::{Source, VGPRS};
use super::tables0::SPACE;
use super::{Src, Src3, SrcP, UniformSrc, Vdst, Vdst3, source, vgpr_operands, vgpr_value, write_vgpr};
use crate::{Generation, Value, flags, raw};

/// Reads the first source of a one-dword format.
#[cfg(feature = "parse")]
pub(super) fn read_source<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let placing = <Src as Operand<I>>::PLACING;
    source::read(asm, 0, Source { registers: Src::registers, any: Src::read_signed, placing })
}

/// Reads source `N` of VOP3.
#[cfg(feature = "parse")]
pub(super) fn read_source3<const N: usize, I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let placing = <Src3<N> as Operand<I>>::PLACING;
    source::read(asm, N, Source { registers: Src3::<N>::registers, any: Src3::<N>::read_signed, placing })
}

/// Reads source `N` of VOP3P.
#[cfg(feature = "parse")]
pub(super) fn read_packed_source<const N: usize, I: Generation>(
    asm: &mut Asm<'_, '_, I>,
) -> Result<Option<u32>, ParseError> {
    let placing = <SrcP<N> as Operand<I>>::PLACING;
    source::read(asm, N, Source { registers: SrcP::<N>::registers, any: SrcP::<N>::read_signed, placing })
}

/// Reads the source of an instruction that computes for the whole wave.
#[cfg(feature = "parse")]
pub(super) fn read_uniform_source<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let placing = <UniformSrc as Operand<I>>::PLACING;
    source::read(asm, 0, Source { registers: UniformSrc::registers, any: UniformSrc::read_signed, placing })
}

/// Reads VDST of VOP1.
#[cfg(feature = "parse")]
pub(super) fn read_vdst<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    without_suffix(asm)?;
    Vdst::read(asm)
}

/// Reads VDST of VOP3.
#[cfg(feature = "parse")]
pub(super) fn read_vdst3<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    without_suffix(asm)?;
    Vdst3::read(asm)
}

/// Refuses the suffix `_e64` of the instructions that read single lanes: LLVM has no such names.
#[cfg(feature = "parse")]
fn without_suffix<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<(), ParseError> {
    if !asm.has(flags::SCALAR_D) || asm.has(flags::UNIFORM) {
        return Ok(());
    }
    let line = asm.input.text().trim_start_matches([' ', '\t']);
    let mnemonic = line.split([' ', '\t']).next().unwrap_or_default();
    if !mnemonic.ends_with("_e64") {
        return Ok(());
    }
    let start = asm.input.text().len() - line.len();
    let kind = ErrorKind::Rule("the name of this instruction has no suffix `_e64`");
    Err(ParseError { start, end: start + mnemonic.len(), kind })
}

/// Reads whole vector registers, as many as come next: the number of the first, and how many.
#[cfg(feature = "parse")]
pub(super) fn vectors<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<(u8, u8), ParseError> {
    let start = asm.input.at();
    match SPACE.registers::<I, Llvm>(asm)?.filter(|r| r.code >= VGPRS && r.half.is_none()) {
        Some(r) => Ok(((r.code - VGPRS) as u8, r.count)),
        None => {
            asm.input.go(start);
            Err(asm.expected("vector registers"))
        }
    }
}

/// The error for two destinations of VOPD that are both even or both odd.
const PARITY: &str = "one destination of a pair is an even register, the other an odd one";

/// Returns the number of the destination of VOPD's second instruction.
fn vdst_y_number<I: Generation>(cx: &Cx<'_, I>, code: u32) -> u32 {
    let x = u32::from(raw::Vopd::from_bits(cx.low64()).vdstx());
    code << 1 | (!x & 1)
}

/// Writes the destination of VOPD's second instruction.
pub(super) fn write_vdst_y<I: Generation>(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
    write_vgpr(vdst_y_number(cx, code), cx.ty.dwords(), out);
}

/// Returns the value of the destination of VOPD's second instruction.
pub(super) fn vdst_y<I: Generation>(cx: &Cx<'_, I>, code: u32) -> Value {
    vgpr_value(vdst_y_number(cx, code), cx.ty.dwords())
}

/// Returns the destination of VOPD's second instruction as an operand.
#[cfg(feature = "inst")]
pub(super) fn vdst_y_operands<I: Generation>(cx: &Cx<'_, I>, code: u32) -> OpList {
    vgpr_operands(vdst_y_number(cx, code), cx.ty.dwords())
}

/// Judges a destination of VOPD's second instruction by a comparison with the expected one.
#[cfg(feature = "inst")]
pub(super) fn judge_vdst_y<I: Generation>(
    _: &Cx<'_, I>,
    _: &[Op],
    same: Result<(), ErrorKind>,
) -> Result<(), ErrorKind> {
    same.map_err(|error| match error {
        ErrorKind::Registers(..) => error,
        _ => ErrorKind::Rule(PARITY),
    })
}

/// Reads the destination of VOPD's second instruction.
#[cfg(feature = "parse")]
pub(super) fn read_vdst_y<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let start = asm.input.at();
    let (number, count) = vectors(asm)?;
    if count != asm.ty.dwords() {
        asm.input.go(start);
        return Err(asm.registers(asm.ty.dwords(), ""));
    }
    let number = u32::from(number);
    if number & 1 == asm.field("VDSTX") & 1 {
        return Err(asm.rule_at(start, PARITY));
    }
    Ok(Some(number >> 1))
}
