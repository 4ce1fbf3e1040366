//! The printer.
//!
//! The [`PrintPlan`] of an encoding variant is a list of steps. Each prints a separator and an operand: a precomputed text if
//! the operand class has one for the code, otherwise by a call of the class. Precomputed texts have a fixed size and a length,
//! so that a copy is one or two moves without a loop.

pub(crate) mod to_text;

use core::fmt;

use crate::dwords::{Bits96, InstrRest};
use crate::tables::view::{row, suffix_dword_of, surroundings, variant_index};
use crate::tables::{
    Component, Cx, Format, FormatLookup, Isa, LowBitRange, MAX_DWORDS, OpcodeLookup, Run, WriteCodeFn, WriteFn,
    WriteLiteralFn,
};
use crate::text::{Copies, Short};
use crate::{Name, Text};

/// The tables of the printer.
pub struct Printing<I: Isa> {
    /// The lookup of the encoding variant, for each format.
    pub formats: &'static [FormatLookup],
    /// The print plan of each encoding variant.
    pub plans: &'static [PrintPlan],
    /// The lists that print plans share.
    pub shared: SharedLists,
    /// The functions that print the carriers of each component.
    pub writers: &'static [&'static [WriteFn<I>]],
    /// The functions that print them from the code alone, without the instruction.
    pub context_free: &'static [&'static [Option<WriteCodeFn>]],
    /// The codes of literals, and the functions that print these.
    pub literals: &'static [&'static [Option<(u16, WriteLiteralFn)>]],
    /// The mnemonic and the encoding variant of each opcode, for each component.
    pub opcodes: &'static [&'static [OpcodeLookup]],
}

/// The lists that print plans share and refer to by index.
pub struct SharedLists {
    /// The steps.
    pub steps: &'static [PrintStep],
    /// The masks.
    pub masks: &'static Masks,
}

/// The print plan of an encoding variant.
#[derive(Clone, Copy)]
pub struct PrintPlan {
    /// If none of these bits of the first two dwords is set, the text ends after the last operand, and the precomputed texts
    /// apply.
    pub(crate) special: u64,
    /// The steps up to the last operand. The separator of the first one includes the mnemonic suffix, such as `_e64`.
    pub(crate) steps: &'static [PrintStep],
    /// The first step of the modifiers after the last operand, and their number.
    pub(crate) modifiers: u16,
    pub(crate) count: u8,
    /// The number of these modifiers to print if all bits of the mask at [`omitted_mask`](Self::omitted_mask) are 0: the others
    /// print nothing.
    pub(crate) always_printed: u8,
    /// The index of the mask of the modifiers that print nothing if they are 0.
    pub(crate) omitted_mask: u8,
    /// The index of the masks of modifiers that change the text of operands.
    pub(crate) alters: u8,
    /// The index of the flags of rows without precomputed texts.
    pub(crate) unless: u8,
    /// Whether a step is a lane mask, whose precomputed texts apply in the first mode only.
    pub(crate) by_mode: bool,
}

/// A step of a print plan.
#[derive(Clone, Copy)]
pub struct PrintStep {
    /// The precomputed texts by code. Empty if there are none.
    pub(crate) names: &'static [Name],
    /// The bits of the code as in [`LowBitRange`], if there are precomputed texts; the lowest bit may include [`BY_MODE`].
    pub(crate) ones: u32,
    pub(crate) lo: u8,
    /// The separator before the operand.
    pub(crate) before: Short,
    /// The index of the operand's carrier in its component. Out of range if its code is not one bit range of the first two
    /// dwords.
    pub(crate) carrier: u8,
    /// The index of the operand in its encoding variant, or with [`MODIFIER`] its index among the modifiers, or
    /// [`NO_OPERAND`].
    pub(crate) bound: u8,
}

/// The precomputed texts apply in the first mode only. [`LowBitRange`] ignores this bit.
pub(crate) const BY_MODE: u8 = 0x80;
/// See [`PrintStep`].
pub(crate) const MODIFIER: u8 = isa_schema::PrintStepRow::MODIFIER;
/// See [`PrintStep`].
pub(crate) const NO_OPERAND: u8 = isa_schema::PrintStepRow::NO_OPERAND;

/// A mask of bits of dwords, or a set of flags.
pub(crate) type Mask = [u64; 4];

/// The masks that print plans share. The last mask of each list has all bits set, for plans whose mask has no room.
pub struct Masks {
    /// The bits, in the first two dwords and in the third, of modifiers that print nothing if they are 0.
    pub(crate) omitted: [Mask; 128],
    /// For each operand of a plan (the fifth one shares the mask of the first): the bits of the first two dwords that change its
    /// text.
    pub(crate) alters: [Mask; 64],
    /// The flags of rows without precomputed texts, 128 bits.
    pub(crate) unless: [Mask; 16],
}

/// An instruction to print.
struct Whole<I: Isa> {
    words: Bits96,
    len: u8,
    mode: I::Mode,
    format: &'static Format<I>,
}

/// The encoding variant of a component, and its suffix dword.
#[derive(Clone, Copy)]
struct Which {
    /// The index in [`Tables::variants`](crate::tables::Tables::variants).
    variant: usize,
    /// The suffix dword's index plus one, or 0.
    suffix_dword: u8,
}

/// Prints an instruction.
#[inline]
pub fn write_text<I: Isa>(format: u8, words: [u32; MAX_DWORDS], len: u8, mode: I::Mode, out: &mut Text) {
    let Bits96 { low, third } = Bits96::new(words);
    write_packed::<I>(low, InstrRest::new(format, third, len), mode, out);
}

/// Prints an instruction whose first two dwords are one number. A generated crate has one copy of this function.
///
/// The fast path prints instructions of formats with one component, if no modifier changes the text of an operand. The opcode
/// selects the print plan, and precomputed texts are copied without a call.
#[inline]
pub fn write_packed<I: Isa>(low: u64, rest: InstrRest, mode: I::Mode, out: &mut Text) {
    let Printing { formats, plans, .. } = I::tables().printing;
    if let Some((variant, label)) = FormatLookup::find(formats, low, rest.format(), rest.len())
        && let Some(plan) = plans.get(usize::from(variant).wrapping_sub(1))
        && low & plan.special == 0
        && (!plan.by_mode || I::mode_index(mode) == 0)
        && let Some(label) = I::tables().labels.get(usize::from(label))
        && let Some(mut copies) = out.line(label)
    {
        let steps = copy_texts(plan.steps, low, &mut copies);
        copies.end();
        if !steps.is_empty() {
            print_rest::<I>(low, rest.with_variant(variant.wrapping_sub(1)), mode, steps, out);
        }
        return;
    }
    print_slow::<I, true>(low, rest, mode, out);
}

/// Prints an instruction without precomputed texts. A test compares the result with that of [`write_text`].
pub fn write_text_slow<I: Isa>(format: u8, words: [u32; MAX_DWORDS], len: u8, mode: I::Mode, out: &mut Text) {
    let Bits96 { low, third } = Bits96::new(words);
    print_slow::<I, false>(low, InstrRest::new(format, third, len), mode, out);
}

/// Prints the rest of a line from the first step without precomputed text on. `rest` has the encoding variant.
#[inline(never)]
fn print_rest<I: Isa>(low: u64, rest: InstrRest, mode: I::Mode, steps: &'static [PrintStep], out: &mut Text) {
    let Printing { formats, context_free, .. } = I::tables().printing;
    let Some(format) = formats.get(usize::from(rest.format())) else { return };
    let context_free = context_free.get(usize::from(format.component)).copied().unwrap_or_default();
    for step in steps {
        if !step.write(low, context_free, out) {
            print_by_class::<I>(low, rest, mode, step, out);
        }
    }
    out.trim_end();
}

/// Prints a literal, or another operand by its class. The format has one component, and the instruction no suffix dword but
/// the default one. `rest` has the encoding variant.
#[inline(never)]
fn print_by_class<I: Isa>(low: u64, rest: InstrRest, mode: I::Mode, step: &'static PrintStep, out: &mut Text) {
    let Printing { formats, literals, .. } = I::tables().printing;
    let (variant, Some(lookup)) = (rest.variant(), formats.get(usize::from(rest.format()))) else { return };
    let (suffix_dword, word) = lookup.suffix_dword(low, rest);
    let literals = literals.get(usize::from(lookup.component)).copied().unwrap_or_default();
    if let Some(word) = word
        && let Some(Some((code, write))) = literals.get(usize::from(step.carrier))
        && step.code(low) == u32::from(*code)
        && let Some(bound) = I::tables().variants.get(variant).and_then(|variant| variant.nth::<I>(step.bound))
    {
        out.short(&step.before);
        return write(word, bound.ty, out);
    }
    let Some(format) = Format::<I>::at(rest.format()) else { return };
    let [component] = format.components else { return };
    let whole = Whole { words: Bits96 { low, third: rest.third() }, len: rest.len(), mode, format };
    print_operand(&whole, (0, component), Which { variant, suffix_dword }, step, out);
}

/// Prints any instruction, component by component. `PRECOMPUTED` says whether it uses precomputed texts.
#[inline(never)]
fn print_slow<I: Isa, const PRECOMPUTED: bool>(low: u64, rest: InstrRest, mode: I::Mode, out: &mut Text) {
    let Some(format) = Format::<I>::at(rest.format()) else { return };
    let whole = Whole { words: Bits96 { low, third: rest.third() }, len: rest.len(), mode, format };
    let [first, others @ ..] = format.components else { return };
    component::<I, PRECOMPUTED>(&whole, 0, first, out);
    for (component_at, nth) in others.iter().zip(1..) {
        out.push(format.join);
        component::<I, PRECOMPUTED>(&whole, nth, component_at, out);
    }
}

/// Prints a component of an instruction.
fn component<I: Isa, const PRECOMPUTED: bool>(
    whole: &Whole<I>,
    nth: u8,
    component: &'static Component<I>,
    out: &mut Text,
) {
    let Bits96 { low, third } = whole.words;
    let Printing { plans, shared, opcodes, context_free, .. } = I::tables().printing;
    let opcodes = opcodes.get(usize::from(component.nth)).copied().unwrap_or_default();
    let context_free = context_free.get(usize::from(component.nth)).copied().unwrap_or_default();
    let Some(opcode) = opcodes.get(component.number(whole.words) as usize) else { return };
    let mut which = Which { variant: usize::from(opcode.variant).wrapping_sub(1), suffix_dword: 0 };
    let mut has_texts = PRECOMPUTED;
    if whole.len != whole.format.dwords || opcode.variant == 0 {
        match find_variant(whole, component) {
            Some((found, texts)) => (which, has_texts) = (found, PRECOMPUTED && texts),
            None => return,
        }
    }
    let Some(plan) = plans.get(which.variant) else { return };
    let Some(label) = I::tables().labels.get(usize::from(opcode.label)) else { return };
    out.label(label);
    let mut modifiers = Run { start: plan.modifiers, len: plan.count };
    let masks = shared.masks;
    let omitted = &masks.omitted[usize::from(plan.omitted_mask) % masks.omitted.len()];
    if PRECOMPUTED && low & omitted[0] | u64::from(third) & omitted[1] == 0 {
        modifiers.len = plan.always_printed;
    }
    let alters = &masks.alters[usize::from(plan.alters) % masks.alters.len()];
    let first = I::mode_index(whole.mode) == 0;
    for (at, step) in plan.steps.iter().enumerate() {
        let has_text = has_texts && low & alters[at % alters.len()] == 0 && (first || step.lo & BY_MODE == 0);
        if !(has_text && step.write(low, context_free, out)) {
            print_operand(whole, (nth, component), which, step, out);
        }
    }
    for step in modifiers.of(shared.steps) {
        if !(PRECOMPUTED && step.write(low, context_free, out)) {
            print_operand(whole, (nth, component), which, step, out);
        }
    }
    // An operand at its default may print nothing after its separator.
    out.trim_end();
}

impl PrintStep {
    /// Returns the operand's code.
    #[inline(always)]
    fn code(&self, low: u64) -> u32 {
        LowBitRange { ones: self.ones, lo: self.lo }.get(low)
    }

    /// Prints the operand by its precomputed text, or from its code alone. Returns `false` if neither is possible.
    #[inline(always)]
    fn write(&self, low: u64, context_free: &[Option<WriteCodeFn>], out: &mut Text) -> bool {
        if self.copy_text(low, |before, name| out.copy(before, name)) {
            return true;
        }
        let Some(Some(write)) = context_free.get(usize::from(self.carrier)) else { return false };
        out.short(&self.before);
        write(self.code(low), out);
        true
    }

    /// Copies the precomputed text of the operand. Returns `false` if there is none.
    #[inline(always)]
    fn copy_text(&self, low: u64, copy: impl FnOnce(&Short, &Name) -> bool) -> bool {
        self.names.get(self.code(low) as usize).is_some_and(|name| copy(&self.before, name))
    }
}

/// Copies precomputed texts. Returns the steps from the first one without such a text on.
#[inline(always)]
fn copy_texts(mut steps: &'static [PrintStep], low: u64, out: &mut Copies<'_>) -> &'static [PrintStep] {
    while let [step, rest @ ..] = steps
        && step.copy_text(low, |before, name| out.copy(before, name))
    {
        steps = rest;
    }
    steps
}

/// Prints an operand by its class, and the separator before it.
#[inline(always)]
fn print_operand<I: Isa>(
    whole: &Whole<I>,
    component: (u8, &'static Component<I>),
    which: Which,
    step: &'static PrintStep,
    out: &mut Text,
) {
    out.short(&step.before);
    operand(whole, component, which, step.bound, out);
}

/// Returns the encoding variant of a component, and whether precomputed texts apply: some flags of rows exclude them.
#[inline(never)]
fn find_variant<I: Isa>(whole: &Whole<I>, component: &'static Component<I>) -> Option<(Which, bool)> {
    let words = whole.words.dwords();
    let (_, shape) = row(component, &words)?;
    let suffix_dword = suffix_dword_of(whole.format, shape, &words, whole.len);
    let variant = variant_index(whole.format, shape, &words, suffix_dword)?;
    let Printing { plans, shared, .. } = I::tables().printing;
    let &[low, high, ..] = shared.masks.unless.get(usize::from(plans.get(variant)?.unless))?;
    Some((Which { variant, suffix_dword }, shape.flags() & (u128::from(high) << 64 | u128::from(low)) == 0))
}

/// Calls the class of an operand.
#[inline(never)]
fn operand<I: Isa>(
    whole: &Whole<I>,
    (nth, component): (u8, &'static Component<I>),
    Which { variant, suffix_dword }: Which,
    bound: u8,
    out: &mut Text,
) {
    let (words, format, mode) = (&whole.words.dwords(), whole.format, whole.mode);
    let Some((_, shape)) = row(component, words) else { return };
    let Some(variant) = I::tables().variants.get(variant) else { return };
    let bound = if bound >= MODIFIER { variant.modifier::<I>(bound - MODIFIER) } else { variant.nth::<I>(bound) };
    let Some(bound) = bound else { return };
    let Some(carrier) = component.carrier(bound) else { return };
    let writers = I::tables().printing.writers.get(usize::from(component.nth)).copied().unwrap_or_default();
    let Some(write) = writers.get(usize::from(bound.carrier)) else { return };
    let cx = Cx { words, mode, ty: bound.ty, name: carrier.name, suffix_dword, format, component: nth, shape, variant };
    write(&cx, carrier.bits.get(words), out);
}

/// Prints one operand or modifier, named by its role or its own name, as the text of the instruction shows it: nothing for a
/// modifier that the text leaves out.
pub fn write_operand<I: Isa>(
    format: u8,
    words: &[u32; MAX_DWORDS],
    mode: I::Mode,
    component: u8,
    name: &str,
    out: &mut Text,
) {
    let Some(cx) = surroundings::<I>(format, words, mode, component) else { return };
    let Some(component) = cx.format.component(component) else { return };
    let named = cx.variant.carriers(component).find(|(_, carrier)| carrier.name == name);
    let Some((bound, carrier)) = named else { return };
    let writers = I::tables().printing.writers.get(usize::from(component.nth)).copied().unwrap_or_default();
    if let Some(write) = writers.get(usize::from(bound.carrier)) {
        write(&Cx { ty: bound.ty, name: carrier.name, ..cx }, carrier.bits.get(words), out);
    }
}

/// The text of an instruction in a mode, as `display` of an instruction returns it.
#[derive(Clone, Copy)]
#[doc(alias = "MCInstPrinter")]
pub struct Display<I: Isa> {
    format: u8,
    words: [u32; MAX_DWORDS],
    len: u8,
    mode: I::Mode,
}

impl<I: Isa> Display<I> {
    /// Returns the text of an instruction of this format and length.
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
