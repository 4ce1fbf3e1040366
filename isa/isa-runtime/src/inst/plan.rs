//! Plans: where each operand and modifier of a row goes in one format with one suffix dword.
//!
//! The generator computes them from the rows and the operand classes, so that encoding finds bits and register ranges without a search.
//! Const functions of [`tables`] add references to the [`Placing`] of classes.

pub mod fast;
mod register_class;
pub mod tables;

use core::ops::{Deref, Range};

pub(super) use isa_schema::NO_BIT;
use isa_schema::{FastModifier, FastPlan, ModifierStepRow, OpStepRow, OpcodeRows, Plan, RowPlan};

use super::{Inst, Modifier};
use crate::Isa;
use crate::class::placing::{Count, CountSum, Dependent, Placing, RegisterPlace};
use crate::dwords::Bits96;
use crate::operands::RowOperand;
use crate::tables::{BitRange, FieldBits};
pub(super) use register_class::register_class;
pub(crate) use register_class::register_class_of_role;
pub use register_class::{RegisterClass, RegisterFiles, RegisterRange};

/// Returns a mask of `width` bits.
#[inline(always)]
pub(super) const fn ones(width: u8) -> u32 {
    if width == 0 { 0 } else { u32::MAX >> ((32 - width as u32) & 31) }
}

/// The facts that operands of one class in the same bits share.
// Apart from the steps, so that the loader relocates one pointer of a step of 32 bytes, and not two of 64.
#[derive(Clone, Copy, Debug)]
pub struct OpPlace {
    pub(super) registers: &'static [RegisterPlace],
    pub(super) placing: &'static Placing,
    /// The lower ranges of the bits, as in [`FieldBits`].
    pub(super) rest: &'static [BitRange],
}

impl OpPlace {
    const NONE: OpPlace = OpPlace { registers: &[], placing: &Placing::CODE, rest: &[] };
}

/// The place of an operand. 32 bytes: half a cache line.
#[derive(Clone, Copy, Debug)]
pub struct OpStep {
    pub(super) place: &'static OpPlace,
    row: OpStepRow,
}

impl Deref for OpStep {
    type Target = OpStepRow;

    #[inline(always)]
    fn deref(&self) -> &OpStepRow {
        &self.row
    }
}

impl OpStep {
    const NONE: OpStep = OpStep { place: &OpPlace::NONE, row: OpStepRow::ZERO };

    /// Returns the bits of the operand.
    #[inline(always)]
    pub(super) const fn bits(&self) -> FieldBits {
        FieldBits { first: self.row.first, rest: self.place.rest }
    }

    /// Returns the number of registers in the mode with an index.
    #[inline(always)]
    pub(super) fn dwords(&self, mode: usize) -> u8 {
        if self.is(OpStepRow::BY_MODE) { self.dwords_by_mode(mode) } else { self.dwords }
    }

    /// Returns the number of registers if the mode decides it.
    fn dwords_by_mode(&self, mode: usize) -> u8 {
        match self.place.placing.count {
            Count::Type(by_mode) => by_mode.get(mode).copied().unwrap_or(self.dwords),
            Count::Part(by_mode) => self.dwords / by_mode.get(mode).copied().unwrap_or(1).max(1),
            Count::Fixed(_) | Count::Dependent | Count::Sum(_) => self.dwords,
        }
    }

    /// Whether the number of registers is a sum.
    #[inline(always)]
    pub(super) const fn has_sum(&self) -> bool {
        matches!(self.place.placing.count, Count::Sum(_))
    }

    /// Returns the number of registers if it is a sum; `sums` are those of the component.
    #[inline(always)]
    pub(super) fn sum(&self, sums: &'static [[Term; CountSum::MOST]], words: Bits96) -> u8 {
        let terms = sums.get(usize::from(self.carrier)).map_or(&[][..], |terms| terms);
        terms.iter().fold(self.dwords, |sum, term| if term.holds(words) { sum + term.adds } else { sum })
    }
}

/// The number that a field adds to a number of registers.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// The bits of the field.
    mask: Bits96,
    /// The bits of the code by which the field adds to the number.
    code: Bits96,
    /// 0 for no field.
    adds: u8,
}

impl Term {
    const NONE: Term = Term { mask: Bits96::ZERO, code: Bits96::ZERO, adds: 0 };

    /// The term of a field that adds to the number if it holds a code.
    const fn new(bits: &FieldBits, code: u16, adds: u8) -> Self {
        let mut term = Term { adds, ..Term::NONE };
        bits.put(&mut term.mask, u32::MAX);
        bits.put(&mut term.code, code as u32);
        term
    }

    /// Whether the field has the code.
    #[inline(always)]
    const fn holds(&self, words: Bits96) -> bool {
        words.low & self.mask.low == self.code.low && words.third & self.mask.third == self.code.third
    }
}

/// The place of a modifier.
#[derive(Clone, Copy, Debug)]
pub struct ModifierStep {
    pub(super) bits: FieldBits,
    /// The bits of [`Inst`] that hold it, or 0 if operands set it.
    pub(super) mask: u64,
    row: ModifierStepRow,
}

impl ModifierStep {
    const NONE: ModifierStep = ModifierStep { bits: FieldBits::NONE, mask: 0, row: ModifierStepRow::ZERO };
}

impl Deref for ModifierStep {
    type Target = ModifierStepRow;

    #[inline(always)]
    fn deref(&self) -> &ModifierStepRow {
        &self.row
    }
}

/// Matches a number of given operands. Returns how many of them belong to a list, and whether the implied operands are left out; `None` if
/// the row has another number of operands.
#[inline(always)]
pub(super) fn assign(plan: &Plan, len: u8) -> Option<(u8, bool)> {
    let all = plan.steps.len;
    match plan.has_list {
        false if len == all => Some((1, false)),
        false if len == plan.explicit => Some((1, true)),
        true if len >= all && len < all + super::OpList::MOST as u8 => Some((len - all + 1, false)),
        _ => None,
    }
}

/// The tables of encoding operand-level instructions.
pub struct Lowering<I: Isa> {
    /// The rows of each opcode.
    pub opcodes: &'static [OpcodeRows],
    /// All rows in all formats.
    pub rows: &'static [RowPlan],
    /// The plans of rows: one more than an index in `plans`, or 0.
    pub plans_of_rows: &'static [u16],
    /// The plans.
    pub plans: &'static [Plan],
    /// The places of operands.
    pub steps: &'static [OpStep],
    /// The places of modifiers.
    pub modifier_steps: &'static [ModifierStep],
    /// The functions of operand classes whose encoding depends on other fields, for each carrier of each component.
    pub dependents: &'static [&'static [Option<Dependent<I>>]],
    /// The terms that other fields add to numbers of registers, for each component.
    pub sums: &'static [&'static [[Term; CountSum::MOST]]],
    /// The first plan of each of `rows`.
    pub fast_plans: &'static [FastPlan],
    /// The steps of the fast path, parallel to `steps`.
    pub fast_steps: &'static [fast::FastStep],
    /// The modifiers of the fast path, parallel to `modifier_steps`.
    pub fast_modifiers: &'static [FastModifier],
}

impl<I: Isa> Lowering<I> {
    /// No plans.
    pub(crate) const NONE: Self = Lowering {
        opcodes: &[],
        rows: &[],
        plans_of_rows: &[],
        plans: &[],
        steps: &[],
        modifier_steps: &[],
        dependents: &[],
        sums: &[],
        fast_plans: &[],
        fast_steps: &[],
        fast_modifiers: &[],
    };

    /// Returns the rows of an opcode and its group of modifiers.
    #[inline(always)]
    pub(super) fn opcode_rows(&self, opcode: u16) -> OpcodeRows {
        self.opcodes.get(usize::from(opcode)).copied().unwrap_or(OpcodeRows::NONE)
    }

    /// Returns the rows of an opcode, in the order in which their formats are tried.
    #[inline(always)]
    pub(super) fn rows(&self, opcode: u16) -> &'static [RowPlan] {
        self.opcode_rows(opcode).of(self.rows)
    }

    /// Returns a plan by its number in `plans_of_rows`.
    #[inline(always)]
    pub(super) fn plan(&self, number: u16) -> Option<&'static Plan> {
        self.plans.get(usize::from(number).checked_sub(1)?)
    }

    /// Returns all plans of a row.
    pub(super) fn plans_of(&'static self, row: &RowPlan) -> impl Iterator<Item = &'static Plan> + use<I> {
        row.plans.of(self.plans_of_rows).iter().filter_map(|number| self.plan(*number))
    }

    /// Returns the numbers of a row's plans for a value of the variant bit: without a suffix dword and with each one.
    #[inline(always)]
    pub(super) fn plans_of_variant(&self, row: &RowPlan, variant: u8) -> &'static [u16] {
        row.plans.of(self.plans_of_rows).get(range_of_variant(row, variant)).unwrap_or_default()
    }

    /// Returns the terms of sums of a component, by carrier.
    #[inline(always)]
    pub(super) fn sums_of(&self, component: u8) -> &'static [[Term; CountSum::MOST]] {
        self.sums.get(usize::from(component)).copied().unwrap_or_default()
    }
}

/// Returns what the row states about each operand of an instruction: its role, access and type. The first plan with as many
/// operands decides.
pub(super) fn described<I: Isa>(inst: &Inst<I>) -> impl Iterator<Item = &'static RowOperand> + use<I> {
    let first_len = inst.first_len();
    let first = plan_of::<I>(inst, 0).map(|plan| Described::<I>::new(plan, first_len as u8));
    let second = plan_of::<I>(inst, 1).map(|plan| Described::<I>::new(plan, (inst.len() - first_len) as u8));
    first.into_iter().flatten().chain(second.into_iter().flatten())
}

/// Returns the first plan of a component that has as many operands and all modifiers.
pub(super) fn plan_of<I: Isa>(inst: &Inst<I>, component: u8) -> Option<&'static Plan> {
    row_plan_of::<I>(inst, component).map(|(_, plan)| plan)
}

/// Returns where a row's plans for a value of the variant bit are among its plans.
#[inline(always)]
fn range_of_variant(row: &RowPlan, variant: u8) -> Range<usize> {
    let first = usize::from(variant * row.n_suffix_dwords);
    first..first + usize::from(row.n_suffix_dwords)
}

/// Returns the first plan of a component that has as many operands and all modifiers, with its row. If no plan has all
/// modifiers, it is the first with as many operands.
pub(super) fn row_plan_of<I: Isa>(inst: &Inst<I>, component: u8) -> Option<(&'static RowPlan, &'static Plan)> {
    let first_len = inst.first_len();
    let (opcode, len) =
        if component == 0 { (inst.opcode, first_len as u8) } else { (inst.second?, (inst.len() - first_len) as u8) };
    let all = I::inst_tables().lowering;
    let mut fitting = None;
    for row in all.rows(I::opcode_index(opcode)) {
        if row.component != component || inst.pin.format != 0 && inst.pin.format != row.format + 1 {
            continue;
        }
        // The variant bit of an atomic decides whether its data is written as well.
        let of_variant = range_of_variant(row, variant::<I>(inst, row));
        for (at, number) in row.plans.of(all.plans_of_rows).iter().enumerate() {
            let Some(plan) = all.plan(*number).filter(|plan| assign(plan, len).is_some()) else { continue };
            let has_all = inst.modifiers & !plan.modifiers == 0 && plan.required & !inst.modifiers == 0;
            if has_all && of_variant.contains(&at) || component > 0 {
                return Some((row, plan));
            }
            fitting = fitting.or(Some((row, plan)));
        }
    }
    fitting
}

/// Returns the value of the variant bit, which decides which operands the row has.
#[inline(always)]
pub(super) fn variant<I: Isa>(inst: &Inst<I>, row: &RowPlan) -> u8 {
    if row.variant_modifier == u8::MAX {
        return 0;
    }
    modifier::<I>(row.variant_modifier).and_then(|m| m.get(inst.modifiers)).unwrap_or(0) as u8 & 1
}

/// Returns the modifiers that any encoding of an instruction's opcode has, each once.
pub(super) fn modifiers_of<I: Isa>(inst: &Inst<I>) -> impl Iterator<Item = &'static Modifier> {
    let all = I::inst_tables().lowering;
    let plans = all.rows(I::opcode_index(inst.opcode)).iter().flat_map(move |row| all.plans_of(row));
    let selectors = |plan: &'static Plan| modifier::<I>(plan.selector);
    let indices = plans.flat_map(move |plan| {
        let steps = plan.modifier_steps.of(all.modifier_steps).iter();
        steps.filter_map(|step| modifier::<I>(step.modifier)).chain(selectors(plan))
    });
    let mut seen = 0u128;
    indices.filter(move |modifier| {
        let bit = 1 << (I::inst_tables().modifiers.iter().position(|other| other == *modifier).unwrap_or(0) & 127);
        let is_new = seen & bit == 0;
        seen |= bit;
        is_new
    })
}

/// An iterator over what the row states about the operands of a plan.
struct Described<I: Isa> {
    /// The steps that are left.
    steps: &'static [OpStep],
    variant: u16,
    /// How many operands belong to a list.
    list: u8,
    /// Whether the implied operands are left out.
    skips_implied: bool,
    /// How many operands of the first step have been returned.
    listed: u8,
    isa: core::marker::PhantomData<I>,
}

impl<I: Isa> Described<I> {
    /// Returns an iterator over `len` operands.
    fn new(plan: &'static Plan, len: u8) -> Self {
        let (list, skips_implied) = assign(plan, len).unwrap_or((1, false));
        let steps = plan.steps.of(I::inst_tables().lowering.steps);
        Described { steps, variant: plan.variant, list, skips_implied, listed: 0, isa: core::marker::PhantomData }
    }
}

impl<I: Isa> Iterator for Described<I> {
    type Item = &'static RowOperand;

    fn next(&mut self) -> Option<&'static RowOperand> {
        loop {
            let step = self.steps.first()?;
            let count = if step.place.placing.list.is_empty() { 1 } else { self.list };
            if self.listed == count || step.is(OpStepRow::IS_IMPLIED) && self.skips_implied {
                self.steps = self.steps.get(1..)?;
                self.listed = 0;
                continue;
            }
            self.listed += 1;
            return I::tables().operand_tables.row(self.variant, step.bound);
        }
    }
}

/// Returns the modifier with an index.
pub(super) fn modifier<I: Isa>(index: u8) -> Option<&'static Modifier> {
    I::inst_tables().modifiers.get(usize::from(index))
}
