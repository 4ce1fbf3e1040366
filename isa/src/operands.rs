//! What an instruction reads and writes, read off its row.

use crate::Type;
use crate::table::{Access, Component, Cx, Format, Head, Isa, MAX_DWORDS, Packed, Place, ValueFn};
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
    words: Packed,
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
    let mut out = Operands { format, words: Packed::new(words), len, mode, component: 0, rest: &[], ready: false };
    out.begin();
    out
}

/// Calls a function with each operand of an instruction, whose value its kind gives, whatever is ready: a test holds
/// this against [`operands()`].
pub fn operands_by_kinds<I: Isa>(
    format: u8,
    words: [u32; MAX_DWORDS],
    len: u8,
    mode: I::Mode,
    mut each: impl FnMut(OperandInfo<I>),
) where
    I::Value: PartialEq + Eq,
{
    let Some(format) = I::formats().get(usize::from(format)) else { return };
    let Packed { low, third } = Packed::new(words);
    for (nth, component) in (0..).zip(format.components) {
        for step in in_full::<I>(format, component, low, third, len).0 {
            if let Some(value) = value::<I>(format, nth, low, third, (len, mode), step.bound) {
                each(OperandInfo { role: step.role, access: step.access, ty: step.ty, value, component: nth });
            }
        }
    }
}

// What is called out of line takes numbers, not `self`: so the compiler can keep an iterator in registers.
impl<I: Isa> Operands<I> {
    /// Begins with the component that is next; `false` where there is none.
    #[inline(always)]
    fn begin(&mut self) -> bool {
        let Some(format) = self.format else { return false };
        let Some(component) = format.components.get(usize::from(self.component)) else { return false };
        let Visiting { visits, heads, .. } = I::visiting();
        let head = heads.get(usize::from(component.nth)).and_then(|h| h.get(component.number(self.words) as usize));
        match head {
            Some(head) if self.len == format.dwords && head.form != 0 => {
                self.rest = visits.get(usize::from(head.form) - 1).map_or(&[], |visit| visit.steps);
                self.ready = true;
            }
            _ => {
                let Packed { low, third } = self.words;
                (self.rest, self.ready) = in_full::<I>(format, component, low, third, self.len);
            }
        }
        true
    }

    /// The operand of a step, unless its kind says that it is none.
    #[inline(always)]
    fn info(&self, step: &'static VisitStep<I::Value>) -> Option<OperandInfo<I>>
    where
        I::Value: PartialEq + Eq,
    {
        let Packed { low, third } = self.words;
        let code = step.place.get(low);
        let value = match step.values.get(code as usize) {
            Some(Some(value)) if self.ready => *value,
            _ => value(self.format?, self.component, low, third, (self.len, self.mode), step.bound)?,
        };
        Some(OperandInfo { role: step.role, access: step.access, ty: step.ty, value, component: self.component })
    }
}

/// The operands of a component whatever follows its words, and whether what they come to may be ready.
#[inline(never)]
fn in_full<I: Isa>(
    format: &'static Format<I>,
    component: &'static Component<I>,
    low: u64,
    third: u32,
    len: u8,
) -> (&'static [VisitStep<I::Value>], bool) {
    let words = Packed { low, third }.words();
    let visit = row(component, &words).and_then(|(_, shape)| {
        let form = form_index(format, shape, &words, tail_of(format, &words, len))?;
        let visit = I::visiting().visits.get(form)?;
        Some((visit.steps, shape.words() & visit.unless == 0))
    });
    visit.unwrap_or((&[], false))
}

/// What an operand comes to by its kind.
#[inline(never)]
fn value<I: Isa>(
    format: &'static Format<I>,
    nth: u8,
    low: u64,
    third: u32,
    (len, mode): (u8, I::Mode),
    bound: u8,
) -> Option<I::Value> {
    let words = &Packed { low, third }.words();
    let component = format.components.get(usize::from(nth))?;
    let (_, shape) = row(component, words)?;
    let tail = tail_of(format, words, len);
    let form = I::forms().get(form_index(format, shape, words, tail)?)?;
    let bound = form.nth::<I>(bound)?;
    let carrier = component.carriers.get(usize::from(bound.carrier))?;
    let value = I::visiting().valuers.get(usize::from(component.nth))?.get(usize::from(bound.carrier))?;
    let cx = Cx { words, mode, ty: bound.ty, name: carrier.name, tail, format, component: nth, shape, form };
    value(&cx, carrier.bits.get(words))
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
