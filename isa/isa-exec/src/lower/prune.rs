//! Removes operations whose results nothing reads, such as modifiers that are off, and joins the last operation of an
//! instruction with the write of its result.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::layout::Layout;
use crate::lower::TEMPORARIES;
use crate::operation::dwords;
use crate::primitive::{Primitive, VectorOperation};
use crate::registers::Rows;
use crate::step::{Access, Addressing, Commit, Condition, Relative, Step};

/// The rows of temporaries in both files.
pub(crate) struct Temporaries {
    pub wide: Range<u16>,
    pub scalar: Range<u16>,
}

/// Removes steps whose results no later step reads.
pub(crate) fn prune(steps: Vec<Step>, temporaries: &Temporaries) -> Vec<Step> {
    let mut used = [vec![false; usize::from(TEMPORARIES)], vec![false; usize::from(TEMPORARIES)]];
    let index = |wide: bool, row: u16| {
        let range = if wide { &temporaries.wide } else { &temporaries.scalar };
        range.contains(&row).then(|| usize::from(row - range.start))
    };
    let mut kept: Vec<Step> = Vec::with_capacity(steps.len());
    for step in steps.into_iter().rev() {
        if let Some(rows) = step.pure_result() {
            // A row that is not a temporary is a register, which later instructions may read.
            let flags = used.get(usize::from(rows.wide)).map(Vec::as_slice).unwrap_or_default();
            let mut all = rows.first..rows.first.saturating_add(rows.count);
            if !all.any(|row| index(rows.wide, row).is_none_or(|at| flags.get(at).copied().unwrap_or(true))) {
                continue;
            }
        }
        step.reads(&mut |rows| {
            for row in rows.first..rows.first.saturating_add(rows.count) {
                let flags = used.get_mut(usize::from(rows.wide));
                if let Some(flag) = index(rows.wide, row).and_then(|at| flags?.get_mut(at)) {
                    *flag = true;
                }
            }
        });
        kept.push(step);
    }
    kept.reverse();
    kept
}

/// Joins an operation with the write of its result to registers, where no step after it reads either.
pub(crate) fn join(mut steps: Vec<Step>) -> Vec<Step> {
    let mut at = steps.len();
    while let Some(before) = at.checked_sub(1) {
        at = before;
        let (wide, commit) = match steps.get(at) {
            Some(Step::Merge(commit)) => (true, *commit),
            Some(Step::Move(commit)) => (false, *commit),
            _ => continue,
        };
        let result = Rows { wide, first: commit.src, count: commit.count };
        let made = steps.iter().position(|step| match step {
            Step::Lanes(primitive) => wide && makes(primitive, &commit),
            Step::Wave(primitive) => !wide && makes(primitive, &commit),
            Step::Cross(cross) => wide && cross.can_commit(&commit),
            Step::Load(access) => {
                wide == access.lanes && access.data == commit.src && dwords(access.ty) == commit.count
            }
            _ => false,
        });
        let Some(made) = made.filter(|made| *made < at && commit.condition.is_none()) else { continue };
        let registers = Rows { first: commit.dst, ..result };
        let behind = steps.iter().enumerate().skip(made + 1).filter(|(other, _)| *other != at);
        let mut is_read = false;
        for (_, step) in behind {
            is_read |= step.writes().is_some_and(|rows| rows.overlaps(registers));
            step.reads(&mut |rows| is_read |= rows.overlaps(result) || rows.overlaps(registers));
            // A write mask that is set later would not apply.
            is_read |= matches!(step, Step::Active { .. } | Step::Restrict(_));
        }
        if is_read {
            continue;
        }
        steps.remove(at);
        match steps.get_mut(made) {
            Some(Step::Wave(primitive)) => primitive.dst = commit.dst,
            Some(Step::Cross(cross)) => (cross.dst, cross.commits) = (commit.dst, true),
            Some(Step::Load(access)) if wide => access.destination = Some(commit.dst),
            Some(Step::Load(access)) => access.data = commit.dst,
            Some(step) => {
                if let Step::Lanes(primitive) = step {
                    *step = Step::Assign(primitive.clone(), VectorOperation::new(primitive, commit.dst, false));
                }
            }
            None => {}
        }
    }
    steps
}

/// Whether an operation computes the rows of a write.
fn makes<R>(primitive: &Primitive<R>, commit: &Commit) -> bool {
    primitive.dst == commit.src && dwords(primitive.operation.ty) == commit.count
}

impl Step {
    /// Whether the step has no effect besides its result in temporaries.
    pub(crate) fn is_pure(&self) -> bool {
        self.pure_result().is_some()
    }

    /// Whether the step reads one of some rows, wide or scalar.
    pub(crate) fn reads_rows(&self, rows: &Range<u16>, wide: bool) -> bool {
        let rows = Rows { wide, first: rows.start, count: rows.end.saturating_sub(rows.start) };
        let mut found = false;
        self.reads(&mut |read| found |= read.overlaps(rows));
        found
    }

    /// The rows of the result, if the step has no other effect.
    fn pure_result(&self) -> Option<Rows> {
        let (wide, first, count) = match self {
            Step::Lanes(primitive) => (true, primitive.dst, dwords(primitive.operation.ty)),
            Step::Wave(primitive) => (false, primitive.dst, dwords(primitive.operation.ty)),
            Step::Broadcast { dst, .. } | Step::Expand { dst, .. } => (true, *dst, 1),
            Step::IsZero { dst, .. } => (false, *dst, 1),
            Step::Cross(cross) if !cross.commits => (true, cross.dst, dwords(cross.ty)),
            _ => return None,
        };
        Some(Rows { wide, first, count })
    }

    /// The rows that the step writes, if they are of one file and known.
    pub(crate) fn writes(&self) -> Option<Rows> {
        let rows = |wide, first, count| Some(Rows { wide, first, count });
        match self {
            Step::Assign(primitive, operation) => rows(true, operation.dst, primitive.dwords()),
            Step::Merge(commit) => rows(true, commit.dst, commit.count),
            Step::MergeHalf { commit, .. } | Step::WriteLane { commit, .. } => rows(true, commit.dst, commit.count),
            Step::Cross(cross) => rows(true, cross.dst, dwords(cross.ty)),
            Step::Load(access) if access.lanes => rows(true, access.destination?, dwords(access.ty)),
            Step::Load(access) => rows(false, access.data, dwords(access.ty)),
            Step::Move(commit) | Step::MoveHalf { commit, .. } => rows(false, commit.dst, commit.count),
            Step::WriteMask { commit, .. } => rows(false, commit.dst, 2),
            Step::Compare { operation, .. } => rows(false, operation.dst, 2),
            // SCC is a separate row.
            Step::Test { primitive, .. } => rows(false, primitive.dst, 1),
            Step::Both(operations) => rows(false, operations[0].dst, 1),
            Step::Choose { dst, .. } => rows(true, *dst, 1),
            Step::ReadLane { dst, .. }
            | Step::FirstLane { dst }
            | Step::Getreg { dst, .. }
            | Step::BarrierState { dst } => rows(false, *dst, 1),
            Step::Realtime { dst, count, .. } => rows(false, *dst, *count),
            // Any register may be written.
            Step::WriteRelative(relative) => rows(relative.vector, 0, relative.commit.src),
            _ => self.pure_result(),
        }
    }

    /// Whether other lanes than before write results after the step.
    pub(crate) fn changes_writers(&self, layout: &Layout) -> bool {
        let exec = Rows { wide: false, first: layout.exec, count: 2 };
        matches!(self, Step::Active { .. } | Step::Restrict(_)) || self.writes().is_some_and(|rows| rows.overlaps(exec))
    }

    /// Calls a function with the rows that the step reads.
    pub(crate) fn reads(&self, f: &mut impl FnMut(Rows)) {
        let mut read = |wide, first, count| f(Rows { wide, first, count });
        match self {
            Step::Lanes(primitive) => arguments(true, primitive, &mut read),
            Step::Wave(primitive) | Step::Test { primitive, .. } => arguments(false, primitive, &mut read),
            Step::Both(operations) => operations.iter().for_each(|primitive| arguments(false, primitive, &mut read)),
            Step::Assign(primitive, _) | Step::Compare { primitive, .. } => arguments(true, primitive, &mut read),
            Step::Choose { mask, yes, no, .. } => {
                read(false, *mask, 2);
                [*yes, *no].into_iter().for_each(|row| read(true, row, 1));
            }
            Step::Cross(cross) => cross.args.iter().for_each(|arg| read(true, arg.row, dwords(arg.ty))),
            Step::ReadRelative(relative) => {
                read(relative.lanes, relative.distance, 1);
                // Any register may be read.
                read(relative.vector, 0, relative.commit.src.saturating_add(256));
            }
            Step::WriteRelative(Relative { commit, distance, lanes, .. }) => {
                read(*lanes, *distance, 1);
                written(*lanes, commit, &mut read);
            }
            Step::ReadLane { src, lane, .. } => {
                read(true, *src, 1);
                read(false, *lane, 1);
            }
            Step::Matrix(matrix) => {
                matrix.args.iter().for_each(|arg| read(true, arg.row, dwords(arg.ty)));
                matrix.index.iter().for_each(|index| read(true, index.row, 1));
            }
            Step::Load(access) => of_access(access, &mut read),
            Step::Store(access) => {
                read(access.lanes, access.data, dwords(access.ty));
                of_access(access, &mut read);
            }
            Step::Update(update) => {
                read(update.access.lanes, update.value, dwords(update.access.ty));
                update.operations.iter().for_each(|primitive| arguments(true, primitive, &mut read));
                update.scalar.iter().for_each(|primitive| arguments(false, primitive, &mut read));
                of_access(&update.access, &mut read);
            }
            Step::Active { src } => read(true, *src, 1),
            Step::Merge(commit) | Step::MergeHalf { commit, .. } | Step::WriteMask { commit, .. } => {
                written(true, commit, &mut read);
            }
            Step::Move(commit) | Step::MoveHalf { commit, .. } => written(false, commit, &mut read),
            Step::WriteLane { commit, lane } => {
                written(false, commit, &mut read);
                read(false, *lane, 1);
            }
            Step::Branch { src, condition, .. } => {
                read(false, *src, 2);
                if let Some(Condition { row, is_mask, .. }) = condition {
                    read(false, *row, if *is_mask { 2 } else { 1 });
                }
            }
            Step::SetMode { src, condition, .. } => {
                read(false, *src, 1);
                condition.iter().for_each(|row| read(false, *row, 1));
            }
            Step::End { condition }
            | Step::Barrier { condition }
            | Step::Signal { condition }
            | Step::Await { condition } => {
                condition.iter().for_each(|row| read(false, *row, 1));
            }
            Step::Sleep { units, condition } => {
                read(false, *units, 1);
                condition.iter().for_each(|row| read(false, *row, 1));
            }
            Step::Broadcast { src, .. } => read(false, *src, 1),
            Step::Expand { src, .. } | Step::IsZero { src, .. } => read(false, *src, 2),
            Step::FirstLane { .. }
            | Step::ModeWritten
            | Step::Unable
            | Step::Leave
            | Step::Reload
            | Step::Restrict(_) => {}
            Step::Getreg { .. } | Step::Realtime { .. } | Step::BarrierState { .. } | Step::Check(_) => {}
            // These are made of steps at the end.
            Step::Run { .. } | Step::Scalars { .. } => {}
        }
    }
}

impl Access {
    /// Calls a function with the rows of the address and the condition.
    pub(crate) fn reads(&self, f: &mut impl FnMut(Rows)) {
        of_access(self, &mut |wide, first, count| f(Rows { wide, first, count }));
    }
}

/// The rows that an operation reads.
fn arguments<R>(wide: bool, primitive: &Primitive<R>, read: &mut impl FnMut(bool, u16, u16)) {
    primitive.operation.args.iter().for_each(|arg| read(wide, arg.row, dwords(arg.ty)));
}

/// The rows that a write reads.
fn written(wide: bool, commit: &Commit, read: &mut impl FnMut(bool, u16, u16)) {
    read(wide, commit.src, commit.count);
    commit.condition.iter().for_each(|row| read(wide, *row, 1));
}

/// The rows of an access's address and condition.
fn of_access(access: &Access, read: &mut impl FnMut(bool, u16, u16)) {
    let lanes = access.lanes;
    match &access.address {
        Addressing::Sum(sum) => {
            read(lanes, sum.row.row, dwords(sum.row.ty));
            sum.scalar.iter().for_each(|scalar| read(false, scalar.row, dwords(scalar.ty)));
        }
        &Addressing::Buffer { resource, vaddr, soffset, .. } => {
            let rows = [(false, resource, 4), (lanes, vaddr, 2), (false, soffset, 1)];
            rows.into_iter().for_each(|(wide, row, count)| read(wide, row, count));
        }
        Addressing::Image { resource, sampler, image, .. } => {
            read(lanes, *resource, if image.is_short { 4 } else { 8 });
            sampler.iter().for_each(|row| read(lanes, *row, 4));
        }
        &Addressing::ScalarBuffer { resource, offset } => {
            [(resource, 4), (offset, 2)].into_iter().for_each(|(row, count)| read(lanes, row, count));
        }
    }
    access.condition.iter().for_each(|row| read(lanes, *row, 1));
}
