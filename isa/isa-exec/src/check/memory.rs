//! Memory: which bytes an access may reach, and which were written.

use alloc::vec::Vec;

use isa_runtime::body::Space;

use crate::check::Checker;
use crate::check::finding::Bytes;
use crate::wave::Wave;

/// A part of the memory of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The first address.
    pub address: u64,
    /// The size in bytes.
    pub bytes: u64,
    /// Whether a kernel may write it.
    pub is_writable: bool,
    /// Whether its bytes are written before the kernel starts.
    pub is_written: bool,
}

/// The memory that all work-groups share.
#[derive(Debug)]
pub(super) struct GlobalMemory {
    _extents: Vec<Extent>,
}

impl GlobalMemory {
    pub fn new(extents: Vec<Extent>) -> Self {
        GlobalMemory { _extents: extents }
    }
}

/// The memory of a work-group.
#[derive(Debug, Default)]
pub(super) struct GroupMemory {}

impl GroupMemory {
    pub fn new(_lds: &[u8]) -> Self {
        GroupMemory {}
    }
}

/// The memory of a wave.
#[derive(Debug)]
pub(super) struct WaveMemory {}

impl WaveMemory {
    pub fn new(_wave: &Wave) -> Self {
        WaveMemory {}
    }
}

/// The access that is executed.
#[derive(Debug)]
pub(super) struct Current {
    /// Whether it is an atomic.
    pub atomic: bool,
    /// For each lane: the bytes that were loaded and are undefined, or those that are stored and are.
    pub undefined: [u64; 64],
    /// The lane and how many of its bytes were accessed.
    cursor: (usize, usize),
    /// Memory that was loaded and is undefined.
    pub origin: Option<Bytes>,
    /// The lanes that stored to memory nothing but undefined bytes.
    pub stored: u64,
}

impl Default for Current {
    fn default() -> Self {
        Current { atomic: false, undefined: [0; 64], cursor: (usize::MAX, 0), origin: None, stored: 0 }
    }
}

impl Current {
    /// Begins an access.
    pub fn begin(&mut self, atomic: bool) {
        *self = Current { atomic, ..Current::default() };
    }

    /// The offset of the next bytes of a lane.
    fn advance(&mut self, lane: usize, bytes: usize) -> usize {
        if self.cursor.0 != lane {
            self.cursor = (lane, 0);
        }
        let at = self.cursor.1;
        self.cursor.1 += bytes;
        at
    }
}

impl Checker {
    /// Checks a load of a lane; `false` if it gives zeros.
    pub(crate) fn reads(&mut self, _wave: &Wave, _space: Space, _address: u64, lane: usize, bytes: usize) -> bool {
        let at = self.access.advance(lane, bytes);
        let _ = at;
        true
    }

    /// Checks a store of a lane; `false` if it does nothing.
    pub(crate) fn writes(
        &mut self,
        _wave: &Wave,
        _space: Space,
        _address: u64,
        lane: usize,
        bytes: usize,
        _is_same: bool,
    ) -> bool {
        let _ = self.access.advance(lane, bytes);
        true
    }

    /// Checks an atomic of a lane; `false` if it does nothing and gives zero.
    pub(crate) fn updates(&mut self, _wave: &Wave, _space: Space, _address: u64, _lane: usize, _bytes: usize) -> bool {
        true
    }
}
