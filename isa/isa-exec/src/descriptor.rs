//! Accesses to memory through descriptors: what the executor asks the instruction set about them.

/// An access through a buffer resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferRequest {
    /// The resource.
    pub resource: [u32; 4],
    /// The vector registers that hold the index and the offset.
    pub vaddr: [u32; 2],
    /// The scalar offset.
    pub soffset: u32,
    /// The constant offset.
    pub offset: u32,
    /// Whether there is an index.
    pub idxen: bool,
    /// Whether there is a vector offset.
    pub offen: bool,
    /// The lane.
    pub lane: u8,
    /// The bytes of the access.
    pub bytes: u32,
    /// Whether it is an atomic.
    pub atomic: bool,
}

/// A scalar access through a buffer resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScalarRequest {
    /// The resource.
    pub resource: [u32; 4],
    /// The sum of the offsets.
    pub offset: u64,
    /// The dwords of the access.
    pub dwords: u8,
}

/// The most pieces of an access.
pub const PIECES: usize = 16;

/// The bytes of an access: pieces of the same size, each at an address or out of range. What is out of range loads zero and
/// is not stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pieces {
    /// The address of each piece; `None`: out of range. Those behind the access are not used.
    pub addresses: [Option<u64>; PIECES],
    /// The bytes of a piece.
    pub bytes: u32,
}

impl Pieces {
    /// An access that is out of range.
    pub const NONE: Pieces = Pieces { addresses: [None; PIECES], bytes: 4 };

    /// An access in one piece.
    #[must_use]
    pub const fn one(address: u64, bytes: u32) -> Self {
        let mut addresses = [None; PIECES];
        addresses[0] = Some(address);
        Pieces { addresses, bytes }
    }
}

/// How an instruction set forms addresses from descriptors.
#[derive(Clone, Copy, Debug)]
pub struct Descriptors {
    /// The bytes of an access through a buffer resource.
    pub buffer: fn(&BufferRequest) -> Pieces,
    /// The bytes of a scalar access through a buffer resource.
    pub scalar: fn(&ScalarRequest) -> Pieces,
}

impl Descriptors {
    /// A set without descriptors.
    pub const NONE: Descriptors = Descriptors { buffer: |_| Pieces::NONE, scalar: |_| Pieces::NONE };
}
