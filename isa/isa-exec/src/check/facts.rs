//! What a checker has to know about instructions besides their bodies: the counters of outstanding work, and caches.

use alloc::vec::Vec;

/// How many counters of outstanding work a machine has at most.
pub const COUNTERS: usize = 8;

/// Facts about an instruction that its body does not say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// The work that it issues, which continues after it.
    pub issues: Vec<Issue>,
    /// For each counter: the most work that is outstanding when the instruction has waited; `None`: it does not wait.
    pub waits: [Option<u8>; COUNTERS],
}

/// Work that an instruction issues.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Issue {
    /// The number of the counter that it increments.
    pub counter: u8,
    /// By how much.
    pub by: u8,
    /// The part of the counter that is certain to remain while the work is not done.
    pub least: u8,
    /// The queue of this kind of work: work of one queue ends in the order in which it was issued. `None`: in any order.
    pub queue: Option<u8>,
    /// The number of the kind of work: different kinds that increment one counter end in any order.
    pub kind: u8,
}
