//! The accesses to memory in bodies.

use crate::isa::Type;
use crate::isa::body::{BinaryOp, Op, Part, Place, Target};
use crate::{Half, Opcode};

/// The first access to memory outside the format conversion, as the body of a row states it.
#[derive(Clone, Copy)]
pub(super) struct BodyAccess {
    /// The type of the value in memory.
    pub(super) ty: Type,
    /// Memory, or LDS.
    pub(super) place: Place,
    /// Whether the access is a load, and not a store or an atomic.
    pub(super) is_load: bool,
    /// Whether the access reads, changes and writes memory.
    pub(super) is_atomic: bool,
    /// Whether the body states the address, in place of the format.
    pub(super) has_address: bool,
    /// Whether an atomic adds.
    pub(super) adds: bool,
    /// The half of a register that is loaded or stored, of accesses that use one half only.
    pub(super) half: Option<Half>,
}

impl BodyAccess {
    /// Returns the number of bytes that it transfers.
    pub(super) fn bytes(self) -> u32 {
        self.ty.total_bits().div_ceil(8).into()
    }
}

/// Returns the access of an opcode. `None` if it has none, or one whose format a resource or the instruction states.
pub(super) fn access(opcode: Opcode) -> Option<BodyAccess> {
    Some(BodyAccess { half: half(opcode), ..first_access(opcode.body()?)? })
}

/// Returns the access of a body, without the half of a register.
pub(super) fn first_access<'a>(body: impl Iterator<Item = Op<'a>>) -> Option<BodyAccess> {
    let mut found: Option<BodyAccess> = None;
    for op in body {
        let (ty, place, address, is_load, is_atomic) = match op {
            Op::Load { ty, place, address } => (ty, place, address, true, false),
            Op::Store { ty, place, address, .. } => (ty, place, address, false, false),
            Op::RmwBegin { ty, place, address } => (ty, place, address, false, true),
            Op::Binary { op: BinaryOp::Add, .. } => {
                found.iter_mut().for_each(|access| access.adds = true);
                continue;
            }
            _ => continue,
        };
        // A load to LDS has two accesses, the one to memory first.
        if found.is_none() {
            let has_address = address.is_some();
            found = Some(BodyAccess { ty, place, is_load, is_atomic, has_address, adds: false, half: None });
        }
    }
    found.filter(|access| access.place != Place::Texel)
}

/// Returns the half of a register that a body reads or writes.
fn half(opcode: Opcode) -> Option<Half> {
    let mut ops = opcode.body()?;
    ops.find_map(|op| match op {
        Op::Role { part: Part::High, .. } | Op::Write { target: Target::High(_), .. } => Some(Half::High),
        Op::Write { target: Target::Role(role), .. } => {
            let operand = opcode.operands().nth(usize::from(role))?;
            (operand.ty.total_bits() == 16).then_some(Half::Low)
        }
        _ => None,
    })
}
