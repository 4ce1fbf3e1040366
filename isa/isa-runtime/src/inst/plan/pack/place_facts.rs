//! The facts about the carriers of a component that plans depend on.

use crate::inst::Dependent;
use crate::inst::placing::{BitOf, Count, CountSum, HalfPlace, Placing};
use crate::inst::plan::{Range, Term};
use crate::operands::class::ClassFacts;
use crate::pack::same;
use crate::tables::{Bits, Carrier};
use crate::{Case, Isa, ValidCodes};

/// The facts about a carrier that plans depend on.
#[derive(Clone, Copy)]
pub struct PlaceFact {
    /// The name of the role or modifier.
    pub(super) name: &'static str,
    /// The bits.
    pub(in crate::inst::plan) range: Range,
    /// The placing of its class.
    pub(super) placing: &'static Placing,
    /// The codes that the decoder accepts without a check.
    pub(in crate::inst::plan) valid_codes: ValidCodes,
    /// The index of the first carrier of the same name.
    pub(super) id: u8,
    /// The ids of the modifiers that the placing names.
    pub(super) claims: Claims,
    /// The index in [`Isa::modifiers`], or `u8::MAX`.
    pub(super) modifier: u8,
    /// Whether it is a modifier whose code selects a suffix dword.
    pub(super) selects: bool,
    /// Whether its field has codes that select a suffix dword.
    pub(in crate::inst::plan) is_selector: bool,
    /// Whether the operand depends on other fields.
    pub(super) is_dependent: bool,
    /// Whether the placing names a modifier of the component.
    pub(super) has_claims: bool,
    /// The flags of rows on which the placing and the valid codes depend.
    pub(in crate::inst::plan) flags: u128,
}

/// The ids of the modifiers that hold bits of an operand; [`NO_CARRIER`] where there is none.
#[derive(Clone, Copy)]
pub(super) struct Claims {
    /// The sign, in the first two cases.
    pub(super) neg: [u8; 2],
    /// The absolute value, in the first two cases.
    pub(super) abs: [u8; 2],
    /// The half of a 16-bit register.
    pub(super) half: u8,
    /// The bit that is set unless the operand is switched off.
    pub(super) present: u8,
    /// The bit that is set if the operand's own bits hold an integer.
    pub(super) number: u8,
    /// The second and further registers of a list.
    pub(super) list: [u8; 4],
}

impl Claims {
    /// Returns whether there is no modifier.
    const fn are_none(&self) -> bool {
        let [a, b, c, d] = self.list;
        // `NO_CARRIER` has all bits, and no id has.
        let all = self.neg[0] & self.neg[1] & self.abs[0] & self.abs[1] & self.half & self.present & self.number;
        all & a & b & c & d == NO_CARRIER
    }
}

/// No carrier.
pub(super) const NO_CARRIER: u8 = u8::MAX;
/// The placing of an empty element of a table.
pub(super) static PLACING: Placing = Placing::CODE;
/// No modifiers.
const NO_CLAIMS: Claims = Claims {
    neg: [NO_CARRIER; 2],
    abs: [NO_CARRIER; 2],
    half: NO_CARRIER,
    present: NO_CARRIER,
    number: NO_CARRIER,
    list: [NO_CARRIER; 4],
};

/// Returns the facts about a component's carriers. `packed` has the index of each modifier, and two bits: whether it selects a
/// suffix dword, and whether codes of its field do.
#[must_use]
pub const fn place_facts<I: Isa, const N: usize>(
    carriers: &[Carrier<I>; N],
    kinds: &[&ClassFacts<I>; N],
    packed: &[[u8; 2]; N],
) -> [PlaceFact; N] {
    let none = PlaceFact {
        name: "",
        range: Range::NONE,
        placing: &PLACING,
        valid_codes: ValidCodes::NONE,
        id: 0,
        claims: NO_CLAIMS,
        modifier: u8::MAX,
        selects: false,
        is_selector: false,
        is_dependent: false,
        has_claims: false,
        flags: 0,
    };
    let mut out = [none; N];
    let mut i = 0;
    while i < N {
        out[i] = PlaceFact {
            name: carriers[i].name,
            range: range(&carriers[i].bits),
            placing: kinds[i].placing,
            valid_codes: kinds[i].valid_codes,
            modifier: packed[i][0],
            selects: packed[i][1] & 1 != 0,
            is_selector: packed[i][1] & 2 != 0,
            flags: kinds[i].depends.0 | flags(kinds[i].placing),
            is_dependent: kinds[i].dependent.is_some() || matches!(kinds[i].placing.count, Count::Sum(_)),
            ..none
        };
        i += 1;
    }
    resolve_names(&mut out);
    out
}

/// Returns the flags of rows on which a placing depends.
const fn flags(placing: &Placing) -> u128 {
    let mut flags =
        flags_of(placing.registers) | flags_of(placing.neg) | flags_of(placing.abs) | flags_of(placing.default);
    if let Some(place) = &placing.constants {
        flags |= flags_of(place.meaning);
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

/// Returns bits of a field as a [`Range`].
pub(super) const fn range(bits: &Bits) -> Range {
    let Bits { first, rest } = *bits;
    Range { lo: first.word() * 32 + first.lo(), width: first.width(), rest }
}

/// Resolves the names of carriers and modifiers to ids.
const fn resolve_names(facts: &mut [PlaceFact]) {
    let mut i = 0;
    while i < facts.len() {
        let id = find(facts, facts[i].name);
        let mut claims = NO_CLAIMS;
        let placing = facts[i].placing;
        let mut nth = 0;
        while nth < 2 {
            if nth < placing.neg.len() {
                claims.neg[nth] = find(facts, placing.neg[nth].1.modifier);
            }
            if nth < placing.abs.len() {
                claims.abs[nth] = find(facts, placing.abs[nth].1.modifier);
            }
            nth += 1;
        }
        if let HalfPlace::Modifier(BitOf { modifier, .. }) = placing.half {
            claims.half = find(facts, modifier);
        }
        if let Some(BitOf { modifier, .. }) = placing.present {
            claims.present = find(facts, modifier);
        }
        if let Some(BitOf { modifier, .. }) = placing.number_bit {
            claims.number = find(facts, modifier);
        }
        let mut nth = 0;
        while nth < placing.list.len() && nth < claims.list.len() {
            claims.list[nth] = find(facts, placing.list[nth]);
            nth += 1;
        }
        (facts[i].id, facts[i].claims, facts[i].has_claims) = (id, claims, !claims.are_none());
        i += 1;
    }
}

/// Returns the index of the first carrier of a name.
const fn find(facts: &[PlaceFact], name: &str) -> u8 {
    let mut i = 0;
    while i < facts.len() {
        if same(facts[i].name.as_bytes(), name.as_bytes()) {
            return i as u8;
        }
        i += 1;
    }
    NO_CARRIER
}

/// Returns the [`Dependent`] of each of a component's carriers, for classes whose encoding depends on other fields.
#[must_use]
pub const fn dependents<I: Isa, const N: usize>(kinds: &[&ClassFacts<I>; N]) -> [Option<Dependent<I>>; N] {
    let mut out: [Option<Dependent<I>>; N] = [const { None }; N];
    let mut i = 0;
    while i < N {
        out[i] = kinds[i].dependent;
        i += 1;
    }
    out
}

/// Returns the terms that other fields add to the number of registers, for each of a component's carriers.
#[must_use]
pub const fn sums<const N: usize>(facts: &[PlaceFact; N]) -> [[Term; CountSum::MOST]; N] {
    let mut out = [[Term::NONE; CountSum::MOST]; N];
    let mut i = 0;
    while i < N {
        if let Count::Sum(CountSum { terms, .. }) = facts[i].placing.count {
            let mut nth = 0;
            while nth < terms.len() {
                let id = find(facts, terms[nth].name);
                if id != NO_CARRIER {
                    out[i][nth] = Term::new(&facts[id as usize].range, terms[nth].code, terms[nth].adds);
                }
                nth += 1;
            }
        }
        i += 1;
    }
    out
}
