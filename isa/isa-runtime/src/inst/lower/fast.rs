//! Fast path of encoding: the first plan of each row, with operands whose codes the decoder accepts.
//!
//! It exploits that most operands are registers of the two largest files, small integers or numbers: [`FastStep`] has their
//! codes, which the generator compared with those that the decoder accepts. An instruction of such operands is not
//! decoded again. If the path declines, the slow path encodes the instruction or finds the error; a test compares both.
//! `cargo xtask bench --callgrind` counts 244 executed instructions for an unchecked build. The slow path takes about 900.

use isa_schema::{FastModifier, FastPlan, FastStepRow};

use super::operand::{Placed, any_operand, is_other_half, is_refused_for_signs};
use crate::dwords::{Bits96, EncodedInstr};
use crate::inst::plan::fast::{FastStep, NONE};
use crate::inst::plan::{OpStep, ones};
use crate::inst::{Inst, Pin};
use crate::op::{ABS, INTEGER, NEG, OFF, Op, REGISTER};
use crate::tables::Isa;
use crate::unused::has_clear_operands;

/// The result of encoding an instruction by a plan.
enum Outcome {
    /// The encoded instruction.
    Encoded(EncodedInstr),
    /// The slow path would refuse this plan too.
    Refused,
    /// The slow path has to decide.
    Declined,
}

/// [`Isa::encode_inst_fast`] of a set.
// Code that few instructions need is out of line, so that the loop keeps its values in registers.
#[doc(hidden)]
#[inline(always)]
pub fn encode_by_fast_plans<I: Isa>(inst: &Inst<I>, mode: I::Mode) -> EncodedInstr {
    let all = I::inst_tables().lowering;
    let rows = all.opcode_rows(I::opcode_index(inst.opcode));
    if inst.refusing_groups & rows.modifier_groups != 0 {
        return EncodedInstr::NONE;
    }
    let Some(plan) = all.fast_plans.get(usize::from(rows.start)) else { return EncodedInstr::NONE };
    match first_plan(plan, inst) {
        Some(low) => EncodedInstr::new(plan.format_index(), low, 0, plan.len),
        None => encode_any(inst, mode),
    }
}

/// Returns the first two dwords of an instruction by the first plan of its opcode, if all operands and modifiers have codes
/// that are valid in every instruction.
#[inline(always)]
fn first_plan<I: Isa>(plan: &'static FastPlan, inst: &Inst<I>) -> Option<u64> {
    let all = I::inst_tables().lowering;
    let Pin { format, suffix_dword } = inst.pin;
    let is_free = format == 0 || format == plan.format && (suffix_dword == 0 || suffix_dword == plan.suffix_dword);
    if !is_free
        || plan.flags & (FastPlan::IS_FAST | FastPlan::IS_VALID) != FastPlan::IS_FAST | FastPlan::IS_VALID
        || inst.counts != plan.steps.len
    {
        return None;
    }
    let mut low = plan.words;
    if inst.modifiers != 0 {
        match modifiers(plan, all.fast_modifiers, inst.modifiers) {
            Some((changes, true)) => low ^= changes,
            _ => return None,
        }
    }
    let (start, len) = (usize::from(plan.steps.start), usize::from(inst.counts));
    let (steps, ops) = (all.fast_steps.get(start..start + len)?, inst.ops.get(..len)?);
    for (step, op) in steps.iter().zip(ops) {
        low |= place(step, *op)?;
    }
    if inst.second.is_some() || plan.sums != 0 && !sums_hold(plan, inst, low) {
        return None;
    }
    Some(low)
}

/// Encodes an instruction by the first plan of each row.
#[inline(never)]
fn encode_any<I: Isa>(inst: &Inst<I>, mode: I::Mode) -> EncodedInstr {
    let all = I::inst_tables().lowering;
    if inst.second.is_some() {
        return EncodedInstr::NONE;
    }
    for plan in all.opcode_rows(I::opcode_index(inst.opcode)).of(all.fast_plans) {
        if plan.is(FastPlan::IS_SECOND) || inst.pin.format != 0 && inst.pin.format != plan.format {
            continue;
        }
        let is_other = inst.pin.suffix_dword != 0 && inst.pin.suffix_dword != plan.suffix_dword;
        if !plan.is(FastPlan::IS_FAST) || is_other {
            break;
        }
        match attempt::<I>(plan, inst, mode) {
            Outcome::Encoded(encoded) => return encoded,
            // The slow path tries the row's other plans next.
            Outcome::Refused if plan.is(FastPlan::OTHERS_REQUIRE_MODIFIERS) && inst.modifiers & plan.others == 0 => {}
            _ => break,
        }
    }
    EncodedInstr::NONE
}

/// Encodes an instruction by a plan.
#[inline(always)]
fn attempt<I: Isa>(plan: &'static FastPlan, inst: &Inst<I>, mode: I::Mode) -> Outcome {
    if inst.modifiers & !plan.modifiers != 0 {
        return Outcome::Refused;
    }
    let all = I::inst_tables().lowering;
    let mut low = plan.words;
    let mut is_valid = plan.is(FastPlan::IS_VALID);
    if inst.modifiers != 0 {
        let Some((changes, is_open)) = modifiers(plan, all.fast_modifiers, inst.modifiers) else {
            return Outcome::Declined;
        };
        is_valid &= is_open;
        low ^= changes;
    }
    let steps = plan.steps.of(all.fast_steps);
    let ops = inst.ops();
    let skips_implied = ops.len() != steps.len();
    if skips_implied && (ops.len() != usize::from(plan.explicit) || plan.sums != 0) {
        return Outcome::Declined;
    }
    let (mut third, mut literal) = (0, None);
    let mut rest = ops.iter();
    for (step, at) in steps.iter().zip(usize::from(plan.steps.start)..) {
        if skips_implied && step.is(FastStepRow::IMPLIED) {
            is_valid &= step.is(FastStepRow::OPEN);
            continue;
        }
        let Some(op) = rest.next() else { return Outcome::Declined };
        if let Some(bits) = place(step, *op) {
            low |= bits;
            continue;
        }
        if op.is_plain_register() && !step.has_file(op.register_bits().0) {
            return Outcome::Refused;
        }
        let Some(full) = all.steps.get(at) else { return Outcome::Declined };
        let Some(Placed { words, literal: dword }) = other(full, *op, I::mode_index(mode)) else {
            // The slow path looks at the row's other encodings for signs.
            return if is_refused_for_signs(full, *op) { Outcome::Declined } else { Outcome::Refused };
        };
        if is_other_half(full, *op, low) {
            return Outcome::Refused;
        }
        low |= words.low;
        third |= words.third;
        match (literal, dword) {
            (Some(one), Some(other)) if one != other => return Outcome::Refused,
            (None, Some(_)) => literal = dword,
            _ => {}
        }
        is_valid &= op.is_plain_register() && step.is(FastStepRow::ALL_REGISTERS);
    }
    if plan.sums != 0 && !sums_hold(plan, inst, low) {
        return Outcome::Declined;
    }
    let mut len = plan.len;
    if let Some(literal) = literal {
        match plan.literal {
            0 => return Outcome::Refused,
            1 => low |= u64::from(literal) << 32,
            _ => third = literal,
        }
        len = plan.literal + 1;
    } else if is_valid {
        return Outcome::Encoded(EncodedInstr::new(plan.format_index(), low, third, len));
    }
    match I::decode_fast(low, third, mode) {
        Some((instr, found))
            if found == usize::from(len)
                && I::parts(&instr).0 == plan.format_index()
                && has_clear_operands::<I>(plan.format_index(), &I::parts(&instr).1, mode) =>
        {
            Outcome::Encoded(EncodedInstr::new(plan.format_index(), low, third, len))
        }
        _ => Outcome::Declined,
    }
}

/// Returns the bits of an operand, if its code is valid in every instruction.
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

/// Returns the bits of an operand that is not a register of the largest group, as [`place`] does.
#[inline(always)]
fn place_other(step: &FastStep, bits: u64, tag: u16) -> Option<u64> {
    if tag & !(NEG | ABS) == REGISTER {
        let [first, second] = &step.hot;
        let field = first.place(bits).or_else(|| second.place(bits))?;
        return if tag == REGISTER { Some(field) } else { Some(field | signs(step, tag)?) };
    }
    let code = match tag {
        INTEGER => integer(step, bits as i64)?,
        OFF if step.off != NONE => step.off.into(),
        _ => return None,
    };
    Some(code << (step.lo & 63))
}

/// Returns the bits of an operand's signs, if all of them are valid in every instruction.
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

/// Returns the code of an inline integer, or of a number in the operand's own bits.
#[inline(always)]
fn integer(step: &FastStep, n: i64) -> Option<u64> {
    if (n as u64) < u64::from(step.integers) {
        return Some(u64::from(step.integer) + n as u64);
    }
    let has_sign = step.low_bits != 0 && n >> (step.low_bits & 63) == -1;
    let is_number = step.high_bits != 0 && (has_sign || n >> (step.high_bits & 63) == 0);
    if is_number { Some(n as u64 & u64::from(ones(step.width))) } else { None }
}

/// Places an operand as the slow path does. Returns `None` if the slow path refuses it.
#[inline(never)]
fn other(step: &OpStep, op: Op, mode: usize) -> Option<Placed> {
    let mut out = Placed::NOTHING;
    any_operand(step, op, mode, &mut out).ok()?;
    Some(out)
}

/// Returns the bits that the stated modifiers change, and whether the decoder accepts them in every instruction. Returns `None`
/// if the plan lacks a modifier, or if the slow path has to place it.
#[inline(always)]
fn modifiers(plan: &FastPlan, all: &'static [FastModifier], stated: u64) -> Option<(u64, bool)> {
    if stated & !plan.modifiers != 0 {
        return None;
    }
    let (mut changes, mut rest, mut is_open) = (0, stated, true);
    for step in plan.modifier_steps.of(all) {
        if rest & step.mask == 0 {
            continue;
        }
        if stated & step.guard != step.presence {
            return None;
        }
        is_open &= step.is_open;
        changes |= (stated & step.mask & !step.guard).rotate_left(step.rotation.into()) ^ step.flip;
        rest &= !step.mask;
        if rest == 0 {
            return Some((changes, is_open));
        }
    }
    None
}

/// Returns whether all operands have as many registers as other fields decide.
#[inline(always)]
fn sums_hold<I: Isa>(plan: &'static FastPlan, inst: &Inst<I>, low: u64) -> bool {
    let all = I::inst_tables().lowering;
    let (sums, steps) = (all.sums_of(plan.component), plan.steps.of(all.steps));
    let mut rest = plan.sums;
    while rest != 0 {
        let at = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let (Some(step), Some(op)) = (steps.get(at), inst.ops.get(at)) else { return false };
        let count = step.sum(sums, Bits96 { low, third: 0 });
        if op.register_count() != Some(count) {
            return false;
        }
    }
    true
}
