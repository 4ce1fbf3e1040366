//! Loads and stores of whole rows: all lanes of an access whose addresses are sums in one space.
//!
//! Lanes that access consecutive memory are usual: their bytes are one copy. The addresses of others are checked together where that
//! can be, and one after the other if one is outside.

use alloc::vec::Vec;

use isa_runtime::body::Space;

use crate::access::block::{self, LaneBytes};
use crate::access::sum::Terms;
use crate::access::{Faulting, Spaces, part, part_mut};
use crate::fault::FaultKind;
use crate::guard::{Direction, RowAccess};
use crate::memory::{Memory, Unmapped, lanes_of};
use crate::rows::{File, HALF, LANES, Row, Wide};
use crate::step::Access;
use crate::wave::Wave;

/// Evaluates an expression with the number of bytes of a lane's access as a constant; `None` for a number that no access of rows has.
macro_rules! with_bytes {
    ($bytes:expr, $constant:ident => $value:expr) => {
        with_bytes!(@ $bytes, $constant, $value, 1 2 4 8 12 16)
    };
    (@ $bytes:expr, $constant:ident, $value:expr, $($number:literal)*) => {
        match $bytes {
            $($number => {
                const $constant: usize = $number;
                $value
            })*
            _ => None,
        }
    };
}

/// The most rows of an access.
const ROWS: usize = 4;

/// The accesses of the lanes of one file.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    /// 0, or 1 for lanes 32 to 63.
    pub half: usize,
    /// The lanes that access memory.
    pub mask: u32,
    /// Whether other active lanes are outside a buffer: they load zeros.
    is_cut: bool,
    pub space: Space,
    terms: Terms,
    /// The address of the lowest lane of the mask, if the others access the memory after it in their order.
    block: Option<u64>,
    /// The addresses of lanes 0 and 16, if all lanes access memory, and the 15 after each of them what follows in their order.
    halves: Option<[u64; 2]>,
}

impl Lanes {
    /// The lane and the kind of a fault of memory.
    fn unmapped(&self, (lane, unmapped): (usize, Unmapped), store: bool) -> (Option<usize>, FaultKind) {
        (Some(LANES * self.half + lane), FaultKind::Unmapped { address: unmapped.address, store })
    }

    /// Whether memory holds `bytes` bytes of rows at the addresses of all active lanes.
    fn hold(&self, memory: &dyn Memory, addresses: &[u64; LANES], bytes: usize, rows: &[Wide]) -> bool {
        let mut found = [Wide::ZERO; ROWS];
        let found = found.get_mut(..rows.len()).unwrap_or_default();
        if memory.gather(addresses, self.mask, bytes, found).is_err() {
            return false;
        }
        // The bytes of a dword that are not stored count as equal.
        let differ = |n: usize, lane: usize| {
            let stored = u32::MAX >> (32 - 8 * (bytes - 4 * n).min(4));
            let dword = |rows: &[Wide]| rows.get(n).and_then(|row| row.0.get(lane)).map_or(0, |dword| dword & stored);
            dword(rows) != dword(found)
        };
        lanes_of(self.mask).all(|lane| !(0..rows.len()).any(|n| differ(n, lane)))
    }

    /// The active lanes with their numbers in the wave and their addresses.
    fn each<'a>(&self, addresses: &'a [u64; LANES]) -> impl Iterator<Item = (usize, usize, u64)> + use<'a> {
        let first = LANES * self.half;
        lanes_of(self.mask).map(move |lane| (lane, first + lane, addresses.get(lane).copied().unwrap_or(0)))
    }

    /// The addresses of all lanes.
    pub fn addresses(&self, wave: &Wave) -> [u64; LANES] {
        wave.wide.get(self.half).map_or([0; LANES], |file| self.terms.addresses(file))
    }

    /// Loads the lanes together; `false` if that is not possible.
    #[inline(always)]
    pub fn load<const B: usize>(&self, wave: &Wave, spaces: &Spaces<'_>, block: &mut LaneBytes<B>) -> bool {
        match (self.space, self.block) {
            (Space::Lds, Some(address)) => self.load_block(
                address,
                block,
                #[inline(always)]
                |address, bytes| match part(spaces.lds, address, bytes.len()) {
                    Some(found) => {
                        bytes.copy_from_slice(found);
                        true
                    }
                    None => false,
                },
            ),
            (Space::Lds | Space::Scratch, _) => self.gather(wave, spaces.lds, block).is_some(),
            (_, Some(address)) => self.load_block(
                address,
                block,
                #[inline(always)]
                |address, bytes| spaces.memory.read_block(address, bytes),
            ),
            (_, None) => self.halves.is_some_and(
                #[inline(always)]
                |halves| load_halves(halves, spaces, block),
            ),
        }
    }

    /// Loads lanes that access consecutive memory.
    #[inline(always)]
    fn load_block<const B: usize>(
        &self,
        address: u64,
        block: &mut LaneBytes<B>,
        read: impl Fn(u64, &mut [u8]) -> bool,
    ) -> bool {
        let (first, end) = (self.mask.trailing_zeros() as usize, 32 - self.mask.leading_zeros() as usize);
        // All lanes, since a size that the compiler knows is copied faster, or else those between the first and the last.
        let before = (B * first) as u64;
        if address >= before && read(address - before, block.as_flattened_mut()) {
            return true;
        }
        let is_part = self.mask != u32::MAX;
        is_part && block.as_flattened_mut().get_mut(B * first..B * end).is_some_and(|bytes| read(address, bytes))
    }

    /// Loads from any offsets of LDS or scratch memory.
    #[inline(always)]
    fn gather<const B: usize>(&self, wave: &Wave, lds: &[u8], block: &mut LaneBytes<B>) -> Option<()> {
        let offsets = self.terms.offsets(wave.wide.get(self.half)?)?;
        if self.space == Space::Lds {
            return block::gather(lds, &offsets, self.mask, block);
        }
        let (scratch, bytes) = wave.all_scratch();
        let offsets = block::of_lanes::<B>(&offsets, self.mask, LANES * self.half, bytes)?;
        block::gather(scratch, &offsets, self.mask, block)
    }

    /// Stores the lanes together; `None` if that is not possible. Some lanes may have stored then.
    #[inline(always)]
    fn store<const B: usize>(&self, wave: &mut Wave, spaces: &mut Spaces<'_>, block: &LaneBytes<B>) -> Option<()> {
        match (self.space, self.block) {
            (Space::Lds, Some(address)) => self.store_block(address, block, |address, bytes| {
                let to = part_mut(spaces.lds, address, bytes.len())?;
                to.copy_from_slice(bytes);
                Some(())
            }),
            (Space::Lds | Space::Scratch, _) => self.scatter(wave, spaces.lds, block),
            (_, Some(address)) => self
                .store_block(address, block, |address, bytes| spaces.memory.write_block(address, bytes).then_some(())),
            (_, None) => None,
        }
    }

    /// Stores to any offsets of LDS or scratch memory.
    #[inline(always)]
    fn scatter<const B: usize>(&self, wave: &mut Wave, lds: &mut [u8], block: &LaneBytes<B>) -> Option<()> {
        let offsets = self.terms.offsets(wave.wide.get(self.half)?)?;
        if self.space == Space::Lds {
            return block::scatter(lds, &offsets, self.mask, block);
        }
        let (scratch, bytes) = wave.all_scratch_mut();
        let offsets = block::of_lanes::<B>(&offsets, self.mask, LANES * self.half, bytes)?;
        block::scatter(scratch, &offsets, self.mask, block)
    }

    /// Stores lanes that access consecutive memory.
    #[inline(always)]
    fn store_block<const B: usize>(
        &self,
        address: u64,
        block: &LaneBytes<B>,
        mut write: impl FnMut(u64, &[u8]) -> Option<()>,
    ) -> Option<()> {
        let bytes = block.as_flattened();
        if self.mask == u32::MAX {
            return write(address, bytes);
        }
        let lowest = self.mask.trailing_zeros() as usize;
        for (first, count) in block::runs(self.mask) {
            write(address + (B * (first - lowest)) as u64, bytes.get(B * first..B * (first + count))?)?;
        }
        Some(())
    }
}

impl Access {
    /// The accesses of active lanes of a file, of `B` bytes each, if the functions of this module can execute them.
    #[inline(always)]
    pub(super) fn wide<const B: usize>(&self, wave: &Wave, half: usize, active: u32) -> Option<Lanes> {
        let file = wave.wide.get(half)?;
        let terms = self.terms(wave)?;
        let mut lanes = (active, consecutive::<B>(terms, file, active));
        if let Some(limit) = terms.limit
            && !lanes.1.0.is_some_and(|address| terms.is_within::<B>(address, active, limit))
        {
            let mask = block::within::<B>(&terms.offsets(file)?, active, limit)?;
            if mask != active {
                lanes = (mask, consecutive::<B>(terms, file, mask));
            }
        }
        let (mask, (block, halves)) = lanes;
        let space = match self.space {
            Space::Global | Space::Lds | Space::Scratch => self.space,
            Space::Buffer => Space::Global,
            Space::Flat if is_global(wave, file, terms, mask, block) => Space::Global,
            _ => return None,
        };
        Some(Lanes { half, mask, is_cut: mask != active, space, terms, block, halves })
    }

    /// Loads active lanes of a file; `None` if this is not an access of rows.
    pub(super) fn load_rows(
        &self,
        wave: &mut Wave,
        spaces: &mut Spaces<'_>,
        half: usize,
        active: u32,
    ) -> Option<Faulting> {
        with_bytes!(self.bytes(), B => self.load_elements_of::<B>(wave, spaces, half, active))
    }

    /// Loads elements of `B` bytes.
    fn load_elements_of<const B: usize>(
        &self,
        wave: &mut Wave,
        spaces: &mut Spaces<'_>,
        half: usize,
        active: u32,
    ) -> Option<Faulting> {
        wave.env.units.run(
            #[inline(always)]
            || {
                if spaces.checker.is_some() {
                    return None;
                }
                let lanes = self.wide::<B>(wave, half, active)?;
                let mut block = [[0; B]; LANES];
                if !lanes.load(wave, spaces, &mut block) {
                    return Some(self.load_lanes(wave, spaces, lanes));
                }
                self.set_rows(wave, lanes, &block);
                Some(Ok(()))
            },
        )
    }

    /// Writes what lanes have loaded to rows.
    #[inline(always)]
    fn set_rows<const B: usize>(&self, wave: &mut Wave, lanes: Lanes, block: &LaneBytes<B>) {
        for n in 0..B.div_ceil(4) {
            self.set_row(wave, lanes, n, block::row(block, n));
        }
    }

    /// Writes a row of what lanes have loaded: to the vector register, or to a temporary if there are lanes of another file, which may
    /// fault after these.
    #[inline(always)]
    fn set_row(&self, wave: &mut Wave, lanes: Lanes, n: usize, row: Wide) {
        let row = if lanes.is_cut { block::masked(&row, lanes.mask) } else { row };
        let (to, mask) = match self.destination.filter(|_| wave.wide.len() == 1) {
            Some(register) => (register, wave.writing[0]),
            None => (self.data, u32::MAX),
        };
        if let Some(file) = wave.wide.get_mut(lanes.half) {
            file.set_lanes(to.saturating_add(n as u16), mask, row);
        }
    }

    /// Loads lanes one after the other.
    #[inline(never)]
    fn load_lanes(&self, wave: &mut Wave, spaces: &Spaces<'_>, lanes: Lanes) -> Faulting {
        let bytes = self.bytes();
        let mut rows = [Wide::ZERO; ROWS];
        let rows = rows.get_mut(..bytes.div_ceil(4)).unwrap_or_default();
        let addresses = lanes.addresses(wave);
        match lanes.space {
            Space::Lds => {
                for (lane, number, address) in lanes.each(&addresses) {
                    let address = address & 0xFFFF_FFFF;
                    match part(spaces.lds, address, bytes) {
                        Some(bytes) => spread(bytes, lane, rows),
                        None => spaces.outside_lds(wave, address, bytes).map_err(|kind| (Some(number), kind))?,
                    }
                }
            }
            Space::Scratch => {
                for (lane, number, address) in lanes.each(&addresses) {
                    match part(wave.scratch(number), address, bytes) {
                        Some(bytes) => spread(bytes, lane, rows),
                        None => return Err((Some(number), FaultKind::Scratch { address })),
                    }
                }
            }
            _ => {
                let read = spaces.memory.gather(&addresses, lanes.mask, bytes, rows);
                read.map_err(|error| lanes.unmapped(error, false))?;
            }
        }
        for (n, row) in rows.iter().enumerate() {
            self.set_row(wave, lanes, n, *row);
        }
        Ok(())
    }

    /// Stores active lanes of a file; `None` if this is not an access of rows.
    pub(super) fn store_rows(
        &self,
        wave: &mut Wave,
        spaces: &mut Spaces<'_>,
        half: usize,
        active: u32,
    ) -> Option<Faulting> {
        with_bytes!(self.bytes(), B => self.store_elements_of::<B>(wave, spaces, half, active))
    }

    /// Stores elements of `B` bytes.
    fn store_elements_of<const B: usize>(
        &self,
        wave: &mut Wave,
        spaces: &mut Spaces<'_>,
        half: usize,
        active: u32,
    ) -> Option<Faulting> {
        wave.env.units.run(
            #[inline(always)]
            || {
                if spaces.checker.is_some() {
                    return None;
                }
                let lanes = self.wide::<B>(wave, half, active)?;
                let is_memory = !matches!(lanes.space, Space::Lds | Space::Scratch) && lanes.mask != 0;
                spaces.changes += u64::from(is_memory && !(spaces.compares && self.are_held(wave, spaces, lanes)));
                let block = block::of_rows::<B>(wave.wide.get(half)?, self.data);
                match lanes.store(wave, spaces, &block) {
                    Some(()) => Some(Ok(())),
                    None => Some(self.store_lanes(wave, spaces, lanes)),
                }
            },
        )
    }

    /// Adds the accesses of active lanes of a file, as a checker sees them; `None` if this is not an access of rows.
    pub(super) fn add_row(
        &self,
        wave: &Wave,
        spaces: &Spaces<'_>,
        (half, active): (usize, u32),
        direction: Direction,
        rows: &mut Vec<RowAccess>,
    ) -> Option<()> {
        let lanes = with_bytes!(self.bytes(), B => self.wide_lanes::<B>(wave, half, active))?;
        let same = match direction {
            Direction::Load => None,
            Direction::Store => Some(0),
            Direction::ComparedStore => Some(self.same_lanes(wave, spaces, lanes)),
        };
        rows.push(RowAccess {
            space: if self.space == Space::Flat { lanes.space } else { self.space },
            addresses: if (lanes.block, lanes.halves) == (None, None) { lanes.addresses(wave) } else { [0; LANES] },
            block: lanes.block,
            halves: lanes.halves,
            half,
            mask: lanes.mask,
            bytes: self.bytes(),
            same,
        });
        Some(())
    }

    /// [`wide`](Self::wide), compiled for the vector units of the host.
    pub(super) fn wide_lanes<const B: usize>(&self, wave: &Wave, half: usize, active: u32) -> Option<Lanes> {
        wave.env.units.run(
            #[inline(always)]
            || self.wide::<B>(wave, half, active),
        )
    }

    /// The lanes whose memory holds what they store.
    #[inline(never)]
    fn same_lanes(&self, wave: &Wave, spaces: &Spaces<'_>, lanes: Lanes) -> u32 {
        let rows = self.data_rows(wave, lanes.half);
        let addresses = lanes.addresses(wave);
        let bytes = self.bytes();
        let mut same = 0;
        for (lane, number, address) in lanes.each(&addresses) {
            let mut new = [0; 4 * ROWS];
            let new = new.get_mut(..bytes).unwrap_or_default();
            collect(&rows, lane, new);
            let is_same = match lanes.space {
                Space::Lds => part(spaces.lds, address & 0xFFFF_FFFF, bytes) == Some(new),
                Space::Scratch => part(wave.scratch(number), address, bytes) == Some(new),
                _ => spaces.holds(address, new),
            };
            same |= u32::from(is_same) << lane;
        }
        same
    }

    /// The rows that a store writes.
    fn data_rows(&self, wave: &Wave, half: usize) -> [Wide; ROWS] {
        let row =
            |n: usize| wave.wide.get(half).map_or(Wide::ZERO, |file| *file.row(self.data.saturating_add(n as u16)));
        core::array::from_fn(row)
    }

    /// Whether memory holds what lanes store.
    #[cold]
    fn are_held(&self, wave: &Wave, spaces: &Spaces<'_>, lanes: Lanes) -> bool {
        let rows = self.data_rows(wave, lanes.half);
        let rows = rows.get(..self.bytes().div_ceil(4)).unwrap_or_default();
        lanes.hold(spaces.memory, &lanes.addresses(wave), self.bytes(), rows)
    }

    /// Stores lanes one after the other.
    #[inline(never)]
    fn store_lanes(&self, wave: &mut Wave, spaces: &mut Spaces<'_>, lanes: Lanes) -> Faulting {
        let bytes = self.bytes();
        let addresses = lanes.addresses(wave);
        let rows = self.data_rows(wave, lanes.half);
        let rows = rows.get(..bytes.div_ceil(4)).unwrap_or_default();
        match lanes.space {
            Space::Lds => {
                for (lane, number, address) in lanes.each(&addresses) {
                    let address = address & 0xFFFF_FFFF;
                    match part_mut(spaces.lds, address, bytes) {
                        Some(bytes) => collect(rows, lane, bytes),
                        None => spaces.outside_lds(wave, address, bytes).map_err(|kind| (Some(number), kind))?,
                    }
                }
            }
            Space::Scratch => {
                for (lane, number, address) in lanes.each(&addresses) {
                    match part_mut(wave.scratch_mut(number), address, bytes) {
                        Some(bytes) => collect(rows, lane, bytes),
                        None => return Err((Some(number), FaultKind::Scratch { address })),
                    }
                }
            }
            _ => {
                let written = spaces.memory.scatter(&addresses, lanes.mask, bytes, rows);
                written.map_err(|error| lanes.unmapped(error, true))?;
            }
        }
        Ok(())
    }
}

/// The addresses of lanes that access consecutive memory, as [`Lanes`] has them: `block` and `halves`.
#[inline(always)]
fn consecutive<const B: usize>(terms: Terms, file: &File<Wide>, mask: u32) -> (Option<u64>, Option<[u64; 2]>) {
    match mask {
        0 => (None, None),
        u32::MAX => {
            let halves = terms.consecutive_halves::<B>(file);
            let is_block = |[low, high]: &[u64; 2]| *high == low.wrapping_add((B * HALF) as u64);
            (halves.filter(is_block).map(|[low, _]| low), halves)
        }
        _ => (terms.consecutive::<B>(file, mask), None),
    }
}

/// Loads lanes of which each 16 access consecutive memory, as those of WMMA's operands: lanes 16 to 31 access what lanes 0 to 15 do.
#[inline(always)]
fn load_halves<const B: usize>([low, high]: [u64; 2], spaces: &Spaces<'_>, block: &mut LaneBytes<B>) -> bool {
    let (of_low, of_high) = block.split_at_mut(HALF);
    let is_read = spaces.memory.read_block(low, of_low.as_flattened_mut());
    if low == high {
        of_high.copy_from_slice(of_low);
        return is_read;
    }
    is_read && spaces.memory.read_block(high, of_high.as_flattened_mut())
}

/// Whether all lanes of a flat access access global memory.
#[inline(never)]
fn is_global(wave: &Wave, file: &File<Wide>, terms: Terms, mask: u32, block: Option<u64>) -> bool {
    let is_global = |address: u64| {
        let high = (address >> 32) as u32;
        high != wave.layout.shared_aperture && high != wave.layout.private_aperture
    };
    match block {
        // The block ends in the same 4 GiB or at the beginning of the next.
        Some(address) => is_global(address) && is_global(address.wrapping_add((LANES * 4 * ROWS) as u64)),
        None => {
            let addresses = terms.addresses(file);
            lanes_of(mask).all(|lane| addresses.get(lane).is_some_and(|address| is_global(*address)))
        }
    }
}

/// The bytes of one lane as dwords of rows.
fn spread(bytes: &[u8], lane: usize, rows: &mut [Wide]) {
    for (chunk, row) in bytes.chunks(4).zip(rows) {
        row.set(lane, chunk.iter().rev().fold(0, |dword, byte| dword << 8 | u32::from(*byte)));
    }
}

/// One lane of rows as bytes.
fn collect(rows: &[Wide], lane: usize, bytes: &mut [u8]) {
    for (row, chunk) in rows.iter().zip(bytes.chunks_mut(4)) {
        let dword = row.0.get(lane).copied().unwrap_or(0).to_le_bytes();
        chunk.copy_from_slice(dword.get(..chunk.len()).unwrap_or_default());
    }
}
