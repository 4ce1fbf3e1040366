//! Numbers as text has them.

pub use isa_runtime::Constant as Number;
use isa_runtime::{Asm, ErrorKind, Extent, Isa, ParseError, Text};

use crate::expression::{expression, expression_in, numbers};
use crate::symbol::known_operand;

/// Reads a constant with its sign; `None`, and nothing taken, if none comes next.
pub fn number<I: Isa>(asm: &mut Asm<'_, '_, I>) -> Option<Number> {
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

/// Reads a constant between the bars of an absolute value: no expression but one in parentheses, since a bar would be a
/// part of it. `None`, and nothing taken, if none comes next.
///
/// # Errors
/// An expression that has no value, or none that is known here.
pub fn constant_in_bars<I: Isa>(asm: &mut Asm<'_, '_, I>) -> Result<Option<Number>, ParseError> {
    match known_operand(asm, Extent::Primary)? {
        Some(n) => Ok(Some(Number::Integer(n))),
        None => Ok(number(asm)),
    }
}

/// Reads a constant, which may be a floating-point number. `lit(…)` around it is accepted and ignored.
///
/// # Errors
/// If none comes next.
pub fn constant<I: Isa>(asm: &mut Asm<'_, '_, I>) -> Result<Number, ParseError> {
    let forced = asm.input.eat_word("lit") || asm.input.eat_word("lit64");
    if forced && !asm.input.eat("(") {
        return Err(asm.expected("`(`"));
    }
    let start = asm.input.at();
    let negative = asm.input.eat("-");
    let value = match asm.input.float() {
        Some(f) => Number::Float(if negative { -f } else { f }),
        None => {
            asm.input.go(start);
            match known_operand(asm, Extent::Full)? {
                Some(n) => Number::Integer(n),
                None => Number::Integer(numbers(asm)?),
            }
        }
    };
    if forced && !asm.input.eat(")") {
        return Err(asm.expected("`)`"));
    }
    Ok(value)
}

/// Reads a constant of which the caller keeps the lowest bits. A floating-point number has the bits of the double.
///
/// # Errors
/// If none comes next.
pub fn constant_bits<I: Isa>(asm: &mut Asm<'_, '_, I>) -> Result<i64, ParseError> {
    Ok(match constant(asm)? {
        Number::Integer(n) => n,
        Number::Float(f) => f.to_bits() as i64,
    })
}

/// Reads a constant that may be an expression of integers; `None`, and nothing taken, if none comes next.
///
/// # Errors
/// An expression that has no value, or none that is known here.
pub fn constant_value<I: Isa>(asm: &mut Asm<'_, '_, I>) -> Result<Option<Number>, ParseError> {
    let start = asm.input.at();
    if let Some(n) = known_operand(asm, Extent::Full)? {
        return Ok(Some(Number::Integer(n)));
    }
    let read = number(asm);
    let goes_on = match asm.input.peek() {
        Some(b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'<' | b'>') => {
            matches!(read, Some(Number::Integer(_)))
        }
        // `!` may begin `!=` there, and `=` is `==`.
        Some(b'=') => matches!(read, Some(Number::Integer(_))),
        Some(b'!') if matches!(read, Some(Number::Integer(_))) => asm.input.rest().starts_with("!="),
        Some(b'(' | b'~' | b'!') => read.is_none(),
        _ => false,
    };
    // A sign may stand before parentheses.
    if goes_on || read.is_none() && matches!(asm.input.peek(), Some(b'-' | b'+')) {
        asm.input.go(start);
        return numbers(asm).map(|n| Some(Number::Integer(n)));
    }
    Ok(read)
}

/// Reads an integer, which may be an expression; `what` says what it is.
///
/// # Errors
/// If none comes next, or an expression that has no value.
pub fn integer<I: Isa>(asm: &mut Asm<'_, '_, I>, what: &'static str) -> Result<i64, ParseError> {
    let start = asm.input.at();
    let before = *asm.input;
    let fraction = asm.input.float().is_some();
    *asm.input = before;
    if fraction {
        return Err(asm.expected(what));
    }
    expression(asm).map_err(|error| {
        let better = error.start > start || error.kind == ErrorKind::Later;
        if better { error } else { asm.expected(what) }
    })
}

/// Reads an integer between two others, both allowed.
///
/// # Errors
/// If none comes next or it lies outside; `rule` says what is allowed.
pub fn integer_in<I: Isa>(
    asm: &mut Asm<'_, '_, I>,
    low: i64,
    high: i64,
    rule: &'static str,
) -> Result<i64, ParseError> {
    let start = asm.input.at();
    let n = integer(asm, "an integer")?;
    if (low..=high).contains(&n) {
        return Ok(n);
    }
    asm.input.go(start);
    Err(asm.rule(rule))
}

/// Writes a number in hexadecimal, with its sign.
pub fn write_signed_hex(value: i32, out: &mut Text) {
    if value < 0 {
        out.push_ascii(b'-');
    }
    out.hex(value.unsigned_abs());
}

/// Takes `name` and the parenthesis behind it, if both come next: alone, the name is a symbol.
pub fn call<I: Isa>(asm: &mut Asm<'_, '_, I>, name: &str) -> bool {
    let start = asm.input.at();
    if asm.input.eat_word(name) && asm.input.eat("(") {
        return true;
    }
    asm.input.go(start);
    false
}

/// Takes `name:` if it comes next.
pub fn key<I: Isa>(asm: &mut Asm<'_, '_, I>, name: &str) -> bool {
    let start = asm.input.at();
    if asm.input.eat_word(name) && asm.input.eat(":") {
        return true;
    }
    asm.input.go(start);
    false
}

/// Reads `name:` and an expression between two numbers, both allowed; `None`, and nothing taken, if another modifier comes
/// next. A negative number gives its bits.
///
/// # Errors
/// If no expression follows or its value lies outside; `rule` says what is allowed.
pub fn keyed<I: Isa>(
    asm: &mut Asm<'_, '_, I>,
    name: &str,
    low: i64,
    high: i64,
    rule: &'static str,
) -> Result<Option<u32>, ParseError> {
    if key(asm, name) { expression_in(asm, low, high, rule).map(Some) } else { Ok(None) }
}
