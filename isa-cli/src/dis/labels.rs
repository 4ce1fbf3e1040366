//! Names for the places that branches go to.

use crate::arch::Arch;
use crate::failure::Failure;

use super::code::{Row, Section};

/// The labels of a section. They are numbered through the whole listing, so that a name means one place.
pub struct Labels {
    /// Offsets that branches go to, where a row starts that no symbol names; sorted.
    places: Vec<usize>,
    /// The number of the first.
    first: usize,
}

impl Labels {
    /// Reads the section once to find where its branches go. `first` is the number to begin with.
    pub fn find(section: &Section<'_>, arch: Arch, first: usize) -> Result<Self, Failure> {
        let mut starts = Bits(vec![0; section.bytes.len() / 64 + 1]);
        let mut places = Vec::new();
        section.rows(arch, |row| {
            starts.set(row.offset);
            if let Some(target) = target(&row) {
                places.extend(usize::try_from(target).ok());
            }
            Ok(())
        })?;
        places.sort_unstable();
        places.dedup();
        places.retain(|place| starts.has(*place) && section.symbols.binary_search_by_key(place, |s| s.offset).is_err());
        Ok(Self { places, first })
    }

    /// The places that have labels, in order, and their numbers.
    pub fn each(&self) -> impl Iterator<Item = (usize, usize)> {
        self.places.iter().copied().zip(self.first..)
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
