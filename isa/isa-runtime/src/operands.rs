//! What an instruction reads and writes, read off its row.

pub(crate) mod class;
pub(crate) mod codes;
pub mod constants;

use core::ops::Deref;

use crate::Type;
use crate::operands::codes::LiteralFn;
use crate::tables::view::{form_index, row, suffix_dword_of};
use crate::tables::{
    Access, Component, Cx, Format, FormatLookup, Isa, MAX_DWORDS, Packed, Place, Rest, Shape, ValueFn,
};

/// What listing operands needs besides the forms.
pub struct Visiting<I: Isa> {
    /// Where listing begins, for each format.
    pub starts: &'static [FormatLookup],
    /// The operands of each form.
    pub visits: &'static [Visit<I::Value>],
    /// What the kinds of the carriers come to, for each component.
    pub valuers: &'static [&'static [ValueFn<I>]],
}

impl<I: Isa> Visiting<I> {
    /// What the row says of an operand of a form.
    #[inline]
    pub(crate) fn row(&self, form: u16, bound: u8) -> Option<&'static RowOperand> {
        let visit: &'static Visit<I::Value> = self.visits.get(usize::from(form))?;
        visit.steps.get(usize::from(bound)).map(|step| &step.row)
    }
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
    pub(crate) row: RowOperand,
    /// What is ready, by code; empty where nothing is.
    pub(crate) values: &'static [V],
    /// The code's bits, where something is ready: as [`Place`] has them.
    pub(crate) ones: u32,
    pub(crate) lo: u8,
    /// The code of which nothing is ready all the same, since it stands for a literal, or one that there is not.
    pub(crate) except: u16,
    /// The index in [`Form::bound`](crate::tables::Form::bound).
    pub(crate) bound: u8,
    /// What any other code comes to, where the code alone decides it.
    pub(crate) context_free: Option<fn(u32) -> V>,
    /// What a literal comes to.
    pub(crate) literal: Option<LiteralFn<V>>,
}

/// What a row says of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowOperand {
    /// The role: `d`, `s0`, `addr` …
    pub role: &'static str,
    /// Whether it is read, written or both.
    pub access: Access,
    /// The type; its width, unless modifiers change that ([`OperandInfo::value`] says).
    pub ty: Type,
}

/// One operand of an instruction; what its row says of it can be had as if it were its own:
///
/// ```
/// fn is_written<I: isa::Isa<Value: Eq>>(operand: &isa::OperandInfo<I>) -> bool {
///     operand.access != isa::Access::Read
/// }
/// ```
// The row's facts are a reference, since most of the time of listing operands is their copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OperandInfo<I: Isa>
where
    I::Value: PartialEq + Eq,
{
    /// What the row says: role, access and type.
    pub row: &'static RowOperand,
    /// The registers or the constant that it is.
    pub value: I::Value,
    /// Which instruction of a dual-issue pair it belongs to: 0 or 1.
    pub component: u8,
}

impl<I: Isa> Deref for OperandInfo<I>
where
    I::Value: PartialEq + Eq,
{
    type Target = RowOperand;

    #[inline]
    fn deref(&self) -> &RowOperand {
        self.row
    }
}

/// The operands of an instruction; see [`operands()`].
#[derive(Clone)]
pub struct Operands<I: Isa> {
    low: u64,
    third: u32,
    format: u8,
    len: u8,
    mode: I::Mode,
    /// The component whose operands are being listed, and the one after it.
    component: u8,
    next: u8,
    /// What is left of the former's.
    rest: &'static [VisitStep<I::Value>],
    /// Whether what they come to may be ready.
    ready: bool,
}

impl<I: Isa> core::fmt::Debug for Operands<I> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Operands").field("next", &self.next).finish_non_exhaustive()
    }
}

/// The operands of an instruction of this length, in the order of its row.
#[inline]
#[must_use]
pub fn operands<I: Isa>(format: u8, words: [u32; MAX_DWORDS], len: u8, mode: I::Mode) -> Operands<I> {
    let Packed { low, third } = Packed::new(words);
    Operands { low, third, format, len, mode, component: 0, next: 0, rest: &[], ready: false }
}

/// Calls a function with each operand of an instruction, whose value its kind gives, whatever is ready: a test holds
/// this against [`operands()`].
pub fn operands_slow<I: Isa>(
    format: u8,
    words: [u32; MAX_DWORDS],
    len: u8,
    mode: I::Mode,
    mut each: impl FnMut(OperandInfo<I>),
) where
    I::Value: PartialEq + Eq,
{
    let Packed { low, third } = Packed::new(words);
    let rest = Rest::new(format, third, len);
    let mut nth = 0;
    while let Some((steps, _)) = in_full::<I>(low, rest, nth) {
        for step in steps {
            let value = Around::<I>::of(low, rest, nth).and_then(|around| around.value(step, nth, mode));
            if let Some(value) = value {
                each(step.info(&value, nth));
            }
        }
        nth += 1;
    }
}

impl<V: Copy> VisitStep<V> {
    /// The operand's code, where something is ready.
    #[inline(always)]
    fn code(&self, low: u64) -> u32 {
        Place { ones: self.ones, lo: self.lo }.get(low)
    }

    /// What is ready of the operand.
    // By reference: to look into a value for there being none would tear its copy apart.
    #[inline(always)]
    fn ready(&self, low: u64) -> Option<&'static V> {
        let code = self.code(low);
        if code == u32::from(self.except) { None } else { self.values.get(code as usize) }
    }

    /// What is told of the operand.
    #[inline(always)]
    fn info<I: Isa<Value = V>>(&'static self, value: &V, component: u8) -> OperandInfo<I>
    where
        V: PartialEq + Eq,
    {
        OperandInfo { row: &self.row, value: *value, component }
    }
}

// What is called out of line takes numbers, not `self`: so the compiler can keep an iterator in registers.
impl<I: Isa> Operands<I> {
    /// What is known besides the first two words.
    #[inline(always)]
    const fn others(&self) -> Rest {
        Rest::new(self.format, self.third, self.len)
    }

    /// The operands of nearly all instructions: those of one component and of their format's length.
    #[inline(always)]
    fn direct(&self) -> Option<&'static Visit<I::Value>> {
        let Visiting { starts, visits, .. } = I::visiting();
        let (form, _) = FormatLookup::find(starts, self.low, self.format, self.len)?;
        visits.get(usize::from(form).wrapping_sub(1))
    }

    /// Begins with the component that is next; `false` where there is none.
    #[inline(always)]
    fn begin(&mut self) -> bool {
        self.component = self.next;
        match if self.next == 0 { self.direct() } else { None } {
            // What can be had so has one component.
            Some(visit) => (self.rest, self.ready, self.next) = (visit.steps, true, u8::MAX),
            None => match in_full::<I>(self.low, self.others(), self.next) {
                Some(found) => ((self.rest, self.ready), self.next) = (found, self.next + 1),
                None => return false,
            },
        }
        true
    }
}

/// A component of an instruction, looked up whatever follows its words.
struct Around<I: Isa> {
    words: [u32; MAX_DWORDS],
    format: &'static Format<I>,
    component: &'static Component<I>,
    shape: &'static Shape<I>,
    suffix_dword: u8,
    /// The index of the form.
    form: usize,
}

impl<I: Isa> Around<I> {
    #[inline(always)]
    fn of(low: u64, others: Rest, nth: u8) -> Option<Self> {
        let words = Packed { low, third: others.third() }.words();
        let format = I::formats().get(usize::from(others.format()))?;
        let component = format.components.get(usize::from(nth))?;
        let (_, shape) = row(component, &words)?;
        let suffix_dword = suffix_dword_of(format, shape, &words, others.len());
        Some(Around {
            words,
            format,
            component,
            shape,
            suffix_dword,
            form: form_index(format, shape, &words, suffix_dword)?,
        })
    }

    /// What an operand comes to by its kind.
    #[inline(always)]
    fn value(&self, step: &VisitStep<I::Value>, nth: u8, mode: I::Mode) -> Option<I::Value> {
        let Around { words, format, component, shape, suffix_dword, .. } = *self;
        let form = I::forms().get(self.form)?;
        let bound = form.nth::<I>(step.bound)?;
        let carrier = component.carriers.get(usize::from(bound.carrier))?;
        let value = I::visiting().valuers.get(usize::from(component.nth))?.get(usize::from(bound.carrier))?;
        let words = &words;
        let cx =
            Cx { words, mode, ty: bound.ty, name: carrier.name, suffix_dword, format, component: nth, shape, form };
        value(&cx, carrier.bits.get(words))
    }
}

/// The operands of a component, and whether what they come to may be ready; `None` where there is no such component.
#[inline(never)]
fn in_full<I: Isa>(low: u64, others: Rest, nth: u8) -> Option<(&'static [VisitStep<I::Value>], bool)> {
    let around = Around::<I>::of(low, others, nth)?;
    let visit = I::visiting().visits.get(around.form)?;
    Some((visit.steps, around.shape.flags() & visit.unless == 0))
}

/// What an operand comes to of which nothing is ready.
#[inline(never)]
fn value<I: Isa>(low: u64, others: Rest, nth: u8, mode: I::Mode, step: &VisitStep<I::Value>) -> Option<I::Value> {
    if let Some(value) = step.context_free {
        return Some(value(step.code(low)));
    }
    let start = I::visiting().starts.get(usize::from(others.format()));
    if let Some(make) = step.literal
        && step.code(low) == u32::from(step.except)
        && let Some((_, Some(word))) = start.map(|start| start.suffix_dword(low, others))
    {
        return Some(make(word, step.row.ty));
    }
    Around::<I>::of(low, others, nth)?.value(step, nth, mode)
}

impl<I: Isa> Operands<I>
where
    I::Value: PartialEq + Eq,
{
    /// What is ready of an operand.
    #[inline(always)]
    fn ready(&self, step: &VisitStep<I::Value>) -> Option<I::Value> {
        if self.ready { step.ready(self.low).copied() } else { None }
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
                let found = self.ready(step);
                let found = found.or_else(|| value::<I>(self.low, self.others(), self.component, self.mode, step));
                if let Some(value) = found {
                    return Some(step.info(&value, self.component));
                }
            }
            if !self.begin() {
                return None;
            }
        }
    }

    /// One after the other, without keeping count between them: quicker than [`next`](Self::next), since what is done with
    /// an operand is written out for each way that its value can come.
    #[inline]
    fn fold<B, F: FnMut(B, OperandInfo<I>) -> B>(self, init: B, mut f: F) -> B {
        let mut all = init;
        if self.next == 0
            && let Some(visit) = self.direct()
        {
            for step in visit.steps {
                if let Some(value) = step.ready(self.low) {
                    all = f(all, step.info(value, 0));
                } else if let Some(context_free) = step.context_free {
                    all = f(all, step.info(&context_free(step.code(self.low)), 0));
                } else if let Some(value) = value::<I>(self.low, self.others(), 0, self.mode, step) {
                    all = f(all, step.info(&value, 0));
                }
            }
            return all;
        }
        for operand in self {
            all = f(all, operand);
        }
        all
    }
}
