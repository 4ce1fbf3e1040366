//! Numbers for samples, the same in every run with one seed.

/// A small generator of numbers (xorshift).
pub struct Sample(u64);

impl Default for Sample {
    fn default() -> Self {
        Self::new()
    }
}

impl Sample {
    /// Returns the generator that always starts with the same number.
    #[must_use]
    pub const fn new() -> Self {
        Sample(0x9e37_79b9_7f4a_7c15)
    }

    /// Returns a generator of other numbers for each seed.
    #[must_use]
    pub const fn seeded(seed: u64) -> Self {
        // The lowest bit stays set: from zero only zeros follow.
        Sample(Self::new().0 ^ seed.wrapping_mul(2))
    }

    /// The next number.
    pub const fn word(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32
    }

    /// A number below `n`, which is not 0.
    pub const fn below(&mut self, n: usize) -> usize {
        self.word() as usize % n
    }

    /// One of a list that is not empty.
    pub fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}
