//! Consecutive registers or half of one, by one number for each half of the registers of all files.

use core::fmt;

use rdna_rows::operands::codes;
use rdna_rows::{File, Half, Registers, Wave};

/// The number of v0 among all registers. Scalar registers have the numbers of their codes.
pub(super) const FIRST_VGPR: u16 = 128;
/// The code of VCC_LO.
pub(super) const VCC_LO: u16 = *codes::VCC.start() as u16;
/// M0.
pub(super) const M0: Span = Span::registers(codes::M0 as u16, 1);
/// EXEC, both halves.
pub(super) const EXEC: Span = Span::registers(EXEC_LO as u16, 2);
/// The code of EXEC_LO.
pub(super) const EXEC_LO: u8 = *codes::EXEC.start() as u8;

/// Consecutive registers, or half of one: a load of 16 bits writes one half, and the other can be used meanwhile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// Twice the number of the first register, and one more for its high half.
    first: u16,
    /// The same of the half after the last.
    end: u16,
}

impl Span {
    /// Returns `count` whole registers.
    const fn registers(first: u16, count: u16) -> Self {
        Span { first: 2 * first, end: 2 * (first + count) }
    }

    /// Returns the registers of an operand, or the half of a register that it is.
    pub(super) fn of(registers: Registers, half: Option<Half>) -> Option<Self> {
        let base = match registers.file {
            File::Sgpr => 0,
            File::Vcc => VCC_LO,
            File::Ttmp => 108,
            File::M0 => M0.first(),
            File::Exec => EXEC.first(),
            File::Vgpr => FIRST_VGPR,
            File::Null | File::Scc | File::Special => return None,
        };
        let whole = Span::registers(base + u16::from(registers.first), u16::from(registers.count));
        Some(match half {
            None => whole,
            Some(Half::Low) => Span { end: whole.first + 1, ..whole },
            Some(Half::High) => Span { first: whole.end - 1, ..whole },
        })
    }

    /// Returns the registers of a lane mask that starts at `first`.
    pub(super) const fn mask(first: u16, wave: Wave) -> Self {
        Span::registers(first, if matches!(wave, Wave::W64) { 2 } else { 1 })
    }

    /// Returns the pairs of scalar registers, even numbers first, that it has a part of.
    pub(super) const fn aligned_pairs(self) -> Self {
        Span { first: self.first / 4 * 4, end: self.end.div_ceil(4) * 4 }
    }

    /// Returns the number of the first register.
    pub(super) const fn first(self) -> u16 {
        self.first / 2
    }

    /// Returns the number after the last register.
    pub(super) const fn end(self) -> u16 {
        self.end.div_ceil(2)
    }

    /// Returns its registers, one by one, or the half of one that it is.
    pub(super) fn each(self) -> impl Iterator<Item = Span> {
        (self.first()..self.end()).filter_map(move |register| Span::registers(register, 1).intersection(self))
    }

    /// Returns whether it has the low half and the high half of a register.
    pub(super) const fn halves(self, register: u16) -> [bool; 2] {
        let low = 2 * register;
        [self.first <= low && low < self.end, self.first <= low + 1 && low + 1 < self.end]
    }

    /// Returns the registers that it has a part of.
    pub(super) const fn whole(self) -> Self {
        Span::registers(self.first(), self.len())
    }

    /// Returns how many registers it has a part of.
    pub(super) const fn len(self) -> u16 {
        self.end() - self.first()
    }

    /// Returns whether a register, or half of one, is in both.
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
        self.first() >= FIRST_VGPR
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = u32::from(self.first());
        let (name, base) = match code {
            _ if codes::SGPR.contains(&code) => ("s", *codes::SGPR.start() as u16),
            _ if codes::TTMP.contains(&code) => ("ttmp", *codes::TTMP.start() as u16),
            _ if codes::VCC.contains(&code) => return f.write_str("vcc"),
            _ if codes::EXEC.contains(&code) => return f.write_str("exec"),
            codes::NULL => return f.write_str("null"),
            codes::M0 => return f.write_str("m0"),
            _ => ("v", FIRST_VGPR),
        };
        if self.len() == 1 {
            write!(f, "{name}{}", self.first() - base)
        } else {
            write!(f, "{name}[{}:{}]", self.first() - base, self.end() - 1 - base)
        }
    }
}
