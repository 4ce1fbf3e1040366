//! Constants in assembly text: integers, floating-point numbers and expressions of integers.

use super::Syntax;
use super::expression::{known_operand, numbers};
use super::signs::Signs;
use crate::tables::Isa;
use crate::{Asm, Constant, Extent, ParseError};

/// Reads a floating-point number, perhaps with a `-`; `None`, and nothing taken, if none comes next.
fn float<I: Isa>(asm: &mut Asm<'_, '_, I>) -> Option<Constant> {
    let start = asm.input.at();
    let negative = asm.input.eat("-");
    let found = asm.input.float();
    if found.is_none() {
        asm.input.go(start);
    }
    found.map(|f| Constant::Float(if negative { -f } else { f }))
}

/// Reads a constant with its sign; `None`, and nothing taken, if none comes next.
fn number<I: Isa>(asm: &mut Asm<'_, '_, I>) -> Option<Constant> {
    let start = asm.input.at();
    if let Some(float) = float(asm) {
        return Some(float);
    }
    if let Some(n) = asm.input.signed() {
        return Some(Constant::Integer(n));
    }
    // After any other signs LLVM takes the bits of the double as an integer.
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
    Some(Constant::Integer(if negative { bits.wrapping_neg() } else { bits }))
}

/// Reads a constant between the bars of an absolute value: no expression but one in parentheses, since a bar would be a
/// part of it. `None`, and nothing taken, if none comes next.
///
/// # Errors
/// An expression that has no value, or none that is known here.
fn constant_in_bars<I: Isa, S: Syntax>(asm: &mut Asm<'_, '_, I>) -> Result<Option<Constant>, ParseError> {
    match known_operand::<I, S>(asm, Extent::Primary)? {
        Some(n) => Ok(Some(Constant::Integer(n))),
        None => Ok(number(asm)),
    }
}

/// Reads a constant after its signs, and `)` after it if the text before it is `lit(`, which `is_forced` says. Between bars it is
/// no expression. Returns the constant and `is_forced`. Returns `None`, and takes nothing, if something else comes next.
///
/// # Errors
/// An expression that has no value, or none that is known here; `lit(` without a constant or without `)`.
pub fn constant_after_signs<I: Isa, S: Syntax>(
    asm: &mut Asm<'_, '_, I>,
    signs: Signs,
    is_forced: bool,
) -> Result<Option<(Constant, bool)>, ParseError> {
    let constant = if signs.has_bars { constant_in_bars::<I, S>(asm)? } else { constant_value::<I, S>(asm)? };
    if is_forced && constant.is_none() {
        return Err(asm.expected("a number"));
    }
    if is_forced && !asm.input.eat(")") {
        return Err(asm.expected("`)`"));
    }
    Ok(constant.map(|constant| (constant, is_forced)))
}

/// Reads a constant, which may be a floating-point number. `lit(…)` around it is accepted and ignored.
///
/// # Errors
/// If none comes next.
pub fn constant<I: Isa, S: Syntax>(asm: &mut Asm<'_, '_, I>) -> Result<Constant, ParseError> {
    let forced = asm.input.eat_word("lit") || asm.input.eat_word("lit64");
    if forced && !asm.input.eat("(") {
        return Err(asm.expected("`(`"));
    }
    let value = match float(asm) {
        Some(float) => float,
        None => match known_operand::<I, S>(asm, Extent::Full)? {
            Some(n) => Constant::Integer(n),
            None => Constant::Integer(numbers(asm)?),
        },
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
pub fn constant_bits<I: Isa, S: Syntax>(asm: &mut Asm<'_, '_, I>) -> Result<i64, ParseError> {
    Ok(match constant::<I, S>(asm)? {
        Constant::Integer(n) => n,
        Constant::Float(f) => f.to_bits() as i64,
    })
}

/// Reads a constant that may be an expression of integers; `None`, and nothing taken, if none comes next.
///
/// # Errors
/// An expression that has no value, or none that is known here.
pub fn constant_value<I: Isa, S: Syntax>(asm: &mut Asm<'_, '_, I>) -> Result<Option<Constant>, ParseError> {
    let start = asm.input.at();
    if let Some(n) = known_operand::<I, S>(asm, Extent::Full)? {
        return Ok(Some(Constant::Integer(n)));
    }
    let read = number(asm);
    let goes_on = match asm.input.peek() {
        // `=` begins `==`.
        Some(b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'<' | b'>' | b'=') => {
            matches!(read, Some(Constant::Integer(_)))
        }
        Some(b'!') => matches!(read, None | Some(Constant::Integer(_))),
        Some(b'(' | b'~') => read.is_none(),
        _ => false,
    };
    // A sign may stand before parentheses.
    if goes_on || read.is_none() && matches!(asm.input.peek(), Some(b'-' | b'+')) {
        asm.input.go(start);
        return numbers(asm).map(|n| Some(Constant::Integer(n)));
    }
    Ok(read)
}
