//! Joins consecutive steps, also of several instructions, into runs: the interpreter executes the steps of a run without selecting
//! code for each kind of step.
//!
//! No step of a run can fail or end the turn of a wave, and observed waves execute the steps one by one. So a run has the effect of
//! its steps, even if it does not write a row that a later step of it overwrites.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::lower::Lowering;
use crate::primitive::{Primitive, ScalarOperation, Scc, VectorOperation, WINDOW};
use crate::rows::Single;
use crate::step::Step;

/// The run of operations for lanes that steps begin with, and the number of steps that it replaces. At most `limit` are joined; `first`
/// is the index of the first one in the code.
pub(crate) fn lanes(steps: &[Step], limit: usize, first: u32) -> Option<(Step, usize)> {
    let steps = steps.get(..limit).unwrap_or(steps);
    let operations: Box<[VectorOperation]> = steps.iter().map_while(operation).collect();
    let count = operations.len();
    (count > 0).then(|| (Step::Run { operations, first }, count))
}

/// The operation of a step that computes wide rows from rows.
const fn operation(step: &Step) -> Option<VectorOperation> {
    Some(match step {
        Step::Assign(_, operation) => *operation,
        Step::Lanes(primitive) => VectorOperation::new(primitive, primitive.dst, true),
        Step::Broadcast { dst, src } => VectorOperation::broadcast(*dst, *src),
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
    Some((scalar_run(steps, lowering, ends(count), skipped(count)), count))
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

fn scalar_run(steps: &[Step], lowering: &Lowering, ends: bool, skipped: usize) -> Step {
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
