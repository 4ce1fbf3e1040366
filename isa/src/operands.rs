//! What an instruction reads and writes, read off its row.

use crate::Type;
use crate::table::{Access, Cx, Format, Isa, MAX_DWORDS, Part, Shape, ValueFn};
use crate::view::{MAX_COMPONENTS, form_index, row, tail_of};

/// What listing operands needs besides the forms.
pub struct Visiting<I: Isa> {
    /// The operands of each form.
    pub visits: &'static [Visit<I::Value>],
    /// What the kinds of the carriers come to, for each component.
    pub valuers: &'static [&'static [ValueFn<I>]],
}

/// The operands of a form.
#[derive(Clone, Copy)]
pub struct Visit<V: 'static> {
    pub(crate) steps: &'static [VisitStep<V>],
    /// Rows with one of these words have no value ready.
    pub(crate) unless: u128,
}

/// One operand of a form.
#[derive(Clone, Copy)]
pub struct VisitStep<V: 'static> {
    pub(crate) role: &'static str,
    /// What is ready, by code; empty where nothing is.
    pub(crate) values: &'static [Option<V>],
    /// The code's bits, where something is ready.
    pub(crate) part: Part,
    pub(crate) ty: Type,
    pub(crate) access: Access,
    /// The index in [`Form::bound`](crate::table::Form::bound).
    pub(crate) bound: u8,
}

/// One operand of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OperandInfo<I: Isa>
where
    I::Value: PartialEq + Eq,
{
    /// The role that the row gives it: `d`, `s0`, `addr` …
    pub role: &'static str,
    /// Whether it is read, written or both.
    pub access: Access,
    /// The type that the row gives it; its width, unless modifiers change that ([`value`](Self::value) says).
    pub ty: Type,
    /// The registers or the constant that it is.
    pub value: I::Value,
    /// Which instruction of a dual-issue pair it belongs to: 0 or 1.
    pub component: u8,
}

/// The operands of an instruction; see [`operands()`].
#[derive(Clone)]
pub struct Operands<I: Isa> {
    format: Option<&'static Format<I>>,
    words: [u32; MAX_DWORDS],
    mode: I::Mode,
    tail: u8,
    /// The shape of each component's row, and the index of its form.
    rows: [Option<(&'static Shape<I>, usize)>; MAX_COMPONENTS],
    component: u8,
    at: u8,
}

impl<I: Isa> core::fmt::Debug for Operands<I> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Operands").field("component", &self.component).field("at", &self.at).finish_non_exhaustive()
    }
}

/// The operands of an instruction of this length, in the order of its row.
#[inline]
#[must_use]
pub fn operands<I: Isa>(format: u8, words: [u32; MAX_DWORDS], len: u8, mode: I::Mode) -> Operands<I> {
    let format = I::formats().get(usize::from(format));
    let mut out = Operands { format, words, mode, tail: 0, rows: [None; MAX_COMPONENTS], component: 0, at: 0 };
    if let Some(format) = format {
        out.tail = tail_of(format, &words, len);
        for (to, component) in out.rows.iter_mut().zip(format.components) {
            let row = row(component, &words);
            *to = row.and_then(|(_, shape)| Some((shape, form_index(format, shape, &words, out.tail)?)));
        }
    }
    out
}

impl<I: Isa> Operands<I>
where
    I::Value: PartialEq + Eq,
{
    /// The operands of a component, and whether what they come to may be ready.
    #[inline(always)]
    fn steps(&self, nth: u8) -> Option<(&'static [VisitStep<I::Value>], bool)> {
        let (shape, form) = (*self.rows.get(usize::from(nth))?)?;
        let visit = I::visiting().visits.get(form)?;
        Some((visit.steps, shape.words & visit.unless == 0))
    }

    /// The operand of a step, unless its kind says that it is none.
    #[inline(always)]
    fn info(&self, nth: u8, step: &'static VisitStep<I::Value>, ready: bool) -> Option<OperandInfo<I>> {
        let at_hand = step.values.get(step.part.get(&self.words) as usize).copied().flatten().filter(|_| ready);
        let value = match at_hand {
            Some(value) => value,
            None => self.value(nth, step.bound)?,
        };
        Some(OperandInfo { role: step.role, access: step.access, ty: step.ty, value, component: nth })
    }

    /// What an operand comes to by its kind.
    #[inline(never)]
    fn value(&self, nth: u8, bound: u8) -> Option<I::Value> {
        let (format, words, mode, tail) = (self.format?, &self.words, self.mode, self.tail);
        let component = format.components.get(usize::from(nth))?;
        let (shape, form) = (*self.rows.get(usize::from(nth))?)?;
        let form = I::forms().get(form)?;
        let bound = form.bound.get(usize::from(bound))?;
        let carrier = component.carriers.get(usize::from(bound.carrier))?;
        let value = I::visiting().valuers.get(usize::from(component.nth))?.get(usize::from(bound.carrier))?;
        let cx = Cx { words, mode, ty: bound.ty, name: carrier.name, tail, format, component: nth, shape, form };
        value(&cx, carrier.bits.get(words))
    }
}

impl<I: Isa> Iterator for Operands<I>
where
    I::Value: PartialEq + Eq,
{
    type Item = OperandInfo<I>;

    #[inline]
    fn next(&mut self) -> Option<OperandInfo<I>> {
        loop {
            let (steps, ready) = self.steps(self.component)?;
            while let Some(step) = steps.get(usize::from(self.at)) {
                self.at += 1;
                if let Some(info) = self.info(self.component, step, ready) {
                    return Some(info);
                }
            }
            self.component += 1;
            self.at = 0;
        }
    }

    /// One after the other, without keeping count between them: quicker than [`next`](Self::next).
    #[inline]
    fn fold<B, F: FnMut(B, OperandInfo<I>) -> B>(self, init: B, mut f: F) -> B {
        let mut all = init;
        let mut from = usize::from(self.at);
        for nth in self.component..MAX_COMPONENTS as u8 {
            let Some((steps, ready)) = self.steps(nth) else { return all };
            for step in steps.get(from..).unwrap_or_default() {
                if let Some(info) = self.info(nth, step, ready) {
                    all = f(all, info);
                }
            }
            from = 0;
        }
        all
    }
}
