//! Observation of waves while they execute: traces, breakpoints, statistics.

use core::ops::ControlFlow;

use crate::wave::Wave;

/// An instruction that a wave executes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// The index of the instruction among those that its [`Program`](crate::program::Program) has lowered, for tables of counts.
    pub index: usize,
    /// The address.
    pub pc: u64,
    /// The address of the next instruction in memory.
    pub next: u64,
    /// The mnemonic, as the guide spells it; empty where the words are not an instruction.
    pub name: &'static str,
    /// The number of the wave in its work-group.
    pub wave: usize,
}

/// Watches the waves of a work-group.
///
/// The executor calls an observer that has [`ACTIVE`](Self::ACTIVE) around each instruction. The observer `()` is not
/// active: code compiled for it has no calls, and executes straight-line code without looking at each instruction.
pub trait Observer {
    /// Whether the executor calls the methods.
    const ACTIVE: bool = true;

    /// Called before an instruction. `Break` ends the run with [`FaultKind::Stopped`](crate::fault::FaultKind::Stopped)
    /// before the instruction has an effect: a later run continues with it.
    fn before(&mut self, _site: &Site, _wave: &Wave) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called after an instruction that did not fault.
    fn after(&mut self, _site: &Site, _wave: &Wave) {}
}

impl Observer for () {
    const ACTIVE: bool = false;
}

impl<O: Observer> Observer for &mut O {
    const ACTIVE: bool = O::ACTIVE;

    fn before(&mut self, site: &Site, wave: &Wave) -> ControlFlow<()> {
        (**self).before(site, wave)
    }

    fn after(&mut self, site: &Site, wave: &Wave) {
        (**self).after(site, wave);
    }
}
