//! Work-groups: waves that share a local data share and barriers.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::access::Spaces;
use crate::fault::{Fault, FaultKind};
use crate::memory::Memory;
use crate::observe::{Observer, Site};
use crate::program::{Instruction, Program};
use crate::run::Exit;
use crate::wave::{Status, Wave};

/// How many instructions a wave executes before another has its turn, so that one that waits for a store of another proceeds.
const TURN: u64 = 4096;

/// Waves that share a local data share.
#[derive(Clone, Debug, Default)]
pub struct WorkGroup {
    /// The waves.
    pub waves: Vec<Wave>,
    /// The local data share.
    pub lds: Vec<u8>,
}

impl WorkGroup {
    /// Executes the waves until all have ended: at S_ENDPGM, or where the program counter is past the code.
    ///
    /// # Errors
    /// An instruction cannot be executed, or more than `limit` would be.
    pub fn run<M: Memory + ?Sized>(&mut self, program: &Program, memory: &M, limit: u64) -> Result<(), Fault> {
        self.run_observed(program, memory, limit, &mut ())
    }

    /// Executes the waves like [`run`](Self::run), and calls an observer around each instruction.
    ///
    /// # Errors
    /// An instruction cannot be executed, more than `limit` would be, or the observer ends the run.
    pub fn run_observed<M: Memory + ?Sized, O: Observer>(
        &mut self,
        program: &Program,
        memory: &M,
        limit: u64,
        observer: &mut O,
    ) -> Result<(), Fault> {
        let mut left = limit;
        loop {
            let mut running = false;
            for (number, wave) in self.waves.iter_mut().enumerate() {
                let mut spaces = Spaces { memory, lds: &mut self.lds };
                let mut turn = Turn { program, number, left, limit, observer };
                turn.take(wave, &mut spaces)?;
                left = turn.left;
                running |= wave.status == Status::Running;
            }
            if !running && !self.release() {
                return Ok(());
            }
        }
    }

    /// Executes one instruction of the first wave.
    ///
    /// # Errors
    /// The instruction cannot be executed.
    pub fn step<M: Memory + ?Sized>(&mut self, program: &Program, memory: &M) -> Result<(), Fault> {
        let mut spaces = Spaces { memory, lds: &mut self.lds };
        match self.waves.first_mut() {
            Some(wave) => Turn { program, number: 0, left: 1, limit: 1, observer: &mut () }.step(wave, &mut spaces),
            None => Ok(()),
        }
    }

    /// Lets waves at a barrier continue, since all that have not ended are there. Returns whether there are any.
    fn release(&mut self) -> bool {
        let mut any = false;
        for wave in self.waves.iter_mut().filter(|wave| wave.status == Status::AtBarrier) {
            wave.status = Status::Running;
            any = true;
        }
        any
    }
}

/// The turn of a wave.
struct Turn<'a, O> {
    program: &'a Program,
    /// The number of the wave in its work-group.
    number: usize,
    /// How many instructions may be executed.
    left: u64,
    /// How many instructions the waves may execute in all.
    limit: u64,
    observer: &'a mut O,
}

impl<O: Observer> Turn<'_, O> {
    /// Executes instructions until the turn is over or the wave does not run any more.
    fn take<M: Memory + ?Sized>(&mut self, wave: &mut Wave, spaces: &mut Spaces<'_, M>) -> Result<(), Fault> {
        let end = self.left.saturating_sub(TURN);
        while wave.status == Status::Running && self.left > end {
            // No branch goes back in straight-line code: it has at most as many instructions as the program.
            if !O::ACTIVE && self.left >= self.program.len() as u64 {
                self.run(wave, spaces, end)?;
            } else {
                self.step(wave, spaces)?;
            }
        }
        match self.left {
            0 if wave.status == Status::Running => {
                Err(self.fault(wave.pc, None, FaultKind::TooManyInstructions(self.limit)))
            }
            _ => Ok(()),
        }
    }

    /// Executes straight-line code from the program counter on, and follows branches until `end` instructions are left.
    fn run<M: Memory + ?Sized>(&mut self, wave: &mut Wave, spaces: &mut Spaces<'_, M>, end: u64) -> Result<(), Fault> {
        let Some(mut at) = self.index(wave)? else { return Ok(()) };
        let straight = self.program.len() as u64;
        loop {
            let (left, exit) = wave.execute(self.program.code_from(at), spaces);
            if matches!(exit, Ok(Exit::Through)) {
                self.left -= (self.program.len() - at) as u64;
                wave.pc = self.program.end();
                return Ok(());
            }
            let last = self.program.owner(left);
            self.left = self.left.saturating_sub((last + 1).saturating_sub(at) as u64);
            match exit {
                Ok(Exit::Branch(Some(target))) => {
                    at = target as usize;
                    if self.left > end && self.left >= straight {
                        continue;
                    }
                    wave.pc = self.program.get(at).map_or(0, |instruction| instruction.address);
                }
                Ok(Exit::Branch(None)) => {}
                Ok(_) => wave.pc = self.program.get(last).map_or(0, |instruction| instruction.next),
                Err((lane, kind)) => return Err(self.failed(wave, last, lane, kind)),
            }
            return Ok(());
        }
    }

    /// Executes the instruction at the program counter.
    fn step<M: Memory + ?Sized>(&mut self, wave: &mut Wave, spaces: &mut Spaces<'_, M>) -> Result<(), Fault> {
        let Some(index) = self.index(wave)? else { return Ok(()) };
        let Some(Instruction { address: pc, next, name, .. }) = self.program.get(index) else { return Ok(()) };
        let site = Site { index, pc: *pc, next: *next, name, wave: self.number };
        if O::ACTIVE && self.observer.before(&site, wave).is_break() {
            return Err(self.failed(wave, index, None, FaultKind::Stopped));
        }
        self.left = self.left.saturating_sub(1);
        wave.pc = *next;
        match wave.execute(self.program.code_of(index), spaces).1 {
            Ok(Exit::Branch(Some(target))) => {
                wave.pc = self.program.get(target as usize).map_or(0, |instruction| instruction.address);
            }
            Ok(_) => {}
            Err((lane, kind)) => return Err(self.failed(wave, index, lane, kind)),
        }
        if O::ACTIVE {
            self.observer.after(&site, wave);
        }
        Ok(())
    }

    /// The index of the instruction at the program counter; `None`: the wave ends past the code.
    fn index(&self, wave: &mut Wave) -> Result<Option<usize>, Fault> {
        if wave.pc == self.program.end() {
            wave.status = Status::Ended;
            return Ok(None);
        }
        match self.program.find(wave.pc) {
            Some((index, _)) => Ok(Some(index)),
            None => Err(self.fault(wave.pc, None, FaultKind::NoInstruction)),
        }
    }

    /// The fault of an instruction, where the program counter stays.
    fn failed(&self, wave: &mut Wave, index: usize, lane: Option<usize>, kind: FaultKind) -> Fault {
        let Some(instruction) = self.program.get(index) else { return self.fault(wave.pc, lane, kind) };
        wave.pc = instruction.address;
        let kind = instruction.error.clone().unwrap_or(kind);
        Fault { instruction: instruction.name.to_string(), ..self.fault(instruction.address, lane, kind) }
    }

    fn fault(&self, pc: u64, lane: Option<usize>, kind: FaultKind) -> Fault {
        Fault { pc, instruction: String::new(), wave: self.number, lane, kind }
    }
}
