//! Numbers that text has as a call: `hwreg(HW_REG_MODE, 0, 4)`.

#[cfg(feature = "parse")]
use super::Syntax;
use crate::Text;
#[cfg(feature = "parse")]
use crate::{Asm, ErrorKind, Isa, ParseError};

/// A number that is written as a call, or as the number itself.
#[derive(Debug)]
pub struct Call {
    /// The name of the call.
    pub name: &'static str,
    /// The arguments.
    pub arguments: &'static [Argument],
    /// The names of the first argument's values.
    pub names: &'static [(u8, &'static str)],
    /// Whether a value with a name has no further arguments. Otherwise they are written together, or all left out.
    pub is_alone: bool,
    /// Whether text may have the arguments in braces with their names: `{id: 1, offset: 0}`.
    pub has_braces: bool,
    /// The highest number that text may have in place of the call, and the error for others.
    pub range: (i64, &'static str),
    /// The first argument, in words.
    pub expects: &'static str,
}

/// An argument of a call.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// Its lowest bit.
    pub lo: u8,
    /// Its width in bits.
    pub width: u8,
    /// The argument that the bits 0 stand for.
    pub least: u32,
    /// The argument that text leaves out.
    pub absent: u32,
    /// The error for others than the bits hold.
    pub rule: &'static str,
}

impl Argument {
    const fn of(&self, code: u32) -> u32 {
        (code >> self.lo & ((1 << self.width) - 1)) + self.least
    }

    const fn bits(&self, argument: u32) -> u32 {
        argument.wrapping_sub(self.least) << self.lo
    }

    const fn mask(&self) -> u32 {
        ((1 << self.width) - 1) << self.lo
    }

    /// Reads an argument and returns its bits in place.
    #[cfg(feature = "parse")]
    fn read<I: Isa, S: Syntax>(&self, asm: &mut Asm<'_, '_, I>) -> Result<u32, ParseError> {
        let least = i64::from(self.least);
        S::number(asm, least, least + (1 << self.width) - 1, self.rule).map(|argument| self.bits(argument))
    }
}

impl Call {
    /// Returns the name of a code's first argument.
    #[must_use]
    pub fn name_of(&self, code: u32) -> Option<&'static str> {
        let value = self.arguments.first()?.of(code);
        self.names.iter().find(|(known, _)| u32::from(*known) == value).map(|(_, name)| *name)
    }

    /// Returns whether the text of a code has all of its bits.
    #[must_use]
    pub fn is_valid(&self, code: u32) -> bool {
        !self.is_alone || self.is_first(code) || self.name_of(code).is_none()
    }

    /// Returns whether a code has no bits beside those of the first argument.
    fn is_first(&self, code: u32) -> bool {
        self.arguments.first().is_some_and(|first| code & !first.mask() == 0)
    }

    /// Writes a code.
    pub fn write(&self, code: u32, out: &mut Text) {
        let [first, rest @ ..] = self.arguments else { return };
        let name = self.name_of(code);
        if self.is_alone && name.is_none() && !self.is_first(code) {
            return out.dec(code);
        }
        out.push(self.name);
        out.push_ascii(b'(');
        match name {
            Some(name) => out.push(name),
            None => out.dec(first.of(code)),
        }
        // The first argument has the bits of the others if they have none.
        let others = if self.is_alone { code & !first.mask() } else { code };
        let is_usual = || rest.iter().all(|argument| argument.of(others) == argument.absent);
        if if self.is_alone { name.is_none() } else { !is_usual() } {
            for argument in rest {
                out.push(", ");
                out.dec(argument.of(others));
            }
        }
        out.push_ascii(b')');
    }
}

#[cfg(feature = "parse")]
impl Call {
    /// Returns the bits of all arguments that text may leave out.
    fn absent(&self) -> u32 {
        self.arguments.iter().fold(0, |code, argument| code | argument.bits(argument.absent))
    }

    /// Reads a call, or a number in its place.
    ///
    /// # Errors
    /// Returns an error for an invalid argument, or for a number outside the range.
    pub fn read<I: Isa, S: Syntax>(&self, asm: &mut Asm<'_, '_, I>) -> Result<u32, ParseError> {
        let start = asm.input.at();
        if asm.input.eat_word(self.name) && asm.input.eat("(") {
            return self.read_arguments::<I, S>(asm);
        }
        asm.input.go(start);
        if self.has_braces && asm.input.eat("{") {
            return self.read_braces::<I, S>(asm);
        }
        if self.is_alone {
            asm.state_bits();
        }
        S::number(asm, 0, self.range.0, self.range.1)
    }

    /// Reads the arguments after the parenthesis.
    fn read_arguments<I: Isa, S: Syntax>(&self, asm: &mut Asm<'_, '_, I>) -> Result<u32, ParseError> {
        let [first, rest @ ..] = self.arguments else { return Ok(0) };
        let word = asm.input.peek_word();
        let named = self.names.iter().find(|(_, name)| *name == word);
        let mut code = match named {
            Some((value, _)) => {
                asm.input.take(word);
                first.bits(u32::from(*value))
            }
            None => first.read::<I, S>(asm).or_else(|error| self.unknown(asm, error))?,
        };
        let mut stated = 0;
        if !(self.is_alone && named.is_some()) {
            for argument in rest {
                if !asm.input.eat(",") {
                    break;
                }
                code |= argument.read::<I, S>(asm)?;
                stated += 1;
            }
        }
        if stated == 0 {
            code |= self.absent();
        } else if !self.is_alone && stated < rest.len() {
            return Err(asm.expected("`,` and another argument"));
        }
        if asm.input.eat(")") { Ok(code) } else { Err(asm.expected("`)`")) }
    }

    /// The error of a first argument that is not a number: a name, perhaps, that is none of the known ones.
    fn unknown<I: Isa>(&self, asm: &mut Asm<'_, '_, I>, error: ParseError) -> Result<u32, ParseError> {
        asm.input.go(error.start);
        let is_name = matches!(error.kind, ErrorKind::Expected(_)) && !asm.input.peek_word().is_empty();
        Err(if is_name { asm.unknown_name(self.expects, self.names.iter().map(|(_, name)| *name)) } else { error })
    }

    /// Reads the arguments after the brace: any of them in any order, each at most once.
    fn read_braces<I: Isa, S: Syntax>(&self, asm: &mut Asm<'_, '_, I>) -> Result<u32, ParseError> {
        let (mut code, mut seen) = (self.absent(), 0);
        let mut is_first = true;
        while !asm.input.eat("}") {
            if !is_first && !asm.input.eat(",") {
                return Err(asm.expected("`,` or `}`"));
            }
            is_first = false;
            let word = asm.input.peek_word();
            let Some(argument) = self.arguments.iter().find(|argument| argument.name == word) else {
                return Err(asm.expected("the name of an argument and `:`"));
            };
            if seen & argument.mask() != 0 {
                return Err(asm.rule("this part is already stated"));
            }
            seen |= argument.mask();
            asm.input.take(word);
            asm.expect(":", "`:`")?;
            code = code & !argument.mask() | argument.read::<I, S>(asm)?;
        }
        Ok(code)
    }
}
