//! Lengths.

/// todo
#[must_use]
pub fn length() -> usize {
    0
}
