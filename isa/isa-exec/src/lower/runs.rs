//! Joins consecutive steps, also of several instructions, into runs: the interpreter executes the steps of a run without selecting
//! code for each kind of step.
//!
//! No step of a run can fail or end the turn of a wave, and observed waves execute the steps one by one. So a run has the effect of
//! its steps, even if it does not write a row that a later step of it overwrites.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::primitive::Scalar;
use crate::step::{Scalars, Step};

/// The run that steps begin with, and the number of steps that it replaces. At most `limit` are joined.
pub(crate) fn first(steps: &[Step], limit: usize, scc: u16) -> Option<(Step, usize)> {
    let steps = steps.get(..limit).unwrap_or(steps);
    let of_lanes = steps.iter().take_while(|step| is_for_lanes(step)).count();
    if of_lanes > 1 {
        return Some((Step::Run(steps.iter().take(of_lanes).cloned().collect()), of_lanes));
    }
    let scalars = steps.iter().take_while(|step| is_scalar(step)).count();
    (scalars > 1).then(|| (scalar_run(steps.get(..scalars).unwrap_or_default(), scc), scalars))
}

/// Whether a step computes wide rows from rows.
const fn is_for_lanes(step: &Step) -> bool {
    matches!(step, Step::Assign(..) | Step::Lanes(_) | Step::Broadcast { .. })
}

/// Whether a step can be part of a run of scalar operations.
fn is_scalar(step: &Step) -> bool {
    match step {
        Step::Wave(primitive) | Step::Test { primitive, .. } => Scalar::new(primitive, false).is_some(),
        Step::Reload => true,
        _ => false,
    }
}

fn scalar_run(steps: &[Step], scc: u16) -> Step {
    let mut operations: Vec<Scalar> = Vec::with_capacity(steps.len());
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
        let Some(scalar) = Scalar::new(primitive, tests && is_read) else { continue };
        is_read = is_read && !tests && scalar.dst != scc || scalar.args.contains(&scc);
        operations.push(scalar);
    }
    operations.reverse();
    Step::Scalars(Box::new(Scalars { operations: operations.into(), scc, reloads }))
}
