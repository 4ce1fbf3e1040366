//! What an instruction reads and writes, read off its row.

use crate::Type;
use crate::table::{Access, Component, Cx, Format, Head, Isa, MAX_DWORDS, Place, Shape, ValueFn};
use crate::view::{form_index, row, tail_of};

/// What listing operands needs besides the forms.
pub struct Visiting<I: Isa> {
    /// The operands of each form.
    pub visits: &'static [Visit<I::Value>],
    /// What the kinds of the carriers come to, for each component.
    pub valuers: &'static [&'static [ValueFn<I>]],
    /// The way from each opcode to its form, for each component.
    pub heads: &'static [&'static [Head]],
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
    pub(crate) place: Place,
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
    len: u8,
    mode: I::Mode,
    component: u8,
    /// What is left of the component's operands.
    rest: &'static [VisitStep<I::Value>],
    /// Whether what they come to may be ready.
    ready: bool,
}

impl<I: Isa> core::fmt::Debug for Operands<I> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Operands").field("component", &self.component).finish_non_exhaustive()
    }
}

/// The operands of an instruction of this length, in the order of its row.
#[inline]
#[must_use]
pub fn operands<I: Isa>(format: u8, words: [u32; MAX_DWORDS], len: u8, mode: I::Mode) -> Operands<I> {
    let format = I::formats().get(usize::from(format));
    let mut out = Operands { format, words, len, mode, component: 0, rest: &[], ready: false };
    out.begin();
    out
}

impl<I: Isa> Operands<I> {
    #[inline(always)]
    fn component(&self) -> Option<(&'static Format<I>, &'static Component<I>)> {
        let format = self.format?;
        Some((format, format.components.get(usize::from(self.component))?))
    }

    /// Begins with the component that is next; `false` where there is none.
    #[inline(always)]
    fn begin(&mut self) -> bool {
        let Some((format, component)) = self.component() else { return false };
        let heads = I::visiting().heads.get(usize::from(component.nth)).copied().unwrap_or_default();
        let head = heads.get(component.number(&self.words) as usize);
        let (visit, ready) = match head {
            Some(head) if self.len == format.dwords && head.form != 0 => {
                (I::visiting().visits.get(usize::from(head.form) - 1), true)
            }
            _ => {
                let found = self.row().map(|(_, shape, form)| (I::visiting().visits.get(form), shape));
                let Some((Some(visit), shape)) = found else { return false };
                (Some(visit), shape.words & visit.unless == 0)
            }
        };
        self.rest = visit.map_or(&[], |visit| visit.steps);
        self.ready = ready;
        true
    }

    /// The tail, the row's shape and the index of the component's form.
    #[inline(never)]
    fn row(&self) -> Option<(u8, &'static Shape<I>, usize)> {
        let (format, component) = self.component()?;
        let tail = tail_of(format, &self.words, self.len);
        let (_, shape) = row(component, &self.words)?;
        Some((tail, shape, form_index(format, shape, &self.words, tail)?))
    }

    /// The operand of a step, unless its kind says that it is none.
    #[inline(always)]
    fn info(&self, step: &'static VisitStep<I::Value>) -> Option<OperandInfo<I>>
    where
        I::Value: PartialEq + Eq,
    {
        let [w0, w1, _] = self.words;
        let code = step.place.get(u64::from(w0) | u64::from(w1) << 32);
        let value = match step.values.get(code as usize) {
            Some(Some(value)) if self.ready => *value,
            _ => self.value(step.bound)?,
        };
        Some(OperandInfo { role: step.role, access: step.access, ty: step.ty, value, component: self.component })
    }

    /// What an operand comes to by its kind.
    #[inline(never)]
    fn value(&self, bound: u8) -> Option<I::Value> {
        let (format, component) = self.component()?;
        let (tail, shape, form) = self.row()?;
        let form = I::forms().get(form)?;
        let bound = form.nth::<I>(bound)?;
        let carrier = component.carriers.get(usize::from(bound.carrier))?;
        let value = I::visiting().valuers.get(usize::from(component.nth))?.get(usize::from(bound.carrier))?;
        let (words, mode, ty, name, component) = (&self.words, self.mode, bound.ty, carrier.name, self.component);
        value(&Cx { words, mode, ty, name, tail, format, component, shape, form }, carrier.bits.get(words))
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
            while let Some((step, rest)) = self.rest.split_first() {
                self.rest = rest;
                if let Some(info) = self.info(step) {
                    return Some(info);
                }
            }
            self.component += 1;
            if !self.begin() {
                return None;
            }
        }
    }

    /// One after the other, without keeping count between them: quicker than [`next`](Self::next).
    #[inline]
    fn fold<B, F: FnMut(B, OperandInfo<I>) -> B>(mut self, init: B, mut f: F) -> B {
        let mut all = init;
        loop {
            for step in self.rest {
                if let Some(info) = self.info(step) {
                    all = f(all, info);
                }
            }
            self.component += 1;
            if !self.begin() {
                return all;
            }
        }
    }
}
