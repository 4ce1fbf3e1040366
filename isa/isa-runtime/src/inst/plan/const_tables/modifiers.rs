//! Const functions that build the steps of modifiers.

use isa_schema::PlaceList;

use super::memo::Known;
use super::place_facts::PlaceFact;
use super::{ListFacts, NO_MODE, PlanSource, first_case};
use crate::Type;
use crate::dwords::Bits96;
use crate::inst::plan::fast::{FastModifier, fast_modifier};
use crate::inst::plan::{FieldBits, ModifierStep, ones};
use crate::tables::{Bound, Run};

/// Where the steps of the modifiers of each list begin. Lists with equal steps share them: the 1,090 lists of RDNA3 have 773 steps.
pub struct ModifierRuns<const L: usize> {
    /// The index of the first step of each list.
    pub starts: [u16; L],
    /// The number of steps.
    pub count: usize,
}

/// How many buckets the lists are put in while equal ones are looked for.
const BUCKETS: usize = 64;

/// Assigns steps to the modifiers of all lists.
#[must_use]
pub const fn modifier_runs<const L: usize>(lists: &[ListFacts; L]) -> ModifierRuns<L> {
    let mut out = ModifierRuns { starts: [0; L], count: 0 };
    // The lists that have their own steps: the latest of each bucket as an index plus one, and the one before each.
    let (mut latest, mut before) = ([0u16; BUCKETS], [0u16; L]);
    let mut nth = 0;
    while nth < L {
        let list = &lists[nth];
        let bucket = (list.modifiers ^ list.modifiers >> 16) as usize % BUCKETS;
        let mut at = latest[bucket] as usize;
        while at > 0 {
            let other = &lists[at - 1];
            if other.modifiers == list.modifiers
                && other.claimed == list.claimed
                && other.halves.0 == list.halves.0
                && other.halves.1 == list.halves.1
                && (other.row_flags ^ list.row_flags) & list.flags_of_modifiers == 0
            {
                break;
            }
            at = before[at - 1] as usize;
        }
        if at > 0 {
            out.starts[nth] = out.starts[at - 1];
        } else {
            out.starts[nth] = out.count as u16;
            out.count += (list.modifiers >> 32) as usize;
            (before[nth], latest[bucket]) = (latest[bucket], nth as u16 + 1);
        }
        nth += 1;
    }
    assert!(
        out.count <= u16::MAX as usize,
        "the set is too large for its tables, which have 16-bit indices: split it into two sets"
    );
    out
}

/// The steps of all modifiers.
pub struct ModifierTables<const N: usize> {
    /// The steps.
    pub steps: [ModifierStep; N],
    /// The steps on the fast path.
    pub fast: [FastModifier; N],
    /// The facts about the modifiers of a list, at the index of its first step.
    pub runs: [RunFacts; N],
}

/// The facts about the modifiers of a list.
#[derive(Clone, Copy)]
pub struct RunFacts {
    /// Those that operands do not set.
    pub(super) all: u64,
    /// Those that must be stated.
    pub(super) required: u64,
    /// The defaults.
    pub(super) words: Bits96,
    /// Whether the decoder accepts all defaults.
    pub(in crate::inst::plan) are_defaults_valid: bool,
}

impl RunFacts {
    /// Those of no modifiers.
    const NONE: RunFacts = RunFacts { all: 0, required: 0, words: Bits96::ZERO, are_defaults_valid: true };

    /// Returns the facts about the modifiers with these steps.
    pub(in crate::inst::plan) const fn of(all: &[RunFacts], run: Run) -> &RunFacts {
        // No modifiers begin where the next ones do.
        if run.len == 0 { &RunFacts::NONE } else { &all[run.start as usize] }
    }

    /// Adds a modifier.
    const fn add(&mut self, source: &PlanSource<'_>, step: &ModifierStep) {
        self.are_defaults_valid &= step.is_default_valid;
        if step.modifier == u8::MAX {
            return;
        }
        self.all |= step.mask;
        if step.is_required {
            let modifier = &source.modifiers[step.modifier as usize];
            self.required |= modifier.presence() << modifier.lo;
        }
        if step.default != 0 {
            step.bits.put(&mut self.words, step.default);
        }
    }
}

/// Builds the steps of all modifiers. `_distinct` tells the number of distinct bounds of the source.
#[must_use]
pub const fn modifier_tables<const N: usize, const L: usize, const D: usize>(
    source: &PlanSource<'_>,
    starts: &[u16; L],
    lists: &[ListFacts; L],
    _distinct: &[Bound; D],
) -> ModifierTables<N> {
    let mut out =
        ModifierTables { steps: [NO_MODIFIER_STEP; N], fast: [FastModifier::NONE; N], runs: [RunFacts::NONE; N] };
    // The latest step of each bound, and the steps before operands set modifiers.
    let (mut known, mut computed) = ([Known::NONE; D], [(NO_MODIFIER_STEP, FastModifier::NONE); N]);
    let (mut nth, mut to) = (0, 0);
    while nth < L {
        // The other lists share steps of one before.
        if starts[nth] as usize == to {
            let (PlaceList { component, variant, flags }, list) = (source.lists.get(nth), &lists[nth]);
            let run = source.variants[variant as usize].modifiers;
            let (mut at, mut facts) = (run.start, RunFacts::NONE);
            while at < run.start + run.len as u16 {
                let index = source.bounds.all[at as usize];
                if !known[index as usize].holds(source, component, flags) {
                    let (place, modifier, bound) = source.place(component, index);
                    known[index as usize] =
                        Known { component: component as u16, flags, index: to as u16, relevant: place.flags };
                    let step = modifier_step(source, place, bound.ty, source.flags[flags as usize], modifier);
                    computed[to] = (step, fast_modifier(source, &step));
                }
                let (mut step, fast) = computed[known[index as usize].index as usize];
                if list.halves.0 == step.modifier {
                    step.half_bits = list.halves.1;
                }
                if step.modifier != u8::MAX && list.claimed >> step.modifier & 1 == 1 {
                    (step.modifier, step.mask) = (u8::MAX, 0);
                } else {
                    out.fast[to] = fast;
                }
                out.steps[to] = step;
                facts.add(source, &step);
                (at, to) = (at + 1, to + 1);
            }
            if run.len > 0 {
                out.runs[starts[nth] as usize] = facts;
            }
        }
        nth += 1;
    }
    out
}

/// The step of no modifier.
const NO_MODIFIER_STEP: ModifierStep = ModifierStep {
    bits: FieldBits::NONE,
    mask: 0,
    modifier: u8::MAX,
    is_required: false,
    is_default_valid: false,
    is_open: false,
    is_signed: false,
    default: 0,
    half_bits: 0,
};

/// Returns the step of a modifier that operands do not set.
const fn modifier_step(
    source: &PlanSource<'_>,
    place: &PlaceFact,
    ty: Type,
    flags: u128,
    modifier: u8,
) -> ModifierStep {
    let default = first_case!(place.placing.default, ty, flags, 0);
    let codes = place.valid_codes.of_any_mode(ty, flags);
    let is_open = place.is_unchecked || codes.covers(0, ones(place.bits.width() as u8));
    ModifierStep {
        is_open,
        is_default_valid: is_open || codes.covers(default, default),
        bits: place.bits,
        mask: if modifier == u8::MAX { 0 } else { source.modifiers[modifier as usize].mask() },
        modifier,
        is_signed: matches!(place.placing.number, Some(number) if number.low < 0),
        is_required: place.placing.required,
        default,
        half_bits: 0,
    }
}
