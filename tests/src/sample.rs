//! Numbers for samples, the same in every run.

/// A small generator of numbers (xorshift).
pub struct Sample(u64);

impl Default for Sample {
    fn default() -> Self {
        Self::new()
    }
}

impl Sample {
    /// Its beginning, always the same.
    #[must_use]
    pub const fn new() -> Self {
        Sample(0x9e37_79b9_7f4a_7c15)
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
