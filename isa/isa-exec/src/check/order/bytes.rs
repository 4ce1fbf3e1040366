//! The accesses to each byte of memory.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

/// The last accesses to a byte, or to a dword whose bytes have the same.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Cell {
    /// The writes.
    pub write: u32,
    /// The reads.
    pub read: u32,
}

/// The bits of a [`Packed`] that are its tag: numbers of accesses do not have them.
pub(super) const TAG: u32 = 3 << 29;

/// Tags. Without one, the other bits are the number of writes.
const READS: u32 = 1 << 29;
/// The other bits are the index of a cell with writes and reads.
const BOTH: u32 = 2 << 29;
/// The other bits are the index of the cells of a dword's bytes.
const BYTES: u32 = 3 << 29;

/// A cell in four bytes, or the cells of a dword's bytes if they differ. 0: no access.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Packed(u32);

impl Packed {
    /// A cell without reads or without writes.
    fn single(cell: Cell) -> Option<Self> {
        match cell {
            Cell { write, read: 0 } => Some(Packed(write)),
            Cell { write: 0, read } => Some(Packed(read | READS)),
            _ => None,
        }
    }

    /// An index beside a tag. The accesses are forgotten if there are more than 2²⁹.
    fn tagged(index: usize, tag: u32) -> Self {
        let index = u32::try_from(index).ok().filter(|index| *index < READS);
        Packed(index.map_or(0, |index| index | tag))
    }

    /// The index beside a tag.
    fn index(self, tag: u32) -> Option<usize> {
        (self.0 & TAG == tag).then_some((self.0 & !TAG) as usize)
    }
}

/// The dwords of a page.
const PAGE: usize = 1024;

/// Memory of a few dwords.
type Page = Box<[Packed; PAGE]>;

/// The accesses to each byte of memory: one byte for each byte of pages that were accessed, and eight for each cell with writes and
/// reads.
#[derive(Debug, Default)]
pub(super) struct Cells {
    /// The indices of pages, by their number.
    numbers: BTreeMap<u64, usize>,
    pages: Vec<Page>,
    /// The page that was accessed last: its number and its index.
    last: Option<(u64, usize)>,
    pairs: Pairs,
    /// The bytes of dwords whose bytes differ, and which of them are not used.
    different: Vec<[Packed; 4]>,
    unused: Vec<usize>,
}

/// The cells with writes and reads.
#[derive(Debug, Default)]
struct Pairs {
    cells: Vec<Cell>,
    /// The length beyond which those that nothing refers to are removed.
    limit: usize,
}

/// The least [`Pairs::limit`].
const LEAST_LIMIT: usize = PAGE;

impl Pairs {
    fn unpack(&self, packed: Packed) -> Cell {
        let number = packed.0 & !TAG;
        match packed.0 & TAG {
            BOTH => self.cells.get(number as usize).copied().unwrap_or_default(),
            READS => Cell { write: 0, read: number },
            _ => Cell { write: number, read: 0 },
        }
    }

    fn pack(&mut self, cell: Cell) -> Packed {
        /// How many of the last cells are compared: an instruction often accesses memory with the same accesses.
        const RECENT: usize = 8;
        if let Some(packed) = Packed::single(cell) {
            return packed;
        }
        let known = self.cells.iter().enumerate().rev().take(RECENT).find(|(_, known)| **known == cell);
        let index = known.map(|(index, _)| index).unwrap_or_else(|| {
            self.cells.push(cell);
            self.cells.len() - 1
        });
        Packed::tagged(index, BOTH)
    }
}

impl Cells {
    /// The cells of the page of a number.
    #[inline]
    fn page(&mut self, number: u64) -> &mut [Packed; PAGE] {
        let index = match self.last {
            Some((last, index)) if last == number => index,
            _ => {
                let pages = &mut self.pages;
                let index = *self.numbers.entry(number).or_insert_with(|| {
                    pages.push(Box::new([Packed::default(); PAGE]));
                    pages.len() - 1
                });
                self.last = Some((number, index));
                index
            }
        };
        &mut self.pages[index]
    }

    /// The cell of a dword.
    #[inline]
    fn cell(&mut self, dword: u64) -> &mut Packed {
        &mut self.page(dword / PAGE as u64)[(dword % PAGE as u64) as usize]
    }

    /// Replaces the accesses to bytes from an address on by a function of them and of the offsets of the bytes. It is called for bytes of
    /// a dword that have the same accesses, and says whether it need not be called again for others that have them.
    #[inline]
    pub fn change(&mut self, address: u64, bytes: u32, mut f: impl FnMut(Cell, Range<u32>) -> (Cell, bool)) {
        if self.pairs.cells.len() > self.pairs.limit {
            self.remove_unused_pairs();
        }
        let mut last: Option<(Packed, Packed)> = None;
        let mut f = |pairs: &mut Pairs, before: Packed, range: Range<u32>| match last {
            Some((known, after)) if known == before => after,
            _ => {
                let cell = pairs.unpack(before);
                let (after, is_known) = f(cell, range);
                let after = if after == cell { before } else { pairs.pack(after) };
                last = is_known.then_some((before, after));
                after
            }
        };
        let mut at = 0;
        while at < bytes {
            let here = address.wrapping_add(at.into());
            let (dword, first) = (here / 4, (here % 4) as u32);
            if first != 0 || bytes - at < 4 {
                let count = (bytes - at).min(4 - first);
                self.change_part(dword, first as usize, count as usize, at, &mut f);
                at += count;
                continue;
            }
            // Whole dwords of a page.
            let start = (dword % PAGE as u64) as usize;
            let count = ((bytes - at) as usize / 4).min(PAGE - start);
            let mut different = false;
            let mut pairs = core::mem::take(&mut self.pairs);
            for cell in &mut self.page(dword / PAGE as u64)[start..start + count] {
                different = cell.index(BYTES).is_some();
                if different {
                    break;
                }
                *cell = f(&mut pairs, *cell, at..at + 4);
                at += 4;
            }
            self.pairs = pairs;
            if different {
                let dword = address.wrapping_add(at.into()) / 4;
                self.change_part(dword, 0, 4, at, &mut f);
                at += 4;
            }
        }
    }

    /// Changes bytes of a dword: `count` of them from the byte `first` on, which has the offset `at` in what is changed.
    #[cold]
    fn change_part(
        &mut self,
        dword: u64,
        first: usize,
        count: usize,
        at: u32,
        f: &mut impl FnMut(&mut Pairs, Packed, Range<u32>) -> Packed,
    ) {
        let cell = *self.cell(dword);
        let index = cell.index(BYTES);
        let found = index.and_then(|index| self.different.get(index).copied());
        let mut bytes = found.unwrap_or([cell; 4]);
        let (mut from, end) = (first, first + count);
        while from < end {
            let before = bytes[from];
            let same = bytes[from..end].iter().take_while(|cell| **cell == before).count();
            let offset = at + (from - first) as u32;
            bytes[from..from + same].fill(f(&mut self.pairs, before, offset..offset + same as u32));
            from += same;
        }
        *self.cell(dword) = if bytes.iter().all(|byte| *byte == bytes[0]) {
            if let Some(index) = index {
                self.unused.push(index);
                self.set_different(index, [Packed::default(); 4]);
            }
            bytes[0]
        } else {
            let index = index.or_else(|| self.unused.pop()).unwrap_or_else(|| {
                self.different.push(bytes);
                self.different.len() - 1
            });
            self.set_different(index, bytes);
            Packed::tagged(index, BYTES)
        };
    }

    fn set_different(&mut self, index: usize, bytes: [Packed; 4]) {
        if let Some(to) = self.different.get_mut(index) {
            *to = bytes;
        }
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        PAGE * self.pages.len()
    }

    /// The memory that they take.
    #[cfg(test)]
    pub fn bytes(&self) -> usize {
        size_of::<Page>() * self.pages.len()
            + size_of::<[Packed; PAGE]>() * self.pages.len()
            + size_of::<Cell>() * self.pairs.cells.len()
            + size_of::<[Packed; 4]>() * self.different.len()
    }

    /// Replaces all packed cells but those of dwords whose bytes differ by a function of them, which is not called again for neighbours that
    /// are equal: an access of several lanes or of a large element leaves many of these.
    fn replace(&mut self, mut f: impl FnMut(Packed) -> Packed) {
        let (mut before, mut after) = (Packed::default(), Packed::default());
        let mut replace = |packed: &mut Packed| {
            if *packed != before && packed.index(BYTES).is_none() {
                (before, after) = (*packed, f(*packed));
            }
            if *packed == before {
                *packed = after;
            }
        };
        self.pages.iter_mut().for_each(|page| page.iter_mut().for_each(&mut replace));
        self.different.iter_mut().for_each(|bytes| bytes.iter_mut().for_each(&mut replace));
    }

    /// Removes the cells with writes and reads that nothing refers to.
    #[cold]
    fn remove_unused_pairs(&mut self) {
        let all = core::mem::take(&mut self.pairs.cells);
        let mut moved: Vec<Option<Packed>> = alloc::vec![None; all.len()];
        let mut used = Vec::new();
        self.replace(|packed| {
            let Some(index) = packed.index(BOTH) else { return packed };
            let (Some(cell), Some(moved)) = (all.get(index), moved.get_mut(index)) else { return packed };
            *moved.get_or_insert_with(|| {
                used.push(*cell);
                Packed::tagged(used.len() - 1, BOTH)
            })
        });
        self.pairs = Pairs { limit: LEAST_LIMIT.max(2 * used.len()), cells: used };
    }

    /// Calls a function with all accesses, with those to neighbours that have the same once.
    pub fn each(&mut self, mut f: impl FnMut(&mut Cell)) {
        self.remove_unused_pairs();
        self.replace(|packed| {
            if packed.index(BOTH).is_some() {
                return packed;
            }
            let mut cell = Pairs::default().unpack(packed);
            f(&mut cell);
            Packed::single(cell).unwrap_or_default()
        });
        self.pairs.cells.iter_mut().for_each(f);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_a_dword_may_differ() {
        let mut bytes = Cells::default();
        let read = |bytes: &mut Cells, address| {
            let mut found = Cell::default();
            bytes.change(address, 1, |cell, _| {
                found = cell;
                (cell, true)
            });
            found.write
        };
        let write = |bytes: &mut Cells, address, count, write| {
            let mut calls = 0;
            bytes.change(address, count, |cell, _| {
                calls += 1;
                (Cell { write, ..cell }, false)
            });
            calls
        };
        assert_eq!(write(&mut bytes, 4098, 8, 7), 3);
        assert_eq!(write(&mut bytes, 4100, 2, 8), 1);
        let found: Vec<u32> = (4096..4108).map(|at| read(&mut bytes, at)).collect();
        assert_eq!(found, [0, 0, 7, 7, 8, 8, 7, 7, 7, 7, 0, 0]);
        assert_eq!(write(&mut bytes, 4102, 1, 8), 1);
        assert_eq!(write(&mut bytes, 4103, 1, 8), 1);
        assert_eq!(write(&mut bytes, 4100, 4, 9), 1, "all bytes are the same again");
        assert_eq!(bytes.unused.len(), 1);
        let mut writes = Vec::new();
        bytes.each(|cell| writes.extend((cell.write != 0).then_some(cell.write)));
        writes.sort_unstable();
        writes.dedup();
        assert_eq!(writes, [7, 9]);
    }

    #[test]
    fn cells_that_nothing_refers_to_are_removed() {
        let mut bytes = Cells::default();
        let numbers = 1..100 * LEAST_LIMIT as u32;
        for number in numbers.clone() {
            bytes.change(u64::from(number) % 16, 4, |_, _| (Cell { write: number, read: number + 1 }, true));
        }
        assert!(bytes.pairs.cells.len() <= 2 * LEAST_LIMIT, "{}", bytes.pairs.cells.len());
        let mut found = Vec::new();
        bytes.each(|cell| found.push(*cell));
        found.retain(|cell| cell.write != 0);
        assert!(found.contains(&Cell { write: numbers.end - 1, read: numbers.end }), "{found:?}");
        assert!(found.len() <= 5 * 4, "{found:?}");
    }
}
