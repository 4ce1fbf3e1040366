//! Work-groups: waves that share a local data share and barriers.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::access::Spaces;
use crate::fault::{Fault, FaultKind};
use crate::memory::Memory;
use crate::observe::{Observer, Site};
use crate::program::{Instruction, Program};
use crate::wave::{Status, Wave};

/// How many instructions a wave executes before another has its turn, so that one that waits for a store of another proceeds.
const TURN: u32 = 4096;

/// Waves that share a local data share.
#[derive(Clone, Debug, Default)]
pub struct WorkGroup {
    /// The waves.
    pub waves: Vec<Wave>,
    /// The local data share.
    pub lds: Vec<u8>,
}

impl WorkGroup {
    /// Executes the waves until all have ended: at S_ENDPGM, or where the program counter is behind the code.
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
                for _ in 0..TURN {
                    if wave.status != Status::Running {
                        break;
                    }
                    if left == 0 {
                        return Err(fault(wave.pc, "", number, None, FaultKind::TooManyInstructions(limit)));
                    }
                    left -= 1;
                    wave.advance(program, number, &mut spaces, observer)?;
                }
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
            Some(wave) => wave.advance(program, 0, &mut spaces, &mut ()),
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

fn fault(pc: u64, instruction: &str, wave: usize, lane: Option<usize>, kind: FaultKind) -> Fault {
    let instruction: String = instruction.to_string();
    Fault { pc, instruction, wave, lane, kind }
}

impl Wave {
    /// Executes the instruction at the program counter, as wave `number` of its work-group.
    fn advance<M: Memory + ?Sized, O: Observer>(
        &mut self,
        program: &Program,
        number: usize,
        spaces: &mut Spaces<'_, M>,
        observer: &mut O,
    ) -> Result<(), Fault> {
        if self.pc == program.end() {
            self.status = Status::Ended;
            return Ok(());
        }
        let Some((index, instruction)) = program.find(self.pc) else {
            return Err(fault(self.pc, "", number, None, FaultKind::NoInstruction));
        };
        let failed = |lane, kind| fault(instruction.address, instruction.name, number, lane, kind);
        let Instruction { address: pc, next, name, .. } = *instruction;
        let site = Site { index, pc, next, name, wave: number };
        if O::ACTIVE && observer.before(&site, self).is_break() {
            return Err(failed(None, FaultKind::Stopped));
        }
        let lowered = instruction.steps.as_ref().map_err(|kind| failed(None, kind.clone()))?;
        self.execute(lowered, next, spaces).map_err(|(lane, kind)| failed(lane, kind))?;
        if O::ACTIVE {
            observer.after(&site, self);
        }
        Ok(())
    }
}
