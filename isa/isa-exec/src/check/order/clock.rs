//! What waves know of each other: vector clocks.
//!
//! A wave's clock counts its instructions that access memory. Accesses of one class, such as loads or stores, are complete in a
//! prefix of that order, so that a time for each class says which accesses of a wave are known to be complete.

use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::check::facts::{CacheLevel, Issue};

/// The counters that accesses to shared memory increment, and accesses that are complete at once.
pub(super) const CLASSES: usize = 5;

/// The class of accesses that increment no counter: they are complete at once.
pub(super) const AT_ONCE: usize = CLASSES - 1;

/// The place in [`Times`] of a single access whose effect was observed, while earlier ones of its class may be outstanding.
pub(super) const OBSERVED: usize = CLASSES;

/// For each class of accesses of a wave: the time up to which they are complete. The last is [`OBSERVED`].
pub(super) type Times = [u32; CLASSES + 1];

/// The times of the waves of a work-group.
pub(super) type GroupTimes = Arc<[Times]>;

/// The class of work.
pub(super) fn class_of(issue: Option<&Issue>) -> usize {
    issue.map_or(AT_ONCE, |issue| usize::from(issue.counter).min(AT_ONCE))
}

/// The later times of two work-groups' knowledge. The result is one of the two, if it can be.
pub(super) fn join(a: &GroupTimes, b: &GroupTimes) -> GroupTimes {
    if Arc::ptr_eq(a, b) || b.is_empty() {
        return a.clone();
    }
    let is_later = |a: &[Times], b: &[Times]| {
        a.len() >= b.len() && a.as_flattened().iter().zip(b.as_flattened()).all(|(a, b)| a >= b)
    };
    if is_later(a, b) {
        return a.clone();
    }
    if is_later(b, a) {
        return b.clone();
    }
    let mut all = vec![[0; CLASSES + 1]; a.len().max(b.len())];
    for times in [a, b] {
        for (to, from) in all.iter_mut().zip(times.iter()) {
            raise(to, from);
        }
    }
    all.into()
}

/// Replaces times by later ones.
pub(super) fn raise(to: &mut Times, from: &Times) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = (*to).max(*from);
    }
}

/// The times of many work-groups: a big-endian Patricia tree whose versions share what they have in common.
#[derive(Debug)]
pub(super) enum Clock {
    Group {
        group: u32,
        times: GroupTimes,
    },
    /// Work-groups whose index begins like `prefix`, and then has the bit `bit` clear in `halves[0]` and set in `halves[1]`.
    Branch {
        prefix: u32,
        bit: u32,
        halves: [Arc<Clock>; 2],
    },
}

impl Clock {
    /// The times of a work-group.
    pub fn get(&self, index: u32) -> Option<&GroupTimes> {
        let mut clock = self;
        loop {
            match clock {
                Clock::Group { group, times } => return (*group == index).then_some(times),
                Clock::Branch { bit, halves: [clear, set], .. } => {
                    clock = if index & bit == 0 { clear } else { set };
                }
            }
        }
    }

    /// The bits that the indices of all work-groups have in common, and the highest bit in which they differ.
    const fn head(&self) -> (u32, u32) {
        match self {
            Clock::Group { group, .. } => (*group, 0),
            Clock::Branch { prefix, bit, .. } => (*prefix, *bit),
        }
    }

    /// The later times of two clocks. The result is one of the two, if it can be.
    pub fn join(a: &Arc<Clock>, b: &Arc<Clock>) -> Arc<Clock> {
        if Arc::ptr_eq(a, b) {
            return a.clone();
        }
        match (&**a, &**b) {
            (Clock::Group { group, times }, Clock::Group { group: other, times: of_other }) if group == other => {
                let joined = join(times, of_other);
                if Arc::ptr_eq(&joined, times) {
                    a.clone()
                } else if Arc::ptr_eq(&joined, of_other) {
                    b.clone()
                } else {
                    Arc::new(Clock::Group { group: *group, times: joined })
                }
            }
            (
                Clock::Branch { prefix, bit, halves },
                Clock::Branch { prefix: of_other, bit: bit_of_other, halves: others },
            ) if prefix == of_other && bit == bit_of_other => {
                let [clear, set] = core::array::from_fn(|n| Clock::join(&halves[n & 1], &others[n & 1]));
                let is = |halves: &[Arc<Clock>; 2]| Arc::ptr_eq(&clear, &halves[0]) && Arc::ptr_eq(&set, &halves[1]);
                if is(halves) {
                    a.clone()
                } else if is(others) {
                    b.clone()
                } else {
                    Arc::new(Clock::Branch { prefix: *prefix, bit: *bit, halves: [clear, set] })
                }
            }
            (first, second) => {
                let ((prefix, bit), (of_other, bit_of_other)) = (first.head(), second.head());
                let is_in = |index: u32, prefix: u32, bit: u32| index & !(bit | bit.wrapping_sub(1)) == prefix;
                match (first, second) {
                    (Clock::Branch { .. }, _) if bit > bit_of_other && is_in(of_other, prefix, bit) => {
                        Clock::insert(a, b, of_other)
                    }
                    (_, Clock::Branch { .. }) if bit_of_other > bit && is_in(prefix, of_other, bit_of_other) => {
                        Clock::insert(b, a, prefix)
                    }
                    _ => {
                        let bit = 1 << (31 - (prefix ^ of_other).leading_zeros().min(31));
                        let halves = if prefix & bit == 0 { [a.clone(), b.clone()] } else { [b.clone(), a.clone()] };
                        Arc::new(Clock::Branch { prefix: prefix & !(bit | (bit - 1)), bit, halves })
                    }
                }
            }
        }
    }

    /// A branch whose half for an index is joined with another clock.
    fn insert(branch: &Arc<Clock>, other: &Arc<Clock>, index: u32) -> Arc<Clock> {
        let Clock::Branch { prefix, bit, halves } = &**branch else { return branch.clone() };
        let mut halves = halves.clone();
        let half = &mut halves[usize::from(index & bit != 0)];
        let joined = Clock::join(half, other);
        if Arc::ptr_eq(&joined, half) {
            return branch.clone();
        }
        *half = joined;
        Arc::new(Clock::Branch { prefix: *prefix, bit: *bit, halves })
    }
}

/// The later times of two clocks that may be empty.
pub(super) fn join_all(a: Option<&Arc<Clock>>, b: Option<&Arc<Clock>>) -> Option<Arc<Clock>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(Clock::join(a, b)),
        (a, b) => a.or(b).cloned(),
    }
}

/// What a wave knows of others: those of its work-group, and those from which it has acquired something.
#[derive(Default, Debug)]
pub(super) struct Known {
    pub group: GroupTimes,
    pub others: Option<Arc<Clock>>,
    pub visible: Visible,
}

/// The accesses of others whose values loads get: no cache can hold older ones.
#[derive(Clone, Default, Debug)]
pub(super) struct Visible {
    /// Those of the own work-group.
    pub group: GroupTimes,
    /// Those of other work-groups, by cache.
    pub caches: Caches,
}

/// The accesses of other work-groups of which caches hold no older values.
#[derive(Clone, Debug, Default)]
pub(super) struct Caches {
    /// The cache of the compute unit.
    pub unit: Option<Arc<Clock>>,
    /// That of several compute units.
    pub shared: Option<Arc<Clock>>,
}

impl Caches {
    /// Adds other accesses.
    pub fn join(&mut self, other: &Caches) {
        self.unit = join_all(self.unit.as_ref(), other.unit.as_ref());
        self.shared = join_all(self.shared.as_ref(), other.shared.as_ref());
    }
}

/// An access, as times know it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub is_own_group: bool,
    pub group: u32,
    pub wave: u8,
    pub class: u8,
    pub time: u32,
}

impl Event {
    /// Whether it is in the times of its work-group.
    fn is_in(&self, group: &GroupTimes, others: Option<&Arc<Clock>>) -> bool {
        let times = if self.is_own_group { Some(group) } else { others.and_then(|others| others.get(self.group)) };
        let of_wave = times.and_then(|times| times.get(usize::from(self.wave)));
        of_wave.is_some_and(|times| {
            times.get(usize::from(self.class)).is_some_and(|complete| *complete >= self.time)
                || times[OBSERVED] == self.time
        })
    }
}

impl Known {
    /// What a wave knows before its first instruction.
    pub fn nothing(waves: usize) -> Self {
        let group = nothing(waves);
        Known { visible: Visible { group: group.clone(), caches: Caches::default() }, group, others: None }
    }

    /// Whether an access is complete.
    pub fn has(&self, event: &Event) -> bool {
        event.is_in(&self.group, self.others.as_ref())
    }

    /// Whether no cache holds a value from before an access.
    pub fn sees(&self, event: &Event) -> bool {
        event.is_in(&self.visible.group, self.visible.caches.unit.as_ref())
    }

    /// The same of the cache of several compute units.
    pub fn sees_in_shared(&self, event: &Event) -> bool {
        event.is_own_group || event.is_in(&self.visible.group, self.visible.caches.shared.as_ref())
    }

    /// What a wave knows after it has invalidated a cache: the one of its compute unit is filled from the one of several.
    pub fn invalidate(&self, level: CacheLevel) -> Self {
        let visible = match level {
            CacheLevel::Shared => {
                let caches = Caches { unit: self.visible.caches.unit.clone(), shared: self.others.clone() };
                Visible { group: self.visible.group.clone(), caches }
            }
            CacheLevel::ComputeUnit => {
                let shared = self.visible.caches.shared.clone();
                Visible { group: self.group.clone(), caches: Caches { unit: shared.clone(), shared } }
            }
        };
        Known { group: self.group.clone(), others: self.others.clone(), visible }
    }
}

/// The most work that is remembered of a counter: more than a counter can count.
const LONGEST: usize = 64;

/// The work of one counter that is not known to be complete.
#[derive(Clone, Debug, Default)]
pub(super) struct Outstanding {
    work: VecDeque<(u32, Issue)>,
    /// Whether work was forgotten: only a wait for all says something.
    is_incomplete: bool,
}

impl Outstanding {
    /// Adds work, and returns the time up to which work is complete because the counter cannot count more.
    pub fn add(&mut self, time: u32, issue: Issue) -> Option<u32> {
        self.work.push_back((time, issue));
        if self.work.len() <= LONGEST {
            return None;
        }
        let is_in_order = self.is_in_order();
        let oldest = self.work.pop_front().map(|(time, _)| time);
        self.is_incomplete |= !is_in_order;
        oldest.filter(|_| is_in_order)
    }

    fn is_in_order(&self) -> bool {
        let mut queues = self.work.iter().map(|(_, issue)| issue.queue);
        let first = queues.next().flatten();
        !self.is_incomplete && first.is_some() && queues.all(|queue| queue == first)
    }

    /// Whether nothing is outstanding.
    pub fn is_empty(&self) -> bool {
        self.work.is_empty() && !self.is_incomplete
    }

    /// Waits until at most `most` work is outstanding, and returns the time up to which work is complete. The clock is at `now`.
    pub fn wait(&mut self, most: u8, now: u32) -> Option<u32> {
        if most == 0 {
            self.work.clear();
            self.is_incomplete = false;
            return Some(now);
        }
        if !self.is_in_order() {
            return None;
        }
        let (mut after, mut complete) = (0, 0);
        for (n, (_, issue)) in self.work.iter().enumerate().rev() {
            if after + u32::from(issue.least) > most.into() {
                complete = n + 1;
                break;
            }
            after += u32::from(issue.by);
        }
        self.work.drain(..complete).next_back().map(|(time, _)| time)
    }
}

/// The work of a wave that is not known to be complete, for each class.
pub(super) type AllOutstanding = [Outstanding; AT_ONCE];

/// The work-groups' times without a wave.
fn nothing(waves: usize) -> GroupTimes {
    let times: Vec<Times> = vec![[0; CLASSES + 1]; waves];
    times.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(group: u32, time: u32) -> Arc<Clock> {
        Arc::new(Clock::Group { group, times: Arc::from([[time; CLASSES + 1]]) })
    }

    #[test]
    fn clocks_of_many_groups_join() {
        let groups = [0, 5, 4, 1000, 7, u32::MAX, 1 << 31, 6, 5];
        let mut all = clock(3, 1);
        for (n, group) in groups.into_iter().enumerate() {
            all = if n % 2 == 0 {
                Clock::join(&all, &clock(group, n as u32 + 2))
            } else {
                Clock::join(&clock(group, n as u32 + 2), &all)
            };
        }
        for (n, group) in groups.into_iter().enumerate().skip(2) {
            assert_eq!(all.get(group).map(|times| times[0][0]), Some(n as u32 + 2), "{group}");
        }
        assert_eq!(all.get(3).map(|times| times[0][0]), Some(1));
        assert!(all.get(2).is_none() && all.get(1 << 30).is_none());
        // What adds nothing makes no new clock.
        assert!(Arc::ptr_eq(&Clock::join(&all, &clock(1000, 3)), &all));
        assert!(Arc::ptr_eq(&Clock::join(&clock(1000, 3), &all), &all));
        let other = Clock::join(&clock(9, 1), &clock(4, 9));
        let joined = Clock::join(&other, &all);
        assert!(
            Arc::ptr_eq(&Clock::join(&joined, &all), &joined) && Arc::ptr_eq(&Clock::join(&other, &joined), &joined)
        );
        assert_eq!(joined.get(4).map(|times| times[0][0]), Some(9));
    }

    #[test]
    fn waits_prove_what_the_order_of_work_proves() {
        let issue = |queue| Issue { counter: 0, by: 1, least: 1, queue, kind: 0 };
        let mut outstanding = Outstanding::default();
        (1..=3).for_each(|time| assert_eq!(outstanding.add(time, issue(Some(0))), None));
        assert_eq!(outstanding.wait(3, 9), None);
        assert_eq!(outstanding.wait(1, 9), Some(2));
        outstanding.add(4, issue(Some(1)));
        assert_eq!(outstanding.wait(1, 9), None, "two queues end in any order");
        assert_eq!(outstanding.wait(0, 9), Some(9));
        (10..74).for_each(|time| assert_eq!(outstanding.add(time, issue(Some(0))), None));
        assert_eq!(outstanding.add(74, issue(Some(0))), Some(10), "the counter has no room for more");
        (0..100).for_each(|time| assert_eq!(outstanding.add(75 + time, issue(None)), None));
        assert_eq!(outstanding.wait(1, 200), None);
    }
}
