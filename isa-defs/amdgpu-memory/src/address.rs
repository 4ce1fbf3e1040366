//! Addresses of accesses, and the faults of accesses without one.

use core::fmt;

/// Consecutive bytes of memory that one lane accesses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Address {
    /// The first byte.
    pub byte: u64,
    /// The size in bytes.
    pub bytes: u32,
}

impl Address {
    /// Returns `bytes` bytes, the first at `byte`.
    #[must_use]
    pub const fn new(byte: u64, bytes: u32) -> Self {
        Address { byte, bytes }
    }

    /// The addresses of the bytes; they wrap at 64 bits.
    pub fn iter(self) -> impl Iterator<Item = u64> {
        (0..u64::from(self.bytes)).map(move |i| self.byte.wrapping_add(i))
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}+{}", self.byte, self.bytes)
    }
}

/// The reason why an access does not reach memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// Out of bounds: loads return zero, stores and atomics are dropped.
    OutOfRange,
    /// Misaligned: loads return zero, stores and atomics are dropped, and the hardware reports a memory violation.
    Misaligned {
        /// The address.
        byte: u64,
        /// The required alignment.
        to: u32,
    },
    /// Unbound descriptor: loads return zero, stores are dropped.
    Unbound,
    /// Descriptor of another resource type: the instruction is ignored.
    WrongResource,
    /// A combination that the texts call illegal or undefined, or that raises a memory violation for another reason.
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

/// The maximum number of pieces of one lane's access: the 17 dwords that 64 misaligned bytes touch.
const PIECES: usize = 17;

/// The pieces of one lane's access in byte order, each with an address or a fault.
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

    /// Appends a piece; pieces past the maximum are dropped.
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

    /// Returns the address of the first piece, if all pieces have one.
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

/// Returns the alignment of an access that must be aligned to its size: the size, or 4 for 12 bytes, for which the
/// texts name no alignment.
#[must_use]
pub const fn natural(bytes: u32) -> u32 {
    if bytes == 0 { 1 } else { 1 << bytes.trailing_zeros() }
}

/// Returns the address if it is a multiple of `to`.
///
/// # Errors
/// [`Fault::Misaligned`].
pub const fn aligned(address: Address, to: u32) -> Result<Address, Fault> {
    if to == 0 || address.byte.is_multiple_of(to as u64) {
        return Ok(address);
    }
    Err(Fault::Misaligned { byte: address.byte, to })
}
