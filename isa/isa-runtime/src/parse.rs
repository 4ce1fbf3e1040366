//! The parser of assembly text. It uses the rows, templates and operand classes that the printer uses.
//!
//! The parser tries the rows of a mnemonic and their encoding variants in the order of the set's formats, and takes the
//! first variant that accepts the whole line; `isa_set!` therefore lists short encodings first. Operands are in the order of
//! the template, modifiers follow in any order. The result is decoded, so the parser accepts nothing that the decoder
//! refuses.
//!
//! The fast path is in `fast`. It declines lines that are not written in the usual way.

pub(crate) mod asm;
pub(crate) mod error;
mod fast;
pub(crate) mod fast_syntax;
pub(crate) mod hex_float;
pub(crate) mod lines;
pub(crate) mod match_plan;
pub(crate) mod mnemonic;
pub(crate) mod scan;
pub(crate) mod swar;
pub(crate) mod symbols;

pub use fast::{line as parse_line_fast, parse as parse_fast};

use crate::parse::asm::{Asm, Reader};
use crate::parse::error::{error_here, operand_length};
use crate::parse::mnemonic::{Entry, guess, named, nearest_mnemonic, suffixes};
use crate::tables::{
    Access, Bound, Carrier, Component, EncodingVariant, FixedBits, Format, Isa, MAX_DWORDS, Shape, Slot, Step,
};
use crate::{DecodeError, Deferred, ErrorKind, Forbidden, Label, ParseError, Scanner, Symbols, Type};

/// The options of the parser.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options<M> {
    /// The mode, such as the wave size.
    pub mode: M,
    /// Whether the parser accepts instructions that break a legality rule.
    pub lenient: bool,
}

impl<M> From<M> for Options<M> {
    fn from(mode: M) -> Self {
        Options { mode, lenient: false }
    }
}

/// Parses a line.
///
/// # Errors
/// See [`ParseError`]. If several encoding variants refuse the line, the error is that of the variant that accepted most of it.
pub fn parse<I: Isa>(text: &str, options: Options<I::Mode>) -> Result<I::Instr, ParseError> {
    match parse_fast::<I>(text, options) {
        Some(instr) => Ok(instr),
        None => parse_slow::<I>(text, options),
    }
}

/// Parses a line whose operands may name symbols. Returns the instruction, and the value that the caller has to fill in.
///
/// # Errors
/// As [`parse`].
pub fn parse_with_symbols<I: Isa>(
    text: &str,
    options: Options<I::Mode>,
    symbols: &dyn Symbols,
) -> Result<(I::Instr, Option<Deferred>), ParseError> {
    match parse_fast::<I>(text, options) {
        Some(instr) => Ok((instr, None)),
        None => parse_with::<I>(text, options, Some(symbols)),
    }
}

/// Parses a line on the slow path.
///
/// # Errors
/// As [`parse`].
#[inline(never)]
pub fn parse_slow<I: Isa>(text: &str, options: Options<I::Mode>) -> Result<I::Instr, ParseError> {
    parse_with::<I>(text, options, None).map(|(instr, _)| instr)
}

/// Parses a line on the slow path, with or without symbols.
fn parse_with<I: Isa>(
    text: &str,
    options: Options<I::Mode>,
    symbols: Option<&dyn Symbols>,
) -> Result<(I::Instr, Option<Deferred>), ParseError> {
    let mut input = Scanner::new(text);
    let start = input.at();
    let written = input.word();
    let mut lower = [0; Label::MOST];
    let mnemonic = in_lower_case(written, &mut lower);
    let out = Read {
        words: [0; MAX_DWORDS],
        suffix_dword_value: None,
        symbols,
        deferred: None,
        states_bits: false,
        seen: 0,
        places: [0; MOST_BOUND],
    };
    let mut line = LineParser::<I> { input, options, worst: None, known: false, out };
    // The first two lookups find the rows of most lines.
    if let Some(instr) = line.rows(named::<I>(mnemonic), "") {
        return Ok((instr, line.out.deferred));
    }
    if let Some((rows, suffix)) = guess::<I>(mnemonic)
        && let Some(instr) = line.rows(rows, suffix)
    {
        return Ok((instr, line.out.deferred));
    }
    for (rows, suffix) in suffixes::<I>(mnemonic) {
        if let Some(instr) = line.rows(rows, suffix) {
            return Ok((instr, line.out.deferred));
        }
    }
    Err(line.worst.filter(|_| line.known).unwrap_or_else(|| {
        let kind = ErrorKind::Mnemonic(nearest_mnemonic::<I>(mnemonic));
        ParseError { start, end: start + mnemonic.len(), kind }
    }))
}

/// Returns a mnemonic in lower case, as the tables have it.
fn in_lower_case<'a>(mnemonic: &'a str, room: &'a mut [u8; Label::MOST]) -> &'a str {
    let capital = mnemonic.bytes().any(|byte| byte.is_ascii_uppercase());
    let Some(lower) = room.get_mut(..mnemonic.len()).filter(|_| capital) else { return mnemonic };
    lower.copy_from_slice(mnemonic.as_bytes());
    lower.make_ascii_lowercase();
    core::str::from_utf8(lower).unwrap_or(mnemonic)
}

/// The slow path on a line.
struct LineParser<'s, I: Isa> {
    /// The text after the mnemonic.
    input: Scanner<'s>,
    options: Options<I::Mode>,
    /// The error to report if no variant accepts the line.
    worst: Option<ParseError>,
    /// Whether a row has the mnemonic.
    known: bool,
    out: Read<'s>,
}

impl<I: Isa> LineParser<'_, I> {
    /// Tries the rows of a mnemonic in the variants that the suffix allows.
    fn rows(&mut self, rows: &'static [Entry], suffix: &'static str) -> Option<I::Instr> {
        for entry in rows.iter().filter(|e| e.component == 0) {
            let Some(row) = Row::new(entry) else { continue };
            let format = row.format;
            // Variants without a suffix dword precede those whose suffix dword has a mnemonic suffix. Other suffix dwords are
            // added when an operand needs them.
            for suffix_dword in
                (0..=format.suffix_dwords.len() as u8).filter(|suffix_dword| row.fits(*suffix_dword, suffix))
            {
                for variant_bit in 0..=u8::from(row.shape.variant_bit.is_some()) {
                    let Some(variant) = row.variant(suffix_dword, variant_bit) else { continue };
                    self.known = true;
                    for names_implied in [true, false] {
                        let choice = Choice { suffix_dword, variant_bit, names_implied };
                        match self.variant(entry.format, &row, variant, choice) {
                            Ok(instr) => return Some(instr),
                            Err(error) if self.worst.is_none_or(|w| error.takes_precedence(&w)) => {
                                self.worst = Some(error);
                            }
                            Err(_) => {}
                        }
                        if names_implied && !row.implies(suffix_dword, variant_bit) {
                            break;
                        }
                    }
                }
            }
        }
        None
    }

    /// Parses the operands of one variant, and checks the legality rules.
    fn variant(
        &mut self,
        id: u8,
        row: &Row<I>,
        variant: &'static EncodingVariant,
        choice: Choice,
    ) -> Result<I::Instr, ParseError> {
        let Options { mode, lenient } = self.options;
        let mut input = self.input;
        let instr = attempt::<I>(id, (row, variant), choice, &mut input, mode, &mut self.out)?;
        match I::legal(&instr, mode) {
            Err(broken) if !lenient => Err(forbidden(row, variant, broken, &self.out, input.text())),
            _ => Ok(instr),
        }
    }
}

/// Returns the error for a broken rule, at the operand that breaks it or at all operands.
fn forbidden<I: Isa>(
    row: &Row<I>,
    variant: &EncodingVariant,
    broken: Forbidden,
    read: &Read<'_>,
    text: &str,
) -> ParseError {
    let kind = ErrorKind::Forbidden(broken);
    let carriers = variant.carriers(row.component).zip(read.places).enumerate();
    let mut placed = carriers.filter(|(at, (_, place))| read.seen >> (at & 31) & 1 == 1 && *place > 0);
    match placed.find(|(_, ((_, carrier), _))| carrier.name == broken.operand) {
        Some((_, (_, place))) => {
            let start = place as usize;
            let length = operand_length(text.get(start..).unwrap_or_default());
            ParseError { start, end: start + length, kind }
        }
        None => ParseError { start: text.len() - text.trim_start().len(), end: text.trim_end().len(), kind },
    }
}

/// A row of a component.
struct Row<I: Isa> {
    format: &'static Format<I>,
    component: &'static Component<I>,
    slot: &'static Slot,
    shape: &'static Shape<I>,
}

impl<I: Isa> Row<I> {
    fn new(entry: &Entry) -> Option<Self> {
        let format = Format::at(entry.format)?;
        let component = format.component(entry.component)?;
        let slot = component.slots.get(usize::from(entry.slot))?;
        let shape = component.shapes.get(usize::from(slot.shape))?;
        Some(Row { format, component, slot, shape })
    }

    fn variant_index(&self, suffix_dword: u8, variant_bit: u8) -> Option<usize> {
        self.shape.variant_index(self.format, variant_bit.into(), suffix_dword.into())
    }

    fn variant(&self, suffix_dword: u8, variant_bit: u8) -> Option<&'static EncodingVariant> {
        I::tables().variants.get(self.variant_index(suffix_dword, variant_bit)?)
    }

    /// Returns the steps of a variant.
    fn text(&self, suffix_dword: u8, variant_bit: u8) -> &'static [Step] {
        let variant = self.variant_index(suffix_dword, variant_bit);
        variant.map_or(&[], |variant| I::parser_tables().reading.text(variant))
    }

    /// Returns whether a suffix dword of the format, which has no suffix itself, has a longer suffix with this prefix. Text may
    /// have the shorter one.
    fn longer(&self, suffix: &str) -> bool {
        let is_longer =
            |t: &crate::tables::SuffixDword| t.suffix.strip_prefix(suffix).is_some_and(|rest| !rest.is_empty());
        self.format.suffix.is_empty() && self.format.suffix_dwords.iter().any(is_longer)
    }

    /// Returns whether a variant has an implied operand, which text may omit.
    fn implies(&self, suffix_dword: u8, variant_bit: u8) -> bool {
        let Some(variant) = self.variant(suffix_dword, variant_bit) else { return false };
        self.text(suffix_dword, variant_bit).iter().any(|step| match step {
            Step::Operand(at) => bound(self, variant, *at).is_some_and(|(_, c, _)| c.field == u8::MAX),
            Step::Literal(_) => false,
        })
    }

    /// Returns whether a suffix dword holds operands that the format's own fields hold without it.
    fn replaces(&self, suffix_dword: u8) -> bool {
        let carriers = |suffix_dword| {
            self.variant(suffix_dword, 0).map(|variant| variant.bound::<I>().filter(|b| b.access != Access::Modifier))
        };
        match (carriers(0), carriers(suffix_dword)) {
            (Some(without), Some(with)) => !without.map(|b| b.carrier).eq(with.map(|b| b.carrier)),
            _ => false,
        }
    }

    /// Returns whether the mnemonic suffix allows variants with this suffix dword.
    fn fits(&self, suffix_dword: u8, suffix: &'static str) -> bool {
        let Some(t) = self.format.suffix_dword(suffix_dword) else {
            return self.shape.always == 0
                && (suffix.is_empty() || suffix == self.format.suffix || self.longer(suffix));
        };
        let named = match t.suffix {
            "" if suffix_dword == self.shape.always => self.format.suffix,
            "" if self.replaces(suffix_dword) => same_suffix_dword::<I>(self.format, t.name),
            "" => return false,
            own => own,
        };
        suffix.is_empty() || suffix == named
    }
}

/// Returns the mnemonic suffix of a suffix dword in other formats of the same length. Text may have it although this format
/// prints none.
fn same_suffix_dword<I: Isa>(format: &Format<I>, name: &str) -> &'static str {
    let alike = I::tables().formats.iter().filter(|f| f.dwords == format.dwords);
    let mut named = alike.flat_map(|f| f.suffix_dwords).filter(|t| t.name == name && !t.suffix.is_empty());
    named.next().map_or("", |t| t.suffix)
}

/// The variant that the parser tries.
#[derive(Clone, Copy)]
struct Choice {
    suffix_dword: u8,
    /// The value of the variant bit.
    variant_bit: u8,
    /// Whether the text has the implied operands.
    names_implied: bool,
}

/// Parses the operands of one variant.
fn attempt<I: Isa>(
    id: u8,
    (first, variant): (&Row<I>, &'static EncodingVariant),
    choice: Choice,
    input: &mut Scanner<'_>,
    mode: I::Mode,
    out: &mut Read<'_>,
) -> Result<I::Instr, ParseError> {
    let suffix_dword = choice.suffix_dword;
    let format = first.format;
    (out.words, out.suffix_dword_value, out.deferred, out.states_bits) = (format.fixed.value, None, None, false);
    if let Some(t) = format.suffix_dword(suffix_dword)
        && suffix_dword != first.shape.always
        && let Some((part, code)) = t.when.first()
    {
        part.set(&mut out.words, *code);
    }
    component(first, variant, 0, choice, input, out, mode)?;
    for (nth, _) in format.components.iter().enumerate().skip(1) {
        if !input.eat(format.join.trim()) {
            return Err(error_here(input, ErrorKind::Expected("the second instruction of the pair, after `::`")));
        }
        let start = input.at();
        let mnemonic = input.word();
        let mine = |e: &&Entry| e.format == id && usize::from(e.component) == nth;
        let row = named::<I>(mnemonic).iter().find(mine).and_then(Row::<I>::new);
        let Some(row) = row else {
            let kind = ErrorKind::Expected("an instruction that can be the second of a pair");
            return Err(ParseError { start, end: start + mnemonic.len(), kind });
        };
        let suffix_dword = suffix_dword.max(row.shape.always);
        let variant = row.variant(suffix_dword, 0).ok_or_else(|| error_here(input, ErrorKind::Encoding(None)))?;
        let choice = Choice { suffix_dword, variant_bit: 0, ..choice };
        component(&row, variant, nth as u8, choice, input, out, mode)?;
    }
    if !input.done() {
        return Err(error_here(input, ErrorKind::Expected("the end of the line")));
    }
    let mut words = out.words;
    if let Some(value) = out.suffix_dword_value
        && let Some(word) = words.get_mut(usize::from(format.dwords))
    {
        *word = value;
    }
    let whole = ParseError { start: 0, end: input.text().len(), kind: ErrorKind::Encoding(None) };
    match crate::decode::<I>(&words, mode) {
        Ok((instr, _)) => {
            let (format, words) = I::parts(&instr);
            match crate::unused_field::<I>(format, &words) {
                None => Ok(instr),
                Some(unused) => Err(ParseError { kind: ErrorKind::Encoding(Some(unused.field)), ..whole }),
            }
        }
        Err(DecodeError::WrongMode { needs, .. }) => {
            Err(ParseError { kind: ErrorKind::Mode(I::mode_name(needs)), ..whole })
        }
        Err(DecodeError::NonCanonical { instr, .. }) if out.states_bits => Ok(instr),
        Err(error) => Err(ParseError { kind: ErrorKind::Encoding(error.field()), ..whole }),
    }
}

/// The most operands and modifiers of a variant.
const MOST_BOUND: usize = 32;

/// The result of parsing a line so far.
struct Read<'s> {
    words: [u32; MAX_DWORDS],
    /// The suffix dword, once an operand has set it.
    suffix_dword_value: Option<u32>,
    /// The symbols that operands may name.
    symbols: Option<&'s dyn Symbols>,
    /// The value that the caller has to fill in.
    deferred: Option<Deferred>,
    /// Whether an operand states the bits of its field as a number.
    states_bits: bool,
    /// The operands and modifiers seen in the last component, a bit each.
    seen: u32,
    /// The positions of these operands, 0 for modifiers. Other elements are unspecified.
    places: [u32; MOST_BOUND],
}

/// Parses the operands and modifiers of a row, whose component has this number in its format.
fn component<I: Isa>(
    row: &Row<I>,
    variant: &'static EncodingVariant,
    component: u8,
    choice: Choice,
    input: &mut Scanner<'_>,
    out: &mut Read<'_>,
    mode: I::Mode,
) -> Result<(), ParseError> {
    let Read { words, suffix_dword_value, symbols, deferred, states_bits, seen, places } = out;
    let Choice { suffix_dword, variant_bit, names_implied } = choice;
    let FixedBits { mask, value } = &variant.fixed::<I>().written;
    for ((word, mask), value) in words.iter_mut().zip(mask).zip(value) {
        *word = *word & !mask | value;
    }
    row.component.opcode.set(words, u32::from(row.slot.number));
    let mut asm = Asm {
        input,
        words,
        mode,
        ty: Type::new(crate::Class::Bits, 32, 1),
        name: "",
        suffix_dword,
        format: row.format,
        shape: row.shape,
        variant,
        is_second_pass: false,
        component,
        seen: 0,
        suffix_dword_value,
        symbols: *symbols,
        deferred,
        leaves_out_implied: !names_implied,
        states_bits,
        start: 0,
        text: row.text(suffix_dword, variant_bit),
    };
    let rest = operands(row, &mut asm, places, names_implied)?;
    modifiers(row, &mut asm, places, rest)?;
    *seen = asm.seen;
    let end = asm.input.at();
    asm.is_second_pass = true;
    let readers = I::parser_tables().reading.readers.get(usize::from(row.component.nth)).copied().unwrap_or_default();
    for (at, bound) in variant.bound::<I>().enumerate() {
        let is_omitted = asm.seen >> (at & 31) & 1 == 0;
        if is_omitted && bound.access != Access::Modifier {
            continue;
        }
        let carrier = usize::from(bound.carrier);
        let (Some(carrier), Some(reader)) = (row.component.carriers.get(carrier), readers.get(carrier)) else {
            continue;
        };
        let code = if is_omitted {
            (asm.ty, asm.name) = (bound.ty, carrier.name);
            reader.default.and_then(|default| default(&mut asm))
        } else if reader.is_deferred {
            (asm.ty, asm.name) = (bound.ty, carrier.name);
            asm.input.go(places.get(at).map_or(0, |place| *place as usize));
            (reader.parse)(&mut asm)?
        } else {
            None
        };
        if let Some(code) = code {
            carrier.bits.set(asm.words, code);
        }
    }
    asm.input.go(end);
    // A modifier sets the variant bit: an atomic that returns a value needs `glc`.
    if let Some(bit) = row.shape.variant_bit
        && bit.get(asm.words) != u32::from(variant_bit)
    {
        let modifier = variant_modifier(row.component, row.shape).unwrap_or_default();
        return Err(error_here(asm.input, ErrorKind::Modified(modifier, variant_bit == 1)));
    }
    Ok(())
}

/// Returns the text of the modifier that sets a row's variant bit, such as `glc` of an atomic that returns a value. `None` if the row
/// has no variant bit.
#[must_use]
pub fn variant_modifier<I: Isa>(component: &Component<I>, shape: &Shape<I>) -> Option<&'static str> {
    let bit = shape.variant_bit?;
    let readers = I::parser_tables().reading.readers.get(usize::from(component.nth))?;
    let (carrier, reader) = component.carriers.iter().zip(*readers).find(|(carrier, _)| carrier.bits.first == bit)?;
    Some(if reader.stated_by.is_empty() { carrier.name } else { reader.stated_by })
}

/// Parses the template up to the last operand, and records the operands' positions. Returns the text that has to follow the
/// modifiers.
fn operands<I: Isa>(
    row: &Row<I>,
    asm: &mut Asm<'_, '_, I>,
    places: &mut [u32; MOST_BOUND],
    told: bool,
) -> Result<&'static str, ParseError> {
    let variant = asm.variant;
    let is_operand = |step: &Step| match step {
        Step::Operand(at) => variant.nth::<I>(*at).is_some_and(|b| b.access != Access::Modifier),
        Step::Literal(_) => false,
    };
    // Modifiers before the last operand have a fixed position; those after it are in any order.
    let placed = asm.text.iter().rposition(is_operand).map_or(0, |last| last + 1);
    let mut separator = "";
    let mut first = true;
    for (step_at, step) in asm.text.iter().enumerate() {
        let at = match *step {
            Step::Literal(text) => {
                // The separator after an omitted first operand is omitted too.
                separator = if told || !first { text } else { "" };
                continue;
            }
            Step::Operand(_) if step_at >= placed => continue,
            Step::Operand(at) => at,
        };
        let Some((bound, carrier, reader)) = bound(row, variant, at) else { continue };
        if !told && carrier.field == u8::MAX {
            separator = "";
            continue;
        }
        first = false;
        (asm.ty, asm.name) = (bound.ty, carrier.name);
        let before = *asm.input;
        let parted = literal(asm.input, separator);
        if !parted {
            *asm.input = before;
        }
        asm.start = asm.input.at();
        if let Some(place) = places.get_mut(usize::from(at)) {
            *place = asm.start as u32;
        }
        let code = if parted {
            let other = |input| error_here(input, ErrorKind::Expected("an operand of another class"));
            Some((reader.parse)(asm)?.ok_or_else(|| other(asm.input))?)
        } else {
            without_comma(asm, reader, separator)
        };
        if let Some(code) = code {
            carrier.bits.set(asm.words, code);
            asm.seen |= 1 << (at & 31);
        } else {
            // The separator before an omitted operand is omitted too.
            *asm.input = before;
            match reader.default.and_then(|default| default(asm)) {
                Some(code) => carrier.bits.set(asm.words, code),
                None => return Err(missing_text(asm.input, separator, "another operand")),
            }
        }
        separator = "";
    }
    Ok(separator)
}

/// Parses an operand after a blank instead of a comma, which LLVM accepts. Returns `None`, and consumes nothing, for any other
/// text.
fn without_comma<I: Isa>(asm: &mut Asm<'_, '_, I>, reader: &Reader<I>, separator: &str) -> Option<u32> {
    if separator != ", " || asm.input.done() {
        return None;
    }
    let (words, suffix_dword_value) = (*asm.words, *asm.suffix_dword_value);
    let read = (reader.parse)(asm).ok().flatten();
    if read.is_none() {
        (*asm.words, *asm.suffix_dword_value) = (words, suffix_dword_value);
    }
    read
}

/// Parses modifiers in any order, and the text `rest` of the template among them.
fn modifiers<I: Isa>(
    row: &Row<I>,
    asm: &mut Asm<'_, '_, I>,
    places: &mut [u32; MOST_BOUND],
    rest: &'static str,
) -> Result<(), ParseError> {
    let variant = asm.variant;
    let join = row.format.join.trim_ascii();
    let mut rest = rest.trim_ascii();
    'next: while !asm.input.done() && (join.is_empty() || !asm.input.rest().starts_with(join)) {
        let is_end = |input: &mut Scanner<'_>| input.done() || !join.is_empty() && input.rest().starts_with(join);
        if asm.input.eat(",") && asm.seen != 0 && is_end(asm.input) {
            break;
        }
        // The template prints all modifiers. Operands set the other fields.
        for step in asm.text {
            let Step::Operand(at) = *step else { continue };
            let Some((bound, carrier, reader)) = bound(row, variant, at) else { continue };
            if bound.access != Access::Modifier || asm.seen >> (at & 31) & 1 == 1 {
                continue;
            }
            (asm.ty, asm.name) = (bound.ty, carrier.name);
            if let Some(code) = (reader.parse)(asm)? {
                carrier.bits.set(asm.words, code);
                asm.seen |= 1 << (at & 31);
                if let Some(place) = places.get_mut(usize::from(at)) {
                    *place = 0;
                }
                continue 'next;
            }
        }
        if !rest.is_empty() && literal(asm.input, rest) {
            rest = "";
            continue;
        }
        if !named::<I>(asm.input.peek_word()).is_empty() {
            return Err(error_here(asm.input, ErrorKind::NextInstruction));
        }
        let modifiers = variant.carriers(row.component).filter(|(bound, _)| bound.access == Access::Modifier);
        let near = crate::nearest(modifiers.map(|(_, carrier)| carrier.name), asm.input.peek_word());
        return Err(error_here(asm.input, ErrorKind::Modifier(near)));
    }
    if rest.is_empty() { Ok(()) } else { Err(missing_text(asm.input, rest, "the rest of the operands")) }
}

/// Returns an operand of a variant, its carrier and its parser.
fn bound<I: Isa>(
    row: &Row<I>,
    variant: &'static EncodingVariant,
    at: u8,
) -> Option<(&'static Bound, &'static Carrier<I>, &'static Reader<I>)> {
    let bound = variant.nth::<I>(at)?;
    let readers = I::parser_tables().reading.readers.get(usize::from(row.component.nth))?;
    Some((bound, row.component.carrier(bound)?, readers.get(usize::from(bound.carrier))?))
}

/// Returns the error of a line that lacks the literal text of a template, or `what` comes after it: at the first part of the text
/// that the line lacks.
#[cold]
fn missing_text(input: &mut Scanner<'_>, text: &'static str, what: &'static str) -> ParseError {
    let before = *input;
    match text.split_ascii_whitespace().find(|part| !input.eat(part)) {
        Some(part) if part != "," => error_here(input, ErrorKind::Text(part)),
        _ => {
            *input = before;
            error_here(input, ErrorKind::Expected(what))
        }
    }
}

/// Consumes the literal text of a template. Blanks are optional.
#[inline(always)]
fn literal(input: &mut Scanner<'_>, text: &str) -> bool {
    match text.as_bytes() {
        [] | [b' '] => true,
        [b',', b' '] => input.eat_byte(b','),
        _ => text.split_ascii_whitespace().all(|part| input.eat(part)),
    }
}
