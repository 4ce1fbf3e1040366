//! The fast parser. It reads lines that are written as the printer writes them, and declines all others.
//!
//! It accepts a subset of what [`parse`](super::parse) accepts with the first encoding variant of the mnemonic, with the
//! same result; `tests/tests/text/fast_parse.rs` compares the two. It reports no errors: for a line that it declines, the slow
//! path finds the result or the error.
//!
//! A line is parsed in three steps:
//!
//! 1. The mnemonic with its suffix is hashed and compared eight bytes at a time. It selects a [`MnemonicEntry`] and a
//!    [`MatchPlan`] (`match_plan.rs`).
//! 2. Operands are parsed in the order of the plan. The first eight bytes of an operand are loaded as one number and
//!    compared with the fast syntax of its class ([`FastSyntax`]); for other text the parser calls the class, as the slow path
//!    does. Modifiers follow in any order.
//! 3. If the plan is valid in the mode, which const evaluation has determined, the dwords are an instruction. Otherwise they
//!    are decoded. The legality rules are checked in both cases.

mod class_calls;
mod state;

use isa_schema::{MnemonicEntry, PackedName};

use crate::dwords::Bits96;
use crate::parse::fast_syntax::{FastSyntax, NumberKey, NumberedFile};
use crate::parse::match_plan::{MatchPlan, MatchStep};
use crate::parse::swar::{find_blank, load, parse_decimal, parse_hex, parse_registers, parse_small};
use crate::tables::{Format, Isa, MAX_DWORDS};
use crate::unused::has_clear_operands;

use super::Options;
use class_calls::ClassCall;
use state::{NEEDS_DECODE, ParseState};

/// Parses a line on the fast path. Returns `None` if the slow path has to parse it.
#[must_use]
#[inline(always)]
pub fn parse<I: Isa>(text: &str, options: Options<I::Mode>) -> Option<I::Instr> {
    let text = text.get(count_blanks(text)..)?;
    // A short text is padded with blanks, because eight bytes are loaded at a time.
    let mut room = [b' '; WORD];
    let text = if text.len() < room.len() {
        room.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        core::str::from_utf8(&room).ok()?
    } else {
        text
    };
    Some(parse_line::<I, false>(text, options)?.0)
}

/// Parses the first of several lines, which `\n` or `\r\n` ends, on the fast path. Returns the instruction and the start of
/// the next line. Returns `None` if [`parse`](crate::parse()) has to parse the line.
// The caller does not search for the end of the line, and loads of eight bytes need no check near it.
#[must_use]
#[inline(always)]
pub fn line<I: Isa>(text: &str, options: Options<I::Mode>) -> Option<(I::Instr, usize)> {
    let blanks = count_blanks(text);
    let (instr, next) = parse_line::<I, true>(text.get(blanks..)?, options)?;
    Some((instr, blanks + next))
}

/// Returns the number of blanks at the start of a text.
#[inline(always)]
fn count_blanks(text: &str) -> usize {
    let mut blanks = 0;
    while let Some(b' ' | b'\t') = text.as_bytes().get(blanks) {
        blanks += 1;
    }
    blanks
}

/// The number of bytes that are loaded at a time.
const WORD: usize = 8;

/// Parses a line without blanks before it, and returns the start of the next one. With `MORE`, `\n` or `\r\n` ends the line;
/// otherwise the line is the whole text.
#[inline(always)]
fn parse_line<I: Isa, const MORE: bool>(text: &str, options: Options<I::Mode>) -> Option<(I::Instr, usize)> {
    if text.len() < WORD {
        return None;
    }
    let bytes = text.as_bytes();
    // The tables distinguish two modes, and positions have 32 bits.
    let mode_index = I::mode_index(options.mode) as u8;
    if mode_index > 1 || text.len() >= u32::MAX as usize / 2 {
        return None;
    }
    let (mut entry, after) = find_entry::<I, MORE>(bytes)?;
    if entry.is_second {
        return None;
    }
    let mut line = LineParser::<I, MORE> {
        text,
        third: 0,
        literal: None,
        deferred: [0; MAX_DEFERRED],
        mode: options.mode,
        mode_index,
    };
    let mut state = line.component(entry, ParseState::new(after, entry.low, 0))?;
    if state.low & entry.variant_bit != 0 {
        // A modifier has set the variant bit: parse the operands of the other variant.
        entry = next_entry::<I>(entry)?;
        (line.third, line.literal) = (0, None);
        state = line.component(entry, ParseState::new(after, entry.low, 0))?;
        if state.low & entry.variant_bit == 0 {
            return None;
        }
    } else if entry.is_pair {
        state = line.second(entry, state)?;
    }
    let next = line.next_line(state.at())?;
    let words = Bits96 { low: state.low, third: line.third }.dwords();
    let instr = match state.marks() & NEEDS_DECODE {
        0 => I::instr(entry.format, words, entry.dwords)?,
        _ => decoded::<I>(&words, options.mode)?,
    };
    if !options.lenient && I::legal(&instr, options.mode).is_err() {
        return None;
    }
    Some((instr, next))
}

/// Decodes dwords. Operands that other fields switch off have no code: the slow parser names the field.
#[inline(never)]
fn decoded<I: Isa>(words: &[u32; MAX_DWORDS], mode: I::Mode) -> Option<I::Instr> {
    let (instr, _) = crate::decode::<I>(words, mode).ok()?;
    let (format, words) = I::parts(&instr);
    has_clear_operands::<I>(format, &words, mode).then_some(instr)
}

/// Returns the entry of the mnemonic at the start of a text, and the end of the mnemonic.
#[inline(always)]
fn find_entry<I: Isa, const MORE: bool>(text: &[u8]) -> Option<(&'static MnemonicEntry, usize)> {
    let (name, end) = mnemonic::<MORE>(text)?;
    Some((I::parser_tables().reading.fast.find(name)?, end))
}

/// Returns the mnemonic at the start of a text, up to a blank, and its end. Returns `None` for one that is too long.
#[inline(always)]
fn mnemonic<const MORE: bool>(text: &[u8]) -> Option<(PackedName, usize)> {
    let name = |first, second, third| PackedName { first, second, third };
    let chunk = |at| {
        let word = word::<MORE>(text, at);
        let bits = find_blank(word);
        (word, bits, at + bits as usize / 8)
    };
    let (first, bits, end) = chunk(0);
    if bits < 64 {
        return Some((name(first & !(u64::MAX << bits), 0, 0), end));
    }
    let (second, bits, end) = chunk(8);
    if bits < 64 {
        return Some((name(first, second & !(u64::MAX << bits), 0), end));
    }
    let (third, bits, end) = chunk(16);
    if bits < 64 {
        return Some((name(first, second, third & !(u64::MAX << bits)), end));
    }
    // A mnemonic of the maximum length ends here.
    (find_blank(word::<MORE>(text, end)) == 0).then_some((name(first, second, third), end))
}

/// Loads eight bytes. With `MORE` they are nearly always within the text, so the branch is predicted.
#[inline(always)]
fn word<const MORE: bool>(text: &[u8], at: usize) -> u64 {
    match text.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(bytes) if MORE => u64::from_le_bytes(*bytes),
        _ => load(text, at),
    }
}

/// Returns the entry that `next` names.
fn next_entry<I: Isa>(entry: &MnemonicEntry) -> Option<&'static MnemonicEntry> {
    I::parser_tables().reading.fast.entries.get(entry.next?.get())
}

/// The most operands that can be deferred: those with the lowest indices.
const MAX_DEFERRED: usize = 8;

/// A line, and the state that few operands need.
struct LineParser<'s, I: Isa, const MORE: bool> {
    text: &'s str,
    /// The third dword.
    third: u32,
    /// The suffix dword, if an operand has set it.
    literal: Option<u32>,
    /// The positions of deferred operands.
    deferred: [u32; MAX_DEFERRED],
    mode: I::Mode,
    /// The index of the mode: 0 or 1.
    mode_index: u8,
}

impl<'s, I: Isa, const MORE: bool> LineParser<'s, I, MORE> {
    #[inline(always)]
    const fn bytes(&self) -> &'s [u8] {
        self.text.as_bytes()
    }

    #[inline(always)]
    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes().get(at).copied()
    }

    /// Loads eight bytes.
    #[inline(always)]
    fn word(&self, at: usize) -> u64 {
        word::<MORE>(self.bytes(), at)
    }

    /// Returns the start of the next line if this one ends at `at`.
    #[inline(always)]
    fn next_line(&self, at: usize) -> Option<usize> {
        match self.byte(at) {
            None => Some(at),
            Some(b'\n') if MORE => Some(at + 1),
            Some(b'\r') if MORE && self.byte(at + 1) == Some(b'\n') => Some(at + 2),
            _ => None,
        }
    }

    /// Returns whether the line ends at `at`.
    #[inline(always)]
    fn is_end(&self, at: usize) -> bool {
        self.next_line(at).is_some()
    }

    /// Returns the text up to the end of the line that contains `at`.
    fn line_at(&self, at: usize) -> &'s str {
        let mut end = if MORE { at } else { self.text.len() };
        while !self.is_end(end) {
            end += 1;
        }
        self.text.get(..end).unwrap_or_default()
    }

    /// Returns the end of the blanks at `at`.
    #[inline(always)]
    fn skip_blanks(&self, at: usize) -> usize {
        let mut at = at;
        while let Some(b' ' | b'\t') = self.byte(at) {
            at += 1;
        }
        at
    }

    /// Parses the operands and modifiers of a component.
    #[inline(always)]
    fn component(&mut self, entry: &MnemonicEntry, begin: ParseState) -> Option<ParseState> {
        let tables = &I::parser_tables().reading.fast;
        let plan = tables.plans.get(usize::from(entry.plan))?;
        let mut state = begin.with_needs_decode(!plan.valid_modes >> self.mode_index & 1);
        for step in plan.operands.of(tables.steps) {
            state = self.operand(entry, plan, step, state)?;
        }
        if !self.is_end(state.at()) {
            state = self.after_operands(entry, plan, state)?;
        }
        let again = plan.deferred & (plan.ordered | state.seen()) | plan.defaulted & !state.seen();
        if again != 0 { self.finish(entry, plan, again, state) } else { Some(state) }
    }

    /// Parses an operand and the separator before it.
    #[inline(always)]
    fn operand(
        &mut self,
        entry: &MnemonicEntry,
        plan: &MatchPlan,
        step: &MatchStep,
        state: ParseState,
    ) -> Option<ParseState> {
        let ahead = self.word(state.at());
        if (ahead as u16 ^ step.separator) & step.separator_mask != 0 {
            let at = self.separator(step, state.at())?;
            return self.other_operand(entry, plan, step, state.moved_to(at));
        }
        // The eight bytes contain all of a register with up to three digits. The next step checks what follows it.
        let word = ahead >> (step.separator_bits & 63);
        let letter = word as u8;
        let [first, second] = &step.files;
        let file = if letter == first.letter { first } else { second };
        if letter == file.letter {
            if let Some((number, bits)) = parse_small(word as u32, file.end) {
                return Some(state.past(step, u32::from(file.base) + number, bits));
            }
        } else if letter.is_ascii_digit() {
            // The number must not be followed by an operator.
            if let Some((number, bits)) = parse_small((word << 8) as u32, step.numbers.end)
                && let then = state.past(step, u32::from(step.numbers.base) + number, bits - 8)
                && (self.byte(then.at()) == Some(b',') || self.is_end(then.at()))
            {
                return Some(then);
            }
        } else if letter.is_ascii_lowercase() && (word >> 8) as u8 != b'[' && !step.is_deferred {
            let begin = state.at() + usize::from(step.separator_bits / 8);
            let found = self.named(step, self.word(begin));
            if let Some((code, len)) = found
                && self.is_boundary(begin + len as usize)
            {
                return Some(state.past(step, code, 8 * len));
            }
        }
        self.other_operand(entry, plan, step, state.moved_to(state.at() + usize::from(step.separator_bits / 8)))
    }

    /// Returns the fast syntax of an operand or a modifier.
    #[inline(always)]
    fn syntax(step: &MatchStep) -> &'static FastSyntax {
        I::parser_tables().reading.fast.syntax(step)
    }

    /// Returns the number of registers of an operand.
    #[inline(always)]
    fn dwords(&self, step: &MatchStep) -> u8 {
        step.dwords.get(self.mode_index as usize).copied().unwrap_or(0)
    }

    /// Skips an unusual separator before an operand.
    #[inline(never)]
    fn separator(&self, step: &MatchStep, at: usize) -> Option<usize> {
        if !self.is_after_operand(at) {
            return None;
        }
        let at = self.skip_blanks(at);
        if !step.follows_comma() {
            return Some(at);
        }
        (self.byte(at) == Some(b',')).then(|| self.skip_blanks(at + 1))
    }

    /// Returns whether an operand can end at `at`. Operand classes consume the blanks after the operand.
    fn is_after_operand(&self, at: usize) -> bool {
        self.is_boundary(at) || matches!(self.byte(at.wrapping_sub(1)), Some(b' ' | b'\t'))
    }

    /// Returns whether a name or a number can end at `at`: neither a letter nor a point follows.
    #[inline(always)]
    fn is_boundary(&self, at: usize) -> bool {
        matches!(self.byte(at), Some(b',' | b' ' | b'\t')) || self.is_end(at)
    }

    /// Parses an operand that is not a single register.
    #[inline(never)]
    fn other_operand(
        &mut self,
        entry: &MnemonicEntry,
        plan: &MatchPlan,
        step: &MatchStep,
        state: ParseState,
    ) -> Option<ParseState> {
        if step.is_deferred {
            *self.deferred.get_mut(usize::from(step.index))? = state.at() as u32;
        }
        let syntax = Self::syntax(step);
        let word = self.word(state.at());
        let letter = word as u8;
        let found = if letter.is_ascii_digit() || letter == b'-' {
            self.constant(entry, step, word, state)
        } else if let Some(NumberedFile { base, last, .. }) = syntax.files.iter().find(|file| file.letter == letter)
            && let Some((first, count, len)) = parse_registers(self.bytes(), state.at() + 1, *last)
        {
            let (code, low) = (base + u32::from(first), syntax.aligned & 7);
            let fits = (count == self.dwords(step) || syntax.any) && code & !(u32::MAX << low) == 0;
            fits.then(|| state.with(step, code >> low, state.at() + 1 + len))
        } else if let Some(parts) = syntax.parts {
            parts.parse(self.bytes(), state.at()).map(|(code, end)| state.with(step, code, end))
        } else {
            self.named(step, word).map(|(code, len)| state.with(step, code, state.at() + len as usize))
        };
        match found {
            Some(found) if self.is_boundary(found.at()) => Some(found),
            _ => self.parse_by_class(entry, plan, step.index, state),
        }
    }

    /// Returns the code of the name at the start of a word, and its length.
    #[inline(always)]
    fn named(&self, step: &MatchStep, word: u64) -> Option<(u32, u32)> {
        let dwords = self.dwords(step);
        let is = |name: &&crate::Word| name.begins(word) && (name.dwords == dwords || name.dwords == 0);
        let name = Self::syntax(step).names.iter().find(is)?;
        Some((name.code, u32::from(name.len)))
    }

    /// Parses an operand that begins with a digit or a sign.
    #[inline(always)]
    fn constant(
        &mut self,
        entry: &MnemonicEntry,
        step: &MatchStep,
        word: u64,
        state: ParseState,
    ) -> Option<ParseState> {
        let syntax = Self::syntax(step);
        let found = match word.to_le_bytes() {
            [b'0', b'x', ..] => return self.hexadecimal(entry, step, state),
            [_, b'.', ..] | [b'-', _, b'.', ..] => {
                let (code, len) = self.named(step, word)?;
                state.with(step, code, state.at() + len as usize)
            }
            [b'-', ..] => {
                let ((zero, last), (value, bits)) = (syntax.negative?, parse_decimal(word >> 8)?);
                (0 < value && value <= u32::from(last)).then_some(())?;
                state.with(step, zero + value, state.at() + 1 + bits as usize / 8)
            }
            _ => {
                let (value, bits) = parse_decimal(word)?;
                let (code, state) = match (syntax.numbers, syntax.integers) {
                    (Some(last), _) => (value, check_number(step, syntax, last, value, state)?),
                    (None, Some((zero, last))) => ((value <= u32::from(last)).then_some(zero + value)?, state),
                    _ => return None,
                };
                state.with(step, code, state.at() + bits as usize / 8)
            }
        };
        self.is_number_end(found.at()).then_some(found)
    }

    /// Parses a hexadecimal number.
    fn hexadecimal(&mut self, entry: &MnemonicEntry, step: &MatchStep, state: ParseState) -> Option<ParseState> {
        let (value, len) = parse_hex(self.bytes(), state.at() + 2)?;
        let end = state.at() + 2 + len;
        if !self.is_number_end(end) {
            return None;
        }
        let syntax = Self::syntax(step);
        if let Some(last) = syntax.numbers {
            return check_number(step, syntax, last, value, state).map(|state| state.with(step, value, end));
        }
        let (code, others) = syntax.literal?;
        // Small numbers and the bits of some floats are inline constants.
        let inline = value.wrapping_add(16) <= 16 + 64 || others.contains(&value);
        if !step.takes_literal || inline || self.literal.is_some() {
            return None;
        }
        self.literal = Some(value);
        let low = match entry.dwords {
            1 => state.low & u64::from(u32::MAX) | u64::from(value) << 32,
            _ => {
                self.third = value;
                state.low
            }
        };
        Some(ParseState::new(end, low, state.marks() | NEEDS_DECODE).with(step, code, end))
    }

    /// Returns whether an operand that is a number can end at `end`: no operator follows.
    #[inline(always)]
    fn is_number_end(&self, end: usize) -> bool {
        match self.byte(end) {
            Some(b',') => true,
            Some(b' ' | b'\t') => {
                let next = self.skip_blanks(end);
                let is_other = |byte: u8| matches!(byte, b',' | b':') || byte.is_ascii_alphabetic();
                self.byte(next).is_some_and(is_other) || self.is_end(next)
            }
            _ => self.is_end(end),
        }
    }

    /// Parses the modifiers after the operands. In a dual-issue format, skips the blanks before the second component.
    #[inline(never)]
    fn after_operands(&mut self, entry: &MnemonicEntry, plan: &MatchPlan, state: ParseState) -> Option<ParseState> {
        if !self.is_after_operand(state.at()) {
            return None;
        }
        let state = state.moved_to(self.skip_blanks(state.at()));
        if entry.is_pair { Some(state) } else { self.modifiers(entry, plan, state) }
    }

    /// Parses modifiers in any order up to the end of the line.
    #[inline(always)]
    fn modifiers(&mut self, entry: &MnemonicEntry, plan: &MatchPlan, begin: ParseState) -> Option<ParseState> {
        let steps = plan.modifiers.of(I::parser_tables().reading.fast.steps);
        let mut state = begin;
        'next: while !self.is_end(state.at()) {
            let word = self.word(state.at());
            for step in steps.iter().filter(|step| state.seen() >> (step.index & 31) & 1 == 0) {
                if let Some(found) = self.modifier(step, word, state) {
                    state = found.moved_to(self.skip_blanks(found.at()));
                    continue 'next;
                }
            }
            // No fast syntax matches: let the classes of the other modifiers parse the text.
            let seen = state.seen();
            for step in steps.iter().filter(|step| seen >> (step.index & 31) & 1 == 0) {
                let (is_found, then) = self.call_class(entry, plan, step.index, ClassCall::Parse, state)?;
                state = then;
                if is_found {
                    continue 'next;
                }
            }
            return None;
        }
        Some(state)
    }

    /// Parses a modifier by its fast syntax.
    #[inline(always)]
    fn modifier(&self, step: &MatchStep, word: u64, state: ParseState) -> Option<ParseState> {
        let unused = step.flag.leading_zeros() & !7;
        let found = if unused < 64 && word << unused == step.flag << unused {
            state.with(step, 1, state.at() + (64 - unused) as usize / 8)
        } else {
            let NumberKey { text: key, least: low, last: high } = Self::syntax(step).key.as_ref()?;
            if !key.begins(word) {
                return None;
            }
            let at = state.at() + usize::from(key.len);
            let word = self.word(at);
            let negative = word as u8 == b'-';
            let (value, bits) = parse_decimal(if negative { word >> 8 } else { word })?;
            let value = if negative { -(value as i32) } else { value as i32 };
            (*low <= value && value <= *high).then_some(())?;
            state.with(step, value as u32, at + usize::from(negative) + bits as usize / 8)
        };
        let closed = match self.byte(found.at()) {
            Some(b' ') => self.byte(found.at() + 1).is_some_and(|byte| byte.is_ascii_alphabetic()),
            _ => self.is_end(found.at()),
        };
        closed.then_some(found)
    }

    /// Parses the separator of a dual-issue pair and the second component.
    #[inline(never)]
    fn second(&mut self, entry: &MnemonicEntry, state: ParseState) -> Option<ParseState> {
        let join = Format::<I>::at(entry.format)?.join.trim_ascii();
        if !self.bytes().get(state.at()..)?.starts_with(join.as_bytes()) {
            return None;
        }
        let begin = self.skip_blanks(state.at() + join.len());
        let (named, len) = find_entry::<I, MORE>(self.bytes().get(begin..)?)?;
        // Both components may have rows with this mnemonic.
        let second = if named.is_second { named } else { next_entry::<I>(named)? };
        if !second.is_second || second.format != entry.format {
            return None;
        }
        self.component(second, ParseState::new(begin + len, state.low | second.low, 0))
    }
}

/// Checks that a number is not too large for its operand. If the syntax has named parts, const evaluation has checked only
/// these, so the instruction needs to be decoded.
fn check_number(step: &MatchStep, syntax: &FastSyntax, last: u32, value: u32, state: ParseState) -> Option<ParseState> {
    let mark = if syntax.parts.is_some() { NEEDS_DECODE } else { 0 };
    let is_valid = value <= last && !(step.is_byte && value > 0xff);
    is_valid.then(|| ParseState::new(state.at(), state.low, state.marks() | mark))
}
