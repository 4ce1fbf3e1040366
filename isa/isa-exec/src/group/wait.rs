//! The description of a wait that never ends.

use alloc::string::ToString;
use core::cell::Cell;

use isa_runtime::body::Space;

use crate::access::Spaces;
use crate::fault::{Fault, FaultKind, Polled};
use crate::group::WorkGroup;
use crate::group::turn::Turn;
use crate::memory::{Memory, Unmapped};
use crate::program::Program;
use crate::step::Step;
use crate::wave::Status;

/// The most instructions of a loop that are looked at.
const LONGEST: u64 = 1 << 16;

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

impl WorkGroup {
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
            let of_lds = |step: &Step| match step {
                Step::Load(access) => access.space == Space::Lds,
                Step::Update(update) => update.access.space == Space::Lds,
                _ => false,
            };
            let reads_lds = program.find(pc).is_some_and(|(chunk, at)| chunk.code_of(at).iter().any(of_lds));
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
