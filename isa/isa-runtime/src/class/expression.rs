//! Constant expressions in assembly text: numbers, names and symbols, and operators on them.

use super::Syntax;
use crate::tables::Isa;
use crate::{Asm, ErrorKind, Extent, ParseError, Resolution, Symbolic};

/// How deep parentheses and signs may nest.
const DEEPEST: u8 = 32;

/// The lowest precedence: a whole expression.
const WHOLE: u8 = EITHER;
const EITHER: u8 = 0;
const BOTH: u8 = 1;
const RELATION: u8 = 2;
const SUM: u8 = 3;
const BITS: u8 = 4;
const PRODUCT: u8 = 5;
/// Parses a number with its signs, the operand of all operators.
const SIGNED: u8 = 6;

/// An operator: its symbol, its precedence, and its function, which returns `None` if there is no value.
#[allow(clippy::type_complexity)]
type Operator = (&'static str, u8, fn(i64, i64) -> Option<i64>);

/// The operators. A symbol precedes its prefixes. As in GNU's assembler, bit operations have a higher precedence than sums, and
/// relations that hold are all ones. Shifts by less than 0 or more than 63 have no value; in LLVM it depends on the host.
static OPERATORS: [Operator; 20] = [
    ("<<", PRODUCT, |a, b| u32::try_from(b).ok().and_then(|b| a.checked_shl(b))),
    (">>", PRODUCT, |a, b| u32::try_from(b).ok().and_then(|b| (a as u64).checked_shr(b)).map(|n| n as i64)),
    ("==", RELATION, |a, b| Some(-i64::from(a == b))),
    ("!=", RELATION, |a, b| Some(-i64::from(a != b))),
    ("<>", RELATION, |a, b| Some(-i64::from(a != b))),
    ("<=", RELATION, |a, b| Some(-i64::from(a <= b))),
    (">=", RELATION, |a, b| Some(-i64::from(a >= b))),
    ("<", RELATION, |a, b| Some(-i64::from(a < b))),
    (">", RELATION, |a, b| Some(-i64::from(a > b))),
    ("&&", BOTH, |a, b| Some(i64::from(a != 0 && b != 0))),
    ("||", EITHER, |a, b| Some(i64::from(a != 0 || b != 0))),
    ("*", PRODUCT, |a, b| Some(a.wrapping_mul(b))),
    ("/", PRODUCT, i64::checked_div),
    ("%", PRODUCT, i64::checked_rem),
    ("|", BITS, |a, b| Some(a | b)),
    ("&", BITS, |a, b| Some(a & b)),
    ("^", BITS, |a, b| Some(a ^ b)),
    ("!", BITS, |a, b| Some(a | !b)),
    ("+", SUM, |a, b| Some(a.wrapping_add(b))),
    ("-", SUM, |a, b| Some(a.wrapping_sub(b))),
];

/// Reads an expression of numbers and symbols.
///
/// # Errors
/// Returns an error if the text is not an expression, if the expression has no value, or if its value is not known yet.
pub fn expression<I: Isa>(asm: &mut Asm<'_, '_, I>) -> Result<i64, ParseError> {
    with_names(asm, |_| None)
}

/// Reads an expression of numbers alone.
///
/// # Errors
/// As [`expression`].
pub(super) fn numbers<I: Isa>(asm: &mut Asm<'_, '_, I>) -> Result<i64, ParseError> {
    operators(asm, |_| None, WHOLE, DEEPEST)
}

/// Reads an expression of numbers, symbols, and the names whose values `named` gives.
///
/// # Errors
/// As [`expression`].
pub fn with_names<I: Isa>(asm: &mut Asm<'_, '_, I>, named: fn(&str) -> Option<i64>) -> Result<i64, ParseError> {
    if asm.has_symbols()
        && named(asm.input.peek_word()).is_none()
        && let Some(value) = known(asm.symbolic(Extent::Full))?
    {
        return Ok(value);
    }
    operators(asm, named, WHOLE, DEEPEST)
}

/// Reads an expression whose value is between `low` and `high`, inclusive.
///
/// # Errors
/// As [`expression`], and `rule` if the value is outside the range.
pub fn expression_in<I: Isa>(
    asm: &mut Asm<'_, '_, I>,
    low: i64,
    high: i64,
    rule: &'static str,
) -> Result<u32, ParseError> {
    let start = asm.input.at();
    let value = expression(asm)?;
    in_range(asm, start, value, low, high, rule)
}

/// Reads an integer, which may be an expression; `what` is the error where there is none.
///
/// # Errors
/// There is none, or an expression that has no value.
pub fn integer<I: Isa>(asm: &mut Asm<'_, '_, I>, what: &'static str) -> Result<i64, ParseError> {
    let start = asm.input.at();
    let before = *asm.input;
    let is_float = asm.input.float().is_some();
    *asm.input = before;
    if is_float {
        return Err(asm.expected(what));
    }
    expression(asm).map_err(|error| {
        let is_better = error.start > start || error.kind == ErrorKind::Later;
        if is_better { error } else { asm.expected(what) }
    })
}

/// Reads an expression over symbols whose value is known, where an operand can be something else, too. Returns `None`, and takes
/// nothing, if something else comes next.
///
/// # Errors
/// An expression whose value is known only later.
pub(super) fn known_operand<I: Isa, S: Syntax>(
    asm: &mut Asm<'_, '_, I>,
    extent: Extent,
) -> Result<Option<i64>, ParseError> {
    known(operand::<I, S>(asm, extent))
}

/// Reads an expression over symbols whose value is known only later, where an operand can be something else, too. Returns
/// `None`, and takes nothing, if something else comes next.
pub fn unknown_operand<I: Isa, S: Syntax>(asm: &mut Asm<'_, '_, I>) -> Option<Symbolic> {
    let start = asm.input.at();
    let found = operand::<I, S>(asm, Extent::Full);
    let found = found.filter(|symbolic| !matches!(symbolic.value, Resolution::Known(_)));
    if found.is_none() {
        asm.input.go(start);
    }
    found
}

/// Reads an expression over symbols, unless a register or a modifier comes next, perhaps after a sign.
fn operand<I: Isa, S: Syntax>(asm: &mut Asm<'_, '_, I>, extent: Extent) -> Option<Symbolic> {
    if !asm.has_symbols() {
        return None;
    }
    let rest = asm.input.rest();
    let behind_sign = rest.strip_prefix('-').map(|rest| rest.trim_start_matches([' ', '\t']));
    let is_other = S::begins_operand(rest) || behind_sign.is_some_and(S::begins_operand);
    if is_other { None } else { asm.symbolic(extent) }
}

/// Returns the value of an expression, which has to be known.
fn known(found: Option<Symbolic>) -> Result<Option<i64>, ParseError> {
    match found {
        None => Ok(None),
        Some(Symbolic { value: Resolution::Known(value), .. }) => Ok(Some(value)),
        Some(Symbolic { start, end, .. }) => Err(ParseError { start, end, kind: ErrorKind::Later }),
    }
}

/// Returns the low 32 bits of a value between `low` and `high`, whose text begins at `start`.
///
/// # Errors
/// `rule` if the value is outside the range.
pub fn in_range<I: Isa>(
    asm: &mut Asm<'_, '_, I>,
    start: usize,
    value: i64,
    low: i64,
    high: i64,
    rule: &'static str,
) -> Result<u32, ParseError> {
    if (low..=high).contains(&value) {
        return Ok(value as u32);
    }
    Err(asm.rule_at(start, rule))
}

/// Reads operands joined by operators of at least the precedence `least`.
fn operators<I: Isa>(
    asm: &mut Asm<'_, '_, I>,
    named: fn(&str) -> Option<i64>,
    least: u8,
    depth: u8,
) -> Result<i64, ParseError> {
    let (mut left, fraction) = signed(asm, named, depth)?;
    // There is no arithmetic on floating-point numbers: the text after one is another operand.
    if fraction {
        return Ok(left);
    }
    loop {
        let rest = asm.input.bytes();
        // The most frequent cases: nothing follows, or a comma.
        if matches!(rest, [] | [b',' | b')', ..]) {
            return Ok(left);
        }
        let found = OPERATORS.iter().find(|(sign, ..)| rest.starts_with(sign.as_bytes()));
        let Some((sign, binds, of)) = found.filter(|(_, binds, _)| *binds >= least) else { return Ok(left) };
        let at = asm.input.at();
        asm.input.eat(sign);
        // Operators of the same precedence are left-associative.
        let right =
            if binds + 1 >= SIGNED { signed(asm, named, depth)?.0 } else { operators(asm, named, binds + 1, depth)? };
        let Some(value) = of(left, right) else {
            asm.input.go(at);
            let is_shift = matches!(*sign, "<<" | ">>");
            let why = if is_shift { "a shift by less than 0 or more than 63" } else { "this division has no result" };
            return Err(asm.rule(why));
        };
        left = value;
    }
}

/// Reads one number, name or expression in parentheses with the signs before it. Returns its value, and whether it is a
/// floating-point number.
fn signed<I: Isa>(
    asm: &mut Asm<'_, '_, I>,
    named: fn(&str) -> Option<i64>,
    depth: u8,
) -> Result<(i64, bool), ParseError> {
    let Some(depth) = depth.checked_sub(1) else { return Err(asm.rule("the expression is nested too deeply")) };
    if asm.input.eat("-") {
        return signed(asm, named, depth).map(|(value, fraction)| (value.wrapping_neg(), fraction));
    }
    if asm.input.eat("+") {
        return signed(asm, named, depth);
    }
    if asm.input.eat("~") {
        return signed(asm, named, depth).map(|(value, _)| (!value, false));
    }
    if asm.input.eat("!") {
        return signed(asm, named, depth).map(|(value, _)| (i64::from(value == 0), false));
    }
    if asm.input.eat("(") {
        let value = operators(asm, named, WHOLE, depth)?;
        return if asm.input.eat(")") { Ok((value, false)) } else { Err(asm.expected("`)`")) };
    }
    if let Some(value) = asm.input.float() {
        // For an operand that takes bits, LLVM uses those of the double.
        return Ok((value.to_bits() as i64, true));
    }
    if let Some(value) = asm.input.integer() {
        return Ok((value as i64, false));
    }
    match named(asm.input.peek_word()) {
        Some(value) => {
            asm.input.word();
            Ok((value, false))
        }
        None => Err(asm.expected("a number")),
    }
}
