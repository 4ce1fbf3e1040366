//! Errors of the parser.

use core::fmt;

use crate::parse::scan::is_in_word;
use crate::{Scanner, TooFar};

/// The rule for registers that do not begin with a multiple of their number.
pub(crate) const MISALIGNED: &str =
    "these registers are misaligned: a pair begins with an even one, more with a multiple of four";
/// The rule for a half of a register where the operand is a whole one.
pub(crate) const NO_HALF: &str = "this operand is a whole register, not a half";
/// The rule for a half whose register has a number that leaves no bit for it.
pub(crate) const HALF_OUT_OF_REACH: &str = "this encoding reaches halves of v0 to v127 only";

/// A legality rule that an instruction breaks: the error of [`Isa::legal`](crate::Isa::legal).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Forbidden {
    /// The role of the operand that breaks the rule.
    pub operand: &'static str,
    /// The rule, as a sentence.
    pub rule: &'static str,
    /// How to fix it.
    pub help: &'static str,
}

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

/// The kinds of errors of the parser.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No row has this mnemonic. A similar one, if there is one.
    Mnemonic(Option<&'static str>),
    /// The instruction has no such operand or modifier. A similar one, if there is one.
    Modifier(Option<&'static str>),
    /// Another instruction follows on the line.
    NextInstruction,
    /// The parser expected something else.
    Expected(&'static str),
    /// The parser expected this text, which the template has around operands.
    Text(&'static str),
    /// The parser expected one of several names. A similar one, if there is one.
    Name(&'static str, Option<&'static str>),
    /// The operand takes no expression whose value is not known yet.
    Later,
    /// A rule that the operand breaks, as a sentence.
    Rule(&'static str),
    /// A legality rule between operands, each of which is valid by itself.
    Forbidden(Forbidden),
    /// The operand takes this number of registers. The reason, as the end of a sentence, or an empty string.
    Registers(u8, &'static str),
    /// The operands require this modifier (`true`) or exclude it.
    Modified(&'static str, bool),
    /// The instruction exists in this mode only.
    Mode(&'static str),
    /// No encoding holds these operands, each of which is valid by itself. The field that cannot hold its operand, if known.
    Encoding(Option<&'static str>),
    /// A branch cannot reach its label.
    Branch(TooFar),
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

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ErrorKind::Mnemonic(None) => f.write_str("unknown mnemonic"),
            ErrorKind::Mnemonic(Some(near)) => write!(f, "unknown mnemonic; there is `{near}`"),
            ErrorKind::Modifier(None) => f.write_str("this instruction has no such operand or modifier"),
            ErrorKind::Modifier(Some(near)) => write!(f, "this instruction has no such modifier; there is `{near}`"),
            ErrorKind::Name(what, None) => write!(f, "expected {what}"),
            ErrorKind::Name(what, Some(near)) => write!(f, "expected {what}; there is `{near}`"),
            ErrorKind::Forbidden(Forbidden { rule, help, .. }) => write!(f, "{rule}; {help}"),
            ErrorKind::Registers(count, why) => {
                let s = if count == 1 { "" } else { "s" };
                write!(f, "this operand takes {count} register{s}{why}")
            }
            ErrorKind::Modified(name, true) => {
                write!(f, "with these operands the instruction needs `{name}`: write it")
            }
            ErrorKind::Modified(name, false) => {
                write!(
                    f,
                    "with these operands the instruction cannot have `{name}`: remove it, or write the operands that it needs"
                )
            }
            ErrorKind::Mode(mode) => write!(f, "this instruction exists in mode {mode} only"),
            ErrorKind::NextInstruction => {
                f.write_str("expected the end of the line: write each instruction on a separate line")
            }
            ErrorKind::Expected(what) => write!(f, "expected {what}"),
            ErrorKind::Text(text) => write!(f, "expected `{text}`"),
            ErrorKind::Later => f.write_str("expected an expression whose value is known here"),
            ErrorKind::Rule(rule) => f.write_str(rule),
            ErrorKind::Branch(far) => far.fmt(f),
            ErrorKind::Encoding(None) => f.write_str("no encoding of this instruction holds these operands"),
            ErrorKind::Encoding(Some(field)) => {
                write!(f, "no encoding of this instruction holds these operands: {field} cannot hold what is written")
            }
        }
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
