//! Races: accesses of different waves to one byte in no order.
//!
//! Whether an access is before another does not depend on when they were executed, but on what the later wave knows: barriers, and
//! atomics and flags whose values it has observed, tell it which accesses of others are complete ([`clock`]). Each byte remembers its
//! last write, and the reads and atomics that are in no order since ([`bytes`], [`records`]).
//!
//! A load that a flag orders after a store can still get an older value, from a cache that was not invalidated since. That is a note,
//! since only a cache that holds the line makes a difference: other work-groups on the compute unit may have filled it. Barriers need no
//! invalidation.

mod bytes;
mod clock;
mod records;
#[cfg(test)]
mod tests;

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use self::bytes::{Cell, Cells};
use self::clock::{
    AT_ONCE, AllOutstanding, CLASSES, Caches, Clock, Event, GroupTimes, Known, Times, Visible, class_of, join,
    join_all, raise,
};
use self::records::{AccessSite, Record, Records, Set};
use crate::check::facts::{COUNTERS, CacheLevel, Facts, Polling};
use crate::check::finding::{AccessKind, Bytes, Finding, Kind, MemorySpace, Other, Place, Severity};
use crate::check::{Checker, GroupCheck};
use crate::layout::Counters;
use crate::step::{Checked, Step};
use crate::wave::{Status, Wave};

/// An access to memory that waves share: of one lane, or of consecutive lanes to consecutive memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SharedAccess {
    pub space: MemorySpace,
    /// The address of the first lane; in the local data share the offset.
    pub at: u64,
    /// The bytes of a lane.
    pub bytes: u32,
    /// The first lane.
    pub lane: u32,
    /// How many lanes.
    pub lanes: u32,
    pub kind: AccessKind,
    /// Whether it is a store that changes nothing.
    pub is_same: bool,
}

impl SharedAccess {
    /// Whether the addresses are aligned, so that other waves see the access of a lane as one.
    fn is_aligned(&self) -> bool {
        let size = 1u64.checked_shl(self.bytes.trailing_zeros()).unwrap_or(1);
        self.at.is_multiple_of(size.min(8))
    }

    /// The first lane that accesses bytes from an offset on, and a bit for each.
    fn lanes_at(&self, bytes: &Range<u32>) -> (u32, u64) {
        let size = self.bytes.max(1);
        let (first, last) = (bytes.start / size, bytes.end.saturating_sub(1) / size);
        (first, bits(self.lane + first, last + 1 - first))
    }
}

/// What is known of the accesses of all work-groups to memory.
#[derive(Debug, Default)]
pub(super) struct GlobalOrder {
    cells: Cells,
    records: Records,
    /// Whether a wave has executed an instruction that can acquire what waves of other work-groups have released.
    acquires: bool,
    /// The texts of instructions that wait or invalidate caches.
    counters: Option<Counters>,
    /// For each class of work: whether vector instructions access memory in it.
    of_memory: [bool; CLASSES],
    instruction: Instruction,
    /// What the waves of a work-group know before their first instructions: work-groups of one size share it.
    nothing: Arc<Known>,
}

impl GlobalOrder {
    /// The state of a wave of a work-group of several before its first instruction.
    pub fn begin_wave(&mut self, waves: usize) -> WaveOrder {
        if self.nothing.group.len() != waves {
            self.nothing = Arc::new(Known::nothing(waves));
        }
        WaveOrder::new(self.nothing.clone())
    }
}

/// What is known of the accesses of a work-group to its local data share.
#[derive(Debug, Default)]
pub(super) struct GroupOrder {
    cells: Cells,
    /// Whether memory executes the accesses of the work-group's waves in their order.
    is_in_order: bool,
    /// The time of each wave at the last barrier.
    arrivals: Vec<u32>,
    /// What all waves have known since then.
    common: GroupTimes,
}

impl GroupOrder {
    /// The state of a work-group before its first instruction.
    pub fn new(waves: usize, is_in_order: bool) -> Self {
        let (cells, arrivals) = (Cells::default(), alloc::vec![0; waves]);
        GroupOrder { cells, is_in_order, arrivals, common: GroupTimes::default() }
    }
}

/// What a wave knows of the accesses of others.
#[derive(Debug)]
pub(super) struct WaveOrder {
    time: u32,
    /// For each class: the time up to which a wait that is left out would have proved accesses; 0: none.
    omitted: Times,
    outstanding: AllOutstanding,
    complete: Times,
    known: Arc<Known>,
    /// What it has observed and not waited for yet.
    observed: Vec<Observed>,
}

/// What a load or an atomic with result has observed: from the time on at which it is complete, it orders what follows.
#[derive(Debug)]
struct Observed {
    class: usize,
    time: u32,
    released: Arc<Clock>,
    /// What loads of waves of the own work-group that have released it get from caches.
    seen: Caches,
}

impl WaveOrder {
    fn new(known: Arc<Known>) -> Self {
        WaveOrder {
            time: 0,
            omitted: [0; CLASSES + 1],
            outstanding: AllOutstanding::default(),
            complete: [0; CLASSES + 1],
            known,
            observed: Vec::new(),
        }
    }

    /// Waits, and takes over what was observed before. `index` is that of the work-group.
    fn wait(&mut self, facts: &Facts, index: u32) {
        for ((outstanding, limit), complete) in self.outstanding.iter_mut().zip(facts.waits).zip(&mut self.complete) {
            let until = limit.and_then(|most| outstanding.wait(most, self.time));
            *complete = until.unwrap_or(0).max(*complete);
        }
        self.acquire(index);
    }

    /// Remembers what a wait would prove that is left out. Returns whether that is something.
    pub fn omit(&mut self, waits: &[Option<u8>; COUNTERS]) -> bool {
        let mut any = false;
        for (class, (outstanding, limit)) in self.outstanding.iter().zip(waits).enumerate() {
            let until = limit
                .and_then(|most| if outstanding.is_empty() { None } else { outstanding.clone().wait(most, self.time) });
            if let Some(until) = until.filter(|until| *until > self.complete[class]) {
                self.omitted[class] = until;
                any = true;
            }
        }
        any
    }

    /// Forgets the classes of what was left out that a function chooses. Returns how many there are.
    pub fn take(&mut self, is_taken: impl Fn(&Self, usize) -> bool) -> u64 {
        let taken: Vec<usize> =
            (0..CLASSES).filter(|class| self.omitted[*class] != 0 && is_taken(self, *class)).collect();
        taken.iter().for_each(|class| self.omitted[*class] = 0);
        taken.len() as u64
    }

    /// Whether what was left out of a class is complete.
    pub fn is_complete(&self, class: usize) -> bool {
        self.complete[class] >= self.omitted[class]
    }

    fn acquire(&mut self, index: u32) {
        if self.observed.is_empty() {
            return;
        }
        let (complete, known) = (&self.complete, &mut self.known);
        self.observed.retain(|observed| {
            let is_complete = complete.get(observed.class).is_some_and(|complete| *complete >= observed.time);
            if is_complete {
                let of_group = observed.released.get(index);
                let group = of_group.map_or_else(|| known.group.clone(), |times| join(&known.group, times));
                let others = join_all(known.others.as_ref(), Some(&observed.released));
                let mut visible = known.visible.clone();
                visible.caches.join(&observed.seen);
                *known = Arc::new(Known { group, others, visible });
            }
            !is_complete
        });
    }
}

/// The instruction that is executed.
#[derive(Debug, Default)]
struct Instruction {
    polling: Polling,
    /// Whether it gets a value from memory.
    returns: bool,
    /// The class of its accesses to memory and of those to the local data share.
    classes: [usize; 2],
    /// The numbers of its records, for each kind of access.
    records: [u32; 6],
    /// Accesses whose effects are known: most lanes access memory that other waves have accessed in the same way.
    effects: Vec<Effect>,
    races: Vec<Race>,
    /// What an access releases: the number of its record, and what waves of other work-groups acquire.
    released: Option<(u32, Arc<Clock>)>,
}

/// The effect of an access.
#[derive(Debug)]
struct Effect {
    record: u32,
    is_same: bool,
    is_aligned: bool,
    before: Cell,
    after: Cell,
    /// The indices of races.
    races: Vec<usize>,
}

/// A race of accesses of lanes of the instruction.
#[derive(Debug)]
struct Race {
    /// The number of the other record.
    other: u32,
    severity: Severity,
    kind: AccessKind,
    memory: Bytes,
    lanes: u64,
    /// The cache that is to be invalidated, if that is all that is missing.
    stale: Option<CacheLevel>,
}

impl Instruction {
    /// Begins an instruction.
    fn begin(&mut self, checked: &Checked) {
        let issues = &checked.facts.issues;
        self.polling = checked.polling;
        self.returns = checked.writes.as_ref().is_none_or(|writes| !writes.is_empty());
        self.classes = [class_of(issues.first()), class_of(issues.last())];
        self.records = [0; 6];
        self.effects.clear();
        self.races.clear();
        self.released = None;
    }
}

/// Whether two accesses of different waves in no order race, if one is a write.
fn races(earlier: &Record, kind: AccessKind, polling: Polling, is_aligned: bool) -> bool {
    use AccessKind::{Atomic, Read, Write};
    let is_polled = |stores: bool, polling: Polling| stores && polling == Polling::Polls;
    match (earlier.site.kind, kind) {
        (Read, Read) | (Atomic, Atomic) => false,
        (Write, Write) => true,
        (Read | Atomic, Write) => !is_polled(is_aligned, earlier.site.polling),
        (Write, Read | Atomic) => !is_polled(earlier.is_aligned, polling),
        (Read, Atomic) => earlier.site.polling == Polling::None,
        (Atomic, Read) => polling == Polling::None,
    }
}

impl Checker {
    /// Learns of an instruction before it is executed.
    pub(super) fn order_instruction(&mut self, checked: &Checked, wave: &Wave) {
        let layout = &wave.layout;
        let facts = &checked.facts;
        let waits = facts.waits.iter().any(Option::is_some) && !self.is_omitted();
        if !waits && !checked.issues_work {
            return;
        }
        let Checker { order, current, wave: number, group, .. } = self;
        let Some(state) = current.waves.get_mut(*number) else { return };
        let wave = &mut state.order;
        if waits {
            wave.wait(facts, index_of(*group));
        }
        if !checked.issues_work {
            return;
        }
        wave.time = wave.time.saturating_add(1);
        wave.complete[AT_ONCE] = wave.time;
        for issue in &facts.issues {
            let class = class_of(Some(issue));
            if let Some(outstanding) = wave.outstanding.get_mut(class) {
                let until = outstanding.add(wave.time, *issue);
                wave.complete[class] = until.unwrap_or(0).max(wave.complete[class]);
            }
        }
        wave.acquire(index_of(*group));
        if let Some(level) = facts.invalidates {
            wave.known = Arc::new(wave.known.invalidate(level));
        }
        order.counters = Some(layout.counters);
        order.instruction.begin(checked);
        let is_update = |step: &Step| matches!(step, Step::Update(_));
        let gets_value = order.instruction.returns && checked.steps.iter().any(is_update);
        order.acquires |= checked.polling == Polling::Polls || gets_value;
        if order.records.is_large() {
            self.shrink();
        }
    }

    /// Removes records that nothing refers to.
    #[cold]
    fn shrink(&mut self) {
        let Checker { order: GlobalOrder { records, cells, .. }, current, groups, .. } = self;
        let of_groups: usize = groups.values().map(|group| group.order.cells.len()).sum();
        if !records.is_larger_than(cells.len() + current.order.cells.len() + of_groups) {
            return;
        }
        records.shrink(|f| {
            cells.each(&mut *f);
            current.order.cells.each(&mut *f);
            groups.values_mut().for_each(|group| group.order.cells.each(&mut *f));
        });
    }

    /// Learns of an access.
    pub(super) fn order_access(&mut self, access: SharedAccess) {
        let is_lds = access.space == MemorySpace::Lds;
        if !self.kinds.contains(Kind::Race) {
            return;
        }
        if !is_lds && !self.memory.is_shared(access.at) {
            return;
        }
        if access.kind != AccessKind::Read && self.omitted.is_some() {
            self.passed(self.wave);
        }
        let record = self.record(&access, is_lds);
        if record == 0 {
            return;
        }
        let Checker { order, current, groups, wave, group, .. } = self;
        let GlobalOrder { cells, records, acquires, instruction, of_memory, .. } = order;
        let GroupCheck { waves, order: GroupOrder { cells: of_group, is_in_order, common, .. }, .. } = current;
        let Some(state) = waves.get_mut(*wave) else { return };
        let is_live = |index: u32| index == index_of(*group) || groups.contains_key(&index.into());
        let mut accessing = Accessing {
            records,
            wave: &mut state.order,
            instruction,
            record,
            access,
            is_aligned: access.is_aligned(),
            group: index_of(*group),
            common,
            in_order: if *is_in_order { *of_memory } else { [false; CLASSES] },
            is_one_unit: *is_in_order,
            is_permanent: &|record| !*acquires && !is_live(record.group),
        };
        let cells = if is_lds { of_group } else { cells };
        cells.change(access.at, access.bytes * access.lanes, |cell, bytes| accessing.change(cell, bytes));
    }

    /// Learns of a load by other lanes of what lanes of the instruction have loaded. Only its record has to have these lanes, unless races
    /// name them or what a poll observes depends on them.
    pub(super) fn order_again(&mut self, access: SharedAccess) {
        let Instruction { polling, races, .. } = &self.order.instruction;
        if *polling != Polling::None || !races.is_empty() {
            return self.order_access(access);
        }
        let is_lds = access.space == MemorySpace::Lds;
        if is_lds || self.memory.is_shared(access.at) {
            self.record(&access, is_lds);
        }
    }

    /// The number of the record of an access.
    fn record(&mut self, access: &SharedAccess, is_lds: bool) -> u32 {
        let kind = access.kind as usize;
        let lanes = bits(access.lane, access.lanes);
        let Checker { order, current, wave: number, group, pc, .. } = self;
        let GlobalOrder { records, instruction, of_memory, .. } = order;
        let class = instruction.classes[usize::from(is_lds)];
        of_memory[class] |= !is_lds && access.space != MemorySpace::Scalar;
        let Some(at) = instruction.records.get_mut(2 * kind + usize::from(is_lds)) else { return 0 };
        if records.add_lanes(*at, lanes, access.is_aligned()) {
            return *at;
        }
        let Some(state) = current.waves.get(*number) else { return 0 };
        let wave = &state.order;
        let is_read = access.kind == AccessKind::Read;
        let knowledge = if is_read { None } else { records.add_knowledge(&wave.known, &wave.complete) };
        *at = records.add(Record {
            site: AccessSite { pc: *pc, class: class as u8, kind: access.kind, polling: instruction.polling, is_lds },
            lanes,
            knowledge,
            time: wave.time,
            group: index_of(*group),
            wave: u8::try_from(*number).unwrap_or(u8::MAX),
            is_aligned: access.is_aligned(),
        });
        *at
    }

    /// Reports the races of an instruction.
    pub(super) fn report_races(&mut self) {
        if self.order.instruction.races.is_empty() {
            return;
        }
        self.order.instruction.effects.clear();
        for race in core::mem::take(&mut self.order.instruction.races) {
            let Some(other) = self.order.records.get(race.other) else { continue };
            let place =
                Place { pc: other.site.pc, group: other.group.into(), wave: other.wave.into(), lanes: other.lanes };
            let (access, is_same_instruction) =
                (other.site.kind, other.site.pc == self.pc && self.is_of_current(&other));
            let help = self.help_of_race(&race, &other, is_same_instruction);
            let finding = Finding {
                severity: race.severity,
                count: race.lanes.count_ones().into(),
                memory: Some(race.memory),
                access: Some(race.kind),
                other: Some(Other { place, access: Some(access) }),
                ..Finding::new(Kind::Race, self.place(race.lanes), help)
            };
            self.report(finding);
        }
    }

    /// Whether a record is one of the current wave.
    fn is_of_current(&self, record: &Record) -> bool {
        record.group == index_of(self.group) && usize::from(record.wave) == self.wave
    }

    /// What to do about a race.
    fn help_of_race(&self, race: &Race, other: &Record, is_same_instruction: bool) -> Cow<'static, str> {
        if is_same_instruction {
            return "lanes of this instruction store to one address: give each its own, or leave one active".into();
        }
        if race.severity == Severity::Note && race.stale.is_none() {
            return "both store the same bytes: let one wave store them, or use an atomic".into();
        }
        if let (Some(level), Some(counters)) = (race.stale, self.order.counters) {
            let [unit, shared] = counters.invalidate;
            let insert = match level {
                CacheLevel::ComputeUnit => format!("`{unit}`"),
                CacheLevel::Shared => format!("`{shared}` and `{unit}`"),
            };
            return format!(
                "a cache may hold the bytes from before the store, although the wave has seen a flag or an atomic that follows it: insert \
                 {insert} after the wait for that value, before this load (guide §4.1.1)"
            )
            .into();
        }
        let wait_for = |class: usize| match self.order.counters {
            Some(counters) if class != AT_ONCE => (counters.wait)(class as u8, 0),
            _ => String::new(),
        };
        let wait = wait_for(other.site.class.into());
        let is_own_group = other.group == index_of(self.group);
        let arrival = self.current.order.arrivals.get(usize::from(other.wave)).copied().unwrap_or(0);
        if is_own_group && other.time <= arrival && !wait.is_empty() {
            return format!(
                "the barrier orders only what the wave has waited for: insert `{wait}` before the `s_barrier` that follows the other access (guide §5.6)"
            )
            .into();
        }
        if is_own_group {
            // The wave that executes both comes to the one at the lower address first.
            let own = self.order.instruction.classes[usize::from(race.memory.space == MemorySpace::Lds)];
            let first = if other.site.pc <= self.pc { wait } else { wait_for(own) };
            let wait_and = if first.is_empty() { String::new() } else { format!("`{first}` and ") };
            return format!("insert {wait_and}`s_barrier` between the two accesses, in all waves (guide §5.5)").into();
        }
        let release = if wait.is_empty() { String::new() } else { format!(" after `{wait}`") };
        format!(
            "barriers order no accesses of different work-groups: let each work-group access its own elements, use atomics, or set a flag{release} that the other one waits for"
        )
        .into()
    }

    /// Learns that the waves of the work-group that wait at a barrier go on together.
    pub(super) fn order_barrier(&mut self, waves: &[Wave]) {
        if self.omitted.is_some() {
            (0..waves.len()).for_each(|wave| self.passed(wave));
        }
        let of_memory = self.order.of_memory;
        let GroupCheck { waves: states, order, .. } = &mut self.current;
        let mut own: Vec<Times> = Vec::with_capacity(states.len());
        let mut known: Option<(GroupTimes, Option<Arc<Clock>>)> = None;
        let mut seen = Caches::default();
        for (state, arrival) in states.iter().zip(&mut order.arrivals) {
            let wave = &state.order;
            *arrival = wave.time;
            let is_complete = |class: usize| order.is_in_order && of_memory[class];
            let mut times = wave.complete;
            (0..CLASSES).filter(|class| is_complete(*class)).for_each(|class| times[class] = wave.time);
            own.push(times);
            seen.join(&wave.known.visible.caches);
            known = Some(match known {
                Some((group, others)) => {
                    (join(&group, &wave.known.group), join_all(others.as_ref(), wave.known.others.as_ref()))
                }
                None => (wave.known.group.clone(), wave.known.others.clone()),
            });
        }
        let Some((group, others)) = known else { return };
        let mut group = group.to_vec();
        group.iter_mut().zip(&own).for_each(|(to, own)| raise(to, own));
        let group: GroupTimes = group.into();
        let visible = Visible { group: group.clone(), caches: seen };
        let known = Arc::new(Known { group, others, visible });
        order.common = known.group.clone();
        for (state, wave) in states.iter_mut().zip(waves) {
            // A wave that has signaled, and waits later, knows it then at the latest.
            if wave.status == Status::AtBarrier || wave.barrier.is_signaled {
                state.order.known = known.clone();
            }
        }
    }
}

/// The index of a work-group in clocks.
fn index_of(group: u64) -> u32 {
    u32::try_from(group).unwrap_or(u32::MAX)
}

/// A bit for each of some lanes.
fn bits(first: u32, count: u32) -> u64 {
    let all = u64::MAX.checked_shr(64u32.saturating_sub(count)).unwrap_or(0);
    all.checked_shl(first).unwrap_or(0)
}

/// An access that is executed.
struct Accessing<'a> {
    records: &'a mut Records,
    wave: &'a mut WaveOrder,
    instruction: &'a mut Instruction,
    /// The number of its record.
    record: u32,
    access: SharedAccess,
    is_aligned: bool,
    group: u32,
    /// What all waves of the work-group know.
    common: &'a [Times],
    /// The classes of work that the waves of the work-group see in the order in which it is issued.
    in_order: [bool; CLASSES],
    /// Whether the waves of the work-group share a compute unit.
    is_one_unit: bool,
    /// Whether nothing can come after an access any more.
    is_permanent: &'a dyn Fn(&Record) -> bool,
}

impl Accessing<'_> {
    /// The accesses to bytes, which have the offsets `bytes` in this access, after it. Whether those to other bytes with the same
    /// accesses change in the same way.
    fn change(&mut self, before: Cell, bytes: Range<u32>) -> (Cell, bool) {
        let is_same = self.access.is_same;
        let known = self.instruction.effects.iter().find(|effect| {
            effect.before == before
                && effect.record == self.record
                && (effect.is_same, effect.is_aligned) == (is_same, self.is_aligned)
        });
        if let Some(effect) = known {
            let (_, lanes) = self.access.lanes_at(&bytes);
            for race in &effect.races {
                if let Some(race) = self.instruction.races.get_mut(*race) {
                    race.lanes |= lanes;
                }
            }
            return (effect.after, effect.races.is_empty());
        }
        let mut races = Vec::new();
        let after = match self.access.kind {
            AccessKind::Read => {
                self.compare(before.write, &bytes, &mut races);
                Cell { read: self.with_read(before.read), ..before }
            }
            AccessKind::Write => {
                self.compare(before.write, &bytes, &mut races);
                self.compare(before.read, &bytes, &mut races);
                Cell { write: self.record, read: 0 }
            }
            AccessKind::Atomic => {
                self.compare(before.write, &bytes, &mut races);
                self.compare(before.read, &bytes, &mut races);
                Cell { write: self.with_atomic(before.write), ..before }
            }
        };
        let gets_value = match self.access.kind {
            AccessKind::Read => self.instruction.polling == Polling::Polls && self.is_aligned && self.access.bytes <= 8,
            AccessKind::Write => false,
            AccessKind::Atomic => self.instruction.returns,
        };
        if gets_value {
            self.observe(before.write);
        }
        /// The most effects that are worth a search.
        const MOST: usize = 8;
        if self.instruction.effects.len() >= MOST {
            self.instruction.effects.remove(0);
        }
        let is_quiet = races.is_empty();
        let effect = Effect { record: self.record, is_same, is_aligned: self.is_aligned, before, after, races };
        self.instruction.effects.push(effect);
        (after, is_quiet)
    }

    /// Whether an access of a record is before this one.
    fn is_ordered(&self, earlier: &Record) -> bool {
        self.is_of_wave(earlier) || self.wave.known.has(&self.event(earlier))
    }

    fn event(&self, earlier: &Record) -> Event {
        let &Record { site, group, wave, time, .. } = earlier;
        Event { is_own_group: group == self.group, group, wave, class: site.class, time }
    }

    /// The cache from which a load may get a value from before an access that is before the load.
    fn stale(&self, earlier: &Record) -> Option<CacheLevel> {
        let is_cached = !matches!(self.access.space, MemorySpace::Lds | MemorySpace::Scalar);
        let is_load = self.access.kind == AccessKind::Read && self.instruction.polling == Polling::None;
        let event = self.event(earlier);
        if !is_cached || !is_load || self.is_of_wave(earlier) || event.is_own_group && self.is_one_unit {
            return None;
        }
        let known = &self.wave.known;
        if known.sees(&event) {
            None
        } else if known.sees_in_shared(&event) {
            Some(CacheLevel::ComputeUnit)
        } else {
            Some(CacheLevel::Shared)
        }
    }

    /// Whether no wave can race with an access of a record any more, since all that reach its memory know it.
    fn is_known_to_all(&self, record: &Record) -> bool {
        let times = self.common.get(usize::from(record.wave)).filter(|_| record.site.is_lds);
        times
            .and_then(|times| times.get(usize::from(record.site.class)))
            .is_some_and(|complete| *complete >= record.time)
    }

    /// Whether a record is one of the wave.
    fn is_of_wave(&self, earlier: &Record) -> bool {
        let own = self.records.get(self.record);
        own.is_some_and(|own| (own.group, own.wave) == (earlier.group, earlier.wave))
    }

    /// Compares the access with earlier ones, and adds the races.
    fn compare(&mut self, earlier: u32, bytes: &Range<u32>, found: &mut Vec<usize>) {
        let SharedAccess { kind, is_same, .. } = self.access;
        let members: Vec<u32> = self.records.members(earlier).collect();
        for number in members {
            let Some(record) = self.records.get(number) else { continue };
            // Lanes of one instruction.
            if number == self.record {
                if kind == AccessKind::Write && !is_same {
                    found.push(self.race(number, Severity::Note, bytes, None));
                }
                continue;
            }
            let polling = match kind {
                AccessKind::Read if self.access.bytes > 8 || !self.is_aligned => Polling::None,
                _ => self.instruction.polling,
            };
            if !races(&record, kind, polling, self.is_aligned) {
                continue;
            }
            let is_ordered = self.is_ordered(&record);
            let stale = if is_ordered { self.stale(&record) } else { None };
            if is_ordered && stale.is_none() {
                continue;
            }
            let is_note = stale.is_some() || is_same && record.site.kind == AccessKind::Write;
            found.push(self.race(number, if is_note { Severity::Note } else { Severity::Error }, bytes, stale));
        }
    }

    /// The index of a race with an earlier access.
    fn race(&mut self, other: u32, severity: Severity, at: &Range<u32>, stale: Option<CacheLevel>) -> usize {
        let SharedAccess { space, bytes, kind, .. } = self.access;
        let (first, lanes) = self.access.lanes_at(at);
        let at = self.access.at + u64::from(first * bytes);
        let pc = |number: u32| self.records.get(number).map(|record| record.site.pc);
        let races = &mut self.instruction.races;
        let known = races.iter().position(|race| {
            (race.severity, race.kind, race.stale) == (severity, kind, stale)
                && (race.other == other || pc(race.other) == pc(other))
        });
        let index = known.unwrap_or_else(|| {
            races.push(Race { other, severity, kind, memory: Bytes { space, at, bytes }, lanes: 0, stale });
            races.len() - 1
        });
        if let Some(race) = races.get_mut(index) {
            race.lanes |= lanes;
        }
        index
    }

    /// The reads in no order after this one.
    fn with_read(&mut self, reads: u32) -> u32 {
        let Some(own) = self.records.get(self.record) else { return reads };
        if reads == 0 || reads == self.record {
            return self.record;
        }
        let is_plain = |record: &Record| record.site.polling == Polling::None;
        let mut set = Set::default();
        for number in self.records.members(reads) {
            let Some(record) = self.records.get(number) else { continue };
            if number == self.record {
                return reads;
            }
            if (self.is_permanent)(&record) && is_plain(&record) {
                return number;
            }
            let is_superseded = if self.is_of_wave(&record) {
                record.site.class == own.site.class
                    || self
                        .wave
                        .complete
                        .get(usize::from(record.site.class))
                        .is_some_and(|complete| *complete >= record.time)
            } else {
                self.is_ordered(&record)
            };
            if !is_superseded || is_plain(&record) && !is_plain(&own) {
                set.members.push(number);
            }
        }
        set.members.push(self.record);
        self.records.number(set)
    }

    /// The writes in no order after this atomic.
    fn with_atomic(&mut self, writes: u32) -> u32 {
        if writes == 0 || writes == self.record {
            return self.record;
        }
        let mut set = Set::default();
        for number in self.records.members(writes) {
            let Some(record) = self.records.get(number) else { continue };
            if number == self.record {
                return writes;
            }
            // A store stays: it races with the atomics of waves that do not know it, and those do not race with this one.
            let stays = record.site.kind == AccessKind::Write && !self.is_known_to_all(&record);
            if stays || !self.is_ordered(&record) {
                set.members.push(number);
            }
        }
        set.members.push(self.record);
        let own = self.own_release();
        set.released = join_all(self.records.released(writes).as_ref(), own.as_ref());
        self.records.number(set)
    }

    /// What waves of other work-groups acquire that observe the value of this access.
    fn own_release(&mut self) -> Option<Arc<Clock>> {
        match &self.instruction.released {
            Some((record, released)) if *record == self.record => Some(released.clone()),
            _ => {
                let released = self.records.released(self.record)?;
                self.instruction.released = Some((self.record, released.clone()));
                Some(released)
            }
        }
    }

    /// Observes the value of earlier writes, and what their waves have released before them.
    fn observe(&mut self, writes: u32) {
        if self.records.get(writes).is_some_and(|record| self.is_of_wave(&record)) {
            return;
        }
        let mut released = self.records.released(writes);
        let mut seen = Caches::default();
        for number in self.records.members(writes) {
            let is_flag = |record: &Record| record.is_flag() && record.group == self.group && !self.is_of_wave(record);
            let Some(record) = self.records.get(number).filter(is_flag) else { continue };
            let clock = self.records.release(&record, &self.in_order);
            released = join_all(released.as_ref(), clock.as_ref());
            if let Some(known) = self.records.known(&record) {
                let Caches { unit, shared } = known.visible.caches.clone();
                seen.join(&Caches { unit: unit.filter(|_| self.is_one_unit), shared });
            }
        }
        let (Some(released), Some(own)) = (released, self.records.get(self.record)) else { return };
        let (class, time) = (usize::from(own.site.class), own.time);
        self.wave.observed.push(Observed { class, time, released, seen });
    }
}
