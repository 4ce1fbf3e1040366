//! Lists of numbers, `op_sel:[0,1]`, and codes that are a name and a number, `row_shl:3`.

#[cfg(feature = "parse")]
use super::{Syntax, expression::in_range, number::eat_before};
use crate::Text;
use crate::tables::{Cx, Isa};
#[cfg(feature = "parse")]
use crate::{Asm, ParseError};

/// Numbers of the same width, the first in the lowest bits.
#[derive(Clone, Copy, Debug)]
pub struct List {
    /// The text before the bracket: ` op_sel:`.
    pub before: &'static str,
    /// How many numbers there are in all rows.
    pub count: u8,
    /// The width of a number in bits.
    pub width: u8,
    /// The roles each of which adds a number.
    pub roles: &'static [&'static str],
}

impl List {
    /// Returns how many bits the numbers of an instruction have.
    #[must_use]
    pub fn bits<I: Isa>(&self, cx: &Cx<'_, I>) -> u32 {
        let more = self.roles.iter().filter(|role| cx.sibling(role).is_some()).count();
        (u32::from(self.count) + more as u32) * u32::from(self.width)
    }

    /// Returns whether a code has no bits beyond the numbers of an instruction.
    #[must_use]
    pub fn is_valid<I: Isa>(&self, cx: &Cx<'_, I>, code: u32) -> bool {
        code.checked_shr(self.bits(cx)).unwrap_or(0) == 0
    }

    /// Writes the numbers of an instruction.
    pub fn write<I: Isa>(&self, cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        let width = u32::from(self.width);
        let mask = !u32::MAX.checked_shl(width).unwrap_or(0);
        let count = self.bits(cx).checked_div(width).unwrap_or(0);
        self.write_numbers((0..count).map(|nth| code.checked_shr(nth * width).unwrap_or(0) & mask), out);
    }

    /// Writes a list of these numbers.
    pub fn write_numbers(&self, numbers: impl Iterator<Item = u32>, out: &mut Text) {
        out.push(self.before);
        for (nth, number) in numbers.enumerate() {
            out.push_ascii(if nth == 0 { b'[' } else { b',' });
            out.dec(number);
        }
        out.push_ascii(b']');
    }
}

#[cfg(feature = "parse")]
impl List {
    /// The most numbers that a list may have whose length depends on the row: those that the row lacks are ignored.
    const MOST: u8 = 4;

    /// Reads a list and returns its code. Returns `None`, and takes nothing, if something else comes next.
    ///
    /// # Errors
    /// A number that is too large, or too many or too few of them.
    pub fn read<I: Isa, S: Syntax>(&self, asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        if self.roles.is_empty() {
            return self.read_from::<I, S>(asm, self.count);
        }
        let code = self.read_from::<I, S>(asm, 1)?;
        let missing = u32::BITS - self.bits(&asm.cx()).min(u32::BITS);
        Ok(code.map(|code| code & u32::MAX.checked_shr(missing).unwrap_or(0)))
    }

    /// Reads a list of at least this many numbers, as [`read`](Self::read).
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_from<I: Isa, S: Syntax>(&self, asm: &mut Asm<'_, '_, I>, least: u8) -> Result<Option<u32>, ParseError> {
        if !eat_before(asm, self.before) {
            return Ok(None);
        }
        asm.expect("[", "`[`")?;
        let most = if self.roles.is_empty() { self.count } else { Self::MOST };
        let (mut code, mut count) = (0, 0);
        loop {
            if count == most {
                return Err(asm.expected("`]`"));
            }
            let start = asm.input.at();
            let number = S::integer(asm, "an integer")?;
            let last = (1 << self.width) - 1;
            let number = in_range(asm, start, number, 0, last, "a number of the list is too large or below zero")?;
            code |= number << (count * self.width);
            count += 1;
            if asm.input.eat("]") {
                break;
            }
            asm.expect(",", "`,` or `]`")?;
        }
        if count < least { Err(asm.rule("the list is too short")) } else { Ok(Some(code)) }
    }
}

/// Codes that follow each other: a name, and after it a number that counts them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NumberedCodes {
    /// The first code.
    pub first: u32,
    /// How many codes.
    pub count: u32,
    /// The text before the number: `row_shl:`.
    pub name: &'static str,
    /// The number of the first code, or `None` if the name stands alone.
    pub number: Option<u32>,
}

#[cfg(feature = "parse")]
impl NumberedCodes {
    /// Takes the name.
    fn eat<I: Isa>(&self, asm: &mut Asm<'_, '_, I>) -> bool {
        if self.number.is_some() { eat_before(asm, self.name) } else { asm.input.eat_word(self.name) }
    }
}

/// A class whose codes are a list, or names with numbers.
#[derive(Clone, Copy, Debug)]
pub struct Cases {
    /// How many of the lowest codes are a list, and the list.
    pub list: Option<(u32, List)>,
    /// The other codes.
    pub codes: &'static [NumberedCodes],
    /// The error for a number that is not a code.
    pub rule: &'static str,
}

impl Cases {
    fn find(&self, code: u32) -> Option<&'static NumberedCodes> {
        self.codes.iter().find(|run| code.wrapping_sub(run.first) < run.count)
    }

    /// Returns whether a code has a text.
    #[must_use]
    pub fn is_valid(&self, code: u32) -> bool {
        self.list.is_some_and(|(count, _)| code < count) || self.find(code).is_some()
    }

    /// Writes a code with the blank before it.
    pub fn write<I: Isa>(&self, cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        match (&self.list, self.find(code)) {
            (Some((count, list)), _) if code < *count => list.write(cx, code, out),
            (_, Some(run)) => {
                out.push_ascii(b' ');
                out.push(run.name);
                if let Some(number) = run.number {
                    out.dec(number + code - run.first);
                }
            }
            _ => {}
        }
    }
}

#[cfg(feature = "parse")]
impl Cases {
    /// Reads a code. Returns `None`, and takes nothing, if something else comes next.
    ///
    /// # Errors
    /// A number that is outside its range.
    pub fn read<I: Isa, S: Syntax>(&self, asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        if let Some((_, list)) = &self.list
            && let Some(code) = list.read::<I, S>(asm)?
        {
            return Ok(Some(code));
        }
        let Some(run) = self.codes.iter().find(|run| run.eat(asm)) else { return Ok(None) };
        let Some(number) = run.number else { return Ok(Some(run.first)) };
        let start = asm.input.at();
        let nth = S::integer(asm, "an integer")?.saturating_sub(number.into());
        if (0..i64::from(run.count)).contains(&nth) {
            return Ok(Some(run.first + nth as u32));
        }
        Err(asm.rule_at(start, self.rule))
    }
}
