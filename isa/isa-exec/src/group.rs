//! Work-groups: waves that share a local data share and barriers.

mod repeat;
mod turn;
mod wait;

use alloc::vec::Vec;

use crate::access::Spaces;
use crate::fault::Fault;
use crate::group::repeat::{Repeats, Verdict};
use crate::group::turn::{Leave, Turn};
use crate::guard::Guard;
use crate::memory::Memory;
use crate::observe::Observer;
use crate::program::Program;
use crate::wave::{SplitBarrier, Status, Wave};

/// Waves that share a local data share.
#[derive(Clone, Debug, Default)]
pub struct WorkGroup {
    /// The waves.
    pub waves: Vec<Wave>,
    /// The local data share.
    pub lds: Vec<u8>,
}

/// How the waves of a work-group take turns, and how much they execute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Schedule {
    /// After how many instructions another wave goes on; at least 1. Turns of [`DEFAULT_TURN`](Self::DEFAULT_TURN) instructions
    /// or more end at the next branch that is taken. Those of a work-group that was found to wait are shorter.
    pub turn: u64,
    /// The most instructions that the waves execute together.
    pub limit: u64,
    /// Draws a random order of the waves in each round, and random turns of up to `turn` instructions, from a generator with this seed.
    /// `None`: the waves go on in the order of their numbers.
    pub seed: Option<u64>,
}

impl Schedule {
    /// The instructions of a turn, unless a caller sets another number.
    pub const DEFAULT_TURN: u64 = 4096;
}

impl Default for Schedule {
    fn default() -> Self {
        Self { turn: Self::DEFAULT_TURN, limit: u64::MAX, seed: None }
    }
}

/// The instructions of a wave before its stores look for the first time whether they change memory.
const COMPARES_AFTER: u64 = 1 << 20;

/// The instructions of a wave during which they look.
const COMPARES_FOR: u64 = 1 << 18;

/// The state of a work-group's execution besides that of its waves: with it, a work-group continues where it was suspended.
#[derive(Clone, Debug)]
pub struct Execution {
    schedule: Schedule,
    executed: u64,
    changes: u64,
    repeats: Repeats,
    /// The state of the generator of [`Schedule::seed`].
    random: u64,
}

impl Execution {
    /// The execution of a work-group before its first instruction.
    #[must_use]
    pub fn new(schedule: Schedule) -> Self {
        let schedule = Schedule { turn: schedule.turn.max(1), ..schedule };
        // The generator stays at 0 once it is there.
        let random = schedule.seed.unwrap_or(0) ^ 0x9E37_79B9_7F4A_7C15;
        Self { schedule, executed: 0, changes: 0, repeats: Repeats::default(), random: random.max(1) }
    }

    /// Sets the seed apart from that of other work-groups, so that each has another order.
    #[must_use]
    pub fn with_index(mut self, index: u64) -> Self {
        self.random = (self.random ^ index.wrapping_mul(0xD134_2543_DE82_EF95)).max(1);
        self
    }

    /// Returns a random number below `bound`, which is not 0 (xorshift).
    const fn random_below(&mut self, bound: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % bound
    }

    /// How many instructions the waves have executed.
    #[must_use]
    pub const fn executed(&self) -> u64 {
        self.executed
    }

    /// How often the waves have changed memory or read a clock. While it stays the same, they depend on their own state and on
    /// what others do to memory.
    #[must_use]
    pub const fn changes(&self) -> u64 {
        self.changes
    }

    /// Tells the execution the version of memory: a number that differs once another work-group, or the host, may have
    /// changed memory. What waves have seen before then says nothing about what they do next.
    pub fn see(&mut self, version: u64) {
        self.repeats.see(version);
    }

    /// Tells the execution that memory has a new version because of what this work-group itself has stored.
    pub const fn adopt(&mut self, version: u64) {
        self.repeats.adopt(version);
    }
}

/// Why a work-group does not go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// All waves have ended.
    Ended,
    /// It has executed as many instructions as it was allowed to.
    Exhausted,
    /// All its waves sleep or wait at a barrier.
    Asleep,
    /// It looks as if its waves wait for another work-group: a few registers change, and memory does not.
    Spinning,
    /// Its state is the same as before, and it has not changed memory since: it never ends unless another work-group or the host
    /// changes memory.
    Repeating,
}

impl WorkGroup {
    /// Executes the waves until all have ended: at S_ENDPGM, or where the program counter is past the code.
    ///
    /// # Errors
    /// An instruction cannot be executed, or more than `limit` would be.
    pub fn run(&mut self, program: &Program<'_>, memory: &dyn Memory, limit: u64) -> Result<(), Fault> {
        self.run_observed(program, memory, limit, &mut ())
    }

    /// Executes the waves like [`run`](Self::run), and calls an observer around each instruction.
    ///
    /// # Errors
    /// As [`run`](Self::run), or the observer ends the run.
    pub fn run_observed<O: Observer>(
        &mut self,
        program: &Program<'_>,
        memory: &dyn Memory,
        limit: u64,
        observer: &mut O,
    ) -> Result<(), Fault> {
        let mut execution = Execution::new(Schedule { limit, ..Schedule::default() });
        loop {
            match self.resume(&mut execution, u64::MAX, program, memory, observer)? {
                Pause::Ended => return Ok(()),
                // Other threads may change memory.
                Pause::Exhausted | Pause::Asleep | Pause::Spinning | Pause::Repeating => {}
            }
        }
    }

    /// Executes the waves until all have ended or there is a reason to let other work-groups go on, at most about `instructions`
    /// instructions.
    ///
    /// # Errors
    /// An instruction cannot be executed, there would be more instructions than the schedule allows, or the observer ends the
    /// run.
    pub fn resume<O: Observer>(
        &mut self,
        execution: &mut Execution,
        instructions: u64,
        program: &Program<'_>,
        memory: &dyn Memory,
        observer: &mut O,
    ) -> Result<Pause, Fault> {
        self.resume_checked(execution, instructions, program, memory, observer, None)
    }

    /// Executes the waves like [`resume`](Self::resume), and tells a checker what they do. The checker has been told that the
    /// work-group goes on, and the program [is checked](Program::checked).
    ///
    /// # Errors
    /// As [`resume`](Self::resume).
    pub fn resume_checked<O: Observer>(
        &mut self,
        execution: &mut Execution,
        instructions: u64,
        program: &Program<'_>,
        memory: &dyn Memory,
        observer: &mut O,
        mut checker: Option<&mut (dyn Guard + 'static)>,
    ) -> Result<Pause, Fault> {
        let end = execution.executed.saturating_add(instructions);
        if checker.is_some() && execution.executed == 0 {
            execution.repeats.check();
        }
        // A loop that stores the same again and again changes nothing. Stores take longer that look, so they do for a while only.
        let waves = self.waves.len() as u64;
        let begin = execution.executed + if execution.executed == 0 { COMPARES_AFTER * waves } else { 0 };
        let comparing = begin..begin.saturating_add(COMPARES_FOR * waves);
        loop {
            let before = execution.executed;
            let compares = comparing.contains(&before);
            let is_awake = self.round(execution, compares, program, memory, observer, checker.as_deref_mut())?;
            let executed = execution.executed - before;
            let running = self.running();
            if running == 0 {
                if let Some(checker) = &mut checker {
                    checker.release(&self.waves);
                }
                if !self.release() {
                    return self.unsignaled(program).map_or(Ok(Pause::Ended), Err);
                }
            } else {
                let repeats = &mut execution.repeats;
                match repeats.after_round(self, execution.changes, executed / running as u64, is_awake) {
                    Some(Verdict::Same) => return Ok(Pause::Repeating),
                    Some(Verdict::Similar) => return Ok(Pause::Spinning),
                    None if !is_awake => return Ok(Pause::Asleep),
                    None => {}
                }
            }
            if execution.executed >= end {
                return Ok(Pause::Exhausted);
            }
        }
    }

    /// Gives each wave that runs a turn, whose stores look whether they change memory if `compares` is set. Returns whether a
    /// wave still runs and does not sleep.
    fn round<O: Observer>(
        &mut self,
        execution: &mut Execution,
        compares: bool,
        program: &Program<'_>,
        memory: &dyn Memory,
        observer: &mut O,
        mut checker: Option<&mut (dyn Guard + 'static)>,
    ) -> Result<bool, Fault> {
        let Schedule { turn: most, limit, seed } = execution.schedule;
        let is_exact = most < Schedule::DEFAULT_TURN || seed.is_some();
        let turn = execution.repeats.turn(most);
        let order = if seed.is_some() { self.random_order(execution) } else { Vec::new() };
        let mut is_awake = false;
        let mut signals = self.waves.iter().filter(|wave| wave.barrier.is_signaled).count() as u32;
        for at in 0..self.waves.len() {
            let number = order.get(at).copied().unwrap_or(at);
            let members = self.waves.iter().filter(|wave| wave.status != Status::Ended).count() as u32;
            let Some(wave) = self.waves.get_mut(number) else { continue };
            (wave.barrier.signals, wave.barrier.members) = (signals, members);
            let turn = if seed.is_some() { 1 + execution.random_below(turn) } else { turn };
            memory.begin_turn(number);
            if let Some(checker) = &mut checker {
                checker.turn(number);
            }
            let mut spaces =
                Spaces { memory, lds: &mut self.lds, changes: 0, compares, checker: checker.as_deref_mut() };
            let left = limit.saturating_sub(execution.executed);
            let mut of_wave = Turn { program, number, left, limit, base: 0, is_exact, observer };
            let leave = of_wave.take(wave, &mut spaces, turn);
            execution.executed += left - of_wave.left;
            execution.changes += spaces.changes;
            is_awake |= leave? == Leave::Over && wave.status == Status::Running;
            signals = wave.barrier.signals;
            if signals > 0 && self.complete(checker.as_deref_mut()) {
                (signals, is_awake) = (0, true);
            }
        }
        Ok(is_awake)
    }

    /// Completes a barrier that all waves that have not ended have signaled: those that wait for it go on, and others will not wait.
    /// Returns whether it is complete.
    fn complete(&mut self, checker: Option<&mut (dyn Guard + 'static)>) -> bool {
        let mut members = self.waves.iter().filter(|wave| wave.status != Status::Ended);
        if !members.all(|wave| wave.barrier.is_signaled) {
            return false;
        }
        if let Some(checker) = checker {
            checker.release(&self.waves);
        }
        for wave in self.waves.iter_mut().filter(|wave| wave.status != Status::Ended) {
            if wave.barrier.is_awaited {
                wave.status = Status::Running;
            }
            wave.barrier = SplitBarrier { is_complete: !wave.barrier.is_awaited, ..SplitBarrier::default() };
        }
        true
    }

    /// The numbers of the waves in a random order.
    fn random_order(&self, execution: &mut Execution) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.waves.len()).collect();
        for at in (1..order.len()).rev() {
            order.swap(at, execution.random_below(at as u64 + 1) as usize);
        }
        order
    }

    /// Executes one instruction of the first wave, if it runs.
    ///
    /// # Errors
    /// The instruction cannot be executed.
    pub fn step(&mut self, program: &Program<'_>, memory: &dyn Memory) -> Result<(), Fault> {
        let mut spaces = Spaces { memory, lds: &mut self.lds, changes: 0, compares: false, checker: None };
        let Some(wave) = self.waves.first_mut() else { return Ok(()) };
        let limit = u64::MAX;
        let mut turn = Turn { program, number: 0, left: limit, limit, base: 0, is_exact: true, observer: &mut () };
        turn.take(wave, &mut spaces, 1).map(|_| ())
    }

    /// How many waves neither wait at a barrier nor have ended.
    fn running(&self) -> usize {
        self.waves.iter().filter(|wave| wave.status == Status::Running).count()
    }

    /// Lets waves at a barrier continue, since all that have not ended are there, unless they wait for signals. Returns whether there
    /// are any.
    fn release(&mut self) -> bool {
        let mut any = false;
        let is_released = |wave: &&mut Wave| wave.status == Status::AtBarrier && !wave.barrier.is_awaited;
        for wave in self.waves.iter_mut().filter(is_released) {
            wave.status = Status::Running;
            any = true;
        }
        any
    }
}
