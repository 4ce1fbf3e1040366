//! The modifiers of a set.

use isa_schema::ALL_REFUSE;

/// A modifier of a set, and its bits in `Inst`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Modifier {
    /// The name.
    pub name: &'static str,
    pub(crate) lo: u8,
    pub(crate) width: u8,
    /// Whether a further bit says that the modifier is stated.
    pub(crate) has_presence: bool,
    /// The value that `Inst` holds as 0.
    pub(crate) default: u32,
    /// The groups of opcodes that lack the modifier, a bit each. No two modifiers of one group share bits of `Inst`.
    pub(crate) lacking_groups: u8,
}

impl Modifier {
    /// A modifier of `width` bits, from the bit `lo` of `Inst` on, which these groups of opcodes have. `Inst` holds `default` as 0.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(name: &'static str, lo: u8, width: u8, has_presence: bool, default: u32, groups: u8) -> Self {
        Modifier { name, lo, width, has_presence, default, lacking_groups: !groups & !ALL_REFUSE }
    }

    /// Returns the number of bits of its values.
    pub(crate) const fn width(self) -> u8 {
        self.width
    }

    /// Returns a mask of its values.
    pub(crate) const fn ones(self) -> u64 {
        (1u64 << self.width) - 1
    }

    /// Returns a mask of the modifier in `Inst`, with the bit that says that it is stated.
    pub(crate) const fn mask(self) -> u64 {
        (self.ones() | self.presence()) << self.lo
    }

    /// Returns the bit above its values that says that the modifier is stated, or 0 if it has none.
    pub(crate) const fn presence(self) -> u64 {
        if self.has_presence { 1 << self.width } else { 0 }
    }

    /// Returns the bits of a value in `Inst`.
    pub(crate) const fn place(self, value: u32) -> u64 {
        ((value ^ self.default) as u64 & self.ones() | self.presence()) << self.lo
    }

    /// Returns the value in the bits of an `Inst`, if it is stated or has one default.
    pub(crate) const fn get(self, all: u64) -> Option<u32> {
        let bits = all >> self.lo;
        if self.has_presence && bits & self.presence() == 0 {
            return None;
        }
        Some((bits & self.ones()) as u32 ^ self.default)
    }
}
