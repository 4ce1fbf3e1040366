//! Loads, stores and atomics.

mod block;
mod element;
mod image;
mod sample;
mod sum;
mod update;
mod wide;

use alloc::vec::Vec;

use isa_runtime::body::Space;

use crate::descriptor::{BufferRequest, PIECES, Pieces, ScalarRequest};
use crate::fault::FaultKind;
use crate::guard::{Direction, Guard, RowAccess};
use crate::memory::Memory;
use crate::operation::dwords;
use crate::rows::LANES;
use crate::step::{Access, Addressing, Commit, Conversion, Query};
use crate::wave::Wave;

/// The memories that an instruction can access.
pub(crate) struct Spaces<'a> {
    /// Memory.
    pub memory: &'a dyn Memory,
    /// The local data share of the work-group.
    pub lds: &'a mut [u8],
    /// How often memory was changed or a clock read. While it stays the same, what the waves do depends on their state alone.
    /// Atomics count if they change memory, and stores if `compares` is set; otherwise all stores count.
    pub changes: u64,
    /// Whether stores look whether they change memory, which takes a load.
    pub compares: bool,
    /// The checker of the run. Lanes that it checks access memory one after the other.
    pub checker: Option<&'a mut (dyn Guard + 'static)>,
}

/// The most bytes that one lane accesses.
const MAX_BYTES: usize = 64;

/// A piece of an access of one lane.
#[derive(Clone, Copy)]
struct Target {
    space: Space,
    /// The address; `None`: out of range, where loads give zero and stores do nothing.
    address: Option<u64>,
    lane: usize,
}

/// The alignment of scalar loads, whose addresses are rounded down: a dword, or less if they load less.
pub(crate) const fn scalar_alignment(bytes: usize) -> u64 {
    if bytes < 4 { bytes as u64 } else { 4 }
}

/// The space that an address of an access to some bytes is in, and the address there.
fn resolve(wave: &Wave, space: Space, address: u64, bytes: usize, lane: usize) -> Target {
    let layout = &wave.layout;
    let high = (address >> 32) as u32;
    let (space, address) = match space {
        Space::Flat if high == layout.shared_aperture => (Space::Lds, address & 0xFFFF_FFFF),
        Space::Flat if high == layout.private_aperture => (Space::Scratch, address & 0xFFFF_FFFF),
        Space::Flat => (Space::Global, address),
        Space::Scalar => (Space::Scalar, address & !(scalar_alignment(bytes) - 1)),
        // Addresses of LDS wrap at 32 bits.
        Space::Lds | Space::Gds => (space, address & 0xFFFF_FFFF),
        space => (space, address),
    };
    Target { space, address: Some(address), lane }
}

/// A part of a slice from an address on.
fn part(bytes: &[u8], address: u64, count: usize) -> Option<&[u8]> {
    let start = usize::try_from(address).ok()?;
    bytes.get(start..start.checked_add(count)?)
}

/// A part of a slice from an address on, to be changed.
fn part_mut(bytes: &mut [u8], address: u64, count: usize) -> Option<&mut [u8]> {
    let start = usize::try_from(address).ok()?;
    bytes.get_mut(start..start.checked_add(count)?)
}

impl Spaces<'_> {
    /// The outcome of an access outside the local data share: loads give zero and stores do nothing (guide §3.3.4.1), or a fault.
    #[cold]
    fn outside_lds(&self, wave: &Wave, address: u64, bytes: usize) -> Result<(), FaultKind> {
        let (bytes, size) = (bytes as u32, self.lds.len() as u32);
        if wave.reports_lds_range { Err(FaultKind::Lds { address, bytes, size }) } else { Ok(()) }
    }

    fn read(&mut self, wave: &Wave, target: &Target, bytes: &mut [u8]) -> Result<(), FaultKind> {
        let Some(address) = target.address else {
            bytes.fill(0);
            return Ok(());
        };
        if let Some(checker) = &mut self.checker
            && !checker.reads(target.space, address, target.lane, bytes.len())
        {
            bytes.fill(0);
            return Ok(());
        }
        let found = match target.space {
            Space::Lds => match part(self.lds, address, bytes.len()) {
                Some(found) => Some(found),
                None => {
                    self.outside_lds(wave, address, bytes.len())?;
                    None
                }
            },
            Space::Gds => part(self.lds, address, bytes.len()),
            Space::Scratch => match part(wave.scratch(target.lane), address, bytes.len()) {
                Some(found) => Some(found),
                None => return Err(FaultKind::Scratch { address }),
            },
            space => {
                let is_scalar = space == Space::Scalar;
                let read =
                    if is_scalar { self.memory.read_line(address, bytes) } else { self.memory.read(address, bytes) };
                return read.map_err(|unmapped| FaultKind::Unmapped { address: unmapped.address, store: false });
            }
        };
        match found {
            Some(found) => bytes.copy_from_slice(found),
            None => bytes.fill(0),
        }
        Ok(())
    }

    /// Whether memory holds these bytes.
    fn holds(&self, address: u64, bytes: &[u8]) -> bool {
        let mut found = [0; MAX_BYTES];
        let found = found.get_mut(..bytes.len()).unwrap_or_default();
        self.memory.read(address, found).is_ok() && found == bytes
    }

    /// Whether the memory that a store reaches holds its bytes already.
    fn is_same(&self, wave: &Wave, target: &Target, address: u64, bytes: &[u8]) -> bool {
        match target.space {
            Space::Lds | Space::Gds => part(self.lds, address, bytes.len()) == Some(bytes),
            Space::Scratch => part(wave.scratch(target.lane), address, bytes.len()) == Some(bytes),
            _ => self.holds(address, bytes),
        }
    }

    fn write(&mut self, wave: &mut Wave, target: &Target, bytes: &[u8]) -> Result<(), FaultKind> {
        let Some(address) = target.address else {
            return Ok(());
        };
        if let Some(checker) = &self.checker {
            let is_same = checker.compares() && self.is_same(wave, target, address, bytes);
            if let Some(checker) = &mut self.checker
                && !checker.writes(target.space, address, target.lane, bytes.len(), is_same)
            {
                return Ok(());
            }
        }
        let found = match target.space {
            Space::Lds => match part_mut(self.lds, address, bytes.len()) {
                Some(found) => Some(found),
                None => return self.outside_lds(wave, address, bytes.len()),
            },
            Space::Gds => part_mut(self.lds, address, bytes.len()),
            Space::Scratch => match part_mut(wave.scratch_mut(target.lane), address, bytes.len()) {
                Some(found) => Some(found),
                None => return Err(FaultKind::Scratch { address }),
            },
            _ => {
                self.changes += u64::from(!self.compares || !self.holds(address, bytes));
                let written = self.memory.write(address, bytes);
                return written.map_err(|unmapped| FaultKind::Unmapped { address: unmapped.address, store: true });
            }
        };
        if let Some(found) = found {
            found.copy_from_slice(bytes);
        }
        Ok(())
    }
}

impl Access {
    /// How many bytes a lane accesses.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> usize {
        usize::from(self.ty.total_bits()).div_ceil(8).clamp(1, MAX_BYTES)
    }

    /// Adds the accesses of the lanes as a checker sees them; `None` if lanes have to be checked one after the other.
    pub(crate) fn add_rows(
        &self,
        wave: &Wave,
        spaces: &Spaces<'_>,
        direction: Direction,
        rows: &mut Vec<RowAccess>,
    ) -> Option<()> {
        let active = self.active(wave);
        if self.lanes {
            for half in 0..wave.wide.len() {
                let active = (active >> (LANES * half)) as u32;
                if active != 0 {
                    self.add_row(wave, spaces, (half, active), direction, rows)?;
                }
            }
        } else if active != 0 {
            let Addressing::Sum(sum) = self.address else { return None };
            let address = self.sum(wave, sum, 0);
            if self.space != Space::Scalar || direction != Direction::Load {
                return None;
            }
            if !address.is_multiple_of(scalar_alignment(self.bytes())) {
                return None;
            }
            let (addresses, bytes) = ([0; LANES], self.bytes());
            let (space, block, halves) = (self.space, Some(address), None);
            rows.push(RowAccess { space, addresses, block, halves, half: 0, mask: 1, bytes, same: None });
        }
        Some(())
    }

    /// The lanes that access memory: all active ones, or the wave as a whole as lane 0.
    pub(crate) fn active(&self, wave: &Wave) -> u64 {
        if !self.lanes {
            let holds = self.condition.is_none_or(|row| wave.sgpr(row) & 1 != 0);
            return u64::from(holds);
        }
        let condition = match self.condition {
            Some(row) => {
                let [low, high] = wave.lanes_of_row(row);
                u64::from(high) << 32 | u64::from(low)
            }
            None => u64::MAX,
        };
        wave.exec() & condition
    }

    /// A row of an access in a lane.
    fn dword(&self, wave: &Wave, row: u16, lane: usize) -> u32 {
        if self.lanes { wave.vgpr(row, lane) } else { wave.sgpr(row) }
    }

    fn set_dword(&self, wave: &mut Wave, row: u16, lane: usize, value: u32) {
        if self.lanes { wave.set_vgpr(row, lane, value) } else { wave.set_sgpr(row, value) }
    }

    /// Up to four rows of an access in a lane.
    fn dwords<const N: usize>(&self, wave: &Wave, row: u16, lane: usize) -> [u32; N] {
        core::array::from_fn(|n| self.dword(wave, row.saturating_add(n as u16), lane))
    }

    /// An access through a buffer resource in a lane; `None`: what is the same in all lanes.
    #[inline]
    fn buffer_request(&self, wave: &Wave, lane: Option<usize>) -> Option<BufferRequest> {
        let Addressing::Buffer { resource, vaddr, soffset, offset, idxen, offen } = self.address else { return None };
        Some(BufferRequest {
            resource: scalars(wave, resource),
            vaddr: lane.map_or([0; 2], |lane| self.dwords(wave, vaddr, lane)),
            soffset: wave.sgpr(soffset),
            offset,
            idxen,
            offen,
            lane: lane.unwrap_or(0) as u8,
            bytes: self.bytes() as u32,
            atomic: self.atomic,
        })
    }

    /// The pieces of an access in a lane.
    pub(crate) fn pieces(&self, wave: &Wave, lane: usize) -> Pieces {
        let descriptors = &wave.layout.descriptors;
        let bytes = self.bytes() as u32;
        match self.address {
            Addressing::Sum(sum) => Pieces::one(self.sum(wave, sum, lane), bytes),
            Addressing::Buffer { .. } => match self.buffer_request(wave, Some(lane)) {
                Some(request) => (descriptors.buffer)(&request),
                None => Pieces::NONE,
            },
            // A texel is found by `texel`: what is left is out of range.
            Addressing::Image { .. } => Pieces::NONE,
            Addressing::ScalarBuffer { resource, offset } => {
                let [low, high] = self.dwords(wave, offset, lane);
                let offset = u64::from(high) << 32 | u64::from(low);
                let mut pieces = (descriptors.scalar)(&ScalarRequest {
                    resource: scalars(wave, resource),
                    offset,
                    dwords: bytes.div_ceil(4) as u8,
                });
                // Of the dword that a smaller load is in, it takes some bytes.
                let in_dword = offset & (4 - scalar_alignment(self.bytes()));
                pieces.addresses.iter_mut().flatten().for_each(|address| *address += in_dword);
                pieces
            }
        }
    }

    /// The only target of an access whose address is a number.
    #[inline]
    fn target(&self, wave: &Wave, lane: usize) -> Option<Target> {
        let Addressing::Sum(sum) = self.address else { return None };
        Some(resolve(wave, self.space, self.sum(wave, sum, lane), self.bytes(), lane))
    }

    /// The targets of an access in a lane, with their offset and size in it.
    fn targets(&self, wave: &Wave, lane: usize) -> impl Iterator<Item = (Target, usize, usize)> + use<> {
        let pieces = self.pieces(wave, lane);
        let size = (pieces.bytes as usize).clamp(1, MAX_BYTES);
        let mut targets = [Target { space: self.space, address: None, lane }; PIECES];
        for (target, address) in targets.iter_mut().zip(pieces.addresses) {
            if let Some(address) = address {
                *target = resolve(wave, self.space, address, self.bytes(), lane);
            }
        }
        let total = self.bytes();
        let pieces = targets.into_iter().enumerate().take(total.div_ceil(size));
        pieces.map(move |(at, target)| (target, at * size, size.min(total - at * size)))
    }

    /// The lane as faults name it.
    fn named(&self, lane: usize) -> Option<usize> {
        self.lanes.then_some(lane)
    }

    /// Loads.
    pub(crate) fn load(&self, wave: &mut Wave, spaces: &mut Spaces<'_>) -> Faulting {
        if let Addressing::Image { resource, sampler, image, query } = &self.address {
            match (query, sampler) {
                (Query::Info, _) => self.load_info(wave, *resource, image)?,
                (_, Some(sampler)) => self.load_samples(wave, spaces, [*resource, *sampler], image, *query)?,
                (_, None) => self.load_texels(wave, spaces, *resource, image)?,
            }
        } else if self.conversion != Conversion::None {
            self.load_elements(wave, spaces)?;
        } else if self.lanes {
            // Rows are written to the registers, unless lanes of another file may fault after them.
            let mut is_direct = wave.wide.len() == 1;
            self.each_half(wave, |wave, half, active| match self.load_rows(wave, spaces, half, active) {
                Some(result) => result,
                None => {
                    is_direct = false;
                    lanes_of(u64::from(active) << (LANES * half))
                        .try_for_each(|lane| self.load_lane(wave, spaces, lane))
                }
            })?;
            if is_direct {
                return Ok(());
            }
        } else if self.active(wave) != 0 {
            self.load_lane(wave, spaces, 0)?;
        }
        self.merge(wave);
        Ok(())
    }

    /// Calls a function for each file with active lanes.
    #[inline(always)]
    fn each_half(&self, wave: &mut Wave, mut f: impl FnMut(&mut Wave, usize, u32) -> Faulting) -> Faulting {
        let active = self.active(wave);
        for half in 0..wave.wide.len() {
            let active = (active >> (LANES * half)) as u32;
            if active != 0 {
                f(wave, half, active)?;
            }
        }
        Ok(())
    }

    /// Copies what is loaded to the vector registers.
    fn merge(&self, wave: &mut Wave) {
        if let Some(dst) = self.destination {
            wave.merge(&Commit { dst, src: self.data, count: dwords(self.ty), condition: None });
        }
    }

    fn load_lane(&self, wave: &mut Wave, spaces: &mut Spaces<'_>, lane: usize) -> Faulting {
        let mut buffer = [0; MAX_BYTES];
        if let Some(target) = self.target(wave, lane) {
            let bytes = buffer.get_mut(..self.bytes()).unwrap_or_default();
            spaces.read(wave, &target, bytes).map_err(|kind| (self.named(lane), kind))?;
        } else {
            for (target, at, size) in self.targets(wave, lane) {
                let bytes = buffer.get_mut(at..at + size).unwrap_or_default();
                spaces.read(wave, &target, bytes).map_err(|kind| (self.named(lane), kind))?;
            }
        }
        let bytes = buffer.get(..self.bytes()).unwrap_or_default();
        for (row, chunk) in (self.data..).zip(bytes.chunks(4)) {
            self.set_dword(wave, row, lane, dword_of(chunk));
        }
        Ok(())
    }

    /// Stores.
    pub(crate) fn store(&self, wave: &mut Wave, spaces: &mut Spaces<'_>) -> Faulting {
        if let Addressing::Image { resource, image, .. } = &self.address {
            return self.store_texels(wave, spaces, *resource, image);
        }
        if self.conversion != Conversion::None {
            return self.store_elements(wave, spaces);
        }
        if !self.lanes {
            return lanes_of(self.active(wave)).try_for_each(|lane| self.store_lane(wave, spaces, self.data, lane));
        }
        self.each_half(wave, |wave, half, active| {
            self.store_rows(wave, spaces, half, active).unwrap_or_else(|| {
                let mut lanes = lanes_of(u64::from(active) << (LANES * half));
                lanes.try_for_each(|lane| self.store_lane(wave, spaces, self.data, lane))
            })
        })
    }

    fn store_lane(&self, wave: &mut Wave, spaces: &mut Spaces<'_>, data: u16, lane: usize) -> Faulting {
        let mut buffer = [0; MAX_BYTES];
        let (chunks, _) = buffer.as_chunks_mut::<4>();
        for (row, chunk) in (data..).zip(chunks.iter_mut().take(self.bytes().div_ceil(4))) {
            *chunk = self.dword(wave, row, lane).to_le_bytes();
        }
        if let Some(target) = self.target(wave, lane) {
            let bytes = buffer.get(..self.bytes()).unwrap_or_default();
            return spaces.write(wave, &target, bytes).map_err(|kind| (self.named(lane), kind));
        }
        for (target, at, size) in self.targets(wave, lane) {
            let bytes = buffer.get(at..at + size).unwrap_or_default();
            spaces.write(wave, &target, bytes).map_err(|kind| (self.named(lane), kind))?;
        }
        Ok(())
    }
}

/// Scalar rows.
fn scalars<const N: usize>(wave: &Wave, row: u16) -> [u32; N] {
    core::array::from_fn(|n| wave.sgpr(row.saturating_add(n as u16)))
}

/// The result of an access: the lane that faults, and why.
pub(crate) type Faulting = Result<(), (Option<usize>, FaultKind)>;

/// The numbers of the bits that are set.
fn lanes_of(mut mask: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        (lane < 64).then(|| {
            mask &= mask - 1;
            lane as usize
        })
    })
}

/// Up to four bytes as a number.
fn dword_of(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |dword, byte| dword << 8 | u32::from(*byte))
}

#[cfg(test)]
mod tests;
