//! Detection of work-groups that wait: their state repeats while nobody changes memory.
//!
//! What a work-group does depends on its state (registers, program counters, scratch memory, LDS) and on memory alone. If the
//! state after two rounds is the same and nobody has changed memory in between, the work-group repeats the rounds between them
//! until somebody does. The detector compares the state after each round with a copy, which it replaces at growing distances
//! (Brent's algorithm), so that it finds loops of any length and costs little where there is none.

use alloc::vec::Vec;

use crate::group::WorkGroup;
use crate::wave::Wave;

/// The number of instructions of a wave, without a change of memory, before the state is copied first. A copy of a wave takes as
/// long as some 1,000 instructions.
const FIRST_COPY: u64 = 1 << 16;

/// The same in a run that is checked: a wait for a work-group that has not begun reaches the usual limits of instructions first,
/// which is a finding.
const FIRST_COPY_CHECKED: u64 = 1 << 18;

/// The same for a work-group that was found to wait before: it probably waits again. Each change that it makes to memory itself
/// makes the number four times as large, up to [`FIRST_COPY`].
const FIRST_COPY_OF_WAITING: u64 = 1 << 9;

/// The largest such number for work-groups that look as if they wait.
const LARGEST_FIRST_COPY: u64 = 1 << 24;

/// The number of instructions that a round in which all waves sleep counts for: the copy is made after 16 such rounds.
const INSTRUCTIONS_PER_SLEEP: u64 = FIRST_COPY / 16;

/// The largest number of registers in which a wave that looks as if it waits differs from the copy: it may count how often it
/// has polled.
const SIMILAR_REGISTERS: usize = 4;

/// What is known of a work-group after a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// The state is that of an earlier round, and nobody has changed memory since.
    Same,
    /// A few registers differ from the copy, and nobody has changed memory since.
    Similar,
}

/// The detector of a work-group.
#[derive(Clone, Debug)]
pub(super) struct Repeats {
    /// The version of memory.
    version: u64,
    /// The work-group's own changes of memory so far.
    changes: u64,
    /// The number of instructions of a wave since memory has changed.
    unchanged_for: u64,
    /// The value of `unchanged_for` at which the state is copied next.
    next: u64,
    /// The value of `unchanged_for` at which the state is copied first.
    first: u64,
    /// Whether the copy was made since memory has changed.
    is_valid: bool,
    waves: Vec<Wave>,
    lds: Vec<u8>,
}

impl Default for Repeats {
    fn default() -> Self {
        Self {
            version: 0,
            changes: 0,
            unchanged_for: 0,
            next: FIRST_COPY,
            first: FIRST_COPY,
            is_valid: false,
            waves: Vec::new(),
            lds: Vec::new(),
        }
    }
}

impl Repeats {
    /// Learns before the first round that the run is checked.
    pub const fn check(&mut self) {
        (self.first, self.next) = (FIRST_COPY_CHECKED, FIRST_COPY_CHECKED);
    }

    /// Learns the version of memory.
    pub fn see(&mut self, version: u64) {
        if self.version != version {
            self.version = version;
            self.restart();
        }
    }

    /// Learns the version of memory that is due to changes of the work-group itself.
    pub const fn adopt(&mut self, version: u64) {
        self.version = version;
    }

    /// After how many instructions a turn is over: early, if the work-group probably waits.
    pub fn turn(&self, turn: u64) -> u64 {
        if self.first < FIRST_COPY { turn.min(FIRST_COPY_OF_WAITING / 2) } else { turn }
    }

    /// Memory has changed.
    const fn restart(&mut self) {
        self.unchanged_for = 0;
        self.next = self.first;
        self.is_valid = false;
    }

    /// Judges a work-group after a round in which each wave that runs has executed about `executed` instructions.
    pub fn after_round(&mut self, group: &WorkGroup, changes: u64, executed: u64, is_awake: bool) -> Option<Verdict> {
        if self.changes != changes {
            self.changes = changes;
            self.first = self.first.max((self.first * 4).min(FIRST_COPY));
            self.restart();
            return None;
        }
        self.unchanged_for += if is_awake { executed.max(1) } else { executed.max(INSTRUCTIONS_PER_SLEEP) };
        if self.is_valid && self.differences(group, 1) == 0 {
            self.first = FIRST_COPY_OF_WAITING;
            return Some(Verdict::Same);
        }
        if self.unchanged_for < self.next {
            return None;
        }
        let is_similar =
            self.is_valid && is_awake && self.differences(group, SIMILAR_REGISTERS + 1) <= SIMILAR_REGISTERS;
        self.waves.clone_from(&group.waves);
        self.lds.clone_from(&group.lds);
        self.is_valid = true;
        self.next = self.unchanged_for.saturating_mul(2);
        if is_similar {
            self.first = (self.first * 2).clamp(FIRST_COPY, LARGEST_FIRST_COPY);
            self.restart();
        }
        is_similar.then_some(Verdict::Similar)
    }

    /// How many registers of a wave differ from the copy, at most: for the wave with most, up to a limit.
    fn differences(&self, group: &WorkGroup, limit: usize) -> usize {
        if self.waves.len() != group.waves.len() {
            return limit;
        }
        let mut most = 0;
        for (wave, copy) in group.waves.iter().zip(&self.waves) {
            most = most.max(wave.differences(copy, limit));
            if most >= limit {
                return limit;
            }
        }
        // LDS last: it is large, and the registers of a loop usually differ.
        if self.lds == group.lds { most } else { limit }
    }
}
