//! Lifting: the conversion of words to an operand-level instruction.

use isa_schema::{OpStepRow, Plan, RowPlan};

use super::plan::{NO_BIT, OpStep, modifier};
use super::{EncodeError, File, Inst, MAX_OPS, OpList, Pin, Reg, RegHalf, RegisterPlace};
use crate::dwords::Bits96;
use crate::tables::view::{row, suffix_dword_of};
use crate::tables::{Cx, FieldBits, Format, Isa, MAX_DWORDS, Shape};
use crate::{Class, Constant, ErrorKind, Op, Type};

/// An instruction while it is lifted.
struct Lifting<I: Isa> {
    words: [u32; MAX_DWORDS],
    packed: Bits96,
    /// The literal, or 0.
    literal: u32,
    /// The suffix dword as an index plus one, or 0.
    suffix_dword: u8,
    mode: I::Mode,
    /// Whether registers whose number the mode decides have the count 0.
    is_open: bool,
}

/// Lifts an encoded instruction of `len` dwords to its opcode, operands and modifiers. The result is pinned to its encoding.
///
/// # Errors
/// The words are not those of a row of their format.
pub fn lift<I: Isa>(instr: &I::Instr, len: u8, mode: I::Mode) -> Result<Inst<I>, EncodeError> {
    lifted(instr, len, mode, false).ok_or(NO_ROW)
}

/// Lifts an encoded instruction as [`lift`] does, but registers whose number the mode decides have the count 0.
///
/// # Errors
/// As [`lift`].
pub fn lift_open<I: Isa>(instr: &I::Instr, len: u8, mode: I::Mode) -> Result<Inst<I>, EncodeError> {
    lifted(instr, len, mode, true).ok_or(NO_ROW)
}

const NO_ROW: EncodeError =
    EncodeError { operand: None, kind: ErrorKind::Rule("these words are not those of a row of their format") };

/// Lifts an instruction, or returns `None` if its words have no row.
#[inline(always)]
fn lifted<I: Isa>(instr: &I::Instr, len: u8, mode: I::Mode, is_open: bool) -> Option<Inst<I>> {
    let (id, words) = I::parts(instr);
    let format = Format::<I>::at(id)?;
    let packed = Bits96::new(words);
    let mut out: Option<Inst<I>> = None;
    for (nth, component) in (0u8..).zip(format.components) {
        let (slot, shape) = row(component, &words)?;
        let suffix_dword = suffix_dword_of(format, shape, &words, len);
        let literal = words.get(usize::from(format.dwords)).copied().filter(|_| suffix_dword != 0).unwrap_or(0);
        let lifting = Lifting::<I> { words, packed, literal, suffix_dword, mode, is_open };
        let opcode = I::opcode_at(slot.opcode)?;
        let all = I::inst_tables().lowering;
        let of_row = |row: &&RowPlan| row.format == id && row.component == nth && row.shape == slot.shape;
        let row = all.rows(slot.opcode).iter().find(of_row)?;
        let variant = shape.variant_bit.map_or(0, |bit| bit.get(&words)) as u8;
        // A literal that an operand selects has no plan.
        let plans = all.plans_of_variant(row, variant);
        let with = |dword: u8| plans.get(usize::from(dword)).and_then(|number| Some((dword, all.plan(*number)?)));
        let (suffix_dword, plan) = with(suffix_dword).or_else(|| with(0))?;
        let inst = out.get_or_insert_with(|| Inst {
            ops: [Op::NONE; MAX_OPS],
            modifiers: 0,
            opcode,
            second: None,
            pin: Pin { format: id + 1, suffix_dword: suffix_dword + 1 },
            counts: 0,
            refusing_groups: 0,
        });
        lifting.operands(inst, plan, nth, shape)?;
        if nth == 0 {
            lifting.modifiers(inst, plan);
        } else {
            inst.second = Some(opcode);
            // The suffix dword may be that of either.
            inst.pin.suffix_dword = 0;
        }
    }
    out
}

impl<I: Isa> Lifting<I> {
    /// Lifts the operands of the component `nth` of a format.
    #[inline(always)]
    fn operands(&self, inst: &mut Inst<I>, plan: &'static Plan, nth: u8, shape: &'static Shape<I>) -> Option<()> {
        let mut at = inst.len();
        for step in plan.steps.of(I::inst_tables().lowering.steps) {
            if !step.is(OpStepRow::IS_DEPENDENT) {
                *inst.ops.get_mut(at)? = self.operand(step);
                at += 1;
            } else if step.has_sum() {
                let component = Format::<I>::at(inst.pin.format.checked_sub(1)?)?.component(nth)?;
                *inst.ops.get_mut(at)? = self.sum(step, component.nth);
                at += 1;
            } else {
                for op in self.dependent(inst, plan, step, nth, shape)?.as_slice() {
                    *inst.ops.get_mut(at)? = *op;
                    at += 1;
                }
            }
        }
        inst.set_counts(if nth == 0 { at } else { inst.len() }, at);
        Some(())
    }

    /// Lifts an operand that depends on other fields.
    #[inline(never)]
    fn dependent(
        &self,
        inst: &Inst<I>,
        plan: &'static Plan,
        step: &OpStep,
        nth: u8,
        shape: &'static Shape<I>,
    ) -> Option<OpList> {
        let format = Format::at(inst.pin.format.checked_sub(1)?)?;
        let component = format.component(nth)?;
        let carrier = component.carriers.get(usize::from(step.carrier))?;
        let variant = I::tables().variants.get(usize::from(plan.variant))?;
        let dependents = I::inst_tables().lowering.dependents.get(usize::from(component.nth))?;
        let dependent = dependents.get(usize::from(step.carrier))?.as_ref()?;
        let (words, mode, ty, suffix_dword) = (&self.words, self.mode, step.ty, self.suffix_dword);
        let cx = Cx { words, mode, ty, name: carrier.name, suffix_dword, format, component: nth, shape, variant };
        Some((dependent.operands)(&cx, step.bits().get_from(self.packed)))
    }

    /// Lifts registers whose number is a sum; `component` is the component's index among those of all formats.
    #[inline(always)]
    fn sum(&self, step: &OpStep, component: u8) -> Op {
        let count = step.sum(I::inst_tables().lowering.sums_of(component), self.packed);
        match registers_of(step, step.bits().get_from(self.packed)) {
            Some((place, number)) if count > 0 => Op::reg(Reg::new(File(place.file), number, count)),
            _ => Op::OFF,
        }
    }

    /// Whether a bit is set.
    #[inline(always)]
    fn bit(&self, bit: u8) -> bool {
        bit != NO_BIT && self.packed.bit(bit)
    }

    /// Lifts an operand with its signs.
    #[inline(always)]
    fn operand(&self, step: &OpStep) -> Op {
        let code = step.bits().get_from(self.packed);
        let op = self.unsigned(step, code);
        let op = if self.bit(step.abs) { op.abs() } else { op };
        if self.bit(step.neg) { op.neg() } else { op }
    }

    /// Lifts an operand without its signs.
    #[inline(always)]
    fn unsigned(&self, step: &OpStep, code: u32) -> Op {
        if let Some(off) = step.place.placing.off
            && (step.present != NO_BIT && !self.bit(step.present)
                || step.present == NO_BIT && step.number_bit == NO_BIT && code == u32::from(off))
        {
            return Op::OFF;
        }
        if step.is(OpStepRow::IS_LITERAL) {
            return self.constant(step, 0);
        }
        if !self.bit(step.number_bit)
            && let Some((place, number)) = registers_of(step, code)
        {
            return self.register(step, place, number);
        }
        if step.place.placing.constants.is_some() {
            return self.constant(step, code);
        }
        Op::int(number(step, code))
    }

    /// Lifts a register, given by its number and the place that it belongs to.
    #[inline(always)]
    fn register(&self, step: &OpStep, place: &RegisterPlace, number: u32) -> Op {
        let dwords = if place.any_count || self.is_open && step.is(OpStepRow::BY_MODE) {
            0
        } else {
            step.dwords(I::mode_index(self.mode))
        };
        if step.half == NO_BIT || !place.has_halves {
            return Op::reg(Reg::new(File(place.file), number, dwords));
        }
        let (number, high) = match step.half {
            OpStepRow::HALF_IN_NUMBER => (number & 0x7f, number & 0x80 != 0),
            bit => (number, self.bit(bit)),
        };
        let half = Some(if high { RegHalf::High } else { RegHalf::Low });
        Op::reg(Reg { half, ..Reg::new(File(place.file), number, dwords) })
    }

    /// Lifts a constant, given by its code. The code does not matter if the operand always is the literal.
    #[inline(never)]
    fn constant(&self, step: &OpStep, code: u32) -> Op {
        let Some(place) = &step.place.placing.constants else { return Op::int(code.into()) };
        let ty = step.constant_type;
        let code = if step.is(OpStepRow::IS_LITERAL) { place.constants.literal.unwrap_or(0) } else { code as u16 };
        let is_literal = place.constants.literal == Some(code);
        if step.is(OpStepRow::BOTH_HALVES) && is_literal {
            let op = Op::int(self.literal.into());
            let inline = place.constants.inline_in_both_halves(Constant::Integer(self.literal.into()), ty);
            return if inline.is_some() { op.literal() } else { op };
        }
        match place.constants.decode(code, self.literal, ty) {
            Some((Constant::Float(_), _)) if step.is(OpStepRow::BOTH_HALVES) => {
                let half = place.constants.bits(code, 0, Type::new(Class::Float, 16, 1)).unwrap_or(0) as i64;
                Op::int(half << 16 | half)
            }
            Some((constant, forced)) => {
                let op = match constant {
                    Constant::Integer(n) => Op::int(n),
                    Constant::Float(x) => Op::float(x),
                };
                // An operand that always is the literal need not be forced to be one, unless its bits are not those of the value.
                let plain = crate::operands::constants::literal_bits(constant, ty)
                    .is_some_and(|(bits, _)| bits == self.literal);
                if forced && !(step.is(OpStepRow::IS_LITERAL) && plain) { op.literal() } else { op }
            }
            None => Op::int(code.into()),
        }
    }

    /// Lifts the modifiers.
    #[inline(always)]
    fn modifiers(&self, inst: &mut Inst<I>, plan: &'static Plan) {
        let steps = plan.modifier_steps.of(I::inst_tables().lowering.modifier_steps);
        for step in steps {
            let mut code = step.bits.get_from(self.packed);
            if step.mask == 0 || code == step.default && !step.is_required {
                continue;
            }
            if step.half_bits & code != 0 {
                code &= !self.half_bits(plan, &step.bits);
            }
            if (code != step.default || step.is_required)
                && let Some(modifier) = modifier::<I>(step.modifier)
            {
                inst.modifiers |= modifier.place(code);
            }
        }
        if let Some(modifier) = modifier::<I>(plan.selector)
            && (self.packed.low ^ plan.low) >> (plan.selector_lo & 63) & u64::from(plan.selector_difference) != 0
        {
            inst.modifiers |= modifier.place(1);
        }
    }

    /// Returns the bits of a modifier that select halves of registers: the lifted registers have the halves.
    fn half_bits(&self, plan: &'static Plan, field: &FieldBits) -> u32 {
        let mut bits = 0;
        for step in plan.steps.of(I::inst_tables().lowering.steps) {
            let bit = step.half.wrapping_sub(field.first.lo);
            if step.half < OpStepRow::HALF_IN_NUMBER
                && u32::from(bit) < field.width()
                && self.operand(step).as_reg().is_some_and(|reg| reg.half.is_some())
            {
                bits |= 1 << bit;
            }
        }
        bits
    }
}

/// Returns the register that a code of an operand means: the place that it belongs to, and its number.
#[inline(always)]
fn registers_of(step: &OpStep, code: u32) -> Option<(&'static RegisterPlace, u32)> {
    step.place.registers.iter().find_map(|place| {
        let nth = code.wrapping_sub(u32::from(place.code));
        let is_in_place = nth <= u32::from(place.last - place.first) >> place.shift;
        is_in_place.then(|| (place, (nth << place.shift) + u32::from(place.first)))
    })
}

/// Returns the number in an operand's own bits.
fn number(step: &OpStep, code: u32) -> i64 {
    let bits = step.bits().width().min(32);
    let (shift, signed) = match &step.place.placing.number {
        Some(number) => (number.shift, number.signed.unwrap_or(step.ty.class() == Class::Signed)),
        None => (0, false),
    };
    let unused = 64 - bits.max(1);
    let value = if signed { (i64::from(code) << unused) >> unused } else { i64::from(code) };
    value << shift
}
