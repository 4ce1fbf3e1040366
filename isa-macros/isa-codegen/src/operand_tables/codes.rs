//! Resolution of sets of codes in one generation.

use crate::ast::{Arm, ArmMap, CodeRun, OperandTables, RunFit, RunKind, SetExpr};
use crate::spanned::SpannedStr;

/// The widths in registers that have their own sets. Other widths use the next one.
pub const WIDTHS: [u32; 5] = [1, 2, 4, 8, 16];

/// The number of codes of a space.
pub const CODES: usize = 512;

/// A set of codes, a bit each.
pub type Bits = [u64; CODES / 64];

/// Adds a code to a set.
pub fn insert(bits: &mut Bits, code: u32) {
    if let Some(word) = bits.get_mut(code as usize / 64) {
        *word |= 1 << (code % 64);
    }
}

/// The most runs of a code space.
pub const MAX_RUNS: usize = 64;

/// A set of runs, a bit each.
pub type RunSet = u64;

/// The runs of a code space in one generation.
pub struct Space<'a> {
    tables: &'a OperandTables,
    /// The runs that exist, by their codes.
    pub runs: Vec<&'a CodeRun>,
    /// The runs that are printed, but not valid.
    printed: RunSet,
}

impl<'a> Space<'a> {
    /// Returns the runs of a generation, `None` if the tables have one only.
    pub fn new(tables: &'a OperandTables, generation: Option<&SpannedStr>) -> Space<'a> {
        let has = |all: &[SpannedStr]| all.is_empty() || generation.is_some_and(|g| all.contains(g));
        let exists = |run: &&CodeRun| match &run.printed {
            Some(printed) if !run.generations.is_empty() => has(&run.generations) || has(printed),
            Some(printed) => has(printed),
            None => has(&run.generations),
        };
        let mut runs: Vec<&CodeRun> = tables.runs.iter().filter(exists).collect();
        runs.sort_by_key(|run| run.first);
        let is_printed = |run: &CodeRun| match &run.printed {
            Some(printed) => has(printed) && (run.generations.is_empty() || !has(&run.generations)),
            None => false,
        };
        let printed = run_set(&runs, is_printed);
        Space { tables, runs, printed }
    }

    /// Returns the code space of each generation.
    pub fn each(tables: &'a OperandTables) -> Vec<Space<'a>> {
        tables.each_generation().into_iter().map(|generation| Space::new(tables, generation)).collect()
    }

    /// Returns the runs of a set, or the run of this name.
    fn named(&self, name: &SpannedStr) -> RunSet {
        match self.tables.sets.iter().find(|set| set.name == *name) {
            Some(set) => self.resolve(&set.set),
            None => run_set(&self.runs, |run| run.name == *name),
        }
    }

    /// Returns the runs of a sum of sets.
    pub fn resolve(&self, set: &SetExpr) -> RunSet {
        let mut all = 0;
        for (is_added, name) in set {
            let named = self.named(name);
            all = if *is_added { all | named } else { all & !named };
        }
        all
    }

    /// Returns the runs of the cases of a class.
    pub fn resolve_all(&self, arms: &[Arm]) -> RunSet {
        arms.iter().fold(0, |all, arm| all | self.resolve(&arm.set))
    }

    /// Returns the runs of a sum of sets that operands may have.
    pub fn valid(&self, set: &SetExpr) -> RunSet {
        self.resolve(set) & !self.printed
    }

    /// Lists the runs of a set by their codes.
    pub fn list(&self, set: RunSet) -> Vec<&'a CodeRun> {
        let mut list = Vec::new();
        for (at, run) in self.runs.iter().enumerate().take(MAX_RUNS) {
            if set >> at & 1 == 1 {
                list.push(*run);
            }
        }
        list
    }

    /// Returns the code of the space that a case maps 0 to, and how many bits the field leaves out.
    pub fn map(&self, arm: &Arm) -> (u32, u8) {
        match arm.map {
            ArmMap::Same => (0, 0),
            ArmMap::By(shift) => (0, shift),
            ArmMap::Number(shift) => (self.list(self.resolve(&arm.set)).first().map_or(0, |run| run.first), shift),
        }
    }

    /// Returns the codes of a field that are valid for an operand of `dwords` registers.
    pub fn codes(&self, arm: &Arm, dwords: u32) -> Bits {
        let (base, shift) = self.map(arm);
        let mut bits = self.bits(self.valid(&arm.set), dwords, base, shift);
        for code in arm.except.iter().filter_map(|name| self.code_of_name(name)) {
            let own = code.wrapping_sub(base) >> shift;
            if let Some(word) = bits.get_mut(own as usize / 64) {
                *word &= !(1 << (own % 64));
            }
        }
        bits
    }

    /// Returns the first named set that has all registers of a class, and what errors call a register of it.
    pub fn called(&self, arms: &[Arm]) -> Option<(RunSet, &'a SpannedStr)> {
        let is_register = |run: &CodeRun| matches!(run.kind, RunKind::Numbered(_) | RunKind::Names(_));
        let registers = self.resolve_all(arms) & run_set(&self.runs, is_register);
        self.nouns().into_iter().find(|(all, _)| registers & !all == 0)
    }

    /// Returns the named sets for which errors have a noun.
    pub fn nouns(&self) -> Vec<(RunSet, &'a SpannedStr)> {
        let mut nouns = Vec::new();
        for set in &self.tables.sets {
            nouns.extend(set.called.as_ref().map(|noun| (self.resolve(&set.set), noun)));
        }
        nouns
    }

    /// Returns the code of the register with a name.
    pub fn code_of_name(&self, name: &SpannedStr) -> Option<u32> {
        self.runs.iter().find_map(|run| match &run.kind {
            RunKind::Names(names) => {
                let count = (run.last - run.first + 1) as usize;
                let nth = names.iter().take(count).position(|other| other == name)?;
                Some(run.first + nth as u32)
            }
            _ => None,
        })
    }

    /// Returns the codes of a field for runs.
    pub fn bits(&self, runs: RunSet, dwords: u32, base: u32, shift: u8) -> Bits {
        let mut bits = [0; CODES / 64];
        for run in self.list(runs) {
            for code in (run.first..=run.last).filter(|code| begins(run, *code, dwords)) {
                let own = code - base;
                if own & ((1 << shift) - 1) == 0 {
                    insert(&mut bits, own >> shift);
                }
            }
        }
        bits
    }
}

/// Returns the runs for which `is_in` holds.
fn run_set(runs: &[&CodeRun], is_in: impl Fn(&CodeRun) -> bool) -> RunSet {
    let mut set = 0;
    for (at, run) in runs.iter().enumerate().take(MAX_RUNS) {
        set |= RunSet::from(is_in(run)) << at;
    }
    set
}

/// Returns whether `dwords` registers of a run can begin with a code.
fn begins(run: &CodeRun, code: u32, dwords: u32) -> bool {
    let count = run.last - run.first + 1;
    match &run.kind {
        _ if run.fit != RunFit::Run => true,
        RunKind::Numbered(_) if run.is_aligned => {
            let step = if dwords > 2 { 4 } else { dwords };
            code.is_multiple_of(step) && code + dwords <= run.last + 1
        }
        RunKind::Names(names) => dwords == 1 || dwords == count && code == run.first && names.len() as u32 == count + 1,
        _ => true,
    }
}
