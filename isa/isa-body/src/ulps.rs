//! Error bounds of results.

use core::fmt;

/// An error bound in hundredths of a unit in the last place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ulps(u64);

impl Ulps {
    /// Returns a bound of this many hundredths of a unit in the last place.
    #[must_use]
    pub const fn from_hundredths(hundredths: u64) -> Ulps {
        Ulps(hundredths)
    }

    /// Returns the bound in hundredths of a unit in the last place.
    #[must_use]
    pub const fn hundredths(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Ulps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 100, self.0 % 100) {
            (whole, 0) if whole > 1024 && whole.is_power_of_two() => write!(f, "2^{} ULP", whole.trailing_zeros()),
            (whole, 0) => write!(f, "{whole} ULP"),
            (whole, part) => write!(f, "{whole}.{part:02} ULP"),
        }
    }
}
