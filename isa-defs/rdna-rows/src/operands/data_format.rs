//! The formats of the elements of buffers and images: their components and numbers. Guide §10.7, table 52.

use super::DataFormat;

/// The number type of a format's components: the last part of the format's name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NumberType {
    /// Unsigned, from 0 to 1.
    Unorm,
    /// Signed, from -1 to 1.
    Snorm,
    /// An unsigned integer, read as a float.
    Uscaled,
    /// A signed integer, read as a float.
    Sscaled,
    /// An unsigned integer.
    Uint,
    /// A signed integer.
    Sint,
    /// A floating-point number.
    Float,
    /// A floating-point number without a sign.
    Ufloat,
    /// From 0 to 1, along the curve of sRGB.
    Srgb,
}

/// How formats' names end, and what that means.
static NUMBERS: [(&str, NumberType); 11] = [
    ("_UNORM", NumberType::Unorm),
    ("_SNORM", NumberType::Snorm),
    ("_USCALED", NumberType::Uscaled),
    ("_SSCALED", NumberType::Sscaled),
    ("_UINT", NumberType::Uint),
    ("_SINT", NumberType::Sint),
    ("_UFLOAT", NumberType::Ufloat),
    ("_SFLOAT", NumberType::Float),
    ("_FLOAT", NumberType::Float),
    ("_FLOAT_CLAMP", NumberType::Float),
    ("_SRGB", NumberType::Srgb),
];

/// The components of a format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Components {
    bits: [u8; 4],
    len: u8,
    unused: u8,
}

impl Components {
    /// The bits of each, in the order of the name: the highest first.
    #[must_use]
    pub fn bits(&self) -> &[u8] {
        self.bits.get(..usize::from(self.len)).unwrap_or_default()
    }

    /// The highest bits of the element, which no component has.
    #[must_use]
    pub const fn unused(&self) -> u8 {
        self.unused
    }

    /// The bits of an element.
    #[must_use]
    pub fn total(&self) -> u16 {
        self.bits().iter().fold(u16::from(self.unused), |sum, bits| sum + u16::from(*bits))
    }
}

/// The data types that a component has in a VGPR. Guide §10.4.1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RegisterClass {
    /// A floating-point number of 32 bits, or 16 with D16.
    Float,
    /// A signed integer of 32 bits, or 16 with D16.
    Signed,
    /// An unsigned integer of 32 bits, or 16 with D16.
    Unsigned,
}

impl DataFormat {
    /// Whether buffers can have it.
    #[must_use]
    pub const fn is_buffer(self) -> bool {
        self.into_bits() < 64 && !matches!(self, DataFormat::Reserved(_))
    }

    /// Returns the number type of its components, or `None` for the invalid format and reserved codes.
    #[must_use]
    pub fn number(self) -> Option<NumberType> {
        let name = self.name()?;
        NUMBERS.iter().find(|(end, _)| name.ends_with(end)).map(|(_, number)| *number)
    }

    /// The bits of its components, read off its name. `None` if the name does not say them: compressed formats, formats
    /// of pairs of texels, formats named after an exponent's width, and the format of nothing.
    #[must_use]
    pub fn components(self) -> Option<Components> {
        let mut out = Components::default();
        for part in self.name()?.split('_') {
            if let Ok(bits) = part.parse() {
                *out.bits.get_mut(usize::from(out.len))? = bits;
                out.len += 1;
            } else if let Some(bits) = part.strip_prefix('X') {
                out.unused = bits.parse().ok()?;
            }
        }
        (out.len > 0).then_some(out)
    }

    /// The bytes of an element of a buffer or of a texel, if it takes whole ones and its components say them.
    #[must_use]
    pub fn bytes(self) -> Option<u32> {
        let bits = u32::from(self.components()?.total());
        (bits.is_multiple_of(8)).then_some(bits / 8)
    }

    /// Returns the type of a component in a VGPR. Guide §10.4.1.
    #[must_use]
    pub fn register(self) -> RegisterClass {
        match self.number() {
            Some(NumberType::Uint) => RegisterClass::Unsigned,
            Some(NumberType::Sint) => RegisterClass::Signed,
            _ => RegisterClass::Float,
        }
    }
}

const fn names() -> [&'static str; 64] {
    let mut out = [""; 64];
    let mut i = 0;
    while i < out.len() {
        if let Some(name) = DataFormat::from_bits(i as u8).name() {
            out[i] = name;
        }
        i += 1;
    }
    out
}

/// The names of the formats that buffers can have, in the order of their codes. Codes from 64 on are formats of images.
pub static BUFFER_FORMATS: [&str; 64] = names();
