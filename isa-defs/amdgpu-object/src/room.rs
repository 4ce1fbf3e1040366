//! A bound on what is read from a file.

use core::fmt;

/// How many more bytes may be read from a file. Parts of a damaged file may overlap, so that reading all of them has no bound; a sound
/// file has each part once.
pub struct Room(usize);

/// More is read than the file can hold: these parts overlap.
pub struct Overlap(&'static str);

impl fmt::Display for Overlap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "its {} overlap", self.0)
    }
}

impl Room {
    /// Room for some times the bytes of the file.
    pub const fn of(file: &[u8]) -> Self {
        Self(file.len().saturating_mul(4))
    }

    /// Takes the bytes of a part away. `what` is what parts of this kind are called.
    pub fn take(&mut self, bytes: usize, what: &'static str) -> Result<(), Overlap> {
        self.0 = self.0.checked_sub(bytes).ok_or(Overlap(what))?;
        Ok(())
    }
}
