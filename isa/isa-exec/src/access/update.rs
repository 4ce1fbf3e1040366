//! Atomics.
//!
//! Lanes run in their order, the lowest first. The new values of all lanes are computed at once from the values that memory has: a
//! lane whose memory still has that value is done, and the others, whose memory lower lanes have changed, are computed again.

use isa_runtime::body::Space;

use crate::access::wide::Lanes;
use crate::access::{Faulting, Spaces, block, lanes_of, part_mut};
use crate::fault::FaultKind;
use crate::operation::dwords;
use crate::primitive::general_lane;
use crate::rows::{LANES, Row, Wide};
use crate::step::{Addressing, Update};
use crate::wave::Wave;

impl Update {
    /// Runs the atomic.
    pub(crate) fn run(&self, wave: &mut Wave, spaces: &mut Spaces<'_>) -> Faulting {
        let active = self.access.active(wave);
        let done = if spaces.checker.is_some() { 0 } else { self.run_rows(wave, spaces) };
        self.run_each(wave, spaces, active & !done)
    }

    /// Runs the atomic for one lane after the other.
    pub(super) fn run_each(&self, wave: &mut Wave, spaces: &mut Spaces<'_>, lanes: u64) -> Faulting {
        let access = &self.access;
        for lane in lanes_of(lanes) {
            let only = match &access.address {
                Addressing::Image { resource, image, .. } => access.atomic_texel(wave, lane, *resource, image)?,
                _ => access.targets(wave, lane).next().map(|(target, ..)| target),
            };
            let is_memory = |space| !matches!(space, Space::Lds | Space::Gds | Space::Scratch);
            let shared = only.and_then(|target| target.address.filter(|_| is_memory(target.space)));
            let Some(address) = shared.filter(|_| access.bytes() <= 8) else {
                access.load_lane(wave, spaces, lane)?;
                self.compute(wave, lane);
                access.store_lane(wave, spaces, self.value, lane)?;
                continue;
            };
            if let (Some(checker), Some(target)) = (&mut spaces.checker, only)
                && !checker.updates(target.space, address, lane, access.bytes())
            {
                self.change(wave, lane, 0);
                continue;
            }
            let mut new = 0;
            let mut change = |old: u64| {
                new = self.change(wave, lane, old);
                new
            };
            let updated = spaces.memory.update(address, access.bytes(), &mut change);
            let old = updated.map_err(|unmapped| {
                (access.named(lane), FaultKind::Unmapped { address: unmapped.address, store: true })
            })?;
            let written = u64::MAX >> (64 - 8 * access.bytes());
            spaces.changes += u64::from((new ^ old) & written != 0);
        }
        Ok(())
    }

    /// The new number for an old one.
    fn change(&self, wave: &mut Wave, lane: usize, old: u64) -> u64 {
        let access = &self.access;
        access.set_dword(wave, access.data, lane, old as u32);
        if dwords(access.ty) > 1 {
            access.set_dword(wave, access.data.saturating_add(1), lane, (old >> 32) as u32);
        }
        self.compute(wave, lane);
        let low = u64::from(access.dword(wave, self.value, lane));
        match dwords(access.ty) {
            1 => low,
            _ => u64::from(access.dword(wave, self.value.saturating_add(1), lane)) << 32 | low,
        }
    }

    /// Computes the new value in one lane.
    fn compute(&self, wave: &mut Wave, lane: usize) {
        let modes = wave.env.modes;
        if let Some(file) = wave.wide.get_mut(lane / LANES) {
            for primitive in &self.operations {
                general_lane(file, primitive, &modes, primitive.dst, lane % LANES);
            }
        }
        for primitive in &self.scalar {
            general_lane(&mut wave.scalar, primitive, &modes, primitive.dst, 0);
        }
    }

    /// Runs the atomic for lanes together, and returns those that are done.
    pub(super) fn run_rows(&self, wave: &mut Wave, spaces: &mut Spaces<'_>) -> u64 {
        let active = self.access.active(wave);
        let mut done = 0;
        for half in 0..wave.wide.len() {
            let active = (active >> (LANES * half)) as u32;
            let of_half = match self.access.bytes() {
                _ if !self.access.lanes => 0,
                4 => self.run_elements::<4>(wave, spaces, half, active),
                8 => self.run_elements::<8>(wave, spaces, half, active),
                _ => 0,
            };
            done |= u64::from(of_half) << (LANES * half);
            // Other lanes come after those that are left.
            if of_half != active {
                break;
            }
        }
        done
    }

    /// Runs the atomic on elements of `B` bytes for active lanes of a file.
    fn run_elements<const B: usize>(&self, wave: &mut Wave, spaces: &mut Spaces<'_>, half: usize, active: u32) -> u32 {
        let lanes = self.access.wide_lanes::<B>(wave, half, active).filter(|_| active != 0);
        let left = lanes.and_then(|lanes| self.run_lanes::<B>(wave, spaces, lanes));
        // Lanes outside a buffer are done, too: they have loaded zeros.
        left.map_or(0, |left| active & !left)
    }

    /// Runs the atomic for the lanes of a file, and returns those that are left: where lanes wait for each other, or fault. `None`:
    /// nothing is done.
    fn run_lanes<const B: usize>(&self, wave: &mut Wave, spaces: &mut Spaces<'_>, lanes: Lanes) -> Option<u32> {
        /// The lanes that have to be done each time that new values are computed, since that takes as long as some lanes alone.
        const WORTHWHILE: u32 = 4;
        let addresses = lanes.addresses(wave);
        let address = |lane: usize| addresses.get(lane).copied().unwrap_or(0);
        let of_mask = |lane: usize| if lanes.mask >> lane & 1 != 0 { address(lane) } else { 0 };
        let is_aligned = (0..LANES).fold(0, |bits, lane| bits | of_mask(lane)).is_multiple_of(B as u64);
        if lanes.space == Space::Scratch || !is_aligned {
            return None;
        }
        let mut old = [Wide::ZERO; 2];
        let mut block = [[0; B]; LANES];
        if lanes.load(wave, spaces, &mut block) {
            for (n, row) in old.iter_mut().enumerate().take(B / 4) {
                *row = block::masked(&block::row(&block, n), lanes.mask);
            }
        } else if lanes.space == Space::Lds {
            return None;
        } else {
            spaces.memory.gather(&addresses, lanes.mask, B, old.get_mut(..B / 4)?).ok()?;
        }
        let mut left = lanes.mask;
        let mut env = wave.env;
        env.mask = u32::MAX;
        let file = wave.wide.get_mut(lanes.half)?;
        loop {
            for (row, to) in old.iter().zip(self.access.data..).take(B / 4) {
                file.set_row(to, *row);
            }
            for primitive in &self.operations {
                (primitive.run)(file, primitive, &env, primitive.dst);
            }
            let before = left;
            for lane in lanes_of(before.into()) {
                let expected = number(&old, lane);
                let new = file.number(self.value, (B / 4) as u16, lane) as u64;
                let found = if lanes.space == Space::Lds {
                    let bytes = part_mut(spaces.lds, address(lane), B).and_then(|bytes| bytes.first_chunk_mut());
                    let Some(bytes) = bytes else { return Some(left) };
                    let found = number_of::<B>(bytes);
                    if found == expected {
                        bytes.iter_mut().zip(new.to_le_bytes()).for_each(|(to, byte)| *to = byte);
                    }
                    found
                } else {
                    let mut change = |found| if found == expected { new } else { found };
                    let Ok(found) = spaces.memory.update(address(lane), B, &mut change) else { return Some(left) };
                    spaces.changes += u64::from(found == expected && new != expected);
                    found
                };
                if found == expected {
                    left &= !(1 << lane);
                } else {
                    set_number(&mut old, lane, found);
                }
            }
            if left == 0 || (before & !left).count_ones() < WORTHWHILE {
                return Some(left);
            }
        }
    }
}

/// A number of at most 8 bytes.
#[inline(always)]
fn number_of<const B: usize>(bytes: &[u8; B]) -> u64 {
    let mut number = [0; 8];
    for (to, byte) in number.iter_mut().zip(bytes) {
        *to = *byte;
    }
    u64::from_le_bytes(number)
}

/// The number of a lane in two rows.
#[inline(always)]
fn number([low, high]: &[Wide; 2], lane: usize) -> u64 {
    let dword = |row: &Wide| u64::from(row.0.get(lane).copied().unwrap_or(0));
    dword(high) << 32 | dword(low)
}

/// Replaces the number of a lane in two rows.
#[inline(always)]
fn set_number(rows: &mut [Wide; 2], lane: usize, number: u64) {
    for (row, dword) in rows.iter_mut().zip([number as u32, (number >> 32) as u32]) {
        row.set(lane, dword);
    }
}
