//! Register allocation: liveness by dataflow analysis, then a linear scan over live ranges.

use std::collections::{BTreeSet, HashMap};

use rdna3::isa::Reg;
use rdna3::isa::inst::File;
use rdna3::{Inst, Wave};

use crate::Result;
use crate::object::Entry;
use crate::select::{Line, VGPR, trial};

/// Code with physical registers.
pub struct Allocated {
    pub lines: Vec<Line>,
    /// The number of vector registers, counted from v0.
    pub vgprs: u32,
    /// The number of scalar registers, counted from s0.
    pub sgprs: u32,
}

/// The lines at which a virtual register has a value.
struct Range {
    reg: Reg,
    /// The line that writes it first.
    start: usize,
    /// The line that reads it last: the range of another register can start there.
    end: usize,
    /// The instructions that name it.
    uses: Vec<Inst>,
    /// The highest number of a physical register in its place.
    last: u32,
}

/// Replaces virtual registers by physical ones.
///
/// # Errors
/// More values are live than there are registers. This compiler does not move any to memory.
pub fn allocate(code: &[Line]) -> Result<Allocated> {
    let mut ranges = live_ranges(code);
    ranges.sort_by_key(|range| range.start);
    let entry = Entry::new()?;
    let (mut vgprs, mut sgprs) = (entry.vgprs, entry.sgprs);
    let mut physical: HashMap<u32, u32> = HashMap::new();
    let mut active: Vec<(Reg, usize)> = Vec::new();
    for range in &ranges {
        active.retain(|(_, end)| *end > range.start);
        let (first, used) = if range.reg.file == VGPR { (entry.vgprs, &mut vgprs) } else { (entry.sgprs, &mut sgprs) };
        let reg = find_register(range, first, &active).ok_or("too many values are live")?;
        *used = (*used).max(reg.number + u32::from(reg.count));
        physical.insert(range.reg.number, reg.number);
        active.push((reg, range.end));
    }
    let rename = |reg: Reg| match physical.get(&reg.number) {
        Some(number) if reg.is_virtual => Reg { number: *number, is_virtual: false, ..reg },
        _ => reg,
    };
    let lines = code.iter().map(|line| match line {
        Line::Inst(inst) => Line::Inst(inst.map_registers(|reg, _| rename(reg))),
        line => *line,
    });
    Ok(Allocated { lines: lines.collect(), vgprs, sgprs })
}

/// Returns the lowest registers from a number on that are free and that all instructions accept.
fn find_register(range: &Range, first: u32, active: &[(Reg, usize)]) -> Option<Reg> {
    let end = |reg: &Reg| reg.number + u32::from(reg.count);
    let is_free = |reg: &Reg| {
        let mut others = active.iter().map(|(other, _)| other).filter(|other| other.file == reg.file);
        others.all(|other| end(reg) <= other.number || end(other) <= reg.number)
    };
    let is_accepted =
        |reg: &Reg| range.uses.iter().all(|inst| trial(inst, Some((range.reg.number, reg.number))).is_ok());
    let mut all = (first..=range.last).map(|number| Reg { number, is_virtual: false, ..range.reg });
    all.find(|reg| is_free(reg) && is_accepted(reg))
}

/// Returns the virtual registers of an instruction, each with the index of the operand.
fn virtual_registers(inst: &Inst) -> impl Iterator<Item = (usize, Reg)> {
    inst.ops()
        .iter()
        .map(|op| op.as_reg())
        .enumerate()
        .filter_map(|(at, reg)| Some((at, reg.filter(|reg| reg.is_virtual)?)))
}

/// Returns the highest number of a physical register that an operand can be.
fn last_register(inst: &Inst, operand: usize, file: File) -> Option<u32> {
    let class = inst.register_class(operand, Wave::W32)?;
    class.files.iter().filter(|(known, ..)| *known == file).map(|(_, _, last, _)| last.into()).max()
}

/// Returns the live range of each virtual register.
fn live_ranges(code: &[Line]) -> Vec<Range> {
    let mut ranges: HashMap<u32, Range> = HashMap::new();
    for (line, at) in code.iter().enumerate() {
        let Line::Inst(inst) = at else { continue };
        for (operand, reg) in virtual_registers(inst) {
            let last = last_register(inst, operand, reg.file).unwrap_or(0);
            let new = || Range { reg, start: line, end: line + 1, uses: Vec::new(), last };
            ranges.entry(reg.number).or_insert_with(new).uses.push(*inst);
        }
    }
    let starts = ranges.values().map(|range| (range.reg.number, range.start)).collect();
    for (line, live) in liveness(code, &starts).iter().enumerate() {
        for number in live {
            ranges.entry(*number).and_modify(|range| range.end = range.end.max(line));
        }
    }
    ranges.into_values().collect()
}

/// Returns the virtual registers that are live before each line. `starts` has the line that writes each one first.
///
/// An instruction writes only the lanes that EXEC has and keeps the others, so a write reads the old value, too. Only the
/// first line that writes a register does not: it comes before all others that name the register.
fn liveness(code: &[Line], starts: &HashMap<u32, usize>) -> Vec<BTreeSet<u32>> {
    let mut live: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); code.len() + 1];
    let mut is_stable = false;
    while !is_stable {
        is_stable = true;
        for (line, at) in code.iter().enumerate().rev() {
            let is_start = |number: &u32| starts.get(number) == Some(&line);
            let after = successors(code, line).flat_map(|next| &live[next]);
            let mut before: BTreeSet<u32> = after.copied().filter(|number| !is_start(number)).collect();
            if let Line::Inst(inst) = at {
                before.extend(virtual_registers(inst).map(|(_, reg)| reg.number).filter(|number| !is_start(number)));
            }
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
