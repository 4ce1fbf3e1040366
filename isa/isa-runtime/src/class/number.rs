//! Numbers, flags and named codes.

use super::Meaning;
#[cfg(feature = "parse")]
use super::{Syntax, constant::constant, expression::in_range};
use crate::Text;
use crate::tables::{Cx, Isa};
#[cfg(feature = "parse")]
use crate::{Asm, Constant, ParseError};

/// A number in a field.
#[derive(Clone, Copy, Debug)]
pub struct Numeric {
    /// The least number that text may have.
    pub low: i64,
    /// The highest number that text may have.
    pub high: i64,
    /// How many bits of the field hold it.
    pub bits: u8,
    /// How many of its lowest bits, which are 0, the field leaves out.
    pub shift: u8,
    /// Whether the highest bit is a sign.
    pub is_signed: bool,
    /// Whether the name of the modifier is written before it.
    pub is_named: bool,
    /// The text before it.
    pub before: &'static str,
    /// Its digits.
    pub digits: Digits,
    /// The code for which nothing is written.
    pub silent: Option<u32>,
    /// The code where the text has none.
    pub absent: Option<u32>,
    /// The error for a number outside the range.
    pub rule: &'static str,
    /// The bits of floating-point numbers, if text can have them.
    pub floats: Option<Floats>,
    /// Flags of rows that take no negative numbers, and the error for other numbers there.
    pub unsigned: Option<(u128, &'static str)>,
}

/// The bits of a number whose text is a floating-point number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Floats {
    /// The lowest bits of the `f64`.
    LowBits,
    /// The bits of the `f32`.
    Single,
    /// The bits of the `f64`, which have to be in the range of the number.
    InRange,
}

/// The digits of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Digits {
    /// Decimal.
    Decimal,
    /// Hexadecimal.
    Hexadecimal,
    /// Decimal up to this number, hexadecimal above.
    DecimalUpTo(u32),
}

impl Numeric {
    /// Returns the number of a code, with the sign that the declaration gives it.
    #[inline]
    #[must_use]
    pub const fn get(&self, code: u32) -> i32 {
        let (unused, value) = (32 - self.bits as u32, code << self.shift);
        if self.is_signed { (value << unused) as i32 >> unused } else { value as i32 }
    }

    /// Returns the code of a number; bits beyond the field are dropped.
    #[inline]
    #[must_use]
    pub const fn code(&self, number: i32) -> u32 {
        (number as u32 & (u32::MAX >> (32 - self.bits as u32))) >> self.shift
    }

    /// Writes the number, unless its code is the silent one.
    #[inline]
    pub fn write(&self, code: u32, out: &mut Text) {
        if self.silent == Some(code) {
            return;
        }
        out.push(self.before);
        self.write_number(code, out);
    }

    /// Writes the number after the name of the modifier, unless its code is the silent one.
    pub fn write_named(&self, name: &str, code: u32, out: &mut Text) {
        if self.silent == Some(code) {
            return;
        }
        out.push_ascii(b' ');
        out.push(name);
        out.push(self.before.trim_start_matches(' '));
        self.write_number(code, out);
    }

    fn write_number(&self, code: u32, out: &mut Text) {
        let number = self.get(code);
        let is_negative = self.is_signed && number < 0;
        if is_negative {
            out.push_ascii(b'-');
        }
        let size = if is_negative { number.unsigned_abs() } else { number as u32 };
        match self.digits {
            Digits::Decimal => out.dec(size),
            Digits::DecimalUpTo(last) if size <= last => out.dec(size),
            Digits::DecimalUpTo(_) | Digits::Hexadecimal => out.hex(size),
        }
    }

    /// Returns the meaning of a code: signed if the declaration or the operand's type says so.
    #[inline]
    #[must_use]
    pub fn meaning<I: Isa, F>(&self, cx: &Cx<'_, I>, code: u32) -> Meaning<F> {
        let is_signed = self.is_signed || matches!(cx.ty.class(), crate::Class::Signed);
        Meaning::Number(Numeric { is_signed, ..*self }.get(code))
    }
}

#[cfg(feature = "parse")]
impl Numeric {
    /// Reads the number with what is written before it. Returns `None`, and takes nothing, if something else comes next.
    ///
    /// # Errors
    /// There is no number, or it is outside the range.
    pub fn read<I: Isa, S: Syntax>(&self, asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        if let Some(absent) = self.absent
            && self.before.is_empty()
            && asm.input.done()
        {
            return Ok(Some(absent));
        }
        let begin = asm.input.at();
        let named = asm.name;
        if self.is_named && !asm.input.eat_word(named) || !eat_before(asm, self.before) {
            asm.input.go(begin);
            return Ok(None);
        }
        let start = asm.input.at();
        let number = match self.floats {
            None => S::number(asm, self.low, self.high, self.rule)?,
            Some(floats) => self.read_constant::<I, S>(asm, floats)?,
        };
        if self.shift > 0 && number & ((1 << self.shift) - 1) != 0 {
            return Err(asm.rule_at(start, self.rule));
        }
        let code = self.code(number as i32);
        if code > asm.highest_code() {
            return Err(asm.rule_at(start, "the field of this operand has too few bits for this number"));
        }
        Ok(Some(code))
    }

    /// Reads an integer or a floating-point number, and returns its lowest 32 bits.
    fn read_constant<I: Isa, S: Syntax>(&self, asm: &mut Asm<'_, '_, I>, floats: Floats) -> Result<u32, ParseError> {
        let start = asm.input.at();
        let number = match (constant::<I, S>(asm)?, floats) {
            (Constant::Integer(n), _) => n,
            (Constant::Float(f), Floats::LowBits) => return Ok(f.to_bits() as u32),
            (Constant::Float(f), Floats::Single) => return Ok((f as f32).to_bits()),
            (Constant::Float(f), Floats::InRange) => f.to_bits() as i64,
        };
        let (low, rule) = match self.unsigned {
            Some((flags, rule)) if asm.has(flags) => (0, rule),
            _ => (self.low, self.rule),
        };
        in_range(asm, start, number, low, self.high, rule)
    }
}

/// Takes what is written before a number or a name: ` offset:`, with blanks as text may have them.
#[cfg(feature = "parse")]
pub(super) fn eat_before<I: Isa>(asm: &mut Asm<'_, '_, I>, before: &'static str) -> bool {
    let before = before.trim_matches(' ');
    if before.is_empty() {
        return true;
    }
    let start = asm.input.at();
    let taken = match before.strip_suffix(':') {
        Some("") => asm.input.eat(":"),
        Some(word) => asm.input.eat_word(word) && asm.input.eat(":"),
        None => asm.input.eat(before),
    };
    if !taken {
        asm.input.go(start);
    }
    taken
}

/// Codes that have names.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// The codes with their names.
    pub names: &'static [(u32, &'static str)],
    /// The text before a name.
    pub before: &'static str,
    /// The text after a name.
    pub after: &'static str,
    /// The text before the number of a code without a name.
    pub other: &'static str,
    /// The code for which nothing is written.
    pub silent: Option<u32>,
    /// The beginning of names that text may leave out.
    pub prefix: &'static str,
    /// Text that may follow a name, and is not written.
    pub then: &'static str,
    /// The error where the text has no name.
    pub expects: &'static str,
}

impl Named {
    /// Returns the name of a code.
    #[must_use]
    pub fn name(&self, code: u32) -> Option<&'static str> {
        self.names.iter().find(|(known, _)| *known == code).map(|(_, name)| *name)
    }

    /// Writes a name, or the number of a code without one, unless it is the silent one.
    pub fn write(&self, code: u32, out: &mut Text) {
        match self.name(code) {
            _ if self.silent == Some(code) => {}
            Some(name) => {
                out.push(self.before);
                out.push(name);
                out.push(self.after);
            }
            None => {
                out.push(self.other);
                out.dec(code);
            }
        }
    }
}

#[cfg(feature = "parse")]
impl Named {
    /// Returns the next word. Where text may leave out a prefix, it can begin with a digit.
    fn word<'a, I: Isa>(&self, asm: &mut Asm<'_, 'a, I>) -> &'a str {
        if self.prefix.is_empty() {
            return asm.input.peek_word();
        }
        let rest = asm.input.rest();
        let end = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        rest.get(..end).unwrap_or_default()
    }

    /// Reads a name with what is written before and after it.
    ///
    /// # Errors
    /// There is no such name.
    pub fn read<I: Isa>(&self, asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        if !eat_before(asm, self.before) {
            // A modifier with a key can follow others.
            let can_follow = self.silent.is_some() || self.before.ends_with(':');
            return if can_follow { Ok(None) } else { Err(asm.expected(self.expects)) };
        }
        let word = self.word(asm);
        let short = word.strip_prefix(self.prefix).unwrap_or(word);
        let Some((code, _)) = self.names.iter().find(|(_, name)| name.strip_prefix(self.prefix) == Some(short)) else {
            return Err(asm.unknown_name(self.expects, self.names.iter().map(|(_, name)| *name)));
        };
        asm.input.eat(word);
        asm.expect(self.after, self.after)?;
        asm.input.eat(self.then);
        Ok(Some(*code))
    }
}

/// Returns whether one of these modifiers is 1, of those that the instruction has.
#[must_use]
pub fn is_any_set<I: Isa>(cx: &Cx<'_, I>, modifiers: &[&str]) -> bool {
    modifiers.iter().any(|name| cx.sibling(name).is_some_and(|(code, _)| code == 1))
}

/// Reads a flag: its name sets it, and the name after `no` says that it is not set, if it `is_negatable`.
#[cfg(feature = "parse")]
#[must_use]
pub fn flag<I: Isa>(asm: &mut Asm<'_, '_, I>, name: &str, is_negatable: bool) -> Option<u32> {
    let word = asm.input.peek_word();
    let is_set = word == name;
    let is_cleared = || is_negatable && word.strip_prefix("no") == Some(name);
    if !(is_set || is_cleared()) {
        return None;
    }
    asm.input.word();
    Some(u32::from(is_set))
}
