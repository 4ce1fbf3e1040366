//! Bytes of lanes, one lane after the other, and the rows of registers that hold them: a dword of a lane in each row.

use crate::rows::{File, LANES, Row, Wide};
use crate::wave::pack;

/// The bytes of 32 lanes.
pub(super) type LaneBytes<const B: usize> = [[u8; B]; LANES];

/// A dword of an element, without the bytes that the element does not have.
#[inline(always)]
fn dword<const B: usize>(element: &[u8; B], n: usize) -> u32 {
    let mut dword = [0; 4];
    for (to, byte) in dword.iter_mut().zip(element.iter().skip(4 * n)) {
        *to = *byte;
    }
    u32::from_le_bytes(dword)
}

/// Replaces a dword of an element.
#[inline(always)]
fn set_dword<const B: usize>(element: &mut [u8; B], n: usize, dword: u32) {
    for (to, byte) in element.iter_mut().skip(4 * n).zip(dword.to_le_bytes()) {
        *to = byte;
    }
}

/// The row with a dword of the elements of all lanes.
#[inline(always)]
pub(super) fn row<const B: usize>(block: &LaneBytes<B>, n: usize) -> Wide {
    let mut row = Wide::ZERO;
    for (to, element) in row.0.iter_mut().zip(block) {
        *to = dword(element, n);
    }
    row
}

/// The elements of all lanes.
#[inline(always)]
pub(super) fn of_rows<const B: usize>(file: &File<Wide>, first: u16) -> LaneBytes<B> {
    let mut block = [[0; B]; LANES];
    for (n, row) in (0..B.div_ceil(4)).zip(first..) {
        for (element, dword) in block.iter_mut().zip(&file.row(row).0) {
            set_dword(element, n, *dword);
        }
    }
    block
}

/// Reads the element of each lane of a mask at the lane's offset; `None` if one is outside.
#[inline(always)]
pub(super) fn gather<const B: usize>(bytes: &[u8], offsets: &Wide, mask: u32, block: &mut LaneBytes<B>) -> Option<()> {
    let offsets = inside::<B>(bytes.len(), offsets, mask)?;
    for (to, offset) in block.iter_mut().zip(offsets.0) {
        *to = *bytes.get(offset as usize..)?.first_chunk()?;
    }
    Some(())
}

/// Writes the element of each lane of a mask at the lane's offset, the lowest lane first; `None`, and nothing written, if one is
/// outside.
#[inline(always)]
pub(super) fn scatter<const B: usize>(bytes: &mut [u8], offsets: &Wide, mask: u32, block: &LaneBytes<B>) -> Option<()> {
    let offsets = inside::<B>(bytes.len(), offsets, mask)?;
    for (lane, (element, offset)) in block.iter().zip(offsets.0).enumerate() {
        if mask >> lane & 1 != 0 {
            *bytes.get_mut(offset as usize..)?.first_chunk_mut()? = *element;
        }
    }
    Some(())
}

/// The offsets of the lanes of a mask, and zeros in others; `None` if an element of `B` bytes is outside of `len` bytes.
#[inline(always)]
fn inside<const B: usize>(len: usize, offsets: &Wide, mask: u32) -> Option<Wide> {
    let last = u32::try_from(len.checked_sub(B)?).unwrap_or(u32::MAX);
    let masked = masked(offsets, mask);
    let mut outside = 0;
    for offset in &masked.0 {
        outside |= u32::from(*offset > last);
    }
    (outside == 0).then_some(masked)
}

/// The lanes of a mask whose access of `B` bytes is within the first `limit` bytes; `None` if an access of several dwords is partly
/// within.
#[inline(always)]
pub(super) fn within<const B: usize>(offsets: &Wide, mask: u32, limit: u64) -> Option<u32> {
    let end = u32::try_from(limit).unwrap_or(u32::MAX);
    let Some(last) = limit.checked_sub(B as u64).map(|last| u32::try_from(last).unwrap_or(u32::MAX)) else {
        // Shorter than an access.
        return (limit == 0 || B <= 4).then_some(0);
    };
    let whole = mask
        & pack(&Wide::from_fn(
            #[inline(always)]
            |lane| u32::from(offsets.0[lane] <= last),
        ));
    if whole == mask || B <= 4 {
        return Some(whole);
    }
    let begun = mask
        & pack(&Wide::from_fn(
            #[inline(always)]
            |lane| u32::from(offsets.0[lane] < end),
        ));
    (begun == whole).then_some(whole)
}

/// The offsets of lanes in memory that has `bytes` bytes for each lane; `None` if a lane of a mask is outside of its bytes.
#[inline(always)]
pub(super) fn of_lanes<const B: usize>(offsets: &Wide, mask: u32, first: usize, bytes: usize) -> Option<Wide> {
    let offsets = inside::<B>(bytes, offsets, mask)?;
    let (first, bytes) = (u32::try_from(first).ok()?, u32::try_from(bytes).ok()?);
    bytes.checked_mul(2 * LANES as u32)?;
    Some(Wide::from_fn(|lane| (first + lane as u32).wrapping_mul(bytes).wrapping_add(offsets.0[lane])))
}

/// A row with zeros in lanes that are not in a mask.
#[inline(always)]
pub(super) fn masked(row: &Wide, mask: u32) -> Wide {
    Wide::blend(mask, row, &Wide::ZERO)
}

/// The runs of ones of a mask: the first lane and how many there are.
pub(super) fn runs(mut mask: u32) -> impl Iterator<Item = (usize, usize)> {
    core::iter::from_fn(move || {
        let first = mask.trailing_zeros();
        if first == 32 {
            return None;
        }
        let count = (!(mask >> first)).trailing_zeros();
        // The lanes after the run.
        mask &= u32::MAX.checked_shl(first + count).unwrap_or(0);
        Some((first as usize, count as usize))
    })
}
