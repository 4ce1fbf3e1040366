//! The facts about places: the bits of operands and modifiers with their classes.

use isa_schema::{PlaceRow, Rows};

use super::NO_MODE;
use crate::class::placing::{BitOf, Count, CountSum, HalfPlace, Placing, last_digit};
use crate::const_tables::same;
use crate::inst::Modifier;
use crate::inst::plan::{OpPlace, Term};
use crate::operands::class::ClassFacts;
use crate::tables::{Carrier, FieldBits};
use crate::{Case, Isa, Type, ValidCodes};

/// The facts about a place that plans depend on. Carriers of the same class in the same bits share a place, also those of different
/// components.
#[derive(Clone, Copy)]
pub struct PlaceFact {
    /// The bits.
    pub(in crate::inst::plan) bits: FieldBits,
    /// The placing of its class.
    pub(super) placing: &'static Placing,
    /// The codes that the decoder accepts without a check.
    pub(in crate::inst::plan) valid_codes: ValidCodes,
    /// Whether the decoder accepts every code.
    pub(in crate::inst::plan) is_unchecked: bool,
    /// Whether the field has codes that select a suffix dword.
    pub(in crate::inst::plan) is_selector: bool,
    /// Whether the operand depends on other fields.
    pub(super) is_dependent: bool,
    /// Whether the operand is a list.
    pub(super) has_list: bool,
    /// Whether modifiers hold bits of the operand.
    pub(super) has_claims: bool,
    /// The modifiers that hold bits of the operand.
    claims: Claims,
    /// Of a modifier: the modifier by which the second code that selects its suffix dword replaces the first, or `u8::MAX`.
    pub(super) selector_flag: u8,
    /// The flags of rows on which the placing and the valid codes depend.
    pub(in crate::inst::plan) flags: u128,
    /// The index of its first [`OpPlace`]: it has one for each case of its registers.
    op_places: u16,
}

impl PlaceFact {
    /// Returns the number of [`OpPlace`]s. The last one has no registers, unless the last case always holds.
    const fn op_place_count(&self) -> usize {
        match self.placing.registers {
            [.., (Case::Else, _)] => self.placing.registers.len(),
            cases => cases.len() + 1,
        }
    }

    /// Returns the [`OpPlace`] of an operand of a type in a row with these flags.
    pub(super) const fn op_place(&self, all: &'static [OpPlace], ty: Type, flags: u128) -> &'static OpPlace {
        let (mut case, cases) = (0, self.placing.registers);
        while case < cases.len() && !cases[case].0.holds(ty, flags, NO_MODE) {
            case += 1;
        }
        &all[self.op_places as usize + case]
    }
}

/// Returns the number of [`OpPlace`]s of all places.
#[must_use]
pub const fn op_place_count(places: &[PlaceFact]) -> usize {
    match places {
        [] => 0,
        [.., last] => last.op_places as usize + last.op_place_count(),
    }
}

/// Builds the places as steps refer to them.
#[must_use]
pub const fn op_places<const N: usize>(places: &[PlaceFact]) -> [OpPlace; N] {
    let (mut out, mut to) = ([OP_PLACE; N], 0);
    let mut i = 0;
    while i < places.len() {
        let place = &places[i];
        let (placing, rest, cases) = (place.placing, place.bits.rest, place.placing.registers);
        let (mut case, count) = (0, place.op_place_count());
        while case < count {
            let registers: &[_] = if case < cases.len() { cases[case].1 } else { &[] };
            out[to] = OpPlace { registers, placing, rest };
            (case, to) = (case + 1, to + 1);
        }
        i += 1;
    }
    out
}

/// The modifiers that hold bits of an operand, by their indices; [`NO_MODIFIER`] where there is none.
#[derive(Clone, Copy)]
struct Claims {
    /// The sign, in the first two cases.
    neg: [u8; 2],
    /// The absolute value, in the first two cases.
    abs: [u8; 2],
    /// The half of a 16-bit register, and the bit.
    half: (u8, u8),
    /// The bit that is set unless the operand is switched off.
    present: (u8, u8),
    /// The bit that is set if the operand's own bits hold an integer.
    number: (u8, u8),
    /// The modifiers with registers of a list, a bit each.
    list: u128,
}

/// The modifiers that hold bits of a step's operand, and the bits; [`NO_MODIFIER`] where there is none.
#[derive(Clone, Copy)]
pub(super) struct StepClaims {
    pub(super) neg: (u8, u8),
    pub(super) abs: (u8, u8),
    pub(super) half: (u8, u8),
    pub(super) present: (u8, u8),
    pub(super) number: (u8, u8),
    /// All these modifiers, a bit each, and those with registers of a list.
    pub(super) all: u128,
    /// Those without the half of a register, which remains a separate modifier.
    pub(super) set: u128,
}

impl StepClaims {
    pub(super) const NONE: StepClaims = StepClaims {
        neg: NO_CLAIM,
        abs: NO_CLAIM,
        half: NO_CLAIM,
        present: NO_CLAIM,
        number: NO_CLAIM,
        all: 0,
        set: 0,
    };

    /// Returns the modifiers of an operand of a type in a row with these flags.
    pub(super) const fn new(place: &PlaceFact, ty: Type, has_16_bits: bool, flags: u128) -> Self {
        let PlaceFact { placing, claims, .. } = place;
        let (neg, abs) = (sign(placing.neg, claims.neg, ty, flags), sign(placing.abs, claims.abs, ty, flags));
        let half = if has_16_bits { claims.half } else { NO_CLAIM };
        let Claims { present, number, list, .. } = *claims;
        let set = list | mask(neg) | mask(abs) | mask(present) | mask(number);
        StepClaims { neg, abs, half, present, number, all: set | mask(half), set }
    }
}

/// Returns the bit of a sign.
const fn sign(cases: &[(Case, BitOf)], modifiers: [u8; 2], ty: Type, flags: u128) -> (u8, u8) {
    let (mut i, len) = (0, cases.len());
    while i < len && i < 2 {
        if cases[i].0.holds(ty, flags, NO_MODE) {
            return (modifiers[i], cases[i].1.bit);
        }
        i += 1;
    }
    NO_CLAIM
}

/// Returns a modifier as a bit.
const fn mask((modifier, _): (u8, u8)) -> u128 {
    if modifier == NO_MODIFIER { 0 } else { 1 << modifier }
}

/// No modifier.
const NO_MODIFIER: u8 = u8::MAX;
/// No bit of a modifier.
pub(super) const NO_CLAIM: (u8, u8) = (NO_MODIFIER, 0);
/// The most modifiers of a set: their indices are bits of a number.
const MAX_MODIFIERS: usize = 128;
/// The placing of an empty element of a table.
pub(super) static PLACING: Placing = Placing::CODE;
/// The place of an empty element of a table.
pub(super) static OP_PLACE: OpPlace = OpPlace { registers: &[], placing: &PLACING, rest: &[] };

/// Returns the facts about places.
#[must_use]
pub const fn places<I: Isa, const N: usize, const M: usize>(
    rows: Rows<PlaceRow>,
    carriers: &[&[Carrier<I>]],
    classes: &[&[&ClassFacts<I>]],
    modifiers: &[Modifier; M],
) -> [PlaceFact; N] {
    const { assert!(M <= MAX_MODIFIERS, "a set has at most 128 modifiers") };
    let (mut names, mut i) = ([("", 0); M], 0);
    while i < M {
        names[i] = (modifiers[i].name, modifiers[i].name.len());
        i += 1;
    }
    let claims = Claims::of(&PLACING, "", &[]);
    let mut out = [PlaceFact {
        bits: FieldBits::NONE,
        placing: &PLACING,
        valid_codes: ValidCodes::NONE,
        is_unchecked: false,
        is_selector: false,
        is_dependent: false,
        has_list: false,
        has_claims: false,
        claims,
        selector_flag: NO_MODIFIER,
        flags: 0,
        op_places: 0,
    }; N];
    let (mut i, mut n_op_places) = (0, 0);
    while i < N {
        let PlaceRow { component, carrier: at, is_selector } = rows.get(i);
        let carrier = &carriers[component as usize][at as usize];
        let class = classes[component as usize][at as usize];
        let placing = class.placing;
        let claims = Claims::of(placing, carrier.name, &names);
        out[i] = PlaceFact {
            bits: carrier.bits,
            placing,
            valid_codes: class.valid_codes,
            is_unchecked: carrier.valid.is_none(),
            is_selector,
            is_dependent: class.dependent.is_some() || matches!(placing.count, Count::Sum(_)),
            has_list: !placing.list.is_empty(),
            has_claims: !claims.are_none(),
            claims,
            selector_flag: match placing.selector_flag {
                Some(name) => find(&names, name),
                None => NO_MODIFIER,
            },
            flags: class.depends.0 | flags(placing),
            op_places: n_op_places as u16,
        };
        n_op_places += out[i].op_place_count();
        i += 1;
    }
    out
}

impl Claims {
    /// Returns the modifiers that a placing names, for an operand of a name.
    const fn of(placing: &Placing, name: &str, names: &[(&str, usize)]) -> Claims {
        let mut claims = Claims {
            neg: [NO_MODIFIER; 2],
            abs: [NO_MODIFIER; 2],
            half: NO_CLAIM,
            present: NO_CLAIM,
            number: NO_CLAIM,
            list: 0,
        };
        let mut nth = 0;
        while nth < 2 {
            if nth < placing.neg.len() {
                claims.neg[nth] = find(names, placing.neg[nth].1.modifier);
            }
            if nth < placing.abs.len() {
                claims.abs[nth] = find(names, placing.abs[nth].1.modifier);
            }
            nth += 1;
        }
        if let HalfPlace::Modifier(BitOf { modifier, bit }) = placing.half {
            claims.half = (find(names, modifier), bit);
        }
        if let Some(BitOf { modifier, bit }) = placing.present {
            claims.present = (find(names, modifier), if bit == BitOf::LAST_DIGIT { last_digit(name) } else { bit });
        }
        if let Some(BitOf { modifier, bit }) = placing.number_bit {
            claims.number = (find(names, modifier), bit);
        }
        let mut nth = 0;
        while nth < placing.list.len() {
            claims.list |= mask((find(names, placing.list[nth]), 0));
            nth += 1;
        }
        claims
    }

    /// Returns whether there is no modifier.
    const fn are_none(&self) -> bool {
        // `NO_MODIFIER` has all bits, and no index has.
        let all = self.neg[0] & self.neg[1] & self.abs[0] & self.abs[1] & self.half.0 & self.present.0 & self.number.0;
        all == NO_MODIFIER && self.list == 0
    }
}

/// Returns the flags of rows on which a placing depends.
const fn flags(placing: &Placing) -> u128 {
    let mut flags =
        flags_of(placing.registers) | flags_of(placing.neg) | flags_of(placing.abs) | flags_of(placing.default);
    if let Some(place) = &placing.constants {
        flags |= flags_of(place.meaning);
    }
    if let Some(number) = &placing.number {
        flags |= flags_of(number.unsigned);
    }
    if let Count::Sum(sum) = placing.count {
        flags |= flags_of(sum.base);
    }
    flags
}

/// Returns the flags that cases test.
const fn flags_of<T>(cases: &[(Case, T)]) -> u128 {
    let (mut flags, mut i) = (0, 0);
    while i < cases.len() {
        if let Case::Flag(flag) = cases[i].0 {
            flags |= flag;
        }
        i += 1;
    }
    flags
}

/// Returns the index of a modifier by its name. `names` are those of all modifiers with their lengths.
const fn find(names: &[(&str, usize)], name: &str) -> u8 {
    let (mut i, count, len) = (0, names.len(), name.len());
    while i < count {
        if names[i].1 == len && same(names[i].0.as_bytes(), name.as_bytes()) {
            return i as u8;
        }
        i += 1;
    }
    NO_MODIFIER
}

/// Returns the terms that other fields add to the number of registers, for each of a component's carriers.
#[must_use]
pub const fn sums<I: Isa, const N: usize>(
    carriers: &[Carrier<I>; N],
    classes: &[&ClassFacts<I>; N],
) -> [[Term; CountSum::MOST]; N] {
    let mut out = [[Term::NONE; CountSum::MOST]; N];
    let mut i = 0;
    while i < N {
        if let Count::Sum(CountSum { terms, .. }) = classes[i].placing.count {
            let (mut nth, mut other) = (0, 0);
            while nth < terms.len() {
                if other < N && !same(carriers[other].name.as_bytes(), terms[nth].name.as_bytes()) {
                    other += 1;
                    continue;
                }
                if other < N {
                    out[i][nth] = Term::new(&carriers[other].bits, terms[nth].code, terms[nth].adds);
                }
                (nth, other) = (nth + 1, 0);
            }
        }
        i += 1;
    }
    out
}
