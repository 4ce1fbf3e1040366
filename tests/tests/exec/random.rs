//! Random instructions on random state: execution always ends with a result or with an error.
//!
//! `ISA_EXEC_INSTRUCTIONS` sets how many (default 20,000), `ISA_EXEC_SEED` the first random number.

use isa_exec::memory::Regions;
use isa_exec::program::Program;
use isa_exec::wave::Wave;
use rdna3::Rdna3;
use rdna3::exec::Rdna3Machine;
use rdna3::isa::Isa;
use rdna3::isa::tables::{FixedBits, MAX_DWORDS};

use crate::machine::{self, Random};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The words of a random row, with random bits in all fields.
pub fn words(random: &mut Random) -> [u32; MAX_DWORDS] {
    let formats = Rdna3::tables().formats;
    let format = &formats[random.next() as usize % formats.len()];
    let mut words = [0; MAX_DWORDS].map(|_: u32| random.next() as u32);
    // Half of the time few bits, so that more words are instructions.
    if random.next() & 1 != 0 {
        words = words.map(|word| word & random.next() as u32 & random.next() as u32);
    }
    for component in format.components {
        if let Some(slot) = component.slots.get(random.next() as usize % component.slots.len().max(1)) {
            component.opcode.set(&mut words, slot.number.into());
        }
    }
    let FixedBits { mask, value } = &format.fixed;
    core::array::from_fn(|at| words[at] & !mask[at] | value[at])
}

#[test]
fn random_instructions_never_panic() {
    let mut random = Random(setting("ISA_EXEC_SEED", 0x1234_5678_9ABC_DEF1));
    let count = setting("ISA_EXEC_INSTRUCTIONS", 20_000);
    let mut memory = Regions::new();
    memory.map(0, 0x1_0000).expect("a region");
    let mut executed = 0;
    let mut done = 0;
    while done < count {
        let mode = if random.next() & 1 == 0 { rdna3::Wave::W32 } else { rdna3::Wave::W64 };
        let code: Vec<u8> = (0..64).flat_map(|_| words(&mut random)).flat_map(u32::to_le_bytes).collect();
        let program = Program::new::<Rdna3Machine>(&code, 0x1000, mode, 256);
        let mut wave = Wave::new(&program, 256);
        random.fill(&mut wave);
        let mut group = isa_exec::group::WorkGroup { waves: vec![wave], lds: vec![0; 1024] };
        // Each instruction by itself, since most of them end with an error or branch away.
        for dword in 0..code.len() as u64 / 4 {
            done += 1;
            let mode = random.dword();
            let Some(wave) = group.waves.first_mut() else { break };
            wave.pc = 0x1000 + 4 * dword;
            wave.status = isa_exec::wave::Status::Running;
            wave.set_mode(isa_exec::num::Mode(mode));
            executed += u64::from(group.step(&program, &memory).is_ok());
        }
    }
    // A test that executes next to nothing would prove nothing.
    assert!(executed > count / 10, "{executed} of {count} were executed");
    let _ = machine::LIMIT;
}
