//! How far a branch goes: what assemblers at run time and at compile time say of it.

use core::fmt;

/// A distance that the 16 signed bits of a branch cannot hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TooFar {
    dwords: i64,
}

impl fmt::Display for TooFar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (dwords, most) = (i128::from(self.dwords), i128::from(i16::MAX));
        let beyond = if dwords < 0 { -dwords - most - 1 } else { dwords - most };
        write!(f, "the label is {dwords} dwords away, {beyond} more than a branch can go")
    }
}

impl core::error::Error for TooFar {}

/// The distance of a branch, in dwords from its end.
///
/// # Errors
/// If 16 signed bits do not hold it.
///
/// ```
/// assert_eq!(isa::reach(-3), Ok(-3));
/// let far = isa::reach(40_000).unwrap_err().to_string();
/// assert_eq!(far, "the label is 40000 dwords away, 7233 more than a branch can go");
/// ```
pub fn reach(dwords: i64) -> Result<i16, TooFar> {
    i16::try_from(dwords).map_err(|_| TooFar { dwords })
}
