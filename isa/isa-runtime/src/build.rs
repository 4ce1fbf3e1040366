//! What typed builders of all instruction sets share: a line under construction, and what slots ask of types.
//!
//! A builder is a template (`v_add_f32 {d}, {s0}, {s1}`), a value for each name in it, and modifiers. It is finished by
//! writing it as text and reading that strictly, so that builders, text and `asm!` have one parser and one legality.

use core::fmt;

use crate::{Fault, Isa, Options, Text, parse};

/// A type of operands that takes `N` 32-bit registers.
#[diagnostic::on_unimplemented(
    message = "an operand of type `{Self}` is not {N} x 32 bits wide",
    label = "registers of {N} x 32 bits",
    note = "8, 16 and 32 bits (`U8`, `F16`, `F16x2`, `B32`) take one register, 64 bits two, 96 three, 128 four",
    note = "ranges have their width in the type: `vgpr!(4)` and `v(4)` are one register, `vgpr!(4..=5)` and `Vgprs::<2>::new(4)?` are two; so are scalar registers"
)]
pub trait Dwords<const N: usize> {}

/// A type of operands of 16 bits, which vector registers hold in either half.
#[diagnostic::on_unimplemented(
    message = "an operand of type `{Self}` is no half of a register",
    label = "half a register, where whole ones are needed",
    note = "only operands of 16 bits are halves: leave `.lo()` or `.hi()` out"
)]
pub trait Half {}

/// A type of operands that whole vector registers hold.
#[diagnostic::on_unimplemented(
    message = "an operand of type `{Self}` is half a register",
    label = "a whole register, where a half is needed",
    note = "say which half is meant: `v(0).lo()` is bits 15 to 0, `v(0).hi()` bits 31 to 16"
)]
pub trait Whole {}

/// A type of operands that is narrow enough for scalar registers and constants.
#[diagnostic::on_unimplemented(
    message = "an operand of type `{Self}` can be in vector registers only",
    label = "no vector registers",
    note = "constants and scalar sources have up to 64 bits: name vector registers, such as `vgpr!(0..=3)`"
)]
pub trait Narrow {}

/// A type of operands that a floating-point constant can stand for.
#[diagnostic::on_unimplemented(
    message = "an operand of type `{Self}` takes no floating-point constant",
    label = "a floating-point number, where `{Self}` is an integer",
    note = "write an integer; if the bits of the number are meant, `1.0f32.to_bits()`"
)]
pub trait TakesFloat {}

/// How many bytes of text modifiers take at most.
const MODIFIERS: usize = 120;

/// A line under construction: its template and its modifiers as text.
#[derive(Clone, Copy)]
pub struct Draft {
    template: &'static str,
    modifiers: [u8; MODIFIERS],
    len: u8,
    fault: Option<&'static str>,
}

impl fmt::Debug for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.template, self.modifiers())
    }
}

impl Draft {
    /// A line without modifiers. The template has `{name}` where the operand of that name stands.
    #[must_use]
    pub const fn new(template: &'static str) -> Self {
        Draft { template, modifiers: [0; MODIFIERS], len: 0, fault: None }
    }

    fn modifiers(&self) -> &str {
        let bytes = self.modifiers.get(..usize::from(self.len)).unwrap_or_default();
        core::str::from_utf8(bytes).unwrap_or_default()
    }

    /// Adds a modifier: its name, and what `value` writes behind it. A modifier that is there already is a fault that
    /// [`finish`](Self::finish) reports.
    pub fn modifier(&mut self, name: &str, value: impl FnOnce(&mut Text)) {
        let same = |word: &str| word.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
        if self.modifiers().split(' ').any(same) {
            self.fault = Some("a modifier is given twice");
            return;
        }
        let mut text = Text::new();
        text.push_ascii(b' ');
        text.push(name);
        value(&mut text);
        let (start, end) = (usize::from(self.len), usize::from(self.len) + text.len());
        match self.modifiers.get_mut(start..end) {
            Some(to) => {
                to.copy_from_slice(text.as_str().as_bytes());
                self.len = end as u8;
            }
            None => self.fault = Some("these are more modifiers than any instruction has"),
        }
    }

    /// The names of the operands, in order.
    pub fn operands(&self) -> impl Iterator<Item = &'static str> {
        self.template.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0))
    }

    /// Notes what is wrong with the line, for [`finish`](Self::finish) to report.
    pub fn fail(&mut self, rule: &'static str) {
        self.fault = Some(rule);
    }

    /// Writes the line: `suffix` behind the mnemonic, each operand by `operand`, which gets its name and its number.
    pub fn write(&self, suffix: &str, operand: impl Fn(&'static str, usize, &mut Text), out: &mut Text) {
        self.each(suffix, |name, nth, out| operand(name, nth, out), out);
    }

    fn each(&self, suffix: &str, mut operand: impl FnMut(&'static str, usize, &mut Text), out: &mut Text) {
        let end = self.template.find([' ', '{']).unwrap_or(self.template.len());
        let (mnemonic, mut rest) = self.template.split_at(end);
        out.push(mnemonic);
        out.push(suffix);
        let mut nth = 0;
        while let Some((literal, behind)) = rest.split_once('{') {
            let Some((name, behind)) = behind.split_once('}') else { break };
            out.push(literal);
            operand(name, nth, out);
            nth += 1;
            rest = behind;
        }
        out.push(rest);
        out.push(self.modifiers());
    }

    /// Writes the line and reads it.
    ///
    /// # Errors
    /// What the parser says, at the operand that it says it of.
    pub fn finish<I: Isa>(
        &self,
        suffix: &str,
        operand: impl Fn(&'static str, usize, &mut Text),
        options: Options<I::Mode>,
    ) -> Result<I::Instr, BuildError> {
        if let Some(rule) = self.fault {
            return Err(BuildError { operand: None, fault: Fault::Rule(rule) });
        }
        let mut text = Text::new();
        self.write(suffix, &operand, &mut text);
        parse::<I>(text.as_str(), options).map_err(|error| {
            let mut at = None;
            let mut again = Text::new();
            // A fault of the whole line begins at an operand too, but goes on behind it.
            let place = |name, nth, out: &mut Text| {
                let start = out.len();
                operand(name, nth, out);
                let inside = start <= error.start && error.start < out.len() && error.end <= out.len();
                // A rule that a value breaks once it is read is reported behind it.
                let behind = matches!(error.fault, Fault::Rule(_)) && start < out.len() && error.start == out.len();
                if inside || behind {
                    at = Some(name);
                }
            };
            self.each(suffix, place, &mut again);
            BuildError { operand: at, fault: error.fault }
        })
    }
}

/// Why operands and modifiers, each well typed, make no instruction together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BuildError {
    /// The name of the operand at fault, if it is one.
    pub operand: Option<&'static str>,
    /// What is wrong.
    pub fault: Fault,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(operand) = self.operand {
            write!(f, "{operand}: ")?;
        }
        self.fault.fmt(f)
    }
}

impl core::error::Error for BuildError {}
