//! Conversions between components of elements in memory and in registers.

use crate::descriptor::{Element, Number, Select};
use crate::num::{self, FloatMode, Format, Round};

/// The bits of an element: up to four dwords, the first lowest.
pub(crate) type TexelBits = u128;

/// Floats without a sign have the exponent of f16 and the highest bits of its mantissa: how many bits they lack.
const fn lacking(bits: u8) -> u32 {
    15 - if bits > 15 { 15 } else { bits as u32 }
}

/// The lowest bits of a number.
const fn low(number: u64, bits: u8) -> u32 {
    if bits >= 32 { number as u32 } else { number as u32 & ((1 << bits) - 1) }
}

/// A number extended by its sign.
const fn signed(bits: u32, width: u8) -> i32 {
    let cut = 32 - if width == 0 || width > 32 { 32 } else { width as u32 };
    (bits << cut) as i32 >> cut
}

/// An f64 as a float in registers: of 16 bits (`half`), or of 32.
fn to_register(value: f64, half: bool, round: Round) -> u32 {
    let to = if half { Format::F16 } else { Format::F32 };
    let mode = FloatMode::IEEE.rounding(round);
    num::convert(Format::F64, mode, to, mode, value.to_bits()) as u32
}

/// A number, or the zero of its sign if it is denormal as an f32.
fn flushed(value: f64) -> f64 {
    if value.abs() < f64::from(f32::MIN_POSITIVE) { 0.0_f64.copysign(value) } else { value }
}

/// Returns a float in registers, of 16 bits (`half`) or of 32, as an f64.
pub(crate) fn from_register(bits: u32, half: bool) -> f64 {
    let from = if half { Format::F16 } else { Format::F32 };
    f64::from_bits(num::convert(from, FloatMode::IEEE, Format::F64, FloatMode::IEEE, bits.into()))
}

/// The linear intensity of a number along the curve of sRGB (IEC 61966-2-1).
fn linear(value: f64) -> f64 {
    if value <= 0.04045 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) }
}

/// Converts a component in memory to its value in a register of 32 bits, or of 16 (`half`).
///
/// Floats of 32 bits are cut off to 16, and other numbers rounded to nearest (guide §9.3.1).
pub(crate) fn decode(bits: u32, width: u8, number: Number, half: bool) -> u32 {
    let greatest = |width: u8| f64::from(low(u64::MAX, width));
    match number {
        Number::Uint if half => bits & 0xFFFF,
        Number::Uint => bits,
        Number::Sint if half => signed(bits, width) as u32 & 0xFFFF,
        Number::Sint => signed(bits, width) as u32,
        Number::Unorm => to_register(f64::from(bits) / greatest(width), half, Round::NearestEven),
        Number::Srgb => to_register(linear(f64::from(bits) / greatest(width)), half, Round::NearestEven),
        Number::Snorm => {
            let value = f64::from(signed(bits, width)) / greatest(width.saturating_sub(1));
            to_register(value.max(-1.0), half, Round::NearestEven)
        }
        Number::Uscaled => to_register(f64::from(bits), half, Round::NearestEven),
        Number::Sscaled => to_register(f64::from(signed(bits, width)), half, Round::NearestEven),
        Number::Float if width == 32 && !half => bits,
        Number::Float if width == 32 => to_register(from_register(bits, false), true, Round::TowardZero),
        Number::Float => {
            let f16 = if width < 16 { bits << lacking(width) } else { bits };
            if half { f16 } else { to_register(from_register(f16, true), false, Round::NearestEven) }
        }
    }
}

/// Converts a component in registers to its bits in memory.
///
/// Numbers beyond the range of the format become its nearest one; floats of fewer bits are cut off.
pub(crate) fn encode(bits: u32, width: u8, number: Number, half: bool) -> u32 {
    let float = || from_register(bits, half);
    let integer = if half { signed(bits, 16) } else { bits as i32 };
    let unsigned = if half { bits & 0xFFFF } else { bits };
    let greatest = low(u64::MAX, width);
    let (least_signed, greatest_signed) = (!(greatest >> 1) as i32, (greatest >> 1) as i32);
    // `as` saturates, and makes 0 of NaN.
    let value = match number {
        Number::Uint => unsigned.min(greatest),
        Number::Sint => integer.clamp(least_signed, greatest_signed) as u32,
        // Stores refuse sRGB.
        Number::Unorm | Number::Srgb => libm::rint(float().clamp(0.0, 1.0) * f64::from(greatest)) as u32,
        Number::Snorm => libm::rint(float().clamp(-1.0, 1.0) * f64::from(greatest_signed)) as i32 as u32,
        Number::Uscaled => (float() as u32).min(greatest),
        Number::Sscaled => (float() as i32).clamp(least_signed, greatest_signed) as u32,
        Number::Float if width == 32 && !half => bits,
        Number::Float if width == 32 => to_register(float(), false, Round::NearestEven),
        Number::Float => {
            let f16 = if half { bits } else { to_register(float(), true, Round::TowardZero) };
            let is_negative = f16 & 0x8000 != 0 && f16 & 0x7FFF <= 0x7C00;
            match width {
                16.. => f16,
                _ if is_negative => 0,
                // A NaN whose payload is cut off stays one.
                _ if f16 & 0x7FFF > 0x7C00 => (f16 & 0x7FFF) >> lacking(width) | 1,
                _ => f16 >> lacking(width),
            }
        }
    };
    low(value.into(), width)
}

impl Element {
    /// The number format of a component in memory.
    fn number_of(&self, component: usize) -> Number {
        if self.number == Number::Srgb && component == 3 { Number::Unorm } else { self.number }
    }

    /// The components in registers of an element in memory.
    pub(crate) fn decoded(&self, bits: TexelBits, half: bool) -> [u32; 4] {
        let one = self.one(half);
        self.selects.map(|select| match select {
            Select::Zero => 0,
            Select::One => one,
            Select::Component(at) => match self.components.get(usize::from(at)) {
                Some(component) if component.bits > 0 => {
                    let part = low((bits >> component.lo.min(127)) as u64, component.bits);
                    decode(part, component.bits, self.number_of(usize::from(at)), half)
                }
                _ => 0,
            },
        })
    }

    /// Returns the components in memory as numbers. Floats of 32 bits that are denormal are zero.
    pub(crate) fn numbers(&self, bits: TexelBits) -> [f64; 4] {
        core::array::from_fn(|at| {
            let component = self.components.get(at).copied().unwrap_or_default();
            let part = low((bits >> component.lo.min(127)) as u64, component.bits);
            match (component.bits, self.number_of(at)) {
                (0, _) => 0.0,
                (width, Number::Uint) => f64::from(decode(part, width, Number::Uint, false)),
                (width, Number::Sint) => f64::from(decode(part, width, Number::Sint, false) as i32),
                (width, number) => flushed(from_register(decode(part, width, number, false), false)),
            }
        })
    }

    /// Returns the components in registers for components in memory that are numbers, rounded to nearest. The instruction set has no
    /// components of integers joined.
    pub(crate) fn selected(&self, numbers: [f64; 4], half: bool) -> [u32; 4] {
        self.selects.map(|select| match select {
            Select::Zero => 0,
            Select::One => self.one(half),
            Select::Component(at) => {
                let number = numbers.get(usize::from(at)).copied().unwrap_or(0.0);
                match self.number {
                    Number::Uint | Number::Sint => number as i64 as u32,
                    _ => to_register(flushed(number), half, Round::NearestEven),
                }
            }
        })
    }

    /// The number one in registers.
    const fn one(&self, half: bool) -> u32 {
        match (self.number, half) {
            (Number::Uint | Number::Sint, _) => 1,
            (_, false) => 0x3F80_0000,
            (_, true) => 0x3C00,
        }
    }

    /// The element in memory for components in registers. A component that no register is selected for is 0.
    pub(crate) fn encoded(&self, values: [u32; 4], half: bool) -> TexelBits {
        let mut bits = 0;
        for (at, component) in self.components.iter().enumerate().filter(|(_, component)| component.bits > 0) {
            let source = self.selects.iter().position(|select| *select == Select::Component(at as u8));
            let value = source.and_then(|source| values.get(source)).copied().unwrap_or(0);
            bits |= TexelBits::from(encode(value, component.bits, self.number, half)) << component.lo.min(127);
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_convert_both_ways() {
        // Width, number, bits in memory, bits in registers.
        let cases = [
            (8, Number::Unorm, 0xFF, 0x3F80_0000),
            (8, Number::Unorm, 0x80, (128.0f32 / 255.0).to_bits()),
            (8, Number::Snorm, 0x81, (-1.0f32).to_bits()),
            (16, Number::Snorm, 0x7FFF, 1.0f32.to_bits()),
            (10, Number::Uscaled, 1023, 1023.0f32.to_bits()),
            (8, Number::Sscaled, 0xFE, (-2.0f32).to_bits()),
            (8, Number::Sint, 0xFE, 0xFFFF_FFFE),
            (16, Number::Uint, 0xFFFE, 0xFFFE),
            (16, Number::Float, 0xC000, (-2.0f32).to_bits()),
            (11, Number::Float, 0x3C0, 1.0f32.to_bits()),
            (10, Number::Float, 0x1E0, 1.0f32.to_bits()),
            (32, Number::Float, 0x7F80_0001, 0x7F80_0001),
        ];
        for (width, number, memory, register) in cases {
            assert_eq!(decode(memory, width, number, false), register, "{number:?} of {width} bits");
            assert_eq!(encode(register, width, number, false), memory, "{number:?} of {width} bits");
        }
        // The least signed number is -1, too.
        assert_eq!(decode(0x80, 8, Number::Snorm, false), (-1.0f32).to_bits());
    }

    #[test]
    fn numbers_beyond_a_format_become_its_nearest() {
        let of = |value: f32, width, number| encode(value.to_bits(), width, number, false);
        assert_eq!(
            [of(2.0, 8, Number::Unorm), of(-1.0, 8, Number::Unorm), of(f32::NAN, 8, Number::Unorm)],
            [255, 0, 0]
        );
        assert_eq!([of(-2.0, 8, Number::Snorm), of(300.0, 8, Number::Sscaled)], [0x81, 127]);
        assert_eq!(
            [encode(300, 8, Number::Uint, false), encode((-300i32) as u32, 8, Number::Sint, false)],
            [255, 0x80]
        );
        assert_eq!([of(-1.0, 11, Number::Float), of(f32::INFINITY, 11, Number::Float)], [0, 0x7C0]);
        // Floats of 32 bits are cut off, others are rounded.
        assert_eq!(decode(0x3F80_3FFF, 32, Number::Float, true), 0x3C01);
        assert_eq!(decode(0x80, 8, Number::Unorm, true), 0x3804);
    }

    #[test]
    fn elements_select_components() {
        let element = Element {
            address: Some(0),
            bytes: 4,
            components: core::array::from_fn(|n| crate::descriptor::Component { lo: 8 * n as u8, bits: 8 }),
            number: Number::Uint,
            selects: [Select::Component(2), Select::Component(1), Select::Component(0), Select::One],
            misaligned: None,
        };
        assert_eq!(element.decoded(0x4433_2211, false), [0x33, 0x22, 0x11, 1]);
        assert_eq!(element.encoded([0x33, 0x22, 0x11, 0x44], false), 0x0033_2211);
    }
}
