//! Joins consecutive steps, also of several instructions, into runs: the interpreter executes the steps of a run without selecting
//! code for each kind of step.
//!
//! No step of a run can fail or end the turn of a wave, and observed waves execute the steps one by one. So a run has the effect of
//! its steps, even if it does not write a row that a later step of it overwrites.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::primitive::{ScalarOperation, VectorOperation};
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

/// The run of scalar operations that steps begin with, and the number of steps that it replaces. `skipped` returns how many runs of the
/// joined code repeat the end of a run of this many steps.
pub(crate) fn scalars(steps: &[Step], scc: u16, skipped: impl Fn(usize) -> usize) -> Option<(Step, usize)> {
    let count = steps.iter().take_while(|step| is_scalar(step)).count();
    (count > 1).then(|| (scalar_run(steps.get(..count).unwrap_or_default(), scc, skipped(count)), count))
}

/// Whether a step can be part of a run of scalar operations.
fn is_scalar(step: &Step) -> bool {
    match step {
        Step::Wave(primitive) | Step::Test { primitive, .. } => ScalarOperation::new(primitive, false).is_some(),
        Step::Reload => true,
        _ => false,
    }
}

fn scalar_run(steps: &[Step], scc: u16, skipped: usize) -> Step {
    let mut operations: Vec<ScalarOperation> = Vec::with_capacity(steps.len());
    let mut reloads = false;
    // Backwards: SCC is written only if something may read it before it is written again.
    let mut is_read = true;
    for step in steps.iter().rev() {
        let (primitive, tests) = match step {
            Step::Wave(primitive) => (primitive, false),
            Step::Test { primitive, reloads: also, .. } => {
                reloads |= also;
                (primitive, true)
            }
            _ => {
                reloads = true;
                continue;
            }
        };
        let Some(scalar) = ScalarOperation::new(primitive, tests && is_read) else { continue };
        is_read = is_read && !tests && scalar.dst != scc || scalar.args.contains(&scc);
        operations.push(scalar);
    }
    operations.reverse();
    Step::Scalars { operations: operations.into(), scc, reloads, skipped }
}
