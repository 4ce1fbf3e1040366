//! Loads and stores of whole rows: all lanes of an access whose addresses are numbers in one space.

use isa_runtime::body::Space;

use crate::access::{Faulting, Spaces, part, part_mut};
use crate::fault::FaultKind;
use crate::memory::{Memory, Unmapped, lanes_of};
use crate::operation::dwords;
use crate::rows::{LANES, Row, Wide};
use crate::step::{Access, Addressing};
use crate::wave::Wave;

/// The most rows of an access.
const ROWS: usize = 4;

/// The lanes of one file that access one space.
struct Lanes {
    /// 0, or 1 for lanes 32 to 63.
    half: usize,
    mask: u32,
    space: Space,
    addresses: [u64; LANES],
}

impl Lanes {
    /// The lane and the kind of a fault of memory.
    fn unmapped(&self, (lane, unmapped): (usize, Unmapped), store: bool) -> (Option<usize>, FaultKind) {
        (Some(LANES * self.half + lane), FaultKind::Unmapped { address: unmapped.address, store })
    }

    /// Whether memory holds `bytes` bytes of rows at the addresses of all active lanes.
    fn hold<M: Memory + ?Sized>(&self, memory: &M, bytes: usize, rows: &[Wide]) -> bool {
        let mut found = [Wide::ZERO; ROWS];
        let found = found.get_mut(..rows.len()).unwrap_or_default();
        if memory.gather(&self.addresses, self.mask, bytes, found).is_err() {
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
    fn each(&self) -> impl Iterator<Item = (usize, usize, u64)> + '_ {
        let address = |lane: usize| self.addresses.get(lane).copied().unwrap_or(0);
        lanes_of(self.mask).map(move |lane| (lane, LANES * self.half + lane, address(lane)))
    }
}

/// The bytes of one lane as dwords of rows.
fn spread(bytes: &[u8], lane: usize, rows: &mut [Wide]) {
    for (chunk, row) in bytes.chunks(4).zip(rows) {
        if let Some(to) = row.0.get_mut(lane) {
            *to = match chunk.first_chunk::<4>() {
                Some(dword) => u32::from_le_bytes(*dword),
                None => chunk.iter().rev().fold(0, |dword, byte| dword << 8 | u32::from(*byte)),
            };
        }
    }
}

/// One lane of rows as bytes.
fn collect(rows: &[Wide], lane: usize, bytes: &mut [u8]) {
    for (row, chunk) in rows.iter().zip(bytes.chunks_mut(4)) {
        let dword = row.0.get(lane).copied().unwrap_or(0).to_le_bytes();
        chunk.copy_from_slice(dword.get(..chunk.len()).unwrap_or_default());
    }
}

impl Access {
    /// The lanes of an access, if the functions of this module can execute it.
    fn wide(&self, wave: &Wave) -> Option<[Option<Lanes>; 2]> {
        let Addressing::Row(address) = self.address else { return None };
        if !self.lanes || self.bytes() > 4 * ROWS {
            return None;
        }
        let all = self.active(wave);
        let mut lanes = [None, None];
        for (half, (file, to)) in wave.wide.iter().zip(&mut lanes).enumerate() {
            let mask = (all >> (32 * half)) as u32;
            if mask == 0 {
                continue;
            }
            let low = file.row(address.row).0;
            let high = if dwords(address.ty) > 1 { *file.row(address.row.saturating_add(1)) } else { Wide::ZERO };
            let mut addresses = [0; LANES];
            for (lane, to) in addresses.iter_mut().enumerate() {
                *to = u64::from(high.0[lane]) << 32 | u64::from(low[lane]);
            }
            let space = match self.space {
                Space::Flat => {
                    let apertures = [wave.layout.shared_aperture, wave.layout.private_aperture];
                    if lanes_of(mask).any(|lane| high.0.get(lane).is_some_and(|high| apertures.contains(high))) {
                        return None;
                    }
                    Space::Global
                }
                Space::Global | Space::Lds | Space::Scratch => self.space,
                _ => return None,
            };
            *to = Some(Lanes { half, mask, space, addresses });
        }
        Some(lanes)
    }

    /// Loads rows; `None` if this is not an access of rows.
    pub(super) fn load_rows<M: Memory + ?Sized>(&self, wave: &mut Wave, spaces: &Spaces<'_, M>) -> Option<Faulting> {
        let all = self.wide(wave)?;
        Some(all.iter().flatten().try_for_each(|lanes| self.load_lanes(wave, spaces, lanes)))
    }

    fn load_lanes<M: Memory + ?Sized>(&self, wave: &mut Wave, spaces: &Spaces<'_, M>, lanes: &Lanes) -> Faulting {
        let bytes = self.bytes();
        let mut rows = [Wide::ZERO; ROWS];
        let rows = rows.get_mut(..bytes.div_ceil(4)).unwrap_or_default();
        match lanes.space {
            Space::Lds => {
                for (lane, number, address) in lanes.each() {
                    let address = address & 0xFFFF_FFFF;
                    match part(spaces.lds, address, bytes) {
                        Some(bytes) => spread(bytes, lane, rows),
                        None => spaces.outside_lds(wave, address, bytes).map_err(|kind| (Some(number), kind))?,
                    }
                }
            }
            Space::Scratch => {
                for (lane, number, address) in lanes.each() {
                    match part(wave.scratch(number), address, bytes) {
                        Some(bytes) => spread(bytes, lane, rows),
                        None => return Err((Some(number), FaultKind::Scratch { address })),
                    }
                }
            }
            _ => {
                let read = spaces.memory.gather(&lanes.addresses, lanes.mask, bytes, rows);
                read.map_err(|error| lanes.unmapped(error, false))?;
            }
        }
        if let Some(file) = wave.wide.get_mut(lanes.half) {
            for (row, to) in rows.iter().zip(self.data..) {
                file.set_row(to, *row);
            }
        }
        Ok(())
    }

    /// Stores rows; `None` if this is not an access of rows.
    pub(super) fn store_rows<M: Memory + ?Sized>(
        &self,
        wave: &mut Wave,
        spaces: &mut Spaces<'_, M>,
    ) -> Option<Faulting> {
        let all = self.wide(wave)?;
        Some(all.iter().flatten().try_for_each(|lanes| self.store_lanes(wave, spaces, lanes)))
    }

    fn store_lanes<M: Memory + ?Sized>(&self, wave: &mut Wave, spaces: &mut Spaces<'_, M>, lanes: &Lanes) -> Faulting {
        let bytes = self.bytes();
        let mut rows = [Wide::ZERO; ROWS];
        let rows = rows.get_mut(..bytes.div_ceil(4)).unwrap_or_default();
        if let Some(file) = wave.wide.get(lanes.half) {
            for (row, from) in rows.iter_mut().zip(self.data..) {
                *row = *file.row(from);
            }
        }
        match lanes.space {
            Space::Lds => {
                for (lane, number, address) in lanes.each() {
                    let address = address & 0xFFFF_FFFF;
                    match part_mut(spaces.lds, address, bytes) {
                        Some(bytes) => collect(rows, lane, bytes),
                        None => spaces.outside_lds(wave, address, bytes).map_err(|kind| (Some(number), kind))?,
                    }
                }
            }
            Space::Scratch => {
                for (lane, number, address) in lanes.each() {
                    match part_mut(wave.scratch_mut(number), address, bytes) {
                        Some(bytes) => collect(rows, lane, bytes),
                        None => return Err((Some(number), FaultKind::Scratch { address })),
                    }
                }
            }
            _ => {
                spaces.changes += u64::from(!spaces.compares || !lanes.hold(spaces.memory, bytes, rows));
                let written = spaces.memory.scatter(&lanes.addresses, lanes.mask, bytes, rows);
                written.map_err(|error| lanes.unmapped(error, true))?;
            }
        }
        Ok(())
    }
}
