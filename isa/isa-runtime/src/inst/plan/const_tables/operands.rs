//! Const functions that build the steps of operands.

use isa_schema::PlaceList;

use super::memo::{Known, ModifierBits, key, write};
use super::place_facts::{NO_CLAIM, OP_PLACE, PlaceFact, StepClaims};
use super::{NO_BIT, NO_MODE, PlanSource, first_case};
use crate::class::placing::{Count, CountBase, HalfPlace};
use crate::const_tables::CHUNK;
use crate::inst::ConstantEncoding;
use crate::inst::plan::fast::{Accepted, FastStep, fast_step, is_simple, open_bit};
use crate::inst::plan::{
    BOTH_HALVES, BY_MODE, HALF_IN_NUMBER, IS_DEPENDENT, IS_IMPLIED, IS_LITERAL, IS_UNSIGNED, OpStep, TAKES_CONSTANTS,
};
use crate::tables::{BitRange, Bound, Run};
use crate::{Class, Type};

/// The step of no operand.
const NO_STEP: OpStep = OpStep {
    place: &OP_PLACE,
    ty: Type::new(Class::Bits, 32, 1),
    constant_type: Type::new(Class::Bits, 32, 1),
    first: BitRange::NONE,
    dwords: 0,
    number_bit: NO_BIT,
    present: NO_BIT,
    half: NO_BIT,
    neg: NO_BIT,
    abs: NO_BIT,
    bound: 0,
    carrier: 0,
    flags: 0,
};

/// The steps of the operands of all lists. Lists with equal steps share them.
pub struct OpTables<const N: usize, const L: usize> {
    /// The places, of which the first `count` are used.
    pub steps: [OpStep; N],
    /// The steps on the fast path.
    pub fast: [FastStep; N],
    /// The number of steps.
    pub count: usize,
    /// The facts about the operands of each list.
    pub lists: [ListFacts; L],
}

/// Returns the used elements of a table.
#[must_use]
pub const fn used<T: Copy, const N: usize, const M: usize>(all: &[T; N]) -> [T; M] {
    match all.first_chunk() {
        Some(used) => *used,
        None => panic!("a table has as many elements as it uses"),
    }
}

/// The facts about the operands of a list.
#[derive(Clone, Copy)]
pub struct ListFacts {
    /// The steps.
    pub(super) steps: Run,
    /// The number that identifies the operands: see [`key`].
    operands: u64,
    /// The number that identifies the modifiers.
    pub(super) modifiers: u64,
    /// The previous list in its bucket that has its own steps, as an index plus one, or 0.
    before: u16,
    /// The flags of the rows.
    pub(super) row_flags: u128,
    /// The flags on which the steps of operands depend.
    flags_of_operands: u128,
    /// The flags on which the steps of modifiers depend.
    pub(super) flags_of_modifiers: u128,
    /// The modifiers whose bits operands can have, a bit each.
    claimable: u128,
    /// The modifiers of the list that operands set, a bit each.
    pub(super) claimed: u128,
    /// The modifier that has the halves of registers, and its bits that are such halves.
    pub(super) halves: (u8, u32),
    /// The modifier that chooses the second code which selects a suffix dword, or `u8::MAX`.
    pub(super) selector_flag: u8,
    /// The number of operands without those that the encoding implies.
    pub(super) explicit: u8,
    /// The operands whose number of registers is a sum, a bit each.
    pub(in crate::inst::plan) sums: u8,
    /// Whether operands have bits of the list's modifiers.
    has_bits: bool,
    /// Whether an operand is a list.
    pub(super) has_list: bool,
    /// Whether an operand depends on other fields.
    pub(super) is_dependent: bool,
    /// Whether an operand depends on other fields in another way than by a sum.
    pub(in crate::inst::plan) depends_otherwise: bool,
}

impl ListFacts {
    const NONE: ListFacts = ListFacts {
        steps: Run::NONE,
        operands: 0,
        modifiers: 0,
        before: 0,
        row_flags: 0,
        flags_of_operands: 0,
        flags_of_modifiers: 0,
        claimable: 0,
        claimed: 0,
        halves: NO_HALVES,
        selector_flag: u8::MAX,
        explicit: 0,
        sums: 0,
        has_bits: false,
        has_list: false,
        is_dependent: false,
        depends_otherwise: false,
    };

    /// Returns whether a list of these operands and modifiers has the same steps of operands.
    const fn has_steps_of(&self, operands: u64, bits: &ModifierBits, row_flags: u128) -> bool {
        self.operands == operands
            && (self.modifiers == bits.key || !self.has_bits && self.claimable & bits.all == 0)
            && (self.row_flags ^ row_flags) & self.flags_of_operands == 0
    }

    /// Adds the operand `at`, which depends on other fields or is a list.
    const fn add_special(&mut self, step: &OpStep, at: u8) {
        self.has_list |= !step.place.placing.list.is_empty();
        if step.is(IS_DEPENDENT) {
            self.is_dependent = true;
            if step.has_sum() && at < 8 {
                self.sums |= 1 << at;
            } else {
                self.depends_otherwise = true;
            }
        }
    }
}

/// No halves of registers.
const NO_HALVES: (u8, u32) = (NO_CLAIM.0, 0);

/// The number of sizes of types: lane masks, numbers of dwords, and 16 bits. Operands of types of one size have the same steps, but for
/// the types themselves.
const SIZES: usize = 258;

/// The size of types of 16 bits.
const HALF: usize = SIZES - 1;

/// Returns the size of a type.
const fn size(ty: Type) -> usize {
    match ty.class() {
        Class::Mask => 0,
        _ if ty.total_bits() == 16 => HALF,
        _ => ty.dwords() as usize,
    }
}

/// An operand without the bits of modifiers.
#[derive(Clone, Copy)]
struct Base {
    step: OpStep,
    fast: FastStep,
    claims: StepClaims,
    /// The type of constants.
    meaning: ConstantEncoding,
    /// Whether the fast path can place the operand's signs.
    is_simple: bool,
    /// Whether it depends on other fields or is a list.
    is_special: bool,
}

/// The operands without the bits of modifiers that have been computed.
struct Computed<'a> {
    /// The operands. `None` has no pointers: each write into an array of pointers takes const evaluation time proportional to their
    /// number.
    all: &'a mut [Option<Base>],
    count: usize,
    /// The latest one of each bound.
    of_bounds: &'a mut [Known],
    /// The latest one of each place and size.
    of_sizes: &'a mut [[Known; SIZES]],
}

/// Builds the steps of all operands. `_numbers` tells the numbers of distinct bounds and of places of the source.
#[must_use]
pub const fn op_tables<const N: usize, const L: usize, const D: usize, const P: usize>(
    source: &PlanSource<'_>,
    _numbers: (&[Bound; D], &[PlaceFact; P]),
) -> OpTables<N, L> {
    let mut out = OpTables { steps: [NO_STEP; N], fast: [FastStep::NONE; N], count: 0, lists: [ListFacts::NONE; L] };
    let mut computed = Computed {
        all: &mut [None; N],
        count: 0,
        of_bounds: &mut [Known::NONE; D],
        of_sizes: &mut [[Known::NONE; SIZES]; P],
    };
    out.count = fill_op_steps(&mut out.steps, &mut out.fast, &mut out.lists, &mut computed, source);
    out
}

/// How many buckets the lists are put in while one with equal operands is looked for.
const BUCKETS: usize = 1024;

/// Fills the tables of operands, and returns the number of steps. The loop over operands has few calls and slices, since
/// const evaluation of it takes most of the time.
const fn fill_op_steps(
    out: &mut [OpStep],
    fast: &mut [FastStep],
    lists: &mut [ListFacts],
    computed: &mut Computed<'_>,
    source: &PlanSource<'_>,
) -> usize {
    let (mut chunk, mut first, mut to) = ([NO_STEP; CHUNK], 0, 0);
    // The latest list of each bucket that has its own steps, as an index plus one.
    let mut latest = [0u16; BUCKETS];
    // Variants with the same modifiers are used again soon.
    let mut modifiers = [ModifierBits::NONE; 64];
    let (bounds, all_flags) = (source.bounds.all, source.flags);
    let (mut nth, count) = (0, lists.len());
    while nth < count {
        let PlaceList { component, variant, flags } = source.lists.get(nth);
        let variant = &source.variants[variant as usize];
        let bits = &mut modifiers[(variant.modifiers.start + component as u16) as usize % 64];
        bits.update(source, component, variant.modifiers);
        let row_flags = all_flags[flags as usize];
        let operands = key(component, variant.operands);
        let bucket = (variant.operands.start + component as u16) as usize % BUCKETS;
        let mut other = latest[bucket] as usize;
        while other > 0 && !lists[other - 1].has_steps_of(operands, bits, row_flags) {
            other = lists[other - 1].before as usize;
        }
        let mut facts = ListFacts::NONE;
        if other > 0 {
            facts = lists[other - 1];
        } else {
            facts.before = latest[bucket];
            latest[bucket] = nth as u16 + 1;
            facts.operands = operands;
            facts.steps = Run { start: to as u16, len: variant.operands.len };
            let (start, mut at) = (variant.operands.start as usize, 0);
            while at < variant.operands.len {
                if to - first == CHUNK {
                    write(out, first, &chunk, CHUNK);
                    first = to;
                }
                let bound = bounds[start + at as usize];
                let known = &computed.of_bounds[bound as usize];
                let is_equal = known.component == component as u16
                    && (known.flags == flags || (all_flags[known.flags as usize] ^ row_flags) & known.relevant == 0);
                let index = if is_equal { known.index as usize } else { computed.add(source, component, bound, flags) };
                facts.flags_of_operands |= computed.of_bounds[bound as usize].relevant;
                let Some(base) = &computed.all[index] else { break };
                let (mut step, mut fast_step) = (base.step, base.fast);
                step.bound = at;
                facts.claimable |= base.claims.all;
                if base.claims.all & bits.all != 0 {
                    place_bits(&mut step, &mut fast_step, base, bits);
                    facts.has_bits = true;
                    facts.claimed |= base.claims.set;
                    if base.claims.half.0 != NO_CLAIM.0 && step.half != HALF_IN_NUMBER {
                        facts.halves = (base.claims.half.0, facts.halves.1 | 1 << base.claims.half.1);
                    }
                }
                if step.flags & IS_IMPLIED == 0 {
                    facts.explicit += 1;
                }
                if base.is_special {
                    facts.add_special(&step, at);
                }
                chunk[to - first] = step;
                fast[to] = fast_step;
                at += 1;
                to += 1;
            }
            facts.claimed &= bits.all;
        }
        facts.row_flags = row_flags;
        facts.modifiers = bits.key;
        facts.flags_of_modifiers = bits.flags;
        facts.selector_flag = bits.selector_flag;
        lists[nth] = facts;
        nth += 1;
    }
    write(out, first, &chunk, to - first);
    to
}

impl Computed<'_> {
    /// Computes an operand, given by its bound, in rows with these flags, and returns its index.
    const fn add(&mut self, source: &PlanSource<'_>, component: u8, bound: u16, flags: u16) -> usize {
        let index = self.count;
        let &Bound { carrier, ty, .. } = &source.bounds.distinct[bound as usize];
        let place_index = source.carriers[component as usize].get(carrier as usize).place as usize;
        let place = &source.places[place_index];
        let row_flags = source.flags[flags as usize];
        let size = size(ty);
        let of_size = &mut self.of_sizes[place_index][size];
        // Components share places.
        let same_size = if of_size.holds(source, 0, flags) && !place.is_dependent {
            &self.all[of_size.index as usize]
        } else {
            &None
        };
        let mut base = match same_size {
            Some(same) => *same,
            None => Base::new(source, place, (ty, size), row_flags, component),
        };
        base.step.carrier = carrier;
        base.step.ty = ty;
        base.step.constant_type = base.meaning.of_type(ty);
        self.all[index] = Some(base);
        let known = Known { component: component as u16, flags, index: index as u16, relevant: place.flags };
        self.of_bounds[bound as usize] = known;
        *of_size = Known { component: 0, ..known };
        self.count += 1;
        index
    }
}

/// Sets the bits of modifiers that belong to an operand.
const fn place_bits(step: &mut OpStep, fast: &mut FastStep, base: &Base, bits: &ModifierBits) {
    let StepClaims { neg, abs, half, present, number, .. } = base.claims;
    (step.neg, step.abs) = (bits.get(neg), bits.get(abs));
    if base.is_simple {
        (fast.neg, fast.abs) = (open_bit(bits.open, step.neg), open_bit(bits.open, step.abs));
    }
    if half.0 & present.0 & number.0 == NO_CLAIM.0 {
        return;
    }
    (step.present, step.number_bit) = (bits.get(present), bits.get(number));
    let half = bits.get(half);
    if half != NO_BIT {
        step.half = half;
    }
    if step.present != NO_BIT {
        fast.decline();
    } else if step.number_bit != NO_BIT {
        (fast.low_bits, fast.high_bits) = (0, 0);
    }
}

impl Base {
    /// Returns an operand of a type and its size, in a row with these flags.
    const fn new(
        source: &PlanSource<'_>,
        place: &PlaceFact,
        (ty, size): (Type, usize),
        row_flags: u128,
        component: u8,
    ) -> Self {
        let placing = place.placing;
        let (mut flags, mut meaning) = (0, ConstantEncoding::Type);
        if let Some(constants) = &placing.constants {
            meaning = first_case!(constants.meaning, ty, row_flags, ConstantEncoding::Type);
            match meaning {
                ConstantEncoding::BothHalves => flags |= BOTH_HALVES,
                ConstantEncoding::Literal => flags |= IS_LITERAL,
                _ => {}
            }
            // Constants are valid in all modes or in none.
            let valid = place.valid_codes.of(ty, row_flags, 0);
            if matches!(meaning, ConstantEncoding::Literal) || constants.constants.has_code_in(valid) {
                flags |= TAKES_CONSTANTS;
            }
        }
        if let Some(number) = &placing.number
            && !first_case!(number.unsigned, ty, row_flags, "").is_empty()
        {
            flags |= IS_UNSIGNED;
        }
        if place.bits.first.width == 0 {
            flags |= IS_IMPLIED;
        }
        if place.is_dependent {
            flags |= IS_DEPENDENT;
        }
        let dwords = match placing.count {
            Count::Fixed(n) => n,
            Count::Sum(sum) => match first_case!(sum.base, ty, row_flags, CountBase::Fixed(0)) {
                CountBase::Fixed(n) => n,
                CountBase::Type => ty.dwords(),
                CountBase::Lanes => ty.lanes(),
            },
            Count::Type(_) | Count::Part(_) | Count::Dependent => ty.dwords(),
        };
        match placing.count {
            Count::Part(_) => flags |= BY_MODE,
            Count::Type(by_mode) if size == 0 && !by_mode.is_empty() => flags |= BY_MODE,
            _ => {}
        }
        let half = match placing.half {
            HalfPlace::Number | HalfPlace::Modifier(_) if size == HALF => HALF_IN_NUMBER,
            _ => NO_BIT,
        };
        let (first, op_place) = (place.bits.first, place.op_place(source.op_places, ty, row_flags));
        let step = OpStep { place: op_place, first, dwords, half, flags, ..NO_STEP };
        let is_simple = is_simple(&step);
        Base {
            step,
            fast: fast_step(&step, is_simple, &Accepted::new(source, place, ty, row_flags, component)),
            claims: if place.has_claims {
                StepClaims::new(place, ty, size == HALF, row_flags)
            } else {
                StepClaims::NONE
            },
            meaning,
            is_simple,
            is_special: place.is_dependent || place.has_list,
        }
    }
}
