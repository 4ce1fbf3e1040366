//! The constants that instructions hold in a code, and the bits that numbers come to.

use isa_runtime::{Class, Type};

use crate::Number;

/// An inline floating-point constant: how it is written and its bits in each format.
#[derive(Clone, Copy, Debug)]
pub struct InlineFloat {
    /// How operands of up to 32 bits write it.
    pub name: &'static str,
    /// The bits of the `f32`.
    pub f32: u32,
    /// The bits of the `f16`; integer operands of 16 bits write these.
    pub f16: u32,
    /// The bits of the `bf16`.
    pub bf16: u32,
    /// The high half of the `f64` if the low half is zero, so that a literal can stand for it.
    pub f64_high: Option<u32>,
}

const fn inline(name: &'static str, f32: u32, f16: u32, f64_high: u32) -> InlineFloat {
    InlineFloat { name, f32, f16, bf16: f32 >> 16, f64_high: Some(f64_high) }
}

/// The inline floating-point constants, from code 240 on.
pub static INLINE_FLOATS: [InlineFloat; 9] = [
    inline("0.5", 0x3f00_0000, 0x3800, 0x3fe0_0000),
    inline("-0.5", 0xbf00_0000, 0xb800, 0xbfe0_0000),
    inline("1.0", 0x3f80_0000, 0x3c00, 0x3ff0_0000),
    inline("-1.0", 0xbf80_0000, 0xbc00, 0xbff0_0000),
    inline("2.0", 0x4000_0000, 0x4000, 0x4000_0000),
    inline("-2.0", 0xc000_0000, 0xc000, 0xc000_0000),
    inline("4.0", 0x4080_0000, 0x4400, 0x4010_0000),
    inline("-4.0", 0xc080_0000, 0xc400, 0xc010_0000),
    // 1/(2 pi)
    InlineFloat { name: "0.15915494", f32: 0x3e22_f983, f16: 0x3118, bf16: 0x3e22, f64_high: None },
];

/// The bits of a floating-point number in a narrower format with so many bits of exponent and mantissa, rounded to the
/// nearest; `None` where it is too large, or so small that its bits would be lost.
fn narrow(value: f64, exponent: u32, mantissa: u32) -> Option<u32> {
    let bits = value.to_bits();
    let sign = ((bits >> 63) as u32) << (exponent + mantissa);
    let bias = (1i32 << (exponent - 1)) - 1;
    if bits << 1 == 0 {
        return Some(sign);
    }
    let power = (bits >> 52 & 0x7ff) as i32 - 1023;
    let digits = bits & ((1 << 52) - 1) | 1 << 52;
    let below = u32::try_from(1 - bias - power).unwrap_or(0);
    let shift = (52 - mantissa).checked_add(below).filter(|s| *s < 64)?;
    let (kept, lost, half) = (digits >> shift, digits & ((1 << shift) - 1), 1u64 << (shift - 1));
    let rounded = kept + u64::from(lost > half || lost == half && kept & 1 == 1);
    let one = 1u64 << mantissa;
    if below > 0 {
        return (lost == 0 || rounded >= one).then_some(sign | rounded as u32);
    }
    // A carry out of the mantissa goes into the exponent.
    let result = (u64::try_from(power + bias).ok()? << mantissa) + rounded - one;
    (result < ((1 << exponent) - 1) << mantissa).then_some(sign | result as u32)
}

/// Whether an integer fits so many bits, with or without a sign.
fn fits_bits(n: i64, bits: u32) -> bool {
    (-(1i64 << (bits - 1))..1i64 << bits).contains(&n)
}

/// The format in which a type has its constants, as the bits of exponent and mantissa. An integer of any kind has the
/// bits of an `f32`.
fn float_format(ty: Type) -> (u32, u32) {
    match (ty.class(), ty.bits()) {
        (Class::Float, 16) => (5, 10),
        (Class::BFloat, 16) => (8, 7),
        _ => (8, 23),
    }
}

/// The 32 bits that a literal of this type holds for a constant; `None` if it does not fit. An integer stands for the
/// bits themselves; an `f64` has the upper half of its bits in a literal.
#[must_use]
pub fn literal_bits(n: Number, ty: Type) -> Option<u32> {
    let wide = ty.total_bits() == 64;
    let half = ty.total_bits() == 16;
    match n {
        Number::Integer(n) if half && ty.is_float() => fits_bits(n, 16).then_some(n as u32 & 0xffff),
        Number::Integer(n) if half => fits_bits(n, 16).then_some(n as u32),
        Number::Integer(n) => fits_bits(n, 32).then_some(n as u32),
        Number::Float(f) if wide => ty.is_float().then_some((f.to_bits() >> 32) as u32),
        // What is no half at all is none in an integer operand either, although it has the bits of an `f32` there.
        Number::Float(f) if half && !ty.is_float() && narrow(f, 5, 10).is_none() => None,
        Number::Float(f) => {
            let (exponent, mantissa) = float_format(ty);
            narrow(f, exponent, mantissa)
        }
    }
}

/// Whether a literal is one that [`literal_bits`] could give an operand: of a type of 16 bits it has nothing but a sign
/// above them. `f16`: that is what the operand is in text, whatever its type.
#[must_use]
pub fn literal_half(bits: u32, ty: Type, f16: bool) -> bool {
    if bits >> 16 == 0 || !f16 && ty.total_bits() != 16 {
        return true;
    }
    // An integer operand takes the sign of a number, or a float as it would be in 32 bits.
    let signed = bits as u16 as i16 as u32 == bits;
    let float = narrow(f32::from_bits(bits).into(), 5, 10).is_some();
    !f16 && !ty.is_float() && (signed || float)
}

/// The code of an integer from -16 to 64.
#[must_use]
pub fn small_code(n: i64) -> Option<u32> {
    match n {
        0..=64 => Some(128 + n as u32),
        -16..=-1 => Some((192 - n) as u32),
        _ => None,
    }
}

/// The bits of 1/(2 pi) as an `f64`, which no literal could stand for.
const INVERSE_TWO_PI: u64 = 0x3fc4_5f30_6dc9_c882;

/// The code of the inline constant that stands for a constant in an operand of this type.
#[must_use]
pub fn inline_code(n: Number, ty: Type) -> Option<u32> {
    let float_code = |same: &dyn Fn(&InlineFloat) -> bool| INLINE_FLOATS.iter().position(same).map(|i| 240 + i as u32);
    if ty.total_bits() == 64 {
        let bits = match n {
            Number::Integer(n) => n as u64,
            Number::Float(f) => f.to_bits(),
        };
        let same = |f: &InlineFloat| f.f64_high.map_or(INVERSE_TWO_PI, |high| u64::from(high) << 32) == bits;
        return small_code(bits as i64).or_else(|| float_code(&same));
    }
    // As it is written, 1/(2 pi) would round to another bf16.
    let near = matches!(n, Number::Float(f) if f == 0.159_154_94) && ty.class() == Class::BFloat;
    let bits = if near { 0x3e22 } else { literal_bits(n, ty)? };
    let half = ty.total_bits() == 16;
    let number = match n {
        Number::Integer(n) if half && !ty.is_float() => n,
        _ if half && ty.is_float() => i64::from(bits as u16 as i16),
        _ => i64::from(bits as i32),
    };
    small_code(number).or_else(|| {
        float_code(&|f| match float_format(ty) {
            (5, _) => f.f16 == bits,
            (_, 7) => f.bf16 == bits,
            _ => f.f32 == bits,
        })
    })
}
