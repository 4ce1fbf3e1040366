//! Errors of the parser.

use core::fmt;

use crate::parse::scan::is_in_word;
use crate::{ErrorKind, Scanner};

/// An error of the parser, with its position in the line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ParseError {
    /// The start of the offending text, in bytes from the start of the line.
    pub start: usize,
    /// The end of the offending text.
    pub end: usize,
    /// The error.
    pub kind: ErrorKind,
}

impl ParseError {
    /// Returns whether this error takes precedence over that of another encoding variant: a legality rule over other errors,
    /// then the later position, then a broken rule over an unexpected token.
    pub(crate) fn takes_precedence(&self, other: &Self) -> bool {
        // A number of registers with a reason, such as the width of a lane mask, is the most specific: an encoding variant
        // without the mask reads it as a source and finds an operand too many.
        let is_explained = |e: &Self| matches!(e.kind, ErrorKind::Registers(_, why) if !why.is_empty());
        let is_surplus = |e: &Self| matches!(e.kind, ErrorKind::Modifier(None));
        if is_explained(self) && is_surplus(other) || is_surplus(self) && is_explained(other) {
            return is_explained(self);
        }
        let rank = |e: &Self| match e.kind {
            ErrorKind::Forbidden(_) => (true, e.start, 0),
            ErrorKind::Registers(..) if is_explained(e) => (false, e.start, 2),
            ErrorKind::Rule(_) => (false, e.start, 1),
            _ => (false, e.start, 0),
        };
        rank(self) > rank(other)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl core::error::Error for ParseError {}

/// Returns an error at the next operand.
pub(crate) fn error_here(input: &mut Scanner<'_>, kind: ErrorKind) -> ParseError {
    let start = input.at();
    ParseError { start, end: start + operand_length(input.rest()), kind }
}

/// Returns the length of the operand at the start of a text: signs, a word or a number, and brackets after it.
pub(crate) fn operand_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let run = |from: usize, of: fn(&u8) -> bool| bytes.iter().skip(from).take_while(|b| of(b)).count();
    let signs = run(0, |b| matches!(b, b'-' | b'+' | b'|'));
    let mut end = signs + run(signs, |b| is_in_word(*b));
    let close = match bytes.get(end) {
        Some(b'[') => b']',
        Some(b'(') => b')',
        _ => 0,
    };
    if let Some(inside) = bytes.iter().skip(end).position(|b| *b == close) {
        end += inside + 1;
    }
    if end > 0 { end } else { text.chars().next().map_or(0, char::len_utf8) }
}
