//! Sets of registers, and straight-line code that reads and writes them.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::check::facts::{Registers, Sequenced};
use crate::check::{Checked, Written, path};
use crate::lower::prune::Rows;
use crate::step::Step;

/// A set of vector registers and of scalar registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct RegisterSet([u64; 8]);

impl RegisterSet {
    /// The word and the bit of a register; `None` if it is a temporary or a constant.
    const fn place(wide: bool, row: u16) -> Option<(usize, u64)> {
        if row >= 256 {
            return None;
        }
        let first = if wide { 0 } else { 4 };
        Some((first + row as usize / 64, 1 << (row % 64)))
    }

    /// Adds or removes a register.
    #[inline]
    pub fn set(&mut self, wide: bool, row: u16, is_member: bool) {
        if let Some((word, bit)) = Self::place(wide, row)
            && let Some(word) = self.0.get_mut(word)
        {
            *word = if is_member { *word | bit } else { *word & !bit };
        }
    }

    /// Adds registers.
    pub fn add(&mut self, rows: Rows) {
        (rows.first..rows.first.saturating_add(rows.count)).for_each(|row| self.set(rows.wide, row, true));
    }

    /// Whether a register is in the set.
    pub fn contains(&self, wide: bool, row: u16) -> bool {
        Self::place(wide, row).is_some_and(|(word, bit)| self.0.get(word).is_some_and(|word| word & bit != 0))
    }

    /// The registers that are in both sets.
    #[inline]
    pub fn and(&self, other: &RegisterSet) -> RegisterSet {
        let mut both = *self;
        both.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
        both
    }

    /// Whether there are no registers.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The registers: whether each is a vector register, and its row.
    pub fn iter(&self) -> impl Iterator<Item = (bool, u16)> + '_ {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            let mut word = *word;
            core::iter::from_fn(move || {
                let bit = word.trailing_zeros();
                (bit < 64).then(|| {
                    word &= word - 1;
                    (at < 4, (64 * (at % 4)) as u16 + bit as u16)
                })
            })
        })
    }
}

/// Straight-line code that only computes registers from registers: if what it reads is defined, it needs one check.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The steps of its instructions, without checks.
    pub steps: Vec<Step>,
    /// How many steps of the code follow its first check, checks among them.
    pub length: u32,
    /// The registers that it reads before it writes them.
    pub reads: RegisterSet,
    /// Those of which it reads lanes that are not active.
    pub reads_all_lanes: RegisterSet,
    /// What it writes.
    pub writes: Vec<Written>,
    /// The registers that it writes.
    pub written: RegisterSet,
    /// All registers that its instructions name.
    pub uses: Registers,
    /// The addresses of its instructions, and what rules about sequences see of them.
    pub sequence: Vec<(u64, Arc<dyn Sequenced>)>,
    /// The hash of its addresses in the path of a wave.
    pub hash: u64,
}

impl Block {
    /// Finds the blocks of code, and gives each to the check of its first instruction. `is_target` says whether a branch leads to a step.
    pub fn find(code: &mut [Step], exec: Rows, is_target: &dyn Fn(usize) -> bool) {
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
        self.hash = path::next(self.hash, checked.address);
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

impl Written {
    /// The registers.
    pub fn rows(self) -> Rows {
        match self {
            Written::Lanes(rows) | Written::Scalars(rows) => rows,
            Written::Half { register, .. } => Rows { wide: true, first: register, count: 1 },
            Written::Mask { register, .. } => Rows { wide: false, first: register, count: 2 },
        }
    }
}
