//! Opcodes that compute one operator, found in their bodies.

use isa_body::{BinaryOp, Op, Part, Place, Target, Type};

use crate::tables::Isa;

/// The computation of an opcode whose body writes the result of one operator on two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Operation {
    /// The operator.
    pub operator: BinaryOp,
    /// The type of its left side.
    pub ty: Type,
    /// The index of the operand that receives the result.
    pub result: u8,
    /// The indices of the operands on the left and on the right of the operator: those of V_LSHLREV_B32, whose first source is
    /// the distance of the shift, are 2 and 1.
    pub sources: [u8; 2],
}

/// Returns what an opcode computes, if it is one operator on two operands. Shifts may use only the lowest bits of the
/// distance; state such as SCC may be written beside the result, which the effects tell.
#[must_use]
pub fn operation<I: Isa>(opcode: I::Opcode) -> Option<Operation> {
    let bodies = I::inst_tables().bodies;
    let (body, effects) = (bodies.body(I::opcode_index(opcode))?, bodies.effects(I::opcode_index(opcode)));
    let value = |id: u8| body.clone().nth(usize::from(id));
    let mut writes = body.clone().filter_map(|op| match op {
        Op::Write { target: Target::State(_), .. } => None,
        Op::Write { target, value, condition } => Some((target, value, condition)),
        _ => None,
    });
    let (Target::Role(result), written, None) = writes.next()? else { return None };
    let accesses_memory = Place::ALL.iter().any(|place| effects.loads(*place) || effects.stores(*place));
    if writes.next().is_some() || accesses_memory || effects.acts() {
        return None;
    }
    let Op::Binary { op: operator, ty, a, b } = value(written)? else { return None };
    let role = |op: Op<'_>| match op {
        Op::Role { role, part: Part::Whole, .. } => Some(role),
        _ => None,
    };
    let right = match value(b)? {
        Op::Slice { a, lo: 0, .. } if matches!(operator, BinaryOp::Shl | BinaryOp::Shr) => value(a)?,
        op => op,
    };
    Some(Operation { operator, ty, result, sources: [role(value(a)?)?, role(right)?] })
}
