//! A dataflow analysis of pending work: results that have not arrived and sources that have not been read.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::facts::{EXEC, Fact, Lanes, Span};
use super::flow::Block;
use super::{Finding, Program, Rule};
use crate::counter::{Counter, Kind, Raise, Waits};

/// How states are joined where paths meet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Confluence {
    /// Work that is pending on any path.
    May,
    /// Work that is pending on all paths.
    Must,
}

/// The uses of registers that must wait for pending work.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Guard {
    /// The work writes the registers: neither read nor write them.
    Result,
    /// The work reads the registers: do not write them.
    Source,
}

/// The share of pending work in one counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Outstanding {
    counter: Counter,
    kind: Kind,
    /// The least value of the counter while the work is not done: its own share and that of later work in the same queue.
    /// A wait for less than that proves that the work is done.
    least: u8,
}

impl Outstanding {
    fn of(raise: Raise) -> Self {
        Outstanding { counter: raise.counter, kind: raise.kind, least: raise.least() }
    }

    /// Accounts for later work. Returns `false` if the counter cannot hold both, so that this work is done.
    ///
    /// The guide does not say what happens when a counter is full. LLVM takes exports that the counter cannot hold as
    /// done, but waits for the others: for at most the maximum minus one, since a wait for the maximum waits for nothing.
    fn follow(&mut self, raise: Raise) -> bool {
        if self.counter != raise.counter || raise.kind.queue().is_none() || self.kind.queue() != raise.kind.queue() {
            return true;
        }
        let max = self.counter.max();
        let least = self.least.saturating_add(raise.least());
        self.least = least.min(max);
        least <= max || self.counter != Counter::Exp
    }
}

/// Registers that pending work writes or reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pending {
    span: Span,
    /// The index of the instruction.
    source: usize,
    guard: Guard,
    /// The counters that tell whether the work is done: two for a flat access.
    counters: [Option<Outstanding>; 2],
    /// The known lanes of the work; used with [`Confluence::Must`].
    lanes: Lanes,
}

impl Pending {
    /// What is pending if this is on one path and `other` on another, with the source of `other`.
    fn on_both_paths(&self, other: &Pending) -> Option<Pending> {
        let span = self.span.intersection(other.span).filter(|_| self.guard == other.guard)?;
        let counters = [0, 1].map(|i| on_both(self.counters[i], other.counters[i]));
        let lanes = self.lanes.on_both_paths(other.lanes);
        let is_pending = counters.iter().any(Option::is_some);
        is_pending.then_some(Pending { span, counters, lanes, guard: self.guard, source: other.source })
    }

    /// The strongest wait that it needs.
    fn least(&self) -> Option<u8> {
        self.counters.iter().flatten().map(|o| o.least).min()
    }
}

/// The work that is pending at a point of the program.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct State(Vec<Pending>);

impl State {
    fn wait(&mut self, waits: &Waits, confluence: Confluence) {
        if waits.is_empty() {
            return;
        }
        for pending in &mut self.0 {
            for outstanding in &mut pending.counters {
                let Some(most) = outstanding.and_then(|o| waits.most(o.counter)) else { continue };
                let is_done = match (waits.open, confluence) {
                    (false, _) => outstanding.is_some_and(|o| most < o.least),
                    // The SGPR that adds to the limit may hold zero, or enough to make the wait void.
                    (true, Confluence::Must) => true,
                    (true, Confluence::May) => false,
                };
                if is_done {
                    *outstanding = None;
                }
            }
        }
        self.retain_pending();
    }

    fn retain_pending(&mut self) {
        self.0.retain(|p| p.counters.iter().any(Option::is_some));
    }

    /// Calls `each` with the rule, the work and the registers for every use of registers that is too early.
    fn check(&self, fact: &Fact, confluence: Confluence, mut each: impl FnMut(Rule, &Pending, Span)) {
        for p in &self.0 {
            // A use that reads and writes reads first.
            let reads = fact.uses.iter().filter(|u| u.reads);
            for register_use in reads.chain(fact.uses.iter().filter(|u| !u.reads)) {
                // M0 may move the use to other registers.
                if register_use.is_indexed && confluence == Confluence::Must {
                    continue;
                }
                let Some(span) = p.span.intersection(register_use.span) else { continue };
                let rule = match p.guard {
                    Guard::Result if register_use.reads => Rule::ReadTooEarly,
                    Guard::Result if register_use.writes && !completes_after(fact, p) => Rule::WriteTooEarly,
                    Guard::Source if register_use.writes => Rule::ExportOverwritten,
                    _ => continue,
                };
                // Lanes outside the work may use their part of a vector register.
                if confluence == Confluence::May || !span.is_vector() || p.lanes.overlap_active() {
                    each(rule, p, span);
                    break;
                }
            }
        }
    }

    fn issue(&mut self, at: usize, fact: &Fact, adds: bool) {
        let mut raised = fact.raises.iter().flatten().peekable();
        if raised.peek().is_none() {
            return;
        }
        for raise in raised {
            for slot in self.0.iter_mut().flat_map(|p| &mut p.counters) {
                if slot.as_mut().is_some_and(|outstanding| !outstanding.follow(*raise)) {
                    *slot = None;
                }
            }
        }
        self.retain_pending();
        let is_export = fact.is_export();
        let counters = fact.raises.map(|r| r.map(Outstanding::of));
        let mut add = |span: Span, guard| {
            // Earlier results for these registers arrive first, or the write is reported.
            if guard == Guard::Result && self.0.iter().any(|p| p.guard == guard && p.span.overlaps(span)) {
                let cut = |p: Pending| p.span.without(span).map(move |span| Pending { span, ..p });
                let (results, sources): (Vec<_>, Vec<_>) = self.0.drain(..).partition(|p| p.guard == guard);
                self.0 = sources;
                self.0.extend(results.into_iter().flat_map(cut));
            }
            if adds {
                self.0.push(Pending { span, source: at, guard, counters, lanes: Lanes::START });
            }
        };
        for register_use in &fact.uses {
            if is_export && register_use.reads && register_use.span.is_vector() {
                add(register_use.span, Guard::Source);
            } else if register_use.writes {
                add(register_use.span, Guard::Result);
            }
        }
        if is_export {
            add(EXEC, Guard::Source);
        }
    }

    /// Goes past an instruction whose waits are over.
    fn step(&mut self, at: usize, fact: &Fact, confluence: Confluence, adds: bool) {
        self.issue(at, fact, adds);
        if confluence == Confluence::Must {
            self.0.iter_mut().for_each(|p| p.lanes.step(fact));
        }
        if fact.is_call {
            self.0.clear();
        }
    }

    /// Joins the state at the end of another path. Returns whether that changed anything.
    fn join(&mut self, other: &State, confluence: Confluence) -> bool {
        let before = self.0.clone();
        match confluence {
            Confluence::May => {
                for theirs in &other.0 {
                    let is_same = |p: &&mut Pending| {
                        p.source == theirs.source && p.guard == theirs.guard && p.span == theirs.span
                    };
                    match self.0.iter_mut().find(is_same) {
                        Some(ours) => ours.counters = [0, 1].map(|i| on_either(ours.counters[i], theirs.counters[i])),
                        None => self.0.push(*theirs),
                    }
                }
            }
            Confluence::Must => {
                let mut both: Vec<Pending> = Vec::new();
                for ours in &self.0 {
                    let first = both.len();
                    // A pair that needs the strongest wait outlives all others.
                    let mut pairs: Vec<Pending> =
                        other.0.iter().filter_map(|theirs| ours.on_both_paths(theirs)).collect();
                    pairs.sort_by_key(|p| (p.least(), p.source != ours.source));
                    for new in pairs {
                        if !both[first..].iter().any(|p| p.span.overlaps(new.span)) {
                            both.push(Pending { source: ours.source, ..new });
                        }
                    }
                }
                self.0 = both;
            }
        }
        self.0.sort_by_key(|p| (p.source, p.guard, p.span));
        self.0.dedup();
        self.0 != before
    }
}

/// Whether the work of `fact` is done after `pending` without a wait, so that its result is the last one written.
fn completes_after(fact: &Fact, pending: &Pending) -> bool {
    pending.counters.iter().flatten().all(|outstanding| {
        outstanding.kind.queue().is_some()
            && fact.raises.iter().flatten().any(|r| r.counter == outstanding.counter && r.kind == outstanding.kind)
    })
}

/// The share that needs the stronger wait, of those on either path.
fn on_either(a: Option<Outstanding>, b: Option<Outstanding>) -> Option<Outstanding> {
    match (a, b) {
        (Some(a), Some(b)) if a.least <= b.least => Some(a),
        (Some(_), Some(b)) => Some(b),
        (one, other) => one.or(other),
    }
}

/// The share that is there on both paths, as far as the weaker wait removes it on one of them.
fn on_both(a: Option<Outstanding>, b: Option<Outstanding>) -> Option<Outstanding> {
    let (a, b) = (a?, b?);
    (a.counter == b.counter).then_some(if a.least >= b.least { a } else { b })
}

/// Executes a range of instructions. `adds`: the work that they issue becomes pending.
fn run(program: &Program, range: Range<usize>, state: &mut State, confluence: Confluence, adds: bool) {
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
fn report(
    program: &Program,
    range: Range<usize>,
    mut state: State,
    confluence: Confluence,
    adds: bool,
    out: &mut Vec<Finding>,
) {
    for at in range {
        if !adds && state.0.is_empty() {
            return;
        }
        let Some(fact) = program.facts.get(at) else { return };
        state.wait(&fact.waits, confluence);
        let mut missing = Waits::default();
        state.check(fact, confluence, |rule, pending, span| {
            let finding = program.finding(rule, at, Some(pending.source));
            // A flat access needs two waits.
            for outstanding in pending.counters.iter().flatten() {
                let wait = (outstanding.counter, outstanding.least - 1);
                missing.add(wait.0, wait.1);
                out.extend(finding.map(|f| Finding { wait: Some(wait), registers: Some(span), ..f }));
            }
        });
        state.wait(&missing, confluence);
        state.step(at, fact, confluence, adds);
    }
}

/// Computes the state at the start of each block.
fn solve(program: &Program, confluence: Confluence) -> Vec<State> {
    let blocks = &program.graph.blocks;
    let mut states: Vec<Option<State>> = vec![None; blocks.len()];
    let mut is_queued: Vec<bool> = vec![false; blocks.len()];
    let is_start = |block: &Block| block.is_entry || block.predecessors.is_empty();
    let mut work: Vec<usize> = (0..blocks.len()).rev().filter(|&b| is_start(&blocks[b])).collect();
    let mut others = 0..blocks.len();
    loop {
        for &b in &work {
            states[b] = Some(State::default());
            is_queued[b] = true;
        }
        while let Some(b) = work.pop() {
            is_queued[b] = false;
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
                if changed && !is_queued[to] {
                    is_queued[to] = true;
                    work.push(to);
                }
            }
        }
        // A loop that no known path enters: a jump through a register may.
        match others.find(|&b| states[b].is_none()) {
            Some(b) => work.push(b),
            None => return states.into_iter().map(Option::unwrap_or_default).collect(),
        }
    }
}

/// Reports waits that are missing on some path.
pub(super) fn possible(program: &Program, out: &mut Vec<Finding>) {
    let states = solve(program, Confluence::May);
    for (block, state) in program.graph.blocks.iter().zip(states) {
        report(program, block.range.clone(), state, Confluence::May, true, out);
    }
}

/// Reports waits that are missing whenever some edge is taken.
pub(super) fn certain(program: &Program, out: &mut Vec<Finding>) {
    let blocks = &program.graph.blocks;
    let states = solve(program, Confluence::Must);
    let mut ends: Vec<State> = Vec::with_capacity(blocks.len());
    for (block, state) in blocks.iter().zip(&states) {
        report(program, block.range.clone(), state.clone(), Confluence::Must, true, out);
        let mut end = state.clone();
        run(program, block.range.clone(), &mut end, Confluence::Must, true);
        ends.push(end);
    }
    // Work that is pending along one edge only is still pending for whoever takes that edge, until the paths part.
    for (from, block) in blocks.iter().enumerate() {
        for &to in &block.successors {
            let kept = &states[to];
            let lost = ends[from].0.iter().filter(|p| !kept.0.contains(p)).copied().collect::<Vec<_>>();
            if !lost.is_empty() {
                follow_edge(program, to, State(lost), out);
            }
        }
    }
}

/// Follows work that is pending when `start` is entered along one edge, through the blocks that must then be executed.
fn follow_edge(program: &Program, start: usize, lost: State, out: &mut Vec<Finding>) {
    /// The most blocks that one edge is followed through.
    const MAX_BLOCKS: usize = 256;
    let graph = &program.graph;
    report(program, graph.blocks[start].range.clone(), lost.clone(), Confluence::Must, false, out);
    let mut states: Vec<(usize, State)> = vec![(start, lost)];
    let mut work = vec![start];
    let mut steps = 0;
    while let Some(b) = work.pop() {
        steps += 1;
        if steps > MAX_BLOCKS {
            return;
        }
        let Some((_, state)) = states.iter().find(|(at, _)| *at == b) else { continue };
        let mut state = state.clone();
        run(program, graph.blocks[b].range.clone(), &mut state, Confluence::Must, false);
        for &to in &graph.blocks[b].successors {
            match states.iter_mut().find(|(at, _)| *at == to) {
                Some((_, known)) => {
                    if known.join(&state, Confluence::Must) {
                        work.push(to);
                    }
                }
                None => {
                    // An empty state has to be recorded too: other paths join it.
                    states.push((to, state.clone()));
                    work.push(to);
                }
            }
        }
    }
    for (b, state) in states {
        if b != start && !state.0.is_empty() && graph.is_post_dominated(start, b) {
            report(program, graph.blocks[b].range.clone(), state, Confluence::Must, false, out);
        }
    }
}
