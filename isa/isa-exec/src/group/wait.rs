//! Waits that never end: their description, and whether waves are in one.

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;

use isa_runtime::body::Space;

use crate::access::Spaces;
use crate::check::Waiting;
use crate::fault::{Fault, FaultKind, Polled};
use crate::group::WorkGroup;
use crate::group::turn::Turn;
use crate::memory::{Memory, Unmapped};
use crate::program::Program;
use crate::step::Step;
use crate::wave::{Status, Wave};

/// The most instructions of a loop that are looked at.
const LONGEST: u64 = 1 << 16;

/// Whether an instruction reads LDS.
fn reads_lds(program: &Program<'_>, pc: u64) -> bool {
    let of_lds = |step: &Step| match step {
        Step::Load(access) => access.space == Space::Lds,
        Step::Update(update) => update.access.space == Space::Lds,
        _ => false,
    };
    program.find(pc).is_some_and(|(chunk, at)| chunk.code_of(at).iter().any(of_lds))
}

/// Memory that remembers the last address that was read.
struct Tap<'a> {
    memory: &'a dyn Memory,
    read: Cell<Option<u64>>,
}

impl Memory for Tap<'_> {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        self.read.set(Some(address));
        self.memory.read(address, bytes)
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Unmapped> {
        self.memory.write(address, bytes)
    }

    fn update(&self, address: u64, bytes: usize, f: &mut dyn FnMut(u64) -> u64) -> Result<u64, Unmapped> {
        self.read.set(Some(address));
        self.memory.update(address, bytes, f)
    }
}

/// Memory that does not change, and remembers whether it should have, and the last address that was read.
struct Frozen<'a> {
    memory: &'a dyn Memory,
    read: Cell<Option<u64>>,
    is_changed: Cell<bool>,
}

impl Memory for Frozen<'_> {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        self.read.set(Some(address));
        self.memory.read(address, bytes)
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Unmapped> {
        let mut old = vec![0; bytes.len()];
        self.memory.read(address, &mut old)?;
        if old != bytes {
            self.is_changed.set(true);
        }
        Ok(())
    }

    fn update(&self, address: u64, bytes: usize, f: &mut dyn FnMut(u64) -> u64) -> Result<u64, Unmapped> {
        self.read.set(Some(address));
        let mut old = [0; 8];
        self.memory.read(address, old.get_mut(..bytes).unwrap_or_default())?;
        let old = u64::from_le_bytes(old);
        let mask = if bytes >= 8 { u64::MAX } else { (1 << (8 * bytes)) - 1 };
        if f(old) & mask != old {
            self.is_changed.set(true);
        }
        Ok(old)
    }
}

impl WorkGroup {
    /// Returns where the waves that run wait, if all of them loop without a change of registers or memory: they go on only if somebody
    /// else changes memory. `None`: a wave goes on, or none runs.
    ///
    /// It executes the loops on copies of the waves, and does not change memory.
    #[must_use]
    pub fn waiting(&self, program: &Program<'_>, memory: &dyn Memory) -> Option<Vec<Waiting>> {
        let running = self.waves.iter().enumerate().filter(|(_, wave)| wave.status == Status::Running);
        let waiting: Option<Vec<Waiting>> =
            running.map(|(number, wave)| self.wave_waits(number, wave, program, memory)).collect();
        waiting.filter(|waiting| !waiting.is_empty())
    }

    fn wave_waits(&self, number: usize, wave: &Wave, program: &Program<'_>, memory: &dyn Memory) -> Option<Waiting> {
        let memory = Frozen { memory, read: Cell::new(None), is_changed: Cell::new(false) };
        let (mut wave, mut lds) = (wave.clone(), self.lds.clone());
        let mut copy = (wave.clone(), lds.clone());
        let mut turn =
            Turn { program, number, left: LONGEST, limit: LONGEST, base: 0, is_exact: true, observer: &mut () };
        let mut polled = (wave.pc, Polled::Nothing, wave.exec());
        let mut until_copy = 1;
        // The copy is made after 1, 2, 4 … instructions, as in Brent's algorithm.
        for executed in 1..LONGEST {
            let (pc, lanes) = (wave.pc, wave.exec());
            let reads_lds = reads_lds(program, pc);
            let mut spaces = Spaces { memory: &memory, lds: &mut lds, changes: 0, compares: true, checker: None };
            if turn.step(&mut wave, &mut spaces).is_err() || wave.status != Status::Running || memory.is_changed.get() {
                return None;
            }
            match memory.read.take() {
                Some(address) => polled = (pc, Polled::Memory(address), lanes),
                None if reads_lds => polled = (pc, Polled::Lds, lanes),
                None => {}
            }
            if wave.differences(&copy.0, 1) == 0 && lds == copy.1 {
                let (pc, polled, lanes) = polled;
                return Some(Waiting { wave: number, pc, polled, lanes });
            }
            if executed == until_copy {
                until_copy *= 2;
                copy = (wave.clone(), lds.clone());
            }
        }
        None
    }

    /// Returns the error of a work-group whose waves wait for signals that do not come, or have ended; `None` if all have ended. Only waves
    /// of the work-group can signal.
    pub(super) fn unsignaled(&self, program: &Program<'_>) -> Option<Fault> {
        let (number, wave) = self.waves.iter().enumerate().find(|(_, wave)| wave.status == Status::AtBarrier)?;
        // The wave is past the instruction, which has four bytes.
        let pc = wave.pc.wrapping_sub(4);
        let found = program.find(pc).and_then(|(chunk, at)| chunk.get(at));
        let instruction = found.map_or("", |instruction| instruction.name).to_string();
        Some(Fault { pc, instruction, wave: number, lane: None, kind: FaultKind::Unsignaled })
    }

    /// Returns the error of a work-group that [repeats](super::Pause::Repeating) its rounds for ever: it names the instruction
    /// that reads memory in the loop of the first wave that runs.
    ///
    /// It executes the loop once more on a copy of the wave. This does not change memory, since the rounds do not.
    #[must_use]
    pub fn endless(&self, program: &Program<'_>, memory: &dyn Memory) -> Fault {
        let running = self.waves.iter().enumerate().find(|(_, wave)| wave.status == Status::Running);
        let at_barrier = self.waves.iter().filter(|wave| wave.status == Status::AtBarrier).count();
        let Some((number, wave)) = running else {
            let kind = FaultKind::Endless { polled: Polled::Nothing, at_barrier };
            return Fault { pc: 0, instruction: "".into(), wave: 0, lane: None, kind };
        };
        let memory = Tap { memory, read: Cell::new(None) };
        let mut wave = wave.clone();
        let mut lds = self.lds.clone();
        let mut spaces = Spaces { memory: &memory, lds: &mut lds, changes: 0, compares: false, checker: None };
        let start = wave.pc;
        let mut turn =
            Turn { program, number, left: LONGEST, limit: LONGEST, base: 0, is_exact: true, observer: &mut () };
        let mut found = (start, Polled::Nothing);
        for _ in 0..LONGEST {
            let pc = wave.pc;
            let reads_lds = reads_lds(program, pc);
            if turn.step(&mut wave, &mut spaces).is_err() || wave.status != Status::Running {
                break;
            }
            match memory.read.take() {
                Some(address) => found = (pc, Polled::Memory(address)),
                None if reads_lds && found.1 == Polled::Nothing => found = (pc, Polled::Lds),
                None => {}
            }
            if wave.pc == start {
                break;
            }
        }
        let (pc, polled) = found;
        let found = program.find(pc).and_then(|(chunk, at)| chunk.get(at));
        let name = found.map_or("", |instruction| instruction.name);
        let kind = FaultKind::Endless { polled, at_barrier };
        Fault { pc, instruction: name.to_string(), wave: number, lane: None, kind }
    }
}
