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

/// The level of detail of a sample, before limits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Detail {
    /// The largest level of the view.
    Largest,
    /// A level.
    Level(f64),
    /// The level for derivatives of the coordinates: along the horizontal, then along the vertical of the screen.
    Gradients([[f64; 3]; 2]),
}

/// The texels that a gather fetches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gather {
    /// Those that a linear filter blends.
    Square,
    /// Four in a row.
    Row,
}

/// A sample of an image in a lane.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SampleRequest {
    /// The resource; the upper half is zero if the instruction names half a resource.
    pub resource: [u32; 8],
    /// The sampler.
    pub sampler: [u32; 4],
    /// The coordinates, in the order of [`Image::coordinates`](crate::layout::Image::coordinates).
    pub coordinates: [f64; 4],
    /// The packed offsets in texels.
    pub offsets: u32,
    /// The level of detail.
    pub detail: Detail,
    /// What the instruction adds to the level of detail.
    pub bias: f64,
    /// The lower limit of the level of detail.
    pub clamp: Option<f64>,
    /// The number that texels are compared with.
    pub reference: Option<f64>,
    /// The texels to fetch in place of those of a filter.
    pub gather: Option<Gather>,
    /// The dimensions that the instruction states, by their code.
    pub dim: u8,
    /// Whether the instruction states that coordinates count texels.
    pub is_unnormalized: bool,
}

/// A texel of a sample.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tap {
    /// The address; `None`: the border colour.
    pub address: Option<u64>,
    /// The share in the result.
    pub weight: f64,
    /// The result that the texel has a share in: 0, or for a gather the number of a texel.
    pub output: u8,
}

/// The results of comparisons with a texel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Comparison {
    /// The result if the reference is less.
    pub less: bool,
    /// The result if they are equal.
    pub equal: bool,
    /// The result if the reference is greater.
    pub greater: bool,
    /// The result if one of them is NaN.
    pub unordered: bool,
}

/// The way in which a filter joins texels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reduction {
    /// The sum of the texels times their weights.
    Blend,
    /// The least number of each component.
    Min,
    /// The greatest number of each component.
    Max,
}

/// The most texels of a sample: eight of a volume in each of two mip levels.
pub const TAPS: usize = 16;

/// The texels of a sample, and how they are joined.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// The format of texels; the address is not used.
    pub element: Element,
    /// The components of the border colour, in the order of memory: one or zero.
    pub border: [bool; 4],
    /// The texels; those after the first [`len`](Self::len) are not used.
    pub taps: [Tap; TAPS],
    /// How many texels there are. Without any the result is zero.
    pub len: usize,
    /// The comparison of each texel, and the number that it is compared with.
    pub comparison: Option<(Comparison, f64)>,
    /// How texels are joined.
    pub reduction: Reduction,
    /// The level of detail within its limits.
    pub clamped_lod: f64,
    /// The level of detail.
    pub lod: f64,
    /// Whether the level of detail is below the one that the resource warns of.
    pub is_below_warning: bool,
}

impl Sample {
    /// A sample of nothing.
    pub const NONE: Sample = Sample {
        element: Element::NONE,
        border: [false; 4],
        taps: [Tap { address: None, weight: 0.0, output: 0 }; TAPS],
        len: 0,
        comparison: None,
        reduction: Reduction::Blend,
        clamped_lod: 0.0,
        lod: 0.0,
        is_below_warning: false,
    };

    /// Adds a texel, if there is room and it has a share.
    pub fn add(&mut self, tap: Tap) {
        if tap.weight > 0.0
            && let Some(to) = self.taps.get_mut(self.len)
        {
            *to = tap;
            self.len += 1;
        }
    }

    /// The texels.
    #[must_use]
    pub fn taps(&self) -> &[Tap] {
        self.taps.get(..self.len).unwrap_or_default()
    }
}

/// The number format of a component in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Number {
    /// Unsigned, from 0 to 1.
    Unorm,
    /// Unsigned, from 0 to 1 along the curve of sRGB; the fourth component is [`Unorm`](Self::Unorm).
    Srgb,
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
    /// The address of an element that is out of range because it is not aligned.
    pub misaligned: Option<u64>,
}

impl Element {
    /// An element that is out of range.
    pub const NONE: Element = Element {
        address: None,
        bytes: 0,
        components: [Component { lo: 0, bits: 0 }; 4],
        number: Number::Uint,
        selects: [Select::Zero; 4],
        misaligned: None,
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
    /// The address of an access that is out of range because it is not aligned.
    pub misaligned: Option<u64>,
}

impl Pieces {
    /// An access that is out of range.
    pub const NONE: Pieces = Pieces { addresses: [None; PIECES], bytes: 4, misaligned: None };

    /// An access in one piece.
    #[must_use]
    pub const fn one(address: u64, bytes: u32) -> Self {
        let mut addresses = [None; PIECES];
        addresses[0] = Some(address);
        Pieces { addresses, bytes, misaligned: None }
    }
}

/// A buffer that is one range of memory: an access is at the sum of its offsets, and in range if it ends within the buffer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LinearBuffer {
    /// The address of the first byte.
    pub start: u64,
    /// The size in bytes.
    pub bytes: u64,
}

/// How an instruction set forms addresses from descriptors.
#[derive(Clone, Copy, Debug)]
pub struct Descriptors {
    /// The bytes of an access through a buffer resource.
    pub buffer: fn(&BufferRequest) -> Pieces,
    /// The memory that all lanes of a request access by the sum of the vector offset and the constant offset, modulo 2 to the power of
    /// 32; `None` if [`buffer`](Self::buffer) tells more about a lane. The request's lane and vector registers are not used.
    pub linear: fn(&BufferRequest) -> Option<LinearBuffer>,
    /// The bytes of a scalar access through a buffer resource.
    pub scalar: fn(&ScalarRequest) -> Pieces,
    /// The element of an access with conversion, in the format of the instruction, or else of the resource.
    pub element: fn(&BufferRequest, Option<u32>) -> Element,
    /// The texel of an image, or why the image cannot be accessed.
    pub texel: fn(&ImageRequest) -> Result<Element, &'static str>,
    /// The texels of a sample, or why the image cannot be sampled.
    pub sample: fn(&SampleRequest) -> Result<Sample, &'static str>,
    /// The width, the height, the depth and the number of mip levels of an image, or why they are not known.
    pub info: fn(&ImageRequest) -> Result<[u32; 4], &'static str>,
}

impl Descriptors {
    /// A set without descriptors.
    pub const NONE: Descriptors = Descriptors {
        buffer: |_| Pieces::NONE,
        linear: |_| None,
        scalar: |_| Pieces::NONE,
        element: |_, _| Element::NONE,
        texel: |_| Ok(Element::NONE),
        sample: |_| Ok(Sample::NONE),
        info: |_| Ok([0; 4]),
    };
}
