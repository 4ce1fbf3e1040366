//! The binary floating-point formats, and questions about their bit patterns.

/// A binary floating-point format. Its values are bit patterns in the low bits of a `u64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// FP8: E4M3 of the OCP's 8-bit formats, whose largest exponent holds numbers, and NaN in its last fraction. It is converted only.
    F8,
    /// BF8: E5M2 of the OCP's 8-bit formats, the upper half of a binary16. It is converted only.
    BF8,
    /// IEEE 754 binary16.
    F16,
    /// bfloat16: the upper half of a binary32.
    BF16,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

impl Format {
    /// The width in bits.
    #[inline(always)]
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Format::F8 | Format::BF8 => 8,
            Format::F16 | Format::BF16 => 16,
            Format::F32 => 32,
            Format::F64 => 64,
        }
    }

    /// The bits of the fraction, without the leading 1 that is not stored.
    #[inline(always)]
    #[must_use]
    pub const fn fraction_bits(self) -> u32 {
        match self {
            Format::F8 => 3,
            Format::BF8 => 2,
            Format::F16 => 10,
            Format::BF16 => 7,
            Format::F32 => 23,
            Format::F64 => 52,
        }
    }

    /// The number that is added to an exponent to store it.
    #[inline(always)]
    #[must_use]
    pub const fn bias(self) -> i32 {
        (1 << (self.bits() - self.fraction_bits() - 2)) - 1
    }

    /// The sign bit.
    #[inline(always)]
    #[must_use]
    pub const fn sign_bit(self) -> u64 {
        1 << (self.bits() - 1)
    }

    /// All bits but the sign.
    #[inline(always)]
    #[must_use]
    pub const fn magnitude_mask(self) -> u64 {
        self.sign_bit() - 1
    }

    /// Plus infinity, which is also the mask of the exponent.
    #[inline(always)]
    #[must_use]
    pub const fn infinity(self) -> u64 {
        self.magnitude_mask() & !self.fraction_mask()
    }

    /// The mask of the fraction.
    #[inline(always)]
    #[must_use]
    pub const fn fraction_mask(self) -> u64 {
        (1 << self.fraction_bits()) - 1
    }

    /// The largest finite number.
    #[inline(always)]
    #[must_use]
    pub const fn max_finite(self) -> u64 {
        self.infinity() - 1
    }

    /// The number one.
    #[inline(always)]
    #[must_use]
    pub const fn one(self) -> u64 {
        (self.bias() as u64) << self.fraction_bits()
    }

    /// The bit that makes a NaN quiet.
    #[inline(always)]
    #[must_use]
    pub const fn quiet_bit(self) -> u64 {
        1 << (self.fraction_bits() - 1)
    }

    /// The result of an invalid operation: a quiet NaN with the sign set and no further payload.
    #[inline(always)]
    #[must_use]
    pub const fn nan(self) -> u64 {
        self.sign_bit() | self.infinity() | self.quiet_bit()
    }

    /// Whether the sign is set.
    #[inline(always)]
    #[must_use]
    pub const fn is_negative(self, bits: u64) -> bool {
        bits & self.sign_bit() != 0
    }

    /// Whether it is a NaN.
    #[inline(always)]
    #[must_use]
    pub const fn is_nan(self, bits: u64) -> bool {
        bits & self.magnitude_mask() > self.infinity()
    }

    /// Whether it is a NaN whose quiet bit is 0.
    #[inline(always)]
    #[must_use]
    pub const fn is_signaling(self, bits: u64) -> bool {
        self.is_nan(bits) && bits & self.quiet_bit() == 0
    }

    /// Whether it is an infinity.
    #[inline(always)]
    #[must_use]
    pub const fn is_infinite(self, bits: u64) -> bool {
        bits & self.magnitude_mask() == self.infinity()
    }

    /// Whether it is a zero of either sign.
    #[inline(always)]
    #[must_use]
    pub const fn is_zero(self, bits: u64) -> bool {
        bits & self.magnitude_mask() == 0
    }

    /// Whether it is a nonzero number with the smallest exponent.
    #[inline(always)]
    #[must_use]
    pub const fn is_denormal(self, bits: u64) -> bool {
        bits & self.infinity() == 0 && bits & self.fraction_mask() != 0
    }

    /// The stored exponent: 0 for zeros and denormals, the largest for infinities and NaNs.
    #[inline(always)]
    #[must_use]
    pub const fn exponent(self, bits: u64) -> i32 {
        ((bits & self.infinity()) >> self.fraction_bits()) as i32
    }

    /// A NaN with its quiet bit set.
    #[inline(always)]
    #[must_use]
    pub const fn quiet(self, bits: u64) -> u64 {
        bits | self.quiet_bit()
    }

    /// A denormal number becomes a zero of its sign.
    #[inline(always)]
    #[must_use]
    pub const fn flush(self, bits: u64) -> u64 {
        if bits & self.infinity() == 0 { bits & self.sign_bit() } else { bits }
    }

    /// The magnitude with a sign.
    #[inline(always)]
    #[must_use]
    pub const fn with_sign(self, bits: u64, negative: bool) -> u64 {
        let magnitude = bits & self.magnitude_mask();
        if negative { magnitude | self.sign_bit() } else { magnitude }
    }

    /// The value as `f64`, which holds every number of every format. NaNs keep no payload.
    #[inline(always)]
    #[must_use]
    pub fn to_f64(self, bits: u64) -> f64 {
        match self {
            Format::F64 => f64::from_bits(bits),
            Format::F32 => f64::from(f32::from_bits(bits as u32)),
            Format::BF16 => f64::from(f32::from_bits((bits as u32 & 0xFFFF) << 16)),
            Format::F16 => half_to_f64(bits as u16),
            Format::F8 | Format::BF8 => f64::from(f32::from_bits(widen(self, bits as u32))),
        }
    }
}

pub(super) const INFINITY: u32 = 0x7F80_0000;

/// The bits of a NaN but its sign, in either format.
pub(super) const NAN: u32 = 0x7F;

/// The largest finite number, and what a larger one becomes unless MODE.FP16_OVFL is set.
pub(super) const fn limits(format: Format) -> (u32, u32) {
    match format {
        Format::F8 => (0x7E, NAN),
        _ => (0x7B, 0x7C),
    }
}

/// Widens a number of 8 bits to f32, exactly. A NaN becomes quiet.
#[inline(always)]
#[must_use]
pub const fn widen(format: Format, bits: u32) -> u32 {
    let sign = (bits & 0x80) << 24;
    let magnitude = bits & 0x7F;
    let fraction_bits = format.fraction_bits();
    let rebias = 127 - format.bias() as u32;
    let normal = (magnitude << (23 - fraction_bits)) + (rebias << 23);
    // A denormal has no leading 1, and the exponent of the smallest normal number.
    let smallest = f32::from_bits((rebias + 1) << 23);
    let denormal = f32::from_bits(normal + (1 << 23)) - smallest;
    let number = if magnitude >> fraction_bits == 0 { denormal.to_bits() } else { normal };
    let (largest, _) = limits(format);
    let special = match format {
        Format::F8 => INFINITY | 0x0040_0000,
        // The payload of a NaN is kept, and its quiet bit set.
        _ => INFINITY | (magnitude & 3) << 21 | if magnitude & 3 == 0 { 0 } else { 0x0040_0000 },
    };
    sign | if magnitude > largest { special } else { number }
}

/// The value of a binary16.
#[inline(always)]
fn half_to_f64(bits: u16) -> f64 {
    let sign = u64::from(bits >> 15) << 63;
    let magnitude = u64::from(bits & 0x7FFF);
    // The fraction lands where that of f64 is; the product corrects the bias and normalises denormals, exactly.
    let scaled = f64::from_bits(magnitude << 42) * f64::from_bits((1023 + 1008) << 52);
    let magnitude = if magnitude >= 0x7C00 { f64::from_bits(0x7FF << 52 | magnitude << 42) } else { scaled };
    f64::from_bits(magnitude.to_bits() | sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_f32_are_those_of_the_host() {
        assert_eq!(Format::F32.infinity(), u64::from(f32::INFINITY.to_bits()));
        assert_eq!(Format::F32.one(), u64::from(1f32.to_bits()));
        assert_eq!(Format::F32.max_finite(), u64::from(f32::MAX.to_bits()));
        assert_eq!(Format::F64.one(), 1f64.to_bits());
        assert_eq!((Format::F16.bias(), Format::BF16.bias(), Format::F64.bias()), (15, 127, 1023));
        assert_eq!(Format::F16.nan(), 0xFE00);
    }

    #[test]
    fn half_converts_exactly() {
        assert_eq!(Format::F16.to_f64(0x3C00), 1.0);
        assert_eq!(Format::F16.to_f64(0x0001), libm::ldexp(1.0, -24));
        assert_eq!(Format::F16.to_f64(0x83FF), -1023.0 * libm::ldexp(1.0, -24));
        assert_eq!(Format::F16.to_f64(0x7BFF), 65504.0);
        assert!(Format::F16.to_f64(0x7C00).is_infinite() && Format::F16.to_f64(0x7E00).is_nan());
    }
}
