//! Readers that many kinds share: registers, numbers, sources, `name:value` modifiers.

use isa::{Class, ParseError, Type};

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

/// Whether registers are as many as an operand of `dwords` takes; NULL is always.
#[must_use]
pub fn fits(r: Registers, dwords: u8) -> bool {
    r.file == File::Null || r.count == dwords
}

/// Reads `dwords` scalar registers and gives their code.
///
/// # Errors
/// If something else comes next, or registers of another width.
pub fn scalar(asm: &mut Asm<'_, '_>, dwords: u8) -> Result<u32, ParseError> {
    let start = asm.input.at();
    let read = registers(asm)?;
    let code = read.filter(|r| fits(*r, dwords)).and_then(scalar_code);
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
    asm.input.signed().map(Number::Integer)
}

/// The 32 bits that a literal of this type holds for a constant; `None` if it does not fit.
#[must_use]
pub fn literal_bits(n: Number, ty: Type) -> Option<u32> {
    match n {
        Number::Integer(n) => i32::try_from(n).map(|n| n as u32).or_else(|_| u32::try_from(n)).ok(),
        Number::Float(f) if ty.total_bits() == 64 => Some((f.to_bits() >> 32) as u32),
        Number::Float(f) => Some((f as f32).to_bits()),
    }
}

/// The code of the inline constant that stands for a constant in an operand of this type.
#[must_use]
pub fn inline_code(n: Number, ty: Type) -> Option<u32> {
    match n {
        Number::Integer(n @ 0..=64) => Some(128 + n as u32),
        Number::Integer(n @ -16..=-1) => Some((192 - n) as u32),
        Number::Integer(n) => {
            let bits = u32::try_from(n).ok()?;
            let same = |f: &super::InlineFloat| match (ty.bits(), ty.class()) {
                (16, Class::BFloat) => f.bf16 == bits,
                (16, _) => f.f16 == bits,
                _ => f.f32 == bits,
            };
            INLINE_FLOATS.iter().position(same).filter(|_| ty.bits() != 64).map(|i| 240 + i as u32)
        }
        Number::Float(0.0) => Some(128).filter(|_| f64::is_sign_positive(0.0)),
        Number::Float(f) => {
            let bits = (f as f32).to_bits();
            INLINE_FLOATS.iter().position(|c| c.f32 == bits).map(|i| 240 + i as u32)
        }
    }
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
        let Some(code) = code.filter(|_| fits(r, ty.dwords()) && r.half.is_none()) else {
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
    if let Some((code, _)) = SPECIALS.iter().find(|(code, name)| *name == word && source_codes(ty).has(*code)) {
        asm.input.word();
        return Ok(*code);
    }
    let forced = asm.input.eat_word("lit");
    if forced && !asm.input.eat("(") {
        return Err(asm.expected("`(`"));
    }
    let Some(n) = number(asm) else { return Err(asm.expected("a register or a constant")) };
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
