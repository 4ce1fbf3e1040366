//! Labels for the targets of branches.

use std::convert::Infallible;
use std::io::Write;
use std::ops::Range;

use amdgpu_arch::InstructionSet;

use crate::section::{CodeSection, Row, RowContent, RowVisitor};

/// The labels of a section: the targets of its branches. Their numbers continue through the sections of a listing, so that each name is
/// unique.
#[derive(Debug)]
pub struct Labels {
    /// Targets of branches at which a row starts and no symbol is.
    places: Bits,
    /// The number of the first label of each word of `places`, and after them the one after the last.
    numbers: Vec<usize>,
    /// Parts of the selected code, which threads list independently.
    pub parts: Vec<Range<usize>>,
}

/// Bytes of a part: large enough to amortise its fixed costs, small enough that its listing stays in the cache.
const PART: usize = 1 << 13;

impl Labels {
    /// Finds the targets of all branches of a section. `first` is the number of its first label.
    pub fn find<S: InstructionSet>(section: &CodeSection<'_>, first: usize) -> Self {
        let size = section.bytes.len();
        let mut found = Found { starts: Bits::below(size), places: Bits::below(size), parts: Vec::new(), begin: 0 };
        let Ok(()) = section.visit_rows::<S, Infallible>(0..size, &mut found);
        let Found { starts, mut places, mut parts, begin } = found;
        parts.push(begin..size);
        let parts = parts.iter().flat_map(|part| section.selected(part)).collect();
        places.keep(&starts);
        section.symbols.iter().for_each(|symbol| places.unset(symbol.offset));
        let mut next = first;
        let mut numbers: Vec<usize> = Vec::with_capacity(places.0.len() + 1);
        for word in &places.0 {
            numbers.push(next);
            next += word.count_ones() as usize;
        }
        numbers.push(next);
        Self { places, numbers, parts }
    }

    /// Returns the number of the label at this offset, if there is one.
    #[inline]
    #[must_use]
    pub fn at(&self, offset: usize) -> Option<usize> {
        if !self.places.has(offset) {
            return None;
        }
        let before = self.places.0[offset / 64] & ((1 << (offset % 64)) - 1);
        Some(self.numbers[offset / 64] + before.count_ones() as usize)
    }

    /// Returns the number after the last label's.
    #[must_use]
    pub fn next(&self) -> usize {
        self.numbers.last().copied().unwrap_or(0)
    }

    /// Appends the name of the label with this number.
    pub fn name(number: usize, out: &mut Vec<u8>) {
        // Writing to memory does not fail.
        let _ = write!(out, "L{number}");
    }

    /// Appends a name for the target of a branch, an offset from the section's start: a symbol, a label, a symbol and a
    /// distance if no instruction starts there, or an address outside of the section.
    pub fn destination(&self, section: &CodeSection<'_>, target: i64, out: &mut Vec<u8>) {
        let offset = usize::try_from(target).ok();
        if let Some(number) = offset.and_then(|offset| self.at(offset)) {
            return Self::name(number, out);
        }
        let symbol = offset.filter(|&offset| offset < section.bytes.len()).and_then(|offset| {
            let before = section.symbols.partition_point(|s| s.offset <= offset);
            section.symbols[..before].last().map(|symbol| (symbol, offset - symbol.offset))
        });
        // Writing to memory does not fail.
        let _ = match symbol {
            Some((symbol, 0)) => write!(out, "{}", symbol.name),
            Some((symbol, distance)) => write!(out, "{}+0x{distance:x}", symbol.name),
            None => write!(out, "0x{:x}", section.address.wrapping_add_signed(target)),
        };
    }
}

/// The state of the search through a section.
struct Found {
    /// The starts of rows.
    starts: Bits,
    /// The targets of branches.
    places: Bits,
    /// The parts that are complete.
    parts: Vec<Range<usize>>,
    /// The start of the next part.
    begin: usize,
}

impl RowVisitor<'_, Infallible> for Found {
    #[inline(always)]
    fn row(&mut self, row: Row<'_>) -> Result<(), Infallible> {
        self.starts.set(row.offset);
        if row.offset - self.begin >= PART && !matches!(row.content, RowContent::Outside(_)) {
            self.parts.push(self.begin..row.offset);
            self.begin = row.offset;
        }
        if let Some(target) = row.target().and_then(|target| usize::try_from(target).ok()) {
            self.places.set(target);
        }
        Ok(())
    }
}

/// A set of offsets.
#[derive(Debug)]
struct Bits(Vec<u64>);

impl Bits {
    /// An empty set with room for offsets below this one.
    fn below(end: usize) -> Self {
        Self(vec![0; end.div_ceil(64)])
    }

    #[inline]
    fn set(&mut self, offset: usize) {
        if let Some(bits) = self.0.get_mut(offset / 64) {
            *bits |= 1 << (offset % 64);
        }
    }

    fn unset(&mut self, offset: usize) {
        if let Some(bits) = self.0.get_mut(offset / 64) {
            *bits &= !(1 << (offset % 64));
        }
    }

    /// Removes the offsets that are not in `other`.
    fn keep(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(bits, other)| *bits &= other);
    }

    #[inline]
    fn has(&self, offset: usize) -> bool {
        self.0.get(offset / 64).is_some_and(|bits| bits >> (offset % 64) & 1 == 1)
    }
}
