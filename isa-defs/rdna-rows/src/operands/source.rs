//! Sources of vector instructions in text: registers, constants and literals, with signs.

use amdgpu_operands::Llvm;
use isa::Class;
use isa::class::Placing;
#[cfg(feature = "parse")]
use isa::class::Syntax;
#[cfg(feature = "parse")]
use isa::class::signs::{self, SignPlace, Signs};
use isa::constants::literal_bits;
#[cfg(feature = "parse")]
use isa::{Asm, ParseError};

use super::tables0::SPACE;
use crate::{Generation, flags};

/// The first source code that is a vector register.
pub(super) const VGPRS: u32 = *super::codes::VGPR.start();

/// Reads a constant that stands apart from the sources, as the bits of a literal.
#[cfg(feature = "parse")]
pub(super) fn read_literal<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let start = asm.input.at();
    let Some((constant, _)) = Llvm::constant(asm, Signs::none(SignPlace::None))? else {
        return Err(SPACE.expected(asm, "a register or a constant"));
    };
    let Some((bits, _)) = literal_bits(constant, asm.ty) else {
        return Err(asm.rule_at(start, "the constant does not fit this operand"));
    };
    asm.set_suffix_dword(bits, Llvm::CONFLICT)?;
    Ok(Some(bits))
}

/// The functions of a class that its table generates.
#[cfg(feature = "parse")]
#[derive(Clone, Copy)]
pub(super) struct Source<I: Generation> {
    /// Reads registers.
    pub registers: fn(&mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError>,
    /// Reads registers or a constant after signs.
    pub any: fn(&mut Asm<'_, '_, I>, Signs) -> Result<u32, ParseError>,
    /// Where its parts are.
    pub placing: &'static Placing,
}

/// Whether a sign that is a word or bars, or a forced literal, comes next: LLVM takes the first operand of a comparison
/// for its destination, whose text has none of these, and for a source only if that fails.
#[cfg(feature = "parse")]
fn begins_unlike_a_destination<I: Generation>(asm: &mut Asm<'_, '_, I>) -> bool {
    let start = asm.input.at();
    asm.input.eat("-");
    let word = asm.input.peek_word();
    let found = matches!(word, "neg" | "abs")
        || asm.input.peek() == Some(b'|')
        || asm.ty.bits() != 64 && matches!(word, "lit" | "lit64");
    asm.input.go(start);
    found
}

/// The register file that the row or the encoding demands of a source whose class has others, too.
struct OnlyFile {
    is_vector: bool,
    /// The noun phrase for errors.
    expects: &'static str,
    /// The error for registers of another file.
    rule: &'static str,
}

const VECTOR: OnlyFile = OnlyFile {
    is_vector: true,
    expects: "a vector register",
    rule: "a scalar register does not fit: this operand is a vector register",
};
const LANE_MASK: OnlyFile = OnlyFile {
    is_vector: false,
    expects: "a scalar register",
    rule: "a vector register does not fit: this operand is a scalar register that holds a lane mask",
};

/// Reads registers of a file as a source.
#[cfg(feature = "parse")]
fn of_file<I: Generation>(asm: &mut Asm<'_, '_, I>, source: Source<I>, file: &OnlyFile) -> Result<u32, ParseError> {
    let start = asm.input.at();
    let found = SPACE.registers::<I, Llvm>(asm)?;
    asm.input.go(start);
    if found.is_some_and(|registers| (registers.code >= VGPRS) != file.is_vector) {
        return Err(asm.rule(file.rule));
    }
    (source.registers)(asm)?.ok_or_else(|| SPACE.expected(asm, file.expects))
}

/// Reads source `n` of a class and returns its 9-bit code; signs and halves go where the form has them.
#[cfg(feature = "parse")]
pub(super) fn read<I: Generation>(
    asm: &mut Asm<'_, '_, I>,
    n: usize,
    source: Source<I>,
) -> Result<Option<u32>, ParseError> {
    if asm.ty.class() == Class::Mask {
        return of_file(asm, source, &LANE_MASK).map(Some);
    }
    let beside_dpp = || asm.suffix_dword != 0 && matches!(asm.suffix_dword_name(), Some("DPP16_VOP3" | "DPP8"));
    let beside_dpp_vector = !I::FEATURES.scalar_dpp_source || asm.has(flags::MIX);
    let dpp_vector = n == 1 && beside_dpp_vector || n > 0 && asm.has(flags::DPP_VGPRS);
    let is_vector = asm.has(flags::VGPR_ONLY) || asm.format.dwords == 2 && dpp_vector && beside_dpp();
    let is_short = asm.format.dwords == 1 && asm.shape.always == 0;
    let is_float = asm.ty.is_float() && asm.ty.lanes() == 1;
    let takes_signs = is_float || asm.has(flags::SIGNS) || asm.has(flags::SIGNS1) && n == 1;
    let place = match signs::place_of(asm, source.placing) {
        // The short form of an instruction whose long form has signs: a constant can take them into itself.
        SignPlace::None if takes_signs && is_short => SignPlace::Constant,
        place => place,
    };
    if asm.leaves_out_implied && is_short && takes_signs && begins_unlike_a_destination(asm) {
        return Err(
            asm.rule("without the destination VCC, LLVM takes no `lit(…)` and no absolute value as the first source")
        );
    }
    let read = |asm: &mut Asm<'_, '_, I>, signs| {
        if is_vector { of_file(asm, source, &VECTOR) } else { (source.any)(asm, signs) }
    };
    let code = match place {
        SignPlace::None => read(asm, Signs::none(place)),
        SignPlace::Modifiers | SignPlace::Constant => signs::read(asm, &SPACE, source.placing, place, read),
    };
    code.map(Some)
}
