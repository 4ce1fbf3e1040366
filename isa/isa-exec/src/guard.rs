//! What a run that is checked tells its checker.

use alloc::vec::Vec;

use isa_runtime::body::Space;

use crate::memory::lanes_of;
use crate::rows::{HALF, LANES};
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
    /// Learns which instruction is executed. Whether the registers that it reads are defined, and it has no more to check than what
    /// its accesses to memory reach. What it writes is defined then, unless it accesses memory.
    #[doc(hidden)]
    fn passes(&mut self, checked: &Checked, wave: &mut Wave) -> bool;
    /// Whether the checker looks at stores that change nothing.
    #[doc(hidden)]
    fn compares(&self) -> bool;
    /// A list for the accesses of an instruction, which is used again.
    #[doc(hidden)]
    fn rows(&mut self) -> &mut Vec<RowAccess>;
    /// Whether accesses of defined registers reach memory that they may access, and load nothing undefined.
    #[doc(hidden)]
    fn passes_rows(&self, access: &RowAccess) -> bool;
    /// Follows such accesses of an instruction, which are executed next. What it writes is defined then.
    #[doc(hidden)]
    fn follow_rows(&mut self, checked: &Checked, accesses: &[RowAccess], wave: &Wave);
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
}

/// What a checker has to know of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Load,
    Store,
    /// A store, and which lanes change nothing.
    ComparedStore,
}

/// An access of lanes of which each accesses as many bytes.
#[derive(Clone, Copy, Debug)]
pub struct RowAccess {
    pub(crate) space: Space,
    /// The addresses of the lanes; zeros if `block` or `halves` is known.
    pub(crate) addresses: [u64; LANES],
    /// The address of the lowest lane, if the others access the memory after it in their order.
    pub(crate) block: Option<u64>,
    /// The addresses of lanes 0 and 16, if all lanes are active, and the 15 after each of them access the memory after it in their order.
    pub(crate) halves: Option<[u64; 2]>,
    /// 0, or 1 for lanes 32 to 63.
    pub(crate) half: usize,
    pub(crate) mask: u32,
    pub(crate) bytes: usize,
    /// For stores: the lanes that change nothing.
    pub(crate) same: Option<u32>,
}

impl RowAccess {
    /// Whether lanes store.
    #[must_use]
    pub const fn is_store(&self) -> bool {
        self.same.is_some()
    }

    /// How many bytes a lane accesses.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The active lanes and their addresses.
    pub fn lanes(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        lanes_of(self.mask).map(|lane| (lane, self.address(lane)))
    }

    /// The address of an active lane.
    #[inline(always)]
    fn address(&self, lane: usize) -> u64 {
        let after = |address: u64, lanes: usize| address.wrapping_add((self.bytes * lanes) as u64);
        match (self.block, self.halves) {
            (Some(address), _) => after(address, lane - self.mask.trailing_zeros() as usize),
            (None, Some(halves)) => after(halves[lane / HALF % 2], lane % HALF),
            (None, None) => self.addresses.get(lane).copied().unwrap_or(0),
        }
    }

    /// Whether all lanes are active, and lanes 16 to 31 access what lanes 0 to 15 do, as for the operands of WMMA.
    pub(crate) fn repeats(&self) -> bool {
        let (low, high) = self.addresses.split_at(HALF);
        self.mask == u32::MAX && self.block.is_none() && self.halves.map_or(low == high, |[low, high]| low == high)
    }

    /// The first address and the one after the last.
    pub(crate) fn extent(&self) -> (u64, u64) {
        let bytes = self.bytes as u64;
        match (self.block, self.halves) {
            (Some(address), _) => {
                let lanes = 32 - self.mask.leading_zeros() - self.mask.trailing_zeros();
                (address, address.saturating_add(u64::from(lanes) * bytes))
            }
            (None, Some([low, high])) => (low.min(high), low.max(high).saturating_add(bytes * HALF as u64)),
            (None, None) => {
                let (mut first, mut last) = (u64::MAX, 0);
                for (lane, address) in self.addresses.iter().enumerate() {
                    let is_active = self.mask >> lane & 1 != 0;
                    first = first.min(if is_active { *address } else { u64::MAX });
                    last = last.max(if is_active { *address } else { 0 });
                }
                (first, last.saturating_add(bytes))
            }
        }
    }

    /// The runs of lanes that access consecutive memory in their order, and of which all change something or none does: the first lane,
    /// how many there are, and the address.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (usize, usize, u64)> + '_ {
        let is_same = |lane: usize| self.same.unwrap_or(0) >> lane & 1;
        let mut left = self.mask;
        core::iter::from_fn(move || {
            let first = left.trailing_zeros() as usize;
            if first == LANES {
                return None;
            }
            let (at, active) = (self.address(first), (left >> first).trailing_ones() as usize);
            let mut count = match self.same {
                None if self.block.is_some() => active,
                None if self.halves.is_some() => HALF,
                _ => 1,
            };
            while count < active
                && self.address(first + count) == at.wrapping_add((self.bytes * count) as u64)
                && is_same(first + count) == is_same(first)
            {
                count += 1;
            }
            left &= u32::MAX.checked_shl((first + count) as u32).unwrap_or(0);
            Some((first, count, at))
        })
    }
}
