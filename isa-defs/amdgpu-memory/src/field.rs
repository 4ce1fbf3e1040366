//! Values of descriptor fields, and errors for values that a field cannot hold.

use core::fmt;

/// The values that a field can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allowed {
    /// Numbers from the first to the second.
    Range(i128, i128),
    /// Multiples of the first up to the second.
    Multiples(u64, u64),
    /// The codes of an enum, with their names.
    Codes(&'static [(u8, &'static str)]),
    /// Values that the text describes.
    Only(&'static str),
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Allowed::Range(low, high) => write!(f, "a number from {low} to {high}"),
            Allowed::Multiples(of, high) => write!(f, "a multiple of {of} up to {high:#x}"),
            Allowed::Codes(codes) => {
                f.write_str("one of ")?;
                for (i, (code, name)) in codes.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{code} ({name})")?;
                }
                Ok(())
            }
            Allowed::Only(words) => f.write_str(words),
        }
    }
}

/// A value that its field cannot hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The value.
    pub value: i128,
    /// The values that the field can hold.
    pub allowed: Allowed,
}

/// The error of building a descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldError {
    /// The descriptor.
    pub descriptor: &'static str,
    /// The field.
    pub field: &'static str,
    /// The value that was given.
    pub value: i128,
    /// The values that the field can hold.
    pub allowed: Allowed,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FieldError { descriptor, field, value, allowed } = self;
        write!(f, "{field} of {descriptor} cannot be {value}: it is {allowed}")
    }
}

impl core::error::Error for FieldError {}

/// A field value that converts to a code of a given number of bits.
pub trait Coded: Copy {
    /// The code.
    ///
    /// # Errors
    /// The value does not fit or the code is reserved.
    fn encode(self, bits: u32) -> Result<u128, Refused>;
}

/// The greatest number that `bits` bits hold.
#[must_use]
pub const fn max(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

macro_rules! numbers {
    ($($ty:ident)*) => {$(
        impl Coded for $ty {
            fn encode(self, bits: u32) -> Result<u128, Refused> {
                let code = self as u128;
                if code <= max(bits) {
                    return Ok(code);
                }
                Err(Refused { value: code as i128, allowed: Allowed::Range(0, max(bits) as i128) })
            }
        }
    )*};
}

numbers!(bool u8 u16 u32 u64);

/// A 256-byte-aligned address, of which the field holds bits 47 to 8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Address256(u64);

impl Address256 {
    /// Returns the address `byte`, which a descriptor can hold if it is a multiple of 256.
    #[must_use]
    pub const fn new(byte: u64) -> Self {
        Address256(byte)
    }

    /// The address in bytes.
    #[must_use]
    pub const fn byte(self) -> u64 {
        self.0
    }

    /// Converts from the bits of the field.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Address256(bits << 8)
    }

    /// The bits of the field.
    #[must_use]
    pub const fn into_bits(self) -> u64 {
        self.0 >> 8
    }
}

impl fmt::Debug for Address256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl Coded for Address256 {
    fn encode(self, bits: u32) -> Result<u128, Refused> {
        let code = u128::from(self.0 >> 8);
        if self.0.is_multiple_of(256) && code <= max(bits) {
            return Ok(code);
        }
        Err(Refused { value: i128::from(self.0), allowed: Allowed::Multiples(256, (max(bits) << 8) as u64) })
    }
}

/// A count of at least one, of which the field holds one less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count(u64);

impl Count {
    /// Returns the count `n`.
    #[must_use]
    pub const fn new(n: u64) -> Self {
        Count(n)
    }

    /// The count.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Converts from the bits of the field.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Count(bits.saturating_add(1))
    }

    /// The bits of the field.
    #[must_use]
    pub const fn into_bits(self) -> u64 {
        self.0.saturating_sub(1)
    }
}

impl Default for Count {
    fn default() -> Self {
        Count(1)
    }
}

impl fmt::Debug for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Coded for Count {
    fn encode(self, bits: u32) -> Result<u128, Refused> {
        match self.0.checked_sub(1) {
            Some(code) if u128::from(code) <= max(bits) => Ok(u128::from(code)),
            _ => Err(Refused { value: i128::from(self.0), allowed: Allowed::Range(1, max(bits) as i128 + 1) }),
        }
    }
}

/// A fixed-point number of `BITS` bits, `FRACTION` of them fractional; the highest bit is a sign if `SIGNED`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Fixed<const SIGNED: bool, const BITS: u32, const FRACTION: u32>(i32);

impl<const SIGNED: bool, const BITS: u32, const FRACTION: u32> Fixed<SIGNED, BITS, FRACTION> {
    /// The least number, in units of the last place.
    pub const MIN: i32 = if SIGNED { -(1 << (BITS - 1)) } else { 0 };
    /// The greatest number, in units of the last place.
    pub const MAX: i32 = if SIGNED { (1 << (BITS - 1)) - 1 } else { (1 << BITS) - 1 };

    /// `units` of the last place.
    #[must_use]
    pub const fn new(units: i32) -> Self {
        Fixed(units)
    }

    /// Returns the greatest such number that is not above `value`. For a value out of range it is one that no field can
    /// hold.
    #[must_use]
    pub const fn from_f32(value: f32) -> Self {
        let scaled = value * (1u32 << FRACTION) as f32;
        let units = scaled as i32;
        Fixed(if (units as f32) > scaled { units - 1 } else { units })
    }

    /// The number in units of the last place.
    #[must_use]
    pub const fn units(self) -> i32 {
        self.0
    }

    /// The number.
    #[must_use]
    pub const fn to_f32(self) -> f32 {
        self.0 as f32 / (1u32 << FRACTION) as f32
    }

    /// Converts from the bits of the field.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        let unused = 32 - BITS;
        let high = (bits as u32) << unused;
        Fixed(if SIGNED { high as i32 >> unused } else { (high >> unused) as i32 })
    }

    /// The bits of the field.
    #[must_use]
    pub const fn into_bits(self) -> u16 {
        (self.0 as u32 & ((1 << BITS) - 1)) as u16
    }
}

impl<const SIGNED: bool, const BITS: u32, const FRACTION: u32> fmt::Debug for Fixed<SIGNED, BITS, FRACTION> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_f32())
    }
}

impl<const SIGNED: bool, const BITS: u32, const FRACTION: u32> fmt::Display for Fixed<SIGNED, BITS, FRACTION> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_f32().fmt(f)
    }
}

impl<const SIGNED: bool, const BITS: u32, const FRACTION: u32> Coded for Fixed<SIGNED, BITS, FRACTION> {
    fn encode(self, _bits: u32) -> Result<u128, Refused> {
        if (Self::MIN..=Self::MAX).contains(&self.0) {
            return Ok(u128::from(self.into_bits()));
        }
        let allowed = Allowed::Range(i128::from(Self::MIN), i128::from(Self::MAX));
        Err(Refused { value: i128::from(self.0), allowed })
    }
}
