//! Reading sources and destinations of vector instructions: signs, halves of registers, constants.

use amdgpu_operands::{CONSTANTS, begins_register};
use isa::class::Span;
use isa::{Asm, Class, ParseError, Type};

use super::read::{
    Number, constant_in_bars, constant_value, expected_register, inline_code, later_literal, literal_bits,
    literal_half, mask_or_constant, not_vector, registers,
};
use super::tables0::SPACE;
use crate::{Generation, flags};

/// The code that selects a literal.
const LITERAL: u32 = 255;

/// One more than the last code of a scalar register.
const SCALARS: u32 = 128;

/// The first source code that is a VGPR.
const VGPRS: u32 = 256;

/// In one-dword formats, the bit of a VGPR number that chooses the high half of a 16-bit operand.
const HIGH: u32 = 0x80;

const HALVES: &str = "registers of 16-bit operands are written with a half (`.l`, `.h`) all of them, or none";
const CONFLICT: &str = "an instruction holds one literal constant, and none beside DPP";

/// Where the half of a 16-bit register goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// Bit 7 of the register's number: one-dword formats have it there.
    Number,
    /// This bit of OPSEL.
    OpSel(u32),
    /// Nowhere: the operand is whole registers.
    Whole,
}

/// The signs in the text of a source.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Signs {
    /// `-x` or `neg(x)`.
    neg: bool,
    /// `|x|` or `abs(x)`.
    abs: bool,
    /// The absolute value is written with bars.
    bars: bool,
    /// The operand takes signs, whether or not it has any.
    possible: bool,
}

impl Signs {
    const fn any(self) -> bool {
        self.neg || self.abs
    }

    /// A constant with the signs taken into it, where no field holds them: an integer is taken as the bits of a float
    /// of `bits` bits.
    fn fold(self, n: Number, bits: u16) -> Number {
        match n {
            Number::Float(f) => {
                let f = if self.abs { f.abs() } else { f };
                Number::Float(if self.neg { -f } else { f })
            }
            Number::Integer(n) => {
                let sign = 1i64 << (bits.clamp(1, 64) - 1);
                let n = if self.abs { n & !sign } else { n };
                let n = if self.neg { n ^ sign } else { n };
                // Without its sign a negative integer is a pattern of its width.
                let narrow = if bits < 64 && self.any() { n & ((1 << bits) - 1) } else { n };
                Number::Integer(narrow)
            }
        }
    }
}

/// Whether the registers of 16-bit operands are named with their halves in this line. Nothing else has a point before
/// these letters.
pub(super) fn names_halves<I: Generation>(asm: &Asm<'_, '_, I>) -> bool {
    let text = asm.input.text();
    text.contains(".l") || text.contains(".h")
}

/// Whether the registers that this operand could name are 16 bits wide.
pub(super) fn is_half(ty: Type) -> bool {
    ty.total_bits() == 16
}

/// Replaces a modifier by its name; false if the form has none of that name.
fn set_modifier<I: Generation>(asm: &mut Asm<'_, '_, I>, name: &str, bit: u32) -> bool {
    let Some(component) = asm.format.components.first() else { return false };
    let carriers = asm.form.bound::<I>().filter_map(|b| component.carriers.get(usize::from(b.carrier)));
    let Some(carrier) = carriers.into_iter().find(|c| c.name == name) else { return false };
    let value = carrier.bits.get(asm.words) | 1 << bit;
    carrier.bits.set(asm.words, value);
    true
}

/// Whether the form has a modifier of this name.
fn has_modifier<I: Generation>(asm: &Asm<'_, '_, I>, name: &str) -> bool {
    let Some(component) = asm.format.components.first() else { return false };
    asm.form.bound::<I>().any(|b| component.carriers.get(usize::from(b.carrier)).is_some_and(|c| c.name == name))
}

const NEG: [&str; 3] = ["neg0", "neg1", "neg2"];
const ABS: [&str; 3] = ["abs0", "abs1", "abs2"];

/// The modifiers that hold the signs of source `n` and the bit in them; those of FMA_MIX hold all sources'.
fn sign_names<I: Generation>(asm: &Asm<'_, '_, I>, n: usize) -> (&'static str, &'static str, u32) {
    if asm.has(flags::MIX) {
        return ("neg_lo", "neg_hi", n as u32);
    }
    (NEG.get(n).copied().unwrap_or_default(), ABS.get(n).copied().unwrap_or_default(), 0)
}

/// Puts the signs of source `n` into the fields that hold them.
fn keep_signs<I: Generation>(asm: &mut Asm<'_, '_, I>, n: usize, signs: Signs, start: usize) -> Result<(), ParseError> {
    let (neg, abs, bit) = sign_names(asm, n);
    if signs.neg && !set_modifier(asm, neg, bit) || signs.abs && !set_modifier(asm, abs, bit) {
        asm.input.go(start);
        return Err(asm.rule("this operand takes no sign here"));
    }
    Ok(())
}

/// Whether a sign can come next, or the word for one. Mostly none does, and then no field for it has to be looked for.
fn may_be_signed<I: Generation>(asm: &mut Asm<'_, '_, I>) -> bool {
    matches!(asm.input.peek(), Some(b'-' | b'|' | b'n' | b'a'))
}

/// Reads what may stand around a source, and the source with `read`. `literals`: a sign can stand before `lit(…)`, as
/// LLVM prints it.
fn around<I: Generation, T>(
    asm: &mut Asm<'_, '_, I>,
    literals: bool,
    read: impl FnOnce(&mut Asm<'_, '_, I>, Signs) -> Result<T, ParseError>,
) -> Result<(T, Signs), ParseError> {
    let start = asm.input.at();
    let mut signs = Signs { possible: true, ..Signs::default() };
    if asm.input.eat("-") {
        if asm.input.peek() == Some(b'-') {
            asm.input.go(start);
            return Err(asm.rule("two signs read as nothing: write `neg(-1)`"));
        }
        let word = asm.input.peek_word();
        let named = begins_register(asm.input.rest()) || word == "abs" || word == "lit" && literals;
        signs.neg = named || matches!(asm.input.peek(), Some(b'|' | b'['));
        if !signs.neg {
            // The sign of a number.
            asm.input.go(start);
        }
    }
    let opens = |asm: &mut Asm<'_, '_, I>, word: &str| {
        if !asm.input.eat_word(word) {
            return Ok(false);
        }
        if asm.input.eat("(") { Ok(true) } else { Err(asm.expected("`(`")) }
    };
    let neg = opens(asm, "neg")?;
    let abs = opens(asm, "abs")?;
    let bar = !abs && asm.input.eat("|");
    signs.neg |= neg;
    signs.abs = abs || bar;
    signs.bars = bar;
    let read = read(asm, signs)?;
    if bar && !asm.input.eat("|") {
        return Err(asm.expected("`|`"));
    }
    for _ in 0..u8::from(neg) + u8::from(abs) {
        if !asm.input.eat(")") {
            return Err(asm.expected("`)`"));
        }
    }
    Ok((read, signs))
}

/// The code of VGPRs as a source or a destination, without the offset of source codes. The half goes where `place`
/// says.
fn vgprs<I: Generation>(
    asm: &mut Asm<'_, '_, I>,
    r: Span,
    ty: Type,
    place: Place,
    start: usize,
) -> Result<u32, ParseError> {
    let fault = |asm: &mut Asm<'_, '_, I>, rule| {
        asm.input.go(start);
        Err(asm.rule(rule))
    };
    if r.count != ty.dwords() {
        asm.input.go(start);
        return Err(asm.registers(ty.dwords(), ""));
    }
    let number = r.code - VGPRS;
    if !is_half(ty) || place == Place::Whole {
        return if r.half.is_some() { fault(asm, "this operand is a whole register, not a half") } else { Ok(number) };
    }
    if r.half.is_none() && names_halves(asm) {
        return fault(asm, HALVES);
    }
    let high = r.half == Some(true);
    match place {
        Place::Number if number >= HIGH => fault(asm, "this encoding reaches halves of v0 to v127 only"),
        Place::Number => Ok(number | if high { HIGH } else { 0 }),
        Place::OpSel(bit) => {
            if high {
                let others = asm.field("OPSEL");
                asm.set_field("OPSEL", others | 1 << bit);
            }
            Ok(number)
        }
        Place::Whole => Ok(number),
    }
}

/// A constant, and whether `lit(…)` keeps it from being an inline constant; `narrow`: `lit64(…)` is
/// refused, as LLVM does where an operand takes signs. Between bars it is no expression, as a bar
/// would be a part of it.
fn constant<I: Generation>(asm: &mut Asm<'_, '_, I>, bars: bool, narrow: bool) -> Result<(Number, bool), ParseError> {
    let start = asm.input.at();
    let wide = asm.input.eat_word("lit64");
    let forced = wide || asm.input.eat_word("lit");
    if wide && narrow {
        asm.input.go(start);
        return Err(asm.rule("`lit64(…)` needs literals of 64 bits, which this generation lacks"));
    }
    if forced && !asm.input.eat("(") {
        return Err(asm.expected("`(`"));
    }
    let n = if bars { constant_in_bars(asm)? } else { constant_value(asm)? };
    let Some(n) = n else { return Err(expected_register(asm, "a register or a constant")) };
    if forced && !asm.input.eat(")") {
        return Err(asm.expected("`)`"));
    }
    Ok((n, forced))
}

/// Reads a constant that stands apart from the sources, as the bits of a literal.
///
/// # Errors
/// If none comes next, or it does not fit.
pub(super) fn apart<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<u32, ParseError> {
    let start = asm.input.at();
    let (n, _) = constant(asm, false, false)?;
    match literal_bits(n, asm.ty) {
        Some(bits) => asm.set_suffix_dword(bits, CONFLICT).map(|()| bits),
        None => {
            asm.input.go(start);
            Err(asm.rule("the constant does not fit this operand"))
        }
    }
}

/// A source without its signs. `fold`: no field holds signs, so that a constant takes them into itself.
fn unsigned<I: Generation>(
    asm: &mut Asm<'_, '_, I>,
    ty: Type,
    place: Place,
    signs: Signs,
    fold: bool,
) -> Result<(u32, bool), ParseError> {
    let start = asm.input.at();
    if let Some(r) = registers(asm)? {
        if r.code >= VGPRS {
            return Ok((vgprs(asm, r, ty, place, start)? + VGPRS, true));
        }
        // Of constants and status bits with names decoding says which the operand can be.
        if r.code >= SCALARS || SPACE.fits(r, ty.dwords()) && r.half.is_none() {
            return Ok((r.code, true));
        }
        asm.input.go(start);
        return Err(asm.registers(ty.dwords(), ""));
    }
    let (n, stated) = constant(asm, signs.bars, signs.possible && !signs.bars)?;
    // As LLVM reads it, `lit(…)` between bars asks for no literal where there is an inline constant.
    let forced = stated && !signs.bars;
    let unfit = |asm: &mut Asm<'_, '_, I>| {
        asm.input.go(start);
        asm.rule("the constant does not fit this operand")
    };
    let inline = |n| {
        if asm.has(flags::SPLAT) { CONSTANTS.inline_in_both_halves(n, ty).map(u32::from) } else { inline_code(n, ty) }
    };
    if !(forced || fold && signs.any())
        && let Some(code) = inline(n)
    {
        return Ok((code, false));
    }
    // The bits of an integer as a double are ambiguous, so a sign cannot be folded into it.
    if fold && ty.bits() == 64 && ty.is_float() && signs.any() && matches!(n, Number::Integer(_)) {
        return Err(unfit(asm));
    }
    // `lit(…)` can state all bits of a literal that a number or a float of 16 bits has made.
    let stated = match n {
        Number::Integer(n) if stated => u32::try_from(n).ok().filter(|bits| literal_half(*bits, ty, false)),
        _ => None,
    };
    let Some(mut bits) = literal_bits(n, ty).or(stated) else { return Err(unfit(asm)) };
    if fold && signs.any() {
        let folded = signs.fold(n, ty.total_bits());
        if !forced && let Some(code) = inline(folded) {
            return Ok((code, false));
        }
        bits = match literal_bits(folded, ty) {
            Some(bits) => bits,
            None => return Err(unfit(asm)),
        };
    }
    asm.set_suffix_dword(bits, CONFLICT)?;
    Ok((LITERAL, false))
}

/// How the constants of this source are read where its instruction takes an integer for a float.
fn constant_type<I: Generation>(asm: &Asm<'_, '_, I>) -> Type {
    if asm.has(flags::FLOAT_TEXT) && is_half(asm.ty) || asm.has(flags::MIX) {
        Type::new(Class::Float, 16, 1)
    } else {
        asm.ty
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

/// Reads source `n` and gives its 9-bit code; signs and halves go where the form has them.
///
/// # Errors
/// Returns an error if the text is not this source.
pub(super) fn source_n<I: Generation>(asm: &mut Asm<'_, '_, I>, n: usize, place: Place) -> Result<u32, ParseError> {
    if asm.ty.class() == Class::Mask {
        return mask_or_constant(asm);
    }
    let start = asm.input.at();
    let ty = constant_type(asm);
    let (neg, ..) = sign_names(asm, n);
    let beside_dpp = || asm.suffix_dword != 0 && matches!(asm.suffix_dword_name(), Some("DPP16_VOP3" | "DPP8"));
    let vgpr_only = !I::FEATURES.scalar_dpp_source || asm.has(flags::MIX);
    if n == 1 && asm.format.dwords == 2 && vgpr_only && beside_dpp() {
        return if has_modifier(asm, neg) { vgpr_n(asm, n, place) } else { whole_or_half(asm, place) }
            .map(|v| v + VGPRS);
    }
    let signs = has_modifier(asm, neg);
    let short = asm.format.dwords == 1 && asm.shape.always == 0;
    let float = asm.ty.is_float() && asm.ty.lanes() == 1;
    let signed = float || asm.has(flags::SIGNS) || asm.has(flags::SIGNS1) && n == 1;
    // LLVM takes no address where the encoding has a sign, and `neg` and `abs` are no symbols where there could be one.
    if asm.has_symbols()
        && !signs
        && !(signed && matches!(asm.input.peek_word(), "neg" | "abs"))
        && let Some(code) = later_literal(asm, ty)?
    {
        return Ok(code);
    }
    if asm.leaves_out_implied && short && signed && begins_unlike_a_destination(asm, ty) {
        return Err(
            asm.rule("behind this name without its destination VCC, LLVM takes no `lit(…)` and no absolute value")
        );
    }
    if !may_be_signed(asm) {
        let none = Signs { possible: signs || signed && short, ..Signs::default() };
        return Ok(unsigned(asm, ty, place, none, false)?.0);
    }
    if signs {
        let ((code, _), signs) = around(asm, true, |asm, signs| unsigned(asm, ty, place, signs, false))?;
        keep_signs(asm, n, signs, start)?;
        return Ok(code);
    }
    if signed && short {
        // The short form of an instruction whose long form has signs: a constant can take them into itself.
        let ((code, register), signs) = around(asm, false, |asm, signs| unsigned(asm, ty, place, signs, true))?;
        if register {
            keep_signs(asm, n, signs, start)?;
        }
        return Ok(code);
    }
    Ok(unsigned(asm, ty, place, Signs::default(), false)?.0)
}

/// Reads source `n` where it can only be VGPRs, and gives the number of the first.
///
/// # Errors
/// Returns an error if the text is not this source.
pub(super) fn vgpr_n<I: Generation>(asm: &mut Asm<'_, '_, I>, n: usize, place: Place) -> Result<u32, ParseError> {
    if !may_be_signed(asm) {
        return whole_or_half(asm, place);
    }
    let start = asm.input.at();
    let (number, signs) = around(asm, false, |asm, _| whole_or_half(asm, place))?;
    keep_signs(asm, n, signs, start)?;
    Ok(number)
}

/// Reads VGPRs without signs and gives the number of the first.
///
/// # Errors
/// If something else comes next, or they are too many or too few.
pub(super) fn whole_or_half<I: Generation>(asm: &mut Asm<'_, '_, I>, place: Place) -> Result<u32, ParseError> {
    let start = asm.input.at();
    match registers(asm)? {
        Some(r) if r.code >= VGPRS => vgprs(asm, r, asm.ty, place, start),
        other => {
            asm.input.go(start);
            Err(not_vector(asm, other))
        }
    }
}
