//! Const functions that build the steps of modifiers.

use super::place_facts::{NO_CARRIER, PlaceFact};
use super::source::List;
use super::{NO_MODE, Source, first_case, sign};
use crate::Type;
use crate::inst::placing::{BitOf, HalfPlace};
use crate::inst::plan::fast::{FastModifier, fast_modifier};
use crate::inst::plan::{ModifierStep, Range, ones};
use crate::tables::{Bound, EncodingVariant, Run};

/// Where the steps of the modifiers of each list begin. Lists with equal steps share them: RDNA3 has 961 lists with 5,160 modifiers,
/// and 836 steps.
pub struct ModifierRuns<const L: usize> {
    /// The index of the first step of each list.
    pub(super) starts: [u16; L],
    /// The number of steps.
    pub count: usize,
}

/// The modifiers of a form.
#[derive(Clone, Copy)]
pub(super) struct FormModifiers {
    component: u16,
    /// Where they are among the bounds of all forms.
    run: Run,
    /// Those whose codes the decoder does not check, a bit each.
    pub(super) unchecked: u32,
}

impl FormModifiers {
    /// Those of no form.
    pub(super) const NONE: FormModifiers = FormModifiers { component: u16::MAX, run: Run::NONE, unchecked: 0 };

    /// Returns the modifiers of a form.
    pub(super) const fn new(component: u16, form: &EncodingVariant) -> Self {
        // `checked` has a bit for each of the first 32 operands and modifiers.
        let unchecked = match (!form.checked).checked_shr(form.operands.len as u32) {
            Some(bits) => bits & ones(form.modifiers.len),
            None => 0,
        };
        FormModifiers { component, run: form.modifiers, unchecked }
    }

    /// Returns whether two forms have the same modifiers.
    pub(super) const fn equals(self, other: FormModifiers) -> bool {
        self.component == other.component
            && self.run.start == other.run.start
            && self.run.len == other.run.len
            && self.unchecked == other.unchecked
    }
}

/// What the steps of a list's modifiers depend on.
#[derive(Clone, Copy)]
struct Key {
    modifiers: FormModifiers,
    /// The flags of the rows.
    flags: u128,
    claimed: Claimed,
}

impl Key {
    const NONE: Key = Key { modifiers: FormModifiers::NONE, flags: 0, claimed: Claimed::NONE };

    /// Returns the key of a list.
    const fn new(source: &Source<'_>, &List { component, facts, form, flags, .. }: &List<'_>) -> Key {
        let claimed = claimed_by_operands(source, facts, form, flags);
        Key { modifiers: FormModifiers::new(component, form), flags, claimed }
    }

    /// Returns whether two lists have equal steps, which depend on these flags of rows.
    const fn equals(&self, other: &Key, relevant_flags: u128) -> bool {
        self.modifiers.equals(other.modifiers)
            && (self.flags ^ other.flags) & relevant_flags == 0
            && self.claimed.equals(&other.claimed)
    }
}

/// Returns the flags of rows on which the steps of a list's modifiers depend.
const fn relevant_flags(source: &Source<'_>, List { facts, form, .. }: &List<'_>) -> u128 {
    let (mut relevant, mut at) = (0, form.operands.len);
    while at < form.count() {
        relevant |= facts[source.bound(form, at).carrier as usize].flags;
        at += 1;
    }
    relevant
}

/// How many buckets the lists are put in while equal ones are looked for.
const BUCKETS: usize = 64;

/// Assigns steps to the modifiers of all lists.
#[must_use]
pub const fn modifier_runs<const L: usize>(source: &Source<'_>) -> ModifierRuns<L> {
    let mut out = ModifierRuns { starts: [0; L], count: 0 };
    // The lists with steps of their own: the latest of each bucket as an index plus one, and the one before each.
    let (mut latest, mut before) = ([0u16; BUCKETS], [0u16; L]);
    // Of these lists, what their steps depend on.
    let (mut keys, mut relevant) = ([Key::NONE; L], [0; L]);
    let mut nth = 0;
    while nth < L {
        let list = source.list(nth);
        let key = Key::new(source, &list);
        let bucket = (list.form.modifiers.start as usize + list.component as usize) % BUCKETS;
        let mut other = latest[bucket] as usize;
        while other > 0 && !key.equals(&keys[other - 1], relevant[other - 1]) {
            other = before[other - 1] as usize;
        }
        if other > 0 {
            out.starts[nth] = out.starts[other - 1];
        } else {
            out.starts[nth] = out.count as u16;
            out.count += list.form.modifiers.len as usize;
            (keys[nth], relevant[nth]) = (key, relevant_flags(source, &list));
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

/// Builds the steps of all modifiers.
#[must_use]
pub const fn modifier_steps<const N: usize, const L: usize>(
    source: &Source<'_>,
    runs: &ModifierRuns<L>,
) -> [ModifierStep; N] {
    let mut out = [NO_MODIFIER_STEP; N];
    let (mut nth, mut to) = (0, 0);
    while nth < L {
        // The other lists share steps of one before.
        if runs.starts[nth] as usize == to {
            let List { component, facts, form, flags, .. } = source.list(nth);
            let Claimed { ids, halves } = claimed_by_operands(source, facts, form, flags);
            let FormModifiers { unchecked, .. } = FormModifiers::new(component, form);
            let mut at = 0;
            while at < form.modifiers.len {
                let Bound { carrier, ty, .. } = *source.bound(form, form.operands.len + at);
                let fact = &facts[carrier as usize];
                let is_claimed = ids[fact.id as usize >> 7] >> (fact.id & 127) & 1 == 1;
                let is_unchecked = at < 32 && unchecked >> at & 1 == 1;
                let step = modifier_step(source, fact, ty, flags, is_claimed, is_unchecked);
                let half_bits = if halves.0 == fact.id { halves.1 } else { 0 };
                out[to] = ModifierStep { half_bits, ..step };
                (at, to) = (at + 1, to + 1);
            }
        }
        nth += 1;
    }
    out
}

/// Returns the steps of modifiers on the fast path.
#[must_use]
pub const fn fast_modifiers<const N: usize>(source: &Source<'_>, steps: &[ModifierStep; N]) -> [FastModifier; N] {
    let mut out = [FastModifier::NONE; N];
    let mut i = 0;
    while i < N {
        out[i] = fast_modifier(source, &steps[i]);
        i += 1;
    }
    out
}

/// The step of no modifier.
const NO_MODIFIER_STEP: ModifierStep = ModifierStep {
    range: Range::NONE,
    mask: 0,
    modifier: u8::MAX,
    is_required: false,
    is_default_valid: false,
    is_open: false,
    default: 0,
    half_bits: 0,
};

/// Returns the step of a modifier, without `half_bits`.
const fn modifier_step(
    source: &Source<'_>,
    fact: &PlaceFact,
    ty: Type,
    flags: u128,
    is_claimed: bool,
    is_unchecked: bool,
) -> ModifierStep {
    let modifier = if is_claimed || fact.selects { u8::MAX } else { fact.modifier };
    let default = first_case!(fact.placing.default, ty, flags, 0);
    let codes = fact.valid_codes.of_any_mode(ty, flags);
    let is_open = is_unchecked || codes.covers(0, ones(fact.range.bits() as u8));
    ModifierStep {
        is_open,
        is_default_valid: is_open || codes.covers(default, default),
        range: fact.range,
        mask: if modifier == u8::MAX { 0 } else { source.modifiers[modifier as usize].mask() },
        modifier,
        is_required: fact.placing.required,
        default,
        half_bits: 0,
    }
}

/// The modifiers of a form that operands claim.
#[derive(Clone, Copy)]
struct Claimed {
    /// The ids of the modifiers that operands set, a bit each.
    ids: [u128; 2],
    /// The id of the modifier that has the halves of registers, and its bits that are such halves.
    halves: (u8, u32),
}

impl Claimed {
    const NONE: Claimed = Claimed { ids: [0; 2], halves: (NO_CARRIER, 0) };

    const fn equals(&self, other: &Claimed) -> bool {
        self.ids[0] == other.ids[0]
            && self.ids[1] == other.ids[1]
            && self.halves.0 == other.halves.0
            && self.halves.1 == other.halves.1
    }
}

/// Returns the modifiers that the operands of a form claim, in a row with these flags.
const fn claimed_by_operands(source: &Source<'_>, facts: &[PlaceFact], form: &EncodingVariant, flags: u128) -> Claimed {
    let mut claimed = Claimed::NONE;
    let mut at = 0;
    while at < form.operands.len {
        let Bound { carrier, ty, .. } = *source.bound(form, at);
        at += 1;
        let PlaceFact { placing, claims, has_claims, .. } = &facts[carrier as usize];
        if !*has_claims {
            continue;
        }
        let (neg, _) = sign(placing.neg, claims.neg, ty, flags);
        let (abs, _) = sign(placing.abs, claims.abs, ty, flags);
        let [a, b, c, d] = claims.list;
        let ids = [neg, abs, claims.present, claims.number, a, b, c, d];
        let mut i = 0;
        while i < ids.len() {
            if ids[i] != NO_CARRIER {
                claimed.ids[ids[i] as usize >> 7] |= 1 << (ids[i] & 127);
            }
            i += 1;
        }
        if let HalfPlace::Modifier(BitOf { bit, .. }) = placing.half
            && ty.total_bits() == 16
            && claims.half != NO_CARRIER
        {
            claimed.halves = (claims.half, claimed.halves.1 | 1 << bit);
        }
    }
    claimed
}
