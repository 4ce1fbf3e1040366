//! What is listed of forms.

use super::{Fact, bound, by_width, component, slice};
use crate::kind::{Values, width};
use crate::operands::{RowOperand, Visit, VisitStep};
use crate::table::{Access, Bound, Isa, Place};
use crate::{Class, Type};

/// Unpacks the operands that are listed of all forms: its number in its form and the component's as
/// [`line_steps`](super::line_steps) has them, and the operand as [`bounds`](super::bounds) has it.
#[must_use]
pub const fn visit_steps<V: Copy, const N: usize>(
    packed: &[[u32; 2]; N],
    facts: &[&[Fact]],
    values: &[&[Values<V>]],
) -> [VisitStep<V>; N] {
    let ty = Type::new(Class::Bits, 32, 1);
    let (row, except) = (RowOperand { role: "", access: Access::Modifier, ty }, u16::MAX);
    let none = VisitStep { row, values: &[], ones: 0, lo: 0, except, bound: 0, alone: None, literal: None };
    let mut out = [none; N];
    fill_visit_steps(&mut out, packed, facts, values);
    out
}

const fn fill_visit_steps<V: Copy>(
    out: &mut [VisitStep<V>],
    packed: &[[u32; 2]],
    facts: &[&[Fact]],
    values: &[&[Values<V>]],
) {
    let mut i = 0;
    while i < out.len() {
        let [place, operand] = packed[i];
        let Bound { ty, access, carrier } = bound(operand);
        let (at, step) = (component(place), &mut out[i]);
        let (fact, values) = (&facts[at][carrier as usize], &values[at][carrier as usize]);
        (step.row, step.bound) = (RowOperand { role: fact.name, access, ty }, (place >> 16) as u8);
        if let Some(Place { ones, lo }) = fact.place {
            (step.ones, step.lo, step.alone) = (ones, lo, values.alone);
            step.values = by_width(&values.by_width, width(ty));
            if let Some(literal) = values.literal {
                (step.except, step.literal) = (literal.code, Some(literal.make));
            }
        }
        i += 1;
    }
}

/// Unpacks what is listed of all forms: where its steps begin and how many they are, and the rows of which nothing is
/// ready.
#[must_use]
pub const fn visits<I: Isa, const N: usize>(
    packed: &[[u16; 2]; N],
    unless: &[[u128; 3]; N],
    steps: &'static [VisitStep<I::Value>],
) -> [Visit<I::Value>; N] {
    let mut out = [const { Visit { steps: &[], unless: 0 } }; N];
    let mut i = 0;
    while i < N {
        let [from, count] = packed[i];
        out[i] = Visit { steps: slice(steps, from as u32, count as u32), unless: unless[i][1] };
        i += 1;
    }
    out
}
