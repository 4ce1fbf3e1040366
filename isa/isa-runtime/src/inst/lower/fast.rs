//! Fast path of encoding: the first plan of each row, with operands whose codes the decoder accepts.
//!
//! It exploits that most operands are registers of the two largest files, small integers or numbers: [`FastStep`] has their
//! codes, which constant evaluation compared with those that the decoder accepts. An instruction of such operands is not
//! decoded again. If the path declines, the slow path encodes the instruction or finds the error; a test compares both.
//! Unchecked builds of `cargo xtask bench` take 923 executed instructions without it (callgrind).

use super::operand::{Placed, any_operand};
use crate::encode::PackedWords;
use crate::inst::op::{ABS, INTEGER, NEG, OFF, Op, REGISTER};
use crate::inst::plan::fast::{
    ALL_REGISTERS, FastPlan, FastStep, HAS_SUM, IMPLIED, IS_FAST, IS_FIRST, IS_SECOND, IS_VALID, NONE, OPEN, SUM,
};
use crate::inst::plan::{ModifierStep, OpStep, ones};
use crate::inst::{Inst, Pin};
use crate::tables::{Isa, Packed};

/// The result of encoding an instruction by a plan.
enum Attempt<T> {
    /// It is encoded.
    Encoded(T),
    /// The slow path would refuse this plan too.
    Refused,
    /// The slow path has to decide.
    Declined,
}

/// Encodes an instruction without the rules between operands. `None`: the slow path has to.
// Code that few instructions need is out of line, so that the loop keeps its values in registers.
#[inline(always)]
pub(crate) fn encode<I: Isa>(inst: &Inst<I>, mode: I::Mode) -> Option<I::Instr> {
    let all = I::lowering();
    let first = usize::from(all.opcodes.get(usize::from(I::opcode_index(inst.opcode)))?.start);
    let plan = all.fast_plans.get(first)?;
    match first_plan(plan, inst) {
        Some(low) => I::from_packed(plan.format.wrapping_sub(1), PackedWords::packed(low, 0, plan.len)),
        None => encode_any(inst, mode),
    }
}

/// The words of an instruction whose operands and modifiers have codes that are always valid, by the first plan of its opcode.
#[inline(always)]
fn first_plan<I: Isa>(plan: &'static FastPlan, inst: &Inst<I>) -> Option<u64> {
    let all = I::lowering();
    let Pin { format, suffix_dword } = inst.pin;
    let is_free = format == 0 || format == plan.format && (suffix_dword == 0 || suffix_dword == plan.suffix_dword);
    if !is_free || plan.flags & (IS_FAST | IS_VALID) != IS_FAST | IS_VALID || inst.len != plan.steps.len {
        return None;
    }
    let mut low = plan.words;
    if inst.modifiers != 0 {
        match modifiers(plan.modifier_steps.of(all.modifier_steps), inst.modifiers) {
            (changes, Codes::Valid) if inst.modifiers & !plan.modifiers == 0 => low ^= changes,
            _ => return None,
        }
    }
    let (start, len) = (usize::from(plan.steps.start), usize::from(inst.len));
    let (steps, ops) = (all.fast_steps.get(start..start + len)?, inst.ops.get(..len)?);
    for (step, op) in steps.iter().zip(ops) {
        low |= place(step, *op)?;
    }
    if inst.second.is_some() || plan.is(HAS_SUM) && !sums_hold(plan, inst, low) {
        return None;
    }
    Some(low)
}

/// Encodes an instruction by the first plan of each row.
#[inline(never)]
fn encode_any<I: Isa>(inst: &Inst<I>, mode: I::Mode) -> Option<I::Instr> {
    if inst.second.is_some() {
        return None;
    }
    let all = I::lowering();
    for plan in all.opcodes.get(usize::from(I::opcode_index(inst.opcode)))?.of(all.fast_plans) {
        if plan.is(IS_SECOND) || inst.pin.format != 0 && inst.pin.format != plan.format {
            continue;
        }
        let is_other = inst.pin.suffix_dword != 0 && inst.pin.suffix_dword != plan.suffix_dword;
        if !plan.is(IS_FAST) || is_other {
            return None;
        }
        match attempt::<I>(plan, inst, mode) {
            Attempt::Encoded(instr) => return Some(instr),
            // The slow path tries the row's other plans next.
            Attempt::Refused if plan.is(IS_FIRST) && inst.modifiers & plan.others == 0 => {}
            _ => return None,
        }
    }
    None
}

/// Encodes an instruction by a plan.
#[inline(always)]
fn attempt<I: Isa>(plan: &'static FastPlan, inst: &Inst<I>, mode: I::Mode) -> Attempt<I::Instr> {
    if inst.modifiers & !plan.modifiers != 0 {
        return Attempt::Refused;
    }
    let all = I::lowering();
    let mut low = plan.words;
    let mut is_valid = plan.is(IS_VALID);
    if inst.modifiers != 0 {
        let (changes, codes) = modifiers(plan.modifier_steps.of(all.modifier_steps), inst.modifiers);
        match codes {
            Codes::Valid => {}
            Codes::Unchecked => is_valid = false,
            Codes::Unknown => return Attempt::Declined,
        }
        low ^= changes;
    }
    let steps = plan.steps.of(all.fast_steps);
    let ops = inst.ops();
    let skips_implied = ops.len() != steps.len();
    if skips_implied && ops.len() != usize::from(plan.explicit) {
        return Attempt::Declined;
    }
    let mut literal = None;
    let mut rest = ops.iter();
    for (step, at) in steps.iter().zip(usize::from(plan.steps.start)..) {
        if skips_implied && step.is(IMPLIED) {
            is_valid &= step.is(OPEN);
            continue;
        }
        let Some(op) = rest.next() else { return Attempt::Declined };
        if let Some(bits) = place(step, *op) {
            low |= bits;
            continue;
        }
        if op.is_plain_register() && !step.has_file(op.register_bits().0) {
            return Attempt::Refused;
        }
        let Some(full) = all.steps.get(at) else { return Attempt::Declined };
        let Some(Other { bits, literal: dword }) = other(full, *op, I::mode_index(mode)) else {
            return Attempt::Refused;
        };
        low |= bits;
        match (literal, dword) {
            (Some(one), Some(other)) if one != other => return Attempt::Refused,
            (None, Some(_)) => literal = dword,
            _ => {}
        }
        is_valid &= op.is_plain_register() && step.is(ALL_REGISTERS);
    }
    if plan.is(HAS_SUM) && !sums_hold(plan, inst, low) {
        return Attempt::Declined;
    }
    let (mut third, mut len) = (0, plan.len);
    if let Some(literal) = literal {
        match plan.literal {
            0 => return Attempt::Refused,
            1 => low |= u64::from(literal) << 32,
            _ => third = literal,
        }
        len = plan.literal + 1;
    } else if is_valid {
        return match I::from_packed(plan.format.wrapping_sub(1), PackedWords::packed(low, third, len)) {
            Some(instr) => Attempt::Encoded(instr),
            None => Attempt::Declined,
        };
    }
    match I::decode_fast(low, third, mode) {
        Some((instr, found)) if found == usize::from(len) && I::parts(&instr).0 + 1 == plan.format => {
            Attempt::Encoded(instr)
        }
        _ => Attempt::Declined,
    }
}

/// The bits of an operand, if its code is valid in every instruction.
#[inline(always)]
fn place(step: &FastStep, op: Op) -> Option<u64> {
    let (bits, tag) = op.parts();
    if tag == REGISTER
        && let Some(field) = step.hot[0].place(bits)
    {
        return Some(field);
    }
    place_other(step, bits, tag)
}

/// The same of operands other than registers of the largest group.
#[inline(always)]
fn place_other(step: &FastStep, bits: u64, tag: u16) -> Option<u64> {
    if tag & !(NEG | ABS) == REGISTER {
        let [first, second] = &step.hot;
        let field = first.place(bits).or(second.place(bits))?;
        return if tag == REGISTER { Some(field) } else { Some(field | signs(step, tag)?) };
    }
    let code = match tag {
        INTEGER => integer(step, bits as i64)?,
        OFF if step.off != NONE => step.off.into(),
        _ => return None,
    };
    Some(code << (step.lo & 63))
}

/// The bits of signs.
#[inline(always)]
fn signs(step: &FastStep, tag: u16) -> Option<u64> {
    let mut field = 0;
    for (sign, bit) in [(NEG, step.neg), (ABS, step.abs)] {
        if tag & sign != 0 {
            field |= 1u64.checked_shl(bit.into())?;
        }
    }
    Some(field)
}

/// The code of an inline integer, or of a number in the operand's own bits.
#[inline(always)]
fn integer(step: &FastStep, n: i64) -> Option<u64> {
    if (n as u64) < u64::from(step.integers) {
        return Some(u64::from(step.integer) + n as u64);
    }
    let has_sign = step.low_bits != 0 && n >> (step.low_bits & 63) == -1;
    let is_number = step.high_bits != 0 && (has_sign || n >> (step.high_bits & 63) == 0);
    if is_number { Some(n as u64 & u64::from(ones(step.width))) } else { None }
}

/// An operand that [`FastStep`] does not know.
struct Other {
    bits: u64,
    literal: Option<u32>,
}

/// Places an operand as the slow path does. `None`: the slow path refuses it.
#[inline(never)]
fn other(step: &OpStep, op: Op, mode: usize) -> Option<Other> {
    let mut out = Placed::NOTHING;
    any_operand(step, op, mode, &mut out).ok()?;
    Some(Other { bits: out.words.low, literal: out.literal })
}

/// The codes of modifiers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Codes {
    /// The decoder accepts them in every instruction.
    Valid,
    /// The decoder has to check them.
    Unchecked,
    /// The slow path has to place them.
    Unknown,
}

/// The bits that the stated modifiers change.
#[inline(never)]
fn modifiers(steps: &'static [ModifierStep], all: u64) -> (u64, Codes) {
    let (mut changes, mut rest, mut codes) = (0, all, Codes::Valid);
    for step in steps {
        if rest & step.mask == 0 {
            continue;
        }
        if !step.is_simple || all & step.presence != step.presence {
            return (0, Codes::Unknown);
        }
        if !step.is_open {
            codes = Codes::Unchecked;
        }
        rest &= !step.mask;
        let bits = ((all & step.mask & !step.presence) >> (step.at & 63)) as u32;
        if bits & !ones(step.range.width) != 0 {
            return (0, Codes::Unknown);
        }
        let value = bits ^ step.flip;
        changes |= u64::from(value & ones(step.range.width)) << (step.range.lo & 63);
        if rest == 0 {
            return (changes, codes);
        }
    }
    (0, Codes::Unknown)
}

/// Whether all operands have as many registers as other fields decide.
#[inline(never)]
fn sums_hold<I: Isa>(plan: &'static FastPlan, inst: &Inst<I>, low: u64) -> bool {
    let all = I::lowering();
    let sums = all.sums_of(plan.component);
    let steps = plan.steps.of(all.fast_steps).iter().zip(plan.steps.of(all.steps));
    let is_right = |((fast, step), op): ((&FastStep, &OpStep), &Op)| {
        let count = || u32::from(step.sum(sums, Packed { low, third: 0 }));
        !fast.is(SUM) || op.register_count().is_some_and(|given| u32::from(given) == count())
    };
    steps.zip(inst.ops()).all(is_right)
}
