//! Runs lines of assembly on a wave.

use isa_exec::fault::Fault;
use isa_exec::group::WorkGroup;
use isa_exec::memory::Regions;
use isa_exec::program::Program;
use isa_exec::wave::Wave;
use rdna3::Instr;
use rdna3::exec::Rdna3Machine;
use rdna4::exec::Rdna4Machine;

/// The most instructions that a test executes.
pub const LIMIT: u64 = 100_000;

/// The bytes of lines of assembly.
pub fn assembled(lines: &[&str], wave: rdna3::Wave) -> Vec<u8> {
    let words = lines.iter().flat_map(|line| {
        let instr = Instr::parse(line, wave).unwrap_or_else(|error| panic!("`{line}`: {error}"));
        instr.encode().to_vec()
    });
    words.flat_map(u32::to_le_bytes).collect()
}

/// Lines of assembly as a program at address 0x1000.
pub fn program(lines: &[&str], wave: rdna3::Wave) -> Program<'static> {
    Program::new::<Rdna3Machine>(assembled(lines, wave), 0x1000, wave, 256)
}

/// A line of RDNA4's assembly as a program at address 0x1000.
pub fn rdna4_program(line: &str) -> Program<'static> {
    let instr = rdna4::Instr::parse(line, rdna4::Wave::W32).unwrap_or_else(|error| panic!("`{line}`: {error}"));
    let bytes: Vec<u8> = instr.encode().iter().flat_map(|word| word.to_le_bytes()).collect();
    Program::new::<Rdna4Machine>(bytes, 0x1000, rdna4::Wave::W32, 256)
}

/// A wave with all lanes active at the beginning of a program.
pub fn wave(program: &Program<'_>) -> Wave {
    let mut wave = Wave::new(program, 256);
    wave.pc = 0x1000;
    wave.set_mask(126, u64::MAX);
    wave
}

/// Runs a program on one wave that `prepare` fills.
pub fn run(program: &Program<'_>, memory: &Regions, prepare: impl FnOnce(&mut Wave)) -> Result<Wave, Fault> {
    let mut wave = wave(program);
    prepare(&mut wave);
    let mut group = WorkGroup { waves: vec![wave], lds: vec![0; 4096] };
    group.run(program, memory, LIMIT)?;
    Ok(group.waves.remove(0))
}

/// Runs lines on one wave of 32 lanes without memory.
pub fn run_lines(lines: &[&str], prepare: impl FnOnce(&mut Wave)) -> Wave {
    let program = program(lines, rdna3::Wave::W32);
    run(&program, &Regions::new(), prepare).unwrap_or_else(|fault| panic!("{lines:?}: {fault}"))
}

/// Random numbers (xorshift64*), the same ones each time.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A dword: any, small, or one of the corners of integers and floats.
    pub fn dword(&mut self) -> u32 {
        const CORNERS: [u32; 12] = [
            0,
            1,
            u32::MAX,
            0x7FFF_FFFF,
            0x8000_0000,
            0x3F80_0000,
            0x7F80_0000,
            0xFF80_0000,
            0x7FC0_0000,
            0x7F80_0001,
            0x0000_7C00,
            0x3C00_BC00,
        ];
        let random = self.next();
        match random % 4 {
            0 => CORNERS[(random >> 8) as usize % CORNERS.len()],
            1 => (random >> 32) as u32 & 0xFFF,
            _ => (random >> 32) as u32,
        }
    }

    /// Fills registers, VCC, M0 and SCC; EXEC is full, empty or random.
    pub fn fill(&mut self, wave: &mut Wave) {
        for register in 0..108 {
            let value = self.dword();
            wave.set_sgpr(register, value);
        }
        let m0 = self.dword();
        wave.set_sgpr(125, m0);
        let exec = match self.next() % 4 {
            0 => u64::MAX,
            1 => 0,
            _ => self.next(),
        };
        wave.set_mask(126, exec);
        wave.set_scc(self.next() & 1 != 0);
        for register in 0..256 {
            for lane in 0..wave.lanes() {
                let value = self.dword();
                wave.set_vgpr(register, lane, value);
            }
        }
    }
}
