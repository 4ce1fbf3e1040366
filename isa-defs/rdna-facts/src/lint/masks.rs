//! Lane masks that instructions compute from others, found in the bodies of rows.

use alloc::vec::Vec;

use rdna_rows::isa::body::{BinaryOp, Op, State, Target, UnaryOp, ValueId};
use rdna_rows::isa::{BodyEffects, Class, OperandInfo};
use rdna_rows::{Format, Instruction, Value, Wave, roles};

use super::span::{EXEC_LO, Span};

/// Stands for a source that is not a scalar register.
const UNKNOWN: u8 = 128;

/// A lane mask computed from others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MaskStep {
    op: MaskOp,
    /// The scalar codes of the sources; [`UNKNOWN`] for any other source.
    sources: [u8; 2],
    /// The scalar code of the result.
    pub result: u8,
    /// The register that receives the old EXEC.
    pub saved: Option<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MaskOp {
    And,
    Or,
    Xor,
    /// The first source without the second.
    AndNot,
    Copy,
}

/// The value of a scalar instruction's body, and how its roles are named.
struct Body {
    ops: Vec<Op<'static>>,
    roles: &'static [&'static str],
}

impl Body {
    fn op(&self, value: ValueId) -> Option<&Op<'static>> {
        self.ops.get(usize::from(value))
    }

    /// Returns the value that is always written to a place.
    fn written(&self, is_place: impl Fn(Target) -> bool) -> Option<ValueId> {
        self.ops.iter().find_map(|op| match *op {
            Op::Write { target, value, condition: None } if is_place(target) => Some(value),
            _ => None,
        })
    }

    /// Returns the name of a role that a value is.
    fn role(&self, value: ValueId) -> Option<&'static str> {
        match self.op(value) {
            Some(Op::Role { role, .. }) => self.roles.get(usize::from(*role)).copied(),
            _ => None,
        }
    }

    /// Returns whether a value is the old EXEC.
    fn is_exec(&self, value: ValueId) -> bool {
        matches!(self.op(value), Some(Op::State { state: State::Exec | State::ExecLo, .. }))
    }

    /// Returns the value of which a value is the complement.
    fn complement(&self, value: ValueId) -> Option<ValueId> {
        match self.op(value) {
            Some(Op::Unary { op: UnaryOp::Not, a, .. }) => Some(*a),
            _ => None,
        }
    }

    /// Returns the operation that computes a value, and its sources.
    fn mask_op(&self, value: ValueId) -> Option<(MaskOp, [Option<ValueId>; 2])> {
        if self.is_exec(value) || self.role(value).is_some() {
            return Some((MaskOp::Copy, [Some(value), None]));
        }
        let Some(&Op::Binary { op, a, b, .. }) = self.op(value) else { return None };
        let complements = (self.complement(a), self.complement(b));
        Some(match (op, complements) {
            (BinaryOp::And, (None, Some(b))) => (MaskOp::AndNot, [Some(a), Some(b)]),
            (BinaryOp::And, (Some(a), None)) => (MaskOp::AndNot, [Some(b), Some(a)]),
            (BinaryOp::And, _) => (MaskOp::And, [Some(a), Some(b)]),
            (BinaryOp::Or, _) => (MaskOp::Or, [Some(a), Some(b)]),
            (BinaryOp::Xor, _) => (MaskOp::Xor, [Some(a), Some(b)]),
            _ => return None,
        })
    }
}

impl MaskStep {
    /// Returns what an instruction does to lane masks, if it is known.
    pub fn of<I: Instruction>(instr: &I, wave: Wave, effects: BodyEffects) -> Option<Self> {
        // A register that holds half of a mask is not a mask.
        let width = if wave == Wave::W64 { 2 } else { 1 };
        let code = |role: &str| {
            instr.operand_infos(wave).find(|o| o.role == role).and_then(|o| match o.value {
                Value::Registers(r) => {
                    Span::of(r, r.half).filter(|s| !s.is_vector() && s.len() == width).map(|s| s.first() as u8)
                }
                _ => None,
            })
        };
        match instr.microcode() {
            // The result is a part of EXEC.
            Format::Vopc | Format::Vop3 if effects.writes(State::Exec) => Some(Self::part_of_exec(EXEC_LO)),
            Format::Vopc | Format::Vop3 => {
                // A comparison gives zero for inactive lanes.
                let is_mask = |o: &OperandInfo<I::Generation>| o.role == roles::D && o.ty.class() == Class::Mask;
                code(roles::D).filter(|_| instr.operand_infos(wave).any(|o| is_mask(&o))).map(Self::part_of_exec)
            }
            Format::Sop1 | Format::Sop2 => Self::scalar(instr, code),
            _ => None,
        }
    }

    const fn part_of_exec(result: u8) -> Self {
        MaskStep { op: MaskOp::And, sources: [EXEC_LO, UNKNOWN], result, saved: None }
    }

    /// Returns what a scalar instruction computes. `code` returns the scalar code of a role that holds a mask.
    fn scalar<I: Instruction>(instr: &I, code: impl Fn(&str) -> Option<u8>) -> Option<Self> {
        let semantics = instr.semantics_in(0)?;
        let body = Body { ops: semantics.body()?.collect(), roles: semantics.roles() };
        let is_d =
            |target| matches!(target, Target::Role(role) if body.roles.get(usize::from(role)) == Some(&roles::D));
        let destination = body.written(is_d);
        let exec = body.written(|target| matches!(target, Target::State(State::Exec | State::ExecLo)));
        let known = body.mask_op(exec.or(destination)?);
        let source = |value: Option<ValueId>| match value {
            Some(value) if body.is_exec(value) => EXEC_LO,
            Some(value) => body.role(value).and_then(&code).unwrap_or(UNKNOWN),
            None => UNKNOWN,
        };
        if exec.is_some() {
            let saved = code(roles::D).filter(|_| destination.is_some_and(|value| body.is_exec(value)));
            // Nothing is known of the other results.
            let (op, sources) = known.unwrap_or((MaskOp::Copy, [None; 2]));
            return Some(MaskStep { op, sources: sources.map(source), result: EXEC_LO, saved });
        }
        let (op, sources) = known?;
        Some(MaskStep { op, sources: sources.map(source), result: code(roles::D)?, saved: None })
    }

    /// Returns whether the result is a subset (with `subset`) or a superset of the lanes if all registers in `known` are.
    pub fn apply(self, known: u128, subset: bool) -> bool {
        let [a, b] = self.sources.map(|code| code < UNKNOWN && known >> code & 1 == 1);
        match (self.op, subset) {
            (MaskOp::And, true) | (MaskOp::Or, false) => a || b,
            (MaskOp::Or | MaskOp::Xor, true) | (MaskOp::And, false) => a && b,
            (MaskOp::AndNot, true) | (MaskOp::Copy, _) => a,
            (MaskOp::AndNot | MaskOp::Xor, false) => false,
        }
    }
}
