//! From an instruction to text.
//!
//! A form's [`Line`] is a list of steps. Each writes what stands before an operand and then the operand: a copy of a
//! text that is ready where its kind has one for the code, and otherwise a call of the kind. All that is copied has
//! room for a fixed number of bytes, so that a copy is one or two moves and no loop; a length beside it says how many
//! count.

pub(crate) mod text;
pub(crate) mod to_text;

use core::fmt;

use crate::print::text::{Copies, Short};
use crate::tables::view::{form_index, row, suffix_dword_of};
use crate::tables::{
    Component, Cx, Format, Head, Isa, MAX_DWORDS, Packed, Place, Rest, Run, Start, WriteCodeFn, WriteFn, WriteLiteralFn,
};
use crate::{Name, Text};

/// What writing text needs besides the forms.
pub struct Printing<I: Isa> {
    /// Where writing begins, for each format.
    pub starts: &'static [Start],
    /// How each form is written.
    pub lines: &'static [Line],
    /// What lines name.
    pub parts: Parts,
    /// What writes the kinds of the carriers, for each component.
    pub writers: &'static [&'static [WriteFn<I>]],
    /// What writes them from their code alone.
    pub alone: &'static [&'static [Option<WriteCodeFn>]],
    /// The codes that stand for literals, and what writes these.
    pub literals: &'static [&'static [Option<(u16, WriteLiteralFn)>]],
    /// The texts of [`Isa::labels`] that opcodes have, for each component.
    pub heads: &'static [&'static [Head]],
}

/// What lines name by numbers, since many have the same.
pub struct Parts {
    /// The steps.
    pub steps: &'static [LineStep],
    /// Lists that lines share.
    pub masks: &'static Masks,
}

/// How a form is written.
#[derive(Clone, Copy)]
pub struct Line {
    /// Where none of these bits of the first two words is set, there is nothing to be written but the steps up to the
    /// last operand, and what is ready of them counts.
    pub(crate) special: u64,
    /// The steps up to the last operand; before the first stands what follows the mnemonic directly, such as `_e64`.
    pub(crate) steps: &'static [LineStep],
    /// Where the modifiers behind it begin among all steps, and how many they are.
    pub(crate) modifiers: u16,
    pub(crate) count: u8,
    /// How many of these are left where all bits of a mask are zero: the others would write nothing.
    pub(crate) quiet: u8,
    /// The index of that mask.
    pub(crate) loud: u8,
    /// The index of the masks of what alters operands.
    pub(crate) alters: u8,
    /// The index of the words of rows for which no text is ready.
    pub(crate) unless: u8,
    /// Whether one of those steps is a mask, of which texts are ready in the first mode only.
    pub(crate) by_mode: bool,
}

/// One step of a line.
#[derive(Clone, Copy)]
pub struct LineStep {
    /// What is ready, by code; empty where nothing is.
    pub(crate) names: &'static [Name],
    /// The code's bits, where something is ready: as [`Place`] has them, the lowest one with [`BY_MODE`].
    pub(crate) ones: u32,
    pub(crate) lo: u8,
    /// What stands before the operand.
    pub(crate) before: Short,
    /// The index of the operand's carrier in its component; of one that there is not where its code cannot be had so.
    pub(crate) carrier: u8,
    /// The operand's number in its form; with [`MODIFIER`] its number among the modifiers; [`NO_OPERAND`] where there is
    /// none.
    pub(crate) bound: u8,
}

/// What is ready is so in the first mode only; a [`Place`] passes over this bit.
pub(crate) const BY_MODE: u8 = 0x80;
/// See [`LineStep`].
pub(crate) const MODIFIER: u8 = 0x80;
/// See [`LineStep`].
pub(crate) const NO_OPERAND: u8 = 0xFF;

/// Bits of words.
pub(crate) type Mask = [u64; 4];

/// Lists of masks that lines share. The last entry of each is for all that found no room: the careful answer.
pub struct Masks {
    /// Bits of the first two words, and of the third: modifiers that write nothing where all are zero.
    pub(crate) loud: [Mask; 128],
    /// Bits of the first two words for each of a line's operands (of a fifth those of the first): where one is set, the
    /// operand's text is not ready.
    pub(crate) alters: [Mask; 64],
    /// Rows with one of these words, 128 bits, have no text ready.
    pub(crate) unless: [Mask; 16],
}

/// An instruction that is being written.
struct Whole<I: Isa> {
    words: Packed,
    len: u8,
    mode: I::Mode,
    format: &'static Format<I>,
}

/// The form that a component of an instruction has, and the suffix dword that it is for.
#[derive(Clone, Copy)]
struct Which {
    /// The index in [`Isa::forms`].
    form: usize,
    /// The suffix dword's index plus one, or 0.
    suffix_dword: u8,
}

/// Writes an instruction of this length as text.
#[inline]
pub fn write_text<I: Isa>(format: u8, words: [u32; MAX_DWORDS], len: u8, mode: I::Mode, out: &mut Text) {
    let Packed { low, third } = Packed::new(words);
    write_packed::<I>(low, Rest::new(format, third, len), mode, out);
}

/// The same of words as numbers: what a generated crate has one copy of.
///
/// Nearly all instructions have one component, the length of their format and nothing set that changes how operands are
/// written. For these the opcode leads straight to the line, and what is ready is copied without a call.
#[inline]
pub fn write_packed<I: Isa>(low: u64, rest: Rest, mode: I::Mode, out: &mut Text) {
    let Printing { starts, lines, .. } = I::printing();
    if let Some((form, text)) = Start::head(starts, low, rest.format(), rest.len())
        && let Some(line) = lines.get(usize::from(form).wrapping_sub(1))
        && low & line.special == 0
        && (!line.by_mode || I::mode_index(mode) == 0)
        && let Some(label) = I::labels().get(usize::from(text))
        && let Some(mut copies) = out.line(label)
    {
        let steps = ready(line.steps, low, &mut copies);
        copies.end();
        if !steps.is_empty() {
            go_on::<I>(low, rest.with_form(form.wrapping_sub(1)), mode, steps, out);
        }
        return;
    }
    in_parts::<I, true>(low, rest, mode, out);
}

/// The same with every operand written by its kind, whatever is ready: a test holds the two against each other.
pub fn write_text_by_kinds<I: Isa>(format: u8, words: [u32; MAX_DWORDS], len: u8, mode: I::Mode, out: &mut Text) {
    let Packed { low, third } = Packed::new(words);
    in_parts::<I, false>(low, Rest::new(format, third, len), mode, out);
}

/// Writes the rest of a line from a step on of which nothing is ready; `rest` has the form.
#[inline(never)]
fn go_on<I: Isa>(low: u64, rest: Rest, mode: I::Mode, steps: &'static [LineStep], out: &mut Text) {
    let Printing { starts, alone, .. } = I::printing();
    let Some(start) = starts.get(usize::from(rest.format())) else { return };
    let alone = alone.get(usize::from(start.component)).copied().unwrap_or_default();
    for step in steps {
        if !step.write(low, alone, out) {
            last::<I>(low, rest, mode, step, out);
        }
    }
    out.trim_end();
}

/// Writes an operand of an instruction with one component and, if any, the usual suffix dword: a literal, or else by its kind.
/// `rest` has the form.
#[inline(never)]
fn last<I: Isa>(low: u64, rest: Rest, mode: I::Mode, step: &'static LineStep, out: &mut Text) {
    let Printing { starts, literals, .. } = I::printing();
    let (form, Some(start)) = (rest.form(), starts.get(usize::from(rest.format()))) else { return };
    let (suffix_dword, word) = start.suffix_dword(low, rest);
    let literals = literals.get(usize::from(start.component)).copied().unwrap_or_default();
    if let Some(word) = word
        && let Some(Some((code, write))) = literals.get(usize::from(step.carrier))
        && step.code(low) == u32::from(*code)
        && let Some(bound) = I::forms().get(form).and_then(|form| form.nth::<I>(step.bound))
    {
        out.short(&step.before);
        return write(word, bound.ty, out);
    }
    let Some(format) = I::formats().get(usize::from(rest.format())) else { return };
    let [component] = format.components else { return };
    let whole = Whole { words: Packed { low, third: rest.third() }, len: rest.len(), mode, format };
    by_kind(&whole, (0, component), Which { form, suffix_dword }, step, out);
}

/// Writes an instruction whatever it is.
#[inline(never)]
fn in_parts<I: Isa, const READY: bool>(low: u64, rest: Rest, mode: I::Mode, out: &mut Text) {
    let Some(format) = I::formats().get(usize::from(rest.format())) else { return };
    let whole = Whole { words: Packed { low, third: rest.third() }, len: rest.len(), mode, format };
    let [first, others @ ..] = format.components else { return };
    component::<I, READY>(&whole, 0, first, out);
    for (component_at, nth) in others.iter().zip(1..) {
        out.push(format.join);
        component::<I, READY>(&whole, nth, component_at, out);
    }
}

/// Writes one component of an instruction.
fn component<I: Isa, const READY: bool>(whole: &Whole<I>, nth: u8, component: &'static Component<I>, out: &mut Text) {
    let Packed { low, third } = whole.words;
    let Printing { lines, parts, heads, alone, .. } = I::printing();
    let heads = heads.get(usize::from(component.nth)).copied().unwrap_or_default();
    let alone = alone.get(usize::from(component.nth)).copied().unwrap_or_default();
    let Some(head) = heads.get(component.number(whole.words) as usize) else { return };
    let mut which = Which { form: usize::from(head.form).wrapping_sub(1), suffix_dword: 0 };
    let mut plain = READY;
    if whole.len != whole.format.dwords || head.form == 0 {
        match in_full(whole, component) {
            Some((found, ready)) => (which, plain) = (found, READY && ready),
            None => return,
        }
    }
    let Some(line) = lines.get(which.form) else { return };
    let Some(label) = I::labels().get(usize::from(head.text)) else { return };
    out.label(label);
    let mut modifiers = Run { start: line.modifiers, len: line.count };
    let masks = parts.masks;
    let loud = &masks.loud[usize::from(line.loud) % masks.loud.len()];
    if READY && low & loud[0] | u64::from(third) & loud[1] == 0 {
        modifiers.len = line.quiet;
    }
    let alters = &masks.alters[usize::from(line.alters) % masks.alters.len()];
    let first = I::mode_index(whole.mode) == 0;
    for (at, step) in line.steps.iter().enumerate() {
        let ready = plain && low & alters[at % alters.len()] == 0 && (first || step.lo & BY_MODE == 0);
        if !(ready && step.write(low, alone, out)) {
            by_kind(whole, (nth, component), which, step, out);
        }
    }
    for step in modifiers.of(parts.steps) {
        if !(READY && step.write(low, alone, out)) {
            by_kind(whole, (nth, component), which, step, out);
        }
    }
    // An operand at its default may write nothing after the blank that sets it off.
    out.trim_end();
}

impl LineStep {
    /// The operand's code.
    #[inline(always)]
    fn code(&self, low: u64) -> u32 {
        Place { ones: self.ones, lo: self.lo }.get(low)
    }

    /// Writes the operand by what is ready, or by its code alone; `false` where that cannot be.
    #[inline(always)]
    fn write(&self, low: u64, alone: &[Option<WriteCodeFn>], out: &mut Text) -> bool {
        if self.ready(low, |before, name| out.copy(before, name)) {
            return true;
        }
        let Some(Some(write)) = alone.get(usize::from(self.carrier)) else { return false };
        out.short(&self.before);
        write(self.code(low), out);
        true
    }

    /// What is ready for the operand, in a buffer of any kind; `false` where nothing is.
    #[inline(always)]
    fn ready(&self, low: u64, copy: impl FnOnce(&Short, &Name) -> bool) -> bool {
        self.names.get(self.code(low) as usize).is_some_and(|name| copy(&self.before, name))
    }
}

/// Writes operands by what is ready of them. Gives the steps from the first one on of which nothing is.
#[inline(always)]
fn ready(mut steps: &'static [LineStep], low: u64, out: &mut Copies<'_>) -> &'static [LineStep] {
    while let [step, rest @ ..] = steps
        && step.ready(low, |before, name| out.copy(before, name))
    {
        steps = rest;
    }
    steps
}

/// Writes an operand by its kind, and what stands before it.
#[inline(always)]
fn by_kind<I: Isa>(
    whole: &Whole<I>,
    component: (u8, &'static Component<I>),
    which: Which,
    step: &'static LineStep,
    out: &mut Text,
) {
    out.short(&step.before);
    operand(whole, component, which, step.bound, out);
}

/// A component's form, and whether texts may be ready: some words of rows leave none.
#[inline(never)]
fn in_full<I: Isa>(whole: &Whole<I>, component: &'static Component<I>) -> Option<(Which, bool)> {
    let words = whole.words.words();
    let (_, shape) = row(component, &words)?;
    let suffix_dword = suffix_dword_of(whole.format, shape, &words, whole.len);
    let form = form_index(whole.format, shape, &words, suffix_dword)?;
    let Printing { lines, parts, .. } = I::printing();
    let &[low, high, ..] = parts.masks.unless.get(usize::from(lines.get(form)?.unless))?;
    Some((Which { form, suffix_dword }, shape.words() & (u128::from(high) << 64 | u128::from(low)) == 0))
}

/// Writes an operand by its kind.
#[inline(never)]
fn operand<I: Isa>(
    whole: &Whole<I>,
    (nth, component): (u8, &'static Component<I>),
    Which { form, suffix_dword }: Which,
    bound: u8,
    out: &mut Text,
) {
    let (words, format, mode) = (&whole.words.words(), whole.format, whole.mode);
    let Some((_, shape)) = row(component, words) else { return };
    let Some(form) = I::forms().get(form) else { return };
    let bound = if bound >= MODIFIER { form.modifier::<I>(bound - MODIFIER) } else { form.nth::<I>(bound) };
    let Some(bound) = bound else { return };
    let Some(carrier) = component.carriers.get(usize::from(bound.carrier)) else { return };
    let writers = I::printing().writers.get(usize::from(component.nth)).copied().unwrap_or_default();
    let Some(write) = writers.get(usize::from(bound.carrier)) else { return };
    let cx = Cx { words, mode, ty: bound.ty, name: carrier.name, suffix_dword, format, component: nth, shape, form };
    write(&cx, carrier.bits.get(words), out);
}

/// An instruction's text in one mode; what `display` of an instruction gives.
#[derive(Clone, Copy)]
pub struct Display<I: Isa> {
    format: u8,
    words: [u32; MAX_DWORDS],
    len: u8,
    mode: I::Mode,
}

impl<I: Isa> Display<I> {
    /// The text of an instruction of format `format` and of this length.
    #[must_use]
    pub const fn new(format: u8, words: [u32; MAX_DWORDS], len: u8, mode: I::Mode) -> Self {
        Display { format, words, len, mode }
    }
}

impl<I: Isa> fmt::Display for Display<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Text::new();
        write_text::<I>(self.format, self.words, self.len, self.mode, &mut text);
        f.pad(text.as_str())
    }
}
