//! The host's part in a dispatch.

use std::sync::Mutex;

use isa_exec::check::Checker;
use isa_exec::observe::Observer;

use crate::services::Printed;

/// The host of a dispatch: it observes the work-groups, gets what they print, and learns how far they are.
///
/// Methods are called from several threads. The host `()` observes and prints nothing.
pub trait Host: Sync {
    /// The observer of a work-group.
    type Observer: Observer + Send;

    /// Returns the observer of a work-group that begins.
    fn observer(&self, group: [u32; 3]) -> Self::Observer;

    /// Returns the checker of the run, whose program [is checked](isa_exec::program::Program::checked). One thread executes the
    /// work-groups then, so that findings do not depend on how many there are.
    fn checker(&self) -> Option<&Mutex<Checker>> {
        None
    }

    /// Gets what a work-group has printed: in the order of the work-groups, and for the first one that has not ended also in parts.
    fn print(&self, _group: [u32; 3], _printed: &[Printed]) {}

    /// Learns that a work-group does not go on for now.
    fn suspended(&self, _status: &Status) {}

    /// Whether to end the run: each work-group then ends with [`FaultKind::Stopped`](isa_exec::fault::FaultKind::Stopped) after at most
    /// [`STOP_AFTER`](Self::STOP_AFTER) instructions.
    fn is_stopped(&self) -> bool {
        false
    }

    /// After how many instructions of a work-group [`is_stopped`](Self::is_stopped) is called; at least 1.
    const STOP_AFTER: u64 = u64::MAX;

    /// Learns how many instructions the waves of a work-group that ends have executed.
    fn executed(&self, _group: [u32; 3], _instructions: u64) {}

    /// Gets the observer of a work-group that has ended, whether or not by a fault.
    fn ended(&self, _group: [u32; 3], _observer: Self::Observer) {}
}

impl Host for () {
    type Observer = ();

    fn observer(&self, _group: [u32; 3]) {}
}

/// How far a work-group is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Status {
    /// The work-group's number in x, y and z.
    pub group: [u32; 3],
    /// The number of the first wave that runs.
    pub wave: usize,
    /// The address of its next instruction.
    pub pc: u64,
    /// How many instructions the waves of the work-group have executed.
    pub instructions: u64,
}
