//! The end of an instruction: what it writes to registers, after everything is read.

use crate::layout::Layout;
use crate::lower::Context;
use crate::lower::values::Value;
use crate::operation::dwords;
use crate::step::{Commit, Condition, Relative, Step};
use isa_runtime::body::Run;

/// The destination of a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum To {
    /// Nothing.
    Nothing,
    /// The lanes that write.
    Active,
    /// Vector registers.
    Vector(u16),
    /// Half of a vector register.
    Half { register: u16, high: bool },
    /// Scalar registers.
    Scalar(u16),
    /// The high half of a scalar register.
    ScalarHigh(u16),
    /// A mask of lanes in scalar registers.
    Mask { register: u16, inactive: Option<bool> },
    /// Registers at a distance.
    Relative { register: u16, distance: u16, vector: bool },
    /// One lane of a vector register.
    Lane { register: u16, lane: u16 },
    /// The program counter.
    Pc,
    /// The mode register.
    Mode,
}

/// A write to registers.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    pub to: To,
    pub src: Value,
    pub condition: Option<Value>,
}

/// Appends the writes of an instruction.
pub(crate) fn commit(context: &mut Context<'_>) {
    let mut writes = core::mem::take(&mut context.writes);
    // With one write nothing is overwritten before it is read.
    if writes.iter().filter(|write| write.to != To::Nothing && write.to != To::Active).count() > 1 {
        for write in &mut writes {
            detach(context, &mut write.src);
            if let Some(condition) = &mut write.condition {
                detach(context, condition);
            }
        }
    }
    // Which lanes write comes first.
    writes.sort_by_key(|write| write.to != To::Active);
    for write in &writes {
        step(context, write);
    }
}

/// Copies a value that is in registers.
fn detach(context: &mut Context<'_>, value: &mut Value) {
    let registers = match context.run {
        Run::Lanes => context.program.vectors,
        Run::Wave => context.program.layout.scalar_temporaries(),
    };
    if let Some(row) = value.row.filter(|row| *row < registers) {
        let dst = context.temporary(value.ty);
        for (from, to) in (row..row.saturating_add(dwords(value.ty))).zip(dst..) {
            context.copy(from, to);
        }
        value.row = Some(dst);
    }
}

fn step(context: &mut Context<'_>, write: &Write) {
    let in_lanes = context.run == Run::Lanes;
    let layout: Layout = context.program.layout;
    let value = &write.src;
    let src = match (value.vector, write.to) {
        (_, To::Nothing) => return,
        (Some(vector), _) => vector,
        // The upper half is not written.
        (None, To::Half { .. }) => context.loose_row(value),
        (None, _) => context.row(value),
    };
    let condition = write.condition.as_ref().map(|value| context.row(value));
    // A matrix is spread over all lanes: a wave of 64 holds it in half as many registers.
    let spread = if value.vector.is_some() && context.program.wave64 { 2 } else { 1 };
    let commit = |dst| Commit { dst, src, count: dwords(value.ty) / spread, condition };
    let step = match write.to {
        To::Nothing => return,
        To::Active => Step::Active { src },
        To::Vector(register) => Step::Merge(commit(register)),
        To::Half { register, high } => Step::MergeHalf { commit: commit(register), high },
        // A scalar result of lanes is that of the first row's first lane.
        To::Scalar(register) if in_lanes => {
            Step::ReadLane { dst: register, src, lane: context.scalar_constant(0, crate::lower::values::DWORD) }
        }
        To::Scalar(register) => Step::Move(commit(register)),
        To::ScalarHigh(register) => Step::MoveHalf { commit: commit(register), high: true },
        To::Mask { register, inactive } => Step::WriteMask { commit: commit(register), inactive },
        To::Relative { register, distance, vector } => {
            Step::WriteRelative(Relative { commit: commit(register), distance, vector, lanes: in_lanes })
        }
        To::Lane { register, lane } => Step::WriteLane { commit: commit(register), lane },
        To::Pc => {
            let condition = condition.map(|row| Condition { row, is_mask: false, negated: false });
            Step::Branch { src, condition, target: None, entry: 0, index: 0 }
        }
        To::Mode => {
            context.steps.push(Step::Move(commit(layout.mode())));
            Step::ModeWritten
        }
    };
    context.steps.push(step);
}
