//! Const functions that build the plans of the fast path.

use isa_schema::{PlanRow, RowPlan, Rows};

use super::{ListFacts, RunFacts};
use crate::inst::plan::Plan;
use crate::inst::plan::fast::{FastPlan, IS_FAST, IS_SECOND, IS_VALID, OTHERS_REQUIRE_MODIFIERS};

/// Returns the first plan of each row, as the fast path needs it. Rows that differ only in their opcode and shape have the same, so that each
/// is built once: `first_rows` has the index of the first row with each, and `distinct_of_rows` for each row the index in `first_rows`.
#[must_use]
pub const fn fast_plans<const N: usize, const K: usize>(
    rows: &[RowPlan; N],
    (first_rows, distinct_of_rows): (&[u16; K], &[u16; N]),
    plans_of_rows: &[u16],
    (plans, plan_rows): (&[Plan], Rows<PlanRow>),
    lists: &[ListFacts],
    modifiers: &[RunFacts],
) -> [FastPlan; N] {
    let (mut known, mut out) = ([FastPlan::NONE; K], [FastPlan::NONE; N]);
    let mut i = 0;
    while i < K {
        let row = &rows[first_rows[i] as usize];
        let mut plan = FastPlan::NONE;
        plan.format = row.format + 1;
        plan.component = row.component_number;
        if row.component != 0 {
            plan.flags = IS_SECOND;
        } else if row.variant_modifier == u8::MAX && !row.is_modal {
            fill_fast_plan(&mut plan, row, plans_of_rows, (plans, plan_rows), lists, modifiers);
        }
        known[i] = plan;
        i += 1;
    }
    let mut i = 0;
    while i < N {
        out[i] = known[distinct_of_rows[i] as usize];
        out[i].words |= rows[i].opcode;
        i += 1;
    }
    out
}

/// Fills the first plan of a row, as the fast path needs it, without the opcode.
const fn fill_fast_plan(
    out: &mut FastPlan,
    row: &RowPlan,
    of_rows: &[u16],
    (plans, plan_rows): (&[Plan], Rows<PlanRow>),
    lists: &[ListFacts],
    modifiers: &[RunFacts],
) {
    let (mut first, mut suffix_dword, mut requires) = (0, 0, true);
    let mut i = 0;
    while i < row.plans.len {
        let at = of_rows[row.plans.start as usize + i as usize] as usize;
        if at != 0 && first == 0 {
            (first, suffix_dword) = (at, i);
        } else if at != 0 {
            let required = plans[at - 1].required;
            out.others |= required;
            requires = requires && required != 0;
        }
        i += 1;
    }
    if first == 0 {
        return;
    }
    let (plan, list) = (&plans[first - 1], &lists[plan_rows.get(first - 1).list as usize]);
    let is_known = plan.required == 0 && !plan.has_list && plan.selector.modifier == u8::MAX && plan.words.third == 0;
    if !is_known || list.depends_otherwise {
        return;
    }
    out.flags = IS_FAST;
    if requires {
        out.flags |= OTHERS_REQUIRE_MODIFIERS;
    }
    if RunFacts::of(modifiers, plan.modifier_steps).are_defaults_valid {
        out.flags |= IS_VALID;
    }
    out.words = plan.words.low;
    out.modifiers = plan.modifiers;
    out.suffix_dword = suffix_dword + 1;
    (out.steps, out.modifier_steps) = (plan.steps, plan.modifier_steps);
    (out.len, out.literal, out.explicit, out.sums) = (plan.len, plan.literal, plan.explicit, list.sums);
}
