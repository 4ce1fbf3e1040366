//! A mapped range of addresses.

use crate::memory::Unmapped;
use crate::memory::qword::Qword;
use crate::memory::shared::RegionCells;

/// A mapped range of addresses.
#[derive(Debug)]
pub(super) struct Region<'m> {
    pub start: u64,
    pub bytes: u64,
    /// `bytes`, or 0 if waves may only read.
    pub writable_bytes: u64,
    /// The memory from the multiple of 8 at or below `start` on.
    pub qwords: RegionCells<'m>,
}

impl Region<'_> {
    /// The bytes of the region from an address in it on.
    #[inline]
    pub const fn bytes_from(&self, address: u64) -> u64 {
        self.bytes - (address - self.start)
    }

    /// The offset of an access that begins in the region, from the region's first number.
    #[inline]
    pub fn offset(&self, address: u64, bytes: usize) -> Result<u64, Unmapped> {
        let left = self.bytes_from(address);
        if bytes as u64 > left {
            return Err(Unmapped { address: address.wrapping_add(left) });
        }
        Ok(address - (self.start & !7))
    }

    /// Whether all bytes of an access are in the region.
    #[inline(always)]
    pub const fn holds(&self, address: u64, bytes: u64) -> bool {
        let before = address.wrapping_sub(self.start);
        before < self.bytes && bytes <= self.bytes - before
    }

    /// Whether a store may write all bytes of an access.
    #[inline(always)]
    pub const fn takes(&self, address: u64, bytes: u64) -> bool {
        let before = address.wrapping_sub(self.start);
        before < self.writable_bytes && bytes <= self.writable_bytes - before
    }

    #[inline]
    pub fn qword(&self, offset: u64) -> Option<Qword<'_>> {
        self.qwords.get(usize::try_from(offset / 8).ok()?).map(Qword)
    }

    /// The numbers from an offset on.
    #[inline]
    fn qwords_from(&self, offset: u64, count: usize) -> impl Iterator<Item = Qword<'_>> {
        let first = usize::try_from(offset / 8).unwrap_or(usize::MAX);
        self.qwords.get(first..first.saturating_add(count)).unwrap_or_default().iter().map(Qword)
    }

    /// The dword at any offset.
    #[inline]
    pub fn dword(&self, offset: u64) -> u32 {
        let number = |offset| self.qword(offset).map_or(0, Qword::load);
        let shift = 8 * (offset % 8);
        let low = number(offset) >> shift;
        if shift > 32 { (low | number(offset + 8) << (64 - shift)) as u32 } else { low as u32 }
    }

    /// Dwords at any offset. A whole number is one load: a store by another thread is seen in both dwords or in none.
    #[inline(always)]
    pub fn dwords<const N: usize>(&self, offset: u64) -> [u32; N] {
        if !offset.is_multiple_of(8) {
            return core::array::from_fn(|n| self.dword(offset + 4 * n as u64));
        }
        let mut dwords = [0; N];
        for (pair, number) in dwords.chunks_mut(2).zip(self.qwords_from(offset, N.div_ceil(2))) {
            let number = number.load();
            for (to, half) in pair.iter_mut().zip([number as u32, (number >> 32) as u32]) {
                *to = half;
            }
        }
        dwords
    }

    /// Up to four bytes at any offset.
    #[inline]
    pub fn part(&self, offset: u64, bytes: usize) -> u32 {
        let end = offset % 8 + bytes as u64;
        // Bytes after the access may be in a number that the region does not have.
        if end > 8 || bytes == 4 {
            let mask = if bytes < 4 { (1 << (8 * bytes)) - 1 } else { u32::MAX };
            return self.dword(offset) & mask;
        }
        let number = self.qword(offset).map_or(0, Qword::load) >> (8 * (offset % 8));
        number as u32 & ((1 << (8 * bytes)) - 1)
    }

    /// Replaces up to four bytes at any offset.
    #[inline]
    pub fn set_part(&self, offset: u64, bytes: usize, value: u32) {
        let shift = 8 * (offset % 8);
        let mask = if bytes < 4 { (1 << (8 * bytes)) - 1 } else { u64::from(u32::MAX) };
        let value = u64::from(value) & mask;
        if let Some(number) = self.qword(offset) {
            number.set_bits(mask << shift, value << shift);
        }
        if shift + 8 * bytes as u64 > 64
            && let Some(number) = self.qword(offset + 8)
        {
            number.set_bits(mask >> (64 - shift), value >> (64 - shift));
        }
    }

    /// Copies less than 8 bytes from a number.
    #[inline]
    fn copy_part_to(&self, offset: u64, bytes: &mut [u8]) {
        if !bytes.is_empty() {
            let number = self.qword(offset).map_or(0, Qword::load) >> (8 * (offset % 8));
            bytes.iter_mut().zip(number.to_le_bytes()).for_each(|(to, byte)| *to = byte);
        }
    }

    /// Copies less than 8 bytes to a number.
    #[inline]
    fn copy_part_from(&self, offset: u64, bytes: &[u8]) {
        if let Some(number) = self.qword(offset).filter(|_| !bytes.is_empty()) {
            let bits = bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
            let (mask, shift) = ((1 << (8 * bytes.len())) - 1, 8 * (offset % 8));
            number.set_bits(mask << shift, bits << shift);
        }
    }

    /// Copies bytes from the region. A whole number is one load: a store by another thread is seen in all of its bytes or in none.
    #[inline]
    pub fn copy_to(&self, offset: u64, bytes: &mut [u8]) {
        // Up to the first whole number, whole numbers, and the rest.
        let head = bytes.len().min(offset.wrapping_neg() as usize % 8);
        let (head, rest) = bytes.split_at_mut_checked(head).unwrap_or_default();
        let (whole, tail) = rest.as_chunks_mut::<8>();
        let (start, count) = (offset + head.len() as u64, whole.len());
        self.copy_part_to(start + 8 * count as u64, tail);
        for (chunk, number) in whole.iter_mut().zip(self.qwords_from(start, count)) {
            *chunk = number.load().to_le_bytes();
        }
        self.copy_part_to(offset, head);
    }

    /// Copies bytes to the region.
    #[inline]
    pub fn copy_from(&self, offset: u64, bytes: &[u8]) {
        let head = bytes.len().min(offset.wrapping_neg() as usize % 8);
        let (head, rest) = bytes.split_at_checked(head).unwrap_or((bytes, &[]));
        let (whole, tail) = rest.as_chunks::<8>();
        self.copy_part_from(offset, head);
        let start = offset + head.len() as u64;
        for (chunk, number) in whole.iter().zip(self.qwords_from(start, whole.len())) {
            number.store(u64::from_le_bytes(*chunk));
        }
        self.copy_part_from(start + 8 * whole.len() as u64, tail);
    }
}
