//! Code that was lowered together.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use isa_runtime::MAX_DWORDS;

use super::decoder::{Decoded, Decoder};
use crate::fault::FaultKind;
use crate::lower::polls;
use crate::lower::runs::{self, LaneRun};
use crate::lower::{Constants, Lowering};
use crate::registers::Rows;
use crate::step::{Block, Step};

/// Code in memory.
pub(super) trait Source {
    /// The next dwords at an address, filled up with 0, and how many there are; `None` if no code is there.
    fn words(&self, address: u64) -> Option<([u32; MAX_DWORDS], usize)>;
}

/// An instruction of a program.
#[derive(Debug)]
pub(crate) struct Instruction {
    /// The address.
    pub address: u64,
    /// The address of the next one.
    pub next: u64,
    /// The mnemonic, as the guide spells it.
    pub name: &'static str,
    /// Why it cannot be executed.
    pub error: Option<FaultKind>,
    /// The index of its first step in the chunk's code.
    first: u32,
    /// The same in the joined code; `first` if the step there is part of a run that an earlier instruction begins, or the code is not
    /// joined.
    entry: u32,
}

/// Instructions that control flow reaches from an address, and that no earlier chunk has.
#[derive(Debug)]
pub(crate) struct Chunk {
    /// In the order of their addresses.
    instructions: Vec<Instruction>,
    /// The steps of all instructions, so that straight-line code is one array. Where the next instruction in memory is not the
    /// next one here, [`Step::Leave`] is between them. The same follows with steps joined to runs, if the program is not checked.
    code: Vec<Step>,
    /// How many steps are not joined.
    single: usize,
    /// The index of the instruction of each step.
    owners: Vec<u32>,
    /// How many instructions earlier chunks have.
    before: usize,
    has_computed_branches: bool,
    /// The constants that earlier chunks do not have: of the scalar and the wide file.
    constants: [Constants; 2],
    /// The rows of the scalar and the wide file that the steps use.
    rows: [usize; 2],
}

/// Where control flow goes from an instruction.
#[derive(Default)]
struct Flow {
    /// Whether the next instruction may be executed: also that after a call.
    next: bool,
    /// The constant targets of branches.
    targets: Vec<u64>,
    /// Whether there is a branch with another target.
    is_computed: bool,
}

impl Flow {
    fn new(steps: &[Step], lowering: &Lowering) -> Self {
        let mut flow = Flow { next: true, ..Flow::default() };
        let mut writes = false;
        for step in steps {
            match step {
                Step::Branch { src, condition, .. } => {
                    match target(*src, lowering) {
                        Some(target) => flow.targets.push(target),
                        None => flow.is_computed = true,
                    }
                    flow.next &= condition.is_some();
                }
                Step::End { condition: None } => flow.next = false,
                Step::Move(_) => writes = true,
                _ => {}
            }
        }
        // A branch that writes registers is a call: they get the address of the next instruction.
        flow.next |= writes;
        flow
    }
}

/// Tells branches, and steps that read clocks, the index of their instruction.
fn set_index(steps: &mut [Step], number: u32) {
    for step in steps {
        if let Step::Branch { index, .. } | Step::Getreg { index, .. } | Step::Realtime { index, .. } = step {
            *index = number;
        }
    }
}

/// The target of a branch, if it is a constant.
fn target(src: u16, lowering: &Lowering) -> Option<u64> {
    lowering.scalar_number(src).map(|address| address & !3)
}

impl Chunk {
    /// Lowers what control flow reaches from an address, up to instructions that are lowered already. `lowering` has the
    /// constants of earlier chunks, which have `before` instructions.
    pub(super) fn new(
        decoder: &dyn Decoder,
        source: &dyn Source,
        mut lowering: Lowering,
        entry: u64,
        before: usize,
        is_lowered: &dyn Fn(u64) -> bool,
    ) -> Self {
        let known = [lowering.scalar.dwords.len(), lowering.wide.dwords.len()];
        let mut reached = BTreeMap::new();
        let mut open = Vec::from([entry]);
        let mut has_computed_branches = false;
        while let Some(address) = open.pop() {
            if reached.contains_key(&address) || address != entry && is_lowered(address) {
                continue;
            }
            let Some((words, count)) = source.words(address) else { continue };
            let decoded = decoder.decode(&mut lowering, words.get(..count).unwrap_or_default(), address);
            if let Ok(steps) = &decoded.steps {
                let flow = Flow::new(steps, &lowering);
                has_computed_branches |= flow.is_computed;
                open.extend(flow.targets);
                open.extend(flow.next.then(|| address.wrapping_add(decoded.length)));
            }
            reached.insert(address, decoded);
        }
        let rows = [lowering.scalar_rows(), lowering.wide_rows()];
        let mut chunk = Chunk {
            instructions: Vec::with_capacity(reached.len()),
            code: Vec::new(),
            single: 0,
            owners: Vec::new(),
            before,
            has_computed_branches,
            constants: Default::default(),
            rows,
        };
        let mut rest = reached.into_iter().peekable();
        while let Some((address, decoded)) = rest.next() {
            chunk.append(address, decoded, rest.peek().map(|(address, _)| *address));
        }
        chunk.link(&lowering);
        chunk.find_polls(&lowering);
        let added = [lowering.scalar.dwords, lowering.wide.dwords].into_iter().zip(known);
        for (constants, (mut dwords, known)) in chunk.constants.iter_mut().zip(added) {
            constants.dwords = dwords.split_off(known);
        }
        chunk
    }

    /// Appends an instruction; `following` is the address of the one that is appended next.
    fn append(&mut self, address: u64, decoded: Decoded, following: Option<u64>) {
        let number = u32::try_from(self.instructions.len()).unwrap_or(u32::MAX);
        let next = address.wrapping_add(decoded.length);
        let (mut steps, error) = match decoded.steps {
            Ok(steps) => (steps, None),
            Err(kind) => (Vec::from([Step::Unable]), Some(kind)),
        };
        set_index(&mut steps, number);
        if let Some(mut checked) = decoded.checked {
            set_index(&mut checked.steps, number);
            checked.quick = u32::try_from(steps.len()).unwrap_or(u32::MAX);
            steps.insert(0, Step::Check(checked));
        }
        if following != Some(next) {
            steps.push(Step::Leave);
        }
        let first = u32::try_from(self.code.len()).unwrap_or(u32::MAX);
        self.code.extend(steps);
        self.owners.resize(self.code.len(), number);
        self.instructions.push(Instruction { address, next, name: decoded.name, error, first, entry: first });
    }

    /// Resolves branches whose target is a constant and in the chunk.
    fn link(&mut self, lowering: &Lowering) {
        let mut code = core::mem::take(&mut self.code);
        for step in &mut code {
            self.link_step(step, lowering);
            if let Step::Check(checked) = step {
                checked.steps.iter_mut().for_each(|step| self.link_step(step, lowering));
            }
        }
        let targets = code.iter().filter_map(|step| match step {
            Step::Branch { target: Some(target), .. } => self.instructions.get(*target as usize),
            _ => None,
        });
        let targets: BTreeSet<usize> = targets.map(|instruction| instruction.first as usize).collect();
        self.single = code.len();
        if lowering.is_checked() {
            let exec = Rows { wide: false, first: lowering.layout().exec, count: 2 };
            Block::find(&mut code, exec, &|step| targets.contains(&step));
        } else {
            self.join(&mut code, &targets, lowering);
        }
        for step in &mut code {
            if let Step::Branch { target: Some(target), entry, .. } = step {
                *entry = self.entry(*target as usize);
            }
        }
        self.code = code;
    }

    /// Appends the code with steps joined to runs. A run of lanes ends before the target of a branch. A run of scalar operations does
    /// not, since divergent branches go to the instruction that restores EXEC, which is often among others: from the target on, the
    /// operations follow again as a run for the branch.
    fn join(&mut self, code: &mut Vec<Step>, targets: &BTreeSet<usize>, lowering: &Lowering) {
        let mut joined = Vec::with_capacity(code.len());
        let mut owners: Vec<u32> = Vec::with_capacity(code.len());
        let mut instructions = self.instructions.iter_mut().peekable();
        let mut at = 0;
        while let Some(steps) = code.get(at..).filter(|steps| !steps.is_empty()) {
            let index = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            while let Some(instruction) = instructions.next_if(|instruction| instruction.first as usize <= at) {
                if instruction.first as usize == at {
                    instruction.entry = index(code.len() + joined.len());
                }
            }
            let limit = targets.range(at + 1..).next().map_or(steps.len(), |target| target - at);
            let ends = |count: usize| self.owners.get(at + count) != self.owners.get(at + count - 1);
            let count = if let Some(run) = LaneRun::new(steps, limit, index(at), lowering, &ends) {
                let count = run.count;
                run.append_to(&mut joined, lowering);
                count
            } else {
                let skipped = |count: usize| targets.range(at + 1..at + count).count();
                let run = runs::scalars(steps, lowering, ends, skipped);
                let (step, count) = run.unwrap_or_else(|| (steps.first().cloned().unwrap_or(Step::Leave), 1));
                joined.push(step);
                count
            };
            owners.resize(joined.len(), self.owners.get(at + count - 1).copied().unwrap_or_default());
            at += count.min(limit);
        }
        code.extend(joined);
        self.owners.extend(owners);
    }

    fn link_step(&self, step: &mut Step, lowering: &Lowering) {
        if let Step::Branch { src, target: index, .. } = step {
            let found = target(*src, lowering).and_then(|address| self.find(address));
            *index = found.and_then(|index| u32::try_from(index).ok());
        }
    }

    /// Finds the accesses of checked code that wait for other waves.
    fn find_polls(&mut self, lowering: &Lowering) {
        if !lowering.is_checked() {
            return;
        }
        let mut steps: Vec<&[Step]> = alloc::vec![&[]; self.instructions.len()];
        for (step, owner) in self.code.iter().zip(&self.owners) {
            if let (Step::Check(checked), Some(to)) = (step, steps.get_mut(*owner as usize)) {
                *to = &checked.steps;
            }
        }
        let layout = lowering.layout();
        let found = polls::find(&steps, [lowering.vectors(), layout.scalar_temporaries()], layout.exec);
        for (step, owner) in self.code.iter_mut().zip(&self.owners) {
            if let (Step::Check(checked), Some(polling)) = (step, found.get(*owner as usize)) {
                checked.find_polling(*polling);
            }
        }
    }

    /// The instructions, in the order of their addresses.
    pub(super) fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    /// Whether a branch has a target that is not a constant.
    pub(super) const fn has_computed_branches(&self) -> bool {
        self.has_computed_branches
    }

    /// The constants that earlier chunks do not have: of the scalar and the wide file.
    pub(super) const fn constants(&self) -> [&Constants; 2] {
        let [scalar, wide] = &self.constants;
        [scalar, wide]
    }

    /// The rows of the scalar and the wide file that the steps use.
    #[inline]
    pub(crate) const fn rows(&self) -> [usize; 2] {
        self.rows
    }

    /// How many instructions there are.
    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.instructions.len()
    }

    /// How many instructions earlier chunks have.
    pub(crate) const fn before(&self) -> usize {
        self.before
    }

    /// The index of the first step of an instruction, joined to runs if it does not begin in one.
    #[inline]
    pub(crate) fn entry(&self, index: usize) -> u32 {
        self.instructions.get(index).map_or(u32::MAX, |instruction| instruction.entry)
    }

    /// The steps from the one of an index on.
    #[inline(always)]
    pub(crate) fn steps_from(&self, entry: u32) -> &[Step] {
        self.code.get(entry as usize..).unwrap_or_default()
    }

    /// The steps of one instruction.
    pub(crate) fn code_of(&self, index: usize) -> &[Step] {
        let first = |index: usize| self.instructions.get(index).map_or(self.single, |found| found.first as usize);
        self.code.get(first(index)..first(index + 1)).unwrap_or_default()
    }

    /// A step by its index.
    pub(crate) fn step(&self, index: usize) -> Option<&Step> {
        self.code.get(index)
    }

    /// The index of the instruction that a step belongs to; `left` steps follow it in the chunk's code.
    pub(crate) fn owner(&self, left: usize) -> usize {
        let at = self.owners.len().checked_sub(left + 1).and_then(|at| self.owners.get(at));
        at.map_or(0, |index| *index as usize)
    }

    /// An instruction by its index.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&Instruction> {
        self.instructions.get(index)
    }

    /// The index of the instruction at an address.
    pub(crate) fn find(&self, address: u64) -> Option<usize> {
        self.instructions.binary_search_by_key(&address, |instruction| instruction.address).ok()
    }
}
