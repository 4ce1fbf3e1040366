//! Loads and atomics that wait for other waves, found in code.
//!
//! Compilers emit relaxed atomic loads as plain loads. A load of a loop that only its value ends, at an address that the loop does not
//! change, waits for another wave, as does an atomic whose result ends the loop. A compare-and-swap that is repeated with the value
//! that it found is none of these: its loop computes a new value, and the first load of the old value is part of the atomic.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::Range;

use isa_runtime::body::Space;

use crate::check::facts::Polling;
use crate::operation::dwords;
use crate::registers::Rows;
use crate::step::{Access, Addressing, Step};

/// The largest loop that waits, and the farthest distance from a load to the atomic that expects its value, in instructions.
const FARTHEST: usize = 256;

/// The farthest distance from a loop to an access that was moved out of its first turn, in instructions.
const FARTHEST_PEELED: usize = 32;

/// Something that holds a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Holder {
    Row {
        wide: bool,
        row: u16,
    },
    /// A lane of a vector register that holds scalar registers, by the rows of its number and the lane's.
    Lane {
        row: u16,
        lane: u16,
    },
    /// Scratch memory at an offset.
    Scratch(u64),
    /// What flat instructions access: without optimisation, compilers keep local variables there, too.
    Flat,
}

/// What depends on a value.
#[derive(Clone, Default, Debug)]
struct Dependent(BTreeSet<Holder>);

/// The steps of the instructions of code.
struct Code<'a> {
    steps: &'a [&'a [Step]],
    /// The numbers of vector and scalar registers.
    registers: [u16; 2],
    exec: u16,
    /// The vector registers that hold scalar registers in their lanes.
    spills: BTreeSet<u16>,
}

/// Finds how the accesses of code take part in synchronisation. `steps` are those of each instruction, in the order of addresses, and
/// the targets of branches are indices of instructions.
pub(crate) fn find(steps: &[&[Step]], registers: [u16; 2], exec: u16) -> Vec<Polling> {
    let spills = steps.iter().copied().flatten().filter_map(|step| match step {
        Step::WriteLane { commit, .. } => Some(commit.dst),
        _ => None,
    });
    let code = Code { steps, registers, exec, spills: spills.collect() };
    let mut found = alloc::vec![Polling::None; steps.len()];
    let mut repeated = Vec::new();
    for (last, of_last) in steps.iter().enumerate() {
        for step in *of_last {
            if let Step::Branch { target: Some(target), .. } = step
                && let first = *target as usize
                && first <= last
                && last - first <= FARTHEST
            {
                code.find_in_loop(first, last, &mut found, &mut repeated);
            }
        }
    }
    for at in repeated {
        for load in at.saturating_sub(FARTHEST)..at {
            let is_free = found.get(load) == Some(&Polling::None);
            if is_free
                && code.reaches(load, at)
                && let Some(polling) = found.get_mut(load)
            {
                *polling = Polling::Expects;
            }
        }
    }
    found
}

impl Code<'_> {
    fn of(&self, index: usize) -> &[Step] {
        self.steps.get(index).copied().unwrap_or_default()
    }

    /// The access to shared memory of an instruction that gets a value.
    fn access(&self, index: usize) -> Option<(&Step, &Access)> {
        self.of(index).iter().find_map(|step| match step {
            Step::Load(access) if access.space != Space::Scratch => Some((step, &**access)),
            Step::Update(update) if self.returns(index) => Some((step, &update.access)),
            _ => None,
        })
    }

    /// Whether an instruction writes a register.
    fn returns(&self, index: usize) -> bool {
        self.of(index).iter().any(|step| written(step).is_some_and(|rows| self.is_register(rows)))
    }

    const fn is_register(&self, rows: Rows) -> bool {
        rows.first < self.registers[if rows.wide { 0 } else { 1 }]
    }

    fn find_in_loop(&self, first: usize, last: usize, found: &mut [Polling], repeated: &mut Vec<usize>) {
        let has_store = (first..=last).flat_map(|index| self.of(index)).any(|step| match step {
            Step::Store(access) => !matches!(access.space, Space::Scratch | Space::Flat),
            Step::Barrier { .. } | Step::Await { .. } => true,
            _ => false,
        });
        let (mut changing, mut deciding) = (None, None);
        for index in first..=last {
            let Some((step, _)) = self.access(index) else { continue };
            let is_load = matches!(step, Step::Load(_));
            if is_load && has_store {
                continue;
            }
            let deciding = deciding.get_or_insert_with(|| self.deciding(first, last));
            if !self.writes(index, deciding) || !self.ends_loop(index, first, last) {
                continue;
            }
            let changing = changing.get_or_insert_with(|| self.changing(first, last));
            let is_changing = self.is_operand(index, step, changing.clone(), first, last);
            if is_changing || !is_load && self.is_operand(index, step, Dependent::default(), first, last) {
                if !is_load {
                    repeated.push(index);
                }
            } else {
                let peeled = (first.saturating_sub(FARTHEST_PEELED)..first)
                    .filter(|before| self.is_peeled(*before, index, first..last + 1));
                for index in peeled.chain([index]) {
                    if let Some(polling) = found.get_mut(index) {
                        *polling = Polling::Polls;
                    }
                }
            }
        }
    }

    /// Whether an instruction before a loop makes the access of one in it for the first time, and decides whether the loop begins.
    /// Compilers may compute the address anew for the loop: then the branch must skip exactly the loop.
    fn is_peeled(&self, before: usize, index: usize, body: Range<usize>) -> bool {
        let (Some((_, a)), Some((_, b))) = (self.access(before), self.access(index)) else { return false };
        if (a.space, a.ty) != (b.space, b.ty) {
            return false;
        }
        let is_same = is_same_memory(a, b);
        let skips =
            |step: &Step| matches!(step, Step::Branch { target: Some(target), .. } if *target as usize == body.end);
        let mut dependent = Dependent::default();
        (before..body.start).any(|index| {
            let decides = self.flow(index, index == before, &mut dependent);
            decides && (is_same || self.of(index).iter().any(skips))
        })
    }

    /// Whether the value that an instruction gets decides that the loop ends.
    fn ends_loop(&self, from: usize, first: usize, last: usize) -> bool {
        let mut dependent = Dependent::default();
        for _ in 0..2 {
            for index in first..=last {
                for step in self.of(index) {
                    if dependent.decides(step) && may_leave(step, index, first..last + 1) {
                        return true;
                    }
                    dependent.step(step, index == from, &self.spills);
                }
                self.forget_temporaries(&mut dependent);
            }
        }
        false
    }

    /// What the branches that may end a loop depend on, in any order of its instructions: [`ends_loop`](Self::ends_loop), which takes the
    /// time of two turns of the loop for each access, is false for an instruction that writes none of it.
    fn deciding(&self, first: usize, last: usize) -> Dependent {
        let mut deciding = Dependent::default();
        loop {
            let before = deciding.0.len();
            for index in (first..=last).rev() {
                for step in self.of(index).iter().rev() {
                    if may_leave(step, index, first..last + 1) {
                        deciding.0.extend(condition_of(step).into_iter().flat_map(holders));
                    }
                    if deciding.is_written_by(step) {
                        each_read(step, &self.spills, &mut |holder| {
                            deciding.0.insert(holder);
                        });
                    }
                }
                self.forget_temporaries(&mut deciding);
            }
            if deciding.0.len() == before {
                return deciding;
            }
        }
    }

    /// Whether an instruction writes something.
    fn writes(&self, index: usize, dependent: &Dependent) -> bool {
        self.of(index).iter().any(|step| dependent.is_written_by(step))
    }

    /// The registers that the loop changes from one time to the next.
    fn changing(&self, first: usize, last: usize) -> Dependent {
        let (mut exposed, mut written_rows) = (BTreeSet::new(), BTreeSet::new());
        for index in first..=last {
            for step in self.of(index) {
                each_read(step, &self.spills, &mut |holder| {
                    if !written_rows.contains(&holder) {
                        exposed.insert(holder);
                    }
                });
                each_written(step, &mut |holder| {
                    written_rows.insert(holder);
                });
            }
        }
        let is_exec = |holder: &Holder| match holder {
            Holder::Row { wide: false, row } => (self.exec..self.exec + 2).contains(row),
            _ => false,
        };
        let all = exposed.intersection(&written_rows).copied();
        let is_known = |holder: &Holder| !is_exec(holder) && *holder != Holder::Flat;
        let mut dependent = Dependent(all.filter(is_known).collect());
        self.forget_temporaries(&mut dependent);
        dependent
    }

    /// Whether an operand of an access is among what depends on something, or if that is nothing, what it stores depends on its own
    /// value.
    fn is_operand(&self, at: usize, access: &Step, mut dependent: Dependent, first: usize, last: usize) -> bool {
        let is_seeded = dependent.0.is_empty();
        for _ in 0..2 {
            for index in first..=last {
                if index == at && self.has_operand(index, access, is_seeded, dependent.clone()) {
                    return true;
                }
                self.flow(index, is_seeded && index == at, &mut dependent);
            }
        }
        false
    }

    /// Whether an operand of the access of an instruction depends on something that did before the instruction. With `is_stored`, the
    /// address is left out.
    fn has_operand(&self, index: usize, access: &Step, is_stored: bool, mut dependent: Dependent) -> bool {
        for step in self.of(index) {
            if core::ptr::eq(step, access) {
                let mut address = Vec::new();
                if let Step::Update(update) = step
                    && is_stored
                {
                    update.access.reads(&mut |rows| address.push(rows));
                }
                let mut is_operand = false;
                step.reads(&mut |rows| is_operand |= !address.contains(&rows) && dependent.has(rows));
                return is_operand;
            }
            dependent.step(step, false, &self.spills);
        }
        false
    }

    /// Whether the value that an instruction loads reaches an operand of the access of a later one.
    fn reaches(&self, load: usize, at: usize) -> bool {
        let is_load = self.access(load).is_some_and(|(step, _)| matches!(step, Step::Load(_)));
        let (true, Some((access, _))) = (is_load, self.access(at)) else { return false };
        let mut dependent = Dependent::default();
        for index in load..at {
            let is_flat = dependent.0.contains(&Holder::Flat);
            self.flow(index, index == load, &mut dependent);
            // Other flat memory may have been written.
            dependent.0.extend(is_flat.then_some(Holder::Flat));
            if dependent.0.is_empty() {
                return false;
            }
        }
        self.has_operand(at, access, true, dependent)
    }

    /// Follows what depends on a value through an instruction. With `is_source`, the value is what the instruction gets from memory.
    /// Returns whether the value decides a branch.
    fn flow(&self, index: usize, is_source: bool, dependent: &mut Dependent) -> bool {
        let mut decides = false;
        for step in self.of(index) {
            decides |= dependent.decides(step);
            dependent.step(step, is_source, &self.spills);
        }
        self.forget_temporaries(dependent);
        decides
    }

    fn forget_temporaries(&self, dependent: &mut Dependent) {
        dependent.0.retain(|holder| match *holder {
            Holder::Row { wide, row } => self.is_register(Rows { wide, first: row, count: 1 }),
            Holder::Lane { .. } | Holder::Scratch(_) | Holder::Flat => true,
        });
    }
}

impl Dependent {
    fn has(&self, rows: Rows) -> bool {
        holders(rows).any(|holder| self.0.contains(&holder))
    }

    /// Whether the value decides if a branch is taken.
    fn decides(&self, step: &Step) -> bool {
        condition_of(step).is_some_and(|rows| self.has(rows))
    }

    /// Whether a step writes a part of it.
    fn is_written_by(&self, step: &Step) -> bool {
        let mut is_written = false;
        each_written(step, &mut |holder| is_written |= self.0.contains(&holder));
        is_written
    }

    /// Follows what depends on a value through a step.
    fn step(&mut self, step: &Step, is_source: bool, spills: &BTreeSet<u16>) {
        let mut depends = is_source && matches!(step, Step::Load(_) | Step::Update(_));
        each_read(step, spills, &mut |holder| depends |= self.0.contains(&holder));
        let is_part = matches!(step, Step::MergeHalf { .. } | Step::MoveHalf { .. });
        each_written(step, &mut |holder| {
            if depends {
                self.0.insert(holder);
            } else if !is_part {
                self.0.remove(&holder);
            }
        });
    }
}

/// The rows of the condition of a branch.
fn condition_of(step: &Step) -> Option<Rows> {
    let Step::Branch { condition: Some(condition), .. } = step else { return None };
    Some(Rows { wide: false, first: condition.row, count: if condition.is_mask { 2 } else { 1 } })
}

/// Whether a step of an instruction of a loop is a branch that may end the loop.
fn may_leave(step: &Step, index: usize, body: Range<usize>) -> bool {
    let Step::Branch { target, .. } = step else { return false };
    index + 1 == body.end || !target.is_some_and(|target| body.contains(&(target as usize)))
}

/// The most rows that a step accesses, unless it may access any register.
const MOST_ROWS: u16 = 64;

/// Calls a function with what a step reads.
fn each_read(step: &Step, spills: &BTreeSet<u16>, f: &mut impl FnMut(Holder)) {
    if let Step::ReadLane { src, lane, .. } = step
        && spills.contains(src)
    {
        f(Holder::Lane { row: *src, lane: *lane });
        return;
    }
    step.reads(&mut |rows| {
        if rows.count <= MOST_ROWS {
            holders(rows).for_each(&mut *f);
        }
    });
    if let Step::Load(access) = step {
        slot_of(access).into_iter().for_each(f);
    }
}

/// Calls a function with what a step writes.
fn each_written(step: &Step, f: &mut impl FnMut(Holder)) {
    match step {
        Step::WriteLane { commit, lane } => f(Holder::Lane { row: commit.dst, lane: *lane }),
        Step::Store(access) => slot_of(access).into_iter().for_each(f),
        step => {
            let rows = written(step).filter(|rows| rows.count <= MOST_ROWS);
            rows.into_iter().flat_map(holders).for_each(f);
        }
    }
}

/// Whether two accesses have the same operands.
fn is_same_memory(a: &Access, b: &Access) -> bool {
    let is_same_address = match (&a.address, &b.address) {
        (Addressing::Sum(a), Addressing::Sum(b)) => a == b,
        (
            Addressing::Buffer { resource, vaddr, soffset, offset, .. },
            Addressing::Buffer { resource: r, vaddr: v, soffset: s, offset: o, .. },
        ) => (resource, vaddr, soffset, offset) == (r, v, s, o),
        _ => false,
    };
    is_same_address && a.space == b.space && a.ty == b.ty
}

/// The holders of rows.
fn holders(rows: Rows) -> impl Iterator<Item = Holder> {
    (rows.first..rows.first.saturating_add(rows.count)).map(move |row| Holder::Row { wide: rows.wide, row })
}

/// The rows that a step writes.
fn written(step: &Step) -> Option<Rows> {
    let of = |access: &Access| {
        let first = access.destination.unwrap_or(access.data);
        Some(Rows { wide: access.lanes, first, count: dwords(access.ty) })
    };
    match step {
        Step::Load(access) => of(access),
        Step::Update(update) => of(&update.access),
        Step::Matrix(matrix) => {
            Some(Rows { wide: true, first: matrix.destination.unwrap_or(matrix.dst), count: dwords(matrix.ty) })
        }
        step => step.writes(),
    }
}

/// The memory of local variables that an access reaches: scratch memory at a constant offset from a scalar register, or any.
fn slot_of(access: &Access) -> Option<Holder> {
    match &access.address {
        Addressing::Sum(sum) if access.space == Space::Scratch => Some(Holder::Scratch(sum.offset)),
        Addressing::Sum(_) if access.space == Space::Flat => Some(Holder::Flat),
        _ => None,
    }
}
