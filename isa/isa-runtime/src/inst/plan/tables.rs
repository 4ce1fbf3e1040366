//! Const functions that make the tables of plans from the rows of the generator: they add what only operand classes know.

use isa_schema::{FastModifier, FastPlan, FastStepRow, ModifierStepRow, OpPlaceRow, OpStepRow, RowPlan, Rows};

use super::fast::FastStep;
use super::{ModifierStep, OpPlace, OpStep, Term};
use crate::class::placing::{Count, CountSum, Placing};
use crate::const_tables::{CHUNK, fill_in_chunks, same};
use crate::inst::Modifier;
use crate::operands::class::ClassFacts;
use crate::tables::Carrier;
use crate::{Isa, Operand};

/// Returns whether operands of a class are numbers: whether it keeps the defaults of [`Operand`].
#[must_use]
pub const fn is_number<I: Isa, O: Operand<I>>() -> bool {
    let Placing { registers, constants, list, default, required, .. } = O::PLACING;
    let has_more =
        constants.is_some() || !list.is_empty() || !default.is_empty() || *required || O::DEPENDENT.is_some();
    registers.is_empty() && !has_more
}

/// Builds the places of operands.
#[must_use]
pub const fn op_places<I: Isa, const N: usize>(
    rows: Rows<OpPlaceRow>,
    carriers: &[&[Carrier<I>]],
    classes: &[&[&ClassFacts<I>]],
) -> [OpPlace; N] {
    let (mut out, mut i) = ([OpPlace::NONE; N], 0);
    while i < N {
        let OpPlaceRow { component, carrier, case } = rows.get(i);
        let placing = classes[component as usize][carrier as usize].placing;
        let case = case as usize;
        out[i] = OpPlace {
            registers: if case < placing.registers.len() { placing.registers[case].1 } else { &[] },
            placing,
            rest: carriers[component as usize][carrier as usize].bits.rest,
        };
        i += 1;
    }
    out
}

/// Builds the steps of operands. `of` has the index in `rows` of each.
#[must_use]
pub const fn op_steps<const N: usize, const D: usize>(
    rows: &[OpStepRow; D],
    of: &[u16; N],
    places: &'static [OpPlace],
) -> [OpStep; N] {
    let (mut distinct, mut i) = ([OpStep::NONE; D], 0);
    while i < D {
        let row = rows[i];
        distinct[i] = OpStep { place: &places[row.place as usize], row };
        i += 1;
    }
    let mut out = [OpStep::NONE; N];
    fill_in_chunks!(out, OpStep::NONE, fill(of, &distinct));
    out
}

/// Builds the steps of operands on the fast path. `of` has the index in `rows` of each.
#[must_use]
pub const fn fast_steps<const N: usize, const D: usize>(
    rows: &[FastStepRow; D],
    of: &[u16; N],
    places: &'static [OpPlace],
) -> [FastStep; N] {
    let (mut distinct, mut i) = ([FastStep::NONE; D], 0);
    while i < D {
        let row = &rows[i];
        distinct[i] = FastStep::new(row, places[row.place as usize].registers);
        i += 1;
    }
    let mut out = [FastStep::NONE; N];
    fill(&mut out, 0, of, &distinct);
    out
}

/// Builds the steps of modifiers. `of` has the index in `rows` of each.
#[must_use]
pub const fn modifier_steps<I: Isa, const N: usize, const D: usize>(
    rows: &[ModifierStepRow; D],
    of: &[u16; N],
    carriers: &[&[Carrier<I>]],
    modifiers: &[Modifier],
) -> [ModifierStep; N] {
    let (mut distinct, mut i) = ([ModifierStep::NONE; D], 0);
    while i < D {
        let row = rows[i];
        distinct[i] = ModifierStep {
            bits: carriers[row.component as usize][row.carrier as usize].bits,
            mask: if row.modifier == u8::MAX { 0 } else { modifiers[row.modifier as usize].mask() },
            row,
        };
        i += 1;
    }
    let mut out = [ModifierStep::NONE; N];
    fill_in_chunks!(out, ModifierStep::NONE, fill(of, &distinct));
    out
}

/// Builds the steps of modifiers on the fast path. `of` has the index in `rows` of each.
#[must_use]
pub const fn fast_modifiers<const N: usize>(rows: &[FastModifier], of: &[u16; N]) -> [FastModifier; N] {
    let mut out = [FastModifier::ZERO; N];
    fill(&mut out, 0, of, rows);
    out
}

/// Fills a list with the elements of `distinct` whose indices `of` has from `first` on.
const fn fill<T: Copy>(out: &mut [T], first: usize, of: &[u16], distinct: &[T]) {
    let (mut i, count) = (0, out.len());
    while i < count {
        out[i] = distinct[of[first + i] as usize];
        i += 1;
    }
}

/// Builds the first plan of each row. `of` has the index in `plans` of each.
#[must_use]
pub const fn fast_plans<const N: usize>(plans: &[FastPlan], of: &[u16; N], rows: &[RowPlan; N]) -> [FastPlan; N] {
    let (mut out, mut i) = ([FastPlan::ZERO; N], 0);
    while i < N {
        out[i] = plans[of[i] as usize];
        out[i].words |= rows[i].opcode;
        i += 1;
    }
    out
}

/// Returns the terms that other fields add to the number of registers, for each of a component's carriers.
#[must_use]
pub const fn sums<I: Isa, const N: usize>(
    carriers: &[Carrier<I>; N],
    classes: &[&ClassFacts<I>; N],
) -> [[Term; CountSum::MOST]; N] {
    let mut out = [[Term::NONE; CountSum::MOST]; N];
    let mut i = 0;
    while i < N {
        if let Count::Sum(CountSum { terms, .. }) = classes[i].placing.count {
            let (mut nth, mut other) = (0, 0);
            while nth < terms.len() {
                if other < N && !same(carriers[other].name.as_bytes(), terms[nth].name.as_bytes()) {
                    other += 1;
                    continue;
                }
                if other < N {
                    out[i][nth] = Term::new(&carriers[other].bits, terms[nth].code, terms[nth].adds);
                }
                (nth, other) = (nth + 1, 0);
            }
        }
        i += 1;
    }
    out
}
