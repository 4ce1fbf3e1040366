//! The dataflow analysis of pending work over the blocks of a program, and the findings that follow from it.

use alloc::collections::btree_map::Entry;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use rdna_rows::Instruction;

use super::pending::{Confluence, State};
use super::{Certainty, Finding, Program};
use crate::counter::WaitLimits;
use crate::flow::Block;

/// Executes a range of instructions. `adds`: the work that they issue becomes pending.
fn run<I: Instruction>(
    program: &Program<I>,
    range: Range<usize>,
    state: &mut State,
    confluence: Confluence,
    adds: bool,
) {
    for at in range {
        if !adds && state.0.is_empty() {
            return;
        }
        let Some(fact) = program.facts.get(at) else { return };
        state.wait(&fact.waits, confluence);
        state.step(at, fact, confluence, adds);
    }
}

/// Executes a range of instructions as [`run`] does and reports uses of registers that are too early. Later uses are
/// checked as if the suggested waits were there.
fn report<I: Instruction>(
    program: &Program<I>,
    range: Range<usize>,
    mut state: State,
    confluence: Confluence,
    adds: bool,
    out: &mut Vec<Finding<I>>,
) {
    for at in range {
        if !adds && state.0.is_empty() {
            return;
        }
        let Some(fact) = program.facts.get(at) else { return };
        state.wait(&fact.waits, confluence);
        let mut missing = WaitLimits::default();
        state.check(fact, confluence, |rule, pending, span| {
            let certainty = if confluence == Confluence::Must { Certainty::Certain } else { Certainty::Possible };
            let finding = program.finding(rule, at, Some(pending.source)).map(|f| Finding { certainty, ..f });
            // A flat access needs two waits.
            for wait in pending.waits() {
                missing.add(wait.0, wait.1);
                out.extend(finding.map(|f| Finding { wait: Some(wait), registers: Some(span), ..f }));
            }
        });
        state.wait(&missing, confluence);
        state.step(at, fact, confluence, adds);
    }
}

/// Computes the state at the start of each block.
fn solve<I: Instruction>(program: &Program<I>, confluence: Confluence) -> Vec<State> {
    let blocks = &program.graph.blocks;
    let mut states: Vec<Option<State>> = vec![None; blocks.len()];
    let is_start = |block: &Block| block.is_entry || block.predecessors.is_empty();
    // In the order of the program, so that a block waits for the blocks before it that lead to it.
    let mut work: BTreeSet<usize> = (0..blocks.len()).filter(|&b| is_start(&blocks[b])).collect();
    let mut others = 0..blocks.len();
    loop {
        for &b in &work {
            states[b] = Some(State::default());
        }
        while let Some(b) = work.pop_first() {
            let Some(mut state) = states[b].clone() else { continue };
            run(program, blocks[b].range.clone(), &mut state, confluence, true);
            for &to in &blocks[b].successors {
                let changed = match &mut states[to] {
                    Some(known) => known.join(&state, confluence),
                    none => {
                        *none = Some(state.clone());
                        true
                    }
                };
                if changed {
                    work.insert(to);
                }
            }
        }
        // A loop that no known path enters: a jump through a register may.
        match others.find(|&b| states[b].is_none()) {
            Some(b) => work.insert(b),
            None => return states.into_iter().map(Option::unwrap_or_default).collect(),
        };
    }
}

/// Reports waits that are missing on some path.
pub(super) fn possible<I: Instruction>(program: &Program<I>, out: &mut Vec<Finding<I>>) {
    let states = solve(program, Confluence::May);
    for (block, state) in program.graph.blocks.iter().zip(states) {
        report(program, block.range.clone(), state, Confluence::May, true, out);
    }
}

/// Reports waits that are missing whenever some edge is taken.
pub(super) fn certain<I: Instruction>(program: &Program<I>, out: &mut Vec<Finding<I>>) {
    let blocks = &program.graph.blocks;
    let states = solve(program, Confluence::Must);
    let mut edges = Edges { program, budget: BUDGET, followed: vec![Vec::new(); blocks.len()] };
    for (block, state) in blocks.iter().zip(&states) {
        report(program, block.range.clone(), state.clone(), Confluence::Must, true, out);
        let mut end = state.clone();
        run(program, block.range.clone(), &mut end, Confluence::Must, true);
        // Work that is pending along one edge only.
        for &to in &block.successors {
            let lost: Vec<_> = end.0.iter().filter(|p| !states[to].0.contains(p)).copied().collect();
            edges.follow(to, State(lost), out);
        }
    }
}

/// How many times an instruction may be executed with a pending work in [`Edges`]. It bounds the time: programs can be written in
/// which each edge is followed through all blocks many times. Compiled kernels of ten thousand instructions need less than a
/// hundredth.
const BUDGET: usize = 100_000_000;

/// Follows work that is pending when a block is entered along one edge, through the blocks that must then be executed:
/// from each to its immediate post-dominator, until some path between them has waited for the work.
struct Edges<'a, I> {
    program: &'a Program<I>,
    /// How many more times an instruction may be executed with a pending work. Without it no finding is certain because of
    /// an edge.
    budget: usize,
    /// For each block, the states with which it has been reported.
    followed: Vec<Vec<State>>,
}

impl<I: Instruction> Edges<'_, I> {
    fn follow(&mut self, mut block: usize, mut state: State, out: &mut Vec<Finding<I>>) {
        while !state.0.is_empty() && !self.followed[block].contains(&state) {
            let range = self.program.graph.blocks[block].range.clone();
            report(self.program, range, state.clone(), Confluence::Must, false, out);
            self.followed[block].push(state.clone());
            let Some(next) = self.program.graph.blocks[block].post_dominator else { return };
            state = self.run_until(next, block, state);
            block = next;
        }
    }

    /// Returns the state in which `end` is first reached from the start of `start`, which it post-dominates.
    fn run_until(&mut self, end: usize, start: usize, state: State) -> State {
        let blocks = &self.program.graph.blocks;
        let mut states = BTreeMap::from([(start, state)]);
        let mut work = BTreeSet::from([start]);
        while let Some(b) = work.pop_first() {
            let Some(mut state) = states.get(&b).cloned() else { continue };
            let range = blocks[b].range.clone();
            let cost = range.len().saturating_mul(state.0.len()).saturating_add(1);
            let Some(budget) = self.budget.checked_sub(cost) else { return State::default() };
            self.budget = budget;
            run(self.program, range, &mut state, Confluence::Must, false);
            for &to in &blocks[b].successors {
                let changed = match states.entry(to) {
                    Entry::Occupied(mut known) => known.get_mut().join(&state, Confluence::Must),
                    Entry::Vacant(none) => {
                        none.insert(state.clone());
                        true
                    }
                };
                if to == end {
                    if states[&end].0.is_empty() {
                        return State::default();
                    }
                } else if changed {
                    work.insert(to);
                }
            }
        }
        states.remove(&end).unwrap_or_default()
    }
}
