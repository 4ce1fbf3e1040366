//! Consecutive registers, by one number for each register of all files.

use core::fmt;

use rdna3_rows::{File, Registers, Wave};

/// The number of v0 among all registers. Scalar registers have the numbers of their codes.
const FIRST_VGPR: u16 = 128;
/// The code of VCC_LO.
pub(super) const VCC_LO: u16 = 106;
/// M0.
pub(super) const M0: Span = Span { first: 125, end: 126 };
/// EXEC, both halves.
pub(super) const EXEC: Span = Span { first: EXEC_LO as u16, end: 128 };
/// The code of EXEC_LO.
pub(super) const EXEC_LO: u8 = 126;

/// Consecutive registers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    first: u16,
    end: u16,
}

impl Span {
    pub(super) fn of(registers: Registers) -> Option<Self> {
        let base = match registers.file {
            File::Sgpr => 0,
            File::Vcc => VCC_LO,
            File::Ttmp => 108,
            File::M0 => M0.first,
            File::Exec => EXEC.first,
            File::Vgpr => FIRST_VGPR,
            File::Null | File::Scc | File::Special => return None,
        };
        let first = base + u16::from(registers.first);
        Some(Span { first, end: first + u16::from(registers.count) })
    }

    /// Returns the registers of a lane mask that starts at `first`.
    pub(super) const fn mask(first: u16, wave: Wave) -> Self {
        Span { first, end: first + if matches!(wave, Wave::W64) { 2 } else { 1 } }
    }

    pub(super) const fn first(self) -> u16 {
        self.first
    }

    pub(super) const fn end(self) -> u16 {
        self.end
    }

    pub(super) const fn len(self) -> u16 {
        self.end - self.first
    }

    /// Returns whether a register is in both.
    #[must_use]
    pub const fn overlaps(self, other: Span) -> bool {
        self.first < other.end && other.first < self.end
    }

    /// Returns the registers that are in both, if there are any.
    #[must_use]
    pub fn intersection(self, other: Span) -> Option<Span> {
        let both = Span { first: self.first.max(other.first), end: self.end.min(other.end) };
        (both.first < both.end).then_some(both)
    }

    /// Returns the registers before and after `other`.
    pub(super) fn without(self, other: Span) -> impl Iterator<Item = Span> {
        let left = Span { first: self.first, end: self.end.min(other.first) };
        let right = Span { first: self.first.max(other.end), end: self.end };
        [left, right].into_iter().filter(|s| s.first < s.end)
    }

    /// Returns whether they are vector registers.
    #[must_use]
    pub const fn is_vector(self) -> bool {
        self.first >= FIRST_VGPR
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, base) = match self.first {
            0..106 => ("s", 0),
            106 | 107 => return f.write_str("vcc"),
            108..124 => ("ttmp", 108),
            125 => return f.write_str("m0"),
            124..128 => return f.write_str("exec"),
            _ => ("v", FIRST_VGPR),
        };
        if self.end - self.first == 1 {
            write!(f, "{name}{}", self.first - base)
        } else {
            write!(f, "{name}[{}:{}]", self.first - base, self.end - 1 - base)
        }
    }
}
