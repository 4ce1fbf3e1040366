//! Why a line is no instruction.

use core::fmt;

use crate::{Scanner, TooFar};

/// A rule between operands that an instruction breaks: what [`Isa::legal`](crate::Isa::legal) says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Forbidden {
    /// The role of the operand at fault.
    pub operand: &'static str,
    /// The rule, as a sentence.
    pub rule: &'static str,
    /// What to do about it.
    pub mend: &'static str,
}

/// Why a line is no instruction, and where in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ParseError {
    /// Where the fault begins, in bytes from the beginning of the line.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// No row has this mnemonic; a similar one, if there is one.
    Mnemonic(Option<&'static str>),
    /// No modifier of this instruction is written so; one that is like it, if there is one.
    Modifier(Option<&'static str>),
    /// Something else should stand here.
    Expected(&'static str),
    /// No name that can stand here is written so; one that is like it, if there is one.
    Name(&'static str, Option<&'static str>),
    /// The operand takes no expression whose value is known only later.
    Later,
    /// The rule that the line breaks, as a sentence.
    Rule(&'static str),
    /// A rule between the operands, each of which could stand where it does.
    Forbidden(Forbidden),
    /// The operand takes so many registers; what decides that, as the end of a sentence, or nothing.
    Registers(u8, &'static str),
    /// These operands need this modifier (`true`) or forbid it.
    Modified(&'static str, bool),
    /// The instruction exists in this mode only.
    Mode(&'static str),
    /// The operands are each well formed, but no encoding holds them together; the field at fault, if one is.
    Encoding(Option<&'static str>),
    /// A branch does not reach its label.
    Branch(TooFar),
}

impl ParseError {
    /// Whether this is the better account of a line that two forms refuse: the one that took all of it and found a rule
    /// broken, the one that got further, or names a rule where the other merely waits for something else.
    pub(crate) fn speaks_before(&self, other: &Self) -> bool {
        let rank = |e: &Self| match e.fault {
            Fault::Forbidden(_) => (true, e.start, true),
            Fault::Rule(_) => (false, e.start, true),
            _ => (false, e.start, false),
        };
        rank(self) > rank(other)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fault.fmt(f)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fault::Mnemonic(None) => f.write_str("unknown mnemonic"),
            Fault::Mnemonic(Some(near)) => write!(f, "unknown mnemonic; there is `{near}`"),
            Fault::Modifier(None) => f.write_str("this instruction has no such operand or modifier: leave it out"),
            Fault::Modifier(Some(near)) => write!(f, "this instruction has no such modifier; there is `{near}`"),
            Fault::Name(what, None) => write!(f, "expected {what}"),
            Fault::Name(what, Some(near)) => write!(f, "expected {what}; there is `{near}`"),
            Fault::Forbidden(Forbidden { rule, mend, .. }) => write!(f, "{rule}; {mend}"),
            Fault::Registers(count, why) => {
                let s = if count == 1 { "" } else { "s" };
                write!(f, "this operand takes {count} register{s}{why}")
            }
            Fault::Modified(name, true) => {
                write!(f, "with these operands the instruction needs `{name}`: write it")
            }
            Fault::Modified(name, false) => {
                write!(f, "with these operands the instruction cannot have `{name}`: leave it out")
            }
            Fault::Mode(mode) => write!(f, "this instruction exists in mode {mode} only"),
            Fault::Expected(what) => write!(f, "expected {what}"),
            Fault::Later => f.write_str("expected an expression whose value is known here"),
            Fault::Rule(rule) => f.write_str(rule),
            Fault::Branch(far) => far.fmt(f),
            Fault::Encoding(None) => f.write_str("no encoding of this instruction holds these operands"),
            Fault::Encoding(Some(field)) => {
                write!(f, "no encoding of this instruction holds these operands: {field} cannot hold what is written")
            }
        }
    }
}

impl core::error::Error for ParseError {}

/// A fault at what is written next.
pub(crate) fn fault_here(input: &mut Scanner<'_>, fault: Fault) -> ParseError {
    let start = input.at();
    ParseError { start, end: start + operand_length(input.rest()), fault }
}

/// How many bytes of text make up what is written first: signs, a word or a number, what is in brackets behind it.
pub(crate) fn operand_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let run = |from: usize, of: fn(&u8) -> bool| bytes.iter().skip(from).take_while(|b| of(b)).count();
    let signs = run(0, |b| matches!(b, b'-' | b'+' | b'|'));
    let mut end = signs + run(signs, |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$'));
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
