//! From text to an instruction, by the same rows, templates and kinds that print it.
//!
//! A mnemonic leads to the rows of that name and their forms, in the order of the set's formats; the first form that
//! takes the whole line wins, so short encodings stand before long ones in `isa_set!`. Operands stand where the
//! template has them; modifiers may follow in any order. The words that come of it are decoded again, so nothing that
//! decoding refuses can be written.
//!
//! Nearly all lines are read by `fast`, which gives up wherever it is not sure of what it would give.

pub(crate) mod asm;
mod fast;
pub(crate) mod fault;
pub(crate) mod lines;
pub(crate) mod mnemonic;
pub(crate) mod plain;
pub(crate) mod recipe;
pub(crate) mod scan;
pub(crate) mod symbols;

pub use fast::{line as line_quickly, parse as quickly};

use crate::parse::asm::Asm;
use crate::parse::fault::{fault_here, operand_length};
use crate::parse::mnemonic::{Entry, guess, named, nearest_mnemonic, suffixes};
use crate::tables::{Access, Bound, Carrier, Component, Form, Format, Isa, MAX_DWORDS, Reader, Shape, Slot, Step};
use crate::{DecodeError, Deferred, Fault, Forbidden, Label, ParseError, Scanner, Symbols, Type};

/// How text is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options<M> {
    /// The mode, such as the wave size.
    pub mode: M,
    /// Whether instructions are let pass that break a rule between their operands.
    pub lenient: bool,
}

impl<M> From<M> for Options<M> {
    fn from(mode: M) -> Self {
        Options { mode, lenient: false }
    }
}

/// Reads one line.
///
/// # Errors
/// See [`ParseError`]; of several forms that do not take the line, the one that got furthest speaks.
pub fn parse<I: Isa>(text: &str, options: Options<I::Mode>) -> Result<I::Instr, ParseError> {
    match quickly::<I>(text, options) {
        Some(instr) => Ok(instr),
        None => by_kinds::<I>(text, options),
    }
}

/// Reads one line whose operands may name symbols, and says what is left to be filled in. A line that names none is
/// read as [`parse`] reads it.
///
/// # Errors
/// As [`parse`].
pub fn parse_with_symbols<I: Isa>(
    text: &str,
    options: Options<I::Mode>,
    symbols: &dyn Symbols,
) -> Result<(I::Instr, Option<Deferred>), ParseError> {
    match quickly::<I>(text, options) {
        Some(instr) => Ok((instr, None)),
        None => in_full::<I>(text, options, Some(symbols)),
    }
}

/// Reads one line with the parsers of its operands, without the fast path.
///
/// # Errors
/// As [`parse`].
#[inline(never)]
pub fn by_kinds<I: Isa>(text: &str, options: Options<I::Mode>) -> Result<I::Instr, ParseError> {
    in_full::<I>(text, options, None).map(|(instr, _)| instr)
}

/// Reads one line with the parsers of its operands.
fn in_full<I: Isa>(
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
    let mut line = Line::<I> { input, options, worst: None, known: false, out };
    // Nearly all lines are read by one of the first two; then nothing else is looked at.
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
        let fault = Fault::Mnemonic(nearest_mnemonic::<I>(mnemonic));
        ParseError { start, end: start + mnemonic.len(), fault }
    }))
}

/// A mnemonic as the tables have it: capital letters are taken for small ones.
fn in_lower_case<'a>(mnemonic: &'a str, room: &'a mut [u8; Label::MOST]) -> &'a str {
    let capital = mnemonic.bytes().any(|byte| byte.is_ascii_uppercase());
    let Some(lower) = room.get_mut(..mnemonic.len()).filter(|_| capital) else { return mnemonic };
    lower.copy_from_slice(mnemonic.as_bytes());
    lower.make_ascii_lowercase();
    core::str::from_utf8(lower).unwrap_or(mnemonic)
}

/// A line whose mnemonic is known.
struct Line<'s, I: Isa> {
    /// Behind the mnemonic.
    input: Scanner<'s>,
    options: Options<I::Mode>,
    /// The error that speaks if no form takes the line.
    worst: Option<ParseError>,
    /// Whether any row has the name.
    known: bool,
    out: Read<'s>,
}

impl<I: Isa> Line<'_, I> {
    /// Tries the rows of a name in the forms that this suffix can choose.
    fn rows(&mut self, rows: &'static [Entry], suffix: &'static str) -> Option<I::Instr> {
        for entry in rows.iter().filter(|e| e.component == 0) {
            let Some(format) = I::formats().get(usize::from(entry.format)) else { continue };
            let Some(row) = Row::new(format, entry) else { continue };
            // Forms without a suffix dword come first, then those whose suffix dword has a suffix of its own. Other suffix dwords come when an
            // operand asks for them.
            for suffix_dword in
                (0..=format.suffix_dwords.len() as u8).filter(|suffix_dword| row.fits(*suffix_dword, suffix))
            {
                for half in 0..=u8::from(row.shape.split.is_some()) {
                    let Some(form) = row.form(suffix_dword, half) else { continue };
                    self.known = true;
                    for told in [true, false] {
                        match self.form(entry.format, &row, form, (suffix_dword, half, told)) {
                            Ok(instr) => return Some(instr),
                            Err(error) if self.worst.is_none_or(|w| error.speaks_before(&w)) => {
                                self.worst = Some(error);
                            }
                            Err(_) => {}
                        }
                        if told && !row.implies(suffix_dword, half) {
                            break;
                        }
                    }
                }
            }
        }
        None
    }

    /// Reads the operands as one form has them, and holds what comes of it against the rules.
    fn form(
        &mut self,
        id: u8,
        row: &Row<I>,
        form: &'static Form,
        which: (u8, u8, bool),
    ) -> Result<I::Instr, ParseError> {
        let Options { mode, lenient } = self.options;
        let mut input = self.input;
        let instr = attempt::<I>(id, (row, form), which, &mut input, mode, &mut self.out)?;
        match I::legal(&instr, mode) {
            Err(broken) if !lenient => Err(forbidden(row, form, broken, &self.out, input.text())),
            _ => Ok(instr),
        }
    }
}

/// A broken rule, at the operand that breaks it, or at all of them.
fn forbidden<I: Isa>(row: &Row<I>, form: &Form, broken: Forbidden, read: &Read<'_>, text: &str) -> ParseError {
    let fault = Fault::Forbidden(broken);
    let bound = form.bound::<I>().zip(read.places).enumerate();
    let mut placed = bound.filter(|(at, (_, place))| read.seen >> (at & 31) & 1 == 1 && *place > 0);
    let named =
        |b: &Bound| row.component.carriers.get(usize::from(b.carrier)).is_some_and(|c| c.name == broken.operand);
    match placed.find(|(_, (b, _))| named(b)) {
        Some((_, (_, place))) => {
            let start = place as usize;
            let length = operand_length(text.get(start..).unwrap_or_default());
            ParseError { start, end: start + length, fault }
        }
        None => ParseError { start: text.len() - text.trim_start().len(), end: text.trim_end().len(), fault },
    }
}

/// A row of a component, looked up by name.
struct Row<I: Isa> {
    format: &'static Format<I>,
    component: &'static Component<I>,
    slot: &'static Slot,
    shape: &'static Shape<I>,
}

impl<I: Isa> Row<I> {
    fn new(format: &'static Format<I>, entry: &Entry) -> Option<Self> {
        let component = format.components.get(usize::from(entry.component))?;
        let slot = component.slots.get(usize::from(entry.slot))?;
        let shape = component.shapes.get(usize::from(slot.shape))?;
        Some(Row { format, component, slot, shape })
    }

    fn form_index(&self, suffix_dword: u8, half: u8) -> Option<usize> {
        let at = usize::from(half) * (self.format.suffix_dwords.len() + 1) + usize::from(suffix_dword);
        usize::from(*self.shape.forms().get(at)?).checked_sub(1)
    }

    fn form(&self, suffix_dword: u8, half: u8) -> Option<&'static Form> {
        I::forms().get(self.form_index(suffix_dword, half)?)
    }

    /// What is to be read of a form.
    fn text(&self, suffix_dword: u8, half: u8) -> &'static [Step] {
        self.form_index(suffix_dword, half).and_then(|at| I::reading().texts.get(at)).copied().unwrap_or_default()
    }

    /// Whether the format, which has no suffix, has a suffix dword whose suffix goes on from this one: text may have it.
    fn longer(&self, suffix: &str) -> bool {
        let goes_on =
            |t: &crate::tables::SuffixDword| t.suffix.strip_prefix(suffix).is_some_and(|rest| !rest.is_empty());
        self.format.suffix.is_empty() && self.format.suffix_dwords.iter().any(goes_on)
    }

    /// Whether text could leave out an operand of this form because no bits carry it.
    fn implies(&self, suffix_dword: u8, half: u8) -> bool {
        let Some(form) = self.form(suffix_dword, half) else { return false };
        self.text(suffix_dword, half).iter().any(|step| match step {
            Step::Operand(at) => bound(self, form, *at).is_some_and(|(_, c, _)| c.field == u8::MAX),
            Step::Literal(_) => false,
        })
    }

    /// Whether a suffix dword holds operands that the row's own words hold without it.
    fn replaces(&self, suffix_dword: u8) -> bool {
        let carriers =
            |suffix_dword| self.form(suffix_dword, 0).map(|f| f.bound::<I>().filter(|b| b.access != Access::Modifier));
        match (carriers(0), carriers(suffix_dword)) {
            (Some(without), Some(with)) => !without.map(|b| b.carrier).eq(with.map(|b| b.carrier)),
            _ => false,
        }
    }

    /// Whether text can choose forms with this suffix dword under this suffix.
    fn fits(&self, suffix_dword: u8, suffix: &'static str) -> bool {
        let Some(t) = suffix_dword.checked_sub(1).and_then(|i| self.format.suffix_dwords.get(usize::from(i))) else {
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

/// The suffix that a suffix dword has in other formats of this length: text may have it where this format writes none.
fn same_suffix_dword<I: Isa>(format: &Format<I>, name: &str) -> &'static str {
    let alike = I::formats().iter().filter(|f| f.dwords == format.dwords);
    let mut named = alike.flat_map(|f| f.suffix_dwords).filter(|t| t.name == name && !t.suffix.is_empty());
    named.next().map_or("", |t| t.suffix)
}

/// Reads operands as one form has them: the form of a suffix dword and a value of the split bit, with the implied operands or
/// without.
fn attempt<I: Isa>(
    id: u8,
    (first, form): (&Row<I>, &'static Form),
    which: (u8, u8, bool),
    input: &mut Scanner<'_>,
    mode: I::Mode,
    out: &mut Read<'_>,
) -> Result<I::Instr, ParseError> {
    let (suffix_dword, half, told) = which;
    let format = first.format;
    (out.words, out.suffix_dword_value, out.deferred, out.states_bits) = (format.fixed.1, None, None, false);
    if let Some(t) = suffix_dword.checked_sub(1).and_then(|i| format.suffix_dwords.get(usize::from(i)))
        && suffix_dword != first.shape.always
        && let Some((part, code)) = t.when.first()
    {
        part.set(&mut out.words, *code);
    }
    component(first, form, (suffix_dword, half, 0, told), input, out, mode)?;
    for (nth, _) in format.components.iter().enumerate().skip(1) {
        if !input.eat(format.join.trim()) {
            return Err(fault_here(input, Fault::Expected("the second instruction of the pair, after `::`")));
        }
        let start = input.at();
        let mnemonic = input.word();
        let mine = |e: &&Entry| e.format == id && usize::from(e.component) == nth;
        let row = named::<I>(mnemonic).iter().find(mine).and_then(|e| Row::new(format, e));
        let Some(row) = row else {
            let fault = Fault::Expected("an instruction that can be the second of a pair");
            return Err(ParseError { start, end: start + mnemonic.len(), fault });
        };
        let suffix_dword = suffix_dword.max(row.shape.always);
        let form = row.form(suffix_dword, 0).ok_or_else(|| fault_here(input, Fault::Encoding(None)))?;
        component(&row, form, (suffix_dword, 0, nth as u8, told), input, out, mode)?;
    }
    if !input.done() {
        return Err(fault_here(input, Fault::Expected("the end of the line")));
    }
    let mut words = out.words;
    if let Some(value) = out.suffix_dword_value
        && let Some(word) = words.get_mut(usize::from(format.dwords))
    {
        *word = value;
    }
    let whole = ParseError { start: 0, end: input.text().len(), fault: Fault::Encoding(None) };
    match crate::decode::<I>(&words, mode) {
        Ok((instr, _)) => Ok(instr),
        Err(DecodeError::WrongMode { needs, .. }) => {
            Err(ParseError { fault: Fault::Mode(I::mode_name(needs)), ..whole })
        }
        Err(DecodeError::NonCanonical { instr, .. }) if out.states_bits => Ok(instr),
        Err(error) => Err(ParseError { fault: Fault::Encoding(error.field()), ..whole }),
    }
}

/// The most operands and modifiers that a form has.
const MOST_BOUND: usize = 32;

/// What has been read of a line.
struct Read<'s> {
    words: [u32; MAX_DWORDS],
    /// The suffix dword's dword, once an operand has set it.
    suffix_dword_value: Option<u32>,
    /// The symbols that operands may name, if they may name any.
    symbols: Option<&'s dyn Symbols>,
    /// The value that is left to be filled in.
    deferred: Option<Deferred>,
    /// Whether an operand states the bits of its field as a number.
    states_bits: bool,
    /// The operands and modifiers of the component that was read last, a bit for each of its form.
    seen: u32,
    /// Where each of these operands begins; 0 for modifiers. What is not there has whatever was there before.
    places: [u32; MOST_BOUND],
}

/// Reads the operands and modifiers of one component into the words; `which` is the suffix dword, the split bit's value, the
/// number of the component, and whether the text has the implied operands.
fn component<I: Isa>(
    row: &Row<I>,
    form: &'static Form,
    which: (u8, u8, u8, bool),
    input: &mut Scanner<'_>,
    out: &mut Read<'_>,
    mode: I::Mode,
) -> Result<(), ParseError> {
    let Read { words, suffix_dword_value, symbols, deferred, states_bits, seen, places } = out;
    let (suffix_dword, half, component, told) = which;
    let (mask, value) = form.fixed::<I>();
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
        form,
        late: false,
        component,
        seen: 0,
        suffix_dword_value,
        symbols: *symbols,
        deferred,
        leaves_out_implied: !told,
        states_bits,
        start: 0,
        text: row.text(suffix_dword, half),
    };
    let rest = operands(row, &mut asm, places, told)?;
    modifiers(row, &mut asm, places, rest)?;
    *seen = asm.seen;
    let end = asm.input.at();
    asm.late = true;
    let readers = I::reading().readers.get(usize::from(row.component.nth)).copied().unwrap_or_default();
    for (at, bound) in form.bound::<I>().enumerate() {
        let absent = asm.seen >> (at & 31) & 1 == 0;
        if absent && bound.access != Access::Modifier {
            continue;
        }
        let carrier = usize::from(bound.carrier);
        let (Some(carrier), Some(reader)) = (row.component.carriers.get(carrier), readers.get(carrier)) else {
            continue;
        };
        let code = if absent {
            (asm.ty, asm.name) = (bound.ty, carrier.name);
            reader.absent.and_then(|absent| absent(&mut asm))
        } else if reader.late {
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
    // A modifier sets this bit: an atomic that returns something has to be written with `glc`.
    if let Some(bit) = row.shape.split()
        && bit.get(asm.words) != u32::from(half)
    {
        let modifier = row.component.carriers.iter().find(|c| c.bits.first == bit).map_or("", |c| c.name);
        return Err(fault_here(asm.input, Fault::Modified(modifier, half == 1)));
    }
    Ok(())
}

/// Reads what stands in the template up to the last operand, and notes where each begins. Gives what the text has to
/// have behind the modifiers.
fn operands<I: Isa>(
    row: &Row<I>,
    asm: &mut Asm<'_, '_, I>,
    places: &mut [u32; MOST_BOUND],
    told: bool,
) -> Result<&'static str, ParseError> {
    let form = asm.form;
    let is_operand = |step: &Step| match step {
        Step::Operand(at) => form.nth::<I>(*at).is_some_and(|b| b.access != Access::Modifier),
        Step::Literal(_) => false,
    };
    // A modifier that stands before an operand has its place; those behind the last one have none.
    let placed = asm.text.iter().rposition(is_operand).map_or(0, |last| last + 1);
    let mut separator = "";
    let mut first = true;
    for (step_at, step) in asm.text.iter().enumerate() {
        let at = match *step {
            Step::Literal(text) => {
                // What stands behind an operand that is left out at the beginning goes with it.
                separator = if told || !first { text } else { "" };
                continue;
            }
            Step::Operand(_) if step_at >= placed => continue,
            Step::Operand(at) => at,
        };
        let Some((bound, carrier, reader)) = bound(row, form, at) else { continue };
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
            let other = |input| fault_here(input, Fault::Expected("an operand of another kind"));
            Some((reader.parse)(asm)?.ok_or_else(|| other(asm.input))?)
        } else {
            without_comma(asm, reader, separator)
        };
        if let Some(code) = code {
            carrier.bits.set(asm.words, code);
            asm.seen |= 1 << (at & 31);
        } else {
            // An operand that may be left out goes with the separator before it.
            *asm.input = before;
            match reader.absent.and_then(|absent| absent(asm)) {
                Some(code) => carrier.bits.set(asm.words, code),
                None => return Err(fault_here(asm.input, Fault::Expected("another operand"))),
            }
        }
        separator = "";
    }
    Ok(separator)
}

/// Reads an operand that a blank parts from the one before, where a comma should: LLVM takes the one for the other. Where
/// something else comes, nothing is read.
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

/// Reads modifiers, in any order, and the literal text `rest` of the template somewhere among them.
fn modifiers<I: Isa>(
    row: &Row<I>,
    asm: &mut Asm<'_, '_, I>,
    places: &mut [u32; MOST_BOUND],
    rest: &'static str,
) -> Result<(), ParseError> {
    let form = asm.form;
    let join = row.format.join.trim_ascii();
    let mut rest = rest.trim_ascii();
    'next: while !asm.input.done() && (join.is_empty() || !asm.input.rest().starts_with(join)) {
        let over = |input: &mut Scanner<'_>| input.done() || !join.is_empty() && input.rest().starts_with(join);
        if asm.input.eat(",") && asm.seen != 0 && over(asm.input) {
            break;
        }
        // What the template does not show is no modifier, but a field that some operand sets.
        for step in asm.text {
            let Step::Operand(at) = *step else { continue };
            let Some((bound, carrier, reader)) = bound(row, form, at) else { continue };
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
        let modifier = |b: &&Bound| b.access == Access::Modifier;
        let carriers =
            form.bound::<I>().filter(modifier).filter_map(|b| row.component.carriers.get(usize::from(b.carrier)));
        let near = crate::nearest(carriers.map(|c| c.name), asm.input.peek_word());
        return Err(fault_here(asm.input, Fault::Modifier(near)));
    }
    if rest.is_empty() { Ok(()) } else { Err(fault_here(asm.input, Fault::Expected("the rest of the operands"))) }
}

/// An operand of a form, what carries it, and how it is read.
fn bound<I: Isa>(
    row: &Row<I>,
    form: &'static Form,
    at: u8,
) -> Option<(&'static Bound, &'static Carrier<I>, &'static Reader<I>)> {
    let bound = form.nth::<I>(at)?;
    let carrier = usize::from(bound.carrier);
    let reader = I::reading().readers.get(usize::from(row.component.nth))?.get(carrier)?;
    Some((bound, row.component.carriers.get(carrier)?, reader))
}

/// Takes a template's literal text, in which blanks are free.
#[inline(always)]
fn literal(input: &mut Scanner<'_>, text: &str) -> bool {
    match text.as_bytes() {
        [] | [b' '] => true,
        [b',', b' '] => input.eat_byte(b','),
        _ => text.split_ascii_whitespace().all(|part| input.eat(part)),
    }
}
