//! What an address comes to, or why there is none.

use core::fmt;

/// Consecutive bytes of memory that one lane touches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Address {
    /// The first byte.
    pub byte: u64,
    /// How many bytes.
    pub bytes: u32,
}

impl Address {
    /// `bytes` bytes from `byte` on.
    #[must_use]
    pub const fn new(byte: u64, bytes: u32) -> Self {
        Address { byte, bytes }
    }

    /// The addresses of the bytes; those beyond the end of a 64-bit space begin at 0 again.
    pub fn iter(self) -> impl Iterator<Item = u64> {
        (0..u64::from(self.bytes)).map(move |i| self.byte.wrapping_add(i))
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}+{}", self.byte, self.bytes)
    }
}

/// Why an access has no address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// Beyond the bounds: loads give zero, stores and atomics do nothing.
    OutOfRange,
    /// Not aligned as the mode asks: loads give zero, stores and atomics do nothing, and a memory violation is reported.
    Misaligned {
        /// The address.
        byte: u64,
        /// What it should be a multiple of.
        to: u32,
    },
    /// The descriptor stands for no resource: loads give zero, stores do nothing.
    Unbound,
    /// The descriptor is of another kind of resource: the instruction is ignored.
    WrongResource,
    /// What the texts forbid, or say to be undefined, and a memory violation where they name one.
    Forbidden(&'static str),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::OutOfRange => f.write_str("the address is out of range"),
            Fault::Misaligned { byte, to } => write!(f, "the address {byte:#x} is not a multiple of {to}"),
            Fault::Unbound => f.write_str("the descriptor is unbound"),
            Fault::WrongResource => f.write_str("the descriptor is of another kind of resource"),
            Fault::Forbidden(rule) => f.write_str(rule),
        }
    }
}

impl core::error::Error for Fault {}

/// The most pieces that an access of one lane falls into: 16 dwords, or the 17 that 64 bytes from within a dword touch.
const PIECES: usize = 17;

/// The pieces of an access of one lane, in the order of its bytes: each has an address or a fault of its own.
#[derive(Clone, Copy)]
pub struct Spans {
    pieces: [Result<Address, Fault>; PIECES],
    len: u8,
}

impl Spans {
    /// No piece.
    pub const NONE: Spans = Spans { pieces: [Err(Fault::OutOfRange); PIECES], len: 0 };

    /// One piece.
    #[must_use]
    pub const fn one(piece: Result<Address, Fault>) -> Self {
        let mut spans = Self::NONE;
        spans.pieces[0] = piece;
        spans.len = 1;
        spans
    }

    /// Adds a piece; one that no access has is left out.
    pub fn push(&mut self, piece: Result<Address, Fault>) {
        if let Some(to) = self.pieces.get_mut(usize::from(self.len)) {
            *to = piece;
            self.len += 1;
        }
    }

    /// The pieces.
    pub fn as_slice(&self) -> &[Result<Address, Fault>] {
        self.pieces.get(..usize::from(self.len)).unwrap_or_default()
    }

    /// The pieces.
    pub fn iter(&self) -> impl Iterator<Item = Result<Address, Fault>> {
        self.as_slice().iter().copied()
    }

    /// The address of the first piece.
    ///
    /// # Errors
    /// The first fault of any piece.
    pub fn whole(&self) -> Result<Address, Fault> {
        let mut first = None;
        for piece in self.iter() {
            let address = piece?;
            first = first.or(Some(address));
        }
        first.ok_or(Fault::OutOfRange)
    }

    /// The addresses of all bytes of the pieces that have one.
    pub fn bytes(&self) -> impl Iterator<Item = u64> {
        self.iter().flatten().flat_map(Address::iter)
    }
}

impl fmt::Debug for Spans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

impl PartialEq for Spans {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Spans {}

/// What an access of `bytes` bytes must be a multiple of to be aligned to its size: the size, or where that is no power
/// of two (12 bytes) the greatest power of two in it, as the texts do not say otherwise.
#[must_use]
pub const fn natural(bytes: u32) -> u32 {
    if bytes == 0 { 1 } else { 1 << bytes.trailing_zeros() }
}

/// The address if it is a multiple of `to`.
///
/// # Errors
/// [`Fault::Misaligned`].
pub const fn aligned(address: Address, to: u32) -> Result<Address, Fault> {
    if to == 0 || address.byte.is_multiple_of(to as u64) {
        return Ok(address);
    }
    Err(Fault::Misaligned { byte: address.byte, to })
}
