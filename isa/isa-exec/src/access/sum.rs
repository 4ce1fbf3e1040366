//! Addresses that are sums.

use crate::access::block;
use crate::operation::{Argument, dwords};
use crate::rows::{File, HALF, LANES, Row, Wide};
use crate::step::{Access, Addressing, Sum};
use crate::wave::Wave;

/// The addresses of lanes: `start` plus a sum of the number in a row and of what is the same in all lanes.
#[derive(Clone, Copy)]
pub(super) struct Terms {
    /// The first row of the number.
    row: u16,
    /// How many rows it has: two, one, or none if it is 0.
    rows: u16,
    common: u64,
    /// Whether the sum is modulo 2 to the power of 32.
    is_short: bool,
    pub start: u64,
    /// The size of a buffer at `start`, if it is one: what is outside loads zeros and is not stored.
    pub limit: Option<u64>,
}

impl Terms {
    /// The low and the high dwords of the numbers in the row.
    #[inline(always)]
    fn numbers(self, file: &File<Wide>) -> (&Wide, Option<&Wide>) {
        match self.rows {
            0 => (Wide::zero(), None),
            1 => (file.row(self.row), None),
            _ => (file.row(self.row), Some(file.row(self.row.saturating_add(1)))),
        }
    }

    /// The distance from `start` for a number in the row.
    #[inline(always)]
    const fn distance(self, number: u64) -> u64 {
        let sum = number.wrapping_add(self.common);
        if self.is_short { sum & 0xFFFF_FFFF } else { sum }
    }

    /// The addresses of all lanes.
    pub fn addresses(self, file: &File<Wide>) -> [u64; LANES] {
        let (low, high) = self.numbers(file);
        let high = high.unwrap_or(Wide::zero());
        let mut addresses = [0; LANES];
        for (to, (low, high)) in addresses.iter_mut().zip(low.0.iter().zip(&high.0)) {
            *to = self.start.wrapping_add(self.distance(u64::from(*high) << 32 | u64::from(*low)));
        }
        addresses
    }

    /// The distances of all lanes from `start`, if they have 32 bits.
    #[inline(always)]
    pub fn offsets(self, file: &File<Wide>) -> Option<Wide> {
        let (low, high) = self.numbers(file);
        let common = self.common as u32;
        (self.is_short && high.is_none()).then_some(Wide::from_fn(
            #[inline(always)]
            |lane| low.0[lane].wrapping_add(common),
        ))
    }

    /// The address of the lowest lane of a mask, if the others access the bytes after it, `B` each, in their order.
    #[inline(always)]
    pub fn consecutive<const B: usize>(self, file: &File<Wide>, mask: u32) -> Option<u64> {
        let (low, high) = self.numbers(file);
        let (first, last) = (mask.trailing_zeros(), 31 - mask.leading_zeros().min(31));
        let of_first = |row: &Wide| row.0.get(first as usize).copied().unwrap_or(0);
        let start = of_first(low);
        // The number of lane 0, if it were active.
        let base = start.wrapping_sub(first.wrapping_mul(B as u32));
        let mut differences = Wide::from_fn(
            #[inline(always)]
            |lane| low.0[lane] ^ base.wrapping_add((B * lane) as u32),
        );
        let mut number = u64::from(start);
        if let Some(high) = high {
            let start = of_first(high);
            differences = Wide::from_fn(
                #[inline(always)]
                |lane| differences.0[lane] | high.0[lane] ^ start,
            );
            number |= u64::from(start) << 32;
        }
        if any(&block::masked(&differences, mask)) != 0 {
            return None;
        }
        self.start_of::<B>(number, last.saturating_sub(first))
    }

    /// The addresses of lanes 0 and 16, if the 15 lanes after each of them access the bytes after it, `B` each, in their order.
    #[inline(always)]
    pub fn consecutive_halves<const B: usize>(self, file: &File<Wide>) -> Option<[u64; 2]> {
        let (low, high) = self.numbers(file);
        let of_firsts = |row: &Wide| Wide(bytemuck::cast([[row.0[0]; HALF], [row.0[HALF]; HALF]]));
        let starts = of_firsts(low);
        let mut differences = Wide::from_fn(
            #[inline(always)]
            |lane| low.0[lane] ^ starts.0[lane].wrapping_add((B * (lane % HALF)) as u32),
        );
        if let Some(high) = high {
            let starts = of_firsts(high);
            differences = Wide::from_fn(
                #[inline(always)]
                |lane| differences.0[lane] | high.0[lane] ^ starts.0[lane],
            );
        }
        if any(&differences) != 0 {
            return None;
        }
        let high = high.unwrap_or(Wide::zero());
        let number = |lane: usize| u64::from(high.0[lane]) << 32 | u64::from(low.0[lane]);
        Some([self.start_of::<B>(number(0), HALF as u32 - 1)?, self.start_of::<B>(number(HALF), HALF as u32 - 1)?])
    }

    /// The address of a lane whose number in the row is known, if neither the low dwords of the numbers nor sums of 32 bits wrap in the next
    /// `lanes` lanes, whose numbers are `B` larger each.
    #[inline(always)]
    fn start_of<const B: usize>(self, number: u64, lanes: u32) -> Option<u64> {
        let distance = self.distance(number);
        let from = if self.is_short { distance } else { number & 0xFFFF_FFFF };
        let last = from + u64::from(lanes) * B as u64;
        (last <= u32::MAX.into()).then_some(self.start.wrapping_add(distance))
    }

    /// Whether lanes that access consecutive memory from an address on are within the first `limit` bytes.
    #[inline(always)]
    pub const fn is_within<const B: usize>(self, address: u64, mask: u32, limit: u64) -> bool {
        let lanes = 32 - mask.leading_zeros().saturating_add(mask.trailing_zeros());
        address.wrapping_sub(self.start).saturating_add(lanes as u64 * B as u64) <= limit
    }
}

/// The bits that are set in a lane.
#[inline(always)]
fn any(row: &Wide) -> u32 {
    row.0.iter().fold(0, |any, lane| any | lane)
}

impl Access {
    /// The terms of the addresses; `None` if they are not sums, or not those of lanes.
    #[inline(always)]
    pub(super) fn terms(&self, wave: &Wave) -> Option<Terms> {
        match &self.address {
            _ if !self.lanes => None,
            Addressing::Sum(sum) => {
                let Argument { row, ty } = sum.row;
                let (rows, common) = (dwords(ty), sum.common(wave));
                Some(Terms { row, rows, common, is_short: sum.is_short, start: 0, limit: None })
            }
            Addressing::Buffer { vaddr, offset, offen, .. } => {
                let request = self.buffer_request(wave, None)?;
                let buffer = (wave.layout.descriptors.linear)(&request)?;
                let (rows, common) = ((*offen).into(), (*offset).into());
                let (start, limit) = (buffer.start, Some(buffer.bytes));
                Some(Terms { row: *vaddr, rows, common, is_short: true, start, limit })
            }
            _ => None,
        }
    }

    /// The address of a lane.
    #[inline]
    pub(crate) fn sum(&self, wave: &Wave, sum: Sum, lane: usize) -> u64 {
        let [low, high] = self.dwords(wave, sum.row.row, lane);
        let high = if dwords(sum.row.ty) > 1 { high } else { 0 };
        let address = sum.common(wave).wrapping_add(u64::from(high) << 32 | u64::from(low));
        if sum.is_short { address & 0xFFFF_FFFF } else { address }
    }
}

impl Sum {
    /// The part of the sum that is the same in all lanes.
    #[inline]
    fn common(&self, wave: &Wave) -> u64 {
        let scalar = self.scalar.map_or(0, |scalar| match dwords(scalar.ty) {
            1 => wave.sgpr(scalar.row).into(),
            _ => u64::from(wave.sgpr(scalar.row.saturating_add(1))) << 32 | u64::from(wave.sgpr(scalar.row)),
        });
        self.offset.wrapping_add(scalar)
    }
}
