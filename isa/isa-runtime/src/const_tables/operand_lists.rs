//! The steps that list the operands of encoding variants.

use isa_schema::{OperandStepRow, PlacedOperand, Rows};

use super::{CHUNK, Fact, Slices};
use crate::operands::{OperandList, OperandNames, OperandStep, RowOperand};
use crate::tables::codes::{ValueLists, ValueRange, Values};
use crate::tables::{Access, Bound, Isa, LowBitRange, Run};
use crate::{Class, Type};

/// Builds the operand steps. `A` is the number of `operands`.
#[must_use]
pub const fn operand_steps<V: Copy, const N: usize, const A: usize>(
    rows: Rows<OperandStepRow>,
    operands: Rows<PlacedOperand>,
    facts: &[&[Fact]],
    values: &[&'static [Values<V>]],
    lists: &ValueLists<V>,
    names: &[&'static [OperandNames]],
) -> [OperandStep<V>; N] {
    let ty = Type::new(Class::Bits, 32, 1);
    let (row, except) = (RowOperand { role: "", access: Access::Modifier, ty, names: OperandNames::NONE }, u16::MAX);
    let none = OperandStep { row, values: &[], ones: 0, lo: 0, except, bound: 0, class: None };
    let mut known = [none; A];
    fill_operands(&mut known, operands, facts, (values, lists), names);
    let mut out = [none; N];
    fill_in_chunks!(out, none, fill_steps(rows, &known));
    out
}

const fn fill_steps<V: Copy>(
    out: &mut [OperandStep<V>],
    first: usize,
    rows: Rows<OperandStepRow>,
    known: &[OperandStep<V>],
) {
    let (mut i, count) = (0, out.len());
    while i < count {
        let OperandStepRow { bound, operand } = rows.get(first + i);
        out[i] = known[operand as usize];
        out[i].bound = bound;
        i += 1;
    }
}

const fn fill_operands<V: Copy>(
    out: &mut [OperandStep<V>],
    operands: Rows<PlacedOperand>,
    facts: &[&[Fact]],
    (values, lists): (&[&'static [Values<V>]], &ValueLists<V>),
    names: &[&'static [OperandNames]],
) {
    // The last range, and its values: consecutive operands often have the same.
    let (mut last, mut ready): (_, &[V]) = (ValueRange::NONE, &[]);
    let (mut i, count) = (0, out.len());
    while i < count {
        let PlacedOperand { component: at, operand: Bound { ty, access, carrier } } = operands.get(i);
        let step = &mut out[i];
        let (fact, values) = (&facts[at as usize][carrier as usize], &values[at as usize][carrier as usize]);
        step.row = RowOperand { role: fact.name, access, ty, names: &names[at as usize][carrier as usize] };
        if let Some(LowBitRange { ones, lo }) = fact.place {
            (step.ones, step.lo, step.class) = (ones, lo, Some(values));
            let range = values.of(ty);
            if !range.same(last) {
                (last, ready) = (range, range.of(lists));
            }
            step.values = ready;
            if let Some(literal) = values.literal {
                step.except = literal.code;
            }
        }
        i += 1;
    }
}

/// Builds the operand lists of all variants: the steps, and the flags of rows without precomputed values.
#[must_use]
pub const fn operand_lists<I: Isa, const N: usize>(
    runs: Rows<Run>,
    unless: &[[u128; 3]; N],
    steps: &'static [OperandStep<I::Value>],
) -> [OperandList<I::Value>; N] {
    let mut out = [const { OperandList { steps: &[], unless: 0 } }; N];
    let mut rest = Slices::new(steps);
    let mut i = 0;
    while i < N {
        out[i] = OperandList { steps: rest.slice(runs.get(i)), unless: unless[i][1] };
        i += 1;
    }
    out
}
