//! Tables of the fast path of encoding (`lower::fast`): the first plan of each row, for each operand the registers and constants
//! whose codes the decoder accepts regardless of the other fields, and for each modifier the bits that it moves.
//!
//! Constant evaluation compares these codes with [`Operand::VALID_CODES`](crate::Operand::VALID_CODES). An instruction that has
//! only such codes need not be decoded again.

use super::const_tables::{PlaceFact, PlanSource};
use super::{IS_DEPENDENT, IS_IMPLIED, IS_LITERAL, ModifierStep, NO_BIT, OpStep};
use crate::class::placing::RegisterPlace;
use crate::tables::{FieldBits, Run};
use crate::{Type, ValidCodes};

/// No registers, or no code.
pub(crate) const NONE: u16 = u16::MAX;

/// Registers of one file, as many as the operand has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HotRegisters {
    /// The code of register 0, in the bits of the field.
    code: u64,
    /// The file, and in the upper byte the count: the lowest bits of an [`Op`](crate::Op). No file is [`NONE`].
    key: u16,
    /// The greatest number of the first register. The least is 0.
    last: u16,
    /// The bits of the number that must be 0.
    zeros: u8,
    /// How far left the number is rotated: the lowest bit of the field, less the bits of the number that the code lacks. Those are 0,
    /// so that the rotation may be by a negative count.
    rotation: u8,
}

impl HotRegisters {
    const NONE: HotRegisters = HotRegisters { code: 0, key: NONE, last: 0, zeros: 0, rotation: 0 };

    /// Returns the field for registers, which are given as the bits of an [`Op`](crate::Op).
    #[inline(always)]
    pub(crate) const fn place(&self, op: u64) -> Option<u64> {
        // The file and the count are above the number in the word: one comparison is enough.
        let number = op.wrapping_sub(self.key as u64).rotate_left(32);
        if number > self.last as u64 || number & self.zeros as u64 != 0 {
            return None;
        }
        Some(self.code + number.rotate_left(self.rotation as u32))
    }
}

/// An operand of a plan. It has no pointers, so that two share a cache line and loading a program relocates none.
#[derive(Clone, Copy, Debug)]
pub struct FastStep {
    /// The two largest groups of registers.
    pub(crate) hot: [HotRegisters; 2],
    /// The code of the inline integer 0.
    pub(crate) integer: u16,
    /// The number of inline integers from 0 up; 0 if there are none.
    pub(crate) integers: u16,
    /// The code of an operand that is switched off, or [`NONE`].
    pub(crate) off: u16,
    /// The register files that the operand can be in, a bit each.
    pub(crate) files: u16,
    /// The lowest bit of the field.
    pub(crate) lo: u8,
    /// The bit of the sign, or [`NO_BIT`].
    pub(crate) neg: u8,
    /// The bit of the absolute value, or [`NO_BIT`].
    pub(crate) abs: u8,
    pub(crate) flags: u8,
    /// The field holds numbers from -2^`low_bits` to -1; none if it is 0.
    pub(crate) low_bits: u8,
    /// The field holds numbers from 0 to 2^`high_bits` - 1; none if it is 0.
    pub(crate) high_bits: u8,
    /// The width of the field.
    pub(crate) width: u8,
}

/// The operand has no bits, and may be left out.
pub(crate) const IMPLIED: u8 = 1;
/// The decoder accepts every register that the operand can be.
pub(crate) const ALL_REGISTERS: u8 = 2;
/// The decoder accepts every code.
pub(crate) const OPEN: u8 = 4;

impl FastStep {
    pub(super) const NONE: FastStep = FastStep {
        hot: [HotRegisters::NONE; 2],
        integer: 0,
        integers: 0,
        off: NONE,
        files: 0,
        lo: 0,
        neg: NO_BIT,
        abs: NO_BIT,
        flags: 0,
        low_bits: 0,
        high_bits: 0,
        width: 0,
    };

    /// Leaves the operand to the slow path: a modifier has a bit that the fast path does not set.
    pub(super) const fn decline(&mut self) {
        let (lo, width, files, flags) = (self.lo, self.width, self.files, self.flags & (IMPLIED | OPEN));
        *self = FastStep { lo, width, files, flags, ..FastStep::NONE };
    }

    /// Whether it has a flag.
    #[inline(always)]
    pub(crate) const fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Whether the operand can be in a register file.
    #[inline(always)]
    pub(crate) const fn has_file(&self, file: u8) -> bool {
        file > 15 || self.files >> file & 1 == 1
    }
}

/// A modifier of a plan: how its bits move from an [`Inst`](crate::Inst) to the instruction.
#[derive(Clone, Copy, Debug)]
pub struct FastModifier {
    /// The bits of [`Inst`](crate::Inst) that hold it, or 0 if operands tell it.
    pub(crate) mask: u64,
    /// The bits of `mask` that are not the value's. The fast path places the modifier if they equal `presence`.
    pub(crate) guard: u64,
    /// The bit that says that the modifier is stated, if it has one.
    pub(crate) presence: u64,
    /// The difference between its default and the value 0 of [`Inst`](crate::Inst), in the bits of the field.
    pub(crate) flip: u64,
    /// How far left the value is rotated.
    pub(crate) rotation: u8,
    /// Whether the decoder accepts every code.
    pub(crate) is_open: bool,
}

impl FastModifier {
    pub(super) const NONE: FastModifier =
        FastModifier { mask: 0, guard: 0, presence: 0, flip: 0, rotation: 0, is_open: false };
}

/// Returns the step of a modifier on the fast path.
pub(super) const fn fast_modifier(source: &PlanSource<'_>, step: &ModifierStep) -> FastModifier {
    if step.modifier == u8::MAX {
        return FastModifier::NONE;
    }
    let (modifier, FieldBits { first: range, rest }) = (source.modifiers[step.modifier as usize], step.bits);
    let mask = modifier.mask();
    if !rest.is_empty() || range.lo >= 64 || modifier.width < range.width {
        // The guard never equals the presence.
        return FastModifier { mask, guard: mask, ..FastModifier::NONE };
    }
    let field = range.ones();
    FastModifier {
        mask,
        guard: mask & !((field as u64) << modifier.lo),
        presence: modifier.presence() << modifier.lo,
        flip: (((modifier.default ^ step.default) & field) as u64) << range.lo,
        rotation: range.lo.wrapping_sub(modifier.lo) & 63,
        is_open: step.is_open,
    }
}

/// The first plan of a row in a format.
#[derive(Clone, Copy, Debug)]
pub struct FastPlan {
    /// The fixed bits, the opcode, and the defaults of modifiers.
    pub(crate) words: u64,
    /// All modifiers that it has.
    pub(crate) modifiers: u64,
    /// The modifiers that the row's other plans require.
    pub(crate) others: u64,
    pub(crate) steps: Run,
    pub(crate) modifier_steps: Run,
    /// The format as [`Pin`](crate::inst::Pin) has it.
    pub(crate) format: u8,
    /// The suffix dword as [`Pin`](crate::inst::Pin) has it.
    pub(crate) suffix_dword: u8,
    /// The length in dwords without a selected literal.
    pub(crate) len: u8,
    /// The dword of a literal that an operand selects; 0 if there can be none.
    pub(crate) literal: u8,
    /// The number of operands without those that the encoding implies.
    pub(crate) explicit: u8,
    /// The number of the component among those of all formats.
    pub(crate) component: u8,
    pub(crate) flags: u8,
    /// The operands whose number of registers is a [`CountSum`](crate::inst::CountSum), a bit each.
    pub(crate) sums: u8,
}

/// The plan belongs to the second instruction of dual-issue pairs.
pub(crate) const IS_SECOND: u8 = 1;
/// The fast path can encode by the plan.
pub(crate) const IS_FAST: u8 = 2;
/// The decoder accepts the defaults of all modifiers.
pub(crate) const IS_VALID: u8 = 4;
/// Each of the row's other plans requires a modifier.
pub(crate) const OTHERS_REQUIRE_MODIFIERS: u8 = 8;

impl FastPlan {
    pub(super) const NONE: FastPlan = FastPlan {
        words: 0,
        modifiers: 0,
        others: 0,
        steps: Run::NONE,
        modifier_steps: Run::NONE,
        format: 0,
        suffix_dword: 0,
        len: 0,
        literal: 0,
        explicit: 0,
        component: 0,
        flags: 0,
        sums: 0,
    };

    /// Whether it has a flag.
    #[inline(always)]
    pub(crate) const fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Returns the index of the format.
    #[inline(always)]
    pub(crate) const fn format_index(&self) -> u8 {
        self.format.wrapping_sub(1)
    }
}

/// The codes of an operand that the decoder accepts.
pub(super) struct Accepted {
    /// All codes.
    all: bool,
    codes: ValidCodes,
    /// One more than the greatest code of the field if the decoder accepts all of them, otherwise 0.
    end: u64,
    /// The least and the greatest code that can select a suffix dword, if any can.
    selectors: Option<(u16, u16)>,
}

impl Accepted {
    /// Returns the codes that the decoder accepts for an operand of a type, in a row with these flags.
    pub(super) const fn new(source: &PlanSource<'_>, place: &PlaceFact, ty: Type, flags: u128, component: u8) -> Self {
        let codes = place.valid_codes.of_any_mode(ty, flags);
        let selectors = if place.is_selector { Some(source.formats[component as usize].selectors) } else { None };
        let mut accepted = Accepted { all: place.is_unchecked, codes, end: 0, selectors };
        let greatest = place.bits.first.ones();
        if accepted.covers(0, greatest) {
            accepted.end = greatest as u64 + 1;
        }
        accepted
    }

    /// Returns whether a code from `first` to `last` can select a suffix dword.
    const fn may_select(&self, first: u32, last: u32) -> bool {
        match self.selectors {
            Some((least, greatest)) => first <= greatest as u32 && least as u32 <= last,
            None => false,
        }
    }

    /// Returns whether the decoder accepts all codes from `first` to `last`.
    const fn covers(&self, first: u32, last: u32) -> bool {
        (last as u64) < self.end || !self.may_select(first, last) && (self.all || self.codes.covers(first, last))
    }

    /// Returns whether the decoder accepts each `by`th code from `first` to `last`.
    const fn covers_each(&self, first: u32, last: u32, by: u32) -> bool {
        if self.covers(first, last) {
            return true;
        }
        if by == 1 || self.all {
            return false;
        }
        match self.codes {
            ValidCodes::Only(set) | ValidCodes::With(set)
                if by.is_power_of_two() && by <= 64 && last < 512 && !self.may_select(first, last) =>
            {
                set.has_each(first, last, by)
            }
            _ => self.covers_one_by_one(first, last, by),
        }
    }

    const fn covers_one_by_one(&self, first: u32, last: u32, by: u32) -> bool {
        let mut code = first;
        while code <= last {
            if !self.covers(code, code) {
                return false;
            }
            code += by;
        }
        true
    }
}

/// Returns whether an operand has one bit range in the first two dwords, and no further bits but signs. The slow path places
/// other operands.
pub(super) const fn is_simple(step: &OpStep) -> bool {
    step.place.rest.is_empty() && step.first.lo < 64 && step.half == NO_BIT && step.present == NO_BIT
}

/// Returns the step of an operand on the fast path, without the bits of modifiers.
pub(super) const fn fast_step(step: &OpStep, is_simple: bool, accepted: &Accepted) -> FastStep {
    let mut out = FastStep::NONE;
    if step.is(IS_IMPLIED) {
        out.flags |= IMPLIED;
    }
    if accepted.end > 0 {
        out.flags |= OPEN;
    }
    let (files, [first, second]) = files(step.place.registers);
    (out.lo, out.width, out.files) = (step.first.lo, step.first.width, files);
    if !is_simple {
        return out;
    }
    if step.has_sum() {
        // `sums_hold` checks the number of registers when all fields are placed.
        let least = if step.dwords == 0 { 1 } else { step.dwords };
        if let [place] = step.place.registers {
            out.hot = [hot(step, place, least, accepted), hot(step, place, least + 1, accepted)];
        }
    } else if !step.is(IS_DEPENDENT) && !step.is(super::BY_MODE) {
        out.hot = [of_place(step, first, accepted), of_place(step, second, accepted)];
        if all_accepted(step.place.registers, accepted) {
            out.flags |= ALL_REGISTERS;
        }
    }
    if let Some(off) = step.place.placing.off
        && accepted.covers(off as u32, off as u32)
    {
        out.off = off;
    }
    match &step.place.placing.constants {
        Some(place) if !step.is(IS_LITERAL) => {
            let integers = place.constants.integers;
            let (mut i, len) = (0, integers.len());
            while i < len {
                let integers = integers[i];
                let (code, last) = (integers.code as u32, integers.last as u32);
                if integers.first == 0 && 0 < integers.last && accepted.covers(code, code + last) {
                    (out.integer, out.integers) = (integers.code, integers.last as u16 + 1);
                }
                i += 1;
            }
        }
        Some(_) => {}
        None => (out.low_bits, out.high_bits) = number_bits(step, accepted),
    }
    out
}

/// Returns `low_bits` and `high_bits` of [`FastStep`], if the decoder accepts all numbers of the operand.
const fn number_bits(step: &OpStep, accepted: &Accepted) -> (u8, u8) {
    let Some(number) = &step.place.placing.number else { return (0, 0) };
    let (low, high) = (if step.is(super::IS_UNSIGNED) { 0 } else { number.low }, number.high);
    let is_range =
        number.shift == 0 && step.number_bit == NO_BIT && 0 < high && high < 1 << 32 && high & (high + 1) == 0;
    if !is_range || low > 0 || low & -low != -low || !accepted.covers(0, step.first.ones()) {
        return (0, 0);
    }
    let (low_bits, high_bits) = ((-low).trailing_zeros() as u8, (high + 1).trailing_zeros() as u8);
    // The number of trailing zeros of 0 is 64.
    let low_bits = if low == 0 { 0 } else { low_bits };
    if high_bits > step.first.width || low_bits >= step.first.width || low == -1 {
        (0, 0)
    } else {
        (low_bits, high_bits)
    }
}

/// Returns a bit if it is among `open`, otherwise [`NO_BIT`].
pub(super) const fn open_bit(open: u64, bit: u8) -> u8 {
    if bit < 64 && open >> bit & 1 == 1 { bit } else { NO_BIT }
}

/// Returns the files of registers, a bit each, and the two places with the most frequent registers. These are the largest place and
/// the next one if it is large too, otherwise a place of any count, such as a register of zeros.
const fn files(places: &[RegisterPlace]) -> (u16, [Option<&RegisterPlace>; 2]) {
    const LARGE: u16 = 64;
    let (mut files, mut sizes): (_, (u16, u16)) = (0, (0, 0));
    let (mut first, mut second, mut any): (Option<&RegisterPlace>, Option<&RegisterPlace>, _) = (None, None, None);
    let (mut i, len) = (0, places.len());
    while i < len {
        let place = &places[i];
        files |= if place.file < 16 { 1 << place.file } else { u16::MAX };
        let size = place.last - place.first + 1;
        if sizes.0 < size {
            (first, second, sizes) = (Some(place), first, (size, sizes.0));
        } else if sizes.1 < size {
            (second, sizes.1) = (Some(place), size);
        }
        if place.any_count && any.is_none() && place.first == 0 {
            any = Some(place);
        }
        i += 1;
    }
    (files, if sizes.1 < LARGE && any.is_some() { [first, any] } else { [first, second] })
}

/// Returns the registers of a place, as many as the operand has.
const fn of_place(step: &OpStep, place: Option<&RegisterPlace>, accepted: &Accepted) -> HotRegisters {
    match place {
        Some(place) => hot(step, place, if place.any_count { 0 } else { step.dwords }, accepted),
        None => HotRegisters::NONE,
    }
}

/// Returns the `count` registers of a place, if the decoder accepts all of them.
const fn hot(step: &OpStep, place: &RegisterPlace, count: u8, accepted: &Accepted) -> HotRegisters {
    let (code, by) = (place.code as u32, place.alignment(count) as u32);
    let mut last = place.last as u32;
    let step_of_codes = by >> place.shift;
    if !accepted.covers_each(code, code + (last >> place.shift), step_of_codes) {
        // The registers of a wide operand end in the file.
        last = (last + 1).saturating_sub(if count == 0 { 1 } else { count as u32 });
        if !accepted.covers_each(code, code + (last >> place.shift), step_of_codes) {
            return HotRegisters::NONE;
        }
    }
    let is_in_field = step.first.width > 0 && code + (last >> place.shift) <= step.first.ones();
    if place.first != 0 || !is_in_field {
        return HotRegisters::NONE;
    }
    HotRegisters {
        code: (code as u64) << step.first.lo,
        key: place.file as u16 | (count as u16) << 8,
        last: last as u16,
        zeros: by as u8 - 1,
        rotation: step.first.lo.wrapping_sub(place.shift) & 63,
    }
}

/// Returns whether the decoder accepts all registers of these places.
const fn all_accepted(places: &[RegisterPlace], accepted: &Accepted) -> bool {
    let (mut i, len) = (0, places.len());
    while i < len {
        let RegisterPlace { first, last, code, shift, .. } = places[i];
        if !accepted.covers(code as u32, code as u32 + (((last - first) >> shift) as u32)) {
            return false;
        }
        i += 1;
    }
    true
}
