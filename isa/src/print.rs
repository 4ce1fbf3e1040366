//! From an instruction to text.
//!
//! A form's [`Line`] is a list of steps. Each writes what stands before an operand and then the operand: a copy of a
//! text that is ready where its kind has one for the code, and otherwise a call of the kind. All that is copied has
//! room for a fixed number of bytes, so that a copy is one or two moves and no loop; a length beside it says how many
//! count.

use core::fmt;

use crate::table::{Component, Cx, Format, Isa, MAX_DWORDS, Part, Shape, WriteFn};
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
    pub(crate) loud: [u32; MAX_DWORDS],
    /// The bits that change how other operands are written: where one is set, no text is ready.
    pub(crate) alters: [u32; MAX_DWORDS],
    /// Rows with one of these words have no text ready either.
    pub(crate) unless: u128,
}

/// One step of a line.
#[derive(Clone, Copy)]
pub struct LineStep {
    /// What is ready, by code; empty where nothing is.
    pub(crate) names: &'static [Name],
    /// The code's bits, where something is ready.
    pub(crate) part: Part,
    /// What stands before the operand.
    pub(crate) before: Short,
    /// The operand's index in [`Form::bound`](crate::table::Form::bound); `u8::MAX` where there is none.
    pub(crate) bound: u8,
}

/// One component of an instruction that is being written.
struct Whole<'a, I: Isa> {
    words: &'a [u32; MAX_DWORDS],
    mode: I::Mode,
    tail: u8,
    format: &'static Format<I>,
    component: &'static Component<I>,
    nth: u8,
    shape: &'static Shape<I>,
    form: usize,
}

/// Writes an instruction of this length as text.
pub fn write_text<I: Isa>(format: u8, words: &[u32; MAX_DWORDS], len: u8, mode: I::Mode, out: &mut Text) {
    let Some(format) = I::formats().get(usize::from(format)) else { return };
    let tail = tail_of(format, words, len);
    for (nth, component) in format.components.iter().enumerate() {
        let Some((slot, shape)) = row(component, words) else { return };
        let Some(form) = form_index(format, shape, words, tail) else { return };
        let Some(line) = I::printing().lines.get(form) else { return };
        if nth > 0 {
            out.push(format.join);
        }
        let label = I::printing().labels.get(usize::from(slot.text));
        if !label.is_some_and(|label| out.label(label)) {
            out.push(I::texts().get(usize::from(slot.text)).copied().unwrap_or_default());
        }
        out.short(&line.suffix);
        let any = |bits: &[u32; MAX_DWORDS]| words[0] & bits[0] | words[1] & bits[1] | words[2] & bits[2] != 0;
        let steps = if any(&line.loud) { line.steps } else { line.steps.get(..usize::from(line.quiet)).unwrap_or(&[]) };
        let ready = !any(&line.alters) && shape.words & line.unless == 0;
        let whole = Whole { words, mode, tail, format, component, nth: nth as u8, shape, form };
        for step in steps {
            out.short(&step.before);
            if ready
                && let Some(name) = step.names.get(step.part.get(words) as usize)
                && out.name(name)
            {
                continue;
            }
            operand(&whole, step.bound, out);
        }
        // An operand at its default may write nothing after the blank that sets it off.
        out.trim_end();
    }
}

/// Writes an operand by its kind.
#[inline(never)]
fn operand<I: Isa>(whole: &Whole<'_, I>, bound: u8, out: &mut Text) {
    let &Whole { words, mode, tail, format, component, nth, shape, form } = whole;
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
        write_text::<I>(self.format, &self.words, self.len, self.mode, &mut text);
        f.pad(text.as_str())
    }
}
