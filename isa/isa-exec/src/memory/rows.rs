//! Loads and stores of rows in regions.

use crate::memory::region::Region;
use crate::memory::{RegionMap, lanes_of};
use crate::rows::{LANES, Wide};
use crate::wave::pack;

/// The region of the last access. Lanes that access one region are usual: it is looked up again for an address outside only.
struct Cursor<'a, 'm> {
    regions: &'a RegionMap<'m>,
    region: Option<&'a Region<'m>>,
}

impl<'a, 'm> Cursor<'a, 'm> {
    const fn new(regions: &'a RegionMap<'m>) -> Self {
        Cursor { regions, region: None }
    }

    /// The region that holds all bytes of an access, and the access's offset from the region's first number.
    #[inline(always)]
    fn find(&mut self, address: u64, bytes: u64) -> Option<(&'a Region<'m>, u64)> {
        self.find_if(address, |region| region.holds(address, bytes))
    }

    /// The same, if a store may write the bytes.
    #[inline(always)]
    fn find_for_store(&mut self, address: u64, bytes: u64) -> Option<(&'a Region<'m>, u64)> {
        self.find_if(address, |region| region.takes(address, bytes))
    }

    #[inline(always)]
    fn find_if(&mut self, address: u64, fits: impl Fn(&Region<'m>) -> bool) -> Option<(&'a Region<'m>, u64)> {
        let region = match self.region.filter(|region| fits(region)) {
            Some(region) => region,
            None => self.regions.region(address).ok().filter(|region| fits(region))?,
        };
        self.region = Some(region);
        Some((region, address - (region.start & !7)))
    }
}

impl RegionMap<'_> {
    /// Reads `bytes` bytes for each lane of a mask; `None` if a region does not hold all bytes of a lane.
    pub(super) fn gather_rows(
        &self,
        addresses: &[u64; LANES],
        lanes: u32,
        bytes: usize,
        rows: &mut [Wide],
    ) -> Option<()> {
        match (bytes, &mut *rows) {
            (4, [row]) => {
                self.gather_with(addresses, lanes, 4, |lane, region, offset| row.set(lane, region.dword(offset)))
            }
            (8, [a, b]) => self.gather_dwords(addresses, lanes, [a, b]),
            (12, [a, b, c]) => self.gather_dwords(addresses, lanes, [a, b, c]),
            (16, [a, b, c, d]) => self.gather_dwords(addresses, lanes, [a, b, c, d]),
            _ => self.gather_with(addresses, lanes, bytes, |lane, region, offset| {
                for ((row, at), n) in rows.iter_mut().zip((offset..).step_by(4)).zip((0..bytes).step_by(4)) {
                    row.set(lane, region.part(at, (bytes - n).min(4)));
                }
            }),
        }
    }

    /// Calls a function for each lane of a mask with the region of its address and the offset there.
    #[inline(always)]
    fn gather_with(
        &self,
        addresses: &[u64; LANES],
        lanes: u32,
        bytes: usize,
        mut f: impl FnMut(usize, &Region<'_>, u64),
    ) -> Option<()> {
        let mut cursor = Cursor::new(self);
        for (lane, address) in addresses.iter().enumerate() {
            if lanes >> lane & 1 != 0 {
                let (region, offset) = cursor.find(*address, bytes as u64)?;
                f(lane, region, offset);
            }
        }
        Some(())
    }

    /// Reads several dwords for each lane.
    fn gather_dwords<const N: usize>(
        &self,
        addresses: &[u64; LANES],
        lanes: u32,
        mut rows: [&mut Wide; N],
    ) -> Option<()> {
        self.gather_with(addresses, lanes, 4 * N, |lane, region, offset| {
            let dwords: [u32; N] = region.dwords(offset);
            for (row, dword) in rows.iter_mut().zip(dwords) {
                row.set(lane, dword);
            }
        })
    }

    /// Writes `bytes` bytes for each lane of a mask, the lowest lane first. `None` if a region does not hold all bytes of a lane: some
    /// lanes may have written then.
    pub(super) fn scatter_rows(&self, addresses: &[u64; LANES], lanes: u32, bytes: usize, rows: &[Wide]) -> Option<()> {
        // Numbers that lanes fill together are stored whole: replacing a part of a number takes an atomic exchange, which is 10
        // times as slow.
        let following = lanes & lanes << 1 & following(addresses, bytes as u64);
        let mut cursor = Cursor::new(self);
        for first in lanes_of(lanes & !following) {
            let count = 1 + (u64::from(following) >> (first + 1)).trailing_ones() as usize;
            let (region, offset) = cursor.find_for_store(*addresses.get(first)?, (count * bytes) as u64)?;
            match (count, rows) {
                (1, [row]) => region.set_part(offset, bytes.min(4), row.0.get(first).copied()?),
                (1, _) => region.copy_from(offset, element(rows, first).get(..bytes)?),
                _ => {
                    let mut run = [0; 16 * LANES];
                    let run = run.get_mut(..count * bytes)?;
                    for (lane, to) in (first..).zip(run.chunks_exact_mut(bytes)) {
                        to.copy_from_slice(element(rows, lane).get(..bytes)?);
                    }
                    region.copy_from(offset, run);
                }
            }
        }
        Some(())
    }
}

/// The bytes of a lane.
#[inline(always)]
fn element(rows: &[Wide], lane: usize) -> [u8; 16] {
    let mut bytes = [0; 16];
    for (to, row) in bytes.as_chunks_mut().0.iter_mut().zip(rows) {
        *to = row.0.get(lane).copied().unwrap_or(0).to_le_bytes();
    }
    bytes
}

/// The lanes whose address is `bytes` bytes after that of the lane before.
fn following(addresses: &[u64; LANES], bytes: u64) -> u32 {
    let mut row = Wide([0; LANES]);
    for (to, pair) in row.0.iter_mut().skip(1).zip(addresses.windows(2)) {
        if let [before, address] = pair {
            *to = u32::from(before.wrapping_add(bytes) == *address);
        }
    }
    pack(&row)
}
