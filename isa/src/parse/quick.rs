//! The quick way of reading a line, which nearly all lines take.
//!
//! It does what [`parse`](super::parse) does with the first form that the mnemonic leads to, and nothing else: it keeps
//! no account of what is wrong. Wherever something is not as it should be, or merely unusual, it gives up, and the line
//! is read again by the way that is slow and explains itself. So it has to be right in one direction only: what it gives
//! is what the other way would have given. A test holds the two against each other (`tests/tests/quick_lines.rs`).
//!
//! A line goes through three steps:
//!
//! 1. The mnemonic, with its suffix, is hashed and compared eight bytes at a time and leads to a [`Way`] and a
//!    [`Recipe`] (`recipe.rs`).
//! 2. Operands are read as the recipe lists them. Eight bytes from the beginning of an operand are loaded as one number,
//!    and what a kind says of its plain texts ([`Plain`]) decides what they are; anything else the kind is asked for, as
//!    the slow way does. Modifiers follow in any order.
//! 3. The words are decoded and held against the rules, as always.

use crate::mnemonic::mix;
use crate::plain::{Plain, blank, decimal, eight, hexadecimal, registers};
use crate::recipe::{MOST_CHUNKS, ReadStep, Recipe, Way};
use crate::table::{Isa, MAX_DWORDS, Packed};
use crate::{Asm, Scanner};

use super::{Options, Row};

/// Reads a line if nothing in it is unusual.
#[must_use]
pub fn parse<I: Isa>(text: &str, options: Options<I::Mode>) -> Option<I::Instr> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(b' ' | b'\t') = bytes.get(at) {
        at += 1;
    }
    let (mut way, behind) = find::<I>(bytes, at)?;
    if way.second {
        return None;
    }
    let mut line = Line::<I> {
        text,
        at: behind,
        low: way.low,
        third: 0,
        literal: None,
        seen: 0,
        late: [0; LATE],
        mode: options.mode,
        mode_index: I::mode_index(options.mode),
    };
    line.component(way)?;
    if line.low & way.split != 0 {
        // A modifier sets this bit, and with it the instruction has another form.
        way = next::<I>(way)?;
        line = Line { at: behind, low: way.low, third: 0, literal: None, ..line };
        line.component(way)?;
        if line.low & way.split == 0 {
            return None;
        }
    } else if way.pair {
        line.second(way)?;
    }
    if line.at != bytes.len() {
        return None;
    }
    let (instr, _) = crate::decode::<I>(&line.words(), options.mode).ok()?;
    if !options.lenient && I::legal(&instr, options.mode).is_err() {
        return None;
    }
    Some(instr)
}

/// The way of the name that begins here, and where it ends.
#[inline(always)]
fn find<I: Isa>(text: &[u8], at: usize) -> Option<(&'static Way, usize)> {
    let mut name = [0; MOST_CHUNKS];
    let (mut hash, mut count, mut end) = (0, 0, at);
    loop {
        let word = eight(text, end);
        let bits = blank(word);
        if bits > 0 {
            let word = if bits < 64 { word & ((1 << bits) - 1) } else { word };
            *name.get_mut(count)? = word;
            hash = mix(hash, word);
            count += 1;
        }
        end += bits as usize / 8;
        if bits < 64 {
            break;
        }
    }
    Some((I::reading().recipes.find(&name, count, hash)?, end))
}

/// The way that belongs to this one.
fn next<I: Isa>(way: &Way) -> Option<&'static Way> {
    I::reading().recipes.ways.get(usize::from(way.next))
}

/// How many operands can be read twice: those with the lowest numbers.
const LATE: usize = 8;

/// A line on its way.
struct Line<'s, I: Isa> {
    text: &'s str,
    /// Behind what has been read.
    at: usize,
    /// The first two words, and the third.
    low: u64,
    third: u32,
    /// The dword that an operand has put behind the instruction.
    literal: Option<u32>,
    /// The operands and modifiers of this component that the text has: a bit for each.
    seen: u32,
    /// Where those operands begin that are read twice.
    late: [u32; LATE],
    mode: I::Mode,
    mode_index: usize,
}

impl<I: Isa> Line<'_, I> {
    #[inline(always)]
    fn words(&self) -> [u32; MAX_DWORDS] {
        Packed { low: self.low, third: self.third }.words()
    }

    #[inline(always)]
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// Goes past blanks.
    #[inline(always)]
    fn blanks(&mut self) {
        while let Some(b' ' | b'\t') = self.byte(self.at) {
            self.at += 1;
        }
    }

    /// Reads the operands and modifiers of a component.
    #[inline(always)]
    fn component(&mut self, way: &Way) -> Option<()> {
        let tables = &I::reading().recipes;
        let recipe = tables.recipes.get(usize::from(way.recipe))?;
        self.seen = 0;
        for step in recipe.steps.of(tables.steps) {
            self.operand(way, recipe, step)?;
        }
        self.blanks();
        if self.at < self.text.len() && !way.pair {
            self.modifiers(way, recipe)?;
        }
        let again = recipe.late & self.seen | recipe.absent & !self.seen;
        if again != 0 { self.again(way, recipe, again) } else { Some(()) }
    }

    /// The rest of a pair: what joins them and the second component.
    #[inline(never)]
    fn second(&mut self, way: &Way) -> Option<()> {
        let join = I::formats().get(usize::from(way.format))?.join.trim_ascii();
        if !self.text.as_bytes().get(self.at..)?.starts_with(join.as_bytes()) {
            return None;
        }
        self.at += join.len();
        self.blanks();
        let (named, end) = find::<I>(self.text.as_bytes(), self.at)?;
        // Both components may have rows of this name.
        let second = if named.second { named } else { next::<I>(named)? };
        if !second.second || second.format != way.format {
            return None;
        }
        self.at = end;
        self.low |= second.low;
        self.component(second)
    }

    /// Reads an operand and what stands before it.
    #[inline(always)]
    fn operand(&mut self, way: &Way, recipe: &Recipe, step: &ReadStep) -> Option<()> {
        self.blanks();
        if step.comma {
            if self.byte(self.at) != Some(b',') {
                return None;
            }
            self.at += 1;
            self.blanks();
        }
        if step.late {
            *self.late.get_mut(usize::from(step.at))? = self.at as u32;
        }
        match self.plain(way, step) {
            Some((code, end)) => {
                self.keep(step, code);
                self.at = end;
            }
            None => self.ask(way, recipe, step.at)?,
        }
        self.seen |= 1 << (step.at & 31);
        Some(())
    }

    #[inline(always)]
    fn keep(&mut self, step: &ReadStep, code: u32) {
        let (ones, lo) = (step.place.ones, step.place.lo & 63);
        self.low = self.low & !(u64::from(ones) << lo) | u64::from(code & ones) << lo;
    }

    /// The code of an operand in plain text, and where the text ends.
    #[inline(always)]
    fn plain(&mut self, way: &Way, step: &ReadStep) -> Option<(u32, usize)> {
        let (text, at) = (self.text.as_bytes(), self.at);
        let plain = step.plain;
        let word = eight(text, at);
        let letter = word as u8;
        let dwords = step.dwords.get(self.mode_index).copied().unwrap_or(0);
        if letter.is_ascii_digit() || letter == b'-' {
            let (code, end) = self.constant(way, step, word, dwords)?;
            return Some((code, end));
        }
        let (code, end) = if let Some((_, base, last)) = plain.files.iter().find(|(file, ..)| *file == letter)
            && let Some((first, count, len)) = registers(text, at + 1, word >> 8, *last)
        {
            let (code, low) = (base + u32::from(first), plain.aligned & 7);
            if count != dwords && !plain.any || code & !(u32::MAX << low) != 0 {
                return None;
            }
            (code >> low, at + 1 + len)
        } else {
            named(plain, word, at, dwords)?
        };
        // A letter or a point would go on with the name.
        matches!(self.byte(end), None | Some(b',' | b' ' | b'\t')).then_some((code, end))
    }

    /// The same of what begins with a digit or a sign.
    #[inline(always)]
    fn constant(&mut self, way: &Way, step: &ReadStep, word: u64, dwords: u8) -> Option<(u32, usize)> {
        let plain = step.plain;
        let (code, end) = match word.to_le_bytes() {
            [_, b'.', ..] | [_, _, b'.', ..] => named(plain, word, self.at, dwords)?,
            [b'-', ..] => {
                let ((zero, last), (value, bits)) = (plain.negative?, decimal(word >> 8)?);
                (0 < value && value <= u32::from(last)).then_some(())?;
                (zero + value, self.at + 1 + bits as usize / 8)
            }
            [b'0', b'x', ..] => return self.hexadecimal(way, step),
            _ => {
                let (value, bits) = decimal(word)?;
                let code = match (plain.numbers, plain.integers) {
                    (Some(last), _) => (value <= last && !(step.byte && value > 0xff)).then_some(value)?,
                    (None, Some((zero, last))) => (value <= u32::from(last)).then_some(zero + value)?,
                    _ => return None,
                };
                (code, self.at + bits as usize / 8)
            }
        };
        self.closes(end).then_some((code, end))
    }

    /// The same of a number in hexadecimal.
    #[inline(never)]
    fn hexadecimal(&mut self, way: &Way, step: &ReadStep) -> Option<(u32, usize)> {
        let (value, len) = hexadecimal(self.text.as_bytes(), self.at + 2)?;
        let end = self.at + 2 + len;
        if !self.closes(end) {
            return None;
        }
        if let Some(last) = step.plain.numbers {
            return (value <= last && !(step.byte && value > 0xff)).then_some((value, end));
        }
        let (code, others) = step.plain.literal?;
        // Small numbers and the bits of some floats have codes of their own.
        let inline = value.wrapping_add(16) <= 16 + 64 || others.contains(&value);
        if !step.literal || inline || self.literal.is_some() {
            return None;
        }
        self.literal = Some(value);
        match way.dwords {
            1 => self.low = self.low & u64::from(u32::MAX) | u64::from(value) << 32,
            _ => self.third = value,
        }
        Some((code, end))
    }

    /// Whether a number that ends here is all of an operand: an operator would go on with it.
    #[inline(always)]
    fn closes(&self, end: usize) -> bool {
        match self.byte(end) {
            None | Some(b',') => true,
            Some(b' ' | b'\t') => {
                let rest = self.text.as_bytes().get(end..).unwrap_or_default();
                let next = rest.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
                next.is_none_or(|byte| byte.is_ascii_alphabetic() || matches!(byte, b',' | b':'))
            }
            _ => false,
        }
    }

    /// Reads modifiers, in any order, up to the end of the line.
    #[inline(never)]
    fn modifiers(&mut self, way: &Way, recipe: &Recipe) -> Option<()> {
        let steps = recipe.modifiers.of(I::reading().recipes.steps);
        'next: while self.at < self.text.len() {
            let word = eight(self.text.as_bytes(), self.at);
            for step in steps.iter().filter(|step| self.seen >> (step.at & 31) & 1 == 0) {
                let Some((code, end)) = self.modifier(step, word) else { continue };
                self.keep(step, code);
                self.at = end;
                self.seen |= 1 << (step.at & 31);
                self.blanks();
                continue 'next;
            }
            // The kinds of the others say themselves what they are.
            for step in steps {
                if self.seen >> (step.at & 31) & 1 == 1 {
                    continue;
                }
                if self.kind(way, recipe, step.at, Ask::Parse)?.is_some() {
                    self.seen |= 1 << (step.at & 31);
                    self.blanks();
                    continue 'next;
                }
            }
            return None;
        }
        Some(())
    }

    /// The code of a modifier in plain text, and where the text ends.
    #[inline(always)]
    fn modifier(&self, step: &ReadStep, word: u64) -> Option<(u32, usize)> {
        let plain = step.plain;
        let (code, end) = if step.flag.begins(word) {
            (1, self.at + usize::from(step.flag.len))
        } else {
            let (key, low, high) = plain.key.as_ref()?;
            if !key.begins(word) {
                return None;
            }
            let at = self.at + usize::from(key.len);
            let word = eight(self.text.as_bytes(), at);
            let negative = word as u8 == b'-';
            let (value, bits) = decimal(if negative { word >> 8 } else { word })?;
            let value = if negative { -(value as i32) } else { value as i32 };
            (*low <= value && value <= *high).then_some(())?;
            (value as u32, at + usize::from(negative) + bits as usize / 8)
        };
        match self.byte(end) {
            None => Some((code, end)),
            Some(b' ') if self.byte(end + 1).is_some_and(|byte| byte.is_ascii_alphabetic()) => Some((code, end)),
            _ => None,
        }
    }

    /// Has the kind of an operand or modifier read it; gives up where it is something else.
    #[inline(never)]
    fn ask(&mut self, way: &Way, recipe: &Recipe, at: u8) -> Option<()> {
        self.kind(way, recipe, at, Ask::Parse)?
    }

    /// Looks once more at those operands and modifiers that have to be.
    #[inline(never)]
    fn again(&mut self, way: &Way, recipe: &Recipe, which: u32) -> Option<()> {
        let end = self.at;
        let mut rest = which;
        while rest != 0 {
            let at = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            if self.seen >> at & 1 == 1 {
                self.at = *self.late.get(usize::from(at))? as usize;
                self.kind(way, recipe, at, Ask::Late)?;
            } else {
                self.kind(way, recipe, at, Ask::Absent)?;
            }
        }
        self.at = end;
        Some(())
    }

    /// Asks the kind of an operand or modifier: `None` where it finds a fault, `Some(None)` where it gives no code.
    fn kind(&mut self, way: &Way, recipe: &Recipe, at: u8, what: Ask) -> Option<Option<()>> {
        let entry = I::entries().get(usize::from(way.entry))?;
        let row = Row::<I>::new(I::formats().get(usize::from(entry.format))?, entry)?;
        let form = I::forms().get(usize::from(recipe.form))?;
        let bound = form.nth::<I>(at)?;
        let carrier = row.component.carriers.get(usize::from(bound.carrier))?;
        let reader = I::reading().readers.get(usize::from(row.component.nth))?.get(usize::from(bound.carrier))?;
        let mut input = Scanner::new(self.text);
        input.go(self.at);
        let mut words = self.words();
        let mut asm = Asm {
            input: &mut input,
            words: &mut words,
            mode: self.mode,
            ty: bound.ty,
            name: carrier.name,
            tail: way.tail,
            format: row.format,
            shape: row.shape,
            form,
            late: !matches!(what, Ask::Parse),
            component: entry.component,
            seen: self.seen,
            tail_word: &mut self.literal,
            start: self.at,
            text: I::reading().texts.get(usize::from(recipe.form)).copied()?,
        };
        let code = match what {
            Ask::Absent => reader.absent.and_then(|absent| absent(&mut asm)),
            Ask::Parse | Ask::Late => (reader.parse)(&mut asm).ok()?,
        };
        if let Some(code) = code {
            carrier.bits.set(&mut words, code);
        }
        let Packed { low, third } = Packed::new(words);
        (self.low, self.third) = (low, third);
        self.at = input.at();
        Some(code.map(|_| ()))
    }
}

/// What a kind is asked.
enum Ask {
    /// To read.
    Parse,
    /// To read again.
    Late,
    /// What stands for nothing.
    Absent,
}

/// The code of what has a name, and where the name ends.
#[inline(always)]
fn named(plain: &Plain, word: u64, at: usize, dwords: u8) -> Option<(u32, usize)> {
    let is = |name: &&crate::Word| name.begins(word) && (name.dwords == dwords || name.dwords == 0);
    let name = plain.names.iter().find(is)?;
    Some((name.code, at + usize::from(name.len)))
}
