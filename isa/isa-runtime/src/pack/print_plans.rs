//! Print plans: their steps, and the masks that they share.

use super::{Bounds, Fact, Slices, ty};
use crate::Class;
use crate::print::{BY_MODE, MODIFIER, Mask, Masks, NO_OPERAND, PrintPlan, PrintStep};
use crate::tables::{EncodingVariant, Place};
use crate::text::{Copies, Name, Short};

/// Builds the steps of all print plans. `packed` has the index of the separator, from bit 8 up the operand as in [`PrintStep`],
/// and from bit 16 up an index in `operands`: the component, and the operand in the layout of [`bounds`](super::bounds).
#[must_use]
pub const fn print_steps<const N: usize, const A: usize>(
    packed: &[u32; N],
    operands: &[[u32; 2]; A],
    shorts: &[Short],
    facts: &[&[Fact]],
) -> [PrintStep; N] {
    let none = PrintStep { names: &[], ones: 0, lo: 0, before: Short::new(""), carrier: u8::MAX, bound: NO_OPERAND };
    let mut known = [none; A];
    fill_operands(&mut known, operands, facts);
    let mut out = [none; N];
    fill_print_steps(&mut out, packed, &known, shorts);
    out
}

const fn fill_operands(out: &mut [PrintStep], operands: &[[u32; 2]], facts: &[&[Fact]]) {
    let mut i = 0;
    while i < out.len() {
        let [component, operand] = operands[i];
        let (fact, step) = (&facts[component as usize][operand as u8 as usize], &mut out[i]);
        if let Some(Place { ones, lo }) = fact.place {
            (step.ones, step.lo, step.carrier) = (ones, lo, operand as u8);
            step.names = fact.names.of(ty(operand));
            if matches!(ty(operand).class(), Class::Mask) && !step.names.is_empty() {
                step.lo |= BY_MODE;
            }
            if fact.omits_zero && step.names.is_empty() {
                step.names = &[Name::EMPTY];
            }
        }
        i += 1;
    }
}

const fn fill_print_steps(out: &mut [PrintStep], packed: &[u32], known: &[PrintStep], shorts: &[Short]) {
    let mut i = 0;
    while i < out.len() {
        let (what, step) = (packed[i], &mut out[i]);
        let bound = (what >> 8) as u8;
        if bound == NO_OPERAND {
            step.names = &[Name::EMPTY];
        } else {
            *step = known[(what >> 16) as usize];
        }
        (step.before, step.bound) = (shorts[what as u8 as usize], bound);
        i += 1;
    }
}

/// All print plans, and the masks that they share.
pub struct PrintPlans<const N: usize> {
    /// The print plans.
    pub plans: [PrintPlan; N],
    /// The masks.
    pub masks: Masks,
}

impl Masks {
    /// All bits set: the masks for plans whose own mask has no room.
    const ALL_SET: Masks =
        Masks { omitted: [[u64::MAX; 4]; 128], alters: [[u64::MAX; 4]; 64], unless: [[u64::MAX; 4]; 16] };
}

/// Returns the index of a mask in a list of `known` masks, and adds it if it is new. Returns the last index if there is no room.
const fn intern(list: &mut [Mask], known: &mut usize, mask: Mask) -> u8 {
    let mut at = 0;
    while at < *known {
        let other = &list[at];
        if other[0] == mask[0] && other[1] == mask[1] && other[2] == mask[2] && other[3] == mask[3] {
            return at as u8;
        }
        at += 1;
    }
    if at + 1 < list.len() {
        list[at] = mask;
        *known += 1;
    }
    at as u8
}

/// The facts about all print plans that the macro passes.
pub struct Source<'a> {
    /// For each plan: its first step, the number of its steps, and the index of its trailing modifiers.
    pub packed: &'a [[u16; 3]],
    /// For each list of trailing modifiers: the first step, the number of steps, and the index of the modifiers.
    pub trailing: &'a [[u16; 3]],
    /// The modifiers in the layout of [`forms`](super::forms).
    pub modifiers: &'a [[u16; 3]],
    /// The encoding variants.
    pub forms: &'a [EncodingVariant],
    /// The flags of rows without precomputed texts.
    pub unless: &'a [[u128; 3]],
    /// The operands of the variants.
    pub bounds: &'a Bounds<'a>,
    /// The steps.
    pub steps: &'static [PrintStep],
    /// The facts of all carriers.
    pub facts: &'a [&'a [Fact]],
}

/// The modifiers after the last operand.
#[derive(Clone, Copy)]
struct Trailing {
    /// See [`PrintPlan`].
    always_printed: u8,
    omitted_mask: u8,
    /// The mask at `omitted_mask`.
    mask: Mask,
}

/// Builds all print plans. `T` is the number of lists of trailing modifiers.
#[must_use]
pub const fn print_plans<const N: usize, const T: usize>(source: &Source<'_>) -> PrintPlans<N> {
    let none = PrintPlan {
        special: 0,
        steps: &[],
        modifiers: 0,
        count: 0,
        always_printed: 0,
        omitted_mask: 0,
        alters: 0,
        unless: 0,
        by_mode: false,
    };
    let mut out = PrintPlans { plans: [none; N], masks: Masks::ALL_SET };
    let mut trailing = [Trailing { always_printed: 0, omitted_mask: 0, mask: [0; 4] }; T];
    fill_trailing(&mut trailing, &mut out.masks, source);
    fill_plans(&mut out.plans, &mut out.masks, &trailing, source);
    out
}

const fn fill_trailing(out: &mut [Trailing], masks: &mut Masks, source: &Source<'_>) {
    let mut known = 0;
    let mut i = 0;
    while i < out.len() {
        let [from, count, modifiers] = source.trailing[i];
        let [component, begin, _] = source.modifiers[modifiers as usize];
        let (mut always_printed, mut mask) = (count as u8, [0; 4]);
        while always_printed > 0 {
            let at = source.steps[from as usize + always_printed as usize - 1].bound - MODIFIER;
            let kind = source.bounds.all[begin as usize + at as usize];
            let fact = &source.facts[component as usize][source.bounds.distinct[kind as usize].carrier as usize];
            if !fact.omits_zero {
                break;
            }
            mask[0] |= fact.mask.0;
            mask[1] |= fact.mask.1 as u64;
            always_printed -= 1;
        }
        out[i] = Trailing { always_printed, omitted_mask: intern(&mut masks.omitted, &mut known, mask), mask };
        i += 1;
    }
}

/// The modifiers that change the text of a carrier, for a list of modifiers.
#[derive(Clone, Copy)]
struct Altering {
    /// The list of modifiers and the carrier, plus one.
    of: u32,
    mask: u64,
}

/// The size of the cache of [`Altering`]: a power of two.
const CACHE: usize = 512;

const fn fill_plans(out: &mut [PrintPlan], masks: &mut Masks, trailing: &[Trailing], source: &Source<'_>) {
    let Source { packed, forms, unless, bounds, steps, .. } = *source;
    let mut cache = [Altering { of: 0, mask: 0 }; CACHE];
    let mut known = [0; 2];
    let mut rest = Slices { all: steps, rest: steps, end: 0 };
    let mut i = 0;
    while i < out.len() {
        let [from, count, trail] = packed[i];
        let [more, n_more, modifiers] = source.trailing[trail as usize];
        let (form, trail) = (&forms[i], &trailing[trail as usize]);
        let facts = source.facts[source.modifiers[modifiers as usize][0] as usize];
        let (mut alters, mut by_mode) = ([0; 4], false);
        let mut nth = 0;
        while nth < count as usize {
            let step = &steps[from as usize + nth];
            by_mode |= step.lo & BY_MODE != 0;
            if step.bound < MODIFIER {
                let kind = bounds.all[form.operands.start as usize + step.bound as usize];
                let carrier = bounds.distinct[kind as usize].carrier;
                let by = &facts[carrier as usize].altered_by;
                if by[0] | by[1] != 0 {
                    let of = ((modifiers as u32) << 8 | carrier as u32) + 1;
                    let cached = &mut cache[(of ^ of >> 5) as usize % CACHE];
                    if cached.of != of {
                        *cached = Altering { of, mask: altering(by, form, bounds, facts) };
                    }
                    alters[nth & 3] |= cached.mask;
                }
            }
            nth += 1;
        }
        let [omitted, third, ..] = trail.mask;
        let is_simple = trail.always_printed == 0 && third == 0 && count as usize <= Copies::COUNT;
        let special = if is_simple { omitted | alters[0] | alters[1] | alters[2] | alters[3] } else { u64::MAX };
        let unless = unless[i][0];
        out[i] = PrintPlan {
            steps: rest.slice([from, count]),
            special,
            modifiers: more,
            count: n_more as u8,
            always_printed: trail.always_printed,
            omitted_mask: trail.omitted_mask,
            alters: intern(&mut masks.alters, &mut known[0], alters),
            unless: intern(&mut masks.unless, &mut known[1], [unless as u64, (unless >> 64) as u64, 0, 0]),
            by_mode,
        };
        i += 1;
    }
}

/// Returns the bits of those modifiers of a variant that are among these carriers. Returns all bits if one of them is in the third
/// dword: precomputed texts do not apply then.
const fn altering(by: &[u128; 2], form: &EncodingVariant, bounds: &Bounds<'_>, facts: &[Fact]) -> u64 {
    let (mut mask, mut third) = (0, 0);
    let mut nth = 0;
    while nth < form.modifiers.len {
        let kind = bounds.all[form.modifiers.start as usize + nth as usize];
        let carrier = bounds.distinct[kind as usize].carrier;
        if by[(carrier >> 7) as usize] >> (carrier & 127) & 1 == 1 {
            let fact = &facts[carrier as usize];
            mask |= fact.mask.0;
            third |= fact.mask.1;
        }
        nth += 1;
    }
    if third == 0 { mask } else { u64::MAX }
}
