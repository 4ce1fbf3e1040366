//! Joins steps of an instruction into one that the interpreter executes without rows in between.

use alloc::boxed::Box;
use alloc::vec::Vec;

use isa_runtime::body::{BinaryOp, Builtin, UnaryOp};

use crate::lower::prune::Temporaries;
use crate::lower::values::DWORD;
use crate::operation::{Argument, Operation, OperationKind};
use crate::primitive::{Primitive, ScalarOperation, Scc, VectorOperation};
use crate::registers::Rows;
use crate::rows::Wide;
use crate::step::{Commit, Condition, Step};

/// Joins steps.
///
/// `scalar_constant` is the dword that a scalar row holds, if it is a constant.
pub(crate) fn combine(
    mut steps: Vec<Step>,
    temporaries: &Temporaries,
    scalar_constant: &dyn Fn(u16) -> Option<u32>,
) -> Vec<Step> {
    let mut at = 0;
    while at < steps.len() {
        if choose(&mut steps, at) {
            // The step at this index is the next one now.
            continue;
        }
        let combined = match steps.get(at) {
            Some(Step::WriteMask { commit, inactive }) => compare(&steps, at, *commit, *inactive),
            Some(Step::Move(commit)) => {
                let commit = *commit;
                rename(&mut steps, at, commit, temporaries);
                None
            }
            _ => None,
        };
        match combined {
            // The steps before it are gone.
            Some((step, before)) => {
                steps.splice(at - before..=at, [step]);
                at -= before;
            }
            None => at += 1,
        }
    }
    steps.retain(|step| !matches!(step, Step::Move(commit) if commit.dst == commit.src));
    let mut at = 1;
    while at < steps.len() {
        let combined = steps.get(at - 1..).and_then(|two| {
            let joined = test(two, scalar_constant).or_else(|| branch(&steps, two));
            let joined = joined.or_else(|| and_not(&steps, two, temporaries)).map(|step| (step, 2));
            joined.or_else(|| both(&steps, two, temporaries, scalar_constant))
        });
        match combined {
            // The step before it may be one more that it replaces.
            Some((step, count)) => {
                steps.splice(at - 1..at - 1 + count, [step]);
                at = at.saturating_sub(1).max(1);
            }
            None => at += 1,
        }
    }
    for step in &mut steps {
        if let Some(copy) = copy(step) {
            *step = copy;
        }
    }
    steps
}

/// How many steps read a row.
fn readers(steps: &[Step], wide: bool, row: u16) -> usize {
    let row = Rows { wide, first: row, count: 1 };
    let reads = |step: &&Step| {
        let mut found = false;
        step.reads(&mut |rows| found |= rows.overlaps(row));
        found
    };
    steps.iter().filter(reads).count()
}

/// The step for lanes before an index, if its result is a row that one step alone reads.
fn before(steps: &[Step], at: usize, row: u16) -> Option<&Primitive<Wide>> {
    match steps.get(at.checked_sub(1)?)? {
        Step::Lanes(primitive) if primitive.dst == row && readers(steps, true, row) == 1 => Some(primitive),
        _ => None,
    }
}

/// A comparison whose bits are written to scalar rows, and how many steps before the write it replaces.
fn compare(steps: &[Step], at: usize, commit: Commit, inactive: Option<bool>) -> Option<(Step, usize)> {
    let last = before(steps, at, commit.src).filter(|_| commit.condition.is_none())?;
    let compares = |primitive: &Primitive<Wide>| match primitive.operation.kind {
        OperationKind::Binary(op) => op.compares(),
        OperationKind::Related(_) => true,
        // Bits of sums too.
        OperationKind::Call(Builtin::Carry | Builtin::Borrow) => true,
        _ => false,
    };
    let step = |primitive: &Primitive<Wide>, negated| {
        let operation = VectorOperation::comparison(primitive, commit.dst, inactive, negated);
        Step::Compare { primitive: primitive.clone(), operation, reloads: false }
    };
    if compares(last) {
        return Some((step(last, false), 1));
    }
    let [of_not] = *last.operation.args else { return None };
    if last.operation.kind != OperationKind::Unary(UnaryOp::Not) || of_not.ty.total_bits() != 1 {
        return None;
    }
    let first = before(steps, at - 1, of_not.row).filter(|first| compares(first))?;
    Some((step(first, true), 2))
}

/// Replaces a selection by each lane's bit of a mask, and removes the step that expands the mask; returns whether it does. The result
/// is stored only in the lanes that write: it goes to a register, or to half of one.
fn choose(steps: &mut Vec<Step>, at: usize) -> bool {
    let (primitive, dst) = match steps.get(at..) {
        Some([Step::Assign(primitive, operation), ..]) => (primitive, operation.dst),
        Some([Step::Lanes(primitive), Step::MergeHalf { commit, .. }, ..])
            if commit.src == primitive.dst && readers(steps, true, primitive.dst) == 1 =>
        {
            (primitive, primitive.dst)
        }
        _ => return false,
    };
    let [condition, yes, no] = *primitive.operation.args else { return false };
    let is_selection = primitive.operation.kind == OperationKind::Select && primitive.operation.ty.total_bits() <= 32;
    // Operations of lanes change no mask.
    let before = steps.iter().take(at).rev().position(|step| !matches!(step, Step::Lanes(_)));
    let Some(expands) = before.filter(|_| is_selection).map(|before| at - 1 - before) else { return false };
    match steps.get(expands) {
        Some(&Step::Expand { dst: mask, src }) if mask == condition.row && readers(steps, true, mask) == 1 => {
            steps.splice(at..=at, [Step::Choose { mask: src, yes: yes.row, no: no.row, dst }]);
            steps.remove(expands);
            true
        }
        _ => false,
    }
}

/// Lets an operation compute its result in the registers that a later step copies it to, if nothing reads or writes these in
/// between. The copy becomes one of the registers to themselves.
fn rename(steps: &mut [Step], at: usize, commit: Commit, temporaries: &Temporaries) {
    let Commit { dst, src, count, condition } = commit;
    if condition.is_some() || !temporaries.scalar.contains(&src) {
        return;
    }
    let (result, registers) = (Rows { wide: false, first: src, count }, Rows { wide: false, first: dst, count });
    let Some(made) = steps
        .iter()
        .position(|step| matches!(step, Step::Wave(primitive) if primitive.dst == src && primitive.dwords() == count))
    else {
        return;
    };
    let is_renamed = made < at
        && steps.iter().enumerate().all(|(index, step)| {
            if index <= made || index == at {
                return true;
            }
            // Other steps read the result as an argument of an operation, or not at all.
            let (mut reads_result, mut reads_registers) = (false, false);
            step.reads(&mut |rows| {
                reads_result |= rows.overlaps(result);
                reads_registers |= rows.overlaps(registers);
            });
            let writes = step.writes().is_some_and(|rows| rows.overlaps(registers) || rows.overlaps(result));
            let renames = matches!(step, Step::Wave(_)) && index < at;
            (!reads_result || renames) && (!reads_registers || index > at) && (!writes || index > at)
        });
    if !is_renamed {
        return;
    }
    for (index, step) in steps.iter_mut().enumerate().take(at + 1).skip(made) {
        match step {
            Step::Wave(primitive) if index == made => primitive.dst = dst,
            Step::Wave(primitive) => primitive.rename(src..src + count, dst),
            Step::Move(commit) if index == at => commit.src = dst,
            _ => {}
        }
    }
}

/// The first two of some steps as one: an operation on dwords, and whether its result is not 0.
fn test(steps: &[Step], scalar_constant: &dyn Fn(u16) -> Option<u32>) -> Option<Step> {
    let [Step::Wave(first), Step::Wave(second), ..] = steps else { return None };
    let [a, b] = *second.operation.args else { return None };
    let compares = second.operation.kind == OperationKind::Binary(BinaryOp::Ne) && a.ty.total_bits() == 32;
    let is_tested = first.dwords() == 1 && a.row == first.dst && scalar_constant(b.row) == Some(0);
    let test = || Step::Test { primitive: first.clone(), scc: second.dst, reloads: false };
    (compares && is_tested).then(test)
}

/// The first steps of an instruction as one, and how many they are: an operation, one on the same rows that computes SCC, and the copy of
/// the result, if it has to wait until the rows are read.
fn both(
    all: &[Step],
    steps: &[Step],
    temporaries: &Temporaries,
    scalar_constant: &dyn Fn(u16) -> Option<u32>,
) -> Option<(Step, usize)> {
    let [Step::Wave(first), Step::Wave(second), rest @ ..] = steps else { return None };
    ScalarOperation::new(first, Scc::Of(second), scalar_constant)?;
    if second.operation.args.iter().any(|arg| arg.row == first.dst) {
        return None;
    }
    let step = |dst| {
        let mut first = first.clone();
        first.dst = dst;
        Step::Both(Box::new([first, second.clone()]))
    };
    if let [Step::Move(Commit { dst, src, count: 1, condition: None }), ..] = rest
        && *src == first.dst
        && *dst != second.dst
        && temporaries.scalar.contains(src)
        && readers(all, false, *src) == 1
    {
        return Some((step(*dst), 3));
    }
    Some((step(first.dst), 2))
}

/// The first two of some steps of an instruction as one: a conjunction with the complement of a dword that nothing else reads.
fn and_not(all: &[Step], steps: &[Step], temporaries: &Temporaries) -> Option<Step> {
    let [Step::Wave(first), Step::Wave(second), ..] = steps else { return None };
    let ([of_not], [a, b]) = (&*first.operation.args, &*second.operation.args) else { return None };
    let is_not = first.operation.kind == OperationKind::Unary(UnaryOp::Not) && of_not.ty.total_bits() == 32;
    let is_and = second.operation.kind == OperationKind::Binary(BinaryOp::And) && second.dwords() == 1;
    let other = [(a, b), (b, a)].into_iter().find_map(|(not, other)| (not.row == first.dst).then_some(other))?;
    let is_gone = temporaries.scalar.contains(&first.dst) && readers(all, false, first.dst) == 1;
    if !is_not || !is_and || !is_gone {
        return None;
    }
    let operation =
        Operation { kind: OperationKind::AndNot, ty: second.operation.ty, args: Box::new([*other, *of_not]) };
    Some(Step::Wave(Primitive::new(operation, second.dst)))
}

/// A copy of one row as an operation, which the interpreter executes without a loop.
fn copy(step: &Step) -> Option<Step> {
    let is_single = |commit: &Commit| commit.count == 1 && commit.condition.is_none();
    let operation =
        |row| Operation { kind: OperationKind::Cast, ty: DWORD, args: Box::new([Argument { row, ty: DWORD }]) };
    match step {
        Step::Merge(commit) if is_single(commit) => {
            let primitive = Primitive::new(operation(commit.src), commit.dst);
            let operation = VectorOperation::new(&primitive, commit.dst, false);
            Some(Step::Assign(primitive, operation))
        }
        Step::Move(commit) if is_single(commit) => Some(Step::Wave(Primitive::new(operation(commit.src), commit.dst))),
        _ => None,
    }
}

/// The first two of some steps of an instruction as one: a branch and its condition, which nothing else reads.
fn branch(all: &[Step], steps: &[Step]) -> Option<Step> {
    let [first, Step::Branch { src, condition: Some(condition), target, entry, index }, ..] = steps else {
        return None;
    };
    if condition.is_mask || readers(all, false, condition.row) != 1 {
        return None;
    }
    let condition = match first {
        // The row is 1 where the mask has no bit.
        Step::IsZero { dst, src } if *dst == condition.row => {
            Condition { row: *src, is_mask: true, negated: !condition.negated }
        }
        Step::Wave(primitive) if primitive.dst == condition.row => {
            let [bit] = *primitive.operation.args else { return None };
            let is_not = primitive.operation.kind == OperationKind::Unary(UnaryOp::Not) && bit.ty.total_bits() == 1;
            is_not.then_some(Condition { row: bit.row, negated: !condition.negated, ..*condition })?
        }
        _ => return None,
    };
    Some(Step::Branch { src: *src, condition: Some(condition), target: *target, entry: *entry, index: *index })
}
