//! Programs that are checked: their instructions, executed in single steps, compute what those of other programs do, and the checker is
//! told about every instruction and every access to memory.

use std::cell::RefCell;
use std::rc::Rc;

use isa_exec::group::{Execution, Schedule, WorkGroup};
use isa_exec::guard::{Guard, RowAccess};
use isa_exec::memory::{Memory, Regions, Unmapped};
use isa_exec::num::Mode;
use isa_exec::program::Program;
use isa_exec::step::{Block, Checked, Step};
use isa_exec::wave::{Status, Wave};
use isa_tests::property;
use rdna3::exec::Rdna3Machine;
use rdna3::isa::body::Space;

use crate::machine::Random;
use crate::random::words;

/// What a checker was told last, and what it was not told.
#[derive(Default)]
struct Told {
    instructions: usize,
    accesses: usize,
    /// The kind of the last access, its address and its bytes.
    last: Option<(char, u64, usize)>,
    /// All accesses.
    all: Vec<(char, u64, usize)>,
    /// Reads that nothing was told about: those of a comparison before a store.
    others: Vec<u64>,
    missed: Vec<String>,
}

/// A checker that lets nothing pass, so that all instructions are executed in single steps and lane by lane; or one that lets all
/// instructions and accesses pass.
struct Listener {
    told: Rc<RefCell<Told>>,
    passes: bool,
    rows: Vec<RowAccess>,
}

impl Listener {
    fn told(&self, kind: char, space: Space, address: u64, bytes: usize) -> bool {
        let mut told = self.told.borrow_mut();
        told.accesses += 1;
        told.all.push((kind, address, bytes));
        if kind == 'w' {
            told.others.retain(|other| *other != address);
        }
        if !matches!(space, Space::Lds | Space::Gds | Space::Scratch) {
            told.last = Some((kind, address, bytes));
        }
        true
    }
}

impl Guard for Listener {
    fn turn(&mut self, _: usize) {}

    fn release(&mut self, _: &[Wave]) {}

    fn passes_block(&mut self, _: &Block, _: &Wave) -> bool {
        false
    }

    fn passes(&mut self, _: &Checked, _: &mut Wave) -> bool {
        self.told.borrow_mut().instructions += 1;
        self.passes
    }

    fn compares(&self) -> bool {
        true
    }

    fn rows(&mut self) -> &mut Vec<RowAccess> {
        &mut self.rows
    }

    fn passes_rows(&self, _: &RowAccess) -> bool {
        true
    }

    fn follow_rows(&mut self, _: &Checked, accesses: &[RowAccess], _: &Wave) {
        let mut told = self.told.borrow_mut();
        for access in accesses {
            let kind = if access.is_store() { 'w' } else { 'r' };
            told.all.extend(access.lanes().map(|(_, address)| (kind, address, access.bytes())));
        }
    }

    fn before(&mut self, _: &Checked, _: &Step, _: &mut Wave) {}

    fn end(&mut self, _: &Checked, _: &mut Wave) {}

    fn after(&mut self, _: &Checked, _: &Step, _: &Wave) {}

    fn reads(&mut self, space: Space, address: u64, _: usize, bytes: usize) -> bool {
        self.told('r', space, address, bytes)
    }

    fn writes(&mut self, space: Space, address: u64, _: usize, bytes: usize, _: bool) -> bool {
        self.told('w', space, address, bytes)
    }

    fn updates(&mut self, space: Space, address: u64, _: usize, bytes: usize) -> bool {
        self.told('u', space, address, bytes)
    }
}

/// Memory that knows which accesses the checker was told about.
struct Overheard<'a> {
    memory: &'a Regions,
    told: Rc<RefCell<Told>>,
}

impl Overheard<'_> {
    fn hear(&self, kind: char, address: u64, bytes: usize) {
        let mut told = self.told.borrow_mut();
        if told.last.take() != Some((kind, address, bytes)) {
            match kind {
                'r' => told.others.push(address),
                _ => told.missed.push(format!("{kind} of {bytes} bytes at {address:#x}")),
            }
        }
    }
}

impl Memory for Overheard<'_> {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        self.hear('r', address, bytes.len());
        self.memory.read(address, bytes)
    }

    fn read_line(&self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        self.hear('r', address, bytes.len());
        self.memory.read_line(address, bytes)
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Unmapped> {
        self.hear('w', address, bytes.len());
        self.memory.write(address, bytes)
    }

    fn update(&self, address: u64, bytes: usize, f: &mut dyn FnMut(u64) -> u64) -> Result<u64, Unmapped> {
        self.hear('u', address, bytes);
        self.memory.update(address, bytes, f)
    }
}

const BYTES: u64 = 0x1_0000;

fn memory() -> Regions {
    let mut memory = Regions::new();
    memory.map(0, BYTES).expect("a region");
    memory
}

fn contents(memory: &Regions) -> Vec<u8> {
    let mut bytes = vec![0; BYTES as usize];
    memory.read(0, &mut bytes).expect("the region");
    bytes
}

/// The registers of a wave.
fn state(wave: &Wave) -> (Vec<u32>, Vec<u32>, u64) {
    let scalars = (0..128).map(|register| wave.sgpr(register)).chain([wave.scc().into(), wave.mode().0]);
    let vectors = (0..256).flat_map(|register| (0..wave.lanes()).map(move |lane| (register, lane)));
    (scalars.collect(), vectors.map(|(register, lane)| wave.vgpr(register, lane)).collect(), wave.pc)
}

#[test]
fn checked_instructions_compute_the_same_and_tell_all_accesses() {
    let mut random = Random(0x0123_4567_89AB_CDEF);
    let (mut executed, mut accesses, mut together) = (0, 0, 0);
    for _ in 0..property::count(5) {
        let mode = if random.next() & 1 == 0 { rdna3::Wave::W32 } else { rdna3::Wave::W64 };
        let code: Vec<u8> = (0..32).flat_map(|_| words(&mut random)).flat_map(u32::to_le_bytes).collect();
        let plain = Program::new::<Rdna3Machine>(&code, 0x1000, mode, 256);
        let checked = Program::checked::<Rdna3Machine>(&code, 0x1000, mode, 256);
        let (memory, other_memory, memory_of_passing) = (memory(), memory(), memory());
        for dword in 0..code.len() as u64 / 4 {
            let float_mode = Mode(random.dword());
            let mut start = Wave::new(&plain, 256);
            random.fill(&mut start);
            // Some accesses reach the memory.
            for register in (0..256).step_by(3) {
                for lane in 0..start.lanes() {
                    start.set_vgpr(register, lane, random.dword() & 0x7FFC);
                    start.set_vgpr(register + 1, lane, 0);
                }
            }
            for register in (0..100).step_by(4) {
                start.set_sgpr(register, random.dword() & 0x3FFC);
                start.set_sgpr(register + 1, 0);
            }
            let group = |program: &Program<'_>| {
                let mut wave = Wave::new(program, 256);
                for register in 0..128 {
                    wave.set_sgpr(register, start.sgpr(register));
                }
                wave.set_scc(start.scc());
                for register in 0..256 {
                    for lane in 0..start.lanes() {
                        wave.set_vgpr(register, lane, start.vgpr(register, lane));
                    }
                }
                wave.set_mode(float_mode);
                (wave.pc, wave.status) = (0x1000 + 4 * dword, Status::Running);
                WorkGroup { waves: vec![wave], lds: vec![7; 0x8000] }
            };
            let (mut expected, mut found) = (group(&plain), group(&checked));
            let outcome = expected.step(&plain, &memory);
            let told = Rc::new(RefCell::new(Told::default()));
            let overheard = Overheard { memory: &other_memory, told: told.clone() };
            let listen = |group: &mut WorkGroup, told: &Rc<RefCell<Told>>, memory: &dyn Memory, passes: bool| {
                let mut execution = Execution::new(Schedule { turn: 1, ..Schedule::default() });
                let mut listener = Listener { told: told.clone(), passes, rows: Vec::new() };
                group.resume_checked(&mut execution, 1, &checked, memory, &mut (), Some(&mut listener))
            };
            let checked_outcome = listen(&mut found, &told, &overheard, false);
            let place = format!("{:x?} in {mode:?}", code.get(4 * dword as usize..4 * dword as usize + 12));
            assert_eq!(outcome.is_ok(), checked_outcome.is_ok(), "{place}: {outcome:?}, {checked_outcome:?}");
            let (mut passing, told_of_passing) = (group(&checked), Rc::new(RefCell::new(Told::default())));
            let passing_outcome = listen(&mut passing, &told_of_passing, &memory_of_passing, true);
            assert_eq!(outcome.is_ok(), passing_outcome.is_ok(), "{place}: {outcome:?}, {passing_outcome:?}");
            let told = told.borrow();
            if outcome.is_err() {
                continue;
            }
            executed += 1;
            accesses += told.accesses;
            assert_eq!(told.instructions, 1, "{place}");
            assert!(told.missed.is_empty() && told.others.is_empty(), "{place}: {:?} {:x?}", told.missed, told.others);
            let states = [&expected, &found].map(|group| group.waves.first().map(state));
            assert!(states[0] == states[1], "{place}: registers differ");
            assert!(expected.lds == found.lds, "{place}: LDS differs");
            let states = [&expected, &passing].map(|group| group.waves.first().map(state));
            assert!(
                states[0] == states[1] && expected.lds == passing.lds,
                "{place}: accesses of lanes together differ"
            );
            let all = |told: &Told| {
                let mut all = told.all.clone();
                all.sort_unstable();
                all
            };
            together += told_of_passing.borrow().all.len() - told_of_passing.borrow().accesses;
            assert_eq!(all(&told_of_passing.borrow()), all(&told), "{place}");
        }
        assert!(contents(&memory) == contents(&other_memory), "memory differs");
        assert!(contents(&memory) == contents(&memory_of_passing), "memory differs");
    }
    println!("{executed} instructions, {accesses} accesses of lanes, {together} together");
    assert!(executed > 125 && accesses > 125 && together > 125);
}
