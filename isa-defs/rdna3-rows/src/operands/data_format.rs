//! The formats of the elements of buffers and images: their names, codes, components and numbers. Guide §10.7, table 52.

use amdgpu_memory::codes;

codes! {
    /// A format of buffer elements and image texels, by the guide's name with an `F` before a figure. Codes below 64 are
    /// formats that buffers can have, too. Guide §10.7, table 52.
    #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
    pub enum DataFormat {
        INVALID = 0 "INVALID",
        F8_UNORM = 1 "8_UNORM",
        F8_SNORM = 2 "8_SNORM",
        F8_USCALED = 3 "8_USCALED",
        F8_SSCALED = 4 "8_SSCALED",
        F8_UINT = 5 "8_UINT",
        F8_SINT = 6 "8_SINT",
        F16_UNORM = 7 "16_UNORM",
        F16_SNORM = 8 "16_SNORM",
        F16_USCALED = 9 "16_USCALED",
        F16_SSCALED = 10 "16_SSCALED",
        F16_UINT = 11 "16_UINT",
        F16_SINT = 12 "16_SINT",
        F16_FLOAT = 13 "16_FLOAT",
        F8_8_UNORM = 14 "8_8_UNORM",
        F8_8_SNORM = 15 "8_8_SNORM",
        F8_8_USCALED = 16 "8_8_USCALED",
        F8_8_SSCALED = 17 "8_8_SSCALED",
        F8_8_UINT = 18 "8_8_UINT",
        F8_8_SINT = 19 "8_8_SINT",
        F32_UINT = 20 "32_UINT",
        F32_SINT = 21 "32_SINT",
        F32_FLOAT = 22 "32_FLOAT",
        F16_16_UNORM = 23 "16_16_UNORM",
        F16_16_SNORM = 24 "16_16_SNORM",
        F16_16_USCALED = 25 "16_16_USCALED",
        F16_16_SSCALED = 26 "16_16_SSCALED",
        F16_16_UINT = 27 "16_16_UINT",
        F16_16_SINT = 28 "16_16_SINT",
        F16_16_FLOAT = 29 "16_16_FLOAT",
        F10_11_11_FLOAT = 30 "10_11_11_FLOAT",
        F11_11_10_FLOAT = 31 "11_11_10_FLOAT",
        F10_10_10_2_UNORM = 32 "10_10_10_2_UNORM",
        F10_10_10_2_SNORM = 33 "10_10_10_2_SNORM",
        F10_10_10_2_UINT = 34 "10_10_10_2_UINT",
        F10_10_10_2_SINT = 35 "10_10_10_2_SINT",
        F2_10_10_10_UNORM = 36 "2_10_10_10_UNORM",
        F2_10_10_10_SNORM = 37 "2_10_10_10_SNORM",
        F2_10_10_10_USCALED = 38 "2_10_10_10_USCALED",
        F2_10_10_10_SSCALED = 39 "2_10_10_10_SSCALED",
        F2_10_10_10_UINT = 40 "2_10_10_10_UINT",
        F2_10_10_10_SINT = 41 "2_10_10_10_SINT",
        F8_8_8_8_UNORM = 42 "8_8_8_8_UNORM",
        F8_8_8_8_SNORM = 43 "8_8_8_8_SNORM",
        F8_8_8_8_USCALED = 44 "8_8_8_8_USCALED",
        F8_8_8_8_SSCALED = 45 "8_8_8_8_SSCALED",
        F8_8_8_8_UINT = 46 "8_8_8_8_UINT",
        F8_8_8_8_SINT = 47 "8_8_8_8_SINT",
        F32_32_UINT = 48 "32_32_UINT",
        F32_32_SINT = 49 "32_32_SINT",
        F32_32_FLOAT = 50 "32_32_FLOAT",
        F16_16_16_16_UNORM = 51 "16_16_16_16_UNORM",
        F16_16_16_16_SNORM = 52 "16_16_16_16_SNORM",
        F16_16_16_16_USCALED = 53 "16_16_16_16_USCALED",
        F16_16_16_16_SSCALED = 54 "16_16_16_16_SSCALED",
        F16_16_16_16_UINT = 55 "16_16_16_16_UINT",
        F16_16_16_16_SINT = 56 "16_16_16_16_SINT",
        F16_16_16_16_FLOAT = 57 "16_16_16_16_FLOAT",
        F32_32_32_UINT = 58 "32_32_32_UINT",
        F32_32_32_SINT = 59 "32_32_32_SINT",
        F32_32_32_FLOAT = 60 "32_32_32_FLOAT",
        F32_32_32_32_UINT = 61 "32_32_32_32_UINT",
        F32_32_32_32_SINT = 62 "32_32_32_32_SINT",
        F32_32_32_32_FLOAT = 63 "32_32_32_32_FLOAT",
        F8_SRGB = 64 "8_SRGB",
        F8_8_SRGB = 65 "8_8_SRGB",
        F8_8_8_8_SRGB = 66 "8_8_8_8_SRGB",
        F5_9_9_9_FLOAT = 67 "5_9_9_9_FLOAT",
        F5_6_5_UNORM = 68 "5_6_5_UNORM",
        F1_5_5_5_UNORM = 69 "1_5_5_5_UNORM",
        F5_5_5_1_UNORM = 70 "5_5_5_1_UNORM",
        F4_4_4_4_UNORM = 71 "4_4_4_4_UNORM",
        F4_4_UNORM = 72 "4_4_UNORM",
        F1_UNORM = 73 "1_UNORM",
        F1_REVERSED_UNORM = 74 "1_REVERSED_UNORM",
        F32_FLOAT_CLAMP = 75 "32_FLOAT_CLAMP",
        F8_24_UNORM = 76 "8_24_UNORM",
        F8_24_UINT = 77 "8_24_UINT",
        F24_8_UNORM = 78 "24_8_UNORM",
        F24_8_UINT = 79 "24_8_UINT",
        X24_8_32_UINT = 80 "X24_8_32_UINT",
        X24_8_32_FLOAT = 81 "X24_8_32_FLOAT",
        GB_GR_UNORM = 82 "GB_GR_UNORM",
        GB_GR_SNORM = 83 "GB_GR_SNORM",
        GB_GR_UINT = 84 "GB_GR_UINT",
        GB_GR_SRGB = 85 "GB_GR_SRGB",
        BG_RG_UNORM = 86 "BG_RG_UNORM",
        BG_RG_SNORM = 87 "BG_RG_SNORM",
        BG_RG_UINT = 88 "BG_RG_UINT",
        BG_RG_SRGB = 89 "BG_RG_SRGB",
        BC1_UNORM = 109 "BC1_UNORM",
        BC1_SRGB = 110 "BC1_SRGB",
        BC2_UNORM = 111 "BC2_UNORM",
        BC2_SRGB = 112 "BC2_SRGB",
        BC3_UNORM = 113 "BC3_UNORM",
        BC3_SRGB = 114 "BC3_SRGB",
        BC4_UNORM = 115 "BC4_UNORM",
        BC4_SNORM = 116 "BC4_SNORM",
        BC5_UNORM = 117 "BC5_UNORM",
        BC5_SNORM = 118 "BC5_SNORM",
        BC6_UFLOAT = 119 "BC6_UFLOAT",
        BC6_SFLOAT = 120 "BC6_SFLOAT",
        BC7_UNORM = 121 "BC7_UNORM",
        BC7_SRGB = 122 "BC7_SRGB",
        YCBCR_UNORM = 205 "YCBCR_UNORM",
        YCBCR_SRGB = 206 "YCBCR_SRGB",
        F6E4_FLOAT = 227 "6E4_FLOAT",
        F7E3_FLOAT = 228 "7E3_FLOAT",
    }
}

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
