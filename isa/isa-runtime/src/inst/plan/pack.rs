//! Const functions that build plans from the lists of the macro and the placings of operand classes.

mod memo;
mod modifiers;
mod place_facts;
mod source;

use super::fast::{Accepted, FastStep, fast_step};
use super::{
    BOTH_HALVES, BY_MODE, HALF_IN_NUMBER, IS_DEPENDENT, IS_IMPLIED, IS_LITERAL, ModifierStep, NO_BIT, OpStep, Plan,
    RowPlan, constant_type,
};
use crate::inst::Meaning;
use crate::inst::placing::{BitOf, Count, CountBase, CountSum, HalfPlace, last_digit};
use crate::tables::{Bits, Bound, Packed, Run};
use crate::{Case, Class, Type};
use memo::{CHUNK, FormBits, Known, ModifierBits, SelectorFlag, write};
pub use modifiers::{ModifierRuns, fast_modifiers, modifier_runs, modifier_steps};
use place_facts::{NO_CARRIER, PLACING, range};
pub use place_facts::{PlaceFact, dependents, place_facts, sums};
use source::List;
pub use source::{FormatFact, Source};

/// Evaluates to the value of the first case that holds for an operand of a type in a row with these flags, otherwise to a
/// default. Cases of the mode never hold.
///
/// A macro, since const evaluation of generic functions is slow.
macro_rules! first_case {
    ($cases:expr, $ty:expr, $flags:expr, $default:expr) => {{
        let (mut value, mut i) = ($default, 0);
        while i < $cases.len() {
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

/// Returns the bit of a sign: the id of its modifier, and the number of the bit in it. `ids` are the modifiers of the first
/// cases.
const fn sign(cases: &[(Case, BitOf)], ids: [u8; 2], ty: Type, flags: u128) -> (u8, u8) {
    let mut i = 0;
    while i < cases.len() && i < ids.len() {
        if cases[i].0.holds(ty, flags, NO_MODE) {
            return (ids[i], cases[i].1.bit);
        }
        i += 1;
    }
    (NO_CARRIER, 0)
}

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

/// The places of the operands of all lists, and their steps on the fast path.
pub struct OpTables<const N: usize> {
    /// The places.
    pub steps: [OpStep; N],
    /// The steps on the fast path.
    pub fast: [FastStep; N],
}

/// Builds the tables of all operands. `distinct` tells the number of distinct bounds of the source.
#[must_use]
pub const fn op_tables<const N: usize, const D: usize>(source: &Source<'_>, distinct: &[Bound; D]) -> OpTables<N> {
    let _ = distinct;
    let mut out = OpTables { steps: [NO_STEP; N], fast: [FastStep::NONE; N] };
    fill_op_steps(&mut out.steps, &mut out.fast, &mut [Known::NONE; D], source);
    out
}

/// Fills the tables of operands. `memo` has an element for each distinct bound.
const fn fill_op_steps(out: &mut [OpStep], fast: &mut [FastStep], memo: &mut [Known], source: &Source<'_>) {
    let (mut chunk, mut first) = ([NO_STEP; CHUNK], 0);
    let mut of_form = FormBits::NONE;
    let mut nth = 0;
    while nth < source.lists.len() {
        let List { component, facts, form, flags, start } = source.list(nth);
        let (mut at, mut to) = (0, start);
        while at < form.operands.len {
            if to - first == CHUNK {
                write(out, first, &chunk, CHUNK);
                first = to;
            }
            let index = source.bound_index(form, at);
            let Bound { carrier, ty, .. } = source.bounds.distinct[index as usize];
            let fact = &facts[carrier as usize];
            let known = source.known(memo, index, nth, fact.flags);
            let computed = match known {
                Some(known) if known >= first => chunk[known - first],
                Some(known) => out[known],
                None => op_step(fact, carrier, ty, flags),
            };
            let mut step = OpStep { bound: at, ..computed };
            if fact.has_claims {
                of_form.update(source, component, form);
                place_bits(&mut step, fact, &of_form.bits, flags);
            }
            chunk[to - first] = step;
            let has_equal_bits = step.half == computed.half
                && step.present == computed.present
                && step.number_bit == computed.number_bit;
            fast[to] = match known {
                Some(known) if has_equal_bits => fast[known],
                _ => {
                    memo[index as usize] = Known::new(nth, to);
                    fast_step(&step, &Accepted::new(source, fact, form, &step, flags, component))
                }
            };
            if fact.has_claims {
                fast[to].place_signs(&step, of_form.open);
            }
            (at, to) = (at + 1, to + 1);
        }
        nth += 1;
    }
    write(out, first, &chunk, out.len() - first);
}

/// Sets the bits of modifiers that belong to an operand.
const fn place_bits(step: &mut OpStep, fact: &PlaceFact, bits: &ModifierBits, flags: u128) {
    let PlaceFact { placing, claims, name, .. } = fact;
    let ty = step.ty;
    let (neg, neg_bit) = sign(placing.neg, claims.neg, ty, flags);
    let (abs, abs_bit) = sign(placing.abs, claims.abs, ty, flags);
    (step.neg, step.abs) = (bits.get(neg, neg_bit), bits.get(abs, abs_bit));
    if let HalfPlace::Modifier(BitOf { bit, .. }) = placing.half
        && ty.total_bits() == 16
    {
        let half = bits.get(claims.half, bit);
        step.half = if half == NO_BIT { HALF_IN_NUMBER } else { half };
    }
    if let Some(BitOf { bit, .. }) = placing.present {
        step.present = bits.get(claims.present, if bit == BitOf::LAST_DIGIT { last_digit(name) } else { bit });
    }
    if let Some(BitOf { bit, .. }) = placing.number_bit {
        step.number_bit = bits.get(claims.number, bit);
    }
}

/// Returns the step of an operand, without the bits of modifiers.
const fn op_step(fact: &PlaceFact, carrier: u8, ty: Type, flags: u128) -> OpStep {
    let PlaceFact { placing, range, is_dependent, .. } = *fact;
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
    runs: &ModifierRuns<L>,
    steps: &[OpStep],
    modifiers: &[ModifierStep],
) -> [Plan; N] {
    let mut out = [Plan::NONE; N];
    let mut selector = SelectorFlag::NONE;
    let mut i = 0;
    while i < N {
        let modifiers_start = runs.starts[packed[i][0] as usize];
        out[i] = plan(packed[i], source, modifiers_start, steps, modifiers, &mut selector);
        i += 1;
    }
    out
}

/// Builds a plan. `selector` caches the modifier that the last plan found.
const fn plan(
    [list, suffix_dword, always]: [u16; 3],
    source: &Source<'_>,
    modifiers_start: u16,
    steps: &[OpStep],
    modifiers: &[ModifierStep],
    selector: &mut SelectorFlag,
) -> Plan {
    let [component, form_index, _, start] = source.lists[list as usize];
    let format = &source.formats[component as usize];
    let form = &source.forms[form_index as usize];
    let (mask, value) = &source.fixed[form.fixed as usize];
    let base = &format.fixed.1;
    let mut words =
        Packed::new([base[0] & !mask[0] | value[0], base[1] & !mask[1] | value[1], base[2] & !mask[2] | value[2]]);
    let takes_literal = format.literal != 0 && (suffix_dword == 0 || suffix_dword == format.literal as u16);
    let mut out = Plan {
        steps: Run { start, len: form.operands.len },
        modifier_steps: Run { start: modifiers_start, len: form.modifiers.len },
        form: form_index,
        len: format.dwords + (suffix_dword != 0) as u8,
        literal: if takes_literal { format.dwords } else { 0 },
        literal_suffix_dword: format.literal,
        ..Plan::NONE
    };
    let mut i = 0;
    while i < form.modifiers.len as u16 {
        let step = &modifiers[(modifiers_start + i) as usize];
        out.modifiers |= step.mask;
        if step.is_required && step.modifier != u8::MAX {
            let modifier = &source.modifiers[step.modifier as usize];
            out.required |= modifier.presence() << modifier.lo;
        }
        if step.default != 0 && step.modifier != u8::MAX {
            step.range.put(&mut words, step.default);
        }
        i += 1;
    }
    let mut i = 0;
    while i < form.operands.len as u16 {
        let step = &steps[(start + i) as usize];
        out.explicit += !step.is(IS_IMPLIED) as u8;
        out.has_list |= !step.placing.list.is_empty() && suffix_dword != 0 && always == 0;
        out.is_dependent |= step.is(IS_DEPENDENT);
        i += 1;
    }
    if suffix_dword != 0 && always == 0 && format.suffix_dwords[suffix_dword as usize - 1][0] != 255 {
        let [lo, code, other] = format.suffix_dwords[suffix_dword as usize - 1];
        super::put(&mut words, lo as u8, code as u32);
        let flag = if other == code { u8::MAX } else { selector.of(source, component, form) };
        if flag != u8::MAX {
            out.selector = (flag, lo as u8, code ^ other);
            out.modifiers |= source.modifiers[flag as usize].mask();
        }
    }
    out.words = words;
    out
}

/// Unpacks rows: the format, the component in its format, the component among those of all formats, the number of the
/// opcode, where its plans begin and how many they are, how many of them a variant bit chooses from, the modifier that is
/// this bit or 255, the index of the shape, and whether it exists in one mode only.
#[must_use]
pub const fn rows<const N: usize>(packed: &[[u16; 10]], opcodes: &[Bits]) -> [RowPlan; N] {
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
        range(&opcodes[nth as usize]).put(&mut words, number as u32);
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
