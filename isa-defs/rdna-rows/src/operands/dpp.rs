//! Data-parallel primitives: the source and the controls.

use amdgpu_operands::Llvm;
#[cfg(feature = "parse")]
use isa::class::constant_value;
#[cfg(feature = "parse")]
use isa::{Asm, ParseError};
use isa::{Constant, Cx, Text};

use super::{__LIST_DPP8LANES, vop3};
use crate::Generation;

/// Whether the operand's half is chosen by OPSEL: so it is in two-dword formats.
fn in_opsel<I: Generation>(cx: &Cx<'_, I>) -> bool {
    cx.format.dwords == 2
}

/// Splits the code of the first source into its register and its half: OPSEL chooses it where the format has it, bit 7 of
/// the code elsewhere.
pub(super) fn half<I: Generation>(cx: &Cx<'_, I>, code: u32) -> (u32, bool) {
    if in_opsel(cx) { vop3::half::<0, I>(cx, code) } else { (code & !0x80, code & 0x80 != 0) }
}

/// The code in SRC0 that selects DPP8 with fetch of inactive lanes.
const DPP8FI: u32 = 234;

/// A source code that stands for nothing.
const NO_SOURCE: u32 = 209;

/// Reads `fi:` and a constant, of which all bits are kept: one written as a floating-point number counts by its own.
#[cfg(feature = "parse")]
fn read_fetch_inactive<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u64>, ParseError> {
    if !asm.input.eat_key("fi") {
        return Ok(None);
    }
    match constant_value::<I, Llvm>(asm)? {
        Some(Constant::Integer(n)) => Ok(Some(n as u64)),
        Some(Constant::Float(f)) => Ok(Some(f.to_bits())),
        None => Err(asm.expected("0 or 1")),
    }
}

/// Writes the lanes of DPP8, and `fi:1` if SRC0 holds the code that fetches from inactive lanes too.
pub(super) fn write_dpp8<I: Generation>(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
    __LIST_DPP8LANES.write(cx, code, out);
    // SRC0 is the lowest field of the last dword before the suffix dword, in every format that has DPP.
    let last = if in_opsel(cx) { cx.words[1] } else { cx.words[0] };
    if last & 0x1ff == DPP8FI {
        out.push(" fi:1");
    }
}

/// Reads the lanes of DPP8, and `fi:`, which is not a separate field, so that it follows at once.
#[cfg(feature = "parse")]
pub(super) fn read_dpp8<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let Some(lanes) = __LIST_DPP8LANES.read::<I, Llvm>(asm)? else { return Ok(None) };
    asm.input.eat(",");
    if let Some(bits) = read_fetch_inactive(asm)?
        && bits as u32 != 0
    {
        asm.set_field("SRC0", DPP8FI);
    }
    Ok(Some(lanes))
}

/// Stands for DPP8 without lanes: a code in SRC0 that names nothing makes the instruction invalid.
#[cfg(feature = "parse")]
pub(super) fn missing_dpp8<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Option<u32> {
    asm.set_field("SRC0", NO_SOURCE);
    Some(0)
}

/// Reads FI.
#[cfg(feature = "parse")]
pub(super) fn read_fi<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    Ok(read_fetch_inactive(asm)?.map(|bits| bits as u32 & 1))
}
