//! Sources of vector instructions in text: registers, constants and literals, with signs.

use amdgpu_operands::Llvm;
use isa::class::signs::{self, Signs};
use isa::class::{Constants, Syntax, constant_in_bars, constant_value, constants_in};
use isa::constants::{literal_bits, literal_half};
use isa::inst::{ConstantPlace, Placing};
use isa::{Asm, Class, Constant, ParseError, Type};

use super::tables0::SPACE;
use crate::{Generation, flags};

/// The code that selects a literal.
const LITERAL: u32 = 255;
/// The first source code that is a vector register.
pub(super) const VGPRS: u32 = 256;

/// Reads a constant, and whether `lit(…)` keeps it from being an inline constant; `is_narrow`: `lit64(…)` is refused, as LLVM
/// does where an operand takes signs. Between bars it is no expression, as a bar would be a part of it.
fn constant<I: Generation>(
    asm: &mut Asm<'_, '_, I>,
    has_bars: bool,
    is_narrow: bool,
) -> Result<(Constant, bool), ParseError> {
    let start = asm.input.at();
    let is_wide = asm.input.eat_word("lit64");
    let is_forced = is_wide || asm.input.eat_word("lit");
    if is_wide && is_narrow {
        asm.input.go(start);
        return Err(asm.rule("`lit64(…)` needs literals of 64 bits, which this generation lacks"));
    }
    if is_forced && !asm.input.eat("(") {
        return Err(asm.expected("`(`"));
    }
    let n = if has_bars { constant_in_bars::<I, Llvm>(asm)? } else { constant_value::<I, Llvm>(asm)? };
    let Some(n) = n else { return Err(SPACE.expected(asm, "a register or a constant")) };
    if is_forced && !asm.input.eat(")") {
        return Err(asm.expected("`)`"));
    }
    Ok((n, is_forced))
}

/// Returns the bits of a literal. LLVM drops the lower half of an `f64`.
fn literal(constant: Constant, ty: Type) -> Option<u32> {
    literal_bits(constant, ty).map(|(bits, _)| bits)
}

/// The error for a constant that the operand at `start` cannot be.
fn unfit<I: Generation>(asm: &mut Asm<'_, '_, I>, start: usize) -> ParseError {
    asm.input.go(start);
    asm.rule("the constant does not fit this operand")
}

/// Reads a constant that stands apart from the sources, as the bits of a literal.
pub(super) fn read_literal<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let start = asm.input.at();
    let (n, _) = constant(asm, false, false)?;
    let bits = literal(n, asm.ty).ok_or_else(|| unfit(asm, start))?;
    asm.set_suffix_dword(bits, Llvm::CONFLICT)?;
    Ok(Some(bits))
}

/// Reads registers of a class: the function that a table generates.
type Registers<I> = fn(&mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError>;

/// How a source is read.
#[derive(Clone, Copy)]
struct Source<I: Generation> {
    registers: Registers<I>,
    place: &'static ConstantPlace,
    meaning: Constants,
    /// The type of constants.
    ty: Type,
    /// No field holds signs, so that a constant takes them into itself.
    folds: bool,
}

impl<I: Generation> Source<I> {
    /// The code of the inline constant that equals a constant.
    fn inline(&self, n: Constant) -> Option<u32> {
        let constants = self.place.constants;
        let code = match self.meaning {
            Constants::BothHalves => constants.inline_in_both_halves(n, self.ty),
            _ => constants.inline(n, self.ty),
        };
        code.map(u32::from)
    }

    /// Reads the source without its signs, and returns whether it is a register.
    fn read(&self, asm: &mut Asm<'_, '_, I>, signs: Signs) -> Result<(u32, bool), ParseError> {
        let start = asm.input.at();
        if let Some(code) = (self.registers)(asm)? {
            return Ok((code, true));
        }
        if asm.has(flags::VGPR_ONLY) {
            return Err(SPACE.expected(asm, "a vector register"));
        }
        let (n, is_forced) = constant(asm, signs.has_bars, signs.is_possible && !signs.has_bars)?;
        let is_folded = self.folds && signs.any();
        // As LLVM reads it, `lit(…)` between bars asks for no literal where there is an inline constant.
        let is_literal = is_forced && !signs.has_bars;
        if !is_literal
            && !is_folded
            && let Some(code) = self.inline(n)
        {
            return Ok((code, false));
        }
        // The bits of an integer as a double are ambiguous, so a sign cannot be folded into it.
        if is_folded && self.ty.bits() == 64 && self.ty.is_float() && matches!(n, Constant::Integer(_)) {
            return Err(unfit(asm, start));
        }
        // `lit(…)` can state all bits of a literal that a number or a float of 16 bits has made.
        let stated = match n {
            Constant::Integer(n) if is_forced => {
                u32::try_from(n).ok().filter(|bits| literal_half(*bits, self.ty, false))
            }
            _ => None,
        };
        let mut bits = literal(n, self.ty).or(stated).ok_or_else(|| unfit(asm, start))?;
        if is_folded {
            let folded = signs.fold(n, self.ty.total_bits());
            if !is_literal && let Some(code) = self.inline(folded) {
                return Ok((code, false));
            }
            bits = literal(folded, self.ty).ok_or_else(|| unfit(asm, start))?;
        }
        asm.set_suffix_dword(bits, Llvm::CONFLICT)?;
        Ok((LITERAL, false))
    }
}

/// Whether a sign that is a word or bars, or a forced literal, comes next: LLVM takes the first operand of a comparison
/// for its destination, whose text has none of these, and for a source only if that fails.
fn begins_unlike_a_destination<I: Generation>(asm: &mut Asm<'_, '_, I>, ty: Type) -> bool {
    let start = asm.input.at();
    asm.input.eat("-");
    let word = asm.input.peek_word();
    let found = matches!(word, "neg" | "abs")
        || asm.input.peek() == Some(b'|')
        || ty.bits() != 64 && matches!(word, "lit" | "lit64");
    asm.input.go(start);
    found
}

/// Reads a vector register as the source of a class that has others, too.
fn vector<I: Generation>(asm: &mut Asm<'_, '_, I>, registers: Registers<I>) -> Result<u32, ParseError> {
    let start = asm.input.at();
    match registers(asm)? {
        Some(code) if code >= VGPRS => Ok(code),
        None => Err(SPACE.expected(asm, "a vector register")),
        Some(_) => {
            asm.input.go(start);
            Err(asm.rule("a scalar register does not fit: this operand is a vector register"))
        }
    }
}

/// Reads source `n` of a class and returns its 9-bit code; signs and halves go where the form has them.
pub(super) fn read<I: Generation>(
    asm: &mut Asm<'_, '_, I>,
    n: usize,
    placing: &'static Placing,
    registers: Registers<I>,
) -> Result<Option<u32>, ParseError> {
    if asm.ty.class() == Class::Mask {
        return registers(asm)?.map_or_else(|| Err(SPACE.expected(asm, "a scalar register")), |code| Ok(Some(code)));
    }
    let start = asm.input.at();
    let beside_dpp = || asm.suffix_dword != 0 && matches!(asm.suffix_dword_name(), Some("DPP16_VOP3" | "DPP8"));
    let is_vector = !I::FEATURES.scalar_dpp_source || asm.has(flags::MIX);
    if n == 1 && asm.format.dwords == 2 && is_vector && beside_dpp() {
        return signs::read(asm, &SPACE, placing, |asm| vector(asm, registers)).map(Some);
    }
    let Some(place) = &placing.constants else { return registers(asm) };
    let meaning = constants_in(place.meaning, asm.ty, asm.shape.flags(), 0);
    let ty = meaning.of_type(asm.ty);
    let has_field = signs::has_field(asm, placing);
    let is_short = asm.format.dwords == 1 && asm.shape.always == 0;
    let is_float = asm.ty.is_float() && asm.ty.lanes() == 1;
    let takes_signs = is_float || asm.has(flags::SIGNS) || asm.has(flags::SIGNS1) && n == 1;
    // LLVM takes no address where the encoding has a sign, and `neg` and `abs` are no symbols where there could be one.
    // A value that is known only later is a literal of 32 bits.
    if asm.has_symbols()
        && !has_field
        && !(takes_signs && matches!(asm.input.peek_word(), "neg" | "abs"))
        && ty.dwords() == 1
        && ty.bits() != 16
        && let Some(symbolic) = Llvm::deferred(asm)
    {
        asm.defer_literal(symbolic, Llvm::CONFLICT)?;
        return Ok(Some(LITERAL));
    }
    if asm.leaves_out_implied && is_short && takes_signs && begins_unlike_a_destination(asm, ty) {
        return Err(
            asm.rule("behind this name without its destination VCC, LLVM takes no `lit(…)` and no absolute value")
        );
    }
    // The short form of an instruction whose long form has signs: a constant can take them into itself.
    let folds = !has_field && takes_signs && is_short;
    let source = Source { registers, place, meaning, ty, folds };
    if !signs::can_begin(asm) || !has_field && !folds {
        return source.read(asm, Signs::none(has_field || folds)).map(|(code, _)| Some(code));
    }
    let ((code, is_register), signs) = signs::around(asm, &SPACE, has_field, |asm, signs| source.read(asm, signs))?;
    if has_field || is_register {
        signs.keep(asm, placing, start)?;
    }
    Ok(Some(code))
}
