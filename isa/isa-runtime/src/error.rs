//! The errors that the parser and the encoder of operand-level instructions have in common.

use core::fmt;

use crate::TooFar;

/// The rule for registers that do not begin with a multiple of their number.
#[cfg(any(feature = "parse", feature = "inst"))]
pub(crate) const MISALIGNED: &str =
    "these registers are misaligned: a pair begins with an even one, more with a multiple of four";
/// The rule for a half of a register where the operand is a whole one.
#[cfg(any(feature = "parse", feature = "inst"))]
pub(crate) const NO_HALF: &str = "this operand is a whole register, not a half";
/// The rule for a half whose register has a number that leaves no bit for it.
#[cfg(any(feature = "parse", feature = "inst"))]
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

/// The kinds of errors of the parser and of the encoder of operand-level instructions.
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
    /// A legality rule between operands. Each is valid by itself.
    Forbidden(Forbidden),
    /// The operand takes this number of registers. The reason, as the end of a sentence, or an empty string.
    Registers(u8, &'static str),
    /// The operands require this modifier (`true`) or exclude it.
    Modified(&'static str, bool),
    /// The instruction exists in this mode only.
    Mode(&'static str),
    /// No encoding holds these operands together. Each is valid by itself. The field that cannot hold its operand, if known.
    Encoding(Option<&'static str>),
    /// A branch cannot reach its label.
    Branch(TooFar),
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
