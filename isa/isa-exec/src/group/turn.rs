//! The turn of a wave.

use alloc::string::{String, ToString};

use crate::access::Spaces;
use crate::fault::{Fault, FaultKind};
use crate::observe::{Observer, Site};
use crate::program::{Chunk, Program};
use crate::run::{Exit, Flow};
use crate::wave::{Status, Wave};

/// Why a wave leaves its turn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leave {
    /// The turn is over, or the wave does not run any more.
    Over,
    /// The wave sleeps.
    Asleep,
}

impl From<Exit> for Leave {
    fn from(exit: Exit) -> Self {
        if matches!(exit, Exit::Asleep) { Leave::Asleep } else { Leave::Over }
    }
}

/// The turn of a wave.
pub(super) struct Turn<'a, O> {
    pub program: &'a Program<'a>,
    /// The number of the wave in its work-group.
    pub number: usize,
    /// How many instructions may be executed.
    pub left: u64,
    /// How many instructions the waves may execute in all.
    pub limit: u64,
    /// How many instructions the wave has executed, plus `left`.
    pub base: u64,
    /// Whether the turn ends after the exact number of instructions, and not at the next branch.
    pub is_exact: bool,
    pub observer: &'a mut O,
}

impl<'a, O: Observer> Turn<'a, O> {
    /// Executes `turn` instructions, or fewer if the wave sleeps or does not run any more.
    pub fn take(&mut self, wave: &mut Wave, spaces: &mut Spaces<'_>, turn: u64) -> Result<Leave, Fault> {
        let start = self.left;
        let end = self.left.saturating_sub(turn);
        self.base = wave.executed.wrapping_add(start);
        let is_exact = O::ACTIVE || self.is_exact;
        let mut leave = Ok(Leave::Over);
        while wave.status == Status::Running && self.left > end && matches!(leave, Ok(Leave::Over)) {
            leave = if is_exact { self.step(wave, spaces) } else { self.run(wave, spaces, end) };
        }
        wave.executed = wave.executed.wrapping_add(start - self.left);
        match leave {
            Ok(Leave::Over) if self.left == 0 && wave.status == Status::Running => {
                Err(self.fault(wave.pc, None, FaultKind::TooManyInstructions(self.limit)))
            }
            leave => leave,
        }
    }

    /// Executes straight-line code from the program counter on, and follows branches until `end` instructions are left.
    fn run(&mut self, wave: &mut Wave, spaces: &mut Spaces<'_>, end: u64) -> Result<Leave, Fault> {
        let Some((mut chunk, mut at)) = self.find(wave)? else { return Ok(Leave::Over) };
        loop {
            // No branch goes back in straight-line code: it has at most as many instructions as the chunk.
            if self.left < chunk.len() as u64 {
                return self.step(wave, spaces);
            }
            let mut flow = Flow::new(chunk, at, self.left, end, self.base);
            wave.clock_base = flow.clock_base();
            let (left, exit) = wave.execute(chunk.steps_from(chunk.entry(at)), Some(&mut flow), spaces);
            if matches!(exit, Ok(Exit::Branch(Some(_)))) {
                self.left = flow.left;
                wave.pc = chunk.get(flow.at).map_or(0, |instruction| instruction.address);
                return Ok(Leave::Over);
            }
            let last = flow.leave(left);
            self.left = flow.left;
            match exit {
                Ok(Exit::Branch(_)) => return Ok(Leave::Over),
                Ok(exit) => {
                    wave.pc = chunk.get(last).map_or(0, |instruction| instruction.next);
                    // A turn does not end between two chunks: threads may have divided the code in another way.
                    if matches!(exit, Exit::Through)
                        && self.left > 0
                        && let Some(found) = self.find(wave)?
                    {
                        (chunk, at) = found;
                        continue;
                    }
                    return Ok(exit.into());
                }
                Err((lane, kind)) => return Err(self.failed(wave, chunk, last, lane, kind)),
            }
        }
    }

    /// Executes the instruction at the program counter.
    pub fn step(&mut self, wave: &mut Wave, spaces: &mut Spaces<'_>) -> Result<Leave, Fault> {
        let Some((chunk, at)) = self.find(wave)? else { return Ok(Leave::Over) };
        let Some(instruction) = chunk.get(at) else { return Ok(Leave::Over) };
        let (pc, next) = (instruction.address, instruction.next);
        let site = Site { index: chunk.before() + at, pc, next, name: instruction.name, wave: self.number };
        if O::ACTIVE && self.observer.before(&site, wave).is_break() {
            return Err(self.failed(wave, chunk, at, None, FaultKind::Stopped));
        }
        self.set_clock(wave, at);
        self.left = self.left.saturating_sub(1);
        wave.pc = next;
        let leave = match wave.execute(chunk.code_of(at), None, spaces).1 {
            Ok(Exit::Branch(Some(target))) => {
                wave.pc = chunk.get(target as usize).map_or(0, |instruction| instruction.address);
                Leave::Over
            }
            Ok(exit) => exit.into(),
            Err((lane, kind)) => return Err(self.failed(wave, chunk, at, lane, kind)),
        };
        if O::ACTIVE {
            self.observer.after(&site, wave);
        }
        Ok(leave)
    }

    /// Lets the wave's clock count the instructions before that of an index.
    fn set_clock(&self, wave: &mut Wave, index: usize) {
        wave.clock_base = self.base.wrapping_sub(self.left).wrapping_sub(index as u64);
    }

    /// The instruction at the program counter: its chunk and its index there; `None`: the wave ends past the code.
    fn find(&self, wave: &mut Wave) -> Result<Option<(&'a Chunk, usize)>, Fault> {
        if wave.pc == self.program.end() {
            wave.status = Status::Ended;
            return Ok(None);
        }
        let program = self.program;
        let Some((chunk, at)) = program.find(wave.pc) else {
            return Err(self.fault(wave.pc, None, FaultKind::NoInstruction));
        };
        if wave.rows().iter().zip(chunk.rows()).any(|(has, needs)| *has < needs) {
            wave.add_constants(program);
        }
        Ok(Some((chunk, at)))
    }

    /// The fault of an instruction, where the program counter stays.
    fn failed(&self, wave: &mut Wave, chunk: &Chunk, at: usize, lane: Option<usize>, kind: FaultKind) -> Fault {
        let Some(instruction) = chunk.get(at) else { return self.fault(wave.pc, lane, kind) };
        wave.pc = instruction.address;
        let kind = instruction.error.clone().unwrap_or(kind);
        Fault { instruction: instruction.name.to_string(), ..self.fault(instruction.address, lane, kind) }
    }

    fn fault(&self, pc: u64, lane: Option<usize>, kind: FaultKind) -> Fault {
        Fault { pc, instruction: String::new(), wave: self.number, lane, kind }
    }
}
