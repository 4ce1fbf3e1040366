//! Places one operand in the words of an instruction.

use isa_schema::OpStepRow;

use crate::dwords::Bits96;
use crate::error::{HALF_OUT_OF_REACH, MISALIGNED, NO_HALF};
use crate::inst::plan::{NO_BIT, OpStep};
use crate::inst::{Reg, RegHalf, RegisterPlace};
use crate::op::{Op, OpKind};
use crate::operands::constants::{literal_bits, non_finite_bits};
use crate::{Constant, ErrorKind, Type};

/// The error of a literal that the instruction has no room for.
pub(super) const CONFLICT: ErrorKind =
    ErrorKind::Rule("an instruction holds one literal constant, and none beside DPP");
/// The error of a constant that the operand cannot hold.
const UNFIT: ErrorKind = ErrorKind::Rule("the constant does not fit this operand");
/// The error of a register whose half disagrees with the modifier that holds it.
const OTHER_HALF: ErrorKind =
    ErrorKind::Rule("the modifier that selects halves selects the high half, but the register is a low half");
/// The error of a virtual register.
pub(super) const VIRTUAL: ErrorKind =
    ErrorKind::Rule("the register is still virtual: a register allocator has to choose one");

/// The words of an instruction while operands are placed in them.
pub(super) struct Placed {
    pub(super) words: Bits96,
    /// The literal, once an operand needs one.
    pub(super) literal: Option<u32>,
}

impl Placed {
    pub(super) const NOTHING: Placed = Placed { words: Bits96::ZERO, literal: None };
}

/// Places an operand in the mode with an index. Whole physical registers without signs are placed inline.
#[inline(always)]
pub(super) fn operand(step: &OpStep, op: Op, mode: usize, out: &mut Placed) -> Result<(), ErrorKind> {
    if op.is_plain_register() && step.half == NO_BIT {
        let (file, count, number) = op.register_bits();
        for place in step.place.registers {
            let code = number.wrapping_sub(u32::from(place.first));
            if place.file != file || code > u32::from(place.last - place.first) {
                continue;
            }
            let wanted = if step.is(OpStepRow::IS_DEPENDENT) { count } else { step.dwords(mode) };
            if count != wanted && !place.any_count
                || code & ((1 << place.shift) - 1) != 0 && !step.is(OpStepRow::IS_DEPENDENT)
            {
                break;
            }
            step.bits().put(&mut out.words, u32::from(place.code) + (code >> place.shift));
            if step.present != NO_BIT {
                out.words.put(step.present, 1);
            }
            return Ok(());
        }
    }
    any_operand(step, op, mode, out)
}

/// Places any operand, as [`operand`] does.
#[inline(never)]
pub(super) fn any_operand(step: &OpStep, mut op: Op, mode: usize, out: &mut Placed) -> Result<(), ErrorKind> {
    if op.has_signs() {
        if lacks_signs(step, op) {
            op = folded(step, op)?;
        } else {
            if op.is_negated() {
                out.words.put(step.neg, 1);
            }
            if op.is_absolute() {
                out.words.put(step.abs, 1);
            }
        }
    }
    match op.kind() {
        OpKind::Reg(reg) => register(step, reg, mode, out),
        OpKind::Constant(constant) => place_constant(step, constant, op.is_forced(), out),
        OpKind::Off => match step.place.placing.off {
            Some(code) => {
                step.bits().put(&mut out.words, u32::from(code));
                Ok(())
            }
            None => Err(ErrorKind::Expected(step.place.placing.expects)),
        },
        OpKind::Implied if step.is(OpStepRow::IS_IMPLIED) => Ok(()),
        OpKind::Implied | OpKind::None => Err(ErrorKind::Expected("another operand")),
    }
}

/// Returns whether a register is a low half, but the modifier with its half, which is placed before, says that it is a high one.
fn selects_other_half(step: &OpStep, reg: Reg, words: Bits96) -> bool {
    step.half < OpStepRow::HALF_IN_NUMBER && reg.half == Some(RegHalf::Low) && words.bit(step.half)
}

/// Returns whether a register disagrees with the modifier in the first two dwords that holds its half.
pub(super) fn is_other_half(step: &OpStep, op: Op, low: u64) -> bool {
    op.as_reg().is_some_and(|reg| selects_other_half(step, reg, Bits96 { low, third: 0 }))
}

/// Returns whether a step has no bits for the signs of an operand.
fn lacks_signs(step: &OpStep, op: Op) -> bool {
    op.is_negated() && step.neg == NO_BIT || op.is_absolute() && step.abs == NO_BIT
}

/// Returns whether an operand is a signed integer that [`operand`] refuses, although the instruction may apply signs in another
/// encoding: the integer is the bits of a float then, as in text.
pub(super) fn is_refused_for_signs(step: &OpStep, op: Op) -> bool {
    let takes_constants = step.neg == NO_BIT && step.abs == NO_BIT && step.place.placing.constants.is_some();
    match op.kind() {
        OpKind::Constant(integer @ Constant::Integer(_)) if op.has_signs() && takes_constants => {
            step.ty.total_bits() == 32 && !step.ty.is_float() && literal_bits(integer, step.ty).is_some()
        }
        _ => false,
    }
}

/// Applies signs to a constant in an encoding without bits for them. An integer is the bits of a float, so that integers in
/// operands of other types take no signs.
fn folded(step: &OpStep, op: Op) -> Result<Op, ErrorKind> {
    const SIGNS: ErrorKind =
        ErrorKind::Rule("this operand takes no signs here: state the negated or absolute value as the constant itself");
    let has_some_bits = step.neg != NO_BIT || step.abs != NO_BIT;
    let OpKind::Constant(constant) = op.kind() else {
        return Err(ErrorKind::Rule("this operand takes no signs here: `neg` and `abs` do not apply"));
    };
    if has_some_bits || step.place.placing.constants.is_none() {
        return Err(SIGNS);
    }
    match constant {
        Constant::Float(_) => {}
        Constant::Integer(_) if step.ty.is_float() && step.ty.bits() == 64 => return Err(UNFIT),
        Constant::Integer(_) if literal_bits(constant, step.ty).is_none() => return Err(UNFIT),
        Constant::Integer(_) if step.ty.is_float() && step.ty.lanes() == 1 => {}
        Constant::Integer(_) => return Err(SIGNS),
    }
    Ok(op.folded(step.ty.total_bits()))
}

/// Returns a constant as the bits of the operand if it is an infinity or a NaN, whose bits text can state only as an integer.
fn finite(constant: Constant, ty: Type) -> Result<Constant, ErrorKind> {
    match constant {
        Constant::Float(x) if !x.is_finite() && ty.total_bits() != 64 => {
            non_finite_bits(x, ty).map(|bits| Constant::Integer(bits.into())).ok_or(UNFIT)
        }
        _ => Ok(constant),
    }
}

/// Places registers.
fn register(step: &OpStep, reg: Reg, mode: usize, out: &mut Placed) -> Result<(), ErrorKind> {
    const BEYOND: ErrorKind = ErrorKind::Rule("no such register: its file ends before this number");
    if reg.is_virtual {
        return Err(VIRTUAL);
    }
    let in_place = |place: &&RegisterPlace| {
        place.file == reg.file.0 && (u32::from(place.first)..=u32::from(place.last)).contains(&reg.number)
    };
    let Some(place) = step.place.registers.iter().find(in_place) else {
        let is_of_file = step.place.registers.iter().any(|place| place.file == reg.file.0);
        return Err(if is_of_file { BEYOND } else { ErrorKind::Expected(step.place.placing.expects) });
    };
    let dwords = step.dwords(mode);
    let is_open = place.any_count || step.is(OpStepRow::IS_DEPENDENT) || reg.count == 0 && step.is(OpStepRow::BY_MODE);
    if reg.count != dwords && !is_open {
        let why = if step.ty.class() == crate::Class::Mask {
            ": a lane mask is one in wave32 and a pair in wave64"
        } else {
            ""
        };
        return Err(ErrorKind::Registers(dwords, why));
    }
    let number = reg.number - u32::from(place.first);
    if number & ((1 << place.shift) - 1) != 0 && !step.is(OpStepRow::IS_DEPENDENT) {
        return Err(ErrorKind::Rule(MISALIGNED));
    }
    let mut code = u32::from(place.code) + (number >> place.shift);
    let high = reg.half == Some(RegHalf::High);
    match step.half {
        NO_BIT if reg.half.is_some() => return Err(ErrorKind::Rule(NO_HALF)),
        NO_BIT => {}
        _ if !place.has_halves && reg.half.is_some() => return Err(ErrorKind::Rule(NO_HALF)),
        _ if !place.has_halves => {}
        OpStepRow::HALF_IN_NUMBER if number >= 0x80 => return Err(ErrorKind::Rule(HALF_OUT_OF_REACH)),
        OpStepRow::HALF_IN_NUMBER => code += if high { 0x80 } else { 0 },
        _ if selects_other_half(step, reg, out.words) => return Err(OTHER_HALF),
        bit if high => out.words.put(bit, 1),
        _ => {}
    }
    step.bits().put(&mut out.words, code);
    if step.present != NO_BIT {
        out.words.put(step.present, 1);
    }
    Ok(())
}

/// Places a constant. `forced` says whether it has to be a literal.
fn place_constant(step: &OpStep, constant: Constant, forced: bool, out: &mut Placed) -> Result<(), ErrorKind> {
    let constant = finite(constant, step.constant_type)?;
    let mut set_literal = |bits: u32| match out.literal {
        Some(other) if other != bits => Err(CONFLICT),
        _ => {
            out.literal = Some(bits);
            Ok(())
        }
    };
    if let Some(place) = &step.place.placing.constants {
        let constants = place.constants;
        if step.is(OpStepRow::IS_LITERAL) {
            let forced =
                if let Constant::Integer(n) = constant { u32::try_from(n).ok().filter(|_| forced) } else { None };
            return match literal_bits(constant, step.constant_type) {
                Some((bits, true)) => set_literal(bits),
                _ => forced.map_or(Err(UNFIT), set_literal),
            };
        }
        let found = if step.is(OpStepRow::BOTH_HALVES) && !forced {
            match constants.inline_in_both_halves(constant, step.constant_type) {
                Some(code) => Some((code, None, true)),
                None => literal_bits(constant, step.constant_type)
                    .and_then(|(bits, exact)| Some((constants.literal?, Some(bits), exact))),
            }
        } else {
            constants.encode(constant, step.constant_type, forced).map(|c| (c.code, c.literal, c.exact))
        };
        let unfit = if constants.literal.is_some() { UNFIT } else { ErrorKind::Expected(step.place.placing.expects) };
        let (code, literal, exact) = found.ok_or(unfit)?;
        if !exact {
            return Err(ErrorKind::Rule(if step.constant_type.total_bits() == 64 {
                "a literal holds the upper 32 bits of a double, and the lower ones of this constant are not zero"
            } else {
                "the literal of a 16-bit integer holds no floating-point number: state its 16 bits as an integer"
            }));
        }
        if let Some(bits) = literal {
            set_literal(bits)?;
        }
        step.bits().put(&mut out.words, u32::from(code));
        return Ok(());
    }
    let Some(number) = &step.place.placing.number else { return Err(ErrorKind::Expected(step.place.placing.expects)) };
    let Constant::Integer(n) = constant else { return Err(ErrorKind::Expected(step.place.placing.expects)) };
    let bits = step.bits().width();
    let within = (number.low..=number.high).contains(&n) && n & ((1 << number.shift) - 1) == 0;
    // A field holds a negative number with its sign, and any other as an unsigned one.
    let shifted = n >> number.shift;
    let fits = if shifted < 0 { shifted >> (bits.max(1) - 1) == -1 } else { shifted >> bits == 0 };
    if step.is(OpStepRow::IS_UNSIGNED) && n < 0 {
        return Err(ErrorKind::Rule(number.unsigned.first().map_or(number.rule, |(_, rule)| rule)));
    }
    if !within || !fits {
        return Err(ErrorKind::Rule(number.rule));
    }
    step.bits().put(&mut out.words, shifted as u32 & (((1u64 << bits) - 1) as u32));
    if step.number_bit != NO_BIT {
        out.words.put(step.number_bit, 1);
    }
    if step.present != NO_BIT {
        out.words.put(step.present, 1);
    }
    Ok(())
}
