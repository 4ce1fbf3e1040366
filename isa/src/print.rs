//! From an instruction to text.
//!
//! A form's [`Line`] is a list of steps. Each writes what stands before an operand and then the operand: a copy of a
//! text that is ready where its kind has one for the code, and otherwise a call of the kind. All that is copied has
//! room for a fixed number of bytes, so that a copy is one or two moves and no loop; a length beside it says how many
//! count.

use core::fmt;

use crate::table::{Component, Cx, Format, Isa, MAX_DWORDS, Place, WriteFn};
use crate::text::{Label, Short};
use crate::view::{form_index, row, tail_of};
use crate::{Name, Text};

/// What writing text needs besides the forms.
pub struct Printing<I: Isa> {
    /// How each form is written.
    pub lines: &'static [Line],
    /// What writes the kinds of the carriers, for each component.
    pub writers: &'static [&'static [WriteFn<I>]],
    /// The texts of [`Isa::texts`], ready to be copied.
    pub labels: &'static [Label],
}

/// How a form is written.
#[derive(Clone, Copy)]
pub struct Line {
    /// What follows the mnemonic directly, such as `_e64`.
    pub(crate) suffix: Short,
    pub(crate) steps: &'static [LineStep],
    /// How many steps are left where all bits of `loud` are zero: modifiers at the end that would write nothing.
    pub(crate) quiet: u8,
    pub(crate) loud: (u64, u32),
    /// Rows with one of these words have no text ready.
    pub(crate) unless: u128,
}

/// One step of a line.
#[derive(Clone, Copy)]
pub struct LineStep {
    /// What is ready, by code; empty where nothing is.
    pub(crate) names: &'static [Name],
    /// The code's bits, where something is ready.
    pub(crate) place: Place,
    /// The bits that change how the operand is written: where one is set, nothing is ready.
    pub(crate) alters: u64,
    /// What stands before the operand.
    pub(crate) before: Short,
    /// The operand's index in [`Form::bound`](crate::table::Form::bound); `u8::MAX` where there is none.
    pub(crate) bound: u8,
}

/// An instruction that is being written, its first two words as one number.
struct Whole<I: Isa> {
    low: u64,
    third: u32,
    len: u8,
    mode: I::Mode,
    format: &'static Format<I>,
}

impl<I: Isa> Whole<I> {
    const fn words(&self) -> [u32; MAX_DWORDS] {
        [self.low as u32, (self.low >> 32) as u32, self.third]
    }
}

/// Writes an instruction of this length as text.
#[inline]
pub fn write_text<I: Isa>(format: u8, words: [u32; MAX_DWORDS], len: u8, mode: I::Mode, out: &mut Text) {
    // As numbers, not behind a reference: whoever has just decoded the words has them in registers, and a processor
    // waits where it reads as a whole what it has written in parts.
    let [w0, w1, w2] = words;
    whole::<I>(format, u64::from(w0) | u64::from(w1) << 32, w2, len, mode, out);
}

fn whole<I: Isa>(format: u8, low: u64, third: u32, len: u8, mode: I::Mode, out: &mut Text) {
    let Some(format) = I::formats().get(usize::from(format)) else { return };
    let whole = Whole { low, third, len, mode, format };
    let [first, rest @ ..] = format.components else { return };
    component(&whole, 0, first, out);
    for (component_at, nth) in rest.iter().zip(1..) {
        out.push(format.join);
        component(&whole, nth, component_at, out);
    }
}

/// Writes one component of an instruction.
#[inline(always)]
fn component<I: Isa>(whole: &Whole<I>, nth: u8, component: &'static Component<I>, out: &mut Text) {
    let Whole { low, third, .. } = *whole;
    let Some(head) = component.heads.get(component.number(&whole.words()) as usize) else { return };
    let (mut form, mut plain) = (usize::from(head.form), true);
    if whole.len != whole.format.dwords || form == 0 {
        match in_full(whole, component) {
            Some((found, unless)) => (form, plain) = (found + 1, !unless),
            None => return,
        }
    }
    form -= 1;
    let printing = I::printing();
    let Some(line) = printing.lines.get(form) else { return };
    let label = printing.labels.get(usize::from(head.text));
    if !label.is_some_and(|label| out.label_and(label, &line.suffix)) {
        out.push(I::texts().get(usize::from(head.text)).copied().unwrap_or_default());
        out.short(&line.suffix);
    }
    let any = |(first, last): (u64, u32)| low & first | u64::from(third & last) != 0;
    let mut steps = line.steps;
    if !any(line.loud) {
        steps = steps.get(..usize::from(line.quiet)).unwrap_or_default();
    }
    loop {
        if plain {
            steps = ready(steps, low, out);
        }
        let [step, rest @ ..] = steps else { break };
        out.short(&step.before);
        operand(whole, (nth, component), form, step.bound, out);
        steps = rest;
    }
    // An operand at its default may write nothing after the blank that sets it off.
    out.trim_end();
}

/// Writes operands by what is ready of them. Gives the steps from the first one on of which nothing is.
#[inline(always)]
fn ready(mut steps: &'static [LineStep], low: u64, out: &mut Text) -> &'static [LineStep] {
    out.copies(|out| {
        let [step, rest @ ..] = steps else { return false };
        let name = step.names.get(step.place.get(low) as usize).filter(|_| low & step.alters == 0);
        let done = name.is_some_and(|name| out.copy(&step.before, name));
        if done {
            steps = rest;
        }
        done
    });
    steps
}

/// The index of a component's form, and whether its row has a word that leaves nothing ready.
#[inline(never)]
fn in_full<I: Isa>(whole: &Whole<I>, component: &'static Component<I>) -> Option<(usize, bool)> {
    let words = whole.words();
    let (_, shape) = row(component, &words)?;
    let form = form_index(whole.format, shape, &words, tail_of(whole.format, &words, whole.len))?;
    Some((form, shape.words & I::printing().lines.get(form)?.unless != 0))
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
    let (words, format, mode) = (&whole.words(), whole.format, whole.mode);
    let Some((_, shape)) = row(component, words) else { return };
    let tail = tail_of(format, words, whole.len);
    let Some(form) = I::forms().get(form) else { return };
    let Some(bound) = form.bound.get(usize::from(bound)) else { return };
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
