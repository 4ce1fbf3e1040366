//! Register allocation: liveness by dataflow analysis, then a linear scan over live ranges. Values that find no register are
//! kept in memory, and loaded into temporary registers around the instructions that name them.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use rdna3::build::*;
use rdna3::isa::inst::{File, InstEffect};
use rdna3::isa::{Access, Op, Reg};
use rdna3::{Inst, Wave};

use crate::Result;
use crate::abi::{Entry, SGPR, VGPR};
use crate::select::Line;

/// The number of temporary registers of each file: at least as many as an instruction names.
const TEMPORARIES: u32 = 4;
/// The number of lanes of a vector register.
const LANES: u32 = 32;
/// The lowest offset that scratch instructions do not encode.
const MAX_OFFSET: u32 = 4096;

/// How many registers a kernel may use. The fewer it uses, the more waves run at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// At most 256 vector registers.
    pub vgprs: u32,
    /// At most 104 scalar registers. A pair after them is for branches that are far away.
    pub sgprs: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { vgprs: 256, sgprs: 104 }
    }
}

/// Code with physical registers.
pub struct Allocated {
    pub lines: Vec<Line>,
    /// The registers that the code uses.
    pub used: Limits,
    /// The scratch memory of a work-item in bytes.
    pub scratch: u32,
}

/// The lines at which a virtual register has a value.
struct LiveRange {
    reg: Reg,
    /// The line that writes it first.
    start: usize,
    /// The line that reads it last: another register can begin there.
    end: usize,
    /// The highest number of a physical register in its place.
    last: u32,
    /// The alignment of the register's number.
    align: u32,
}

/// Where a value is.
#[derive(Clone, Copy)]
enum Place {
    /// In the registers from this number on.
    Register(u32),
    /// In memory from this slot of 32 bits on: scratch memory of each work-item, and lanes of vector registers for scalars.
    Slot(u32),
}

/// Replaces virtual registers by physical ones.
///
/// # Errors
/// There are fewer registers than an instruction needs.
pub fn allocate(code: &[Line], limits: Limits) -> Result<Allocated> {
    let entry = Entry::new()?;
    let ranges = live_ranges(code);
    let scalars = FilePlan::new(SGPR, &ranges, entry.sgprs.next_multiple_of(2)..limits.sgprs)?;
    let lanes = entry.vgprs;
    let vectors = FilePlan::new(VGPR, &ranges, lanes + scalars.slots.div_ceil(LANES)..limits.vgprs)?;
    let used = Limits { vgprs: vectors.end, sgprs: scalars.end };
    let scratch = 4 * vectors.slots;
    let mut rewriter = Rewriter { scalars, vectors, lanes, lines: Vec::new() };
    for line in code {
        match line {
            Line::Inst(inst) => rewriter.inst(inst)?,
            line => rewriter.lines.push(*line),
        }
    }
    Ok(Allocated { lines: rewriter.lines, used, scratch })
}

/// The places of the virtual registers of a file.
struct FilePlan {
    places: HashMap<u32, Place>,
    /// The first register that is temporary.
    temporaries: u32,
    /// The number of slots.
    slots: u32,
    /// The number after the last register.
    end: u32,
}

impl FilePlan {
    /// Scans the ranges of a file. If values are spilled, registers are reserved for them and the scan begins again.
    fn new(file: File, ranges: &[LiveRange], numbers: Range<u32>) -> Result<FilePlan> {
        let ranges: Vec<&LiveRange> = ranges.iter().filter(|range| range.reg.file == file).collect();
        let mut plan = FilePlan { places: HashMap::new(), temporaries: numbers.start, slots: 0, end: numbers.start };
        plan.scan(&ranges, numbers.clone());
        if plan.slots > 0 {
            let rest = numbers.start + TEMPORARIES..numbers.end;
            if rest.start > rest.end {
                return Err("an instruction needs more registers than there are".into());
            }
            (plan.slots, plan.end) = (0, rest.start);
            plan.scan(&ranges, rest);
        }
        Ok(plan)
    }

    /// Gives each range the lowest registers that are free. If there are none, the value that is needed last is spilled.
    fn scan(&mut self, ranges: &[&LiveRange], numbers: Range<u32>) {
        let mut active: Vec<(&LiveRange, Reg)> = Vec::new();
        for range in ranges {
            active.retain(|(other, _)| other.end > range.start);
            let place = loop {
                if let Some(reg) = find_register(range, &numbers, &active) {
                    self.end = self.end.max(reg.number + u32::from(reg.count));
                    active.push((range, reg));
                    break Place::Register(reg.number);
                }
                let last = active.iter().enumerate().max_by_key(|(_, (other, _))| other.end);
                match last.filter(|(_, (other, _))| other.end > range.end).map(|(at, _)| at) {
                    None => break self.new_slot(range.reg),
                    Some(at) => {
                        let victim = active.swap_remove(at).0.reg;
                        let slot = self.new_slot(victim);
                        self.places.insert(victim.number, slot);
                    }
                }
            };
            self.places.insert(range.reg.number, place);
        }
    }

    fn new_slot(&mut self, reg: Reg) -> Place {
        self.slots += u32::from(reg.count);
        Place::Slot(self.slots - u32::from(reg.count))
    }
}

/// Returns the lowest registers with these numbers that others do not overlap.
fn find_register(range: &LiveRange, numbers: &Range<u32>, active: &[(&LiveRange, Reg)]) -> Option<Reg> {
    let end = |reg: &Reg| reg.number + u32::from(reg.count);
    let is_free = |reg: &Reg| active.iter().all(|(_, other)| end(reg) <= other.number || end(other) <= reg.number);
    let all = (numbers.start.next_multiple_of(range.align)..=range.last).step_by(range.align as usize);
    let mut all = all.map(|number| Reg { number, is_virtual: false, ..range.reg });
    all.find(|reg| end(reg) <= numbers.end && is_free(reg))
}

/// The state of [`allocate`] while it replaces registers.
struct Rewriter {
    scalars: FilePlan,
    vectors: FilePlan,
    /// The first vector register whose lanes are slots.
    lanes: u32,
    lines: Vec<Line>,
}

impl Rewriter {
    /// Appends an instruction with physical registers. Those of spilled values are loaded before it and stored after it.
    fn inst(&mut self, inst: &Inst) -> Result<()> {
        let mut physical: HashMap<Reg, Reg> = HashMap::new();
        let mut next = [&self.scalars, &self.vectors].map(|plan| plan.temporaries);
        let (mut loads, mut stores) = (Vec::new(), Vec::new());
        for (reg, effect) in virtual_registers(inst) {
            let is_vector = usize::from(reg.file == VGPR);
            let plan = [&self.scalars, &self.vectors][is_vector];
            let (number, slot) = match plan.places.get(&reg.number).ok_or("a register has no value")? {
                Place::Register(number) => (*number, None),
                Place::Slot(slot) => (next[is_vector].next_multiple_of(reg.count.into()), Some(*slot)),
            };
            let known = physical.get(&reg).copied();
            let to = known.unwrap_or(Reg { number, is_virtual: false, ..reg });
            physical.insert(reg, to);
            let Some(slot) = slot else { continue };
            if known.is_none() {
                next[is_vector] = number + u32::from(reg.count);
            }
            if effect.access != Access::Write && !loads.contains(&(to, slot)) {
                loads.push((to, slot));
            }
            if effect.is_written() {
                stores.push((to, slot));
            }
        }
        loads.into_iter().try_for_each(|(reg, slot)| self.transfer(reg, slot, true))?;
        let inst = inst.map_registers(|reg, _| physical.get(&reg).copied().unwrap_or(reg));
        self.lines.push(Line::Inst(inst));
        stores.into_iter().try_for_each(|(reg, slot)| self.transfer(reg, slot, false))
    }

    /// Appends the instructions that load registers from a slot, or store them there.
    fn transfer(&mut self, reg: Reg, slot: u32, is_load: bool) -> Result<()> {
        if reg.file == SGPR {
            for (number, slot) in (reg.number..).zip(slot..).take(reg.count.into()) {
                let (scalar, lane) = (Op::reg(Reg::new(SGPR, number, 1)), slot % LANES);
                let vector = Op::reg(Reg::new(VGPR, self.lanes + slot / LANES, 1));
                self.lines.push(Line::Inst(match is_load {
                    true => v_readlane_b32(scalar, vector, lane).inst()?,
                    false => v_writelane_b32(vector, scalar, lane).inst()?,
                }));
            }
            return Ok(());
        }
        let (vector, offset) = (Op::reg(reg), (4 * slot % MAX_OFFSET) as i32);
        let mut base = Op::OFF;
        if 4 * slot >= MAX_OFFSET {
            base = M0.into();
            self.lines.push(Line::Inst(s_mov_b32(base, 4 * slot - offset as u32).inst()?));
        }
        self.lines.push(Line::Inst(match is_load {
            true => scratch_load_b32(vector, OFF, base).offset(offset).inst()?,
            false => scratch_store_b32(OFF, vector, base).offset(offset).inst()?,
        }));
        Ok(())
    }
}

/// Returns the virtual registers of an instruction, each with its effect.
fn virtual_registers(inst: &Inst) -> impl Iterator<Item = (Reg, InstEffect)> {
    inst.effects().filter_map(|effect| Some((effect.reg().filter(|reg| reg.is_virtual)?, effect)))
}

/// Returns the live range of each virtual register, in the order of their starts.
fn live_ranges(code: &[Line]) -> Vec<LiveRange> {
    let mut ranges: HashMap<u32, LiveRange> = HashMap::new();
    for (line, at) in code.iter().enumerate() {
        let Line::Inst(inst) = at else { continue };
        for (operand, reg) in inst.ops().iter().enumerate().filter_map(|(at, op)| Some((at, op.as_reg()?))) {
            let allowed = inst.register_class(operand, Wave::W32).and_then(|class| class.range(reg.file));
            if let (true, Some(allowed)) = (reg.is_virtual, allowed) {
                let new = || LiveRange { reg, start: line, end: line + 1, last: allowed.last.into(), align: 1 };
                let range = ranges.entry(reg.number).or_insert_with(new);
                range.last = range.last.min(allowed.last.into());
                range.align = range.align.max(allowed.align.into());
            }
        }
    }
    let starts = ranges.values().map(|range| (range.reg.number, range.start)).collect();
    for (line, live) in liveness(code, &starts).iter().enumerate() {
        for number in live {
            ranges.entry(*number).and_modify(|range| range.end = range.end.max(line));
        }
    }
    let mut ranges: Vec<LiveRange> = ranges.into_values().collect();
    ranges.sort_by_key(|range| (range.start, range.reg.number));
    ranges
}

/// Returns the virtual registers that are live before each line. `starts` has the line that writes each one first.
///
/// A vector instruction keeps the lanes that EXEC excludes, so it needs the old value of what it writes, too. Only the
/// first line that writes a register does not: it comes before all others that name the register.
fn liveness(code: &[Line], starts: &HashMap<u32, usize>) -> Vec<BTreeSet<u32>> {
    let registers = |line: &Line| line.inst().into_iter().flat_map(virtual_registers).collect();
    let registers: Vec<Vec<(Reg, InstEffect)>> = code.iter().map(registers).collect();
    let mut live: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); code.len() + 1];
    let mut is_stable = false;
    while !is_stable {
        is_stable = true;
        for (line, registers) in registers.iter().enumerate().rev() {
            let mut before: BTreeSet<u32> = successors(code, line).flat_map(|next| &live[next]).copied().collect();
            let is_needed =
                |(reg, effect): &&(Reg, InstEffect)| effect.needs_old_value() && starts.get(&reg.number) != Some(&line);
            registers.iter().for_each(|(reg, _)| _ = before.remove(&reg.number));
            before.extend(registers.iter().filter(is_needed).map(|(reg, _)| reg.number));
            is_stable &= before == live[line];
            live[line] = before;
        }
    }
    live
}

/// Returns the lines that can follow a line.
pub fn successors(code: &[Line], line: usize) -> impl Iterator<Item = usize> {
    let (label, falls_through) = match code[line] {
        Line::Branch(condition, label) => (Some(label), condition.is_some()),
        _ => (None, true),
    };
    let target = label.and_then(|label| code.iter().position(|line| *line == Line::Bind(label)));
    target.into_iter().chain(falls_through.then_some(line + 1))
}
