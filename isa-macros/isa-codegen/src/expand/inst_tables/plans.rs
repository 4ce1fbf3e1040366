//! Plans: a row in one format with one suffix dword, and its first plan as the fast path needs it.

use isa_body::Type;
use isa_schema::{
    FastModifier, FastPlan, FastStepRow, FixedBits, Index, ModifierStepRow, OpStepRow, Plan, RowPlan, Run,
};

use super::super::modifiers::{Modifiers, NONE};
use super::super::variant_tables::run;
use super::fast_steps::fast_modifier;
use super::operand_steps::{ListOperands, OperandBases, OperandSteps};
use super::places::{ModifierBits, Places, first_case};
use super::{FormatFacts, PlaceList, PlanKey, SelectingCode};
use crate::ast::Access;
use crate::interner::{Interner, SliceInterner};
use crate::lists::entry;
use crate::model::BoundOperand;
use crate::operand_tables::valid_codes::{OperandContext, highest_code};

/// The operands and modifiers of a variant, in rows with some flags.
pub(super) struct ListPlan {
    operands: ListOperands,
    /// The steps of operands.
    steps: Run,
    modifiers: ListModifiers,
    /// The steps of modifiers.
    modifier_steps: Run,
    /// The modifier that chooses the second code which selects a suffix dword, or [`NONE`].
    selector_flag: u8,
}

/// The facts about the modifiers of a list.
struct ListModifiers {
    steps: Vec<(ModifierStepRow, FastModifier)>,
    /// Those that operands do not set: the bits of `isa::Inst` that hold them.
    all: u64,
    /// Those that must be stated.
    required: u64,
    /// The defaults.
    words: FixedBits,
    /// Whether the decoder accepts all defaults.
    are_defaults_valid: bool,
}

/// The steps of all lists.
#[derive(Default)]
pub(super) struct Steps {
    bases: OperandBases,
    /// The modifiers that have been computed, by the component, the operand, its type and the row's flags.
    known_modifiers: Vec<((usize, usize, Type, u128), ModifierStepRow)>,
    /// The steps of operands.
    pub(super) operands: Interner<OpStepRow>,
    /// Their steps on the fast path.
    pub(super) fast: Interner<FastStepRow>,
    /// The indices of both, for the operands of all lists.
    pub(super) of_operands: SliceInterner<(u16, u16)>,
    /// The steps of modifiers.
    pub(super) modifiers: Interner<ModifierStepRow>,
    /// Their steps on the fast path.
    pub(super) fast_modifiers: Interner<FastModifier>,
    /// The indices of both, for the modifiers of all lists.
    pub(super) of_modifiers: SliceInterner<(u16, u16)>,
}

impl Steps {
    /// Adds the steps of a list.
    pub(super) fn add(
        &mut self,
        places: &mut Places,
        modifiers: &Modifiers,
        list: &PlaceList,
        bound: &[BoundOperand],
    ) -> ListPlan {
        let (component, flags) = (list.component, list.flags);
        let count = bound.iter().take_while(|bound| bound.access != Access::Modifier).count();
        let (of_operands, of_modifiers) = bound.split_at(count);
        let step = |bound: &BoundOperand| {
            let key = (component, bound.operand, bound.ty, flags);
            *entry(&mut self.known_modifiers, key, || modifier_step(places, component, bound, flags))
        };
        let modifier_steps: Vec<ModifierStepRow> = of_modifiers.iter().map(step).collect();
        let bits = ModifierBits::new(places, component, &modifier_steps);
        let operands = ListOperands::new(places, &mut self.bases, component, of_operands, &bits, flags);
        let indices = operands
            .steps
            .iter()
            .map(|OperandSteps { step, fast }| (self.operands.intern(step) as u16, self.fast.intern(fast) as u16));
        let steps = run(self.of_operands.intern(indices.collect()));
        let modifiers = ListModifiers::new(places, modifiers, component, modifier_steps, &operands);
        let indices = modifiers
            .steps
            .iter()
            .map(|(step, fast)| (self.modifiers.intern(step) as u16, self.fast_modifiers.intern(fast) as u16));
        let modifier_steps = run(self.of_modifiers.intern(indices.collect()));
        ListPlan { operands, steps, modifiers, modifier_steps, selector_flag: bits.selector_flag }
    }
}

impl ListModifiers {
    /// Returns the steps of the modifiers of a component, which are `steps` where operands do not set them.
    fn new(
        places: &Places,
        modifiers: &Modifiers,
        component: usize,
        steps: Vec<ModifierStepRow>,
        operands: &ListOperands,
    ) -> Self {
        let mut list =
            ListModifiers { steps: Vec::new(), all: 0, required: 0, words: FixedBits::NONE, are_defaults_valid: true };
        for mut step in steps {
            let place = &places.of(component)[usize::from(step.carrier)];
            if operands.halves.modifier == place.modifier {
                step.half_bits = operands.half_bits;
            }
            if step.modifier != NONE && operands.claimed >> step.modifier & 1 == 1 {
                step.modifier = NONE;
            }
            list.are_defaults_valid &= step.is_default_valid;
            if step.modifier != NONE {
                let modifier = modifiers.get(step.modifier);
                list.all |= modifier.placed_mask();
                list.required |= if step.is_required { modifier.presence() } else { 0 };
                list.words.set(place.bits, step.default.into());
            }
            list.steps.push((step, fast_modifier(&step, place, modifiers)));
        }
        list
    }
}

/// Returns the step of a modifier of a component that operands do not set, in a row with these flags.
fn modifier_step(places: &Places, component: usize, bound: &BoundOperand, flags: u128) -> ModifierStepRow {
    let flags = places.flags(flags);
    let has_flag = |name: &str| flags.contains(&name);
    let context = OperandContext { ty: bound.ty, has_flag: &has_flag, mode: None };
    let place = &places.of(component)[bound.operand];
    let class = places.class(place);
    let (codes, width) = (class.codes.of(&context), place.bits.iter().map(|range| range.width).sum());
    let covers = |first: u32, last: u32| codes.is_some_and(|codes| codes.covers(first, last));
    let default = first_case(&class.placing.default, &context).unwrap_or(0);
    let is_open = width == 0 || covers(0, highest_code(width));
    ModifierStepRow {
        component: place.component,
        carrier: place.carrier,
        modifier: place.modifier,
        is_required: class.placing.is_required,
        is_default_valid: is_open || covers(default, default),
        is_open,
        is_signed: class.placing.number.as_ref().is_some_and(|number| number.low < 0),
        default,
        half_bits: 0,
    }
}

/// Returns the plan of a list in a format. `fixed` are the bits that encoders write in the variant.
pub(super) fn plan(
    key: &PlanKey,
    (list, steps): (&PlaceList, &ListPlan),
    format: &FormatFacts,
    fixed: &FixedBits,
    modifiers: &Modifiers,
) -> Plan {
    let ListPlan { operands, modifiers: list_modifiers, .. } = steps;
    let is_literal = key.suffix_dword.is_none() || key.suffix_dword == format.literal;
    let is_selected = key.suffix_dword.is_some() && !key.is_always;
    let words = |dword: usize| {
        format.fixed.value[dword] & !fixed.mask[dword] | fixed.value[dword] | list_modifiers.words.value[dword]
    };
    let mut plan = Plan {
        low: u64::from(words(0)) | u64::from(words(1)) << 32,
        third: words(2),
        modifiers: list_modifiers.all,
        required: list_modifiers.required,
        steps: steps.steps,
        modifier_steps: steps.modifier_steps,
        variant: list.variant,
        explicit: operands.explicit,
        len: format.dwords + u8::from(key.suffix_dword.is_some()),
        literal: if format.literal.is_some() && is_literal { format.dwords } else { 0 },
        literal_suffix_dword: Index::to_number(format.literal) as u8,
        // The registers of a list are in a suffix dword, or in the format if it has none.
        has_list: operands.has_list && (is_selected || format.suffix_dwords.is_empty()),
        is_dependent: operands.is_dependent,
        selector: NONE,
        selector_lo: 0,
        selector_difference: 0,
    };
    let selecting = key.suffix_dword.filter(|_| is_selected).and_then(|index| format.suffix_dwords[index.get()]);
    if let Some(SelectingCode { lo, code, other }) = selecting {
        match lo.checked_sub(64) {
            None => plan.low |= u64::from(code) << lo,
            Some(lo) => plan.third |= u32::from(code) << lo,
        }
        if other != code && steps.selector_flag != NONE {
            (plan.selector, plan.selector_lo, plan.selector_difference) = (steps.selector_flag, lo, code ^ other);
            plan.modifiers |= modifiers.get(steps.selector_flag).placed_mask();
        }
    }
    plan
}

/// Returns the first plan of a row as the fast path needs it, without the opcode. `plans` has the plans of the row, each with the steps
/// of its list; `None` for a suffix dword that the row cannot have.
pub(super) fn fast_plan(row: &RowPlan, plans: &[Option<(&Plan, &ListPlan)>]) -> FastPlan {
    let mut fast = FastPlan { format: row.format + 1, component: row.component_number, ..FastPlan::ZERO };
    if row.component != 0 {
        fast.flags = FastPlan::IS_SECOND;
        return fast;
    }
    let mut existing = (1..).zip(plans).filter_map(|(suffix_dword, plan)| Some((suffix_dword, (*plan)?)));
    let Some((suffix_dword, (plan, list))) = existing.next() else { return fast };
    if row.variant_modifier != NONE || row.is_modal {
        return fast;
    }
    let (mut others, mut require_modifiers) = (0, true);
    for (_, (other, _)) in existing {
        others |= other.required;
        require_modifiers &= other.required != 0;
    }
    fast.others = others;
    let is_known = plan.required == 0 && !plan.has_list && plan.selector == NONE && plan.third == 0;
    if !is_known || list.operands.depends_otherwise {
        return fast;
    }
    fast.flags = FastPlan::IS_FAST
        | if require_modifiers { FastPlan::OTHERS_REQUIRE_MODIFIERS } else { 0 }
        | if list.modifiers.are_defaults_valid { FastPlan::IS_VALID } else { 0 };
    FastPlan {
        words: plan.low,
        modifiers: plan.modifiers,
        suffix_dword,
        steps: plan.steps,
        modifier_steps: plan.modifier_steps,
        len: plan.len,
        literal: plan.literal,
        explicit: plan.explicit,
        sums: list.operands.sums,
        ..fast
    }
}
