//! Addresses in the sections of a program.

/// An address: a place in a subsection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address {
    /// The index of the subsection.
    pub subsection: u32,
    /// How many alignments, `.org` and pieces of unknown size come before it in the subsection. The distance of two addresses
    /// is known before layout if this number is the same.
    pub fragment: u32,
    /// Bytes from the beginning of the subsection, without the pieces whose size only layout knows.
    pub offset: u64,
}
