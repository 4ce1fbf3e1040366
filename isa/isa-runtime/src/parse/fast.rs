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
//! 3. Where everything read is plain and all plain codes are sure to be decoded as they are, which the compiler has worked
//!    out for each recipe, the words are an instruction; else they are decoded. The rules are asked in any case.

mod now;

use crate::parse::plain::{blank, decimal, eight, hexadecimal, registers, small};
use crate::parse::recipe::{Name, ReadStep, Recipe, Way};
use crate::tables::{Isa, MAX_DWORDS, Packed};
use crate::{Asm, Plain, Scanner};

use super::{Options, Row};
use now::{ASKED, Now};

/// Reads a line if nothing in it is unusual.
#[must_use]
#[inline(always)]
pub fn parse<I: Isa>(text: &str, options: Options<I::Mode>) -> Option<I::Instr> {
    let text = text.get(blanks(text)..)?;
    // A short text is filled up with blanks: words of eight bytes are read.
    let mut room = [b' '; WORD];
    let text = if text.len() < room.len() {
        room.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        core::str::from_utf8(&room).ok()?
    } else {
        text
    };
    Some(read::<I, false>(text, options)?.0)
}

/// Reads the first of several lines, which `\n` or `\r\n` ends, if nothing in it is unusual, and says where the next one
/// begins. `None` is no fault: the line has to be read by [`parse`](crate::parse()).
// Nobody has to look for the end beforehand, and that there is more behind a line saves to ask where it ends with each word
// that is read.
#[must_use]
#[inline(always)]
pub fn line<I: Isa>(text: &str, options: Options<I::Mode>) -> Option<(I::Instr, usize)> {
    let blanks = blanks(text);
    let (instr, next) = read::<I, true>(text.get(blanks..)?, options)?;
    Some((instr, blanks + next))
}

/// How many blanks a text begins with.
#[inline(always)]
fn blanks(text: &str) -> usize {
    let mut blanks = 0;
    while let Some(b' ' | b'\t') = text.as_bytes().get(blanks) {
        blanks += 1;
    }
    blanks
}

/// Bytes of a word.
const WORD: usize = 8;

/// Reads a line without blanks before it, and tells where the next one begins: all of the text or, where there may be
/// `MORE` behind its end, which is `\n` or `\r\n`, the first one.
#[inline(always)]
fn read<I: Isa, const MORE: bool>(text: &str, options: Options<I::Mode>) -> Option<(I::Instr, usize)> {
    if text.len() < WORD {
        return None;
    }
    let bytes = text.as_bytes();
    // Tables tell two modes apart, and positions have 32 bits.
    let mode_index = I::mode_index(options.mode) as u8;
    if mode_index > 1 || text.len() >= u32::MAX as usize / 2 {
        return None;
    }
    let (mut way, behind) = find::<I, MORE>(bytes)?;
    if way.second {
        return None;
    }
    let mut line = Line::<I, MORE> { text, third: 0, literal: None, late: [0; LATE], mode: options.mode, mode_index };
    let mut now = line.component(way, Now::new(behind, way.low, 0))?;
    if now.low & way.split != 0 {
        // A modifier sets this bit, and with it the instruction has another form.
        way = next::<I>(way)?;
        (line.third, line.literal) = (0, None);
        now = line.component(way, Now::new(behind, way.low, 0))?;
        if now.low & way.split == 0 {
            return None;
        }
    } else if way.pair {
        now = line.second(way, now)?;
    }
    let next = line.next(now.at())?;
    let words = Packed { low: now.low, third: line.third }.words();
    let instr = match now.marks() & ASKED {
        0 => I::instr(way.format, words, way.dwords)?,
        _ => decoded::<I>(&words, options.mode)?,
    };
    if !options.lenient && I::legal(&instr, options.mode).is_err() {
        return None;
    }
    Some((instr, next))
}

/// The instruction that words are, if they are one.
#[inline(never)]
fn decoded<I: Isa>(words: &[u32; MAX_DWORDS], mode: I::Mode) -> Option<I::Instr> {
    Some(crate::decode::<I>(words, mode).ok()?.0)
}

/// The way of the name that a text begins with, and where it ends.
#[inline(always)]
fn find<I: Isa, const MORE: bool>(text: &[u8]) -> Option<(&'static Way, usize)> {
    let (name, end) = name::<MORE>(text)?;
    Some((I::reading().recipes.find(name)?, end))
}

/// The name that a text begins with, up to a blank, and where it ends; `None` for one that is too long.
#[inline(always)]
fn name<const MORE: bool>(text: &[u8]) -> Option<(Name, usize)> {
    let chunk = |at| {
        let word = word::<MORE>(text, at);
        let bits = blank(word);
        (word, bits, at + bits as usize / 8)
    };
    let (first, bits, end) = chunk(0);
    if bits < 64 {
        return Some(([first & !(u64::MAX << bits), 0, 0], end));
    }
    let (second, bits, end) = chunk(8);
    if bits < 64 {
        return Some(([first, second & !(u64::MAX << bits), 0], end));
    }
    let (third, bits, end) = chunk(16);
    if bits < 64 {
        return Some(([first, second, third & !(u64::MAX << bits)], end));
    }
    // Nothing but a blank can follow the longest.
    (blank(word::<MORE>(text, end)) == 0).then_some(([first, second, third], end))
}

/// Eight bytes from `at` on. Where there is more behind a line, they are nearly always there, which a processor guesses.
#[inline(always)]
fn word<const MORE: bool>(text: &[u8], at: usize) -> u64 {
    match text.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(bytes) if MORE => u64::from_le_bytes(*bytes),
        _ => eight(text, at),
    }
}

/// The way that belongs to this one.
fn next<I: Isa>(way: &Way) -> Option<&'static Way> {
    I::reading().recipes.ways.get(usize::from(way.next))
}

/// How many operands can be read twice: those with the lowest numbers.
const LATE: usize = 8;

/// A line and what is rarely needed of it.
struct Line<'s, I: Isa, const MORE: bool> {
    text: &'s str,
    /// The third word.
    third: u32,
    /// The dword that an operand has put behind the instruction.
    literal: Option<u32>,
    /// Where those operands begin that are read twice.
    late: [u32; LATE],
    mode: I::Mode,
    /// Its index: 0 or 1.
    mode_index: u8,
}

impl<'s, I: Isa, const MORE: bool> Line<'s, I, MORE> {
    #[inline(always)]
    const fn bytes(&self) -> &'s [u8] {
        self.text.as_bytes()
    }

    #[inline(always)]
    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes().get(at).copied()
    }

    /// Eight bytes from `at` on.
    #[inline(always)]
    fn word(&self, at: usize) -> u64 {
        word::<MORE>(self.bytes(), at)
    }

    /// Where the next line begins, if this one ends here.
    #[inline(always)]
    fn next(&self, at: usize) -> Option<usize> {
        match self.byte(at) {
            None => Some(at),
            Some(b'\n') if MORE => Some(at + 1),
            Some(b'\r') if MORE && self.byte(at + 1) == Some(b'\n') => Some(at + 2),
            _ => None,
        }
    }

    /// Whether the line ends here: nothing that is plain goes beyond that.
    #[inline(always)]
    fn is_over(&self, at: usize) -> bool {
        self.next(at).is_some()
    }

    /// The line alone, which goes on here.
    fn whole(&self, at: usize) -> &'s str {
        let mut end = if MORE { at } else { self.text.len() };
        while !self.is_over(end) {
            end += 1;
        }
        self.text.get(..end).unwrap_or_default()
    }

    /// Where the blanks end that begin here.
    #[inline(always)]
    fn blanks(&self, at: usize) -> usize {
        let mut at = at;
        while let Some(b' ' | b'\t') = self.byte(at) {
            at += 1;
        }
        at
    }

    /// Reads the operands and modifiers of a component.
    #[inline(always)]
    fn component(&mut self, way: &Way, begin: Now) -> Option<Now> {
        let tables = &I::reading().recipes;
        let recipe = tables.recipes.get(usize::from(way.recipe))?;
        let mut now = begin.asked(!recipe.sure >> self.mode_index & 1);
        for step in recipe.steps.of(tables.steps) {
            now = self.operand(way, recipe, step, now)?;
        }
        if !self.is_over(now.at()) {
            now = self.behind(way, recipe, now)?;
        }
        let again = recipe.late & (recipe.placed | now.seen()) | recipe.absent & !now.seen();
        if again != 0 { self.again(way, recipe, again, now) } else { Some(now) }
    }

    /// Reads an operand and what stands before it.
    #[inline(always)]
    fn operand(&mut self, way: &Way, recipe: &Recipe, step: &ReadStep, now: Now) -> Option<Now> {
        let ahead = self.word(now.at());
        if (ahead as u16 ^ step.lead) & step.lead_ones != 0 {
            let at = self.lead(step, now.at())?;
            return self.other(way, recipe, step, now.go(at));
        }
        // Of a register with at most three digits all is at hand; what follows it, the next one asks.
        let word = ahead >> (step.lead_bits & 63);
        let letter = word as u8;
        let [first, second] = &step.files;
        let file = if letter == first.letter { first } else { second };
        if letter == file.letter {
            if let Some((number, bits)) = small(word as u32, file.end) {
                return Some(now.past(step, u32::from(file.base) + number, bits));
            }
        } else if letter.is_ascii_digit() {
            // An operator would go on with it.
            if let Some((number, bits)) = small((word << 8) as u32, step.numbers.end)
                && let then = now.past(step, u32::from(step.numbers.base) + number, bits - 8)
                && (self.byte(then.at()) == Some(b',') || self.is_over(then.at()))
            {
                return Some(then);
            }
        } else if letter.is_ascii_lowercase() && (word >> 8) as u8 != b'[' && !step.late {
            let begin = now.at() + usize::from(step.lead_bits / 8);
            let found = self.named(step, self.word(begin));
            if let Some((code, len)) = found
                && self.ends(begin + len as usize)
            {
                return Some(now.past(step, code, 8 * len));
            }
        }
        self.other(way, recipe, step, now.go(now.at() + usize::from(step.lead_bits / 8)))
    }

    /// What is plain of an operand or a modifier.
    #[inline(always)]
    fn plain(step: &ReadStep) -> &'static Plain {
        I::reading().recipes.plain(step)
    }

    /// How many registers an operand has.
    #[inline(always)]
    fn dwords(&self, step: &ReadStep) -> u8 {
        step.dwords.get(self.mode_index as usize).copied().unwrap_or(0)
    }

    /// Takes what stands before an operand where it is not written as usual.
    #[inline(never)]
    fn lead(&self, step: &ReadStep, at: usize) -> Option<usize> {
        if !self.is_behind(at) {
            return None;
        }
        let at = self.blanks(at);
        if !step.comma() {
            return Some(at);
        }
        (self.byte(at) == Some(b',')).then(|| self.blanks(at + 1))
    }

    /// Whether an operand is read as a whole. Kinds go past the blanks behind it.
    fn is_behind(&self, at: usize) -> bool {
        self.ends(at) || matches!(self.byte(at.wrapping_sub(1)), Some(b' ' | b'\t'))
    }

    /// Whether a name or a number can end here: a letter or a point would go on with it.
    #[inline(always)]
    fn ends(&self, at: usize) -> bool {
        matches!(self.byte(at), Some(b',' | b' ' | b'\t')) || self.is_over(at)
    }

    /// Reads an operand that is not a register by itself.
    #[inline(never)]
    fn other(&mut self, way: &Way, recipe: &Recipe, step: &ReadStep, now: Now) -> Option<Now> {
        if step.late {
            *self.late.get_mut(usize::from(step.at))? = now.at() as u32;
        }
        let word = self.word(now.at());
        let letter = word as u8;
        let found = if letter.is_ascii_digit() || letter == b'-' {
            self.constant(way, step, word, now)
        } else if let Some((_, base, last)) = Self::plain(step).files.iter().find(|file| file.0 == letter)
            && let Some((first, count, len)) = registers(self.bytes(), now.at() + 1, *last)
        {
            let (code, low) = (base + u32::from(first), Self::plain(step).aligned & 7);
            let fits = (count == self.dwords(step) || Self::plain(step).any) && code & !(u32::MAX << low) == 0;
            fits.then(|| now.with(step, code >> low, now.at() + 1 + len))
        } else if let Some(parts) = Self::plain(step).parts {
            parts.read(self.bytes(), now.at()).map(|(code, end)| now.with(step, code, end))
        } else {
            self.named(step, word).map(|(code, len)| now.with(step, code, now.at() + len as usize))
        };
        match found {
            Some(found) if self.ends(found.at()) => Some(found),
            _ => self.ask(way, recipe, step.at, now),
        }
    }

    /// The code of the name that a word begins with, and how long that is.
    #[inline(always)]
    fn named(&self, step: &ReadStep, word: u64) -> Option<(u32, u32)> {
        let dwords = self.dwords(step);
        let is = |name: &&crate::Word| name.begins(word) && (name.dwords == dwords || name.dwords == 0);
        let name = Self::plain(step).names.iter().find(is)?;
        Some((name.code, u32::from(name.len)))
    }

    /// Reads what begins with a digit or a sign.
    #[inline(always)]
    fn constant(&mut self, way: &Way, step: &ReadStep, word: u64, now: Now) -> Option<Now> {
        let plain = Self::plain(step);
        let found = match word.to_le_bytes() {
            [b'0', b'x', ..] => return self.hexadecimal(way, step, now),
            [_, b'.', ..] | [b'-', _, b'.', ..] => {
                let (code, len) = self.named(step, word)?;
                now.with(step, code, now.at() + len as usize)
            }
            [b'-', ..] => {
                let ((zero, last), (value, bits)) = (plain.negative?, decimal(word >> 8)?);
                (0 < value && value <= u32::from(last)).then_some(())?;
                now.with(step, zero + value, now.at() + 1 + bits as usize / 8)
            }
            _ => {
                let (value, bits) = decimal(word)?;
                let (code, now) = match (plain.numbers, plain.integers) {
                    (Some(last), _) => (value, number(step, plain, last, value, now)?),
                    (None, Some((zero, last))) => ((value <= u32::from(last)).then_some(zero + value)?, now),
                    _ => return None,
                };
                now.with(step, code, now.at() + bits as usize / 8)
            }
        };
        self.closes(found.at()).then_some(found)
    }

    /// Reads a number in hexadecimal.
    fn hexadecimal(&mut self, way: &Way, step: &ReadStep, now: Now) -> Option<Now> {
        let (value, len) = hexadecimal(self.bytes(), now.at() + 2)?;
        let end = now.at() + 2 + len;
        if !self.closes(end) {
            return None;
        }
        let plain = Self::plain(step);
        if let Some(last) = plain.numbers {
            return number(step, plain, last, value, now).map(|now| now.with(step, value, end));
        }
        let (code, others) = plain.literal?;
        // Small numbers and the bits of some floats have codes of their own.
        let inline = value.wrapping_add(16) <= 16 + 64 || others.contains(&value);
        if !step.literal || inline || self.literal.is_some() {
            return None;
        }
        self.literal = Some(value);
        let low = match way.dwords {
            1 => now.low & u64::from(u32::MAX) | u64::from(value) << 32,
            _ => {
                self.third = value;
                now.low
            }
        };
        Some(Now::new(end, low, now.marks() | ASKED).with(step, code, end))
    }

    /// Whether a number that ends here is all of an operand: an operator would go on with it.
    #[inline(always)]
    fn closes(&self, end: usize) -> bool {
        match self.byte(end) {
            Some(b',') => true,
            Some(b' ' | b'\t') => {
                let next = self.blanks(end);
                let goes_on = |byte: u8| matches!(byte, b',' | b':') || byte.is_ascii_alphabetic();
                self.byte(next).is_some_and(goes_on) || self.is_over(next)
            }
            _ => self.is_over(end),
        }
    }

    /// Goes on behind the operands: to modifiers, or to the second component of a pair.
    #[inline(never)]
    fn behind(&mut self, way: &Way, recipe: &Recipe, now: Now) -> Option<Now> {
        if !self.is_behind(now.at()) {
            return None;
        }
        let now = now.go(self.blanks(now.at()));
        if way.pair { Some(now) } else { self.modifiers(way, recipe, now) }
    }

    /// Reads modifiers, in any order, up to the end of the line.
    #[inline(always)]
    fn modifiers(&mut self, way: &Way, recipe: &Recipe, begin: Now) -> Option<Now> {
        let steps = recipe.modifiers.of(I::reading().recipes.steps);
        let mut now = begin;
        'next: while !self.is_over(now.at()) {
            let word = self.word(now.at());
            for step in steps.iter().filter(|step| now.seen() >> (step.at & 31) & 1 == 0) {
                if let Some(found) = self.modifier(step, word, now) {
                    now = found.go(self.blanks(found.at()));
                    continue 'next;
                }
            }
            // The kinds of the others say themselves what they are.
            let seen = now.seen();
            for step in steps.iter().filter(|step| seen >> (step.at & 31) & 1 == 0) {
                let (given, then) = self.kind(way, recipe, step.at, Ask::Parse, now)?;
                now = then;
                if given {
                    continue 'next;
                }
            }
            return None;
        }
        Some(now)
    }

    /// Reads a modifier in plain text.
    #[inline(always)]
    fn modifier(&self, step: &ReadStep, word: u64, now: Now) -> Option<Now> {
        let unused = step.flag.leading_zeros() & !7;
        let found = if unused < 64 && word << unused == step.flag << unused {
            now.with(step, 1, now.at() + (64 - unused) as usize / 8)
        } else {
            let (key, low, high) = Self::plain(step).key.as_ref()?;
            if !key.begins(word) {
                return None;
            }
            let at = now.at() + usize::from(key.len);
            let word = self.word(at);
            let negative = word as u8 == b'-';
            let (value, bits) = decimal(if negative { word >> 8 } else { word })?;
            let value = if negative { -(value as i32) } else { value as i32 };
            (*low <= value && value <= *high).then_some(())?;
            now.with(step, value as u32, at + usize::from(negative) + bits as usize / 8)
        };
        let closed = match self.byte(found.at()) {
            Some(b' ') => self.byte(found.at() + 1).is_some_and(|byte| byte.is_ascii_alphabetic()),
            _ => self.is_over(found.at()),
        };
        closed.then_some(found)
    }

    /// Has the kind of an operand read it; gives up where it is something else.
    #[inline(never)]
    fn ask(&mut self, way: &Way, recipe: &Recipe, at: u8, now: Now) -> Option<Now> {
        let (given, now) = self.kind(way, recipe, at, Ask::Parse, now)?;
        given.then_some(now)
    }

    /// Looks once more at those operands and modifiers that have to be.
    #[inline(never)]
    fn again(&mut self, way: &Way, recipe: &Recipe, which: u32, begin: Now) -> Option<Now> {
        let marks = begin.marks() | recipe.placed;
        let (mut rest, mut now) = (which, Now::new(begin.at(), begin.low, marks));
        while rest != 0 {
            let at = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            if now.seen() >> at & 1 == 1 {
                let begin = *self.late.get(usize::from(at))? as usize;
                now = self.kind(way, recipe, at, Ask::Late, now.go(begin))?.1;
            } else {
                now = self.kind(way, recipe, at, Ask::Absent, now)?.1;
            }
        }
        Some(now.go(begin.at()))
    }

    /// The rest of a pair: what joins them and the second component.
    #[inline(never)]
    fn second(&mut self, way: &Way, now: Now) -> Option<Now> {
        let join = I::formats().get(usize::from(way.format))?.join.trim_ascii();
        if !self.bytes().get(now.at()..)?.starts_with(join.as_bytes()) {
            return None;
        }
        let begin = self.blanks(now.at() + join.len());
        let (named, len) = find::<I, MORE>(self.bytes().get(begin..)?)?;
        // Both components may have rows of this name.
        let second = if named.second { named } else { next::<I>(named)? };
        if !second.second || second.format != way.format {
            return None;
        }
        self.component(second, Now::new(begin + len, now.low | second.low, 0))
    }

    /// Asks the kind of an operand or modifier: `None` where it finds a fault, and else whether it gives a code.
    fn kind(&mut self, way: &Way, recipe: &Recipe, at: u8, what: Ask, now: Now) -> Option<(bool, Now)> {
        let entry = I::entries().get(usize::from(way.entry))?;
        let row = Row::<I>::new(I::formats().get(usize::from(entry.format))?, entry)?;
        let form = I::forms().get(usize::from(recipe.form))?;
        let bound = form.nth::<I>(at)?;
        let carrier = row.component.carriers.get(usize::from(bound.carrier))?;
        let reader = I::reading().readers.get(usize::from(row.component.nth))?.get(usize::from(bound.carrier))?;
        let mut input = Scanner::new(self.whole(now.at()));
        input.go(now.at());
        let mut words = Packed { low: now.low, third: self.third }.words();
        let (mut deferred, mut states_bits) = (None, false);
        let mut asm = Asm {
            input: &mut input,
            words: &mut words,
            mode: self.mode,
            ty: bound.ty,
            name: carrier.name,
            suffix_dword: way.suffix_dword,
            format: row.format,
            shape: row.shape,
            form,
            late: !matches!(what, Ask::Parse),
            component: entry.component,
            seen: now.seen(),
            suffix_dword_value: &mut self.literal,
            // Lines that name symbols are left to the parsers of the operands.
            symbols: None,
            deferred: &mut deferred,
            // Text that leaves them out is left to the parsers of the operands.
            leaves_out_implied: false,
            // Words that are not canonical are left to them too.
            states_bits: &mut states_bits,
            start: now.at(),
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
        self.third = third;
        let marks = now.marks() | ASKED | u32::from(code.is_some()) << (at & 31);
        Some((code.is_some(), Now::new(input.at(), low, marks)))
    }
}

/// Goes on if a number of an operand is no higher than the last that is its own code. Where numbers have parts, only these
/// are sure.
fn number(step: &ReadStep, plain: &Plain, last: u32, value: u32, now: Now) -> Option<Now> {
    let asked = if plain.parts.is_some() { ASKED } else { 0 };
    (value <= last && !(step.byte && value > 0xff)).then(|| Now::new(now.at(), now.low, now.marks() | asked))
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
