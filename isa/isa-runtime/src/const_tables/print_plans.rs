//! Print plans: their steps, and the masks that they share.

use isa_schema::{ModifierList, PlacedOperand, PrintPlanRow, PrintStepRow, Rows, TrailingModifiers};

use super::{Bounds, CHUNK, Fact, Slices};
use crate::Class;
use crate::print::{BY_MODE, MODIFIER, Mask, Masks, NO_OPERAND, PrintPlan, PrintStep};
use crate::tables::{Bound, EncodingVariant, LowBitRange};
use crate::text::{Copies, Name, Short};

/// Builds the steps of operands without separators.
#[must_use]
pub const fn print_operands<const A: usize>(operands: Rows<PlacedOperand>, facts: &[&[Fact]]) -> [PrintStep; A] {
    let mut out = [NO_STEP; A];
    fill_operands(&mut out, operands, facts);
    out
}

/// Builds the steps of all print plans.
#[must_use]
pub const fn print_steps<const N: usize>(
    rows: Rows<PrintStepRow>,
    operands: &[PrintStep],
    shorts: &[Short],
) -> [PrintStep; N] {
    let mut out = [NO_STEP; N];
    fill_in_chunks!(out, NO_STEP, fill_steps(rows, operands, shorts));
    out
}

const NO_STEP: PrintStep =
    PrintStep { names: &[], ones: 0, lo: 0, before: Short::new(""), carrier: u8::MAX, bound: NO_OPERAND };

const fn fill_operands(out: &mut [PrintStep], operands: Rows<PlacedOperand>, facts: &[&[Fact]]) {
    let (mut i, count) = (0, out.len());
    while i < count {
        let PlacedOperand { component, operand: Bound { carrier, ty, .. } } = operands.get(i);
        let fact = &facts[component as usize][carrier as usize];
        if let Some(LowBitRange { ones, mut lo }) = fact.place {
            let mut names = fact.names.of(ty);
            match names {
                [] if fact.omits_zero => names = &[Name::EMPTY],
                [_, ..] if matches!(ty.class(), Class::Mask) => lo |= BY_MODE,
                _ => {}
            }
            out[i] = PrintStep { names, ones, lo, carrier, ..NO_STEP };
        }
        i += 1;
    }
}

const fn fill_steps(
    out: &mut [PrintStep],
    first: usize,
    rows: Rows<PrintStepRow>,
    operands: &[PrintStep],
    shorts: &[Short],
) {
    let (mut i, count) = (0, out.len());
    while i < count {
        let PrintStepRow { prefix, bound, operand } = rows.get(first + i);
        let before = shorts[prefix as usize];
        out[i] = match bound {
            NO_OPERAND => PrintStep { names: &[Name::EMPTY], before, ..NO_STEP },
            _ => PrintStep { before, bound, ..operands[operand as usize] },
        };
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

/// The masks of a list that are known, by their hashes.
struct KnownMasks {
    /// The index of a mask plus one, or 0.
    table: [u8; KnownMasks::SIZE],
    count: usize,
}

impl KnownMasks {
    /// The size of the table: a power of two, and more than twice the most masks of a list.
    const SIZE: usize = 512;

    const NONE: KnownMasks = KnownMasks { table: [0; KnownMasks::SIZE], count: 0 };

    /// Returns the index of a mask in a list, and adds it if it is new. Returns the last index if the list is full.
    const fn intern(&mut self, list: &mut [Mask], mask: Mask) -> u8 {
        let [a, b, c, d] = mask;
        let key = a ^ b >> 3 ^ c >> 6 ^ d >> 9;
        let mut at = ((key as u128 * 0x9E37_79B9_7F4A_7C15) as u64 >> 55) as usize;
        while self.table[at] != 0 {
            let nth = self.table[at];
            let [e, f, g, h] = list[nth as usize - 1];
            if (a ^ e) | (b ^ f) | (c ^ g) | (d ^ h) == 0 {
                return nth - 1;
            }
            at = (at + 1) % KnownMasks::SIZE;
        }
        let nth = self.count;
        if nth + 1 < list.len() {
            list[nth] = mask;
            self.count += 1;
            self.table[at] = nth as u8 + 1;
        }
        nth as u8
    }
}

/// The facts about all print plans that the macro passes.
pub struct PrintPlansSource<'a> {
    /// The plans.
    pub plans: Rows<PrintPlanRow>,
    /// The lists of trailing modifiers.
    pub trailing: Rows<TrailingModifiers>,
    /// The lists of all modifiers.
    pub modifiers: Rows<ModifierList>,
    /// The encoding variants.
    pub variants: &'a [EncodingVariant],
    /// The flags of rows without precomputed texts.
    pub unless: &'a [[u128; 3]],
    /// The operands of the variants.
    pub bounds: &'a Bounds<'a>,
    /// The steps.
    pub steps: &'static [PrintStep],
    /// The steps as [`print_steps`] takes them.
    pub step_rows: Rows<PrintStepRow>,
    /// The operands as [`print_operands`] takes them.
    pub printed_operands: Rows<PlacedOperand>,
    /// The steps of the operands.
    pub operands: &'a [PrintStep],
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

/// Builds all print plans. `T` is the number of lists of trailing modifiers, `A` that of operands of steps.
#[must_use]
pub const fn print_plans<const N: usize, const T: usize, const A: usize>(
    source: &PrintPlansSource<'_>,
) -> PrintPlans<N> {
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
    let mut operands = [0; A];
    fill_special(&mut operands, source);
    fill_plans(&mut out.plans, &mut out.masks, &trailing, &operands, source);
    out
}

/// Modifiers change the text of the operand.
const IS_ALTERED: u8 = 1;

/// Sets what is special about each operand: [`IS_ALTERED`] and [`BY_MODE`].
const fn fill_special(out: &mut [u8], source: &PrintPlansSource<'_>) {
    let (mut i, count) = (0, out.len());
    while i < count {
        let PlacedOperand { component, operand: Bound { carrier, .. } } = source.printed_operands.get(i);
        let [low, high] = source.facts[component as usize][carrier as usize].altered_by;
        let is_altered = if low | high != 0 { IS_ALTERED } else { 0 };
        out[i] = is_altered | source.operands[i].lo & BY_MODE;
        i += 1;
    }
}

const fn fill_trailing(out: &mut [Trailing], masks: &mut Masks, source: &PrintPlansSource<'_>) {
    let mut known = KnownMasks::NONE;
    let (mut i, n_lists) = (0, out.len());
    while i < n_lists {
        let TrailingModifiers { steps, modifiers } = source.trailing.get(i);
        let ModifierList { component, modifiers } = source.modifiers.get(modifiers as usize);
        let (mut always_printed, mut mask) = (steps.len, [0; 4]);
        while always_printed > 0 {
            let at = source.steps[steps.start as usize + always_printed as usize - 1].bound - MODIFIER;
            let kind = source.bounds.all[modifiers.start as usize + at as usize];
            let fact = &source.facts[component as usize][source.bounds.distinct[kind as usize].carrier as usize];
            if !fact.omits_zero {
                break;
            }
            mask[0] |= fact.mask.0;
            mask[1] |= fact.mask.1 as u64;
            always_printed -= 1;
        }
        out[i] = Trailing { always_printed, omitted_mask: known.intern(&mut masks.omitted, mask), mask };
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

const fn fill_plans(
    out: &mut [PrintPlan],
    masks: &mut Masks,
    trailing: &[Trailing],
    special: &[u8],
    source: &PrintPlansSource<'_>,
) {
    let PrintPlansSource { plans, variants, unless, bounds, steps, step_rows, printed_operands, .. } = *source;
    let mut cache = [Altering { of: 0, mask: 0 }; CACHE];
    let (mut known_alters, mut known_unless) = (KnownMasks::NONE, KnownMasks::NONE);
    // The index of the mask without bits, and the last flags with their index.
    let (mut no_alters, mut last_unless) = (None, None);
    let mut rest = Slices::new(steps);
    let (mut i, n_plans) = (0, out.len());
    while i < n_plans {
        let PrintPlanRow { steps, trailing: trail } = plans.get(i);
        let TrailingModifiers { steps: more, modifiers } = source.trailing.get(trail as usize);
        let trail = &trailing[trail as usize];
        let (mut alters, mut by_mode, mut has_alters) = ([0; 4], false, false);
        let (mut nth, first, count) = (0, steps.start as usize, steps.len as usize);
        while nth < count {
            let PrintStepRow { bound, operand, .. } = step_rows.get(first + nth);
            let special = special[operand as usize];
            if special != 0 && bound != NO_OPERAND {
                by_mode |= special & BY_MODE != 0;
                if special & IS_ALTERED == 0 || bound >= MODIFIER {
                    nth += 1;
                    continue;
                }
                let PlacedOperand { component, operand: Bound { carrier, .. } } =
                    printed_operands.get(operand as usize);
                let of = ((modifiers as u32) << 8 | carrier as u32) + 1;
                let cached = &mut cache[(of ^ of >> 5) as usize % CACHE];
                if cached.of != of {
                    let facts = source.facts[component as usize];
                    let by = &facts[carrier as usize].altered_by;
                    *cached = Altering { of, mask: altering(by, &variants[i], bounds, facts) };
                }
                alters[nth & 3] |= cached.mask;
                has_alters = true;
            }
            nth += 1;
        }
        let [omitted, third, ..] = trail.mask;
        let is_simple = trail.always_printed == 0 && third == 0 && count <= Copies::COUNT;
        let special = if is_simple { omitted | alters[0] | alters[1] | alters[2] | alters[3] } else { u64::MAX };
        let alters = match no_alters {
            Some(index) if !has_alters => index,
            _ => known_alters.intern(&mut masks.alters, alters),
        };
        if !has_alters {
            no_alters = Some(alters);
        }
        let [flags, ..] = unless[i];
        let unless = match last_unless {
            Some((last, index)) if last == flags => index,
            _ => known_unless.intern(&mut masks.unless, [flags as u64, (flags >> 64) as u64, 0, 0]),
        };
        last_unless = Some((flags, unless));
        out[i] = PrintPlan {
            steps: rest.slice(steps),
            special,
            modifiers: more.start,
            count: more.len,
            always_printed: trail.always_printed,
            omitted_mask: trail.omitted_mask,
            alters,
            unless,
            by_mode,
        };
        i += 1;
    }
}

/// Returns the bits of those modifiers of a variant that are among these carriers. Returns all bits if one of them is in the third
/// dword: precomputed texts do not apply then.
const fn altering(by: &[u128; 2], variant: &EncodingVariant, bounds: &Bounds<'_>, facts: &[Fact]) -> u64 {
    let (mut mask, mut third) = (0, 0);
    let (mut nth, first, count) = (0, variant.modifiers.start as usize, variant.modifiers.len as usize);
    while nth < count {
        let carrier = bounds.distinct[bounds.all[first + nth] as usize].carrier;
        if by[(carrier >> 7) as usize] >> (carrier & 127) & 1 == 1 {
            let fact = &facts[carrier as usize];
            mask |= fact.mask.0;
            third |= fact.mask.1;
        }
        nth += 1;
    }
    if third == 0 { mask } else { u64::MAX }
}
