//! Statistics of a run: instructions and lane-operations by opcode and unit, bytes of memory, divergence.

use std::collections::BTreeMap;
use std::io::{self, Write};

use amdgpu_arch::Instr;
use rdna_facts::address::bytes_accessed;
use rdna_rows::{Format, Generation, Instruction, Pipeline};
use serde_json::{Value, json};

/// How often an instruction was executed.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExecutionCount {
    /// By waves.
    pub instructions: u64,
    /// By lanes.
    pub lanes: u64,
}

impl ExecutionCount {
    fn add(&mut self, other: Self) {
        self.instructions += other.instructions;
        self.lanes += other.lanes;
    }
}

/// The counts of each instruction of a program.
#[derive(Debug, Clone, Default)]
pub struct InstructionTally {
    /// The address and the count, by the index in the program.
    by_index: Vec<(u64, ExecutionCount)>,
}

impl InstructionTally {
    /// Adds an execution of an instruction, by its index in the program and its address, by a wave with this number of active lanes.
    pub fn count(&mut self, index: usize, pc: u64, active: u32) {
        if self.by_index.len() <= index {
            self.by_index.resize(index + 1, (0, ExecutionCount::default()));
        }
        if let Some((address, count)) = self.by_index.get_mut(index) {
            *address = pc;
            count.add(ExecutionCount { instructions: 1, lanes: active.into() });
        }
    }

    /// Adds the counts of another work-group.
    pub fn merge(&mut self, other: &Self) {
        if self.by_index.len() < other.by_index.len() {
            self.by_index.resize(other.by_index.len(), (0, ExecutionCount::default()));
        }
        for ((address, count), (of, more)) in self.by_index.iter_mut().zip(&other.by_index) {
            if more.instructions > 0 {
                *address = *of;
                count.add(*more);
            }
        }
    }
}

/// The facts about an instruction that statistics depend on.
struct OpcodeFacts {
    opcode: &'static str,
    unit: &'static str,
    /// Whether the unit works in lanes.
    in_lanes: bool,
    /// The bytes that a lane, or the wave, accesses; `None` for what accesses no memory.
    bytes: Option<u32>,
}

impl OpcodeFacts {
    /// The facts about an instruction; `None` for sets that are not executed.
    fn new(instr: &Instr) -> Option<Self> {
        match instr {
            Instr::Rdna3(instr, _) => Some(Self::of_rdna(instr, instr.opcode().name())),
            Instr::Rdna3_5(instr, _) => Some(Self::of_rdna(instr, instr.opcode().name())),
            Instr::Rdna4(instr, _) => Some(Self::of_rdna(instr, instr.opcode().name())),
            _ => None,
        }
    }

    fn of_rdna<I: Instruction>(instr: &I, opcode: &'static str) -> Self {
        let pipeline = <I::Generation as Generation>::pipeline(instr.opcode());
        let (unit, in_lanes) = if instr.microcode() == Format::Scratch { ("scratch", true) } else { unit(pipeline) };
        let bytes = bytes_accessed(instr).filter(|_| is_memory(unit));
        Self { opcode, unit, in_lanes, bytes }
    }
}

/// The name of the unit that executes the instructions of a pipeline, and whether it works in lanes.
fn unit(pipeline: Pipeline) -> (&'static str, bool) {
    match pipeline {
        Pipeline::Valu => ("vector alu", true),
        Pipeline::Transcendental => ("transcendental", true),
        Pipeline::Wmma => ("matrix", true),
        Pipeline::VmemLoad | Pipeline::VmemStore | Pipeline::VmemAtomic | Pipeline::VmemSample => {
            ("vector memory", true)
        }
        Pipeline::Lds => ("lds", true),
        Pipeline::Smem => ("scalar memory", false),
        Pipeline::Salu => ("scalar alu", false),
        Pipeline::Branch => ("branch", false),
        Pipeline::Export => ("export", true),
        Pipeline::Message | Pipeline::Control => ("control", false),
    }
}

/// Whether a unit accesses memory.
fn is_memory(unit: &str) -> bool {
    matches!(unit, "scratch" | "vector memory" | "lds" | "scalar memory")
}

/// The statistics of a run.
#[derive(Debug, Clone)]
pub struct RunStatistics {
    by_opcode: Vec<(&'static str, ExecutionCount)>,
    by_unit: BTreeMap<&'static str, ExecutionCount>,
    /// Bytes that instructions of a unit accessed, atomics counted once.
    bytes: BTreeMap<&'static str, u64>,
    total: ExecutionCount,
    /// The instructions of the vector units.
    vector: ExecutionCount,
    lanes: u32,
    groups: u64,
}

impl RunStatistics {
    /// Makes the report of a run of this number of work-groups, whose waves have this number of lanes. `instr` finds the instruction at an address.
    pub fn new(counts: &InstructionTally, lanes: u32, groups: u64, instr: impl Fn(u64) -> Option<Instr>) -> Self {
        let mut report = RunStatistics {
            by_opcode: Vec::new(),
            by_unit: BTreeMap::new(),
            bytes: BTreeMap::new(),
            total: ExecutionCount::default(),
            vector: ExecutionCount::default(),
            lanes,
            groups,
        };
        let mut by_opcode: BTreeMap<&'static str, ExecutionCount> = BTreeMap::new();
        for (address, count) in counts.by_index.iter().filter(|(_, count)| count.instructions > 0) {
            let Some(facts) = instr(*address).as_ref().and_then(OpcodeFacts::new) else { continue };
            let count = ExecutionCount { lanes: if facts.in_lanes { count.lanes } else { 0 }, ..*count };
            by_opcode.entry(facts.opcode).or_default().add(count);
            report.by_unit.entry(facts.unit).or_default().add(count);
            report.total.add(count);
            if facts.in_lanes {
                report.vector.add(count);
            }
            let accesses = if facts.in_lanes { count.lanes } else { count.instructions };
            if let Some(bytes) = facts.bytes {
                *report.bytes.entry(facts.unit).or_default() += accesses * u64::from(bytes);
            }
        }
        report.by_opcode = by_opcode.into_iter().collect();
        report.by_opcode.sort_by_key(|(_, count)| std::cmp::Reverse(count.instructions));
        report
    }

    /// The share of lanes that were active in vector instructions, in percent.
    fn active(&self) -> f64 {
        let whole = self.vector.instructions * u64::from(self.lanes);
        if whole == 0 { 100.0 } else { self.vector.lanes as f64 * 100.0 / whole as f64 }
    }

    /// Writes the report as tables.
    ///
    /// # Errors
    /// `out` does not take the text.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{:>14} {:>14}  opcode", "instructions", "lane-ops")?;
        for (opcode, count) in &self.by_opcode {
            writeln!(out, "{:>14} {:>14}  {}", count.instructions, count.lanes, opcode.to_ascii_lowercase())?;
        }
        writeln!(out, "\n{:>14} {:>14} {:>14}  unit", "instructions", "lane-ops", "bytes")?;
        for (unit, count) in &self.by_unit {
            let bytes = self.bytes.get(unit).copied().unwrap_or_default();
            writeln!(out, "{:>14} {:>14} {bytes:>14}  {unit}", count.instructions, count.lanes)?;
        }
        let bytes: u64 = self.bytes.values().sum();
        writeln!(out, "{:>14} {:>14} {bytes:>14}  all", self.total.instructions, self.total.lanes)?;
        writeln!(out, "\n{} work-groups; {:.1} % of lanes active in vector instructions", self.groups, self.active())
    }

    /// Returns the report as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let count = |count: &ExecutionCount| json!({ "instructions": count.instructions, "lane_ops": count.lanes });
        let opcodes: serde_json::Map<_, _> =
            self.by_opcode.iter().map(|(opcode, c)| (opcode.to_ascii_lowercase(), count(c))).collect();
        let units: serde_json::Map<_, _> = self.by_unit.iter().map(|(unit, c)| ((*unit).into(), count(c))).collect();
        json!({
            "opcodes": opcodes,
            "units": units,
            "bytes": self.bytes,
            "total": count(&self.total),
            "work_groups": self.groups,
            "active_lanes_percent": self.active(),
        })
    }
}
