//! Readers that many kinds share: registers, numbers, sources, `name:value` modifiers.

use isa::{Class, Cx, ParseError, Type};

use super::expression::expression;
use super::expression::expression_in;
use super::{File, Half, INLINE_FLOATS, LITERAL, Registers, SPECIALS, source_codes};
use crate::{Rdna3, Wave};

/// An instruction of this set under construction.
pub type Asm<'a, 's> = isa::Asm<'a, 's, Rdna3>;

const CONFLICT: &str = "an instruction holds one literal constant, and none beside DPP";

/// The registers that have names: the name, the file, the first register and how many.
pub static NAMED_REGISTERS: [(&str, File, u8, u8); 9] = [
    ("vcc", File::Vcc, 0, 2),
    ("vcc_lo", File::Vcc, 0, 1),
    ("vcc_hi", File::Vcc, 1, 1),
    ("exec", File::Exec, 0, 2),
    ("exec_lo", File::Exec, 0, 1),
    ("exec_hi", File::Exec, 1, 1),
    ("m0", File::M0, 0, 1),
    ("null", File::Null, 0, 0),
    ("scc", File::Scc, 0, 1),
];

/// The files whose registers have numbers: the prefix and how many there are.
static NUMBERED: [(&str, File, u8); 3] = [("v", File::Vgpr, 255), ("s", File::Sgpr, 105), ("ttmp", File::Ttmp, 15)];

/// Reads registers: `v5`, `v[5:6]`, `v5.l`, `s3`, `vcc_lo`, `null`, `[s4,s5]`. `None`, and nothing taken, if something
/// else comes next. NULL has a count of 0: it is as wide as it must be.
///
/// # Errors
/// A number that no register of the file has, a range that goes down, a list with gaps.
pub fn registers(asm: &mut Asm<'_, '_>) -> Result<Option<Registers>, ParseError> {
    let start = asm.input.at();
    if asm.input.eat("[") {
        let list = register_list(asm)?;
        if list.is_none() {
            asm.input.go(start);
        }
        return Ok(list);
    }
    let word = asm.input.peek_word();
    if let Some((_, file, first, count)) = NAMED_REGISTERS.iter().find(|(name, ..)| *name == word) {
        asm.input.word();
        return Ok(Some(Registers::new(*file, *first, *count)));
    }
    for (prefix, file, last) in NUMBERED {
        let Some(number) = word.strip_prefix(prefix) else { continue };
        if number.is_empty() {
            asm.input.word();
            if !asm.input.eat("[") {
                asm.input.go(start);
                continue;
            }
            return range(asm, file, last).map(Some);
        }
        let (digits, half) = match number.strip_suffix(".l").map(|d| (d, Half::Low)) {
            Some((d, half)) => (d, Some(half)),
            None => number.strip_suffix(".h").map_or((number, None), |d| (d, Some(Half::High))),
        };
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            continue;
        }
        let Some(first) = digits.parse().ok().filter(|n| *n <= last) else {
            return Err(asm.rule("no such register: they end at v255, s105 and ttmp15"));
        };
        if half.is_some() && file != File::Vgpr {
            return Err(asm.rule("only vector registers have halves"));
        }
        asm.input.word();
        return Ok(Some(Registers { half, ..Registers::new(file, first, 1) }));
    }
    Ok(None)
}

/// The rest of `v[5:6]` or `v[5]` after the bracket.
fn range(asm: &mut Asm<'_, '_>, file: File, last: u8) -> Result<Registers, ParseError> {
    let index = |asm: &mut Asm<'_, '_>| {
        let start = asm.input.at();
        match asm.input.signed().map(|n| u8::try_from(n).ok().filter(|n| *n <= last)) {
            Some(Some(n)) => Ok(n),
            Some(None) => {
                asm.input.go(start);
                Err(asm.rule("no such register: they end at v255, s105 and ttmp15"))
            }
            None => Err(asm.expected("a register number")),
        }
    };
    let first = index(asm)?;
    let end = if asm.input.eat(":") { index(asm)? } else { first };
    if end < first {
        return Err(asm.rule("the first register of a range stands before the last"));
    }
    if !asm.input.eat("]") {
        return Err(asm.expected("`]`"));
    }
    if end - first >= 32 {
        return Err(asm.rule("no operand has more than 32 registers"));
    }
    Ok(Registers::new(file, first, end - first + 1))
}

/// The rest of `[v4,v5]` after the bracket: consecutive registers written one by one. `None` if no register follows.
fn register_list(asm: &mut Asm<'_, '_>) -> Result<Option<Registers>, ParseError> {
    let Some(mut all) = registers(asm)? else { return Ok(None) };
    while asm.input.eat(",") {
        let Some(next) = registers(asm)? else { return Err(asm.expected("a register")) };
        let follows = next.file == all.file && u16::from(next.first) == u16::from(all.first) + u16::from(all.count);
        if !follows || next.count != 1 || all.count >= 32 {
            return Err(asm.rule("the registers of a list follow each other"));
        }
        all.count += 1;
    }
    if asm.input.eat("]") { Ok(Some(all)) } else { Err(asm.expected("`]`")) }
}

/// The 7-bit or 8-bit code of scalar registers; `None` for vector registers.
#[must_use]
pub fn scalar_code(r: Registers) -> Option<u32> {
    let base = match r.file {
        File::Sgpr => 0,
        File::Vcc => 106,
        File::Ttmp => 108,
        File::Null => 124,
        File::M0 => 125,
        File::Exec => 126,
        File::Scc => 253,
        File::Special | File::Vgpr => return None,
    };
    Some(base + u32::from(r.first))
}

/// Whether registers are as many as an operand of `dwords` takes; NULL is always, and SCC as a source.
#[must_use]
pub fn fits(r: Registers, dwords: u8) -> bool {
    matches!(r.file, File::Null | File::Scc) || r.count == dwords
}

/// Reads `dwords` scalar registers and gives their code.
///
/// # Errors
/// If something else comes next, or registers of another width.
pub fn scalar(asm: &mut Asm<'_, '_>, dwords: u8) -> Result<u32, ParseError> {
    let start = asm.input.at();
    let read = registers(asm)?;
    // SCC can be a source only.
    let code = read.filter(|r| r.file != File::Scc && fits(*r, dwords)).and_then(scalar_code);
    code.ok_or_else(|| {
        asm.input.go(start);
        match read {
            Some(r) if scalar_code(r).is_some() => {
                asm.rule("the operand is wider or narrower than this instruction takes")
            }
            _ => asm.expected("a scalar register"),
        }
    })
}

/// Reads a lane mask: one SGPR in wave32, two in wave64.
///
/// # Errors
/// As [`scalar`].
pub fn mask(asm: &mut Asm<'_, '_>) -> Result<u32, ParseError> {
    let dwords = if asm.mode == Wave::W64 { 2 } else { 1 };
    scalar(asm, dwords)
}

/// Reads `dwords` whole vector registers and gives the number of the first.
///
/// # Errors
/// If something else comes next, or registers of another width.
pub fn vector(asm: &mut Asm<'_, '_>, dwords: u8) -> Result<u32, ParseError> {
    let start = asm.input.at();
    let read = registers(asm)?.filter(|r| r.file == File::Vgpr);
    match read {
        Some(r) if r.count == dwords && r.half.is_none() => Ok(u32::from(r.first)),
        other => {
            asm.input.go(start);
            Err(match other {
                Some(r) if r.half.is_some() => asm.rule("this operand is a whole register, not a half"),
                Some(_) => asm.rule("the operand is wider or narrower than this instruction takes"),
                None => asm.expected("a vector register"),
            })
        }
    }
}

/// Reads an integer with its sign.
///
/// # Errors
/// If none comes next.
pub fn integer(asm: &mut Asm<'_, '_>) -> Result<i64, ParseError> {
    match asm.input.signed() {
        Some(n) => Ok(n),
        None => Err(asm.expected("an integer")),
    }
}

/// Reads an integer between two others, both allowed.
///
/// # Errors
/// If none comes next or it lies outside; `rule` says what is allowed.
pub fn integer_in(asm: &mut Asm<'_, '_>, low: i64, high: i64, rule: &'static str) -> Result<i64, ParseError> {
    let start = asm.input.at();
    let n = integer(asm)?;
    if (low..=high).contains(&n) {
        return Ok(n);
    }
    asm.input.go(start);
    Err(asm.rule(rule))
}

/// Takes `name:` if it comes next.
pub fn key(asm: &mut Asm<'_, '_>, name: &str) -> bool {
    let start = asm.input.at();
    if asm.input.eat_word(name) && asm.input.eat(":") {
        return true;
    }
    asm.input.go(start);
    false
}

/// A constant as it is written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// An integer.
    Integer(i64),
    /// A floating-point number.
    Float(f64),
}

/// Reads a constant with its sign; `None`, and nothing taken, if none comes next.
pub fn number(asm: &mut Asm<'_, '_>) -> Option<Number> {
    let start = asm.input.at();
    let negative = asm.input.eat("-");
    if let Some(f) = asm.input.float() {
        return Some(Number::Float(if negative { -f } else { f }));
    }
    asm.input.go(start);
    if let Some(n) = asm.input.signed() {
        return Some(Number::Integer(n));
    }
    // Behind any other signs LLVM takes the bits of the double as an integer.
    let mut negative = false;
    while let Some(sign @ (b'-' | b'+')) = asm.input.peek() {
        negative ^= sign == b'-';
        asm.input.eat(if sign == b'-' { "-" } else { "+" });
    }
    let Some(f) = asm.input.float() else {
        asm.input.go(start);
        return None;
    };
    let bits = f.to_bits() as i64;
    Some(Number::Integer(if negative { bits.wrapping_neg() } else { bits }))
}

/// Reads a constant that may be an expression of integers; `None`, and nothing taken, if none comes next.
///
/// # Errors
/// An expression that has no value.
pub fn constant_value(asm: &mut Asm<'_, '_>) -> Result<Option<Number>, ParseError> {
    let start = asm.input.at();
    let read = number(asm);
    let goes_on = match asm.input.peek() {
        Some(b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'<' | b'>') => read.is_some(),
        Some(b'(' | b'~' | b'!') => read.is_none(),
        _ => false,
    };
    // A sign may stand before parentheses.
    if goes_on || read.is_none() && matches!(asm.input.peek(), Some(b'-' | b'+')) {
        asm.input.go(start);
        return expression(asm).map(|n| Some(Number::Integer(n)));
    }
    Ok(read)
}

/// The bits of a floating-point number in a narrower format with so many bits of exponent and mantissa, rounded to the
/// nearest; `None` where it is too large, or so small that its bits would be lost.
fn narrow(value: f64, exponent: u32, mantissa: u32) -> Option<u32> {
    let bits = value.to_bits();
    let sign = ((bits >> 63) as u32) << (exponent + mantissa);
    let bias = (1i32 << (exponent - 1)) - 1;
    if bits << 1 == 0 {
        return Some(sign);
    }
    let power = (bits >> 52 & 0x7ff) as i32 - 1023;
    let digits = bits & ((1 << 52) - 1) | 1 << 52;
    let below = u32::try_from(1 - bias - power).unwrap_or(0);
    let shift = (52 - mantissa).checked_add(below).filter(|s| *s < 64)?;
    let (kept, lost, half) = (digits >> shift, digits & ((1 << shift) - 1), 1u64 << (shift - 1));
    let rounded = kept + u64::from(lost > half || lost == half && kept & 1 == 1);
    let one = 1u64 << mantissa;
    if below > 0 {
        return (lost == 0 || rounded >= one).then_some(sign | rounded as u32);
    }
    // A carry out of the mantissa goes into the exponent.
    let result = (u64::try_from(power + bias).ok()? << mantissa) + rounded - one;
    (result < ((1 << exponent) - 1) << mantissa).then_some(sign | result as u32)
}

/// Whether an integer fits so many bits, with or without a sign.
fn fits_bits(n: i64, bits: u32) -> bool {
    (-(1i64 << (bits - 1))..1i64 << bits).contains(&n)
}

/// The format in which a type has its constants, as the bits of exponent and mantissa. An integer of any kind has the
/// bits of an `f32`.
fn float_format(ty: Type) -> (u32, u32) {
    match (ty.class(), ty.bits()) {
        (Class::Float, 16) => (5, 10),
        (Class::BFloat, 16) => (8, 7),
        _ => (8, 23),
    }
}

/// The 32 bits that a literal of this type holds for a constant; `None` if it does not fit. An integer stands for the
/// bits themselves; an `f64` has the upper half of its bits in a literal.
#[must_use]
pub fn literal_bits(n: Number, ty: Type) -> Option<u32> {
    let wide = ty.total_bits() == 64;
    let half = ty.total_bits() == 16;
    match n {
        Number::Integer(n) if half && ty.is_float() => fits_bits(n, 16).then_some(n as u32 & 0xffff),
        Number::Integer(n) if half => fits_bits(n, 16).then_some(n as u32),
        Number::Integer(n) => fits_bits(n, 32).then_some(n as u32),
        Number::Float(f) if wide => ty.is_float().then_some((f.to_bits() >> 32) as u32),
        // What is no half at all is none in an integer operand either, although it has the bits of an `f32` there.
        Number::Float(f) if half && !ty.is_float() && narrow(f, 5, 10).is_none() => None,
        Number::Float(f) => {
            let (exponent, mantissa) = float_format(ty);
            narrow(f, exponent, mantissa)
        }
    }
}

/// Whether a literal is one that [`literal_bits`] could give an operand: of a type of 16 bits it has nothing but a sign
/// above them. `f16`: that is what the operand is in text, whatever its type.
#[must_use]
pub fn literal_half(bits: u32, ty: Type, f16: bool) -> bool {
    if bits >> 16 == 0 || !f16 && ty.total_bits() != 16 {
        return true;
    }
    // An integer operand takes the sign of a number, or a float as it would be in 32 bits.
    let signed = bits as u16 as i16 as u32 == bits;
    let float = narrow(f32::from_bits(bits).into(), 5, 10).is_some();
    !f16 && !ty.is_float() && (signed || float)
}

/// The code of an integer from -16 to 64.
#[must_use]
pub fn small_code(n: i64) -> Option<u32> {
    match n {
        0..=64 => Some(128 + n as u32),
        -16..=-1 => Some((192 - n) as u32),
        _ => None,
    }
}

/// The bits of 1/(2 pi) as an `f64`, which no literal could stand for.
const INVERSE_TWO_PI: u64 = 0x3fc4_5f30_6dc9_c882;

/// The code of the inline constant that stands for a constant in an operand of this type.
#[must_use]
pub fn inline_code(n: Number, ty: Type) -> Option<u32> {
    let float_code =
        |same: &dyn Fn(&super::InlineFloat) -> bool| INLINE_FLOATS.iter().position(same).map(|i| 240 + i as u32);
    if ty.total_bits() == 64 {
        let bits = match n {
            Number::Integer(n) => n as u64,
            Number::Float(f) => f.to_bits(),
        };
        let same = |f: &super::InlineFloat| f.f64_high.map_or(INVERSE_TWO_PI, |high| u64::from(high) << 32) == bits;
        return small_code(bits as i64).or_else(|| float_code(&same));
    }
    // As it is written, 1/(2 pi) would round to another bf16.
    let near = matches!(n, Number::Float(f) if f == 0.159_154_94) && ty.class() == Class::BFloat;
    let bits = if near { 0x3e22 } else { literal_bits(n, ty)? };
    let half = ty.total_bits() == 16;
    let number = match n {
        Number::Integer(n) if half && !ty.is_float() => n,
        _ if half && ty.is_float() => i64::from(bits as u16 as i16),
        _ => i64::from(bits as i32),
    };
    small_code(number).or_else(|| {
        float_code(&|f| match float_format(ty) {
            (5, _) => f.f16 == bits,
            (_, 7) => f.bf16 == bits,
            _ => f.f32 == bits,
        })
    })
}

/// Reads a source and gives its 9-bit code: registers, a named constant, an inline constant, or a literal, which goes
/// behind the instruction. Signs are not read here.
///
/// # Errors
/// What cannot be a source of this type.
pub fn source(asm: &mut Asm<'_, '_>, ty: Type) -> Result<u32, ParseError> {
    let start = asm.input.at();
    if let Some(r) = registers(asm)? {
        let code = if r.file == File::Vgpr { Some(256 + u32::from(r.first)) } else { scalar_code(r) };
        // SCC is a constant of any width.
        let fits = fits(r, ty.dwords()) || r.file == File::Scc;
        let Some(code) = code.filter(|_| fits && r.half.is_none()) else {
            asm.input.go(start);
            return Err(asm.rule("the operand is wider or narrower than this instruction takes"));
        };
        if !source_codes(ty).has(code) {
            asm.input.go(start);
            return Err(asm.rule("these registers cannot be a source here"));
        }
        return Ok(code);
    }
    let word = asm.input.peek_word();
    let is_word = |name: &str| name == word || name.strip_prefix("src_") == Some(word);
    if let Some((code, _)) = SPECIALS.iter().find(|(code, name)| is_word(name) && source_codes(ty).has(*code)) {
        asm.input.word();
        return Ok(*code);
    }
    let forced = asm.input.eat_word("lit") || asm.input.eat_word("lit64");
    if forced && !asm.input.eat("(") {
        return Err(asm.expected("`(`"));
    }
    let Some(n) = constant_value(asm)? else { return Err(asm.expected("a register or a constant")) };
    if forced && !asm.input.eat(")") {
        return Err(asm.expected("`)`"));
    }
    if !forced && let Some(code) = inline_code(n, ty) {
        return Ok(code);
    }
    let Some(bits) = literal_bits(n, ty) else {
        asm.input.go(start);
        return Err(asm.rule("a literal constant has 32 bits"));
    };
    asm.set_tail(bits, CONFLICT)?;
    Ok(LITERAL)
}

/// Reads `name:` and an expression between two numbers, both allowed; `None`, and nothing taken, if another modifier comes
/// next. A negative number gives its bits.
///
/// # Errors
/// If no expression follows or its value lies outside; `rule` says what is allowed.
pub fn keyed(
    asm: &mut Asm<'_, '_>,
    name: &str,
    low: i64,
    high: i64,
    rule: &'static str,
) -> Result<Option<u32>, ParseError> {
    if key(asm, name) { expression_in(asm, low, high, rule).map(Some) } else { Ok(None) }
}

/// Reads whole vector registers, as many as come next.
///
/// # Errors
/// If something else comes next.
pub fn vectors(asm: &mut Asm<'_, '_>) -> Result<Registers, ParseError> {
    let start = asm.input.at();
    match registers(asm)?.filter(|r| r.file == File::Vgpr && r.half.is_none()) {
        Some(r) => Ok(r),
        None => {
            asm.input.go(start);
            Err(asm.expected("vector registers"))
        }
    }
}

/// Reads whole vector registers: any number of them while the rest of the line is unknown, and then as many as
/// `dwords` finds that the instruction takes.
///
/// # Errors
/// As [`vector`].
pub fn late_vector(asm: &mut Asm<'_, '_>, dwords: fn(&Cx<'_, Rdna3>) -> u8) -> Result<u32, ParseError> {
    if asm.late {
        let dwords = dwords(&asm.cx());
        vector(asm, dwords)
    } else {
        Ok(u32::from(vectors(asm)?.first))
    }
}
