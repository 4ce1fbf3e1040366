//! A line with its operands, and why it makes no instruction.

use core::fmt;

use isa_runtime::build::Draft;
use isa_runtime::{Fault, Isa, Options, Text, ToText};

use super::Arg;

/// The most operands that text has.
const OPERANDS: usize = 5;

/// A line under construction: a template, its operands with their signs, and modifiers.
#[derive(Clone, Copy, Debug)]
pub struct Filled {
    draft: Draft,
    args: [Arg; OPERANDS],
    /// Which operands are negated, a bit each.
    neg: u8,
    /// Of which operands the absolute value is taken, a bit each.
    abs: u8,
}

/// Why operands and modifiers, each well typed, make no instruction together. `V` is a rule that an instruction breaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BuildError<V> {
    /// What the parser says of the operands as they are written.
    Operand(isa_runtime::build::BuildError),
    /// The instruction breaks a rule between its operands.
    Illegal(V),
}

impl<V: fmt::Display> fmt::Display for BuildError<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Operand(error) => error.fmt(f),
            BuildError::Illegal(violation) => violation.fmt(f),
        }
    }
}

impl<V: fmt::Debug + fmt::Display> core::error::Error for BuildError<V> {}

impl<V> BuildError<V> {
    /// A rule that is broken before there is an instruction, by the operand of this name if it is one.
    #[must_use]
    pub const fn rule(operand: Option<&'static str>, rule: &'static str) -> Self {
        BuildError::Operand(isa_runtime::build::BuildError { operand, fault: Fault::Rule(rule) })
    }
}

impl Filled {
    /// The operands in the order of the template, which is as in [`Draft::new`].
    #[must_use]
    pub fn new(template: &'static str, given: &[Arg]) -> Self {
        let mut args = [Arg::Nothing; OPERANDS];
        for (to, from) in args.iter_mut().zip(given) {
            *to = *from;
        }
        Filled { draft: Draft::new(template), args, neg: 0, abs: 0 }
    }

    /// Adds a modifier, as [`Draft::modifier`] does.
    pub fn modifier(&mut self, name: &str, value: impl FnOnce(&mut Text)) {
        self.draft.modifier(name, value);
    }

    /// The bit of the operand that is source `n`; where there is none, none, and a fault to report.
    fn source(&mut self, n: u8) -> u8 {
        let at = self.draft.operands().position(|name| name.as_bytes() == [b's', b'0'.wrapping_add(n)]);
        match at {
            Some(at) => 1 << at,
            None => {
                self.draft.fail("the instruction has no source of this number: `s0` is 0, `s1` is 1, `s2` is 2");
                0
            }
        }
    }

    /// Negates a source.
    pub fn negate(&mut self, source: u8) {
        self.neg |= self.source(source);
    }

    /// Takes the absolute value of a source, which its sign comes after.
    pub fn absolute(&mut self, source: u8) {
        self.abs |= self.source(source);
    }

    fn operand(&self, nth: usize, out: &mut Text) {
        let Some(arg) = self.args.get(nth) else { return };
        let (neg, abs) = (self.neg >> nth & 1 == 1, self.abs >> nth & 1 == 1);
        if neg {
            out.push("neg(");
        }
        if abs {
            out.push("abs(");
        }
        arg.write_to(out);
        for _ in 0..u8::from(neg) + u8::from(abs) {
            out.push_ascii(b')');
        }
    }

    /// Writes the line, with `suffix` behind the mnemonic.
    pub fn write(&self, suffix: &str, out: &mut Text) {
        self.draft.write(suffix, |_, nth, out| self.operand(nth, out), out);
    }

    /// Whether all operands are values.
    ///
    /// # Errors
    /// The rule of the first that is none.
    pub fn check<V>(&self) -> Result<(), BuildError<V>> {
        for (name, arg) in self.draft.operands().zip(&self.args) {
            if let Arg::Fault(rule) = arg {
                return Err(BuildError::rule(Some(name), rule));
            }
        }
        Ok(())
    }

    /// Writes the line and reads it.
    ///
    /// # Errors
    /// As [`Draft::finish`].
    pub fn finish<I: Isa>(
        &self,
        suffix: &str,
        options: Options<I::Mode>,
    ) -> Result<I::Instr, isa_runtime::build::BuildError> {
        self.draft.finish::<I>(suffix, |_, nth, out| self.operand(nth, out), options)
    }

    /// The instruction, if it obeys the rules that `check` asks.
    ///
    /// # Errors
    /// The rule that it breaks, or else what the parser says.
    pub fn build<I: Isa, V>(
        &self,
        suffix: &str,
        mode: I::Mode,
        check: impl Fn(&I::Instr) -> Result<(), V>,
    ) -> Result<I::Instr, BuildError<V>> {
        self.check()?;
        let error = match self.finish::<I>(suffix, Options::from(mode)) {
            // Of what only the guide forbids, text lets pass what a builder refuses.
            Ok(instr) => return check(&instr).map(|()| instr).map_err(BuildError::Illegal),
            Err(error) => error,
        };
        // A rule between operands knows the operand that it is broken by.
        let lenient = self.finish::<I>(suffix, Options { mode, lenient: true });
        Err(match lenient.ok().and_then(|instr| check(&instr).err()) {
            Some(violation) => BuildError::Illegal(violation),
            None => BuildError::Operand(error),
        })
    }
}
