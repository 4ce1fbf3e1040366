//! Const functions that build the plans of the fast path.

use isa_schema::{PlanRow, Rows};

use super::{ListFacts, RunFacts};
use crate::inst::plan::fast::{FastPlan, IS_FAST, IS_SECOND, IS_VALID, OTHERS_REQUIRE_MODIFIERS};
use crate::inst::plan::{Plan, RowPlan};

/// Returns the first plan of each row, as the fast path needs it. `plan_rows` and `lists` are those of the plans, `modifiers` has the
/// facts about their modifiers.
#[must_use]
pub const fn fast_plans<const N: usize>(
    rows: &[RowPlan; N],
    of_rows: &[u16],
    (plans, plan_rows): (&[Plan], Rows<PlanRow>),
    lists: &[ListFacts],
    modifiers: &[RunFacts],
) -> [FastPlan; N] {
    let mut out = [FastPlan::NONE; N];
    let mut i = 0;
    while i < N {
        let row = &rows[i];
        let mut plan = FastPlan::NONE;
        plan.format = row.format + 1;
        plan.component = row.nth;
        if row.component != 0 {
            plan.flags = IS_SECOND;
        } else if row.variant == u8::MAX && !row.is_modal {
            fill_fast_plan(&mut plan, row, of_rows, (plans, plan_rows), lists, modifiers);
        }
        out[i] = plan;
        i += 1;
    }
    out
}

/// Fills the first plan of a row, as the fast path needs it.
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
    out.words = plan.words.low | row.opcode;
    out.modifiers = plan.modifiers;
    out.suffix_dword = suffix_dword + 1;
    (out.steps, out.modifier_steps) = (plan.steps, plan.modifier_steps);
    (out.len, out.literal, out.explicit, out.sums) = (plan.len, plan.literal, plan.explicit, list.sums);
}
