//! What a checker has to know about instructions: their registers, and straight-line code that needs one check.

use alloc::vec::Vec;

use crate::check::facts::{Facts, Polling, Registers, next_hash};
use crate::lower::Lowering;
use crate::registers::{RegisterSet, Rows, Written};
use crate::step::{Block, Checked, Step};

impl Checked {
    /// An instruction with the steps that do one thing each.
    pub(crate) fn new(address: u64, mut facts: Facts, steps: Vec<Step>, lowering: &Lowering) -> Self {
        let registers = [lowering.vectors(), lowering.layout().scalar_temporaries()];
        let (reads, writes, reads_all_lanes) = registers_of(&steps, registers);
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
            reads_all_lanes,
            block: None,
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
            let (block, end) = Block::from(code, at, exec, is_target);
            if let (Some(block), Some(Step::Check(checked))) = (block, code.get_mut(at)) {
                checked.block = Some(block.into());
            }
            at = end.max(at + 1);
        }
    }

    /// The block that begins with a step, if it has several instructions, and its end.
    fn from(code: &[Step], start: usize, exec: Rows, is_target: &dyn Fn(usize) -> bool) -> (Option<Block>, usize) {
        let mut block = Block {
            steps: Vec::new(),
            length: 0,
            reads: RegisterSet::default(),
            reads_all_lanes: RegisterSet::default(),
            writes: Vec::new(),
            written: RegisterSet::default(),
            uses: Registers::default(),
            sequence: Vec::new(),
            hash: 0,
        };
        let mut killed = [RegisterSet::default(); 2];
        let (mut at, mut count) = (start, 0);
        while let Some(Step::Check(checked)) = code.get(at)
            && checked.is_plain()
            && (at == start || !is_target(at))
        {
            let after = at + 1 + checked.quick as usize;
            block.steps.extend_from_slice(code.get(at + 1..after).unwrap_or_default());
            block.add(checked, &mut killed);
            (at, count) = (after, count + 1);
            let writes_exec = checked.writes.iter().flatten().any(|write| write.rows().overlaps(exec));
            if writes_exec {
                break;
            }
        }
        block.length = (at - start).saturating_sub(1) as u32;
        ((count > 1).then_some(block), at)
    }

    fn add(&mut self, checked: &Checked, killed: &mut [RegisterSet; 2]) {
        let facts = &checked.facts;
        self.uses = self.uses.or(facts.reads).or(facts.writes);
        self.sequence.extend(checked.instruction.clone());
        self.hash = next_hash(self.hash, checked.address);
        for rows in &checked.reads {
            for row in rows.first..rows.first.saturating_add(rows.count) {
                if !killed.iter().all(|half| half.contains(rows.wide, row)) {
                    self.reads.set(rows.wide, row, true);
                }
                if checked.reads_all_lanes {
                    self.reads_all_lanes.set(rows.wide, row, true);
                }
            }
        }
        for write in checked.writes.iter().flatten() {
            let rows = write.rows();
            self.written.add(rows);
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
        }
    }
}

impl Checked {
    /// Whether it computes registers from registers, and does nothing else.
    fn is_plain(&self) -> bool {
        let facts = &self.facts;
        self.writes.is_some() && facts.issues.is_empty() && facts.waits.iter().all(Option::is_none)
    }
}

/// What the steps of an instruction read and write of registers.
fn registers_of(steps: &[Step], registers: [u16; 2]) -> (Vec<Rows>, Option<Vec<Written>>, bool) {
    let mut reads: Vec<Rows> = Vec::new();
    let mut writes = Some(Vec::new());
    let mut reads_all_lanes = false;
    let is_register = |wide: bool, row: u16| row < registers[usize::from(!wide)];
    for step in steps {
        step.reads(&mut |rows| {
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
            Step::ReadLane { dst, .. } | Step::Getreg { dst, .. } => {
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
                Some(Written::Mask { register: commit.dst, keeps_inactive: inactive.is_none() })
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
