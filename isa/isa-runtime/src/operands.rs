//! Lists the operands of an instruction: role, access, type and value, from its row.

pub(crate) mod class;
pub mod constants;

use core::ops::Deref;

use crate::Type;
use crate::dwords::{Bits96, InstrRest};
use crate::tables::codes::{Literal, Values};
use crate::tables::view::{row, suffix_dword_of, variant_index};
use crate::tables::{Access, Component, Cx, Format, FormatLookup, Isa, LowBitRange, MAX_DWORDS, Shape, ValueFn};

/// The tables that [`operands()`] reads, besides the encoding variants.
pub struct OperandTables<I: Isa> {
    /// Maps the opcode to its operands, for each format.
    pub starts: &'static [FormatLookup],
    /// The operands of each encoding variant.
    pub lists: &'static [OperandList<I::Value>],
    /// The functions that return the values of each component's carriers.
    pub valuers: &'static [&'static [ValueFn<I>]],
}

impl<I: Isa> OperandTables<I> {
    /// Returns the role, access and type of an operand of an encoding variant.
    #[inline]
    pub(crate) fn row(&self, variant: u16, bound: u8) -> Option<&'static RowOperand> {
        let list: &'static OperandList<I::Value> = self.lists.get(usize::from(variant))?;
        list.steps.get(usize::from(bound)).map(|step| &step.row)
    }
}

/// The operands of an encoding variant.
#[derive(Clone, Copy)]
pub struct OperandList<V: 'static> {
    pub(crate) steps: &'static [OperandStep<V>],
    /// Rows with one of these flags have no precomputed values.
    pub(crate) unless: u128,
}

/// One operand of an encoding variant.
#[derive(Clone, Copy)]
pub struct OperandStep<V: 'static> {
    pub(crate) row: RowOperand,
    /// The precomputed values, indexed by code. Codes beyond the end have none.
    pub(crate) values: &'static [V],
    /// The bit range of the code, as in [`LowBitRange`]. Not set if the code has several ranges.
    pub(crate) ones: u32,
    pub(crate) lo: u8,
    /// The code of a literal, which has no precomputed value; `u16::MAX` if the class has no literals.
    pub(crate) except: u16,
    /// The index in [`EncodingVariant::bound`](crate::tables::EncodingVariant::bound).
    pub(crate) bound: u8,
    /// The values of the operand class, if the code has one bit range.
    pub(crate) class: Option<&'static Values<V>>,
}

/// The facts about an operand that its row states, and the names of its class and field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowOperand {
    /// The role: `d`, `s0`, `addr` …
    pub role: &'static str,
    /// Whether it is read, written or both.
    pub access: Access,
    /// The type. Modifiers can change the number of registers: see [`OperandInfo::value`].
    pub ty: Type,
    pub(crate) names: &'static OperandNames,
}

impl RowOperand {
    /// Returns the name of the operand class: the type whose documentation lists its codes.
    #[must_use]
    pub const fn class(&self) -> &'static str {
        self.names.class
    }

    /// Returns the guide's name of the field that holds the operand, `None` if the encoding implies it.
    #[must_use]
    pub const fn field(&self) -> Option<&'static str> {
        if self.names.field.is_empty() { None } else { Some(self.names.field) }
    }
}

/// The names that rows in one format share for an operand. A reference of 8 bytes keeps the steps of operands small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OperandNames {
    /// The operand class.
    pub class: &'static str,
    /// The field, or no text.
    pub field: &'static str,
}

impl OperandNames {
    pub(crate) const NONE: &'static Self = &OperandNames { class: "", field: "" };
}

/// One operand of an instruction. It dereferences to its [`RowOperand`]:
///
/// ```
/// fn is_written<I: isa::Isa<Value: Eq>>(operand: &isa::OperandInfo<I>) -> bool {
///     operand.access != isa::Access::Read
/// }
/// ```
// The row's facts are a reference because copying them took most of the time of listing operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(alias = "MCOperandInfo")]
pub struct OperandInfo<I: Isa>
where
    I::Value: PartialEq + Eq,
{
    /// The role, access and type that the row states.
    pub row: &'static RowOperand,
    /// The registers or the constant.
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
    /// The operands of `component` that have not been listed.
    rest: &'static [OperandStep<I::Value>],
    /// Whether the operands of `component` can have precomputed values.
    ready: bool,
}

impl<I: Isa> core::fmt::Debug for Operands<I> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Operands").field("next", &self.next).finish_non_exhaustive()
    }
}

/// Lists the operands of an instruction with `len` dwords, in the order of its row.
#[inline]
#[must_use]
pub fn operands<I: Isa>(format: u8, words: [u32; MAX_DWORDS], len: u8, mode: I::Mode) -> Operands<I> {
    let Bits96 { low, third } = Bits96::new(words);
    Operands { low, third, format, len, mode, component: 0, next: 0, rest: &[], ready: false }
}

/// Calls `each` with each operand of an instruction, without precomputed values: the reference that tests compare with
/// [`operands()`].
pub fn operands_slow<I: Isa>(
    format: u8,
    words: [u32; MAX_DWORDS],
    len: u8,
    mode: I::Mode,
    mut each: impl FnMut(OperandInfo<I>),
) where
    I::Value: PartialEq + Eq,
{
    let Bits96 { low, third } = Bits96::new(words);
    let rest = InstrRest::new(format, third, len);
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

impl<V: Copy> OperandStep<V> {
    /// Returns the operand's code. It must have one bit range.
    #[inline(always)]
    fn code(&self, low: u64) -> u32 {
        LowBitRange { ones: self.ones, lo: self.lo }.get(low)
    }

    /// Returns the function that computes the value, if it depends on nothing but the code.
    #[inline(always)]
    fn context_free(&self) -> Option<fn(u32) -> V> {
        self.class?.context_free
    }

    /// Returns the precomputed value of the operand.
    // Returns a reference: testing a copied `Option<V>` would split the copy into its fields.
    #[inline(always)]
    fn ready(&self, low: u64) -> Option<&'static V> {
        let code = self.code(low);
        if code == u32::from(self.except) { None } else { self.values.get(code as usize) }
    }

    /// Returns the item of the iterator for this operand and its value.
    #[inline(always)]
    fn info<I: Isa<Value = V>>(&'static self, value: &V, component: u8) -> OperandInfo<I>
    where
        V: PartialEq + Eq,
    {
        OperandInfo { row: &self.row, value: *value, component }
    }
}

// The functions that are not inlined take numbers instead of `self`, so that the compiler can keep an iterator in registers.
impl<I: Isa> Operands<I> {
    /// Returns the format, the length and the third dword.
    #[inline(always)]
    const fn others(&self) -> InstrRest {
        InstrRest::new(self.format, self.third, self.len)
    }

    /// Looks up the operands of an instruction with one component and no selected suffix dword: the fast path.
    #[inline(always)]
    fn direct(&self) -> Option<&'static OperandList<I::Value>> {
        let OperandTables { starts, lists, .. } = I::tables().operand_tables;
        let (variant, _) = FormatLookup::find(starts, self.low, self.format, self.len)?;
        lists.get(usize::from(variant).wrapping_sub(1))
    }

    /// Moves to the next component. Returns `false` if there is none.
    #[inline(always)]
    fn begin(&mut self) -> bool {
        self.component = self.next;
        match if self.next == 0 { self.direct() } else { None } {
            // The fast path finds only instructions with one component.
            Some(list) => (self.rest, self.ready, self.next) = (list.steps, true, u8::MAX),
            None => match in_full::<I>(self.low, self.others(), self.next) {
                Some(found) => ((self.rest, self.ready), self.next) = (found, self.next + 1),
                None => return false,
            },
        }
        true
    }
}

/// A component of an instruction with its shape and encoding variant: the slow path, for any suffix dword.
struct Around<I: Isa> {
    words: [u32; MAX_DWORDS],
    format: &'static Format<I>,
    component: &'static Component<I>,
    shape: &'static Shape<I>,
    suffix_dword: u8,
    /// The index of the encoding variant.
    variant: usize,
}

impl<I: Isa> Around<I> {
    #[inline(always)]
    fn of(low: u64, others: InstrRest, nth: u8) -> Option<Self> {
        let words = Bits96 { low, third: others.third() }.dwords();
        let format = Format::at(others.format())?;
        let component = format.component(nth)?;
        let (_, shape) = row(component, &words)?;
        let suffix_dword = suffix_dword_of(format, shape, &words, others.len());
        Some(Around {
            words,
            format,
            component,
            shape,
            suffix_dword,
            variant: variant_index(format, shape, &words, suffix_dword)?,
        })
    }

    /// Returns the value that the operand's class computes.
    #[inline(always)]
    fn value(&self, step: &OperandStep<I::Value>, nth: u8, mode: I::Mode) -> Option<I::Value> {
        let Around { words, format, component, shape, suffix_dword, .. } = *self;
        let variant = I::tables().variants.get(self.variant)?;
        let bound = variant.nth::<I>(step.bound)?;
        let carrier = component.carrier(bound)?;
        let value =
            I::tables().operand_tables.valuers.get(usize::from(component.nth))?.get(usize::from(bound.carrier))?;
        let words = &words;
        let cx =
            Cx { words, mode, ty: bound.ty, name: carrier.name, suffix_dword, format, component: nth, shape, variant };
        value(&cx, carrier.bits.get(words))
    }
}

/// Returns the operands of a component, and whether they can have precomputed values. Returns `None` if there is no such
/// component.
#[inline(never)]
fn in_full<I: Isa>(low: u64, others: InstrRest, nth: u8) -> Option<(&'static [OperandStep<I::Value>], bool)> {
    let around = Around::<I>::of(low, others, nth)?;
    let list = I::tables().operand_tables.lists.get(around.variant)?;
    Some((list.steps, around.shape.flags() & list.unless == 0))
}

/// Returns the value of an operand without a precomputed one.
#[inline(never)]
fn value<I: Isa>(
    low: u64,
    others: InstrRest,
    nth: u8,
    mode: I::Mode,
    step: &OperandStep<I::Value>,
) -> Option<I::Value> {
    if let Some(value) = step.context_free() {
        return Some(value(step.code(low)));
    }
    let start = I::tables().operand_tables.starts.get(usize::from(others.format()));
    if let Some(Literal { make, .. }) = step.class.and_then(|class| class.literal)
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
    /// Returns the precomputed value of an operand.
    #[inline(always)]
    fn ready(&self, step: &OperandStep<I::Value>) -> Option<I::Value> {
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

    /// Calls `f` with each operand. It is faster than [`next`](Self::next): no position is stored between operands, and `f` is
    /// inlined once for each source of a value.
    #[inline]
    fn fold<B, F: FnMut(B, OperandInfo<I>) -> B>(self, init: B, mut f: F) -> B {
        let mut all = init;
        if self.next == 0
            && let Some(list) = self.direct()
        {
            for step in list.steps {
                if let Some(value) = step.ready(self.low) {
                    all = f(all, step.info(value, 0));
                } else if let Some(context_free) = step.context_free() {
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
