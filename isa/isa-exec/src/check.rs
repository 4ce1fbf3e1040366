//! Checks of waves while they execute: undefined values, wild accesses, missing waits, races.
//!
//! A program that [is checked](crate::program::Program::checked) has a [`Check`](crate::step::Step::Check) before the steps of each instruction. It tells
//! the [`Checker`] of the run about the instruction. Where nothing that the instruction reads is undefined and it accesses no memory,
//! its steps follow as in any program. Otherwise the check executes the instruction itself, from steps that do one thing each.

mod depends;
pub(crate) mod facts;
pub mod finding;
mod flight;
mod late;
mod memory;
mod omitted;
mod order;
mod path;
mod progress;
mod shadow;
mod values;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

pub use self::facts::{Broken, COUNTERS, CacheLevel, Facts, Issue, LONGEST_SEQUENCE, Registers, Sequenced};
use self::finding::{Finding, Findings, Kind, Kinds, Origin, Place, Unwritten};
use self::flight::Flight;
use self::late::Late;
pub use self::memory::Extent;
use self::memory::{GlobalMemory, GroupMemory, WaveMemory};
pub use self::omitted::{Fates, Omitted};
use self::order::{GlobalOrder, GroupOrder, WaveOrder};
use self::path::{Hazards, Path};
pub use self::progress::Waiting;
use self::shadow::{ITSELF, OriginId, Shadow};
use isa_runtime::body::Space;

use crate::guard::{Guard, RowAccess};
use crate::registers::{RegisterSet, Written};
use crate::step::{Block, Checked, Step};
use crate::wave::Wave;

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
    /// Whether results arrive late.
    is_late: bool,
    /// The wait that is left out.
    omitted: Option<Omitted>,
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
    access: memory::CurrentAccess,
    /// Where the accesses of an instruction are listed.
    rows: Vec<RowAccess>,
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
    late: Late,
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
            is_late: false,
            omitted: None,
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
            access: memory::CurrentAccess::default(),
            rows: Vec::new(),
        }
    }

    /// Lets results of loads and atomics arrive when a wait proves that they are there, and not before.
    #[must_use]
    pub fn with_late_results(self) -> Self {
        Checker { is_late: true, ..self }
    }

    /// Learns that a work-group begins.
    pub fn begin_group(&mut self, index: u64, waves: &[Wave], lds_bytes: usize, initial: &Initial) {
        let count = waves.len();
        let order = &mut self.order;
        let waves = waves.iter().enumerate().map(|(number, wave)| {
            let mut shadow = Shadow::new(wave);
            initial.scalars.iter().for_each(|register| shadow.define_scalar(*register));
            shadow.define_lanes(0, initial.lanes.get(number).copied().unwrap_or(0));
            WaveCheck {
                shadow,
                flight: Flight::default(),
                late: Late::default(),
                path: Path::default(),
                last: wave.pc,
                memory: WaveMemory::new(wave),
                order: order.begin_wave(count),
            }
        });
        let memory = GroupMemory::new(lds_bytes);
        let state = GroupCheck { waves: waves.collect(), memory, order: GroupOrder::new(count, initial.is_in_order) };
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
        self.end_omitted();
        self.current = GroupCheck::default();
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

impl Checker {
    /// The part before an instruction.
    fn begin(&mut self, checked: &Checked, wave: &Wave) {
        self.pc = checked.address;
        if let Some(state) = self.state() {
            state.last = checked.address;
        }
        if self.kinds.contains(Kind::MissingWait) {
            self.check_waits(checked, wave);
        }
        if self.kinds.contains(Kind::Hazard) {
            self.follow(checked, wave);
        }
        if self.kinds.contains(Kind::Race) {
            self.order_instruction(checked, wave);
        }
        if self.omitted.is_some() {
            if self.is_omitted() {
                self.omit(&checked.facts.waits);
            } else {
                self.proved_later(checked);
            }
        }
    }
}

impl Guard for Checker {
    fn turn(&mut self, wave: usize) {
        self.wave = wave;
    }

    fn release(&mut self, waves: &[Wave]) {
        self.order_barrier(waves);
        self.check_barrier(waves);
    }

    fn passes_block(&mut self, block: &Block, wave: &Wave) -> bool {
        let Some(state) = self.current.waves.get_mut(self.wave) else { return true };
        if !state.flight.is_apart(&block.uses) {
            return false;
        }
        let undefined = state.shadow.undefined_of(&block.registers);
        if !undefined.is_empty() && !state.shadow.reads_defined(block, &undefined, wave) {
            return false;
        }
        if self.kinds.contains(Kind::Hazard) && !self.follow_block(block, wave) {
            return false;
        }
        if !undefined.is_empty()
            && let Some(state) = self.state()
        {
            let (exec, halves) = (wave.exec(), wave.wide.len());
            block.writes.iter().for_each(|write| state.shadow.define(*write, exec, halves));
        }
        true
    }

    fn passes(&mut self, checked: &Checked, wave: &mut Wave) -> bool {
        self.begin(checked, wave);
        if self.is_late && self.delay(checked, wave) {
            return false;
        }
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
        if checked.accesses.is_empty() {
            writes.iter().for_each(|write| shadow.define(*write, exec, halves));
        }
        true
    }

    fn compares(&self) -> bool {
        self.kinds.contains(Kind::Race)
    }

    fn rows(&mut self) -> &mut Vec<RowAccess> {
        &mut self.rows
    }

    fn passes_rows(&self, access: &RowAccess) -> bool {
        self.reaches_defined(access)
    }

    fn follow_rows(&mut self, checked: &Checked, accesses: &[RowAccess], wave: &Wave) {
        accesses.iter().for_each(|access| self.access_rows(access));
        self.report_races();
        let Some(state) = self.current.waves.get_mut(self.wave) else { return };
        let (exec, halves) = (wave.exec(), wave.wide.len());
        checked.writes.iter().flatten().for_each(|write| state.shadow.define(*write, exec, halves));
    }

    fn before(&mut self, checked: &Checked, step: &Step, wave: &mut Wave) {
        self.before_step(checked, step, wave);
    }

    fn after(&mut self, checked: &Checked, step: &Step, wave: &Wave) {
        self.after_step(checked, step, wave);
    }

    fn end(&mut self, checked: &Checked, wave: &mut Wave) {
        self.withdraw(checked, wave);
    }

    fn reads(&mut self, space: Space, address: u64, lane: usize, bytes: usize) -> bool {
        self.check_load(space, address, lane, bytes)
    }

    fn writes(&mut self, space: Space, address: u64, lane: usize, bytes: usize, is_same: bool) -> bool {
        self.check_store(space, address, lane, bytes, is_same)
    }

    fn updates(&mut self, space: Space, address: u64, lane: usize, bytes: usize) -> bool {
        self.check_update(space, address, lane, bytes)
    }
}

impl Shadow {
    /// Whether what a block reads is defined although some of its registers are undefined.
    fn reads_defined(&self, block: &Block, undefined: &RegisterSet, wave: &Wave) -> bool {
        let exec = wave.exec();
        let is_defined = |(wide, row): (bool, u16)| {
            let lanes = if block.reads_all_lanes.contains(wide, row) { u64::MAX } else { exec };
            wide && self.all_lanes(row) & lanes == 0
        };
        undefined.and(&block.settled).is_empty() && undefined.and(&block.reads).iter().all(is_defined)
    }

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
            Written::Mask { rows, keeps_inactive } => {
                for (half, row) in (0..halves).zip(rows.first..) {
                    let kept = if keeps_inactive { self.scalar(row) & !lanes(half) } else { 0 };
                    self.set_scalar(row, kept);
                }
            }
        }
    }
}
