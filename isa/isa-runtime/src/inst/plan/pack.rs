//! Const functions that build plans from the lists of the macro and the placings of operand classes.

mod memo;
mod modifiers;
mod place_facts;
mod source;

use super::fast::{Accepted, FastStep, fast_step, is_simple, open_bit};
use super::{
    BOTH_HALVES, BY_MODE, HALF_IN_NUMBER, IS_DEPENDENT, IS_IMPLIED, IS_LITERAL, NO_BIT, OpStep, Plan, Range, RowPlan,
    constant_type,
};
use crate::inst::Meaning;
use crate::inst::placing::{Count, CountBase, CountSum, HalfPlace};
use crate::tables::{Bits, Bound, Packed, Run};
use crate::{Class, Type};
use memo::{CHUNK, Known, ModifierBits, write};
pub use modifiers::{ModifierRuns, ModifierTables, RunFacts, modifier_runs, modifier_tables};
use place_facts::{NO_CLAIM, PLACING, StepClaims, range};
pub use place_facts::{PlaceFact, dependents, places, sums};
pub use source::{FormatFact, Source};

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

/// The step of no operand.
const NO_STEP: OpStep = OpStep {
    registers: &[],
    placing: &PLACING,
    rest: &[],
    ty: Type::new(Class::Bits, 32, 1),
    constant_type: Type::new(Class::Bits, 32, 1),
    lo: 0,
    width: 0,
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

/// The steps of the operands of all lists.
pub struct OpTables<const N: usize, const L: usize> {
    /// The places.
    pub steps: [OpStep; N],
    /// The steps on the fast path.
    pub fast: [FastStep; N],
    /// The facts about the operands of each list.
    pub lists: [ListFacts; L],
}

/// The facts about the operands of a list.
#[derive(Clone, Copy)]
pub struct ListFacts {
    /// The modifiers that operands set, a bit each.
    claimed: u128,
    /// The modifier that has the halves of registers, and its bits that are such halves.
    halves: (u8, u32),
    /// The modifier that chooses the second code which selects a suffix dword, or `u8::MAX`.
    selector_flag: u8,
    /// The number of operands without those that the encoding implies.
    explicit: u8,
    /// The operands whose number of registers is a sum, a bit each.
    pub(super) sums: u8,
    /// Whether an operand is a list.
    has_list: bool,
    /// Whether an operand depends on other fields.
    is_dependent: bool,
    /// Whether an operand depends on other fields in another way than by a sum.
    pub(super) depends_otherwise: bool,
}

impl ListFacts {
    const NONE: ListFacts = ListFacts {
        claimed: 0,
        halves: NO_HALVES,
        selector_flag: u8::MAX,
        explicit: 0,
        sums: 0,
        has_list: false,
        is_dependent: false,
        depends_otherwise: false,
    };

    /// Adds the operand `at`, which depends on other fields or is a list.
    const fn add_special(&mut self, step: &OpStep, at: u8) {
        self.has_list |= !step.placing.list.is_empty();
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

/// The sizes of types for which operands have the same steps on the fast path: lane masks, numbers of dwords, and 16 bits.
const SIZES: usize = 258;

/// Returns the size of a type.
const fn size(ty: Type) -> usize {
    match ty.class() {
        Class::Mask => 0,
        _ if ty.total_bits() == 16 => SIZES - 1,
        _ => ty.dwords() as usize,
    }
}

/// An operand without the bits of modifiers.
#[derive(Clone, Copy)]
struct Base {
    step: OpStep,
    fast: FastStep,
    claims: StepClaims,
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
    source: &Source<'_>,
    _numbers: (&[Bound; D], &[PlaceFact; P]),
) -> OpTables<N, L> {
    let mut out = OpTables { steps: [NO_STEP; N], fast: [FastStep::NONE; N], lists: [ListFacts::NONE; L] };
    let mut computed = Computed {
        all: &mut [None; N],
        count: 0,
        of_bounds: &mut [Known::NONE; D],
        of_sizes: &mut [[Known::NONE; SIZES]; P],
    };
    fill_op_steps(&mut out.steps, &mut out.fast, &mut out.lists, &mut computed, source);
    out
}

/// Fills the tables of operands. The loop over operands has few calls and slices of its own, since const evaluation of it takes most of
/// the time.
const fn fill_op_steps(
    out: &mut [OpStep],
    fast: &mut [FastStep],
    lists: &mut [ListFacts],
    computed: &mut Computed<'_>,
    source: &Source<'_>,
) {
    let (mut chunk, mut first, mut to) = ([NO_STEP; CHUNK], 0, 0);
    // Forms with the same modifiers are used again soon.
    let mut modifiers = [ModifierBits::NONE; 64];
    let (bounds, all_flags) = (source.bounds.all, source.flags);
    let (mut nth, count) = (0, lists.len());
    while nth < count {
        let [component, form, flags, _] = source.lists[nth];
        let form = &source.forms[form as usize];
        let bits = &mut modifiers[(form.modifiers.start + component) as usize % 64];
        bits.update(source, component, form.modifiers);
        let row_flags = all_flags[flags as usize];
        let mut facts = ListFacts { selector_flag: bits.selector_flag, ..ListFacts::NONE };
        let (start, mut at) = (form.operands.start as usize, 0);
        while at < form.operands.len {
            if to - first == CHUNK {
                write(out, first, &chunk, CHUNK);
                first = to;
            }
            let bound = bounds[start + at as usize];
            let known = &computed.of_bounds[bound as usize];
            let is_equal = known.component == component
                && (known.flags == flags || (all_flags[known.flags as usize] ^ row_flags) & known.relevant == 0);
            let index = if is_equal { known.index as usize } else { computed.add(source, component, bound, flags) };
            let Some(base) = &computed.all[index] else { break };
            let (mut step, mut fast_step) = (base.step, base.fast);
            step.bound = at;
            if base.claims.all & bits.all != 0 {
                place_bits(&mut step, &mut fast_step, base, bits);
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
        lists[nth] = facts;
        nth += 1;
    }
    write(out, first, &chunk, out.len() - first);
}

impl Computed<'_> {
    /// Computes an operand, given by its bound, in rows with these flags, and returns its index.
    const fn add(&mut self, source: &Source<'_>, component: u16, bound: u16, flags: u16) -> usize {
        let index = self.count;
        let &Bound { carrier, ty, .. } = &source.bounds.distinct[bound as usize];
        let [place_index, _] = source.carriers[component as usize][carrier as usize];
        let place = &source.places[place_index as usize];
        let row_flags = source.flags[flags as usize];
        let step = op_step(place, carrier, ty, row_flags);
        let of_size = &mut self.of_sizes[place_index as usize][size(ty)];
        // A sum may depend on more than the size. Components share places.
        let same_size =
            if of_size.holds(source, 0, flags) && !step.has_sum() { &self.all[of_size.index as usize] } else { &None };
        let fast = match same_size {
            Some(same) => same.fast,
            None => fast_step(&step, &Accepted::new(source, place, ty, row_flags, component)),
        };
        let known = Known { component, flags, index: index as u16, relevant: place.flags };
        self.of_bounds[bound as usize] = known;
        *of_size = Known { component: 0, ..known };
        self.all[index] = Some(Base {
            step,
            fast,
            claims: StepClaims::new(place, ty, row_flags),
            is_simple: is_simple(&step),
            is_special: step.is(IS_DEPENDENT) || !place.placing.list.is_empty(),
        });
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

/// Returns the step of an operand, without the bits of modifiers.
const fn op_step(place: &PlaceFact, carrier: u8, ty: Type, flags: u128) -> OpStep {
    let PlaceFact { placing, range, is_dependent, .. } = *place;
    let half = match placing.half {
        HalfPlace::Number | HalfPlace::Modifier(_) if ty.total_bits() == 16 => HALF_IN_NUMBER,
        _ => NO_BIT,
    };
    let (constant_type, both_halves, is_literal) = match &placing.constants {
        Some(place) => constant_type(ty, first_case!(place.meaning, ty, flags, Meaning::Type)),
        None => (ty, false, false),
    };
    let by_mode = match placing.count {
        Count::Type(by_mode) => !by_mode.is_empty() && matches!(ty.class(), Class::Mask),
        Count::Part(_) => true,
        Count::Fixed(_) | Count::Dependent | Count::Sum(_) => false,
    };
    OpStep {
        registers: first_case!(placing.registers, ty, flags, &[] as &[_]),
        placing,
        rest: range.rest,
        ty,
        constant_type,
        lo: range.lo,
        width: range.width,
        dwords: match placing.count {
            Count::Fixed(n) => n,
            Count::Sum(sum) => base(sum, ty, flags),
            _ => ty.dwords(),
        },
        number_bit: NO_BIT,
        present: NO_BIT,
        half,
        neg: NO_BIT,
        abs: NO_BIT,
        bound: 0,
        carrier,
        flags: flag(both_halves, BOTH_HALVES)
            | flag(is_literal, IS_LITERAL)
            | flag(range.bits() == 0, IS_IMPLIED)
            | flag(is_dependent, IS_DEPENDENT)
            | flag(by_mode, BY_MODE),
    }
}

/// Returns the base of a sum, to which other fields add registers.
const fn base(sum: &CountSum, ty: Type, flags: u128) -> u8 {
    match first_case!(sum.base, ty, flags, CountBase::Fixed(0)) {
        CountBase::Fixed(n) => n,
        CountBase::Type => ty.dwords(),
        CountBase::Lanes => ty.lanes(),
    }
}

/// Returns a flag if it is set, otherwise 0.
const fn flag(is_set: bool, flag: u8) -> u8 {
    if is_set { flag } else { 0 }
}

/// Builds the plans. An element of `packed` has the list of places, the suffix dword as an index plus one, and whether the
/// suffix dword always follows.
#[must_use]
pub const fn plans<const N: usize, const L: usize>(
    packed: &[[u16; 3]],
    source: &Source<'_>,
    lists: &[ListFacts; L],
    starts: &[u16; L],
    modifiers: &[RunFacts],
) -> [Plan; N] {
    let mut out = [Plan::NONE; N];
    let mut i = 0;
    while i < N {
        let [list, suffix_dword, always] = packed[i];
        let list = list as usize;
        let [component, form_index, _, start] = source.lists[list];
        let format = &source.formats[component as usize];
        let form = &source.forms[form_index as usize];
        let modifier_steps = Run { start: starts[list], len: form.modifiers.len };
        let (list, modifiers) = (&lists[list], RunFacts::of(modifiers, modifier_steps));
        let (mask, value) = &source.fixed[form.fixed as usize];
        let base = &format.fixed.1;
        let takes_literal = format.literal != 0 && (suffix_dword == 0 || suffix_dword == format.literal as u16);
        let is_selected = suffix_dword != 0 && always == 0;
        out[i] = Plan {
            words: Packed {
                low: (base[0] & !mask[0] | value[0]) as u64
                    | ((base[1] & !mask[1] | value[1]) as u64) << 32
                    | modifiers.words.low,
                third: base[2] & !mask[2] | value[2] | modifiers.words.third,
            },
            modifiers: modifiers.all,
            required: modifiers.required,
            steps: Run { start, len: form.operands.len },
            modifier_steps,
            form: form_index,
            explicit: list.explicit,
            len: format.dwords + (suffix_dword != 0) as u8,
            literal: if takes_literal { format.dwords } else { 0 },
            literal_suffix_dword: format.literal,
            has_list: list.has_list && is_selected,
            is_dependent: list.is_dependent,
            selector: Plan::NONE.selector,
        };
        if is_selected {
            select(&mut out[i], source, format.suffix_dwords[suffix_dword as usize - 1], list.selector_flag);
        }
        i += 1;
    }
    out
}

/// Sets the code of a field that selects the suffix dword of a plan, given as in [`FormatFact::suffix_dwords`].
const fn select(plan: &mut Plan, source: &Source<'_>, [lo, code, other]: [u16; 3], flag: u8) {
    if lo == 255 {
        return;
    }
    super::put(&mut plan.words, lo as u8, code as u32);
    if other != code && flag != u8::MAX {
        plan.selector = (flag, lo as u8, code ^ other);
        plan.modifiers |= source.modifiers[flag as usize].mask();
    }
}

/// Unpacks rows: the format, the component in its format, the component among those of all formats, the number of the
/// opcode, where its plans begin and how many they are, how many of them a variant bit chooses from, the modifier that is
/// this bit or 255, the index of the shape, and whether it exists in one mode only.
#[must_use]
pub const fn rows<const N: usize, const C: usize>(packed: &[[u16; 10]], opcodes: &[Bits; C]) -> [RowPlan; N] {
    let (mut ranges, mut i) = ([Range::NONE; C], 0);
    while i < C {
        ranges[i] = range(&opcodes[i]);
        i += 1;
    }
    let none = RowPlan {
        format: 0,
        component: 0,
        nth: 0,
        opcode: 0,
        plans: Run::NONE,
        suffix_dwords: 1,
        variant: u8::MAX,
        is_modal: false,
        shape: 0,
    };
    let mut out = [none; N];
    let mut i = 0;
    while i < N {
        let [format, component, nth, number, start, len, suffix_dwords, variant, shape, is_modal] = packed[i];
        let mut words = Packed { low: 0, third: 0 };
        ranges[nth as usize].put(&mut words, number as u32);
        out[i] = RowPlan {
            format: format as u8,
            component: component as u8,
            nth: nth as u8,
            opcode: words.low,
            plans: Run { start, len: len as u8 },
            suffix_dwords: suffix_dwords as u8,
            variant: variant as u8,
            is_modal: is_modal != 0,
            shape,
        };
        i += 1;
    }
    out
}

/// Unpacks the rows of each opcode.
#[must_use]
pub const fn opcode_rows<const N: usize>(packed: &[[u16; 2]]) -> [Run; N] {
    let mut out = [Run::NONE; N];
    let mut i = 0;
    while i < N {
        out[i] = Run { start: packed[i][0], len: packed[i][1] as u8 };
        i += 1;
    }
    out
}
