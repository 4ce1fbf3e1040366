//! Lowering: the conversion of an operand-level instruction to words.
//!
//! The plans of an opcode are tried in the order in which the parser tries its encodings. The result is decoded, so the
//! codes of operands are checked by the tables of the decoder.

mod fast;
mod operand;

use isa_schema::{OpStepRow, Plan, RowPlan};

use super::plan::{NO_BIT, OpStep, assign, modifier, ones, variant};
use super::{ALL_REFUSE, Count, EncodeError, Inst, MAX_OPS, Reg};
use crate::dwords::{Bits96, EncodedInstr};
use crate::tables::{Access, Cx, FieldBits, Format, Isa};
use crate::unused::{has_clear_operands, unused_field_index};
use crate::{DecodeError, ErrorKind, Op};
pub use fast::encode_by_fast_plans;
use operand::{CONFLICT, Placed, VIRTUAL, any_operand, is_refused_for_signs, operand};

/// The encoding of an instruction by one plan.
#[derive(Clone, Copy)]
struct Attempt<I: Isa> {
    row: &'static RowPlan,
    plan: &'static Plan,
    /// The suffix dword of the plan as an index plus one, or 0.
    suffix_dword: u8,
    /// The index of the opcode.
    opcode: u16,
    mode: I::Mode,
}

/// Returns an error that concerns no single operand.
const fn general(rule: &'static str) -> EncodeError {
    EncodeError { operand: None, kind: ErrorKind::Rule(rule) }
}

/// The error of a modifier whose field in this instruction is narrower than in others.
const TOO_WIDE: ErrorKind = ErrorKind::Rule("the field of this instruction has fewer bits than the value");

/// The error of a modifier whose value has no meaning beside the other modifiers and operands.
const RESERVED: ErrorKind = ErrorKind::Rule("the value is reserved in this instruction with its other modifiers");

/// Returns whether a field of `bits` bits holds a modifier's value of `most` bits: the bits that the field lacks are zeros or, if it
/// `is_signed`, copies of the sign.
const fn fits(value: u32, bits: u32, most: u32, is_signed: bool) -> bool {
    if bits == 0 || bits >= most || bits >= u32::BITS {
        return true;
    }
    let high = value >> bits;
    high == 0 || is_signed && high == ones((most - bits) as u8) && value >> (bits - 1) & 1 == 1
}

/// The error of operands that no encoding holds.
const UNKNOWN: EncodeError = EncodeError { operand: None, kind: ErrorKind::Encoding(None) };

/// [`Isa::encode_inst`] of a set.
///
/// # Errors
/// As [`Inst::encode`].
#[doc(hidden)]
#[inline(always)]
pub fn encode_by_plans<I: Isa>(inst: &Inst<I>, mode: I::Mode, checked: bool) -> Result<I::Instr, EncodeError> {
    if inst.has_foreign_modifier() {
        return Err(foreign_modifier::<I>(inst));
    }
    let mut worst: Option<EncodeError> = None;
    let all = I::inst_tables().lowering;
    for row in all.rows(I::opcode_index(inst.opcode)) {
        if row.component != 0 || inst.pin.format != 0 && inst.pin.format != row.format + 1 {
            continue;
        }
        // The words of half a pair would be those of a pair with another second instruction.
        let is_dual = Format::<I>::at(row.format).is_some_and(Format::is_dual_issue);
        if is_dual && inst.second.is_none() {
            worst = worst.or(Some(general("this instruction is one of a pair: `Inst::pair` adds the other")));
            continue;
        }
        let variant = variant::<I>(inst, row);
        for (suffix_dword, number) in (0u8..).zip(all.plans_of_variant(row, variant)) {
            let Some(plan) = all.plan(*number) else { continue };
            if inst.modifiers & !plan.modifiers != 0
                || plan.required & !inst.modifiers != 0
                || inst.pin.suffix_dword != 0 && inst.pin.suffix_dword != suffix_dword + 1
            {
                continue;
            }
            let attempt = Attempt::<I> { row, plan, suffix_dword, opcode: I::opcode_index(inst.opcode), mode };
            let mut error = UNKNOWN;
            let error = match attempt.encode(inst, &mut error) {
                Some(encoded) => {
                    // The instruction is built where it is returned. A copy of one that has just been written in parts would stall
                    // store forwarding, which takes a fifth of the time.
                    let broken = match encoded.instr::<I>() {
                        Some(instr) if checked => I::legal(&instr, mode).err(),
                        _ => None,
                    };
                    match (broken, encoded.instr::<I>()) {
                        (None, Some(instr)) => return Ok(instr),
                        (Some(broken), _) => {
                            EncodeError { operand: Some(broken.operand), kind: ErrorKind::Forbidden(broken) }
                        }
                        (None, None) => UNKNOWN,
                    }
                }
                None => error,
            };
            if worst.is_none_or(|worst| rank(&error) >= rank(&worst)) {
                worst = Some(error);
            }
        }
    }
    Err(worst.unwrap_or_else(|| unsuited::<I>(inst)))
}

/// Checks that an operand has as many registers as other fields decide, and is switched off if they decide that it has none.
/// `rule` replaces the error.
fn check_count(count: u8, given: &[Op], rule: Option<&'static str>) -> Result<(), ErrorKind> {
    let reg = match given {
        [op] => Some(op.as_reg()),
        _ => None,
    };
    let error = match reg {
        Some(None) if count == 0 => return Ok(()),
        Some(Some(_)) if count == 0 => ErrorKind::Expected("`off`"),
        Some(Some(reg)) if reg.count == count || reg.count == 0 => return Ok(()),
        _ => ErrorKind::Registers(count, ""),
    };
    Err(rule.map_or(error, ErrorKind::Rule))
}

/// Returns the rank of an error. If all encodings fail, the last error with the highest rank is reported.
const fn rank(error: &EncodeError) -> u8 {
    match error {
        EncodeError { kind: ErrorKind::Forbidden(_), .. } => 2,
        EncodeError { kind: ErrorKind::Encoding(None), .. } => 0,
        EncodeError { operand: Some(_), .. } => 1,
        _ => 0,
    }
}

/// Returns the error of an instruction with a modifier that its opcode's group lacks, or with a value that no modifier holds.
#[cold]
fn foreign_modifier<I: Isa>(inst: &Inst<I>) -> EncodeError {
    if inst.refusing_groups & ALL_REFUSE != 0 {
        return general(match inst.second {
            None => "the value of a modifier has more bits than the modifier",
            Some(_) => {
                "the modifiers of a pair are those of its first instruction, with values of no more bits than they have"
            }
        });
    }
    // Bits that the instruction's own modifiers can have do not tell whose they are.
    let own = super::plan::modifiers_of(inst).fold(0, |own, modifier| own | modifier.mask());
    let mut stated = I::inst_tables().modifiers.iter().filter(|m| inst.modifiers & !own & m.mask() != 0);
    match stated.find(|m| m.lacking_groups & !inst.refusing_groups == 0) {
        Some(modifier) => EncodeError { operand: Some(modifier.name), kind: ErrorKind::Modifier(None) },
        None => general("a modifier is stated that this instruction lacks\nhelp: `try_with` tells which one"),
    }
}

/// Returns the error of an instruction whose modifiers no encoding has together.
#[cold]
fn unsuited<I: Isa>(inst: &Inst<I>) -> EncodeError {
    let rows = I::inst_tables().lowering.rows(I::opcode_index(inst.opcode));
    let mut plans = rows.iter().flat_map(|row| I::inst_tables().lowering.plans_of(row));
    let missing = |plan: &Plan| {
        let required = plan.required & !inst.modifiers;
        I::inst_tables().modifiers.iter().find(|m| required & m.mask() != 0)
    };
    if let Some(modifier) = plans.find_map(missing)
        && rows.iter().all(|row| I::inst_tables().lowering.plans_of(row).all(|plan| plan.required != 0))
    {
        return EncodeError {
            operand: Some(modifier.name),
            kind: ErrorKind::Rule("the instruction needs this modifier"),
        };
    }
    let known = super::plan::modifiers_of(inst).fold(0, |known, modifier| known | modifier.mask());
    let groups = I::inst_tables().lowering.opcode_rows(I::opcode_index(inst.opcode)).modifier_groups;
    let mut of_group = I::inst_tables().modifiers.iter().filter(|m| m.lacking_groups & groups == 0);
    let unknown = of_group.find(|m| inst.modifiers & !known & m.mask() != 0);
    match unknown {
        Some(modifier) => EncodeError { operand: Some(modifier.name), kind: ErrorKind::Modifier(None) },
        None => general("no encoding of this instruction has these modifiers together"),
    }
}

impl<I: Isa> Attempt<I> {
    /// Encodes the instruction by this plan.
    // Errors are returned apart from the result: an enum of both would be copied, which causes a store-forwarding stall.
    #[inline(always)]
    fn encode(&self, inst: &Inst<I>, error: &mut EncodeError) -> Option<EncodedInstr> {
        let mut placed = Placed { words: Bits96 { low: self.plan.low, third: self.plan.third }, literal: None };
        placed.words.low |= self.row.opcode;
        if inst.modifiers != 0
            && let Err(wrong) = self.modifiers(inst.modifiers, &mut placed)
        {
            *error = wrong;
            return None;
        }
        let split = inst.first_len().min(MAX_OPS);
        let (ops, rest) = inst.ops().split_at_checked(split).unwrap_or((inst.ops(), &[]));
        self.operands(ops, &mut placed, error)?;
        let mut len = self.plan.len;
        let second = match inst.second {
            None => None,
            Some(opcode) => Some(self.second(opcode, rest, &mut placed, &mut len, error)?),
        };
        let Placed { mut words, literal } = placed;
        if let Some(literal) = literal {
            let dword = self.plan.literal;
            if dword == 0 {
                *error = self.literal_error(ops);
                return None;
            }
            words.put(dword * 32, literal);
            len = dword + 1;
        }
        let (instr, found) = match I::decode_fast(words.low, words.third, self.mode) {
            Some(found) => found,
            None => {
                let dwords = words.dwords();
                let dwords = dwords.get(..usize::from(len)).unwrap_or(&dwords);
                match crate::decode::<I>(dwords, self.mode) {
                    Ok(found) => found,
                    Err(refused) => {
                        *error = self.refused(&refused, second);
                        return None;
                    }
                }
            }
        };
        let (format, words_of_instr) = I::parts(&instr);
        if found != usize::from(len) || format != self.row.format {
            *error = UNKNOWN;
            return None;
        }
        if !has_clear_operands::<I>(format, &words_of_instr, self.mode) {
            *error = self.refused_field(unused_field_index::<I>(format, &words_of_instr), second);
            return None;
        }
        for (attempt, ops) in [(Some(*self), ops), (second, rest)] {
            if let Some(attempt) = attempt
                && attempt.plan.is_dependent
                && let Err(wrong) = attempt.dependents(ops, words, len)
            {
                *error = wrong;
                return None;
            }
        }
        Some(EncodedInstr::new(self.row.format, words.low, words.third, len))
    }

    /// Places the operands of the second instruction of a dual-issue pair, and raises `len` to its length.
    #[inline(never)]
    fn second(
        &self,
        opcode: I::Opcode,
        ops: &[Op],
        out: &mut Placed,
        len: &mut u8,
        error: &mut EncodeError,
    ) -> Option<Self> {
        let all = I::inst_tables().lowering;
        let opcode = I::opcode_index(opcode);
        let mut rows = all.rows(opcode).iter();
        let row = rows.find(|row| row.format == self.row.format && row.component == 1);
        let found = row.and_then(|row| {
            let mut plans = (0u8..).zip(row.plans.of(all.plans_of_rows));
            plans.find_map(|(suffix_dword, number)| {
                Some(Attempt { row, plan: all.plan(*number)?, suffix_dword, opcode, mode: self.mode })
            })
        });
        let Some(second) = found else {
            *error = general("this instruction cannot be the second of a pair");
            return None;
        };
        out.words.low |= second.plan.low | second.row.opcode;
        out.words.third |= second.plan.third;
        *len = (*len).max(second.plan.len);
        second.operands(ops, out, error)?;
        Some(second)
    }

    /// Replaces the defaults of modifiers that are stated.
    fn modifiers(&self, all: u64, out: &mut Placed) -> Result<(), EncodeError> {
        for step in self.plan.modifier_steps.of(I::inst_tables().lowering.modifier_steps) {
            if all & step.mask == 0 {
                continue;
            }
            let Some(modifier) = modifier::<I>(step.modifier) else { continue };
            if let Some(value) = modifier.get(all) {
                if !fits(value, step.bits.width(), modifier.width().into(), step.is_signed) {
                    return Err(EncodeError { operand: Some(modifier.name), kind: TOO_WIDE });
                }
                step.bits.clear(&mut out.words);
                step.bits.put(&mut out.words, value);
            }
        }
        if modifier::<I>(self.plan.selector).and_then(|m| m.get(all)).is_some_and(|value| value != 0) {
            out.words.low ^= u64::from(self.plan.selector_difference) << (self.plan.selector_lo & 63);
        }
        Ok(())
    }

    /// Places all operands.
    #[inline(always)]
    fn operands(&self, ops: &[Op], out: &mut Placed, error: &mut EncodeError) -> Option<()> {
        let steps = self.plan.steps.of(I::inst_tables().lowering.steps);
        let mode = I::mode_index(self.mode);
        if ops.len() != steps.len() || self.plan.has_list {
            return match self.uneven(steps, ops, out) {
                Ok(()) => Some(()),
                Err(wrong) => {
                    *error = wrong;
                    None
                }
            };
        }
        for (step, op) in steps.iter().zip(ops) {
            if let Err(kind) = operand(step, *op, mode, out)
                && let Err(kind) = self.signed_elsewhere(step, *op, out).unwrap_or(Err(kind))
            {
                *error = self.at(step, kind);
                return None;
            }
        }
        Some(())
    }

    /// Places a signed integer, which is not a float by its type, in an encoding without signs, if another encoding of the row has bits
    /// for them: a selection such as V_CNDMASK_B32 moves floats.
    #[cold]
    fn signed_elsewhere(&self, step: &OpStep, op: Op, out: &mut Placed) -> Option<Result<(), ErrorKind>> {
        if !is_refused_for_signs(step, op) {
            return None;
        }
        let all = I::inst_tables().lowering;
        let role =
            |plan: &Plan, step: &OpStep| I::tables().operand_tables.row(plan.variant, step.bound).map(|row| row.role);
        let wanted = role(self.plan, step)?;
        let rows = all.rows(self.opcode).iter().filter(|row| row.component == self.row.component);
        let has_signs = |plan: &Plan| {
            let mut steps = plan.steps.of(all.steps).iter();
            steps.any(|step| step.neg != NO_BIT && role(plan, step) == Some(wanted))
        };
        let found = rows.flat_map(|row| all.plans_of(row)).any(has_signs);
        found.then(|| any_operand(step, op.folded(step.ty.total_bits()), I::mode_index(self.mode), out))
    }

    /// Places all operands if one of them is a list or is left out.
    #[inline(never)]
    fn uneven(&self, steps: &'static [OpStep], ops: &[Op], out: &mut Placed) -> Result<(), EncodeError> {
        let (list, skips_implied) = assign(self.plan, ops.len() as u8)
            .ok_or(general("the instruction has another number of operands: its documentation lists them"))?;
        let mode = I::mode_index(self.mode);
        let mut ops = ops.iter();
        for step in steps {
            let op = match step.is(OpStepRow::IS_IMPLIED) && skips_implied {
                true => Op::IMPLIED,
                false => ops.next().copied().unwrap_or(Op::NONE),
            };
            operand(step, op, mode, out)
                .or_else(|kind| self.signed_elsewhere(step, op, out).unwrap_or(Err(kind)))
                .map_err(|kind| self.at(step, kind))?;
            if !step.place.placing.list.is_empty() {
                for name in step.place.placing.list.iter().take(usize::from(list - 1)) {
                    let op = ops.next().copied().unwrap_or(Op::NONE);
                    self.listed(step, name, op, out).map_err(|kind| self.at(step, kind))?;
                }
            }
        }
        Ok(())
    }

    /// Places a further register of a list in the modifier that holds it.
    fn listed(&self, step: &OpStep, name: &str, op: Op, out: &mut Placed) -> Result<(), ErrorKind> {
        let is_of_class = |reg: &Reg| {
            let mut places = step.place.registers.iter();
            places
                .any(|place| place.file == reg.file.0 && (place.first.into()..=place.last.into()).contains(&reg.number))
        };
        let range = self.modifier_range(name).ok_or(ErrorKind::Encoding(None))?;
        match op.as_reg() {
            Some(Reg { is_virtual: true, .. }) => Err(VIRTUAL),
            Some(reg) if is_of_class(&reg) && reg.half.is_none() && !op.has_signs() => {
                range.put(&mut out.words, reg.number);
                Ok(())
            }
            _ => Err(ErrorKind::Expected(step.place.placing.expects)),
        }
    }

    /// Returns the bits of a modifier.
    fn modifier_range(&self, name: &str) -> Option<FieldBits> {
        let variant = I::tables().variants.get(usize::from(self.plan.variant))?;
        let component = Format::<I>::at(self.row.format)?.component(self.row.component)?;
        let steps = self.plan.modifier_steps.of(I::inst_tables().lowering.modifier_steps);
        let mut modifiers = variant.carriers(component).filter(|(bound, _)| bound.access == Access::Modifier);
        let at = modifiers.position(|(_, carrier)| carrier.name == name)?;
        steps.get(at).map(|step| step.bits)
    }

    /// Returns the error of an operand.
    #[cold]
    fn at(&self, step: &OpStep, kind: ErrorKind) -> EncodeError {
        let operand = I::tables().operand_tables.row(self.plan.variant, step.bound).map(|row| row.role);
        EncodeError { operand, kind }
    }

    /// Checks the operands that depend on other fields against these fields.
    #[inline(never)]
    fn dependents(&self, ops: &[Op], words: Bits96, len: u8) -> Result<(), EncodeError> {
        let Some(format) = Format::<I>::at(self.row.format) else { return Ok(()) };
        let Some(component) = format.component(self.row.component) else { return Ok(()) };
        let Some(shape) = component.shapes.get(usize::from(self.row.shape)) else { return Ok(()) };
        let Some(variant) = I::tables().variants.get(usize::from(self.plan.variant)) else { return Ok(()) };
        let checks = I::inst_tables().lowering.dependents.get(usize::from(component.nth)).copied().unwrap_or_default();
        let words = words.dwords();
        let suffix_dword = if len > format.dwords && self.suffix_dword == 0 {
            self.plan.literal_suffix_dword
        } else {
            self.suffix_dword
        };
        let ty = crate::Type::new(crate::Class::Bits, 32, 1);
        let (mode, nth) = (self.mode, self.row.component);
        let mut cx = Cx { words: &words, mode, ty, name: "", suffix_dword, format, component: nth, shape, variant };
        let (list, _) = assign(self.plan, ops.len() as u8).unwrap_or((1, false));
        let mut rest = ops;
        for step in self.plan.steps.of(I::inst_tables().lowering.steps) {
            let count = if step.place.placing.list.is_empty() { 1 } else { usize::from(list) };
            let (mine, others) = rest.split_at_checked(count).unwrap_or((rest, &[]));
            rest = others;
            if !step.is(OpStepRow::IS_DEPENDENT) {
                continue;
            }
            if let Count::Sum(sum) = step.place.placing.count {
                let count = step.sum(I::inst_tables().lowering.sums_of(component.nth), Bits96::new(words));
                check_count(count, mine, sum.rule).map_err(|kind| self.at(step, kind))?;
                continue;
            }
            cx.ty = step.ty;
            cx.name = component.carriers.get(usize::from(step.carrier)).map_or("", |carrier| carrier.name);
            if let Some(Some(dependent)) = checks.get(usize::from(step.carrier)) {
                let code = step.bits().get_from(Bits96::new(words));
                (dependent.check)(&cx, code, mine).map_err(|kind| self.at(step, kind))?;
            }
        }
        Ok(())
    }

    /// Returns the error of words that are not an instruction: it names the operand whose field holds a code without a meaning.
    #[cold]
    fn refused(&self, error: &DecodeError<I>, second: Option<Self>) -> EncodeError {
        let (field, mode) = match *error {
            DecodeError::InvalidOperand { field, .. } | DecodeError::NonCanonical { field, .. } => (Some(field), None),
            DecodeError::WrongMode { needs, .. } => (None, Some(I::mode_name(needs))),
            _ => (None, None),
        };
        match mode {
            Some(mode) => EncodeError { operand: None, kind: ErrorKind::Mode(mode) },
            None => self.refused_field(field, second),
        }
    }

    /// Returns the error of a field whose code the instruction cannot have: it names the field's operand.
    #[cold]
    fn refused_field(&self, field: Option<u8>, second: Option<Self>) -> EncodeError {
        for attempt in [Some(*self), second].into_iter().flatten() {
            let Some(format) = Format::<I>::at(attempt.row.format) else { continue };
            let Some(component) = format.component(attempt.row.component) else { continue };
            let of_field = |step: &&OpStep| {
                let carrier = component.carriers.get(usize::from(step.carrier));
                field.is_some() && carrier.map(|carrier| carrier.field) == field
            };
            if let Some(step) = attempt.plan.steps.of(I::inst_tables().lowering.steps).iter().find(of_field) {
                return attempt.at(step, ErrorKind::Expected(step.place.placing.expects));
            }
            let Some(variant) = I::tables().variants.get(usize::from(attempt.plan.variant)) else { continue };
            let mut modifiers = variant.carriers(component).filter(|(bound, _)| bound.access == Access::Modifier);
            if let Some((_, modifier)) = modifiers.find(|(_, modifier)| field == Some(modifier.field)) {
                return EncodeError { operand: Some(modifier.name), kind: RESERVED };
            }
        }
        let field = field.and_then(|field| Format::<I>::at(self.row.format)?.field_name(field));
        EncodeError { operand: None, kind: ErrorKind::Encoding(field) }
    }

    /// Returns the error of a literal where the encoding has none. It names the operand that needs the literal.
    #[cold]
    fn literal_error(&self, ops: &[Op]) -> EncodeError {
        let steps = self.plan.steps.of(I::inst_tables().lowering.steps);
        let mode = I::mode_index(self.mode);
        let needs = |(step, op): &(&OpStep, &Op)| {
            let mut out = Placed::NOTHING;
            any_operand(step, **op, mode, &mut out).is_ok() && out.literal.is_some()
        };
        match steps.iter().zip(ops).find(needs) {
            Some((step, _)) if self.plan.len == 1 || self.suffix_dword != 0 => self.at(step, CONFLICT),
            Some((step, _)) => self.at(step, ErrorKind::Expected(step.place.placing.expects)),
            None => EncodeError { operand: None, kind: CONFLICT },
        }
    }
}
