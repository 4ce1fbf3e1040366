//! Times of instructions: a loop of copies of one instruction, without what the loop itself takes.

use std::time::Instant;

use anyhow::{Result, bail};
use isa_exec::group::WorkGroup;
use isa_exec::memory::Regions;
use isa_exec::program::Program;
use isa_exec::wave::Wave as State;
use rdna3::exec::{LAYOUT, Rdna3Machine};
use rdna3::{Instr, Unit, Wave};

use super::sample::Sample;
use super::state;

/// The address of the code.
const CODE: u64 = 0x1000;
/// The copies of the instruction in the loop.
pub const COPIES: u32 = 64;
/// The register that counts the iterations.
const COUNTER: u16 = 100;
/// The end of the loop, whose branch is last; and of the program.
const END: [&str; 4] = ["s_sub_i32 s100, s100, 1", "s_cmp_lg_i32 s100, 0", "s_cbranch_scc1 0", "s_endpgm"];
/// Activates all lanes again, after an instruction that writes EXEC.
const ALL_LANES: &str = "s_mov_b32 exec_lo, -1";
/// The seconds of a run of the loop.
const RUN: f64 = 0.000_25;

/// A loop, ready to be executed.
pub struct Loop {
    program: Program,
    wave: State,
    lds: Vec<u8>,
    /// The instructions of an iteration.
    length: u64,
    /// The iterations of a run.
    iterations: u32,
    /// The least time of an iteration so far, in seconds.
    best: f64,
}

impl Loop {
    /// Assembles the loop around copies of an instruction. `None` instead of it: the loop that is subtracted.
    pub fn new(sample: Option<&Sample>, writes_exec: bool) -> Result<Self> {
        let mut words = Vec::new();
        let restore = if writes_exec { parse(ALL_LANES)? } else { Vec::new() };
        let of_sample = sample.map(Sample::words).unwrap_or_default();
        for _ in 0..COPIES {
            words.extend(&of_sample);
            words.extend(&restore);
        }
        let copies = u64::from(COPIES) * (u64::from(sample.is_some()) + u64::from(writes_exec));
        for line in END {
            let at = words.len();
            words.extend(parse(line)?);
            if line.starts_with("s_cbranch")
                && let Some(word) = words.last_mut()
            {
                *word |= u32::from((at as u16 + 1).wrapping_neg());
            }
        }
        let code: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
        let program = Program::new::<Rdna3Machine>(&code, CODE, Wave::W32, 256);
        if let Some((_, _, fault)) = program.unsupported().next() {
            bail!("{fault:?}");
        }
        let mut wave = State::new(program.lowering(), state::SCRATCH);
        wave.pc = CODE;
        wave.set_mask(LAYOUT.exec, u64::MAX);
        if let Some(sample) = sample {
            state::fill(&mut wave, sample)?;
        }
        let length = copies + END.len() as u64 - 1;
        Ok(Loop { program, wave, lds: vec![0; state::LDS], length, iterations: 1, best: f64::INFINITY })
    }

    /// Executes iterations of the loop, and returns the seconds.
    pub fn run(&mut self, memory: &Regions, iterations: u32) -> Result<f64> {
        let mut wave = self.wave.clone();
        wave.set_sgpr(COUNTER, iterations);
        let mut group = WorkGroup { waves: vec![wave], lds: std::mem::take(&mut self.lds) };
        let expected = u64::from(iterations) * self.length + 1;
        let begin = Instant::now();
        group.run(&self.program, memory, 2 * expected)?;
        let seconds = begin.elapsed().as_secs_f64();
        let executed = group.waves.first().map_or(0, State::executed);
        self.lds = group.lds;
        if executed != expected {
            bail!("it ends the loop after {executed} instructions");
        }
        Ok(seconds)
    }

    /// Chooses the number of iterations of a run by short ones, of which the quickest counts: others were interrupted.
    pub fn calibrate(&mut self, memory: &Regions) -> Result<()> {
        let mut least = f64::INFINITY;
        for _ in 0..4 {
            least = least.min(self.run(memory, 2)? / 2.0);
        }
        self.iterations = (RUN / least.max(1e-9)).ceil().clamp(1.0, 10_000.0) as u32;
        Ok(())
    }

    /// Measures a run, and keeps the least time of an iteration.
    pub fn measure(&mut self, memory: &Regions) -> Result<()> {
        let seconds = self.run(memory, self.iterations)? / f64::from(self.iterations);
        self.best = self.best.min(seconds);
        Ok(())
    }

    /// The least nanoseconds of an iteration.
    pub fn nanoseconds(&self) -> f64 {
        self.best * 1e9
    }
}

/// Whether an instruction writes EXEC.
pub fn writes_exec(instr: &Instr) -> bool {
    instr.register_effects(Wave::W32).written.contains(Unit::EXEC_LO)
}

fn parse(line: &str) -> Result<Vec<u32>> {
    Ok(Sample::parse(line)?.words())
}
