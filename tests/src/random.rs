//! Pseudo-random numbers for tests, the same in every run.

/// Returns a generator (xorshift) of numbers below a bound.
pub fn numbers() -> impl FnMut(usize) -> usize {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    }
}
