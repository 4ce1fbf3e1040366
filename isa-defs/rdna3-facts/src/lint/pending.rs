//! Results that are under way, followed along the control flow.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::facts::{EXEC, Fact, Lanes, Span};
use super::{Finding, Program, Rule};
use crate::counter::{Counter, Kind, Raise, Waits};

/// Where paths meet: what is under way on any of them, or on all.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meet {
    Any,
    All,
}

/// What must not be done with registers before the work is done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Guard {
    /// The work writes them: neither read nor write.
    Result,
    /// The work reads them: do not write.
    Source,
}

/// The part of some work that one counter tells of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Need {
    counter: Counter,
    kind: Kind,
    /// The least that the counter can be while the work is not done: its own share and that of work behind it in the
    /// same queue. A wait for less than that is enough.
    left: u8,
}

/// More than any counter holds.
const MOST: u8 = 64;

impl Need {
    fn of(raise: Raise) -> Self {
        Need { counter: raise.counter, kind: raise.kind, left: if raise.at_once { raise.by } else { 1 } }
    }

    fn behind(&mut self, raise: Raise) {
        if self.counter == raise.counter && raise.kind.queue().is_some_and(|q| self.kind.queue() == Some(q)) {
            self.left = self.left.saturating_add(raise.by).min(MOST);
        }
    }
}

/// Registers that work under way will write or read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pending {
    span: Span,
    source: usize,
    guard: Guard,
    needs: [Option<Need>; 2],
    /// The lanes that it is about; known where paths meet as [`Meet::All`].
    lanes: Lanes,
}

/// What is under way at one place.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct State(Vec<Pending>);

impl State {
    fn wait(&mut self, waits: &Waits, meet: Meet) {
        if waits.is_empty() {
            return;
        }
        for pending in &mut self.0 {
            for need in &mut pending.needs {
                let Some(most) = need.and_then(|n| waits.most(n.counter)) else { continue };
                // How much an SGPR adds is not known: it may be nothing, or enough to make the wait void.
                let most = if !waits.open {
                    most
                } else if meet == Meet::All {
                    0
                } else {
                    MOST
                };
                if need.is_some_and(|n| most < n.left) {
                    *need = None;
                }
            }
        }
        self.0.retain(|p| p.needs.iter().any(Option::is_some));
    }

    /// Whether `fact` does to registers what it must not; gives the rule, the work and the registers.
    fn clashes(&mut self, fact: &Fact, meet: Meet, mut each: impl FnMut(Rule, &Pending, Span)) {
        // What is both read and written is read first.
        let reads = fact.touches.iter().filter(|t| t.reads);
        for touch in reads.chain(fact.touches.iter().filter(|t| !t.reads)) {
            self.0.retain(|p| {
                let Some(span) = p.span.common(touch.span) else { return true };
                let rule = match p.guard {
                    Guard::Result if touch.reads => Rule::ReadTooEarly,
                    Guard::Result if touch.writes && !in_order(p, fact) => Rule::WriteTooEarly,
                    Guard::Source if touch.writes => Rule::ExportOverwritten,
                    _ => return true,
                };
                // Lanes that are not of the work may use their part of a register.
                if meet == Meet::Any || !span.vector() || p.lanes.shared() {
                    each(rule, p, span);
                }
                false
            });
        }
    }

    fn issue(&mut self, at: usize, fact: &Fact, adds: bool) {
        let mut raised = fact.raises.iter().flatten().peekable();
        if raised.peek().is_none() {
            return;
        }
        for raise in raised {
            for need in self.0.iter_mut().flat_map(|p| p.needs.iter_mut().flatten()) {
                need.behind(*raise);
            }
        }
        let exports = fact.raises.iter().flatten().any(|r| matches!(r.kind, Kind::Export(_)));
        let needs = fact.raises.map(|r| r.map(Need::of));
        let mut add = |span: Span, guard| {
            // What was on its way to these registers before is written first, or has been complained of.
            if guard == Guard::Result && self.0.iter().any(|p| p.guard == guard && p.span.meets(span)) {
                let cut = |p: Pending| p.span.without(span).map(move |span| Pending { span, ..p });
                let (result, other): (Vec<_>, Vec<_>) = self.0.drain(..).partition(|p| p.guard == guard);
                self.0 = other;
                self.0.extend(result.into_iter().flat_map(cut));
            }
            if adds {
                self.0.push(Pending { span, source: at, guard, needs, lanes: Lanes::START });
            }
        };
        for touch in &fact.touches {
            if exports {
                add(touch.span, Guard::Source);
            } else if touch.writes {
                add(touch.span, Guard::Result);
            }
        }
        if exports {
            add(EXEC, Guard::Source);
        }
    }

    /// Takes in what comes along another path; whether that changed anything.
    fn join(&mut self, other: &State, meet: Meet) -> bool {
        let before = self.0.clone();
        match meet {
            Meet::Any => {
                for theirs in &other.0 {
                    let same = |p: &&mut Pending| {
                        p.source == theirs.source && p.guard == theirs.guard && p.span == theirs.span
                    };
                    match self.0.iter_mut().find(same) {
                        Some(ours) => ours.needs = [0, 1].map(|i| earlier(ours.needs[i], theirs.needs[i])),
                        None => self.0.push(*theirs),
                    }
                }
            }
            Meet::All => {
                let mut both: Vec<Pending> = Vec::new();
                for ours in &self.0 {
                    for theirs in other.0.iter().filter(|p| p.guard == ours.guard) {
                        let Some(span) = ours.span.common(theirs.span) else { continue };
                        let needs = [0, 1].map(|i| later(ours.needs[i], theirs.needs[i]));
                        let lanes = ours.lanes.common(theirs.lanes);
                        let new = Pending { span, needs, lanes, ..*ours };
                        if needs.iter().any(Option::is_some)
                            && !both.iter().any(|p| p.span.meets(span) && p.guard == new.guard)
                        {
                            both.push(new);
                        }
                    }
                }
                self.0 = both;
            }
        }
        self.0.sort_by_key(|p| (p.source, p.guard, p.span));
        self.0 != before
    }
}

/// Whether the work of `fact` is done behind that of `pending` anyhow, so that what it writes stays.
fn in_order(pending: &Pending, fact: &Fact) -> bool {
    pending.needs.iter().flatten().all(|need| {
        need.kind.queue().is_some()
            && fact.raises.iter().flatten().any(|r| r.counter == need.counter && r.kind == need.kind)
    })
}

/// The need that the weaker wait leaves open, of those on either path.
fn earlier(a: Option<Need>, b: Option<Need>) -> Option<Need> {
    match (a, b) {
        (Some(a), Some(b)) if a.left <= b.left => Some(a),
        (Some(_), Some(b)) => Some(b),
        (one, other) => one.or(other),
    }
}

/// The need that both paths have, as far as the weaker wait takes it away on one of them. Work of different kinds has
/// nothing in common.
fn later(a: Option<Need>, b: Option<Need>) -> Option<Need> {
    let (a, b) = (a?, b?);
    (a.counter == b.counter).then_some(if a.left >= b.left { a } else { b })
}

/// Executes a run of instructions. `adds`: what they begin is followed too.
fn run(
    program: &Program,
    range: Range<usize>,
    state: &mut State,
    meet: Meet,
    adds: bool,
    mut out: Option<&mut Vec<Finding>>,
) {
    for at in range {
        if !adds && state.0.is_empty() {
            return;
        }
        let Some(fact) = program.facts.get(at) else { return };
        state.wait(&fact.waits, meet);
        state.clashes(fact, meet, |rule, pending, span| {
            let finding = program.finding(rule, at, Some(pending.source));
            if let (Some(out), Some(finding)) = (out.as_deref_mut(), finding) {
                let mut needs = pending.needs.iter().flatten();
                let wait = needs.next().map(|n| (n.counter, n.left - 1));
                out.push(Finding { wait, registers: Some(span), ..finding });
                // A flat access needs a second wait.
                for need in needs {
                    out.push(Finding { wait: Some((need.counter, need.left - 1)), registers: Some(span), ..finding });
                }
            }
        });
        state.issue(at, fact, adds);
        if meet == Meet::All {
            state.0.iter_mut().for_each(|p| p.lanes.step(fact));
        }
        if fact.call {
            state.0.clear();
        }
    }
}

/// The state at the start of each block; none where execution never comes.
fn solve(program: &Program, meet: Meet) -> Vec<Option<State>> {
    let blocks = &program.graph.blocks;
    let mut states: Vec<Option<State>> = vec![None; blocks.len()];
    let mut waiting: Vec<bool> = vec![false; blocks.len()];
    let mut work = Vec::new();
    for (b, block) in blocks.iter().enumerate().rev() {
        if block.entry || block.before.is_empty() {
            states[b] = Some(State::default());
            waiting[b] = true;
            work.push(b);
        }
    }
    while let Some(b) = work.pop() {
        waiting[b] = false;
        let Some(mut state) = states[b].clone() else { continue };
        run(program, blocks[b].range.clone(), &mut state, meet, true, None);
        for &to in &blocks[b].next {
            let changed = match &mut states[to] {
                Some(known) => known.join(&state, meet),
                none => {
                    *none = Some(state.clone());
                    true
                }
            };
            if changed && !waiting[to] {
                waiting[to] = true;
                work.push(to);
            }
        }
    }
    states
}

/// Waits that are missing on some path.
pub(super) fn possible(program: &Program, out: &mut Vec<Finding>) {
    let states = solve(program, Meet::Any);
    for (block, state) in program.graph.blocks.iter().zip(states) {
        if let Some(mut state) = state {
            run(program, block.range.clone(), &mut state, Meet::Any, true, Some(out));
        }
    }
}

/// Waits that are missing whenever some edge is taken.
pub(super) fn certain(program: &Program, out: &mut Vec<Finding>) {
    let blocks = &program.graph.blocks;
    let states = solve(program, Meet::All);
    let mut left: Vec<State> = Vec::with_capacity(blocks.len());
    for (block, state) in blocks.iter().zip(&states) {
        let mut state = state.clone().unwrap_or_default();
        let reached = states.get(left.len()).is_some_and(Option::is_some);
        run(program, block.range.clone(), &mut state, Meet::All, true, reached.then_some(&mut *out));
        left.push(state);
    }
    // What was lost where paths meet is still certain for who comes along one of them, as long as it cannot turn away.
    for (from, block) in blocks.iter().enumerate() {
        for &to in &block.next {
            let Some(Some(kept)) = states.get(to) else { continue };
            let lost = left[from].0.iter().filter(|p| !kept.0.contains(p)).copied().collect::<Vec<_>>();
            if !lost.is_empty() {
                along(program, to, State(lost), out);
            }
        }
    }
}

/// Follows what is under way when `start` is entered along one edge, through the blocks that must then be executed.
fn along(program: &Program, start: usize, lost: State, out: &mut Vec<Finding>) {
    /// Blocks that one edge is followed through at most.
    const FAR: usize = 256;
    let graph = &program.graph;
    let mut first = lost.clone();
    run(program, graph.blocks[start].range.clone(), &mut first, Meet::All, false, Some(out));
    if first.0.is_empty() {
        return;
    }
    let mut states: Vec<(usize, State)> = vec![(start, lost)];
    let mut work = vec![start];
    let mut steps = 0;
    while let Some(b) = work.pop() {
        steps += 1;
        if steps > FAR {
            return;
        }
        let Some((_, state)) = states.iter().find(|(at, _)| *at == b) else { continue };
        let mut state = state.clone();
        run(program, graph.blocks[b].range.clone(), &mut state, Meet::All, false, None);
        for &to in &graph.blocks[b].next {
            match states.iter_mut().find(|(at, _)| *at == to) {
                Some((_, known)) => {
                    if known.join(&state, Meet::All) {
                        work.push(to);
                    }
                }
                None => {
                    // With nothing left a block need not be followed, but others must know that it was come to.
                    states.push((to, state.clone()));
                    work.push(to);
                }
            }
        }
    }
    for (b, mut state) in states {
        if b != start && !state.0.is_empty() && graph.always_reaches(start, b) {
            run(program, graph.blocks[b].range.clone(), &mut state, Meet::All, false, Some(out));
        }
    }
}
