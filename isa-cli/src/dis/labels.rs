//! Names for the places that branches go to.

use std::convert::Infallible;
use std::ops::Range;

use crate::arch::Arch;

use super::code::{Content, Row, Section};

/// The labels of a section. They are numbered through the whole listing, so that a name means one place.
pub struct Labels {
    /// Offsets that branches go to, where a row starts that no symbol names; sorted.
    places: Vec<usize>,
    /// The number of the first.
    first: usize,
    /// Parts of the section, each of which begins with a row, so that they can be listed apart.
    pub parts: Vec<Range<usize>>,
}

/// Bytes of a part: enough that what is done for each counts for little, and so few that the memory of its listing is soon
/// free again for another.
const PART: usize = 1 << 12;

impl Labels {
    /// Reads the section once to find where its branches go. `first` is the number to begin with.
    pub fn find(section: &Section<'_>, arch: Arch, first: usize) -> Self {
        let mut starts = Bits(vec![0; section.bytes.len() / 64 + 1]);
        let mut places = Vec::new();
        let mut parts = Vec::new();
        let mut begin = 0;
        let _ = section.rows(arch, |row| {
            starts.set(row.offset);
            if row.offset - begin >= PART && !matches!(row.content, Content::Outside(_)) {
                parts.push(begin..row.offset);
                begin = row.offset;
            }
            if let Some(target) = target(&row) {
                places.extend(usize::try_from(target).ok());
            }
            Ok::<(), Infallible>(())
        });
        parts.push(begin..section.bytes.len());
        places.sort_unstable();
        places.dedup();
        places.retain(|place| starts.has(*place) && section.symbols.binary_search_by_key(place, |s| s.offset).is_err());
        Self { places, first, parts }
    }

    /// The places from this offset on that have labels, in order, and their numbers.
    pub fn from(&self, offset: usize) -> impl Iterator<Item = (usize, usize)> {
        let before = self.places.partition_point(|place| *place < offset);
        self.places.iter().copied().zip(self.first..).skip(before)
    }

    /// The number after the last label's.
    pub fn next(&self) -> usize {
        self.first + self.places.len()
    }

    /// The label with this number.
    pub fn name(number: usize) -> String {
        format!("L{number}")
    }

    /// What to call the place a row branches to: a symbol, a label, a symbol and a distance where there is no
    /// instruction's start, or an address outside of the section.
    pub fn destination(&self, section: &Section<'_>, row: &Row<'_>) -> Option<String> {
        let target = target(row)?;
        let inside = usize::try_from(target).ok().filter(|&t| t < section.bytes.len());
        let Some(offset) = inside else {
            return Some(format!("0x{:x}", section.address.wrapping_add_signed(target)));
        };
        if let Ok(place) = self.places.binary_search(&offset) {
            return Some(Self::name(self.first + place));
        }
        let before = section.symbols.partition_point(|s| s.offset <= offset);
        Some(match section.symbols[..before].last() {
            Some(symbol) if symbol.offset == offset => symbol.name.clone(),
            Some(symbol) => format!("{}+0x{:x}", symbol.name, offset - symbol.offset),
            None => format!("0x{:x}", section.address_of(offset)),
        })
    }
}

/// A set of offsets.
struct Bits(Vec<u64>);

impl Bits {
    fn set(&mut self, offset: usize) {
        if let Some(bits) = self.0.get_mut(offset / 64) {
            *bits |= 1 << (offset % 64);
        }
    }

    fn has(&self, offset: usize) -> bool {
        self.0.get(offset / 64).is_some_and(|bits| bits >> (offset % 64) & 1 == 1)
    }
}

/// Where a branch goes, from the section's start.
fn target(row: &Row<'_>) -> Option<i64> {
    let end = i64::try_from(row.offset + row.bytes.len()).ok()?;
    end.checked_add(row.instr()?.branch()?)
}
