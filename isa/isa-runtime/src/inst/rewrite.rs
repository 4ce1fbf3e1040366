//! Rewriting of an instruction to a related opcode: other forms of the same computation.
//!
//! Each rewritten instruction has an encoding in some mode, with some registers in place of virtual ones.

use isa_body::Relation;

use super::{Inst, MAX_OPS, Op, OpKind};
use crate::operands::RowOperand;
use crate::tables::Isa;
use crate::{Class, Constant, facts};

impl<I: Isa> Inst<I> {
    /// Returns the opcode with a relation, unless the instruction is a dual-issue pair or states modifiers, which other
    /// opcodes may lack.
    fn related(&self, relation: Relation) -> Option<I::Opcode> {
        if self.second.is_some() || self.has_stated_modifiers() {
            return None;
        }
        facts::related::<I>(self.opcode, relation)
    }

    /// Returns the instruction if an encoding takes its operands in some mode.
    fn if_encodable(self) -> Option<Self> {
        I::ALL_MODES.iter().any(|mode| self.encode_with_any_registers(*mode).is_ok()).then_some(self)
    }

    /// Returns the instruction that computes the same with the first two sources exchanged. `None` if there is none or no encoding
    /// takes the operands, for dual-issue pairs, and if modifiers are stated, which may belong to one of the sources.
    #[must_use]
    #[doc(alias = "commuteInstruction")]
    pub fn commuted(&self) -> Option<Self> {
        self.exchanged()?.if_encodable()
    }

    /// Returns the instruction with exchanged sources, whether it has an encoding or not.
    fn exchanged(&self) -> Option<Self> {
        self.related(Relation::Commuted)?;
        let relations = I::inst_tables().relations;
        let (sources, opcode) = relations.of(I::opcode_index(self.opcode), Relation::Commuted).next()?;
        let mut out = self.with_opcode(I::opcode_at(opcode)?);
        let [first, second] = [sources >> 4, sources & 15].map(usize::from);
        if first.max(second) >= self.len().min(MAX_OPS) {
            return None;
        }
        out.ops.swap(first, second);
        Some(out)
    }

    /// Returns the instruction that reads its destination as the last source, if that source is the destination:
    /// V_FMAC_F32 for V_FMA_F32. `None` if there is none, or no encoding takes the operands.
    #[must_use]
    pub fn two_address(&self) -> Option<Self> {
        let short = self.related(Relation::TwoAddress)?;
        let (destination, last) = (self.ops().first()?, self.ops().last()?);
        if destination != last || self.len() < 2 {
            return None;
        }
        self.without_op(self.len() - 1).with_opcode(short).if_encodable()
    }

    /// Returns the instruction that names its destination as the last source as well: V_FMA_F32 for V_FMAC_F32. `None` if there is
    /// none, or no encoding takes the operands.
    #[must_use]
    pub fn three_address(&self) -> Option<Self> {
        let long = self.related(Relation::ThreeAddress)?;
        let mut out = self.with_opcode(long);
        out.push(*self.ops().first()?);
        out.if_encodable()
    }

    /// Returns the instruction that has a constant source in a suffix dword: V_FMAMK_F32 and V_FMAAK_F32 for V_FMA_F32. `None`
    /// if no source is a constant, or no other opcode takes one there beside the other operands.
    #[must_use]
    pub fn with_literal(&self) -> Option<Self> {
        self.related(Relation::WithLiteral)?;
        if self.ops().iter().any(|op| op.is_negated() || op.is_absolute()) {
            return None;
        }
        self.with_constant_at(Relation::WithLiteral, |op, _| matches!(op.kind(), OpKind::Constant(_)).then_some(op))
    }

    /// Returns the instruction that has any source where this one always has a literal: V_FMA_F32 for V_FMAMK_F32. `None` if there is
    /// none, or it takes no literal: S_SETREG_B32 for S_SETREG_IMM32_B32.
    #[must_use]
    pub fn without_literal(&self) -> Option<Self> {
        self.with_opcode(self.related(Relation::WithoutLiteral)?).if_encodable()
    }

    /// Returns the short form that has a constant source in a field: S_CMPK_EQ_I32 for S_CMP_EQ_I32, S_MOVK_I32 for S_MOV_B32,
    /// and S_ADDK_I32 for an S_ADD_I32 whose other source is its destination. `None` if there is none, the constant
    /// does not fit, or no encoding takes the other operand.
    #[must_use]
    pub fn with_constant(&self) -> Option<Self> {
        self.related(Relation::WithConstant)?;
        let short = |inst: &Self| inst.with_constant_at(Relation::WithConstant, fitting);
        short(self).or_else(|| short(&self.exchanged()?))
    }

    /// Returns the long form of an instruction with a constant in a field: S_ADD_I32 for S_ADDK_I32. `None` if there is none, or no
    /// encoding takes the operands.
    #[must_use]
    pub fn without_constant(&self) -> Option<Self> {
        let long = self.related(Relation::WithoutConstant)?;
        let at = self.len().checked_sub(1)?;
        let mut out = *self;
        let row = facts::operands::<I>(self.opcode).nth(at)?;
        *out.ops.get_mut(at)? = extended(*self.ops.get(at)?, row)?;
        if facts::operands::<I>(long).count() > facts::operands::<I>(self.opcode).count() {
            let constant = *out.ops.get(at)?;
            *out.ops.get_mut(at)? = *self.ops.first()?;
            out.push(constant);
        }
        out.with_opcode(long).if_encodable()
    }

    /// Returns the instruction with the first related opcode that has an encoding and for whose source the function returns a
    /// constant.
    fn with_constant_at(&self, relation: Relation, fit: impl Fn(Op, &RowOperand) -> Option<Op>) -> Option<Self> {
        I::inst_tables().relations.of(I::opcode_index(self.opcode), relation).find_map(|(at, other)| {
            let other = I::opcode_at(other)?;
            let at = usize::from(at);
            let op = *self.ops().get(at)?;
            let mut out = *self;
            let is_shorter = facts::operands::<I>(other).count() < facts::operands::<I>(self.opcode).count();
            let at = if is_shorter {
                // The other opcode reads its destination in place of the first source.
                if at != 2 || self.ops().first() != self.ops().get(1) {
                    return None;
                }
                out = self.without_op(1);
                1
            } else {
                at
            };
            *out.ops.get_mut(at)? = fit(op, facts::operands::<I>(other).nth(at)?)?;
            out.with_opcode(other).if_encodable()
        })
    }

    /// Returns the instruction without an operand.
    fn without_op(&self, at: usize) -> Self {
        let mut out = *self;
        let len = self.len().min(MAX_OPS);
        if let Some(rest) = out.ops.get_mut(at..len) {
            rest.rotate_left(1);
        }
        if let Some(last) = out.ops.get_mut(..len).and_then(<[Op]>::last_mut) {
            *last = Op::NONE;
        }
        let len = self.len().saturating_sub(1);
        out.set_counts(len, len);
        out
    }
}

/// Returns the value of an integer without a sign.
fn integer(op: Op) -> Option<i64> {
    match op.kind() {
        OpKind::Constant(Constant::Integer(n)) if !op.is_negated() && !op.is_absolute() => Some(n),
        _ => None,
    }
}

/// Returns an integer of up to 32 bits that a field of the row's type extends to.
fn fitting(op: Op, row: &RowOperand) -> Option<Op> {
    let n = integer(op)?;
    if i32::try_from(n).is_err() && u32::try_from(n).is_err() {
        return None;
    }
    let constant = Op::int(if row.ty.class() == Class::Signed { i64::from(n as i32) } else { i64::from(n as u32) });
    (extended(constant, row)? == constant).then_some(constant)
}

/// Returns the value of a constant in a field of the row's type.
fn extended(op: Op, row: &RowOperand) -> Option<Op> {
    let n = integer(op)?;
    let unused = 64u32.checked_sub(u32::from(row.ty.bits()))?;
    let moved = (n as u64) << unused;
    Some(Op::int(if row.ty.class() == Class::Signed { moved as i64 >> unused } else { (moved >> unused) as i64 }))
}
