//! The steps of the fast path: for each operand the registers and constants whose codes the decoder accepts regardless of the other
//! fields, and for each modifier the bits that it moves. An instruction that has only such codes need not be decoded again.

use isa_schema::{FastModifier, FastStepRow, ModifierStepRow, NO_BIT, OpStepRow};

use super::super::modifiers::{Modifiers, NONE};
use super::places::{ClassFacts, Place};
use crate::operand_tables::counts::Count;
use crate::operand_tables::placing::{Placing, RegisterPlace};
use crate::operand_tables::valid_codes::{OperandContext, ValidCodes};

/// The codes of an operand that the decoder accepts in all modes.
pub(super) struct Accepted<'a> {
    codes: Option<&'a ValidCodes>,
    /// The greatest code of the field.
    greatest: u32,
    /// The least and the greatest code that can select a suffix dword, if any can.
    selecting_codes: Option<(u32, u32)>,
}

impl<'a> Accepted<'a> {
    /// Returns the codes that the decoder accepts for an operand.
    pub(super) fn new(place: &Place, class: &'a ClassFacts, context: &OperandContext) -> Self {
        Accepted {
            codes: if place.bits.is_empty() { Some(&ValidCodes::All) } else { class.codes.of(context) },
            greatest: place.first().ones(),
            selecting_codes: place.selecting_codes,
        }
    }

    /// Returns whether the decoder accepts all codes from `first` to `last`.
    fn covers(&self, first: u32, last: u32) -> bool {
        let selects = self.selecting_codes.is_some_and(|(least, greatest)| first <= greatest && least <= last);
        !selects && self.codes.is_some_and(|codes| codes.covers(first, last))
    }

    /// Returns whether the decoder accepts each `by`th code from `first` to `last`.
    fn covers_each(&self, first: u32, last: u32, by: u32) -> bool {
        self.covers(first, last) || (first..=last).step_by(by as usize).all(|code| self.covers(code, code))
    }
}

/// The step of an operand that the slow path places.
pub(super) const NO_CODES: FastStepRow = FastStepRow {
    first: u8::MAX,
    second: u8::MAX,
    off: FastStepRow::NO_CODE,
    neg: NO_BIT,
    abs: NO_BIT,
    ..FastStepRow::ZERO
};

/// Returns the step of an operand on the fast path, without the bits of modifiers.
pub(super) fn fast_step(
    step: &OpStepRow,
    placing: &Placing,
    registers: &[RegisterPlace],
    is_simple: bool,
    accepted: &Accepted,
) -> FastStepRow {
    let mut fast = FastStepRow { place: step.place, lo: step.first.lo, width: step.first.width, ..NO_CODES };
    if step.is(OpStepRow::IS_IMPLIED) {
        fast.flags |= FastStepRow::IMPLIED;
    }
    if accepted.covers(0, accepted.greatest) {
        fast.flags |= FastStepRow::OPEN;
    }
    if !is_simple {
        return fast;
    }
    if matches!(placing.count, Count::Sum(..)) {
        // The fast path checks the number of registers when all fields are placed.
        let least = step.dwords.max(1);
        if let [place] = registers {
            set_groups(&mut fast, [least, least + 1].map(|count| Group::new(step, (0, place), count, accepted)));
        }
    } else if !step.is(OpStepRow::IS_DEPENDENT) && !step.is(OpStepRow::BY_MODE) {
        let groups = frequent(registers).map(|place| {
            let (_, registers) = place?;
            Group::new(step, place?, if registers.any_count { 0 } else { step.dwords }, accepted)
        });
        set_groups(&mut fast, groups);
        let is_accepted = |place: &RegisterPlace| {
            let (code, count) = (u32::from(place.code), u32::from((place.last - place.first) >> place.shift));
            accepted.covers(code, code + count)
        };
        if registers.iter().all(is_accepted) {
            fast.flags |= FastStepRow::ALL_REGISTERS;
        }
    }
    if let Some(off) = placing.off.filter(|off| accepted.covers((*off).into(), (*off).into())) {
        fast.off = off;
    }
    match &placing.constants {
        Some(constants) if !step.is(OpStepRow::IS_LITERAL) => {
            for range in &constants.integers {
                let (code, last) = (u32::from(range.code), range.last);
                if range.first == 0 && 0 < last && accepted.covers(code, code + last as u32) {
                    (fast.integer, fast.integers) = (range.code, last as u16 + 1);
                }
            }
        }
        Some(_) => {}
        None => (fast.low_bits, fast.high_bits) = number_bits(step, placing, accepted),
    }
    fast
}

/// Returns `low_bits` and `high_bits` of [`FastStepRow`], if the decoder accepts all numbers of the operand.
fn number_bits(step: &OpStepRow, placing: &Placing, accepted: &Accepted) -> (u8, u8) {
    let Some(number) = &placing.number else { return (0, 0) };
    let (low, high) = (if step.is(OpStepRow::IS_UNSIGNED) { 0 } else { number.low }, number.high);
    let is_range = number.shift == 0 && 0 < high && high < 1 << 32 && high & (high + 1) == 0;
    if !is_range || low > 0 || low & -low != -low || !accepted.covers(0, step.first.ones()) {
        return (0, 0);
    }
    let low_bits = if low == 0 { 0 } else { (-low).trailing_zeros() as u8 };
    let high_bits = (high + 1).trailing_zeros() as u8;
    if high_bits > step.first.width || low_bits >= step.first.width || low == -1 {
        (0, 0)
    } else {
        (low_bits, high_bits)
    }
}

/// Returns the two places with the most frequent registers, each with its index. These are the largest place and the next one if it is
/// large too, otherwise a place of any count, such as a register of zeros.
fn frequent<'a, 'b>(places: &'a [RegisterPlace<'b>]) -> [Option<(u8, &'a RegisterPlace<'b>)>; 2] {
    const LARGE: u16 = 64;
    let size = |place: &RegisterPlace| place.last - place.first + 1;
    let mut by_size: Vec<(u8, &RegisterPlace)> = (0..).zip(places).collect();
    by_size.sort_by_key(|(_, place)| std::cmp::Reverse(size(place)));
    let (first, second) = (by_size.first().copied(), by_size.get(1).copied());
    let any = (0..).zip(places).find(|(_, place)| place.any_count && place.first == 0);
    let is_large = second.is_some_and(|(_, place)| size(place) >= LARGE);
    [first, if is_large { second } else { any.or(second) }]
}

/// A group of registers that the fast path places.
struct Group {
    /// The index of the place.
    place: u8,
    /// How many registers the operand has.
    count: u8,
    /// The greatest number of the first of them.
    last: u16,
    /// The bits of this number that must be 0.
    zeros: u8,
}

impl Group {
    /// Returns the `count` registers of a place, if the decoder accepts all of them.
    fn new(step: &OpStepRow, (nth, place): (u8, &RegisterPlace), count: u8, accepted: &Accepted) -> Option<Self> {
        let (code, by) = (u32::from(place.code), u32::from(place.alignment(count)));
        let accepts = |last: u32| accepted.covers_each(code, code + (last >> place.shift), by >> place.shift);
        let last = u32::from(place.last);
        // The registers of a wide operand end in the file.
        let last_of_wide = (last + 1).saturating_sub(count.max(1).into());
        let last = [last, last_of_wide].into_iter().find(|last| accepts(*last))?;
        let is_in_field = step.first.width > 0 && code + (last >> place.shift) <= step.first.ones();
        let is_placed = place.first == 0 && is_in_field;
        is_placed.then_some(Group { place: nth, count, last: last as u16, zeros: by as u8 - 1 })
    }
}

/// Sets the groups of registers of a step.
fn set_groups(fast: &mut FastStepRow, [first, second]: [Option<Group>; 2]) {
    if let Some(Group { place, count, last, zeros }) = first {
        (fast.first, fast.first_count, fast.first_last, fast.first_zeros) = (place, count, last, zeros);
    }
    if let Some(Group { place, count, last, zeros }) = second {
        (fast.second, fast.second_count, fast.second_last, fast.second_zeros) = (place, count, last, zeros);
    }
}

/// Returns the step of a modifier on the fast path.
pub(super) fn fast_modifier(step: &ModifierStepRow, place: &Place, modifiers: &Modifiers) -> FastModifier {
    if step.modifier == NONE {
        return FastModifier::ZERO;
    }
    let (modifier, range) = (modifiers.get(step.modifier), place.first());
    let mask = modifier.placed_mask();
    if !place.rest().is_empty() || range.lo >= 64 || modifier.width < range.width {
        // The guard never equals the presence.
        return FastModifier { mask, guard: mask, ..FastModifier::ZERO };
    }
    let field = range.ones();
    FastModifier {
        mask,
        guard: mask & !(u64::from(field) << modifier.lo),
        presence: modifier.presence(),
        flip: u64::from((modifier.value_of_zero() ^ step.default) & field) << range.lo,
        rotation: range.lo.wrapping_sub(modifier.lo) & 63,
        is_open: step.is_open,
    }
}

#[cfg(test)]
mod tests {
    use isa_body::{Class, Type};
    use isa_schema::BitRange;
    use proc_macro2::Span;

    use super::*;
    use crate::operand_tables::placing::NumberPlace;
    use crate::spanned::SpannedStr;

    fn step(width: u8) -> OpStepRow {
        let ty = Type::new(Class::Bits, 32, 1);
        let first = BitRange { lo: 9, width };
        OpStepRow { ty, constant_type: ty, first, dwords: 1, half: NO_BIT, ..OpStepRow::ZERO }
    }

    fn registers(file: &SpannedStr, last: u16, code: u16, is_aligned: bool) -> RegisterPlace<'_> {
        RegisterPlace { file, first: 0, last, code, shift: 0, any_count: false, has_halves: false, is_aligned }
    }

    fn accepted(codes: &ValidCodes, width: u8) -> Accepted<'_> {
        Accepted { codes: Some(codes), greatest: BitRange { lo: 9, width }.ones(), selecting_codes: None }
    }

    #[test]
    fn registers_are_those_that_the_decoder_accepts() {
        let file = SpannedStr::new("sgpr".into(), Span::call_site());
        let place = registers(&file, 105, 0, true);
        let even = ValidCodes::only((0..=104).step_by(2).map(|code| (code, code)));
        let pair = Group::new(&step(8), (3, &place), 2, &accepted(&even, 8)).expect("all pairs");
        assert_eq!((pair.place, pair.count, pair.last, pair.zeros), (3, 2, 105, 1));
        assert!(Group::new(&step(8), (3, &place), 1, &accepted(&even, 8)).is_none(), "odd registers are invalid");
        // Four registers end in the file.
        let fours = ValidCodes::only((0..=100).step_by(4).map(|code| (code, code)));
        let four = Group::new(&step(8), (0, &place), 4, &accepted(&fours, 8)).expect("all groups of four");
        assert_eq!((four.last, four.zeros), (102, 3));
        assert!(Group::new(&step(6), (0, &place), 1, &accepted(&ValidCodes::All, 6)).is_none(), "the field is narrow");
    }

    #[test]
    fn codes_that_select_a_suffix_dword_are_left_to_the_slow_path() {
        let all = Accepted { selecting_codes: Some((233, 255)), ..accepted(&ValidCodes::All, 9) };
        assert!(all.covers(0, 232) && all.covers(256, 511));
        assert!(!all.covers(0, 233) && !all.covers(255, 256) && !all.covers(240, 240));
        assert!(all.covers_each(0, 232, 2) && !all.covers_each(200, 300, 40));
        assert!(!Accepted { codes: None, ..all }.covers(0, 0));
    }

    #[test]
    fn the_most_frequent_registers_come_first() {
        let file = SpannedStr::new("file".into(), Span::call_site());
        let of = |all: &[RegisterPlace]| frequent(all).map(|place| place.map(|(nth, _)| nth));
        let [large, small] = [105, 15].map(|last| registers(&file, last, 0, false));
        assert_eq!(of(&[]), [None, None]);
        assert_eq!(of(&[small, large]), [Some(1), Some(0)]);
        let null = RegisterPlace { any_count: true, ..registers(&file, 0, 124, false) };
        let [large, small] = [105, 15].map(|last| registers(&file, last, 0, false));
        assert_eq!(
            of(&[large, small, null]),
            [Some(0), Some(2)],
            "a register of zeros is more frequent than few others"
        );
    }

    #[test]
    fn numbers_are_ranges_of_bits() {
        let of = |low, high, width| {
            let number = NumberPlace { low, high, shift: 0, signed: None, rule: String::new(), unsigned: Vec::new() };
            let placing = Placing { number: Some(number), ..Placing::code() };
            number_bits(&step(width), &placing, &accepted(&ValidCodes::All, width))
        };
        assert_eq!(of(0, 255, 8), (0, 8));
        assert_eq!(of(-256, 255, 9), (8, 8));
        assert_eq!(of(0, 255, 7), (0, 0), "the field is narrow");
        assert_eq!(of(0, 200, 8), (0, 0), "not all codes are numbers");
        assert_eq!(of(-1, 255, 9), (0, 0));
    }
}
