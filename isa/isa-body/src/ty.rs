//! The data type of an operand, as rows write it: `u32`, `f16x2`, `b128`, `mask`.

use core::fmt;

/// The numeric meaning of an operand's bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// Bits without a numeric meaning (`b32`).
    Bits,
    /// An unsigned integer (`u32`).
    Unsigned,
    /// A signed integer (`i32`).
    Signed,
    /// An integer whose sign a modifier of the instruction chooses (`iu8`).
    EitherSign,
    /// An IEEE 754 floating-point number (`f32`).
    Float,
    /// A bfloat16 number (`bf16`).
    BFloat,
    /// One bit for each lane of a wave (`mask`); its width is the mode's.
    Mask,
}

impl Class {
    /// All classes, by their numbers in packed tables.
    pub const ALL: [Class; 7] =
        [Class::Bits, Class::Unsigned, Class::Signed, Class::EitherSign, Class::Float, Class::BFloat, Class::Mask];

    /// The letters before the width in the name of a type; the whole name of masks.
    #[must_use]
    pub const fn letters(self) -> &'static str {
        match self {
            Class::Bits => "b",
            Class::Unsigned => "u",
            Class::Signed => "i",
            Class::EitherSign => "iu",
            Class::Float => "f",
            Class::BFloat => "bf",
            Class::Mask => "mask",
        }
    }
}

/// A data type: a class, the width of one element in bits, and how many elements there are.
///
/// ```
/// use isa_body::{Class, Type};
/// const T: Type = Type::new(Class::Float, 16, 2);
/// assert_eq!(T.to_string(), "f16x2");
/// assert_eq!(T.total_bits(), 32);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Type {
    class: Class,
    bits: u16,
    lanes: u8,
}

impl Type {
    /// One bit that is a truth value.
    pub const BOOL: Type = Type::new(Class::Unsigned, 1, 1);

    /// A type of `lanes` elements of `bits` bits each.
    #[must_use]
    pub const fn new(class: Class, bits: u16, lanes: u8) -> Self {
        Type { class, bits, lanes }
    }

    /// Returns the numeric meaning of the bits.
    #[must_use]
    pub const fn class(self) -> Class {
        self.class
    }

    /// The width of one element in bits; 0 for a lane mask, whose width is the mode's.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.bits
    }

    /// How many elements there are.
    #[must_use]
    pub const fn lanes(self) -> u8 {
        self.lanes
    }

    /// The width of all elements together in bits.
    #[must_use]
    pub const fn total_bits(self) -> u16 {
        self.bits * self.lanes as u16
    }

    /// How many 32-bit registers hold it: 1 for anything up to 32 bits.
    #[must_use]
    pub const fn dwords(self) -> u8 {
        let n = self.total_bits().div_ceil(32);
        if n == 0 { 1 } else { n as u8 }
    }

    /// The number of the type in packed tables: the class in bits 0 to 2, the lanes in bits 3 to 9, and the width from bit 10 on.
    #[must_use]
    pub const fn to_number(self) -> u32 {
        self.class as u32 | (self.lanes as u32) << 3 | (self.bits as u32) << 10
    }

    /// The type that a number stands for.
    #[must_use]
    pub const fn from_number(number: u32) -> Type {
        // Const evaluation of a match is faster than that of an index into a list.
        let class = match number & 7 {
            0 => Class::Bits,
            1 => Class::Unsigned,
            2 => Class::Signed,
            3 => Class::EitherSign,
            4 => Class::Float,
            5 => Class::BFloat,
            _ => Class::Mask,
        };
        Type { class, bits: (number >> 10) as u16, lanes: (number >> 3 & 0x7F) as u8 }
    }

    /// The type of one element.
    #[must_use]
    pub const fn element(self) -> Type {
        self.with_lanes(1)
    }

    /// The type of as many elements of the same class and width.
    #[must_use]
    pub const fn with_lanes(self, lanes: u8) -> Type {
        Type { lanes, ..self }
    }

    /// The type with another meaning of the bits.
    #[must_use]
    pub const fn with_class(self, class: Class) -> Type {
        Type { class, ..self }
    }

    /// Whether it is an integer type whose sign is known.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        matches!(self.class, Class::Unsigned | Class::Signed)
    }

    /// Whether it is a floating-point type (bfloat16 included).
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self.class, Class::Float | Class::BFloat)
    }

    /// Whether elements are floating-point numbers of 8 bits, which have conversions and no arithmetic.
    #[must_use]
    pub const fn is_small_float(self) -> bool {
        self.is_float() && self.bits == 8
    }
}

/// Writes the type as rows do; with `#`, as bodies do, where `u1` is `bool`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.class {
            Class::Mask => return f.write_str(self.class.letters()),
            _ if f.alternate() && *self == Type::BOOL => return f.write_str("bool"),
            class => write!(f, "{}{}", class.letters(), self.bits)?,
        }
        if self.lanes > 1 {
            write!(f, "x{}", self.lanes)?;
        }
        Ok(())
    }
}
