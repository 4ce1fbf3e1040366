//! Checks of waves while they execute: undefined values, wild accesses, missing waits, races.
//!
//! A program that [is checked](crate::program::Program::checked) has a [`Step::Check`] before the steps of each instruction. It tells
//! the [`Checker`] of the run about the instruction. Where nothing that the instruction reads is undefined and it accesses no memory,
//! its steps follow as in any program. Otherwise the check executes the instruction itself, from steps that do one thing each.

mod depends;
mod facts;
pub mod finding;
mod flight;
mod memory;
mod order;
mod path;
mod polls;
mod progress;
mod rows;
mod shadow;
mod values;

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use self::facts::{Broken, COUNTERS, Facts, Issue, Registers, Sequenced};
use self::finding::{Finding, Findings, Kind, Kinds, Origin, Place, Unwritten};
use self::flight::Flight;
pub use self::memory::Extent;
pub(crate) use self::memory::RowAccess;
use self::memory::{GlobalMemory, GroupMemory, WaveMemory};
use self::order::{GlobalOrder, GroupOrder, WaveOrder};
use self::path::{Hazards, Path};
use self::polls::Polling;
pub(crate) use self::polls::find as find_polls;
pub use self::progress::Waiting;
pub(crate) use self::rows::Block;
use self::shadow::{ITSELF, OriginId, Shadow};
use crate::access::Spaces;
use crate::group::WorkGroup;
use crate::lower::Lowering;
use crate::lower::prune::Rows;
use crate::memory::Memory;
use crate::run::{Exit, Failure};
use crate::step::Step;
use crate::wave::Wave;

/// An instruction of a checked program.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The address.
    pub address: u64,
    /// What a checker has to know besides the body.
    pub facts: Facts,
    /// The steps, one operation each.
    pub(crate) steps: Vec<Step>,
    /// How many steps of the code do the same.
    pub(crate) quick: u32,
    /// The registers that the steps read.
    pub(crate) reads: Vec<Rows>,
    /// The registers that the steps write; `None` if they depend on values, or some lanes or halves do not write.
    pub(crate) writes: Option<Vec<Written>>,
    /// Whether registers of other lanes are read.
    pub(crate) reads_all_lanes: bool,
    /// The straight-line code that it begins.
    pub(crate) block: Option<Box<Block>>,
    /// The address, and what rules about sequences see.
    pub(crate) instruction: Option<(u64, Arc<dyn Sequenced>)>,
    /// Whether memory is accessed, or other work is issued.
    pub(crate) issues_work: bool,
    /// How the access to memory takes part in synchronisation.
    pub(crate) polling: Polling,
}

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

/// A write of registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Written {
    /// Vector registers, in active lanes.
    Lanes(Rows),
    /// A half of a vector register, in active lanes.
    Half { register: u16, high: bool },
    /// Scalar registers.
    Scalars(Rows),
    /// A bit for each lane of the wave; inactive lanes keep theirs or not.
    Mask { register: u16, keeps_inactive: bool },
}

/// What the steps after a check have to do.
pub(crate) enum Checking {
    /// Execute the instruction.
    Execute,
    /// Go on after so many steps.
    After(u32),
    /// Leave the code.
    Leave(Exit),
}

/// What a check of a run needs to know about the work-groups when they begin.
#[derive(Clone, Debug, Default)]
pub struct Initial {
    /// The scalar registers that the hardware writes before the first instruction.
    pub scalars: Vec<u16>,
    /// For each wave: the lanes with a work-item, in which vector register 0 is written.
    pub lanes: Vec<u64>,
    /// Whether memory executes the accesses of a work-group's waves in their order, so that a barrier orders them without a wait.
    pub is_in_order: bool,
}

/// Checks the waves of a run.
#[derive(Debug)]
pub struct Checker {
    kinds: Kinds,
    findings: Findings,
    origins: Vec<Origin>,
    numbers: BTreeMap<(u64, Unwritten), OriginId>,
    memory: GlobalMemory,
    order: GlobalOrder,
    hazards: Hazards,
    groups: BTreeMap<u64, GroupCheck>,
    /// The work-group and the wave whose turn it is.
    group: u64,
    wave: usize,
    /// The state of the work-group whose turn it is.
    current: GroupCheck,
    /// The instruction that is executed.
    pc: u64,
    access: memory::Current,
}

/// The state of a work-group.
#[derive(Debug, Default)]
struct GroupCheck {
    waves: Vec<WaveCheck>,
    memory: GroupMemory,
    order: GroupOrder,
}

/// The state of a wave.
#[derive(Debug)]
struct WaveCheck {
    shadow: Shadow,
    flight: Flight,
    path: Path,
    /// The address of the last instruction that it has begun.
    last: u64,
    memory: WaveMemory,
    order: WaveOrder,
}

impl Checker {
    /// A checker that looks for some kinds of findings, in a run whose memory has these parts.
    #[must_use]
    pub fn new(kinds: Kinds, memory: Vec<Extent>) -> Self {
        Checker {
            kinds,
            findings: Findings::default(),
            origins: Vec::new(),
            numbers: BTreeMap::new(),
            memory: GlobalMemory::new(memory),
            order: GlobalOrder::default(),
            hazards: Hazards::default(),
            groups: BTreeMap::new(),
            group: 0,
            wave: 0,
            current: GroupCheck::default(),
            pc: 0,
            access: memory::Current::default(),
        }
    }

    /// Learns that a work-group begins.
    pub fn begin_group(&mut self, index: u64, group: &WorkGroup, initial: &Initial) {
        let waves = group.waves.iter().enumerate().map(|(number, wave)| {
            let mut shadow = Shadow::new(wave);
            initial.scalars.iter().for_each(|register| shadow.define_scalar(*register));
            shadow.define_lanes(0, initial.lanes.get(number).copied().unwrap_or(0));
            WaveCheck {
                shadow,
                flight: Flight::default(),
                path: Path::default(),
                last: wave.pc,
                memory: WaveMemory::new(wave),
                order: WaveOrder::new(group.waves.len()),
            }
        });
        let memory = GroupMemory::new(&group.lds);
        let state = GroupCheck {
            waves: waves.collect(),
            memory,
            order: GroupOrder::new(group.waves.len(), initial.is_in_order),
        };
        self.groups.insert(index, state);
    }

    /// Learns which work-group goes on.
    pub fn resume_group(&mut self, index: u64) {
        self.current = self.groups.remove(&index).unwrap_or_default();
        self.group = index;
    }

    /// Learns that the work-group does not go on for now.
    pub fn suspend_group(&mut self) {
        let state = core::mem::take(&mut self.current);
        self.groups.insert(self.group, state);
    }

    /// Learns that the work-group has ended.
    pub fn end_group(&mut self) {
        self.current = GroupCheck::default();
    }

    /// Learns which wave goes on.
    pub(crate) fn turn(&mut self, wave: usize) {
        self.wave = wave;
    }

    /// Learns that all waves of the work-group that have not ended are at a barrier, and go on together.
    pub(crate) fn release(&mut self, waves: &[Wave]) {
        self.order_barrier(waves);
        self.check_barrier(waves);
    }

    /// The findings, in the order of work-groups, waves and instructions.
    #[must_use]
    pub fn finish(self) -> Vec<Finding> {
        self.findings.into_sorted()
    }

    /// The place of the current instruction, in some lanes.
    fn place(&self, lanes: u64) -> Place {
        Place { pc: self.pc, group: self.group, wave: self.wave as u32, lanes }
    }

    /// Adds a finding, if its kind is looked for.
    fn report(&mut self, finding: Finding) {
        if self.kinds.contains(finding.kind) {
            self.findings.add(finding);
        }
    }

    /// The state of the wave whose turn it is.
    fn state(&mut self) -> Option<&mut WaveCheck> {
        self.current.waves.get_mut(self.wave)
    }
}

/// The number of an origin: one for each instruction and register, or instruction that reads memory.
fn number_of(
    origins: &mut Vec<Origin>,
    numbers: &mut BTreeMap<(u64, Unwritten), OriginId>,
    origin: Origin,
) -> OriginId {
    let mut key = origin.source;
    if let Unwritten::Memory(bytes) = &mut key {
        (bytes.at, bytes.bytes) = (0, 0);
    }
    *numbers.entry((origin.pc, key)).or_insert_with(|| {
        origins.push(origin);
        u32::try_from(origins.len() - 1).unwrap_or(ITSELF - 1)
    })
}

impl Wave {
    /// Checks an instruction before it is executed, and executes it if that is needed to follow its values. `room` is the number
    /// of steps that follow: those of the instruction alone if it is observed.
    #[inline(never)]
    pub(crate) fn check<M: Memory + ?Sized>(
        &mut self,
        checked: &Checked,
        room: usize,
        spaces: &mut Spaces<'_, M>,
    ) -> Result<Checking, Failure> {
        let Some(mut checker) = spaces.checker.take() else { return Ok(Checking::Execute) };
        if let Some(block) = &checked.block
            && block.length as usize <= room
            && checker.passes_block(block, self)
        {
            if checker.kinds.contains(Kind::Hazard) {
                checker.follow_block(block, self);
            }
            self.execute_steps(&block.steps, spaces)?;
            spaces.checker = Some(checker);
            return Ok(Checking::After(block.length));
        }
        checker.begin(checked, self);
        if checker.passes(checked, self) {
            spaces.checker = Some(checker);
            return Ok(Checking::Execute);
        }
        for step in &checked.steps {
            checker.before(checked, step, self);
            spaces.checker = Some(checker);
            let exit = self.execute_steps(core::slice::from_ref(step), spaces)?;
            let Some(back) = spaces.checker.take() else { return Ok(Checking::After(checked.quick)) };
            checker = back;
            checker.after(checked, step, self);
            if !matches!(exit, Exit::Through) {
                spaces.checker = Some(checker);
                return Ok(Checking::Leave(exit));
            }
        }
        spaces.checker = Some(checker);
        Ok(Checking::After(checked.quick))
    }
}

impl Checker {
    /// The part before an instruction.
    fn begin(&mut self, checked: &Checked, wave: &Wave) {
        self.pc = checked.address;
        if let Some(state) = self.state() {
            state.last = checked.address;
        }
        if self.kinds.contains(Kind::MissingWait) {
            self.fly(checked, wave);
        }
        if self.kinds.contains(Kind::Hazard) {
            self.follow(checked, wave);
        }
        if self.kinds.contains(Kind::Race) {
            self.order_instruction(checked, wave);
        }
    }

    /// Whether straight-line code has nothing to check. What it writes is defined then.
    #[inline]
    fn passes_block(&mut self, block: &Block, wave: &Wave) -> bool {
        let Some(state) = self.current.waves.get_mut(self.wave) else { return true };
        if !state.flight.is_apart(&block.uses) {
            return false;
        }
        let exec = wave.exec();
        let halves = wave.wide.len();
        let shadow = &mut state.shadow;
        for (wide, row) in shadow.undefined_of(&block.reads).iter() {
            let lanes = if block.reads_all_lanes.contains(wide, row) { u64::MAX } else { exec };
            if !wide || shadow.all_lanes(row) & lanes != 0 {
                return false;
            }
        }
        if !shadow.undefined_of(&block.written).is_empty() {
            block.writes.iter().for_each(|write| shadow.define(*write, exec, halves));
        }
        true
    }

    /// Whether an instruction that reads only what is defined has no more to check. What it writes is defined then.
    fn passes(&mut self, checked: &Checked, wave: &Wave) -> bool {
        let Some(writes) = &checked.writes else { return false };
        let exec = wave.exec();
        let Some(state) = self.current.waves.get_mut(self.wave) else { return true };
        let shadow = &mut state.shadow;
        let halves = wave.wide.len();
        let lanes = |half: usize| if checked.reads_all_lanes { u32::MAX } else { (exec >> (32 * half)) as u32 };
        for rows in &checked.reads {
            for row in rows.first..rows.first.saturating_add(rows.count) {
                let is_undefined = if rows.wide {
                    (0..halves).any(|half| shadow.lanes(half, row) & lanes(half) != 0)
                } else {
                    shadow.scalar(row) != 0
                };
                if is_undefined {
                    return false;
                }
            }
        }
        for write in writes {
            shadow.define(*write, exec, halves);
        }
        true
    }
}

impl Shadow {
    /// Declares what an instruction writes defined.
    fn define(&mut self, write: Written, exec: u64, halves: usize) {
        let lanes = |half: usize| (exec >> (32 * half)) as u32;
        match write {
            Written::Lanes(rows) => {
                for row in rows.first..rows.first.saturating_add(rows.count) {
                    (0..halves).for_each(|half| self.clear_lanes(half, row, lanes(half)));
                }
            }
            Written::Half { register, high } => {
                (0..halves).for_each(|half| self.clear_half(half, register, lanes(half), high));
            }
            Written::Scalars(rows) => {
                (rows.first..rows.first.saturating_add(rows.count)).for_each(|row| self.define_scalar(row));
            }
            Written::Mask { register, keeps_inactive } => {
                for (half, row) in (0..halves).zip(register..) {
                    let kept = if keeps_inactive { self.scalar(row) & !lanes(half) } else { 0 };
                    self.set_scalar(row, kept);
                }
            }
        }
    }
}

/// What the steps of an instruction read and write of registers.
pub(crate) fn registers_of(steps: &[Step], registers: [u16; 2]) -> (Vec<Rows>, Option<Vec<Written>>, bool) {
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
