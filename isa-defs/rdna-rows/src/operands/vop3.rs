//! Operands and modifiers of VOP3, VOP3SD and VINTERP.

use amdgpu_operands::Llvm;
#[cfg(feature = "parse")]
use isa::class::expression::{expression, expression_in};
#[cfg(feature = "parse")]
use isa::class::names_halves;
use isa::{Access, Class, Cx, Text};
#[cfg(feature = "parse")]
use isa::{Asm, ParseError};

use super::__LIST_OPSEL;
use super::source::VGPRS;
use crate::{Generation, flags, raw, roles};

/// Which OPSEL bit chooses the destination's half.
const DEST: usize = 3;

/// Splits the code of operand `N` of 16 bits into its register and whether OPSEL chooses the upper half.
pub(super) fn half<const N: usize, I: Generation>(cx: &Cx<'_, I>, code: u32) -> (u32, bool) {
    (code, raw::Vop3::from_bits(cx.low64()).opsel() >> N & 1 != 0)
}

/// The meaning of OPSEL's bits in one instruction.
struct Halves {
    /// How many entries for sources the list has.
    sources: usize,
    /// Whether an entry for the destination follows them.
    dest: bool,
    /// The bits that may be set.
    allowed: u32,
}

fn halves<I: Generation>(cx: &Cx<'_, I>) -> Halves {
    if cx.has(flags::FETCH) {
        // V_PERMLANE16: the first two bits are fetch-inactive and bound-control.
        return Halves { sources: 2, dest: false, allowed: 0b11 };
    }
    if let Some(shift) = byte_shift(cx.shape.flags()) {
        return Halves { sources: 0, dest: false, allowed: BYTE << shift };
    }
    let mut halves = Halves { sources: 0, dest: false, allowed: 0 };
    for (n, name) in [roles::S0, roles::S1, roles::S2].into_iter().enumerate() {
        if let Some((_, ty)) = cx.sibling(name) {
            halves.sources += 1;
            if ty.class() != Class::Mask && ty.lanes() == 1 {
                halves.allowed |= 1 << n;
            }
        }
    }
    if let Some((_, ty)) = cx.sibling(roles::D) {
        if ty.class() == Class::Mask {
            // LLVM writes an entry for a mask, which has no halves, but not after DPP.
            halves.dest = !matches!(cx.suffix_dword_name(), Some("DPP16_VOP3" | "DPP8"));
        } else {
            halves.dest = true;
            halves.allowed |= 1 << DEST;
        }
        // A destination that is read as well stands among the sources too, though its bit there does nothing.
        if reads_dest(cx) {
            halves.sources += 1;
        }
    }
    halves
}

/// The highest number of a byte in a register.
const BYTE: u32 = 3;

/// Returns the lowest bit of OPSEL that chooses a byte, in rows that have bytes in place of halves.
fn byte_shift(row: u128) -> Option<u32> {
    match row {
        _ if row & flags::BYTE_SOURCE != 0 => Some(0),
        _ if row & flags::BYTE_RESULT != 0 => Some(2),
        _ => None,
    }
}

/// Returns OPSEL for a byte, and the reverse: the bits of a source's byte are exchanged.
fn exchanged(row: u128, byte: u32) -> u32 {
    if row & flags::BYTE_SOURCE != 0 { byte >> 1 & 1 | byte << 1 & 2 } else { byte }
}

fn reads_dest<I: Generation>(cx: &Cx<'_, I>) -> bool {
    // In VOP3 only the destination can be read and written.
    cx.variant.bound::<I>().any(|b| b.access == Access::ReadWrite)
}

const CONTRADICTS: &str = "op_sel does not agree with the halves of the registers";

/// Returns whether OPSEL can have bits: those of halves, where the text tells them.
pub(super) fn is_op_sel<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    // Where text leaves the list out, only halves of registers show the bits.
    let hidden = |n: usize, name| code >> n & 1 == 1 && cx.sibling(name).is_none_or(|(held, _)| held < VGPRS);
    // Beside DPP the first source is a register, in the suffix dword.
    let dpp = cx.suffix_dword != 0 && cx.suffix_dword_name() != Some("LITERAL");
    let untold = cx.has(flags::OPSEL_UNTOLD) && (!dpp && hidden(0, roles::S0) || hidden(1, roles::S1));
    code & !halves(cx).allowed == 0 && !untold
}

/// Returns whether LLVM prints OPSEL although its text does not tell it.
pub(super) fn prints_op_sel<I: Generation>(cx: &Cx<'_, I>, code: u32) -> bool {
    cx.has(flags::OPSEL_UNTOLD) && code & !halves(cx).allowed == 0
}

/// Writes OPSEL, unless it is 0 or the registers tell it.
pub(super) fn write_op_sel<I: Generation>(cx: &Cx<'_, I>, code: u32, out: &mut Text) {
    if code == 0 || cx.has(flags::OPSEL_UNTOLD) {
        return;
    }
    let row = cx.shape.flags();
    if let Some(shift) = byte_shift(row) {
        out.push(" byte_sel:");
        return out.dec(exchanged(row, code >> shift & BYTE));
    }
    let Halves { sources, dest, .. } = halves(cx);
    let bits = (0..sources).chain(dest.then_some(DEST)).map(|n| code >> n & 1);
    __LIST_OPSEL.write_numbers(bits, out);
}

/// Reads OPSEL, which has to agree with the halves of registers.
#[cfg(feature = "parse")]
pub(super) fn read_op_sel<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let start = asm.input.at();
    if asm.has(flags::OPSEL_UNTOLD) {
        return Ok(None);
    }
    let row = asm.shape.flags();
    if let Some(shift) = byte_shift(row) {
        if !asm.input.eat_key("byte_sel") {
            return Ok(None);
        }
        let byte = expression_in(asm, 0, BYTE.into(), "a register has the bytes 0 to 3")?;
        return Ok(Some(exchanged(row, byte) << shift));
    }
    let Some(list) = __LIST_OPSEL.read_from::<I, Llvm>(asm, 1)? else { return Ok(None) };
    if asm.has(flags::FETCH) && list & !halves(&asm.cx()).allowed != 0 {
        return Err(asm.rule_at(start, "op_sel has two bits here"));
    }
    // The bits that the suffixes `.l` and `.h` of the registers have set.
    let told = asm.field("OPSEL");
    let halves = names_halves(asm);
    let dpp = matches!(asm.suffix_dword_name(), Some("DPP16_VOP3" | "DPP8"));
    let mut code = 0;
    let mut place = 0;
    let mut fault = None;
    for (n, name) in [roles::S0, roles::S1, roles::S2, roles::D].into_iter().enumerate() {
        let Some((held, ty)) = asm.cx().sibling(name) else { continue };
        // A destination that is read as well stands among the sources too.
        if n == DEST && place < 3 && reads_dest(&asm.cx()) {
            let differs = dpp && halves && list != 0 && list >> place & 1 != told >> DEST & 1;
            fault = fault.or(differs.then_some(CONTRADICTS));
            place += 1;
        }
        let bit = list >> place & 1;
        place += 1;
        // Beside DPP the first source is a register of the last dword, whose field has no codes of constants.
        let vgpr = ty.total_bits() == 16 && (held >= VGPRS || n == DEST || n == 0 && dpp);
        if vgpr && halves && list != 0 && bit != told >> n & 1 {
            fault = Some(CONTRADICTS);
        } else if vgpr && !halves && with_halves_only(asm) {
            fault = Some("the halves of this instruction's registers are written with the registers (`.l`, `.h`)");
        }
        let none = n == DEST && ty.class() == Class::Mask;
        code |= if none { 0 } else { bit << n };
    }
    match fault {
        None => Ok(Some(if list == 0 { told } else { code })),
        Some(rule) => Err(asm.rule_at(start, rule)),
    }
}

/// Returns whether text may have OPSEL only beside registers that name their halves: in rows that have a one-dword encoding too,
/// and in a few others.
#[cfg(feature = "parse")]
fn with_halves_only<I: Generation>(asm: &Asm<'_, '_, I>) -> bool {
    asm.has(flags::OPSEL_HALVES | flags::SHORT_HALVES)
}

/// Reads OMOD: `mul:2`, `div:2`, and what multiplies by 1.
#[cfg(feature = "parse")]
pub(super) fn read_omod<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let factor = asm.input.eat_key("mul");
    if !factor && !asm.input.eat_key("div") {
        return Ok(None);
    }
    let start = asm.input.at();
    match (factor, expression(asm)?) {
        (_, 1) => Ok(Some(0)),
        (true, 2) => Ok(Some(1)),
        (true, 4) => Ok(Some(2)),
        (false, 2) => Ok(Some(3)),
        _ => Err(asm.rule_at(start, "the result is multiplied by 2 or 4, or divided by 2")),
    }
}
