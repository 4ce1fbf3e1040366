//! Functions of operands of the one-dword vector formats and of VOPD, and of classes that several vector formats share.

use isa::{Asm, Cx, Fault, ParseError, Text};

use super::read::{scalar, vector};
use super::vector_read::{Place, source_n, vgpr_n, whole_or_half};
use super::{Src, vgpr_value, write_vgpr};
use crate::{Generation, Value, flags, raw};

/// The first source code that is a VGPR.
pub(super) const VGPRS: u32 = 256;

/// The code of M0.
const M0: u32 = 125;

impl Src {
    /// The inline constant 0.
    pub const ZERO: Src = Src::new(128);
    /// The literal constant that follows the instruction.
    pub const LITERAL: Src = Src::new(255);
}

/// Reads the first source of a one-dword format.
pub(super) fn read_source<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let start = asm.input.at();
    let code = source_n(asm, 0, Place::Number)?;
    if asm.has(flags::VGPR_ONLY) && code < VGPRS {
        asm.input.go(start);
        return Err(asm.expected("a vector register"));
    }
    Ok(Some(code))
}

/// Reads the second source of VOP2 and VOPC.
pub(super) fn read_vsrc1<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    vgpr_n(asm, 1, Place::Number).map(Some)
}

/// Reads a scalar register that can take the value of one lane.
pub(super) fn lane_dest<I: Generation>(asm: &mut Asm<'_, '_, I>, dwords: u8) -> Result<u32, ParseError> {
    without_suffix(asm)?;
    let start = asm.input.at();
    let code = scalar(asm, dwords)?;
    if code != M0 {
        return Ok(code);
    }
    asm.input.go(start);
    Err(asm.rule("m0 cannot take the value of a lane"))
}

/// Refuses the suffix `_e64` of the instructions that read single lanes: LLVM has no such names.
fn without_suffix<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<(), ParseError> {
    let line = asm.input.text().trim_start_matches([' ', '\t']);
    let mnemonic = line.split([' ', '\t']).next().unwrap_or_default();
    if !mnemonic.ends_with("_e64") {
        return Ok(());
    }
    let start = asm.input.text().len() - line.len();
    let fault = Fault::Rule("the name of this instruction has no suffix `_e64`");
    Err(ParseError { start, end: start + mnemonic.len(), fault })
}

/// Reads VDST of VOP1.
pub(super) fn read_vdst<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    if asm.has(flags::SCALAR_D) {
        let dwords = asm.ty.dwords();
        return lane_dest(asm, dwords).map(Some);
    }
    whole_or_half(asm, Place::Number).map(Some)
}

/// Reads a VGPR of a one-dword format.
pub(super) fn read_vgpr<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    whole_or_half(asm, Place::Number).map(Some)
}

/// The error for two destinations of VOPD that are both even or both odd.
pub(super) const PARITY: &str = "one destination of a pair is an even register, the other an odd one";

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

/// Reads the destination of VOPD's second instruction.
pub(super) fn read_vdst_y<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let start = asm.input.at();
    let number = vector(asm, asm.ty.dwords())?;
    if number & 1 == asm.field("VDSTX") & 1 {
        asm.input.go(start);
        return Err(asm.rule(PARITY));
    }
    Ok(Some(number >> 1))
}
