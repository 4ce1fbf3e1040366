//! What a checker has to know about instructions: their registers, and straight-line code that needs one check.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use crate::check::facts::{Facts, Polling, Registers, Sequenced, next_hash};
use crate::lower::Lowering;
use crate::registers::{RegisterSet, Rows, Written};
use crate::step::{Addressing, Block, ChainCode, Checked, Condition, Conversion, Step};

impl Checked {
    /// An instruction with the steps that do one thing each.
    pub(crate) fn new(address: u64, mut facts: Facts, steps: Vec<Step>, lowering: &Lowering) -> Self {
        let (reads, mut writes, reads_all_lanes) = registers_of(&steps, lowering);
        let reached = accesses_of(&steps);
        if reached.is_none() {
            writes = None;
        }
        let instruction = facts.sequenced.take().map(|sequenced| (address, sequenced));
        let accesses = |step: &Step| matches!(step, Step::Load(_) | Step::Store(_) | Step::Update(_));
        let issues_work = !facts.issues.is_empty() || steps.iter().any(accesses);
        let is_load = |step: &Step| matches!(step, Step::Load(_));
        let is_update = |step: &Step| matches!(step, Step::Update(_));
        let is_coherent = facts.is_coherent && steps.iter().any(is_load) && !steps.iter().any(is_update);
        let polling = if is_coherent { Polling::Polls } else { Polling::None };
        Checked {
            address,
            facts,
            steps,
            quick: 0,
            reads,
            writes,
            accesses: reached.unwrap_or_default(),
            reads_all_lanes,
            blocks: Vec::new(),
            instruction,
            issues_work,
            polling,
        }
    }
}

impl Checked {
    /// Learns from the code around it how its access takes part in synchronisation.
    pub(crate) fn find_polling(&mut self, polling: Polling) {
        if self.polling == Polling::None {
            self.polling = polling;
        }
    }
}

impl Block {
    /// Finds the blocks of code, and gives each to the check of its first instruction. `is_target` says whether a branch leads to a step.
    pub(crate) fn find(code: &mut [Step], exec: Rows, is_target: &dyn Fn(usize) -> bool) {
        let mut at = 0;
        while at < code.len() {
            let chain = Chain::from(code, at, exec, is_target);
            at = chain.end.max(at + 1);
            for (first, blocks) in chain.blocks(code) {
                if let Some(Step::Check(checked)) = code.get_mut(first) {
                    checked.blocks = blocks;
                }
            }
        }
    }

    /// The steps of its instructions, without checks and without those of a branch that ends it.
    #[inline]
    pub(crate) fn steps(&self) -> &[Step] {
        self.chain.steps.get(self.steps.clone()).unwrap_or_default()
    }

    /// The addresses of its instructions, and what rules about sequences see of them.
    #[inline]
    pub(crate) fn sequence(&self) -> &[(u64, Arc<dyn Sequenced>)] {
        self.chain.sequence.get(self.sequence.clone()).unwrap_or_default()
    }
}

/// Straight-line code in which only instructions that write EXEC and a branch at the end separate blocks.
struct Chain {
    instructions: Vec<Member>,
    /// The index of the first step after the check of the last instruction that is a branch, or after the last instruction.
    end: usize,
}

/// An instruction of a chain.
struct Member {
    /// The index of its check.
    check: usize,
    /// The index after its last step.
    end: usize,
    writes_exec: bool,
}

/// The most blocks of a chain: each of them is the beginning of a block of all that follow.
const MOST_BLOCKS: usize = 8;

impl Chain {
    /// The chain that begins with a step.
    fn from(code: &[Step], start: usize, exec: Rows, is_target: &dyn Fn(usize) -> bool) -> Chain {
        let mut chain = Chain { instructions: Vec::new(), end: start };
        let mut blocks = 1;
        while let Some(Step::Check(checked)) = code.get(chain.end)
            && checked.is_plain()
            && blocks <= MOST_BLOCKS
            && (chain.end == start || !is_target(chain.end))
        {
            let after = chain.end + 1 + checked.quick as usize;
            let writes_exec = checked.writes.iter().flatten().any(|write| write.rows().overlaps(exec));
            blocks += usize::from(writes_exec);
            let is_branch = checked.steps.iter().any(|step| matches!(step, Step::Branch { .. }));
            chain.instructions.push(Member { check: chain.end, end: after, writes_exec });
            chain.end = if is_branch { chain.end + 1 } else { after };
            if is_branch {
                break;
            }
        }
        chain
    }

    /// The blocks that begin at each step.
    fn blocks(&self, code: &[Step]) -> Vec<(usize, Vec<Block>)> {
        let checked = |at: usize| match code.get(at) {
            Some(Step::Check(checked)) => Some(checked),
            _ => None,
        };
        let mut all = ChainCode { steps: Vec::new(), sequence: Vec::new() };
        let mut places = Vec::new();
        for &Member { check, end, .. } in &self.instructions {
            places.push((all.steps.len(), all.sequence.len()));
            all.steps.extend_from_slice(code.get(check + 1..end.min(self.end)).unwrap_or_default());
            all.sequence.extend(checked(check).and_then(|checked| checked.instruction.clone()));
        }
        places.push((all.steps.len(), all.sequence.len()));
        let all = Arc::new(all);
        let block = |instructions: Range<usize>| -> Option<Block> {
            let (first, last) = (places.get(instructions.start)?, places.get(instructions.end)?);
            let members = self.instructions.get(instructions.clone())?;
            let end = members.last()?.end.min(self.end);
            let mut block = Block {
                chain: all.clone(),
                steps: first.0..last.0,
                length: end.saturating_sub(members.first()?.check + 1) as u32,
                reads: RegisterSet::default(),
                reads_all_lanes: RegisterSet::default(),
                writes: Vec::new(),
                changes_lanes: false,
                settled: RegisterSet::default(),
                registers: RegisterSet::default(),
                uses: Registers::default(),
                sequence: first.1..last.1,
                hash: 0,
            };
            let mut killed = [RegisterSet::default(); 2];
            let mut has_written_exec = false;
            for member in members {
                block.changes_lanes = has_written_exec;
                block.add(checked(member.check)?, &mut killed);
                has_written_exec |= member.writes_exec;
            }
            (members.len() > 1).then_some(block)
        };
        let mut blocks = Vec::new();
        let mut start = 0;
        while start < self.instructions.len() {
            let rest = self.instructions.get(start..).unwrap_or_default();
            let count = rest.iter().position(|member| member.writes_exec).map_or(rest.len(), |at| at + 1);
            let is_last = count == rest.len();
            let whole = (!is_last).then(|| block(start..self.instructions.len())).flatten();
            let found: Vec<Block> = whole.into_iter().chain(block(start..start + count)).collect();
            if let (Some(member), false) = (rest.first(), found.is_empty()) {
                blocks.push((member.check, found));
            }
            start += count;
        }
        blocks
    }
}

impl Block {
    /// Adds an instruction.
    fn add(&mut self, checked: &Checked, killed: &mut [RegisterSet; 2]) {
        let facts = &checked.facts;
        self.uses = self.uses.or(facts.reads).or(facts.writes);
        self.hash = next_hash(self.hash, checked.address);
        for rows in &checked.reads {
            for row in rows.first..rows.first.saturating_add(rows.count) {
                if !killed.iter().all(|half| half.contains(rows.wide, row)) {
                    self.reads.set(rows.wide, row, true);
                }
                if checked.reads_all_lanes {
                    self.reads_all_lanes.set(rows.wide, row, true);
                }
                if self.changes_lanes && rows.wide {
                    self.settled.set(true, row, true);
                }
            }
            self.registers.add(*rows);
        }
        for write in checked.writes.iter().flatten() {
            let rows = write.rows();
            self.registers.add(rows);
            if !self.writes.contains(write) {
                self.writes.push(*write);
            }
            let [low, high] = killed;
            match write {
                Written::Lanes(_) | Written::Scalars(_) => {
                    low.add(rows);
                    high.add(rows);
                }
                Written::Half { high: true, .. } => high.add(rows),
                Written::Half { .. } => low.add(rows),
                Written::Mask { .. } => {}
            }
            let keeps_lanes = !matches!(write, Written::Scalars(_) | Written::Mask { keeps_inactive: false, .. });
            if self.changes_lanes && keeps_lanes {
                self.settled.add(rows);
            }
        }
    }
}

impl Checked {
    /// Whether it computes registers from registers or branches, and does nothing else.
    fn is_plain(&self) -> bool {
        let facts = &self.facts;
        self.writes.is_some()
            && self.accesses.is_empty()
            && facts.issues.is_empty()
            && facts.waits.iter().all(Option::is_none)
    }
}

/// The loads and stores of an instruction, of which a checker can see what they reach before they are executed; `None` if it has
/// others, or steps between them or before them do more than computing their addresses.
fn accesses_of(steps: &[Step]) -> Option<Range<usize>> {
    let is_access = |step: &Step| matches!(step, Step::Load(_) | Step::Store(_));
    let Some(first) = steps.iter().position(is_access) else { return Some(0..0) };
    let end = first + steps.iter().skip(first).take_while(|step| is_access(step)).count();
    let (before, after) = (steps.get(..first)?, steps.get(end..)?);
    let is_pure = |step: &Step| {
        matches!(
            step,
            Step::Lanes(_) | Step::Wave(_) | Step::Broadcast { .. } | Step::Expand { .. } | Step::IsZero { .. }
        )
    };
    let is_plain = |step: &Step| match step {
        Step::Load(access) | Step::Store(access) => {
            access.conversion == Conversion::None && !matches!(access.address, Addressing::Image { .. })
        }
        _ => false,
    };
    let is_known =
        before.iter().all(is_pure) && !after.iter().any(is_access) && steps.get(first..end)?.iter().all(is_plain);
    is_known.then_some(first..end)
}

/// What the steps of an instruction read and write of registers.
fn registers_of(steps: &[Step], lowering: &Lowering) -> (Vec<Rows>, Option<Vec<Written>>, bool) {
    let registers = [lowering.vectors(), lowering.layout().scalar_temporaries()];
    let mut reads: Vec<Rows> = Vec::new();
    let mut writes = Some(Vec::new());
    let mut reads_all_lanes = false;
    let is_register = |wide: bool, row: u16| row < registers[usize::from(!wide)];
    for step in steps {
        step.reads(&mut |rows| {
            // Of a mask, a wave of 32 lanes reads one dword.
            let rows = if step.reads_mask(rows) { Rows { count: lowering.halves(), ..rows } } else { rows };
            let last = rows.first.saturating_add(rows.count.saturating_sub(1));
            if is_register(rows.wide, last) && !reads.contains(&rows) {
                reads.push(rows);
            }
        });
        reads_all_lanes |= matches!(step, Step::Cross(_) | Step::Matrix(_) | Step::ReadLane { .. });
        let scalars = |first, count| Written::Scalars(Rows { wide: false, first, count });
        let write = match step {
            Step::Lanes(_) | Step::Wave(_) | Step::Broadcast { .. } | Step::Expand { .. } | Step::IsZero { .. } => None,
            Step::Cross(_) | Step::Matrix(_) | Step::FirstLane { .. } | Step::Reload | Step::ModeWritten => None,
            // What they reach is checked when they are executed.
            Step::Branch { .. } | Step::Store(_) => None,
            Step::Load(access) if !is_register(access.lanes, access.data) => None,
            Step::ReadLane { dst, .. } | Step::Getreg { dst, .. } | Step::BarrierState { dst } => {
                is_register(false, *dst).then_some(scalars(*dst, 1))
            }
            Step::Realtime { dst, count, .. } => Some(scalars(*dst, *count)),
            Step::Merge(commit) if commit.condition.is_none() => {
                Some(Written::Lanes(Rows { wide: true, first: commit.dst, count: commit.count }))
            }
            Step::MergeHalf { commit, high } if commit.condition.is_none() => {
                Some(Written::Half { register: commit.dst, high: *high })
            }
            Step::WriteMask { commit, inactive } if commit.condition.is_none() => {
                let rows = Rows { wide: false, first: commit.dst, count: lowering.halves() };
                Some(Written::Mask { rows, keeps_inactive: inactive.is_none() })
            }
            Step::Move(commit) if commit.condition.is_none() => Some(scalars(commit.dst, commit.count)),
            _ => {
                writes = None;
                continue;
            }
        };
        if let (Some(writes), Some(write)) = (&mut writes, write) {
            writes.push(write);
        }
    }
    (reads, writes, reads_all_lanes)
}

impl Step {
    /// Whether rows that it reads are those of a mask that has a bit for each lane.
    fn reads_mask(&self, rows: Rows) -> bool {
        match self {
            Step::Expand { .. } | Step::IsZero { .. } => true,
            Step::Branch { condition: Some(Condition { row, is_mask: true, .. }), .. } => rows.first == *row,
            _ => false,
        }
    }
}
