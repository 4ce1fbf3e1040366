//! Pending work: results that have not arrived and sources that have not been read, and the effect of an instruction on them.

use alloc::vec::Vec;

use super::Rule;
use super::facts::{Fact, Lanes};
use super::span::{EXEC, Span};
use crate::counter::{Counter, Kind, Queue, Raise, WaitLimits};

/// How states are joined where paths meet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Confluence {
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
    /// The queue in whose order the counter decreases; `None`: in any order.
    queue: Option<Queue>,
    /// The kind of work; `None` if paths met that have different kinds of one queue pending.
    kind: Option<Kind>,
    /// The least value of the counter while the work is not done: its own share and that of later work in the same queue.
    /// A wait for less than that proves that the work is done.
    least: u8,
}

impl Outstanding {
    fn of(raise: Raise) -> Self {
        let queue = raise.kind.queue();
        Outstanding { counter: raise.counter, queue, kind: Some(raise.kind), least: raise.least() }
    }

    /// Accounts for later work. Returns `false` if the counter cannot hold both, so that this work is done.
    ///
    /// The guide does not define a full counter. LLVM assumes that exports which the counter cannot hold are done, but
    /// waits for other work: for at most the maximum minus one, since a wait for the maximum has no effect. So it is not
    /// certain that the other work is pending.
    fn follow(&mut self, raise: Raise, confluence: Confluence) -> bool {
        if self.counter != raise.counter || self.queue.is_none() || self.queue != raise.kind.queue() {
            return true;
        }
        let max = self.counter.max();
        let least = self.least.saturating_add(raise.least());
        self.least = least.min(max);
        least <= max || self.counter != Counter::Exp && confluence == Confluence::May
    }

    /// Joins two paths with the same work: the result needs the stronger of the two waits.
    fn on_either(self, other: Self) -> Self {
        if other.least < self.least { other } else { self }
    }

    /// Joins two paths: the result is done as soon as the work of one path is done. Returns `None` for work of different queues:
    /// later work decides which of the two is done first.
    fn on_both(self, other: Self) -> Option<Self> {
        let is_same_order = self.queue == other.queue && (self.queue.is_some() || self.kind == other.kind);
        let kind = self.kind.filter(|_| self.kind == other.kind);
        (self.counter == other.counter && is_same_order).then_some(Outstanding {
            kind,
            least: self.least.max(other.least),
            ..self
        })
    }

    /// Returns whether later work finishes later without a wait. If the kinds are mixed, this holds on some path at least.
    fn finishes_before(&self, raise: &Raise) -> bool {
        self.queue.is_some()
            && self.queue == raise.kind.queue()
            && self.counter == raise.counter
            && self.kind.is_none_or(|kind| kind == raise.kind)
    }
}

/// Registers that pending work writes or reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pending {
    span: Span,
    /// The index of the instruction.
    pub source: usize,
    guard: Guard,
    /// The counters that tell whether the work is done: two for a flat access.
    counters: [Option<Outstanding>; 2],
    /// The known lanes of the work; used with [`Confluence::Must`].
    lanes: Lanes,
}

impl Pending {
    /// Joins two paths: this work is pending on one and `other` on the other. The result has the source of this one.
    fn on_both_paths(&self, other: &Pending) -> Option<Pending> {
        let span = self.span.intersection(other.span).filter(|_| self.guard == other.guard)?;
        let counters = self.counters.map(|ours| {
            let ours = ours?;
            other.counters.iter().flatten().find_map(|theirs| ours.on_both(*theirs))
        });
        let lanes = self.lanes.on_both_paths(other.lanes);
        let is_pending = counters.iter().any(Option::is_some);
        is_pending.then_some(Pending { span, counters, lanes, ..*self })
    }

    /// Adds a path on which the same work is pending.
    fn add_path(&mut self, other: &Pending) {
        for (ours, theirs) in self.counters.iter_mut().zip(other.counters) {
            *ours = match (*ours, theirs) {
                (Some(ours), Some(theirs)) => Some(ours.on_either(theirs)),
                (one, other) => one.or(other),
            };
        }
    }

    /// Returns the identity of the work in a state.
    fn key(&self) -> (usize, Guard, Span) {
        (self.source, self.guard, self.span)
    }

    /// Returns whether the work of `fact` finishes after this one without a wait, so that its result is written last.
    ///
    /// A flat access, which raises two counters, does not: it may overtake in LDS what is pending in memory, and the reverse (§11.1.1).
    fn finishes_before(&self, fact: &Fact) -> bool {
        let [Some(raise), None] = &fact.raises else { return false };
        self.counters.iter().flatten().all(|outstanding| outstanding.finishes_before(raise))
    }

    /// Returns the waits that prove the work to be done: a counter and the largest value that it may have.
    pub fn waits(&self) -> impl Iterator<Item = (Counter, u8)> {
        self.counters.into_iter().flatten().map(|outstanding| (outstanding.counter, outstanding.least - 1))
    }
}

/// The work that is pending at a point of the program.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct State(pub Vec<Pending>);

impl State {
    /// Removes the work that a wait proves to be done.
    pub fn wait(&mut self, waits: &WaitLimits, confluence: Confluence) {
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
    pub fn check(&self, fact: &Fact, confluence: Confluence, mut each: impl FnMut(Rule, &Pending, Span)) {
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
                    Guard::Result if register_use.writes && !p.finishes_before(fact) => Rule::WriteTooEarly,
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

    fn issue(&mut self, at: usize, fact: &Fact, confluence: Confluence, adds: bool) {
        let mut raised = fact.raises.iter().flatten().peekable();
        if raised.peek().is_none() {
            return;
        }
        for raise in raised {
            for slot in self.0.iter_mut().flat_map(|p| &mut p.counters) {
                if slot.as_mut().is_some_and(|outstanding| !outstanding.follow(*raise, confluence)) {
                    *slot = None;
                }
            }
        }
        self.retain_pending();
        let is_export = fact.is_export();
        let counters = fact.raises.map(|r| r.map(Outstanding::of));
        let queue = counters[0].and_then(|outstanding| outstanding.queue);
        let mut add = |span: Span, guard| {
            // An earlier result arrives first, or the write is reported. A later export of a queue reads later. Either way
            // the new work is done last, and one work is known for each register, guard and queue of exports.
            let is_replaced = |p: &Pending| {
                let is_same_queue = p.counters.iter().flatten().any(|o| o.queue == queue);
                p.guard == guard && p.span.overlaps(span) && (guard == Guard::Result || is_same_queue)
            };
            if self.0.iter().any(is_replaced) {
                let (replaced, mut kept): (Vec<_>, Vec<_>) = self.0.drain(..).partition(is_replaced);
                let cut = |p: Pending| p.span.without(span).map(move |span| Pending { span, ..p });
                kept.extend(replaced.into_iter().flat_map(cut));
                self.0 = kept;
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

    /// Executes an instruction after its waits.
    pub fn step(&mut self, at: usize, fact: &Fact, confluence: Confluence, adds: bool) {
        self.issue(at, fact, confluence, adds);
        if confluence == Confluence::Must {
            self.0.iter_mut().for_each(|p| p.lanes.step(fact));
        }
        if fact.is_call {
            self.0.clear();
        }
    }

    /// Joins the state at the end of another path. Returns whether that changed anything.
    pub fn join(&mut self, other: &State, confluence: Confluence) -> bool {
        let joined = match confluence {
            Confluence::May => self.on_either_path(other),
            Confluence::Must => self.on_both_paths(other),
        };
        let has_changed = self.0 != joined;
        self.0 = joined;
        has_changed
    }

    /// Returns the work that is pending in either state.
    fn on_either_path(&self, other: &State) -> Vec<Pending> {
        let mut either = [&self.0[..], &other.0].concat();
        either.sort_by_key(Pending::key);
        either.dedup_by(|theirs, ours| {
            let is_same = ours.key() == theirs.key();
            if is_same {
                ours.add_path(theirs);
            }
            is_same
        });
        either
    }

    /// Returns the work that is pending in both states.
    fn on_both_paths(&self, other: &State) -> Vec<Pending> {
        let mut theirs: Vec<&Pending> = other.0.iter().collect();
        theirs.sort_by_key(|p| p.span);
        let longest = theirs.iter().map(|p| p.span.len()).max().unwrap_or(0);
        let both = |ours: &Pending| {
            let ours = *ours;
            // Those before this index end before the registers of `ours`.
            let first = theirs.partition_point(|p| p.span.first() + longest <= ours.span.first());
            let near =
                theirs.get(first..).unwrap_or_default().iter().take_while(move |p| p.span.first() < ours.span.end());
            near.filter_map(move |p| ours.on_both_paths(p))
        };
        let mut both: Vec<Pending> = self.0.iter().flat_map(both).collect();
        both.sort_by_key(Pending::key);
        both.dedup();
        both
    }
}
