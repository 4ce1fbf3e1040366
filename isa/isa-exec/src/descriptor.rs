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

/// An access to an image in a lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImageRequest {
    /// The resource; the upper half is zero if the instruction names half a resource.
    pub resource: [u32; 8],
    /// The coordinates, in the order of [`Image::coordinates`](crate::layout::Image::coordinates).
    pub coordinates: [u32; 4],
    /// The mip level, counted from the largest one of the view.
    pub level: u32,
    /// The dimensions that the instruction states, by their code.
    pub dim: u8,
}

/// The number format of a component in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Number {
    /// Unsigned, from 0 to 1.
    Unorm,
    /// Signed, from -1 to 1.
    Snorm,
    /// An unsigned integer, in registers a float.
    Uscaled,
    /// A signed integer, in registers a float.
    Sscaled,
    /// An unsigned integer.
    Uint,
    /// A signed integer.
    Sint,
    /// A float of 32 or 16 bits, or of 11 or 10 without a sign.
    Float,
}

/// The source of a component in registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Select {
    /// Zero.
    Zero,
    /// One.
    One,
    /// A component in memory, from 0.
    Component(u8),
}

/// The bits of a component in memory; 0 if the format does not have it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Component {
    /// The lowest bit.
    pub lo: u8,
    /// How many bits.
    pub bits: u8,
}

/// An element of a buffer or an image that is converted when it is loaded or stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Element {
    /// The address; `None`: out of range, where loads give zeros and stores do nothing.
    pub address: Option<u64>,
    /// The bytes, at most 16.
    pub bytes: u8,
    /// The components in memory.
    pub components: [Component; 4],
    /// The number format of the components.
    pub number: Number,
    /// The sources of the components in registers.
    pub selects: [Select; 4],
}

impl Element {
    /// An element that is out of range.
    pub const NONE: Element = Element {
        address: None,
        bytes: 0,
        components: [Component { lo: 0, bits: 0 }; 4],
        number: Number::Uint,
        selects: [Select::Zero; 4],
    };
}

/// The most pieces of an access.
pub const PIECES: usize = 16;

/// The bytes of an access: pieces of the same size, each at an address or out of range. What is out of range loads zero and
/// is not stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pieces {
    /// The address of each piece; `None`: out of range. Those after the access are not used.
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
    /// The element of an access with conversion, in the format of the instruction, or else of the resource.
    pub element: fn(&BufferRequest, Option<u32>) -> Element,
    /// The texel of an image, or why the image cannot be accessed.
    pub texel: fn(&ImageRequest) -> Result<Element, &'static str>,
}

impl Descriptors {
    /// A set without descriptors.
    pub const NONE: Descriptors = Descriptors {
        buffer: |_| Pieces::NONE,
        scalar: |_| Pieces::NONE,
        element: |_, _| Element::NONE,
        texel: |_| Ok(Element::NONE),
    };
}
