//! Places: the operands and modifiers of each component, with what encoding needs to know about their classes.

use isa_schema::{BitRange, ModifierStepRow, NO_BIT, OpPlaceRow, last_digit};

use super::super::modifiers::{Modifiers, NONE};
use super::super::selectors::selecting_codes;
use crate::ast::{Access, ClassContent, Clause, OperandClass};
use crate::interner::Interner;
use crate::lists::entry;
use crate::model::{Format, Operand, Set};
use crate::operand_tables::counts::Count;
use crate::operand_tables::facts::BitOf;
use crate::operand_tables::placing::{HalfPlace, Placing};
use crate::operand_tables::valid_codes::{Case, OperandContext, ValidCodes};

/// The facts about an operand class on which encoding depends.
pub(super) struct ClassFacts<'a> {
    pub(super) placing: Placing<'a>,
    /// The codes that the decoder accepts without a check.
    pub(super) codes: ValidCodes,
    /// Whether the operand depends on other fields.
    pub(super) is_dependent: bool,
}

impl<'a> ClassFacts<'a> {
    /// Returns the facts about a class. One that is not in the set's tables is a number that needs a check.
    fn new(set: &'a Set<'_>, class: &OperandClass) -> Self {
        let Some(codes) = set.classes.as_ref().and_then(|classes| classes.class(class)) else {
            return ClassFacts { placing: Placing::code(), codes: ValidCodes::NONE, is_dependent: false };
        };
        let placing = codes.placing(class.argument());
        let depends = codes.class.clauses.iter().any(|clause| matches!(clause, Clause::Depends(..)));
        let is_dependent = depends || matches!(placing.count, Count::Sum(..));
        // Encoders write 0 in a hidden modifier that the instruction does not use.
        let codes = if matches!(codes.class.content, ClassContent::Codes(_)) { codes.decoded() } else { codes.valid() };
        ClassFacts { placing, codes, is_dependent }
    }
}

/// An operand or a modifier of a component.
pub(super) struct Place<'a> {
    /// The component, counted through all formats.
    pub(super) component: u8,
    /// The index among the component's operands.
    pub(super) carrier: u8,
    /// The bits, the most significant range first.
    pub(super) bits: &'a [BitRange],
    /// The index of the class.
    class: usize,
    /// The modifier, or [`NONE`].
    pub(super) modifier: u8,
    /// The least and the greatest code that selects a suffix dword, if codes of the field do.
    pub(super) selecting_codes: Option<(u32, u32)>,
    /// The modifiers that hold bits of the operand.
    claims: Claims,
    /// Of a modifier: the modifier by which the second code that selects its suffix dword replaces the first, or [`NONE`].
    pub(super) selector_flag: u8,
}

/// A bit of a modifier that an operand has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct ClaimedBit {
    /// The index of the modifier, or [`NONE`].
    pub(super) modifier: u8,
    /// The number of the bit.
    pub(super) bit: u8,
}

impl ClaimedBit {
    pub(super) const NONE: ClaimedBit = ClaimedBit { modifier: NONE, bit: 0 };

    /// Returns the modifier as a bit.
    fn mask(self) -> u128 {
        if self.modifier == NONE { 0 } else { 1 << self.modifier }
    }
}

/// The modifiers that hold bits of an operand in all rows. The cases of signs are parallel to those of the class.
struct Claims {
    neg: Vec<ClaimedBit>,
    abs: Vec<ClaimedBit>,
    half: ClaimedBit,
    present: ClaimedBit,
    number: ClaimedBit,
    /// The modifiers with registers of a list, a bit each.
    list: u128,
}

/// The modifiers that hold bits of an operand in some rows.
#[derive(Clone, Copy)]
pub(super) struct RowClaims {
    pub(super) neg: ClaimedBit,
    pub(super) abs: ClaimedBit,
    pub(super) half: ClaimedBit,
    pub(super) present: ClaimedBit,
    pub(super) number: ClaimedBit,
    /// All these modifiers, a bit each, and those with registers of a list.
    pub(super) all: u128,
    /// Those without the half of a register, which remains a separate modifier.
    pub(super) set: u128,
}

/// The places of a set.
pub(super) struct Places<'a> {
    classes: Vec<ClassFacts<'a>>,
    /// The places of each component.
    of_components: Vec<Vec<Place<'a>>>,
    /// The flags by their bits in [`Shape::flags`](crate::model::Shape::flags).
    flags: &'a [String],
    /// What places of equal classes and bits share: the class, the lower ranges of the bits, and the case of the registers.
    op_places: Interner<(usize, Vec<BitRange>, u8)>,
    /// A row for each.
    pub(super) op_place_rows: Vec<OpPlaceRow>,
}

impl<'a> Places<'a> {
    /// Returns the places of a set.
    pub(super) fn new(set: &'a Set<'_>, modifiers: &Modifiers) -> Self {
        let mut places = Places {
            classes: Vec::new(),
            of_components: Vec::new(),
            flags: &set.flags,
            op_places: Interner::default(),
            op_place_rows: Vec::new(),
        };
        let mut class_names = Interner::default();
        for format in &set.formats {
            for component in &format.components {
                let nth = places.of_components.len() as u8;
                let operands = (0..).zip(&component.operands);
                let of_component = operands.map(|(carrier, operand)| {
                    let class = class_names.intern(&operand.class.text);
                    if class == places.classes.len() {
                        places.classes.push(ClassFacts::new(set, &operand.class));
                    }
                    let placing = &places.classes[class].placing;
                    Place::new((nth, carrier), format, operand, (class, placing), modifiers)
                });
                let of_component = of_component.collect();
                places.of_components.push(of_component);
            }
        }
        places
    }

    /// Returns the places of a component.
    pub(super) fn of(&self, component: usize) -> &[Place<'a>] {
        &self.of_components[component]
    }

    /// Returns the class of a place.
    pub(super) fn class(&self, place: &Place) -> &ClassFacts<'a> {
        &self.classes[place.class]
    }

    /// Returns the names of the flags of a row.
    pub(super) fn flags(&self, flags: u128) -> Vec<&'a str> {
        let names = self.flags.iter().enumerate().filter(|(bit, _)| flags >> bit & 1 == 1);
        names.map(|(_, name)| name.as_str()).collect()
    }

    /// Returns the index of the row that operands of a class in bits share, if the registers are those of a case.
    pub(super) fn op_place(&mut self, component: usize, operand: usize, case: u8) -> u16 {
        let place = &self.of_components[component][operand];
        let index = self.op_places.intern(&(place.class, place.rest().to_vec(), case));
        if index == self.op_place_rows.len() {
            let Place { component, carrier, .. } = *place;
            self.op_place_rows.push(OpPlaceRow { component, carrier, case });
        }
        index as u16
    }
}

impl<'a> Place<'a> {
    fn new(
        (component, carrier): (u8, u8),
        format: &Format,
        operand: &'a Operand,
        (class, placing): (usize, &Placing),
        modifiers: &Modifiers,
    ) -> Self {
        let selects = operand.field.is_some_and(|field| format.selector_fields.contains(&field));
        // A range without codes if no code selects a suffix dword.
        let selecting_codes = selects.then(|| {
            let all = || selecting_codes(format).into_iter().map(|(code, _)| code);
            (all().min().unwrap_or(u16::MAX.into()), all().max().unwrap_or(0))
        });
        let is_modifier = operand.access == Access::Modifier && !selects;
        Place {
            component,
            carrier,
            bits: &operand.bits,
            class,
            modifier: if is_modifier { modifiers.index(&operand.name) } else { NONE },
            selecting_codes,
            claims: Claims::new(placing, &operand.name, modifiers),
            selector_flag: placing.selector_flag.map_or(NONE, |name| modifiers.index(name)),
        }
    }

    /// Returns the most significant range of the bits.
    pub(super) fn first(&self) -> BitRange {
        self.bits.first().copied().unwrap_or(BitRange::NONE)
    }

    /// Returns the lower ranges of the bits.
    pub(super) fn rest(&self) -> &'a [BitRange] {
        self.bits.get(1..).unwrap_or_default()
    }

    /// Returns the modifiers that hold bits of the operand in the context of a row. `has_16_bits` says whether it may be the half of a
    /// register.
    pub(super) fn claims(&self, placing: &Placing, has_16_bits: bool, context: &OperandContext) -> RowClaims {
        let Claims { present, number, list, .. } = self.claims;
        let neg = sign(&placing.neg, &self.claims.neg, context);
        let abs = sign(&placing.abs, &self.claims.abs, context);
        let half = if has_16_bits { self.claims.half } else { ClaimedBit::NONE };
        let set = list | neg.mask() | abs.mask() | present.mask() | number.mask();
        RowClaims { neg, abs, half, present, number, all: set | half.mask(), set }
    }
}

/// Returns the bit of a sign in the first case that holds.
fn sign(cases: &[(Case, BitOf)], bits: &[ClaimedBit], context: &OperandContext) -> ClaimedBit {
    let found = cases.iter().zip(bits).find(|((case, _), _)| case.holds(context));
    found.map_or(ClaimedBit::NONE, |(_, bit)| *bit)
}

impl Claims {
    /// Returns the modifiers that a placing names, for an operand of a name.
    fn new(placing: &Placing, name: &str, modifiers: &Modifiers) -> Claims {
        let find = |of: &BitOf| ClaimedBit {
            modifier: modifiers.index(&of.modifier),
            bit: of.bit.unwrap_or_else(|| last_digit(name)),
        };
        let find_any = |of: Option<&BitOf>| of.map_or(ClaimedBit::NONE, find);
        let list = placing.list.iter().map(|name| ClaimedBit { modifier: modifiers.index(name), bit: 0 }.mask());
        Claims {
            neg: placing.neg.iter().map(|(_, bit)| find(bit)).collect(),
            abs: placing.abs.iter().map(|(_, bit)| find(bit)).collect(),
            half: match &placing.half {
                HalfPlace::Modifier(bit) => find(bit),
                HalfPlace::None | HalfPlace::Number => ClaimedBit::NONE,
            },
            present: find_any(placing.present.as_ref()),
            number: find_any(placing.number_bit.as_ref()),
            list: list.fold(0, |all, bit| all | bit),
        }
    }
}

/// The bits of the modifiers of an encoding variant.
pub(super) struct ModifierBits {
    /// The modifiers and their lowest bits.
    lowest: Vec<(u8, u8)>,
    /// The modifiers, a bit each.
    pub(super) all: u128,
    /// The bits of the modifiers of which the decoder accepts every code.
    pub(super) open: u64,
    /// The modifier that chooses the second code which selects a suffix dword, or [`NONE`].
    pub(super) selector_flag: u8,
}

impl ModifierBits {
    /// Returns the bits of the modifiers of a component with these steps.
    pub(super) fn new(places: &Places, component: usize, modifiers: &[ModifierStepRow]) -> Self {
        let mut bits = ModifierBits { lowest: Vec::new(), all: 0, open: 0, selector_flag: NONE };
        for step in modifiers {
            let place = &places.of(component)[usize::from(step.carrier)];
            if bits.selector_flag == NONE {
                bits.selector_flag = place.selector_flag;
            }
            if place.modifier == NONE {
                continue;
            }
            let first = place.first();
            entry(&mut bits.lowest, place.modifier, || first.lo);
            bits.all |= 1 << place.modifier;
            if step.is_open && place.rest().is_empty() && first.lo < 64 {
                bits.open |= u64::from(first.ones()) << first.lo;
            }
        }
        bits
    }

    /// Returns a bit of a modifier, or [`NO_BIT`] if the variant lacks it.
    pub(super) fn get(&self, ClaimedBit { modifier, bit }: ClaimedBit) -> u8 {
        self.lowest.iter().find(|(other, _)| *other == modifier).map_or(NO_BIT, |(_, lo)| lo + bit)
    }
}

/// Returns the value of the first case that holds.
pub(super) fn first_case<T: Copy>(cases: &[(Case, T)], context: &OperandContext) -> Option<T> {
    cases.iter().find_map(|(case, value)| case.holds(context).then_some(*value))
}
