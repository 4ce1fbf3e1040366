//! The steps of operands: where an operand of a type goes, in a row with some flags.

use isa_body::{Class, Type};
use isa_schema::{ConstantEncoding, FastStepRow, NO_BIT, OpStepRow};

use super::fast_steps::{Accepted, NO_CODES, fast_step};
use super::places::{ClaimedBit, ClassFacts, ModifierBits, Place, Places, RowClaims, first_case};
use crate::ast::DwordsBase;
use crate::lists::entry;
use crate::model::BoundOperand;
use crate::operand_tables::counts::Count;
use crate::operand_tables::placing::{HalfPlace, NumberPlace};
use crate::operand_tables::valid_codes::{Case, OperandContext};
use crate::spanned::SpannedStr;

/// The steps of an operand.
#[derive(Clone)]
pub(super) struct OperandSteps {
    pub(super) step: OpStepRow,
    pub(super) fast: FastStepRow,
}

/// An operand without the bits of modifiers.
#[derive(Clone)]
struct Base {
    steps: OperandSteps,
    claims: RowClaims,
    /// Whether the fast path can place the operand's signs.
    is_simple: bool,
}

/// The operands of all lists.
#[derive(Default)]
pub(super) struct OperandBases {
    /// The operands that have been computed, by the component, the operand, its type and the row's flags.
    all: Vec<((usize, usize, Type, u128), Base)>,
}

/// The facts about the operands of a list.
pub(super) struct ListOperands {
    pub(super) steps: Vec<OperandSteps>,
    /// The modifiers of the list that operands set, a bit each.
    pub(super) claimed: u128,
    /// The modifier that has the halves of registers.
    pub(super) halves: ClaimedBit,
    /// Its bits that are such halves.
    pub(super) half_bits: u32,
    /// The number of operands without those that the encoding implies.
    pub(super) explicit: u8,
    /// The operands whose number of registers is a sum, a bit each.
    pub(super) sums: u8,
    /// Whether an operand is a list.
    pub(super) has_list: bool,
    /// Whether an operand depends on other fields.
    pub(super) is_dependent: bool,
    /// Whether an operand depends on other fields in another way than by a sum.
    pub(super) depends_otherwise: bool,
}

impl ListOperands {
    /// Returns the steps of the operands of a component, in a row with these flags. `bits` are those of the variant's modifiers.
    pub(super) fn new(
        places: &mut Places,
        bases: &mut OperandBases,
        component: usize,
        operands: &[BoundOperand],
        bits: &ModifierBits,
        flags: u128,
    ) -> Self {
        let mut list = ListOperands {
            steps: Vec::new(),
            claimed: 0,
            halves: ClaimedBit::NONE,
            half_bits: 0,
            explicit: 0,
            sums: 0,
            has_list: false,
            is_dependent: false,
            depends_otherwise: false,
        };
        for (at, bound) in (0..).zip(operands) {
            let base = bases.base(places, component, bound, flags);
            let mut steps = base.steps.clone();
            steps.step.bound = at;
            if base.claims.all & bits.all != 0 {
                steps.add_modifiers(base, bits);
                list.claimed |= base.claims.set & bits.all;
                let half = base.claims.half;
                if half != ClaimedBit::NONE && steps.step.half != OpStepRow::HALF_IN_NUMBER {
                    (list.halves, list.half_bits) = (half, list.half_bits | 1 << half.bit);
                }
            }
            list.explicit += u8::from(!steps.step.is(OpStepRow::IS_IMPLIED));
            list.add_class(places.class(&places.of(component)[bound.operand]), at);
            list.steps.push(steps);
        }
        list
    }

    /// Adds what the class of the operand `at` says.
    fn add_class(&mut self, class: &ClassFacts, at: u8) {
        self.has_list |= !class.placing.list.is_empty();
        self.is_dependent |= class.is_dependent;
        if class.is_dependent && matches!(class.placing.count, Count::Sum(..)) && at < 8 {
            self.sums |= 1 << at;
        } else {
            self.depends_otherwise |= class.is_dependent;
        }
    }
}

impl OperandSteps {
    /// Sets the bits of modifiers that belong to the operand.
    fn add_modifiers(&mut self, base: &Base, bits: &ModifierBits) {
        let RowClaims { neg, abs, half, present, number, .. } = base.claims;
        let OperandSteps { step, fast } = self;
        (step.neg, step.abs) = (bits.get(neg), bits.get(abs));
        (step.present, step.number_bit) = (bits.get(present), bits.get(number));
        if bits.get(half) != NO_BIT {
            step.half = bits.get(half);
        }
        if base.is_simple {
            let open = |bit: u8| if bit < 64 && bits.open >> bit & 1 == 1 { bit } else { NO_BIT };
            (fast.neg, fast.abs) = (open(step.neg), open(step.abs));
        }
        if step.present != NO_BIT {
            // A modifier has a bit that the fast path does not set.
            let FastStepRow { place, lo, width, flags, .. } = *fast;
            let flags = flags & (FastStepRow::IMPLIED | FastStepRow::OPEN);
            *fast = FastStepRow { place, lo, width, flags, ..NO_CODES };
        } else if step.number_bit != NO_BIT {
            (fast.low_bits, fast.high_bits) = (0, 0);
        }
    }
}

impl OperandBases {
    /// Returns an operand of a component without the bits of modifiers, in a row with these flags.
    fn base(&mut self, places: &mut Places, component: usize, bound: &BoundOperand, flags: u128) -> &Base {
        entry(&mut self.all, (component, bound.operand, bound.ty, flags), || base(places, component, bound, flags))
    }
}

/// Computes an operand of a component without the bits of modifiers, in a row with these flags.
fn base(places: &mut Places, component: usize, bound: &BoundOperand, flags: u128) -> Base {
    let &BoundOperand { operand, ty, .. } = bound;
    let has_16_bits = ty.class() != Class::Mask && ty.total_bits() == 16;
    let flags = places.flags(flags);
    let has_flag = |name: &str| flags.contains(&name);
    let context = OperandContext { ty, has_flag: &has_flag, mode: None };
    let case = {
        let place = &places.of(component)[operand];
        let registers = &places.class(place).placing.registers;
        registers.iter().position(|(case, _)| case.holds(&context)).unwrap_or(registers.len())
    };
    let op_place = places.op_place(component, operand, case as u8);
    let place = &places.of(component)[operand];
    let class = places.class(place);
    let placing = &class.placing;
    let (step_flags, meaning) = step_flags(place, class, &context);
    let half = match placing.half {
        HalfPlace::Number | HalfPlace::Modifier(_) if has_16_bits => OpStepRow::HALF_IN_NUMBER,
        _ => NO_BIT,
    };
    let step = OpStepRow {
        place: op_place,
        ty,
        constant_type: meaning.of_type(ty),
        first: place.first(),
        dwords: dwords(&placing.count, &context),
        number_bit: NO_BIT,
        present: NO_BIT,
        half,
        neg: NO_BIT,
        abs: NO_BIT,
        bound: 0,
        carrier: operand as u8,
        flags: step_flags,
    };
    // The slow path places operands of several bit ranges, and those that have further bits besides signs.
    let is_simple = place.rest().is_empty() && step.first.lo < 64 && half == NO_BIT;
    let registers = placing.registers.get(case).map(|(_, registers)| registers.as_slice()).unwrap_or_default();
    let accepted = Accepted::new(place, class, &context);
    let fast = fast_step(&step, placing, registers, is_simple, &accepted);
    let claims = place.claims(placing, has_16_bits, &context);
    Base { steps: OperandSteps { step, fast }, claims, is_simple }
}

/// Returns the flags of a step, and what constants mean.
fn step_flags(place: &Place, class: &ClassFacts, context: &OperandContext) -> (u8, ConstantEncoding) {
    let (placing, mut flags, mut meaning) = (&class.placing, 0, ConstantEncoding::Type);
    if let Some(constants) = &placing.constants {
        meaning = first_case(&constants.meaning, context).unwrap_or(meaning);
        match meaning {
            ConstantEncoding::BothHalves => flags |= OpStepRow::BOTH_HALVES,
            ConstantEncoding::Literal => flags |= OpStepRow::IS_LITERAL,
            _ => {}
        }
        // Constants are valid in all modes or in none.
        let valid = class.codes.of(&OperandContext { mode: Some(0), ..*context });
        if meaning == ConstantEncoding::Literal || constants.are_in(valid) {
            flags |= OpStepRow::TAKES_CONSTANTS;
        }
    }
    let is_unsigned = |number: &NumberPlace| number.unsigned.iter().any(|(case, _)| case.holds(context));
    let by_mode = match &placing.count {
        Count::Part(_) => true,
        Count::Type(by_mode) => context.ty.class() == Class::Mask && !by_mode.is_empty(),
        Count::Fixed(_) | Count::Dependent | Count::Sum(..) => false,
    };
    for (flag, is_set) in [
        (OpStepRow::IS_UNSIGNED, placing.number.as_ref().is_some_and(is_unsigned)),
        (OpStepRow::IS_IMPLIED, place.bits.is_empty()),
        (OpStepRow::IS_DEPENDENT, class.is_dependent),
        (OpStepRow::BY_MODE, by_mode),
    ] {
        flags |= if is_set { flag } else { 0 };
    }
    (flags, meaning)
}

/// Returns the number of registers, unless the mode or other fields decide it.
fn dwords(count: &Count, context: &OperandContext) -> u8 {
    match count {
        Count::Fixed(count) => *count,
        Count::Sum(sum, _) => {
            let holds = |flag: &Option<SpannedStr>| Case::of_flag(flag.as_ref()).holds(context);
            match sum.base.iter().find(|(flag, _)| holds(flag)) {
                Some((_, DwordsBase::Fixed(count))) => *count,
                Some((_, DwordsBase::Type)) => context.ty.dwords(),
                Some((_, DwordsBase::Lanes)) => context.ty.lanes(),
                None => 0,
            }
        }
        Count::Type(_) | Count::Part(_) | Count::Dependent => context.ty.dwords(),
    }
}
