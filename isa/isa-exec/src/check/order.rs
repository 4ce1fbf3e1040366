//! Races: accesses of different waves to one byte in no order.

use crate::check::finding::{AccessKind, MemorySpace};
use crate::check::{Checked, Checker};
use crate::wave::Wave;

/// An access of one lane to memory that waves share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SharedAccess {
    pub space: MemorySpace,
    /// The address; in the local data share the offset.
    pub at: u64,
    pub bytes: u32,
    pub lane: u32,
    pub kind: AccessKind,
    /// Whether it is a store that changes nothing.
    pub is_same: bool,
}

/// What is known of the accesses of all work-groups to memory.
#[derive(Debug, Default)]
pub(super) struct GlobalOrder {}

/// What is known of the accesses of a work-group to its local data share.
#[derive(Debug, Default)]
pub(super) struct GroupOrder {}

/// What a wave knows of the accesses of others.
#[derive(Debug, Default)]
pub(super) struct WaveOrder {}

impl Checker {
    /// Learns of an instruction before it is executed.
    pub(super) fn order_instruction(&mut self, _checked: &Checked, _wave: &Wave) {}

    /// Learns of an access.
    pub(super) fn order_access(&mut self, _access: SharedAccess) {}

    /// Learns that the waves of the work-group that wait at a barrier go on together.
    pub(super) fn order_barrier(&mut self, _waves: &[Wave]) {}
}
