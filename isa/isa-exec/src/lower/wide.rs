//! Atomics on texels of 64 bits, whose rows state dwords.

use isa_runtime::Type;
use isa_runtime::body::{Op, Target};

use crate::layout::{Bound, Image};
use crate::operation::dwords;

/// Whether an atomic on an image is for texels of 64 bits: the mask then has twice the dwords that the row states.
pub(super) fn is_wide_atomic(bound: &Bound<'_>, image: &Image) -> bool {
    let mut body = bound.body.clone();
    let is_atomic = body.any(|op| matches!(op, Op::RmwBegin { .. }));
    let data = bound.body.clone().find_map(|op| match op {
        Op::Write { target: Target::Role(role), .. } => bound.roles.get(usize::from(role)),
        _ => None,
    });
    is_atomic && data.is_some_and(|role| u32::from(2 * dwords(role.ty)) == image.mask.count_ones())
}

/// An operation of a body on dwords as the same operation on numbers of 64 bits.
pub(super) fn widened(op: Op<'_>) -> Op<'_> {
    let wide = |ty: Type| if ty.bits() == 32 { Type::new(ty.class(), 64, ty.lanes()) } else { ty };
    match op {
        Op::Const { ty, bits } => Op::Const { ty: wide(ty), bits },
        Op::Role { ty, role, part } => Op::Role { ty: wide(ty), role, part },
        Op::Unary { op, ty, a } => Op::Unary { op, ty: wide(ty), a },
        Op::Binary { op, ty, a, b } => Op::Binary { op, ty: wide(ty), a, b },
        Op::Cast { ty, a } => Op::Cast { ty: wide(ty), a },
        Op::Slice { ty, a, lo } => Op::Slice { ty: wide(ty), a, lo: 2 * lo },
        Op::Select { ty, condition, yes, no } => Op::Select { ty: wide(ty), condition, yes, no },
        Op::Insert { ty, a, lo, bits } => Op::Insert { ty: wide(ty), a, lo: 2 * lo, bits },
        Op::Call { ty, builtin, args, condition } => Op::Call { ty: wide(ty), builtin, args, condition },
        Op::RmwBegin { ty, place, address } => Op::RmwBegin { ty: wide(ty), place, address },
        Op::RmwEnd { ty, begin, value } => Op::RmwEnd { ty: wide(ty), begin, value },
        other => other,
    }
}
