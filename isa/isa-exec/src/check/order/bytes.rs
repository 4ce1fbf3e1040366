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

/// The write of a cell whose bytes have different accesses; the read is then their index.
const DIFFERENT: u32 = u32::MAX;

/// The dwords of a page.
const PAGE: usize = 1024;

/// Memory of a few dwords.
type Page = Box<[Cell; PAGE]>;

/// The accesses to each byte of memory: 2 bytes for each byte of pages that were accessed.
#[derive(Debug, Default)]
pub(super) struct Cells {
    /// The indices of pages, by their number.
    numbers: BTreeMap<u64, usize>,
    pages: Vec<Page>,
    /// The page that was accessed last: its number and its index.
    last: Option<(u64, usize)>,
    /// The bytes of dwords whose bytes differ, and which of them are not used.
    different: Vec<[Cell; 4]>,
    unused: Vec<u32>,
}

impl Cells {
    /// The cells of the page of a number.
    #[inline]
    fn page(&mut self, number: u64) -> &mut [Cell; PAGE] {
        let index = match self.last {
            Some((last, index)) if last == number => index,
            _ => {
                let pages = &mut self.pages;
                let index = *self.numbers.entry(number).or_insert_with(|| {
                    pages.push(Box::new([Cell::default(); PAGE]));
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
    fn cell(&mut self, dword: u64) -> &mut Cell {
        &mut self.page(dword / PAGE as u64)[(dword % PAGE as u64) as usize]
    }

    /// Replaces the accesses to bytes from an address on by a function of them and of the offsets of the bytes. It is called for bytes of
    /// a dword that have the same accesses, and says whether it need not be called again for others that have them.
    #[inline]
    pub fn change(&mut self, address: u64, bytes: u32, mut f: impl FnMut(Cell, Range<u32>) -> (Cell, bool)) {
        let mut last: Option<(Cell, Cell)> = None;
        let mut f = |before: Cell, range: Range<u32>| match last {
            Some((known, after)) if known == before => after,
            _ => {
                let (after, is_known) = f(before, range);
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
            for cell in &mut self.page(dword / PAGE as u64)[start..start + count] {
                different = cell.write == DIFFERENT;
                if different {
                    break;
                }
                *cell = f(*cell, at..at + 4);
                at += 4;
            }
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
        f: &mut impl FnMut(Cell, Range<u32>) -> Cell,
    ) {
        let cell = *self.cell(dword);
        let is_different = cell.write == DIFFERENT;
        let found = is_different.then(|| self.different.get(cell.read as usize).copied()).flatten();
        let mut bytes = found.unwrap_or([cell; 4]);
        let (mut from, end) = (first, first + count);
        while from < end {
            let before = bytes[from];
            let same = bytes[from..end].iter().take_while(|cell| **cell == before).count();
            let offset = at + (from - first) as u32;
            bytes[from..from + same].fill(f(before, offset..offset + same as u32));
            from += same;
        }
        if bytes.iter().all(|byte| *byte == bytes[0]) {
            if is_different {
                self.unused.push(cell.read);
                self.set_different(cell.read, [Cell::default(); 4]);
            }
            *self.cell(dword) = bytes[0];
            return;
        }
        let reused = if is_different { Some(cell.read) } else { self.unused.pop() };
        let index = reused.unwrap_or_else(|| {
            self.different.push(bytes);
            u32::try_from(self.different.len() - 1).unwrap_or(u32::MAX)
        });
        self.set_different(index, bytes);
        *self.cell(dword) = Cell { write: DIFFERENT, read: index };
    }

    fn set_different(&mut self, index: u32, bytes: [Cell; 4]) {
        if let Some(to) = self.different.get_mut(index as usize) {
            *to = bytes;
        }
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        PAGE * self.pages.len()
    }

    /// Calls a function with all cells.
    pub fn each(&mut self, mut f: impl FnMut(&mut Cell)) {
        for cell in self.pages.iter_mut().flat_map(|page| page.iter_mut()) {
            if cell.write != DIFFERENT {
                f(cell);
            }
        }
        self.different.iter_mut().flatten().for_each(f);
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
        let mut cells = 0;
        bytes.each(|cell| cells += usize::from(cell.write != 0));
        assert!(cells >= 5);
    }
}
