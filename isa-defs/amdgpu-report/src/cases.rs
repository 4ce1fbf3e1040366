//! Cases: a line of JSON with code and an initial state of registers and memory, answered by a line with what changed.
//!
//! A case has `code_hex`, and perhaps `name`, `code_addr`, `wave` (32 or 64), `mode` (the register MODE) and `init`, a state. A state has
//! numbers `scc`, `vcc`, `vcc_hi`, `m0`, `exec`, `exec_hi`; `s`, an object of numbers by register; `v`, an object of arrays of lanes by
//! register; `mem` and `lds`, arrays of `{"addr": N, "hex": "…", "size": N}`; `scratch`, an object of such arrays by lane. `waves` has a
//! state for each of several waves. The answer has `name` and `final`, a state with what changed, or `error`.

mod state;

use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, Write};

use amdgpu_arch::Arch;
use amdgpu_dispatch::program;
use isa_exec::group::WorkGroup;
use isa_exec::memory::{MapError, Memory, Regions};
use isa_exec::num::Mode;
use isa_exec::wave::Wave;
use serde_json::{Map, Value, json};

use state::StateFields;

pub(crate) use state::NAMED;

/// Why cases are not answered.
#[derive(Debug)]
pub enum CasesError {
    /// The lines cannot be read.
    Read(io::Error),
    /// The answers cannot be written.
    Write(io::Error),
}

impl fmt::Display for CasesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "the cases: {error}"),
            Self::Write(error) => write!(f, "the answers cannot be written: {error}"),
        }
    }
}

impl Error for CasesError {}

/// Limits on what a case takes. A case that exceeds one is answered with an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The instructions that its waves execute together.
    pub instructions: u64,
    /// The bytes of memory that it maps, besides LDS and private memory.
    pub memory_bytes: u64,
    /// Its waves, which take about 1 MiB each.
    pub waves: usize,
}

impl Default for Limits {
    /// 10 million instructions, 256 MiB, and the 32 waves of the largest work-group.
    fn default() -> Self {
        Self { instructions: 10_000_000, memory_bytes: 1 << 28, waves: 32 }
    }
}

/// The bytes of the local data share.
const LDS_BYTES: usize = 64 << 10;

/// The bytes of a lane's private memory.
const SCRATCH_BYTES: usize = 16 << 10;

/// Answers each line, with code of a set that is executed.
///
/// # Errors
/// The lines cannot be read, or the answers written. What is wrong in a line is its answer.
pub fn answer(arch: Arch, lines: impl BufRead, out: &mut impl Write, limits: Limits) -> Result<(), CasesError> {
    for line in lines.lines() {
        let line = line.map_err(CasesError::Read)?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = match serde_json::from_str::<Value>(&line) {
            Ok(case) => {
                let name = case.get("name").cloned().unwrap_or(Value::Null);
                match run(arch, &case, limits) {
                    Ok(last) => json!({ "name": name, "final": last }),
                    Err(error) => json!({ "name": name, "error": error }),
                }
            }
            Err(error) => json!({ "error": format!("the line is not JSON: {error}") }),
        };
        writeln!(out, "{answer}").map_err(CasesError::Write)?;
    }
    Ok(())
}

/// Executes a case; returns what changed.
fn run(arch: Arch, case: &Value, limits: Limits) -> Result<Value, String> {
    let case = StateFields::new(case, "case")?;
    let wave = match case.number("wave")?.unwrap_or(32) {
        32 => amdgpu_arch::Wave::W32,
        64 => amdgpu_arch::Wave::W64,
        other => return Err(format!("`wave` is {other}; it can be 32 or 64")),
    };
    let start = case.number("code_addr")?.unwrap_or(0);
    let code = case.bytes("code_hex")?;
    let mode = u32::try_from(case.number("mode")?.unwrap_or(0x3C0)).map_err(|_| "`mode` has more than 32 bits")?;
    let empty = Value::Object(Map::new());
    let init = StateFields::new(case.get("init").unwrap_or(&empty), "init")?;
    let program = program(arch, (&code, start), wave, 256, false).ok_or("the set is not executed")?;
    let states = match init.get("waves") {
        Some(waves) => waves.as_array().ok_or("`waves` is not an array")?.iter().collect(),
        None => vec![case.get("init").unwrap_or(&empty)],
    };
    if states.len() > limits.waves {
        return Err(format!("`waves` has {} states; at most {} are taken", states.len(), limits.waves));
    }

    let memory = mapped(&init, start, &code, limits)?;
    let mut group = WorkGroup { waves: Vec::new(), lds: vec![0; LDS_BYTES] };
    for range in init.ranges("lds")? {
        state::place(&mut group.lds, &range)?;
    }
    for state in &states {
        let mut wave = Wave::new(&program, SCRATCH_BYTES);
        wave.set_mode(Mode(mode));
        wave.pc = start;
        state::fill(&mut wave, &StateFields::new(state, "init")?)?;
        group.waves.push(wave);
    }
    let before = group.clone();
    let memory_before = snapshot(&memory);

    group.run(&program, &memory, limits.instructions).map_err(|fault| fault.to_string())?;

    let mut last = Map::new();
    let mut changes: Vec<Value> =
        before.waves.iter().zip(&group.waves).map(|(before, after)| state::changes(before, after)).collect();
    match (init.get("waves"), changes.pop()) {
        (None, Some(Value::Object(only))) => last = only,
        (_, only) => {
            changes.extend(only);
            last.insert("waves".into(), Value::Array(changes));
        }
    }
    let regions: Vec<_> = memory_before.iter().zip(snapshot(&memory)).collect();
    let changed = regions.iter().flat_map(|((start, old), (_, new))| state::changed_bytes(*start, old, new));
    let changed: Vec<Value> = changed.collect();
    if !changed.is_empty() {
        last.insert("mem".into(), Value::Array(changed));
    }
    let lds = state::changed_bytes(0, &before.lds, &group.lds);
    if !lds.is_empty() {
        last.insert("lds".into(), Value::Array(lds));
    }
    Ok(Value::Object(last))
}

/// The memory of a case: its regions, and the code where it overlaps none.
fn mapped(init: &StateFields<'_>, start: u64, code: &[u8], limits: Limits) -> Result<Regions, String> {
    let mut memory = Regions::new();
    let ranges = init.ranges("mem")?;
    let mut left = limits.memory_bytes;
    for range in &ranges {
        let size = range.size.unwrap_or(range.bytes.len() as u64).max(range.bytes.len() as u64);
        let too_large = || format!("the memory has more than {} bytes", limits.memory_bytes);
        left = left.checked_sub(size).ok_or_else(too_large)?;
        memory.map(range.address, size).map_err(|error| match error {
            MapError::Overlap => format!("the memory at {:#x} overlaps other memory", range.address),
            MapError::TooLarge | MapError::Short => format!("the memory at {:#x} is too large", range.address),
        })?;
        memory.write(range.address, &range.bytes).map_err(|_| "the memory does not hold its bytes")?;
    }
    if memory.map(start, code.len() as u64).is_ok() {
        memory.write(start, code).map_err(|_| "the memory does not hold the code")?;
    }
    Ok(memory)
}

/// The bytes of all regions.
fn snapshot(memory: &Regions) -> Vec<(u64, Vec<u8>)> {
    let region = |(start, size): (u64, u64)| {
        let mut bytes = vec![0; usize::try_from(size).unwrap_or(0)];
        // All of a region is mapped.
        let _ = memory.read(start, &mut bytes);
        (start, bytes)
    };
    memory.mapped().map(region).collect()
}

#[cfg(test)]
mod tests;
