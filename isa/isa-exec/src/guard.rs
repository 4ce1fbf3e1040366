//! What a run that is checked tells its checker.

use core::ops::Range;

use isa_runtime::body::Space;

use crate::memory::lanes_of;
use crate::rows::LANES;
use crate::step::{Block, Checked, Step};
use crate::wave::Wave;

/// A checker, as the executor sees it: [`Checker`](crate::check::Checker) is one.
pub trait Guard {
    /// Learns which wave goes on.
    #[doc(hidden)]
    fn turn(&mut self, wave: usize);
    /// Learns that all waves of the work-group that have not ended are at a barrier, and go on together.
    #[doc(hidden)]
    fn release(&mut self, waves: &[Wave]);
    /// Whether straight-line code has nothing to check. What it writes is defined then.
    #[doc(hidden)]
    fn passes_block(&mut self, block: &Block, wave: &Wave) -> bool;
    /// Learns which instruction is executed. Whether it has no more to check. What it writes is defined then.
    #[doc(hidden)]
    fn passes(&mut self, checked: &Checked, wave: &mut Wave) -> bool;
    /// Checks a step of an instruction before it is executed.
    #[doc(hidden)]
    fn before(&mut self, checked: &Checked, step: &Step, wave: &mut Wave);
    /// Follows the values of a step after it.
    #[doc(hidden)]
    fn after(&mut self, checked: &Checked, step: &Step, wave: &Wave);
    /// Learns that all steps of an instruction were executed that has more to check.
    #[doc(hidden)]
    fn end(&mut self, checked: &Checked, wave: &mut Wave);
    /// Checks a load of a lane; `false` if it gives zeros.
    #[doc(hidden)]
    fn reads(&mut self, space: Space, address: u64, lane: usize, bytes: usize) -> bool;
    /// Checks a store of a lane, which may change nothing; `false` if it does nothing.
    #[doc(hidden)]
    fn writes(&mut self, space: Space, address: u64, lane: usize, bytes: usize, is_same: bool) -> bool;
    /// Checks an atomic of a lane; `false` if it does nothing and gives zero.
    #[doc(hidden)]
    fn updates(&mut self, space: Space, address: u64, lane: usize, bytes: usize) -> bool;
    /// Checks an access of several lanes at once; `false`, without an effect, if lanes have to be checked one after the other.
    #[doc(hidden)]
    fn passes_rows(&mut self, access: &RowAccess<'_>) -> bool;
}

/// An access of lanes whose addresses are sums.
pub struct RowAccess<'a> {
    pub(crate) space: Space,
    pub(crate) addresses: &'a [u64; LANES],
    /// 0, or 1 for lanes 32 to 63.
    pub(crate) half: usize,
    pub(crate) mask: u32,
    pub(crate) bytes: usize,
    /// The rows of what is loaded or stored.
    pub(crate) rows: Range<u16>,
    /// For stores: the lanes that change nothing.
    pub(crate) same: Option<u32>,
}

impl RowAccess<'_> {
    /// The active lanes and their addresses.
    pub(crate) fn lanes(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        lanes_of(self.mask).map(|lane| (lane, self.addresses.get(lane).copied().unwrap_or(0)))
    }
}
