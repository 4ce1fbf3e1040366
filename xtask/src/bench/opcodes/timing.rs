//! Times of instructions: a loop of copies of one instruction, without what the loop itself takes.

use std::time::Instant;

use anyhow::{Result, bail};
use isa_exec::fault::Fault;
use isa_exec::group::WorkGroup;
use isa_exec::memory::Regions;
use isa_exec::program::Program;
use isa_exec::units::Units;
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
/// The register that holds the active lanes.
const LANES: u16 = 101;
/// The seconds of a run of the loop.
const RUN: f64 = 0.000_2;

/// How many times the goals with AVX2 and FMA the baseline may take.
const BASELINE: f64 = 3.0;

/// What follows each copy of an instruction in its loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Follower {
    Nothing,
    /// Activates the lanes again, after an instruction that writes EXEC.
    RestoresExec,
    /// Reads SCC, after an instruction that writes nothing else: it would be left out if nothing read it before the next copy.
    ReadsScc,
}

impl Follower {
    pub const ALL: [Follower; 3] = [Follower::Nothing, Follower::RestoresExec, Follower::ReadsScc];

    /// What follows copies of an instruction.
    pub fn of(instr: &Instr) -> Follower {
        let written = instr.register_effects(Wave::W32).written;
        if written.contains(Unit::EXEC_LO) {
            Follower::RestoresExec
        } else if written.iter().eq([Unit::SCC]) {
            Follower::ReadsScc
        } else {
            Follower::Nothing
        }
    }

    const fn line(self) -> Option<&'static str> {
        match self {
            Follower::Nothing => None,
            Follower::RestoresExec => Some("s_mov_b32 exec_lo, s101"),
            Follower::ReadsScc => Some("s_cselect_b32 s102, 1, 0"),
        }
    }
}

/// How a loop is executed.
#[derive(Clone, Copy)]
pub struct Setting {
    pub title: &'static str,
    pub units: Units,
    /// The active lanes.
    pub lanes: u32,
}

impl Setting {
    /// The settings that are measured: the fastest vector units of the host, the same for a part of the lanes, and the baseline.
    pub fn all() -> Vec<Setting> {
        let fastest = Units::detect();
        let mut all = vec![
            Setting { title: fastest.name(), units: fastest, lanes: u32::MAX },
            Setting { title: "some lanes", units: fastest, lanes: 0x5A3C_0F69 },
        ];
        if fastest.name() != Units::BASELINE.name() {
            all.push(Setting { title: Units::BASELINE.name(), units: Units::BASELINE, lanes: u32::MAX });
        }
        all
    }

    /// Returns a goal for AVX2 and FMA as it is with these units; `None` if only a part of the lanes is active.
    pub fn goal(&self, goal: Option<f64>) -> Option<f64> {
        let goal = goal.filter(|_| self.lanes == u32::MAX)?;
        Some(if self.is_baseline() { goal * BASELINE } else { goal })
    }

    /// Whether it uses the vector units alone that every processor has.
    pub fn is_baseline(&self) -> bool {
        self.units.name() == Units::BASELINE.name()
    }
}

/// A loop, ready to be executed.
pub struct Loop {
    program: Program<'static>,
    wave: State,
    lds: Vec<u8>,
    /// The instructions of an iteration.
    length: u64,
    /// The iterations of a run with each setting.
    iterations: Vec<u32>,
    /// The least seconds of an iteration so far, with each setting.
    best: Vec<f64>,
}

impl Loop {
    /// Assembles the loop around copies of an instruction. `None` instead of it: the loop that is subtracted.
    pub fn new(sample: Option<&Sample>, follower: Follower) -> Result<Self> {
        let mut words = Vec::new();
        let line = follower.line();
        let of_follower = line.map(parse).transpose()?.unwrap_or_default();
        let of_sample = sample.map(Sample::words).unwrap_or_default();
        for _ in 0..COPIES {
            words.extend(&of_sample);
            words.extend(&of_follower);
        }
        let copies = u64::from(COPIES) * (u64::from(sample.is_some()) + u64::from(line.is_some()));
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
        let program = Program::new::<Rdna3Machine>(code, CODE, Wave::W32, 256);
        if let Some((_, _, fault)) = program.unsupported(CODE).next() {
            bail!("{fault:?}");
        }
        let mut wave = State::new(&program, state::SCRATCH);
        wave.pc = CODE;
        if let Some(sample) = sample {
            state::fill(&mut wave, sample)?;
        }
        let (lds, length) = (vec![0; state::LDS], copies + END.len() as u64 - 1);
        Ok(Loop { program, wave, lds, length, iterations: Vec::new(), best: Vec::new() })
    }

    /// Executes iterations of the loop, and returns the seconds.
    pub fn run(&mut self, setting: &Setting, memory: &Regions, iterations: u32) -> Result<f64> {
        let mut wave = self.wave.clone();
        wave.set_units(setting.units);
        wave.set_mask(LAYOUT.exec, setting.lanes.into());
        wave.set_sgpr(LANES, setting.lanes);
        wave.set_sgpr(COUNTER, iterations);
        let mut group = WorkGroup { waves: vec![wave], lds: std::mem::take(&mut self.lds) };
        let expected = u64::from(iterations) * self.length + 1;
        let begin = Instant::now();
        execute_loop(&mut group, &self.program, memory, 2 * expected)?;
        let seconds = begin.elapsed().as_secs_f64();
        let executed = group.waves.first().map_or(0, State::executed);
        self.lds = group.lds;
        if executed != expected {
            bail!("it ends the loop after {executed} instructions");
        }
        Ok(seconds)
    }

    /// Chooses the number of iterations of a run by short ones, of which the quickest counts: others were interrupted.
    pub fn calibrate(&mut self, settings: &[Setting], memory: &Regions) -> Result<()> {
        for setting in settings {
            let mut least = f64::INFINITY;
            for _ in 0..4 {
                least = least.min(self.run(setting, memory, 2)? / 2.0);
            }
            self.iterations.push((RUN / least.max(1e-9)).ceil().clamp(1.0, 10_000.0) as u32);
            self.best.push(f64::INFINITY);
        }
        Ok(())
    }

    /// Measures a run with each setting, and keeps the least time of an iteration.
    pub fn measure(&mut self, settings: &[Setting], memory: &Regions) -> Result<()> {
        for (number, setting) in settings.iter().enumerate() {
            let Some(iterations) = self.iterations.get(number).copied() else { continue };
            let seconds = self.run(setting, memory, iterations)? / f64::from(iterations);
            if let Some(best) = self.best.get_mut(number) {
                *best = best.min(seconds);
            }
        }
        Ok(())
    }

    /// Returns the least nanoseconds of an iteration with each setting.
    pub fn nanoseconds(&self) -> impl Iterator<Item = f64> + '_ {
        self.best.iter().map(|seconds| seconds * 1e9)
    }
}

/// The function whose instructions callgrind counts, and the one in it after which it writes a count: it writes none after a
/// function that begins or ends counting.
pub const COUNTED: [&str; 2] = ["execute_loop", "execute_group"];

/// Executes a work-group.
#[inline(never)]
fn execute_loop(group: &mut WorkGroup, program: &Program, memory: &Regions, limit: u64) -> Result<(), Fault> {
    let result = execute_group(group, program, memory, limit);
    // No tail call, which would end this function first.
    std::hint::black_box(&result);
    result
}

#[inline(never)]
fn execute_group(group: &mut WorkGroup, program: &Program, memory: &Regions, limit: u64) -> Result<(), Fault> {
    group.run(program, memory, limit)
}

fn parse(line: &str) -> Result<Vec<u32>> {
    Ok(Sample::parse(line)?.words())
}
