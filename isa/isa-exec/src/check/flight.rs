//! Loads in flight: registers that may not be used yet.
//!
//! A wave has a list of the work that may not be done, with the registers that it writes and its share of the counters. An
//! instruction that waits proves work done; work that is issued later in the same queue raises what a wait has to leave.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::check::Checker;
use crate::check::facts::{COUNTERS, Facts, Issue, Registers};
use crate::check::finding::{AccessKind, Finding, Kind, Other, Place};
use crate::layout::Counters;
use crate::step::{Checked, Relative, Step};
use crate::wave::Wave;

/// What is in flight in a wave.
#[derive(Debug, Default)]
pub(super) struct Flight {
    works: Vec<Work>,
    /// The registers of all work.
    registers: Registers,
    /// How much work was proved that a wait that is left out would have proved before.
    proved: u64,
}

/// Work that may not be done.
#[derive(Clone, Copy, Debug)]
struct Work {
    pc: u64,
    access: Option<AccessKind>,
    /// The lanes in which it writes vector registers.
    lanes: u64,
    registers: Registers,
    shares: Shares,
    /// Whether a wait that is left out would have proved it.
    is_omitted: bool,
}

/// The shares of work in the counters that tell whether it is done: two for an access that goes to memory or to LDS.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shares([Option<Outstanding>; 2]);

/// The share of work in a counter.
#[derive(Clone, Copy, Debug)]
struct Outstanding {
    issue: Issue,
    /// The least value of the counter while the work is not done: its own share and that of later work in the same queue.
    least: u8,
}

/// A use of registers in flight.
struct Early {
    work: Work,
    /// The registers that are used.
    registers: Registers,
    /// The lanes in which they are in flight and used.
    lanes: u64,
}

impl Shares {
    /// The shares of the work of an instruction when it is issued.
    pub fn new(facts: &Facts) -> Self {
        let mut issues = facts.issues.iter().map(|issue| Outstanding { issue: *issue, least: issue.least });
        Shares([issues.next(), issues.next()])
    }

    /// Whether the work may not be done.
    pub fn is_pending(&self) -> bool {
        self.0.iter().any(Option::is_some)
    }

    /// How many counters tell about it.
    fn count(&self) -> usize {
        self.0.iter().flatten().count()
    }

    /// Follows a wait.
    #[inline]
    pub fn wait(&mut self, waits: &[Option<u8>; COUNTERS]) {
        for slot in &mut self.0 {
            let is_done = |outstanding: &Outstanding| {
                let most = waits.get(usize::from(outstanding.issue.counter)).copied().flatten();
                most.is_some_and(|most| most < outstanding.least)
            };
            if slot.as_ref().is_some_and(is_done) {
                *slot = None;
            }
        }
    }

    /// Follows later work, one of [`in_order`]. Returns whether the work is done for the counter, which cannot hold both.
    #[inline]
    pub fn issue(&mut self, issue: Issue, max: u8) -> bool {
        let mut is_full = false;
        for slot in &mut self.0 {
            if let Some(outstanding) = slot
                && outstanding.issue.queue == issue.queue
                && outstanding.issue.counter == issue.counter
            {
                outstanding.least = outstanding.least.saturating_add(issue.least);
                if outstanding.least > max {
                    *slot = None;
                    is_full = true;
                }
            }
        }
        is_full
    }
}

/// The work of an instruction that ends in the order of its queue, and the most work that its counter holds.
pub(super) fn in_order(facts: &Facts, counters: &Counters) -> impl Iterator<Item = (Issue, u8)> {
    let max = counters.max;
    let most = move |issue: &Issue| max.get(usize::from(issue.counter)).copied().unwrap_or(u8::MAX);
    facts.issues.iter().filter(|issue| issue.queue.is_some()).map(move |issue| (*issue, most(issue)))
}

impl Work {
    /// Whether the work of an instruction writes its registers after this work, without a wait.
    fn finishes_before(&self, facts: &Facts) -> bool {
        let [issue] = &*facts.issues else { return false };
        self.shares.0.iter().flatten().all(|Outstanding { issue: ours, .. }| {
            ours.queue.is_some() && (ours.counter, ours.queue, ours.kind) == (issue.counter, issue.queue, issue.kind)
        })
    }

    /// The instructions that wait for it.
    fn wait(&self, counters: &Counters) -> String {
        let mut text = String::new();
        for Outstanding { issue, least } in self.shares.0.iter().flatten() {
            let next = (counters.wait)(issue.counter, least.saturating_sub(1));
            text = if text.is_empty() { format!("`{next}`") } else { format!("{text} and `{next}`") };
        }
        text
    }
}

impl Flight {
    /// Removes the work that a wait proves to be done.
    fn wait(&mut self, waits: &[Option<u8>; COUNTERS]) {
        if waits.iter().all(Option::is_none) {
            return;
        }
        self.works.iter_mut().for_each(|work| work.shares.wait(waits));
        self.retain();
    }

    /// Marks the work that a wait would prove that is left out. Returns whether there is some.
    pub fn omit(&mut self, waits: &[Option<u8>; COUNTERS]) -> bool {
        let mut any = false;
        for work in &mut self.works {
            let mut shares = work.shares;
            shares.wait(waits);
            // Of two counters, each needs its wait.
            let proves = shares.count() < work.shares.count();
            any |= proves;
            work.is_omitted |= proves;
        }
        any
    }

    /// How much work is marked.
    pub fn count_omitted(&self) -> u64 {
        self.works.iter().filter(|work| work.is_omitted).count() as u64
    }

    /// How much marked work was proved since the last call.
    pub fn take_proved(&mut self) -> u64 {
        core::mem::take(&mut self.proved)
    }

    fn retain(&mut self) {
        let proved = self.works.iter().filter(|work| work.is_omitted && !work.shares.is_pending()).count();
        self.proved += proved as u64;
        let is_pending = |work: &Work| work.shares.is_pending() && !work.registers.is_empty();
        // Work of one queue ends in the order of the list: the rest of the list moves at once.
        let done = self.works.iter().take_while(|work| !is_pending(work)).count();
        self.works.drain(..done);
        if !self.works.iter().all(is_pending) {
            self.works.retain(is_pending);
        }
        self.registers = Registers::default();
        self.works.iter().for_each(|work| self.registers.add(&work.registers));
    }

    /// Adds the work of an instruction. The earlier work that a full counter cannot hold beside it is done.
    fn issue(&mut self, facts: &Facts, work: Work, counters: &Counters) {
        let mut is_full = false;
        for (issue, max) in in_order(facts, counters) {
            for work in &mut self.works {
                is_full |= work.shares.issue(issue, max);
            }
        }
        if is_full {
            self.retain();
        }
        if !work.registers.is_empty() {
            self.registers.add(&work.registers);
            self.works.push(work);
        }
    }

    /// The uses of registers in flight. They are reported once: what was used counts as done.
    fn early(&mut self, facts: &Facts, reads: Registers, writes: Registers, lanes: u64) -> Vec<Early> {
        let mut all = Vec::new();
        let mut rest = Vec::new();
        for work in &mut self.works {
            let writes = if work.finishes_before(facts) { Registers::default() } else { writes };
            let used = work.registers.and(reads.or(writes));
            let lanes_used = work.lanes & lanes;
            let registers = if lanes_used == 0 { used.scalars() } else { used };
            if registers.is_empty() {
                continue;
            }
            all.push(Early { work: *work, registers, lanes: lanes_used });
            work.registers = work.registers.without(registers);
            if work.lanes != lanes_used && registers.has_vectors() {
                rest.push(Work { registers: registers.vectors(), lanes: work.lanes & !lanes, ..*work });
            }
        }
        self.works.append(&mut rest);
        self.retain();
        all
    }
}

impl Flight {
    /// Whether code that uses only some registers has nothing to do with what is in flight.
    #[inline]
    pub fn is_apart(&self, registers: &Registers) -> bool {
        self.works.is_empty() || !self.registers.overlaps(registers)
    }
}

impl Checker {
    /// Checks the registers of an instruction against what is in flight, and follows what the instruction waits for and issues.
    #[inline]
    pub(super) fn check_waits(&mut self, checked: &Checked, wave: &Wave) {
        let is_omitted = self.is_omitted();
        let Some(state) = self.current.waves.get_mut(self.wave) else { return };
        let (facts, flight) = (&checked.facts, &mut state.flight);
        if !flight.works.is_empty() {
            if !is_omitted {
                flight.wait(&facts.waits);
            }
            if flight.registers.overlaps(&facts.reads) || flight.registers.overlaps(&facts.writes) {
                self.check_flight(checked, [facts.reads, facts.writes], wave);
            }
        }
        if !facts.issues.is_empty() {
            self.issue(checked, wave);
        }
    }

    fn issue(&mut self, checked: &Checked, wave: &Wave) {
        let Some(state) = self.current.waves.get_mut(self.wave) else { return };
        let facts = &checked.facts;
        let lanes = wave.exec();
        let registers = if lanes == 0 { facts.writes.scalars() } else { facts.writes };
        let access = checked.steps.iter().find_map(|step| match step {
            Step::Load(_) => Some(AccessKind::Read),
            Step::Update(_) => Some(AccessKind::Atomic),
            _ => None,
        });
        let work =
            Work { pc: checked.address, access, lanes, registers, shares: Shares::new(facts), is_omitted: false };
        state.flight.issue(facts, work, &wave.layout.counters);
    }

    /// Checks registers whose numbers are computed.
    pub(super) fn fly_relative(&mut self, checked: &Checked, relative: &Relative, writes: bool, wave: &Wave) {
        let base = if writes { relative.commit.dst } else { relative.commit.src };
        let first = base.saturating_add(wave.distance(relative));
        let mut registers = Registers::default();
        for register in first..first.saturating_add(relative.commit.count) {
            match relative.vector {
                true => registers.add_vector(register, [true; 2]),
                false => registers.add_scalar(register),
            }
        }
        let (reads, writes) =
            if writes { (Registers::default(), registers) } else { (registers, Registers::default()) };
        self.check_flight(checked, [reads, writes], wave);
    }

    /// Reports the registers in flight among those that an instruction reads or writes.
    fn check_flight(&mut self, checked: &Checked, [reads, writes]: [Registers; 2], wave: &Wave) {
        let Some(state) = self.current.waves.get_mut(self.wave) else { return };
        let lanes = lanes_of(checked, wave);
        for Early { work, registers, lanes } in state.flight.early(&checked.facts, reads, writes, lanes) {
            let counters = &wave.layout.counters;
            let help = format!("insert {} before the instruction ({})", work.wait(counters), counters.authority);
            let lanes = if registers.has_vectors() { lanes } else { wave.exec() };
            let place = self.place(lanes);
            let count = if registers.has_vectors() { lanes.count_ones().into() } else { 1 };
            let of_load = Place { pc: work.pc, lanes: work.lanes, ..place };
            self.report(Finding {
                count,
                registers: registers.list(),
                other: Some(Other { place: of_load, access: work.access }),
                ..Finding::new(Kind::MissingWait, place, help.into())
            });
        }
    }
}

/// The lanes whose vector registers an instruction may use.
fn lanes_of(checked: &Checked, wave: &Wave) -> u64 {
    let all = u64::MAX;
    let is_first = || checked.steps.iter().any(|step| matches!(step, Step::FirstLane { .. }));
    for step in &checked.steps {
        match step {
            Step::Cross(_) | Step::Matrix(_) => return all,
            Step::ReadLane { lane, .. } | Step::WriteLane { lane, .. } => {
                // The number of the lane may be computed by an earlier step.
                return if *lane < wave.layout.scalar_temporaries() {
                    1u64.checked_shl(wave.sgpr(*lane) % wave.lanes().max(1) as u32).unwrap_or(all)
                } else if is_first() {
                    1u64.checked_shl(wave.first_lane() as u32).unwrap_or(all)
                } else {
                    all
                };
            }
            _ => {}
        }
    }
    wave.exec()
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::check::finding::Register;

    const VM: u8 = 0;
    const LGKM: u8 = 2;
    const COUNTERS_OF_TEST: Counters = Counters { max: [63; COUNTERS], ..Counters::NONE };
    /// A load of a queue in order.
    const LOAD: Issue = Issue { counter: VM, by: 1, least: 1, queue: Some(0), kind: 0 };
    /// The other counter of a flat access.
    const LDS: Issue = Issue { counter: LGKM, queue: Some(1), kind: 1, ..LOAD };
    /// A scalar load of two dwords or more.
    const SCALAR: Issue = Issue { counter: LGKM, by: 2, least: 1, queue: None, kind: 2 };

    fn vectors(registers: &[u16]) -> Registers {
        let mut all = Registers::default();
        registers.iter().for_each(|register| all.add_vector(*register, [true; 2]));
        all
    }

    fn half(register: u16, high: bool) -> Registers {
        let mut all = Registers::default();
        all.add_vector(register, [!high, high]);
        all
    }

    fn scalar(register: u16) -> Registers {
        let mut all = Registers::default();
        all.add_scalar(register);
        all
    }

    fn issues(flight: &mut Flight, issues: &[Issue], registers: Registers, lanes: u64) {
        let facts = Facts { issues: issues.to_vec(), writes: registers, ..Facts::default() };
        let work = Work { pc: 0, access: None, lanes, registers, shares: Shares::new(&facts), is_omitted: false };
        flight.issue(&facts, work, &COUNTERS_OF_TEST);
    }

    fn waits(flight: &mut Flight, counter: u8, most: u8) {
        let mut waits = [None; COUNTERS];
        waits[usize::from(counter)] = Some(most);
        flight.wait(&waits);
    }

    fn reads(flight: &mut Flight, registers: Registers, lanes: u64) -> Vec<Register> {
        let early = flight.early(&Facts::default(), registers, Registers::default(), lanes);
        early.iter().flat_map(|early| early.registers.list()).collect()
    }

    #[test]
    fn a_queue_in_order_needs_only_as_much_waiting_as_follows() {
        let mut flight = Flight::default();
        issues(&mut flight, &[LOAD], vectors(&[1]), 1);
        issues(&mut flight, &[LOAD], vectors(&[2]), 1);
        waits(&mut flight, VM, 1);
        assert_eq!(reads(&mut flight, vectors(&[1, 2]), 1), [Register::Vector(2)]);
        assert!(reads(&mut flight, vectors(&[1, 2]), 1).is_empty(), "a use is reported once");
    }

    #[test]
    fn scalar_loads_need_a_wait_for_zero() {
        let mut flight = Flight::default();
        issues(&mut flight, &[SCALAR], scalar(4), 1);
        issues(&mut flight, &[SCALAR], scalar(5), 1);
        waits(&mut flight, LGKM, 1);
        assert_eq!(reads(&mut flight, scalar(4), 0), [Register::Scalar(4)], "whether or not lanes are active");
        waits(&mut flight, LGKM, 0);
        assert!(reads(&mut flight, scalar(5), 1).is_empty());
    }

    #[test]
    fn a_flat_access_needs_both_counters() {
        for (counter, other) in [(VM, LGKM), (LGKM, VM)] {
            let mut flight = Flight::default();
            issues(&mut flight, &[LOAD, LDS], vectors(&[1]), 1);
            waits(&mut flight, counter, 0);
            assert!(!flight.works.is_empty());
            waits(&mut flight, other, 0);
            assert!(reads(&mut flight, vectors(&[1]), 1).is_empty());
        }
    }

    #[test]
    fn lanes_that_were_inactive_are_not_in_flight() {
        let mut flight = Flight::default();
        issues(&mut flight, &[LOAD], vectors(&[1]), 0xF0);
        assert!(reads(&mut flight, vectors(&[1]), 0x0F).is_empty());
        assert_eq!(reads(&mut flight, vectors(&[1]), 0x1F), [Register::Vector(1)]);
        assert_eq!(reads(&mut flight, vectors(&[1]), 0x3F), [Register::Vector(1)], "other lanes remain in flight");
    }

    #[test]
    fn halves_are_apart() {
        let mut flight = Flight::default();
        issues(&mut flight, &[LOAD], half(1, true), 1);
        assert!(reads(&mut flight, half(1, false), 1).is_empty());
        assert_eq!(reads(&mut flight, vectors(&[1]), 1), [Register::Vector(1)]);
    }

    #[test]
    fn later_work_of_the_same_kind_may_write_the_register_again() {
        let writes = |issues_now: &[Issue]| {
            let mut flight = Flight::default();
            issues(&mut flight, &[LOAD], vectors(&[1]), 1);
            let facts = Facts { issues: issues_now.to_vec(), ..Facts::default() };
            flight.early(&facts, Registers::default(), vectors(&[1]), 1).len()
        };
        assert_eq!(writes(&[LOAD]), 0);
        assert_eq!(writes(&[Issue { kind: 3, ..LOAD }]), 1, "another kind ends in another order");
        assert_eq!(writes(&[LDS]), 1);
        assert_eq!(writes(&[]), 1);
    }

    #[test]
    fn work_that_a_full_counter_cannot_hold_is_done() {
        let mut flight = Flight::default();
        for register in 0..64 {
            issues(&mut flight, &[LOAD], vectors(&[register]), 1);
        }
        assert!(reads(&mut flight, vectors(&[0]), 1).is_empty());
        assert_eq!(reads(&mut flight, vectors(&[1]), 1), [Register::Vector(1)]);
        for _ in 0..10_000 {
            issues(&mut flight, &[LOAD], vectors(&[7]), 1);
        }
        assert!(flight.works.len() <= 64);
    }

    #[test]
    fn the_wait_leaves_what_follows() {
        let wait: fn(u8, u8) -> String = |counter, most| format!("{counter}({most})");
        let shares = Shares([Some(Outstanding { issue: LOAD, least: 3 }), Some(Outstanding { issue: LDS, least: 1 })]);
        let work = Work { pc: 0, access: None, lanes: 1, registers: vectors(&[1]), shares, is_omitted: false };
        assert_eq!(work.wait(&Counters { wait, ..COUNTERS_OF_TEST }), "`0(2)` and `2(0)`");
        assert_eq!(vec![Register::Vector(1)], work.registers.list());
    }
}
