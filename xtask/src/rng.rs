//! Random numbers that are the same in every run: SplitMix64.

/// A generator.
pub struct Rng(u64);

impl Rng {
    /// A generator whose numbers depend on this alone.
    pub const fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// A generator for something named: what else is there does not change its numbers.
    pub fn named<'a>(seed: u64, names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut hash = seed ^ 0xcbf2_9ce4_8422_2325;
        for byte in names.into_iter().flat_map(|n| n.bytes().chain([0])) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Rng(hash)
    }

    /// The next 64 bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.0;
        let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A dword.
    pub const fn word(&mut self) -> u32 {
        (self.next() >> 32) as u32
    }

    /// A number below `n`; 0 if `n` is 0.
    pub const fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { ((self.word() as u64 * n as u64) >> 32) as usize }
    }

    /// True once in `n` times.
    pub const fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}
