//! From an instruction to text.
//!
//! A form's [`Line`] is a list of steps. Each writes what stands before an operand and then the operand: a copy of a
//! text that is ready where its kind has one for the code, and otherwise a call of the kind. All that is copied has
//! room for a fixed number of bytes, so that a copy is one or two moves and no loop; a length beside it says how many
//! count.

use core::fmt;

use crate::table::{Component, Cx, Format, Head, Isa, MAX_DWORDS, Packed, Place, Run, WriteFn};
use crate::text::Short;
use crate::view::{form_index, row, tail_of};
use crate::{Name, Text};

/// What writing text needs besides the forms.
pub struct Printing<I: Isa> {
    /// How each form is written.
    pub lines: &'static [Line],
    /// What lines name.
    pub parts: Parts,
    /// What writes the kinds of the carriers, for each component.
    pub writers: &'static [&'static [WriteFn<I>]],
    /// The texts of [`Isa::labels`] that opcodes have, for each component.
    pub heads: &'static [&'static [Head]],
}

/// What lines name by numbers, since many have the same.
pub struct Parts {
    /// The steps.
    pub steps: &'static [LineStep],
    /// Suffixes and what stands before operands.
    pub shorts: &'static [Short],
    /// Lists that lines share.
    pub masks: &'static Masks,
}

/// How a form is written.
#[derive(Clone, Copy)]
pub struct Line {
    /// What follows the mnemonic directly, such as `_e64`, among the short texts.
    pub(crate) suffix: u8,
    /// The steps up to the last operand.
    pub(crate) steps: Run,
    /// The modifiers behind it.
    pub(crate) modifiers: Run,
    /// How many of these are left where all bits of a mask are zero: the others would write nothing.
    pub(crate) quiet: u8,
    /// The index of that mask.
    pub(crate) loud: u8,
    /// The index of the masks of what alters operands.
    pub(crate) alters: u8,
    /// The index of the words of rows for which no text is ready.
    pub(crate) unless: u8,
}

/// One step of a line.
#[derive(Clone, Copy)]
pub struct LineStep {
    /// What is ready, by code; empty where nothing is.
    pub(crate) names: &'static [Name],
    /// The code's bits, where something is ready: as [`Place`] has them.
    pub(crate) ones: u32,
    pub(crate) lo: u8,
    /// What stands before the operand.
    pub(crate) before: Short,
    /// The operand's number in its form; with [`MODIFIER`] its number among the modifiers; [`NO_OPERAND`] where there is
    /// none.
    pub(crate) bound: u8,
}

/// See [`LineStep`].
pub(crate) const MODIFIER: u8 = 0x80;
/// See [`LineStep`].
pub(crate) const NO_OPERAND: u8 = 0xFF;

/// Lists of bits that lines share. The last entry of each is for all that found no room: the careful answer.
pub struct Masks {
    /// Bits of the words, the first two as one number: modifiers that write nothing where all are zero.
    pub(crate) loud: [(u64, u32); 128],
    /// Bits of the first two words for each of a line's operands (of a fifth those of the first): where one is set, the
    /// operand's text is not ready.
    pub(crate) alters: [[u64; 4]; 64],
    /// Rows with one of these words have no text ready.
    pub(crate) unless: [u128; 16],
}

/// An instruction that is being written.
struct Whole<I: Isa> {
    words: Packed,
    len: u8,
    mode: I::Mode,
    format: &'static Format<I>,
}

/// Writes an instruction of this length as text.
#[inline]
pub fn write_text<I: Isa>(format: u8, words: [u32; MAX_DWORDS], len: u8, mode: I::Mode, out: &mut Text) {
    let Packed { low, third } = Packed::new(words);
    write_packed::<I>(format, low, third, len, mode, out);
}

/// The same of words as numbers, the first two as one: what a generated crate has one copy of.
#[inline]
pub fn write_packed<I: Isa>(format: u8, low: u64, third: u32, len: u8, mode: I::Mode, out: &mut Text) {
    whole::<I, true>(format, low, third, len, mode, out);
}

/// The same with every operand written by its kind, whatever is ready: a test holds the two against each other.
pub fn write_text_by_kinds<I: Isa>(format: u8, words: [u32; MAX_DWORDS], len: u8, mode: I::Mode, out: &mut Text) {
    let Packed { low, third } = Packed::new(words);
    whole::<I, false>(format, low, third, len, mode, out);
}

fn whole<I: Isa, const READY: bool>(format: u8, low: u64, third: u32, len: u8, mode: I::Mode, out: &mut Text) {
    let Some(format) = I::formats().get(usize::from(format)) else { return };
    let whole = Whole { words: Packed { low, third }, len, mode, format };
    let [first, rest @ ..] = format.components else { return };
    component::<I, READY>(&whole, 0, first, out);
    for (component_at, nth) in rest.iter().zip(1..) {
        out.push(format.join);
        component::<I, READY>(&whole, nth, component_at, out);
    }
}

/// Writes one component of an instruction.
#[inline(always)]
fn component<I: Isa, const READY: bool>(whole: &Whole<I>, nth: u8, component: &'static Component<I>, out: &mut Text) {
    let Packed { low, third } = whole.words;
    let Printing { lines, parts, heads, .. } = I::printing();
    let heads = heads.get(usize::from(component.nth)).copied().unwrap_or_default();
    let Some(head) = heads.get(component.number(whole.words) as usize) else { return };
    let (mut form, mut plain) = (usize::from(head.form), READY);
    if whole.len != whole.format.dwords || form == 0 {
        match in_full(whole, component) {
            Some((found, ready)) => (form, plain) = (found + 1, READY && ready),
            None => return,
        }
    }
    form -= 1;
    let Some(line) = lines.get(form) else { return };
    let (Some(label), Some(suffix)) =
        (I::labels().get(usize::from(head.text)), parts.shorts.get(usize::from(line.suffix)))
    else {
        return;
    };
    out.label_and(label, suffix);
    let mut modifiers = line.modifiers;
    let masks = parts.masks;
    let loud = masks.loud[usize::from(line.loud) % masks.loud.len()];
    if READY && low & loud.0 | u64::from(third & loud.1) == 0 {
        modifiers.len = line.quiet;
    }
    let alters = &masks.alters[usize::from(line.alters) % masks.alters.len()];
    let altered = low & (alters[0] | alters[1] | alters[2] | alters[3]) != 0;
    let mut steps = line.steps.of(parts.steps);
    let mut at = 0;
    loop {
        if plain && !altered {
            steps = ready(steps, low, out);
        }
        let [step, rest @ ..] = steps else {
            if modifiers.len == 0 {
                break;
            }
            steps = modifiers.of(parts.steps);
            modifiers.len = 0;
            continue;
        };
        let one = core::slice::from_ref(step);
        if !(plain && altered && low & alters[at % 4] == 0 && ready(one, low, out).is_empty()) {
            out.short(&step.before);
            operand(whole, (nth, component), form, step.bound, out);
        }
        steps = rest;
        at += 1;
    }
    // An operand at its default may write nothing after the blank that sets it off.
    out.trim_end();
}

/// Writes operands by what is ready of them. Gives the steps from the first one on of which nothing is.
#[inline(always)]
fn ready(mut steps: &'static [LineStep], low: u64, out: &mut Text) -> &'static [LineStep] {
    out.copies(|out| {
        let [step, rest @ ..] = steps else { return false };
        let code = Place { ones: step.ones, lo: step.lo }.get(low);
        let done = step.names.get(code as usize).is_some_and(|name| out.copy(&step.before, name));
        if done {
            steps = rest;
        }
        done
    });
    steps
}

/// The index of a component's form, and whether texts may be ready: some words of rows leave none.
#[inline(never)]
fn in_full<I: Isa>(whole: &Whole<I>, component: &'static Component<I>) -> Option<(usize, bool)> {
    let words = whole.words.words();
    let (_, shape) = row(component, &words)?;
    let form = form_index(whole.format, shape, &words, tail_of(whole.format, &words, whole.len))?;
    let Printing { lines, parts, .. } = I::printing();
    let unless = parts.masks.unless.get(usize::from(lines.get(form)?.unless))?;
    Some((form, shape.words() & unless == 0))
}

/// Writes an operand by its kind.
#[inline(never)]
fn operand<I: Isa>(
    whole: &Whole<I>,
    (nth, component): (u8, &'static Component<I>),
    form: usize,
    bound: u8,
    out: &mut Text,
) {
    let (words, format, mode) = (&whole.words.words(), whole.format, whole.mode);
    let Some((_, shape)) = row(component, words) else { return };
    let tail = tail_of(format, words, whole.len);
    let Some(form) = I::forms().get(form) else { return };
    let bound = if bound >= MODIFIER { form.modifier::<I>(bound - MODIFIER) } else { form.nth::<I>(bound) };
    let Some(bound) = bound else { return };
    let Some(carrier) = component.carriers.get(usize::from(bound.carrier)) else { return };
    let writers = I::printing().writers.get(usize::from(component.nth)).copied().unwrap_or_default();
    let Some(write) = writers.get(usize::from(bound.carrier)) else { return };
    let cx = Cx { words, mode, ty: bound.ty, name: carrier.name, tail, format, component: nth, shape, form };
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
