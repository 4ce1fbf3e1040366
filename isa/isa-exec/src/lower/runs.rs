//! Joins consecutive steps, also of several instructions, into runs: the interpreter executes the steps of a run without selecting
//! code for each kind of step.
//!
//! No step of a run can fail or end the turn of a wave, and observed waves execute the steps one by one. So a run has the effect of
//! its steps, even if it does not write a row that a later step of it overwrites.

use alloc::vec::Vec;

use crate::lower::Lowering;
use crate::primitive::{Primitive, ScalarOperation, Scc, VectorOperation, WINDOW};
use crate::registers::Rows;
use crate::rows::Single;
use crate::step::{Commit, Step};

/// The run of operations for lanes that steps begin with.
pub(crate) struct LaneRun<'a> {
    first: u32,
    operations: Vec<VectorOperation>,
    reloads: bool,
    /// The scalar steps between the operations. They are executed before all of them.
    scalars: Vec<&'a Step>,
    /// How many steps it replaces.
    pub count: usize,
    accesses: Vec<ScalarAccess>,
}

/// Scalar rows that an operation for lanes accesses.
struct ScalarAccess {
    rows: Rows,
    /// Whether they are a mask, of which an operation accesses the row of the lanes that it computes.
    is_mask: bool,
    writes: bool,
}

impl ScalarAccess {
    fn of(step: &Step, halves: u16) -> Option<Self> {
        let (first, is_mask, writes) = match step {
            Step::Broadcast { src, .. } => (*src, false, false),
            Step::Expand { src, .. } => (*src, true, false),
            Step::Choose { mask, .. } => (*mask, true, false),
            Step::Compare { operation, .. } => (operation.dst, true, true),
            _ => return None,
        };
        Some(ScalarAccess {
            rows: Rows { wide: false, first, count: if is_mask { halves } else { 1 } },
            is_mask,
            writes,
        })
    }

    /// Whether the order of two operations matters where all operations on the first 32 lanes precede those on the others.
    fn conflicts(&self, other: &ScalarAccess) -> bool {
        let is_same_mask = self.is_mask && other.is_mask && self.rows == other.rows;
        (self.writes || other.writes) && self.rows.overlaps(other.rows) && !is_same_mask
    }
}

impl<'a> LaneRun<'a> {
    /// The run that steps begin with, if they begin with one. At most `limit` are joined; `first` is the index of the first one in the
    /// code, and `ends` returns whether this many steps end with an instruction.
    pub(crate) fn new(
        steps: &'a [Step],
        limit: usize,
        first: u32,
        lowering: &Lowering,
        ends: &dyn Fn(usize) -> bool,
    ) -> Option<Self> {
        let mut run = LaneRun {
            first,
            operations: Vec::new(),
            reloads: false,
            scalars: Vec::new(),
            count: 0,
            accesses: Vec::new(),
        };
        let mut between = Vec::new();
        for (distance, step) in (0..u16::MAX).zip(steps).take(limit) {
            let at = usize::from(distance);
            if let Some(mut operation) = operation(step) {
                operation.distance = distance;
                // Scalar steps between are whole instructions: temporaries of others would be computed too early.
                if !between.is_empty() && !ends(at) || !run.takes(step, lowering.halves()) {
                    break;
                }
                run.scalars.append(&mut between);
                run.operations.push(operation);
                run.count = at + 1;
                if let Step::Compare { reloads: true, .. } = step {
                    run.reloads = true;
                    break;
                }
            } else if at == 0 || between.is_empty() && !ends(at) || !run.follows(step, lowering) {
                break;
            } else {
                between.push(step);
            }
        }
        (run.count > 0).then_some(run)
    }

    /// Adds what an operation accesses; returns false if its order among the others matters.
    fn takes(&mut self, step: &Step, halves: u16) -> bool {
        let Some(access) = ScalarAccess::of(step, halves) else { return true };
        if halves > 1 && self.accesses.iter().any(|other| other.conflicts(&access)) {
            return false;
        }
        self.accesses.push(access);
        true
    }

    /// Whether a scalar step has the same effect before the operations.
    fn follows(&self, step: &Step, lowering: &Lowering) -> bool {
        let Some((primitive, scc)) = scalar(step).filter(|_| operation_of(step, lowering).is_some()) else {
            return false;
        };
        let rows = |first, count| Rows { wide: false, first, count };
        let written = [Some(rows(primitive.dst, primitive.dwords())), scc.row().map(|row| rows(row, 1))];
        let mut is_independent = !matches!(step, Step::Test { reloads: true, .. });
        for access in &self.accesses {
            is_independent &= !written.into_iter().flatten().any(|rows| rows.overlaps(access.rows));
            step.reads(&mut |rows| is_independent &= !(access.writes && rows.overlaps(access.rows)));
        }
        is_independent
    }

    /// Appends the steps of the run: those of its scalar steps, and one for the lanes.
    pub(crate) fn append_to(self, code: &mut Vec<Step>, lowering: &Lowering) {
        if !self.scalars.is_empty() {
            code.push(scalar_run(&self.scalars, lowering, true, 0));
        }
        code.push(Step::Run { operations: self.operations.into(), first: self.first, reloads: self.reloads });
    }
}

/// The operation of a step that computes wide rows from rows, or a mask.
const fn operation(step: &Step) -> Option<VectorOperation> {
    Some(match step {
        Step::Assign(_, operation) => *operation,
        Step::Lanes(primitive) => VectorOperation::new(primitive, primitive.dst, true),
        Step::Broadcast { dst, src } => VectorOperation::broadcast(*dst, *src),
        Step::Expand { dst, src } => VectorOperation::expand(*dst, *src),
        Step::Choose { mask, yes, no, dst } => VectorOperation::choose(*mask, [*yes, *no], *dst),
        Step::Compare { operation, .. } => *operation,
        Step::MergeHalf { commit: Commit { dst, src, condition: None, .. }, high } => {
            VectorOperation::half(*src, *dst, *high)
        }
        _ => return None,
    })
}

/// The run of scalar operations that steps begin with, and the number of steps that it replaces. `ends` returns whether this many steps
/// end with an instruction, and `skipped` how many runs of the joined code repeat the end of a run of this many steps.
pub(crate) fn scalars(
    steps: &[Step],
    lowering: &Lowering,
    ends: impl Fn(usize) -> bool,
    skipped: impl Fn(usize) -> usize,
) -> Option<(Step, usize)> {
    let is_reload = |step: &Step| matches!(step, Step::Reload);
    let is_joined = |step: &&Step| is_reload(step) || operation_of(step, lowering).is_some();
    let count = steps.iter().take_while(is_joined).count();
    let steps = steps.get(..count).filter(|steps| !steps.iter().all(is_reload))?;
    let steps: Vec<&Step> = steps.iter().collect();
    Some((scalar_run(&steps, lowering, ends(count), skipped(count)), count))
}

/// The operations of a step on scalar rows: the one that computes its result, and how it sets SCC.
fn scalar(step: &Step) -> Option<(&Primitive<Single>, Scc<'_>)> {
    Some(match step {
        Step::Wave(primitive) => (primitive, Scc::Kept),
        Step::Test { primitive, scc, .. } => (primitive, Scc::IsNotZero(*scc)),
        Step::Both(operations) => (&operations[0], Scc::Of(&operations[1])),
        _ => return None,
    })
}

/// The operation of a step that runs can execute.
fn operation_of(step: &Step, lowering: &Lowering) -> Option<ScalarOperation> {
    let (primitive, scc) = scalar(step)?;
    ScalarOperation::new(primitive, scc, &|row| lowering.scalar_dword(row))
}

fn scalar_run(steps: &[&Step], lowering: &Lowering, ends: bool, skipped: usize) -> Step {
    let mut operations: Vec<ScalarOperation> = Vec::with_capacity(steps.len());
    let mut reloads = false;
    // Backwards: SCC and temporaries are dead where nothing reads them before they are computed again. Nothing reads temporaries after an
    // instruction.
    let (layout, mut dead) = (lowering.layout(), [false; WINDOW]);
    dead.iter_mut().skip(layout.scalar_temporaries().into()).for_each(|row| *row = ends);
    for step in steps.iter().rev() {
        reloads |= matches!(step, Step::Reload | Step::Test { reloads: true, .. });
        let Some((primitive, scc)) = scalar(step) else { continue };
        let is_dead = |row: u16| dead.get(usize::from(row)).is_some_and(|row| *row);
        let scc = if scc.row().is_some_and(is_dead) { Scc::Kept } else { scc };
        if is_dead(primitive.dst) && scc.row().is_none() {
            continue;
        }
        let operation = ScalarOperation::new(primitive, scc, &|row| lowering.scalar_dword(row));
        debug_assert!(operation.is_some(), "an operation has a function without SCC, too: {primitive:?}");
        operations.extend(operation);
        let mut set = |row: u16, is_dead| dead.get_mut(usize::from(row)).into_iter().for_each(|row| *row = is_dead);
        let computed = [Some(primitive.dst), scc.row()].into_iter().flatten();
        computed.filter(|row| *row >= layout.scc()).for_each(|row| set(row, true));
        step.reads(&mut |rows| (rows.first..rows.first.saturating_add(rows.count)).for_each(|row| set(row, false)));
    }
    operations.reverse();
    Step::Scalars { operations: operations.into(), reloads, skipped }
}
