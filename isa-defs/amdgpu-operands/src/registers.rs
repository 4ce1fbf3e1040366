//! Halves of registers.

/// Half of a 32-bit register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Half {
    /// Bits 15 to 0.
    Low,
    /// Bits 31 to 16.
    High,
}
