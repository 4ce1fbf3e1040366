//! Each rule of the order of accesses, in a form that races and in one that does not.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use super::SharedAccess;
use crate::check::facts::Polling;
use crate::check::finding::{AccessKind, Finding, Kind, Kinds, MemorySpace, Severity};
use crate::check::{CacheLevel, Checker, Extent, Facts, Initial, Issue};
use crate::group::WorkGroup;
use crate::guard::Guard;
use crate::layout::{Counters, Layout};
use crate::lower::Lowering;
use crate::step::Checked;
use crate::wave::{Status, Wave};

/// Counters, as those of RDNA3.
const LOADS: u8 = 0;
const STORES: u8 = 1;
const LDS: u8 = 2;

/// The address of the memory of a test.
const AT: u64 = 0x1000;

/// A run of work-groups of waves.
struct Run {
    checker: Checker,
    groups: Vec<WorkGroup>,
    /// The work-group that goes on, if any.
    current: Option<u64>,
}

/// An instruction that accesses memory.
#[derive(Clone, Copy)]
struct Instr {
    pc: u64,
    counter: u8,
    kind: AccessKind,
    polling: Polling,
    /// Whether it is a store of the bytes that memory holds.
    is_same: bool,
    space: MemorySpace,
}

impl Instr {
    const fn new(pc: u64, space: MemorySpace, kind: AccessKind) -> Self {
        let counter = match (space, kind) {
            (MemorySpace::Lds, _) => LDS,
            (_, AccessKind::Write) => STORES,
            _ => LOADS,
        };
        Instr { pc, counter, kind, polling: Polling::None, is_same: false, space }
    }

    const fn polls(self) -> Self {
        Instr { polling: Polling::Polls, ..self }
    }
}

const fn load(pc: u64) -> Instr {
    Instr::new(pc, MemorySpace::Global, AccessKind::Read)
}

const fn store(pc: u64) -> Instr {
    Instr::new(pc, MemorySpace::Global, AccessKind::Write)
}

const fn atomic(pc: u64) -> Instr {
    Instr::new(pc, MemorySpace::Global, AccessKind::Atomic)
}

const fn lds(pc: u64, kind: AccessKind) -> Instr {
    Instr::new(pc, MemorySpace::Lds, kind)
}

use AccessKind::{Atomic, Read, Write};

impl Run {
    fn new(groups: usize, waves: usize) -> Self {
        Self::with(groups, waves, false)
    }

    fn with(groups: usize, waves: usize, is_in_order: bool) -> Self {
        let wait = |counter, most| format!("wait {counter} {most}");
        let counters = Counters { wait, invalidate: ["unit", "shared"], ..Counters::NONE };
        let lowering = Lowering::new(Layout { counters, ..Layout::of_scalars(4) }, 4, false);
        let wave = Wave::without_constants(&lowering, 0);
        let group = WorkGroup { waves: vec![wave; waves], lds: vec![0; 64] };
        let groups = vec![group; groups];
        let mut checker = Checker::new(Kinds::NONE.with(Kind::Race), vec![Extent::new(AT, 0x1_0000)]);
        let initial = Initial { is_in_order, ..Initial::default() };
        for (index, group) in (0..).zip(&groups) {
            checker.begin_group(index, &group.waves, group.lds.len(), &initial);
        }
        Run { checker, groups, current: None }
    }

    fn go_to(&mut self, group: u64) {
        if self.current != Some(group) {
            if self.current.is_some() {
                self.checker.suspend_group();
            }
            self.checker.resume_group(group);
            self.current = Some(group);
        }
    }

    fn end(&mut self) {
        self.checker.end_group();
        self.current = None;
    }

    fn instruction(&mut self, (group, wave): (u64, usize), pc: u64, facts: Facts, polling: Polling, issues_work: bool) {
        self.go_to(group);
        self.checker.turn(wave);
        self.checker.pc = pc;
        let checked = Checked {
            address: pc,
            facts,
            steps: Vec::new(),
            quick: 0,
            reads: Vec::new(),
            writes: None,
            accesses: 0..0,
            reads_all_lanes: false,
            blocks: Vec::new(),
            instruction: None,
            issues_work,
            polling,
        };
        let wave = self.groups[group as usize].waves[wave].clone();
        self.checker.order_instruction(&checked, &wave);
    }

    /// Executes an access of lanes to dwords from an address on, in LDS from an offset on.
    fn access(&mut self, wave: (u64, usize), instr: Instr, at: u64, bytes: u32, lanes: u32) -> &mut Self {
        let queue = (instr.counter != STORES).then_some(instr.counter);
        let issue = Issue { counter: instr.counter, by: 1, least: 1, queue, kind: instr.counter };
        let facts = Facts { issues: vec![issue], ..Facts::default() };
        self.instruction(wave, instr.pc, facts, instr.polling, true);
        let base = if instr.space == MemorySpace::Lds { 0 } else { AT };
        for lane in 0..lanes {
            let at = base + at + u64::from(lane * bytes);
            let Instr { kind, space, is_same, .. } = instr;
            self.checker.order_access(SharedAccess { space, at, bytes, lane, lanes: 1, kind, is_same });
        }
        self.checker.report_races();
        self
    }

    fn one(&mut self, wave: (u64, usize), instr: Instr, at: u64) -> &mut Self {
        self.access(wave, instr, at, 4, 1)
    }

    fn wait(&mut self, wave: (u64, usize), counter: u8, most: u8) -> &mut Self {
        let mut facts = Facts::default();
        facts.waits[usize::from(counter)] = Some(most);
        self.instruction(wave, 0, facts, Polling::None, false);
        self
    }

    fn invalidate(&mut self, wave: (u64, usize), level: CacheLevel) -> &mut Self {
        let facts = Facts { invalidates: Some(level), ..Facts::default() };
        self.instruction(wave, 0, facts, Polling::None, true);
        self
    }

    /// Waits for a value and invalidates all caches.
    fn acquire(&mut self, wave: (u64, usize)) -> &mut Self {
        self.wait(wave, LOADS, 0).invalidate(wave, CacheLevel::Shared).invalidate(wave, CacheLevel::ComputeUnit)
    }

    fn barrier(&mut self, group: u64) -> &mut Self {
        self.go_to(group);
        let mut waves = self.groups[group as usize].waves.clone();
        waves.iter_mut().for_each(|wave| wave.status = Status::AtBarrier);
        self.checker.order_barrier(&waves);
        self
    }

    fn findings(&mut self) -> Vec<Finding> {
        let checker = core::mem::replace(&mut self.checker, Checker::new(Kinds::NONE, Vec::new()));
        checker.finish()
    }

    /// The addresses of the instructions that race, the later one first.
    fn races(&mut self) -> Vec<[u64; 2]> {
        self.races_of(Severity::Error)
    }

    fn races_of(&mut self, severity: Severity) -> Vec<[u64; 2]> {
        let found = self.findings().into_iter().filter(|finding| finding.severity == severity);
        found.map(|finding| [finding.place.pc, finding.other.map_or(0, |other| other.place.pc)]).collect()
    }
}

const A: (u64, usize) = (0, 0);
const B: (u64, usize) = (0, 1);
const C: (u64, usize) = (0, 2);
const OTHER: (u64, usize) = (1, 0);

#[test]
fn waves_race_without_a_barrier() {
    for (first, second) in
        [(Write, Read), (Read, Write), (Write, Write), (Write, Atomic), (Atomic, Write), (Atomic, Read), (Read, Atomic)]
    {
        let mut run = Run::new(1, 2);
        run.one(A, lds(1, first), 0).wait(A, LDS, 0).one(B, lds(2, second), 0);
        assert_eq!(run.races(), [[2, 1]], "{first:?} {second:?}");
        let mut run = Run::new(1, 2);
        run.one(A, lds(1, first), 0).wait(A, LDS, 0).barrier(0).one(B, lds(2, second), 0);
        assert_eq!(run.races(), [[0; 2]; 0], "{first:?} {second:?}");
        let mut run = Run::new(1, 2);
        run.one(A, lds(1, first), 0).one(A, lds(2, second), 0);
        assert_eq!(run.races(), [[0; 2]; 0], "one wave: {first:?} {second:?}");
    }
    for kind in [Read, Atomic] {
        let mut run = Run::new(1, 2);
        run.one(A, lds(1, kind), 0).one(B, lds(2, kind), 0);
        assert_eq!(run.races(), [[0; 2]; 0]);
    }
}

#[test]
fn records_that_no_byte_refers_to_are_removed() {
    let mut run = Run::new(1, 2);
    for _ in 0..20_000 {
        run.one(A, store(1), 0);
    }
    assert!(run.checker.order.records.len() < 10_000);
    run.one(B, store(2), 0);
    assert_eq!(run.races(), [[2, 1]]);
}

/// The bytes that the order takes for each byte of buffers, one of which lanes load while they store the other, some bytes each.
fn memory(bytes: u32) -> f64 {
    let (groups, waves) = (0x1000 / (8 * 32 * u64::from(bytes)), 8);
    let mut run = Run::new(groups as usize, waves);
    for wave in (0..groups).flat_map(|group| (0..waves).map(move |wave| (group, wave))) {
        let at = (wave.0 * waves as u64 + wave.1 as u64) * 32 * u64::from(bytes);
        run.access(wave, load(1), at, bytes, 32).wait(wave, LOADS, 0);
        run.access(wave, store(2), 0x1000 + at, bytes, 32);
    }
    let order = &run.checker.order;
    (order.cells.bytes() + order.records.bytes()) as f64 / 0x2000 as f64
}

#[test]
fn the_order_takes_little_memory() {
    assert!(memory(4) < 1.3, "{}", memory(4));
    assert!(memory(2) < 1.5, "{}", memory(2));
    assert!(memory(1) < 1.9, "{}", memory(1));
}

#[test]
fn atomics_of_many_waves_release_what_each_has_done() {
    let mut run = Run::new(201, 1);
    for group in 0..200 {
        run.one((group, 0), store(1), 4 * (group + 1)).wait((group, 0), STORES, 0);
        run.one((group, 0), atomic(2), 0).one((group, 0), store(3), 0x800 + 4 * group);
    }
    let last = (200, 0);
    run.one(last, atomic(4), 0).acquire(last);
    for group in 0..200 {
        run.one(last, load(5), 4 * (group + 1));
    }
    run.one(last, load(6), 0x800).one(last, load(7), 0x800 + 4 * 199);
    assert_eq!(run.races(), [[6, 3], [7, 3]]);
}

#[test]
fn bytes_count_and_not_dwords() {
    let mut run = Run::new(1, 2);
    run.access(A, store(1), 0, 1, 4).access(B, store(2), 4, 1, 4).access(B, store(3), 3, 1, 1);
    assert_eq!(run.races(), [[3, 1]]);
    let mut run = Run::new(1, 2);
    run.access(A, store(1), 0, 1, 1).access(B, store(2), 1, 1, 1).access(A, load(3), 0, 4, 1);
    assert_eq!(run.races(), [[3, 2]]);
}

#[test]
fn a_barrier_orders_what_was_waited_for() {
    let mut run = Run::new(1, 2);
    run.one(A, store(1), 0).barrier(0).one(B, load(2), 0);
    let findings = run.findings();
    assert_eq!(findings.len(), 1);
    assert!(findings[0].help.contains("the barrier orders only"), "{}", findings[0].help);
    let mut run = Run::new(1, 2);
    run.one(A, store(1), 0).wait(A, STORES, 0).barrier(0).one(B, load(2), 0);
    assert_eq!(run.races(), [[0; 2]; 0]);
    // A wait for loads says nothing about stores.
    let mut run = Run::new(1, 2);
    run.one(A, store(1), 0).wait(A, LOADS, 0).barrier(0).one(B, load(2), 0);
    assert_eq!(run.races(), [[2, 1]]);
    // The first of two loads is complete when one is outstanding.
    let mut run = Run::new(1, 2);
    run.one(A, load(1), 0).one(A, load(2), 4).wait(A, LOADS, 1).barrier(0).one(B, store(3), 0).one(B, store(4), 4);
    assert_eq!(run.races(), [[4, 2]]);
    // In the compute unit's own memory, accesses are in order; those to LDS have to be waited for.
    let mut run = Run::with(1, 2, true);
    run.one(A, store(1), 0).barrier(0).one(B, load(2), 0).one(A, lds(3, Write), 0).barrier(0).one(B, lds(4, Read), 0);
    assert_eq!(run.races(), [[4, 3]]);
}

#[test]
fn readers_before_a_barrier_are_not_forgotten() {
    let mut run = Run::new(1, 3);
    for wave in [A, B, C] {
        run.one(wave, lds(1, Read), 0).wait(wave, LDS, 0);
    }
    // The last reader does not race with itself; the others do.
    run.one(C, lds(2, Write), 0);
    let findings = run.findings();
    assert_eq!(
        findings.iter().map(|finding| finding.other.map(|other| other.place.wave)).collect::<Vec<_>>(),
        [Some(0)]
    );
    let mut run = Run::new(1, 3);
    for wave in [A, B, C] {
        run.one(wave, lds(1, Read), 0).wait(wave, LDS, 0);
    }
    run.barrier(0).one(C, lds(2, Write), 0);
    assert_eq!(run.races(), [[0; 2]; 0]);
}

#[test]
fn an_order_goes_on_through_other_waves() {
    let mut run = Run::new(1, 3);
    run.one(A, store(1), 0).wait(A, STORES, 0).barrier(0).one(B, load(2), 0).wait(B, LOADS, 0).barrier(0);
    run.one(C, store(3), 0);
    assert_eq!(run.races(), [[0; 2]; 0]);
}

#[test]
fn barriers_do_not_order_other_work_groups() {
    let mut run = Run::new(2, 1);
    run.one(A, store(1), 0).wait(A, STORES, 0).barrier(0).end();
    run.barrier(1).one(OTHER, load(2), 0);
    let findings = run.findings();
    assert_eq!(findings.len(), 1);
    assert!(findings[0].help.contains("different work-groups"), "{}", findings[0].help);
}

#[test]
fn an_atomic_that_gets_a_value_acquires() {
    let pass = |wait_of_writer: bool, wait_of_reader: bool| {
        let mut run = Run::new(2, 1);
        run.one(A, store(1), 0);
        if wait_of_writer {
            run.wait(A, STORES, 0);
        }
        run.one(A, atomic(2), 64).one(OTHER, atomic(3), 64);
        if wait_of_reader {
            run.acquire(OTHER);
        }
        run.one(OTHER, load(4), 0);
        run.races()
    };
    assert_eq!(pass(true, true), [[0; 2]; 0]);
    assert_eq!(pass(false, true), [[4, 1]]);
    assert_eq!(pass(true, false), [[4, 1]]);
}

#[test]
fn the_last_work_group_knows_all_that_have_counted() {
    let groups = 80;
    let mut run = Run::new(groups, 2);
    for group in 0..groups as u64 {
        run.one((group, 0), store(1), 8 * group).one((group, 1), store(2), 8 * group + 4);
        // The second wave of work-group 7 does not wait.
        run.wait((group, 0), STORES, 0);
        if group != 7 {
            run.wait((group, 1), STORES, 0);
        }
        run.barrier(group).one((group, 0), atomic(3), 0x800).acquire((group, 0)).barrier(group);
        if group + 1 < groups as u64 {
            run.end();
        }
    }
    let last = groups as u64 - 1;
    (0..2 * last).for_each(|at| {
        run.one((last, 1), load(4), 4 * at);
    });
    assert_eq!(run.races(), [[4, 2]]);
}

#[test]
fn a_store_races_with_atomics_after_those_of_its_own_wave() {
    let pass = |store: Instr, atomic: Instr, has_barrier: bool| {
        let mut run = Run::new(1, 2);
        run.one(A, store, 0);
        if has_barrier {
            run.wait(A, store.counter, 0).barrier(0);
        }
        run.one(A, atomic, 0).wait(A, atomic.counter, 0).one(A, atomic, 0).one(B, atomic, 0);
        run.races()
    };
    let pairs =
        [(lds(1, Write), lds(2, Atomic)), (store(1), atomic(2)), (store(1), Instr { counter: STORES, ..atomic(2) })];
    for (store, atomic) in pairs {
        assert_eq!(pass(store, atomic, false), [[2, 1]]);
        assert_eq!(pass(store, atomic, true), [[0; 2]; 0]);
    }
}

#[test]
fn the_last_work_group_may_reset_the_counter() {
    let pass = |counts: Instr| {
        let mut run = Run::new(3, 1);
        // The first two count while earlier loads are outstanding: these may still be so when the last one counts.
        run.one((0, 0), load(1), 0).one((0, 0), counts, 64).end();
        run.one((1, 0), load(1), 0).one((1, 0), counts, 64).end();
        run.one((2, 0), atomic(2), 64).wait((2, 0), LOADS, 0).one((2, 0), store(3), 64).one((2, 0), store(4), 0);
        run.races()
    };
    assert_eq!(pass(atomic(2)), [[4, 1]]);
    assert_eq!(pass(Instr { counter: STORES, ..atomic(2) }), [[4, 1]]);
    assert_eq!(pass(load(2)), [[2, 2], [3, 2], [4, 1]]);
}

#[test]
fn many_atomics_without_result_are_all_acquired() {
    let groups = 200;
    let mut run = Run::new(groups, 1);
    for group in 0..groups as u64 - 1 {
        run.one((group, 0), store(1), 4 * group).wait((group, 0), STORES, 0);
        run.one((group, 0), Instr { counter: STORES, ..atomic(2) }, 0x800);
    }
    let last = (groups as u64 - 1, 0);
    run.one(last, load(3).polls(), 0x800).acquire(last);
    (0..groups as u64 - 1).for_each(|at| {
        run.one(last, load(4), 4 * at);
    });
    assert_eq!(run.races(), [[0; 2]; 0]);
}

#[test]
fn a_flag_is_a_store_that_a_polling_load_observes() {
    let pass = |reader: Instr, at: u64, wait: bool| {
        let mut run = Run::new(2, 1);
        run.one(A, store(1), 0);
        if wait {
            run.wait(A, STORES, 0);
        }
        run.access(A, store(2), at, 4, 1).access(OTHER, reader, at, 4, 1).acquire(OTHER).one(OTHER, load(4), 0);
        run.races()
    };
    assert_eq!(pass(load(3).polls(), 64, true), [[0; 2]; 0]);
    assert_eq!(pass(load(3).polls(), 64, false), [[4, 1]]);
    // A load that waits for nothing gives no order, even if it gets the value.
    assert_eq!(pass(load(3), 64, true), [[3, 2], [4, 1]]);
    // Only an aligned store is a flag.
    assert_eq!(pass(load(3).polls(), 66, true), [[3, 2], [4, 1]]);
}

#[test]
fn a_flag_may_be_polled_before_it_is_set_and_be_reset() {
    let mut run = Run::new(2, 1);
    run.one(OTHER, load(1).polls(), 64).wait(OTHER, LOADS, 0);
    run.one(A, store(2), 64).one(OTHER, load(1).polls(), 64).wait(OTHER, LOADS, 0).one(OTHER, store(3), 64);
    assert_eq!(run.races(), [[0; 2]; 0]);
}

#[test]
fn locks_order_their_holders() {
    let hold = |swap: Instr| {
        let mut run = Run::new(2, 1);
        run.one(A, swap, 64).wait(A, LOADS, 0).one(OTHER, swap, 64).wait(OTHER, LOADS, 0);
        run.one(A, load(2), 0).wait(A, LOADS, 0).one(A, store(3), 0).wait(A, STORES, 0).one(A, store(4), 64);
        run.one(OTHER, swap, 64).acquire(OTHER).one(OTHER, load(2), 0).wait(OTHER, LOADS, 0).one(OTHER, store(3), 0);
        run.wait(OTHER, STORES, 0).one(OTHER, store(4), 64);
        run.races()
    };
    assert_eq!(hold(atomic(1).polls()), [[0; 2]; 0]);
    assert!(hold(atomic(1)).contains(&[4, 1]), "an atomic that does not wait races with a store");
}

#[test]
fn the_first_load_of_a_repeated_compare_and_swap_races_with_stores_alone() {
    let expects = Instr { polling: Polling::Expects, ..load(2) };
    let mut run = Run::new(1, 2);
    run.one(A, atomic(1), 0).one(B, expects, 0).one(A, atomic(1), 0);
    assert_eq!(run.races(), [[0; 2]; 0]);
    let mut run = Run::new(1, 2);
    run.one(A, store(1), 0).one(B, expects, 0);
    assert_eq!(run.races(), [[2, 1]]);
}

#[test]
fn lds_releases_all_that_was_issued_before() {
    let mut run = Run::new(1, 2);
    run.one(A, lds(1, Write), 0).one(A, lds(2, Write), 8).one(B, lds(3, Read).polls(), 8).wait(B, LDS, 0);
    run.one(B, lds(4, Read), 0);
    assert_eq!(run.races(), [[0; 2]; 0]);
    // Not what was issued to memory.
    let mut run = Run::new(1, 2);
    run.one(A, store(1), 0).one(A, lds(2, Write), 8).one(B, lds(3, Read).polls(), 8).wait(B, LDS, 0);
    run.one(B, load(4), 0);
    assert_eq!(run.races(), [[4, 1]]);
    // Nor LDS by a flag in memory.
    let mut run = Run::new(1, 2);
    run.one(A, lds(1, Write), 0).one(A, store(2), 8).one(B, load(3).polls(), 8).wait(B, LOADS, 0);
    run.one(B, lds(4, Read), 0);
    assert_eq!(run.races(), [[4, 1]]);
}

#[test]
fn stores_of_the_same_bytes_are_a_note() {
    let mut run = Run::new(1, 2);
    run.one(A, lds(1, Write), 0).one(B, Instr { is_same: true, ..lds(1, Write) }, 0);
    let findings = run.findings();
    assert_eq!(findings.iter().map(|finding| finding.severity).collect::<Vec<_>>(), [Severity::Note]);
    // The read that follows has to be ordered all the same.
    let mut run = Run::new(1, 3);
    run.one(A, lds(1, Write), 0).one(B, Instr { is_same: true, ..lds(1, Write) }, 0).one(C, lds(2, Read), 0);
    assert_eq!(run.races(), [[2, 1]]);
}

#[test]
fn lanes_that_store_to_one_address_are_a_note() {
    let mut run = Run::new(1, 1);
    run.instruction(A, 1, Facts::default(), Polling::None, true);
    for lane in [0, 3, 7] {
        let access =
            SharedAccess { space: MemorySpace::Lds, at: 4, bytes: 4, lane, lanes: 1, kind: Write, is_same: false };
        run.checker.order_access(access);
    }
    run.checker.report_races();
    let findings = run.findings();
    assert_eq!((findings.len(), findings[0].severity, findings[0].count), (1, Severity::Note, 2));
    assert_eq!(findings[0].place.lanes, 1 << 3 | 1 << 7);
}

#[test]
fn findings_name_both_sides() {
    let mut run = Run::new(2, 2);
    run.access((0, 1), store(1), 8, 8, 3).wait((0, 1), STORES, 0).end();
    run.access((1, 1), load(2), 16, 4, 6);
    let findings = run.findings();
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    assert_eq!((finding.place.group, finding.place.wave, finding.place.lanes, finding.count), (1, 1, 0b1111, 4));
    let other = finding.other.map(|other| (other.place.group, other.place.wave, other.place.lanes, other.access));
    assert_eq!(other, Some((0, 1, 0b111, Some(Write))));
    assert_eq!(finding.memory.map(|memory| (memory.at, memory.bytes)), Some((AT + 16, 4)));
}

#[test]
fn the_order_in_which_waves_execute_does_not_matter() {
    // All orders of two waves that each store, pass different barriers, and load.
    for first in [A, B] {
        let second = if first == A { B } else { A };
        let mut run = Run::new(1, 2);
        for wave in [first, second] {
            run.one(wave, lds(1 + wave.1 as u64, Write), 4 * wave.1 as u64);
        }
        for wave in [second, first] {
            run.one(wave, lds(4, Read), 4 - 4 * wave.1 as u64);
        }
        let mut races: Vec<[u64; 2]> = run.races();
        races.iter_mut().for_each(|race| race.sort_unstable());
        races.sort_unstable();
        assert_eq!(races, [[1, 4], [2, 4]]);
    }
}

#[test]
fn records_that_nothing_refers_to_are_removed() {
    let mut run = Run::new(1, 2);
    for n in 0..400_000_u64 {
        run.one(A, store(1), 4 * (n % 512)).one(B, load(2), 0x900);
    }
    run.wait(A, STORES, 0);
    run.one(B, load(3), 4).barrier(0).one(B, load(4), 8);
    assert_eq!(run.races(), [[3, 1]]);
}

#[test]
fn the_help_names_the_wait_for_the_access_that_comes_first_in_the_code() {
    let mut run = Run::new(1, 2);
    run.one(B, load(2), 0).one(A, store(1), 0);
    let findings = run.findings();
    assert!(findings[0].help.contains("insert `wait 1 0` and `s_barrier`"), "{}", findings[0].help);
}

/// The levels that are named after a store of one wave, a flag, and a load of another that has invalidated some caches.
fn stale(reader: (u64, usize), is_one_unit: bool, levels: &[CacheLevel]) -> Vec<&'static str> {
    let mut run = Run::with(2, 2, is_one_unit);
    run.one(A, store(1), 0).wait(A, STORES, 0).one(A, store(2), 64);
    run.one(reader, load(3).polls(), 64).wait(reader, LOADS, 0);
    for level in levels {
        run.invalidate(reader, *level);
    }
    run.one(reader, load(4).polls(), 0).one(reader, load(6), 0).one(reader, atomic(5), 0);
    let findings = run.findings();
    assert!(
        findings.iter().all(|finding| finding.place.pc == 6),
        "loads of the device's value and atomics are never stale"
    );
    let name = |help: &str| if help.contains("`shared` and `unit`") { "both" } else { "unit" };
    assert!(findings.iter().all(|finding| finding.severity == Severity::Note));
    findings.iter().map(|finding| name(&finding.help)).collect()
}

#[test]
fn a_load_after_a_flag_needs_caches_without_old_values() {
    use CacheLevel::{ComputeUnit, Shared};
    let other_reader = |levels| stale(OTHER, false, levels);
    assert_eq!(other_reader(&[]), ["both"]);
    assert_eq!(other_reader(&[Shared]), ["unit"]);
    assert_eq!(other_reader(&[ComputeUnit]), ["both"]);
    assert!(other_reader(&[Shared, ComputeUnit]).is_empty());
    assert_eq!(other_reader(&[ComputeUnit, Shared]), ["unit"], "the one fills the other");
    assert_eq!(stale(OTHER, true, &[]), ["both"]);
    // In the own work-group.
    assert_eq!(stale(B, false, &[]), ["unit"]);
    assert!(stale(B, false, &[ComputeUnit]).is_empty());
    assert!(stale(B, true, &[]).is_empty(), "waves of a compute unit share its cache");
    // A wave reads what it has written.
    assert!(stale(A, false, &[]).is_empty());
}

#[test]
fn an_invalidation_before_the_value_has_arrived_is_too_early() {
    let mut run = Run::new(2, 1);
    run.one(A, store(1), 0).wait(A, STORES, 0).one(A, store(2), 64).one(OTHER, load(3).polls(), 64);
    run.invalidate(OTHER, CacheLevel::Shared).invalidate(OTHER, CacheLevel::ComputeUnit).wait(OTHER, LOADS, 0);
    run.one(OTHER, load(4), 0);
    assert_eq!(run.races_of(Severity::Note), [[4, 1]]);
}

#[test]
fn one_wave_invalidates_caches_for_those_that_wait_for_it() {
    let pass = |acquires: bool, orders: &dyn Fn(&mut Run)| {
        let mut run = Run::new(2, 2);
        let reader = (1, 0);
        run.one(A, store(1), 0).wait(A, STORES, 0).one(A, store(2), 64).one(reader, load(3).polls(), 64);
        if acquires {
            run.acquire(reader);
        } else {
            run.wait(reader, LOADS, 0);
        }
        orders(&mut run);
        run.one((1, 1), load(4), 0);
        run.races_of(Severity::Note)
    };
    let by_barrier: &dyn Fn(&mut Run) = &|run| {
        run.barrier(1);
    };
    assert_eq!(pass(true, by_barrier), [[0; 2]; 0]);
    assert_eq!(pass(false, by_barrier), [[4, 1]]);
    // By a flag in the work-group: the waves share the second cache alone.
    let by_flag: &dyn Fn(&mut Run) = &|run| {
        run.one((1, 0), store(5), 128).one((1, 1), load(6).polls(), 128).wait((1, 1), LOADS, 0);
        run.invalidate((1, 1), CacheLevel::ComputeUnit);
    };
    assert_eq!(pass(true, by_flag), [[0; 2]; 0]);
    assert_eq!(pass(false, by_flag), [[4, 1]]);
}
