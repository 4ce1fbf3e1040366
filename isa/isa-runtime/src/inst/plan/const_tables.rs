//! Const functions that build plans from the lists of the macro and the placings of operand classes.

mod fast_plans;
mod memo;
mod modifiers;
mod operands;
mod place_facts;
mod source;

use isa_schema::{PlaceList, PlanRow, Rows, SelectingCode};

use super::{NO_BIT, Plan, SelectorChoice};
use crate::dwords::Bits96;
use crate::tables::{FixedBits, Run};
pub use fast_plans::fast_plans;
pub use modifiers::{ModifierRuns, ModifierTables, RunFacts, modifier_runs, modifier_tables};
pub use operands::{ListFacts, OpTables, op_tables, used};
pub use place_facts::{PlaceFact, op_place_count, op_places, places, sums};
pub use source::{FormatFact, PlanSource};

/// Evaluates to the value of the first case that holds for an operand of a type in a row with these flags, otherwise to a
/// default. Cases of the mode never hold.
///
/// A macro, since const evaluation of generic functions is slow.
macro_rules! first_case {
    ($cases:expr, $ty:expr, $flags:expr, $default:expr) => {{
        let (mut value, mut i, len) = ($default, 0, $cases.len());
        while i < len {
            if $cases[i].0.holds($ty, $flags, NO_MODE) {
                value = $cases[i].1;
                break;
            }
            i += 1;
        }
        value
    }};
}
use first_case;

/// The index of no mode.
const NO_MODE: u8 = u8::MAX;

/// Builds the plans.
#[must_use]
pub const fn plans<const N: usize, const L: usize>(
    rows: Rows<PlanRow>,
    source: &PlanSource<'_>,
    lists: &[ListFacts; L],
    starts: &[u16; L],
    modifiers: &[RunFacts],
) -> [Plan; N] {
    let (mut all_rows, mut place_lists) = ([PlanRow::ZERO; N], [PlaceList::ZERO; L]);
    rows.unpack(&mut all_rows);
    source.lists.unpack(&mut place_lists);
    let mut out = [Plan::NONE; N];
    let mut i = 0;
    while i < N {
        let PlanRow { list, suffix_dword, is_always } = all_rows[i];
        let list = list as usize;
        let PlaceList { component, variant: variant_index, .. } = place_lists[list];
        let format = &source.formats[component as usize];
        let variant = &source.variants[variant_index as usize];
        let modifier_steps = Run { start: starts[list], len: variant.modifiers.len };
        let (list, modifiers) = (&lists[list], RunFacts::of(modifiers, modifier_steps));
        let FixedBits { mask, value } = &source.fixed[variant.fixed as usize].written;
        let base = &format.fixed.value;
        // One match in place of calls of `Option`'s functions, each of which costs const evaluation microseconds.
        let (has_suffix_dword, is_literal) = match suffix_dword {
            Some(index) => (true, index.get() + 1 == format.literal as usize),
            None => (false, true),
        };
        let takes_literal = format.literal != 0 && is_literal;
        let is_selected = has_suffix_dword && !is_always;
        out[i] = Plan {
            words: Bits96 {
                low: (base[0] & !mask[0] | value[0]) as u64
                    | ((base[1] & !mask[1] | value[1]) as u64) << 32
                    | modifiers.words.low,
                third: base[2] & !mask[2] | value[2] | modifiers.words.third,
            },
            modifiers: modifiers.all,
            required: modifiers.required,
            steps: list.steps,
            modifier_steps,
            variant: variant_index,
            explicit: list.explicit,
            len: format.dwords + has_suffix_dword as u8,
            literal: if takes_literal { format.dwords } else { 0 },
            literal_suffix_dword: format.literal,
            // The registers of a list are in a suffix dword, or in the format if it has none.
            has_list: list.has_list && (is_selected || format.suffix_dwords.len() == 0),
            is_dependent: list.is_dependent,
            selector: Plan::NONE.selector,
        };
        if let Some(suffix_dword) = suffix_dword
            && is_selected
        {
            select(&mut out[i], source, format.suffix_dwords.get(suffix_dword.get()), list.selector_flag);
        }
        i += 1;
    }
    out
}

/// Sets the code of a field that selects the suffix dword of a plan.
const fn select(plan: &mut Plan, source: &PlanSource<'_>, selecting: SelectingCode, flag: u8) {
    let SelectingCode { lo, code, other } = selecting;
    if lo == 255 {
        return;
    }
    plan.words.put(lo, code as u32);
    if other != code && flag != u8::MAX {
        plan.selector = SelectorChoice { modifier: flag, lo, difference: code ^ other };
        plan.modifiers |= source.modifiers[flag as usize].mask();
    }
}
