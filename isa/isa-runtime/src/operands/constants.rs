//! Constants as operands: from a value and a type to a code and a literal, and back.
//!
//! A set lists its inline constants as data ([`Constants`]). Parsers, builders and [`Inst`](crate::Inst) use these
//! functions alone, so they agree on each constant. All of them work in constant evaluation.

use crate::{Class, Type};

#[cfg(test)]
mod tests;

/// A constant, with all of its 64 bits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Constant {
    /// An integer. It stands for the bits of the operand; a literal of a 64-bit operand holds its lower 32 bits.
    Integer(i64),
    /// A floating-point number, which is rounded to the format of the operand.
    Float(f64),
}

#[cfg_attr(not(any(feature = "parse", feature = "inst")), allow(dead_code))]
impl Constant {
    /// Takes the absolute value if `abs` is set, and then negates the constant if `neg` is set. `width` is the operand's width in bits;
    /// a wider operand than 64 bits has a constant of 32. An integer is the bits of a float: without its sign a negative one is a
    /// pattern of its width.
    pub(crate) const fn with_signs(self, neg: bool, abs: bool, width: u16) -> Constant {
        let width = if width < 1 || width > 64 { 32 } else { width };
        match self {
            Constant::Float(x) => {
                let x = if abs { x.abs() } else { x };
                Constant::Float(if neg { -x } else { x })
            }
            Constant::Integer(n) => {
                let sign = 1i64 << (width - 1);
                let n = if abs { n & !sign } else { n };
                let n = if neg { n ^ sign } else { n };
                Constant::Integer(if width < 64 { n & ((1 << width) - 1) } else { n })
            }
        }
    }
}

/// A range of inline integers whose codes ascend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InlineIntegers {
    /// The code of the first.
    pub code: u16,
    /// The first value.
    pub first: i64,
    /// The last value. The values descend if it is less than the first.
    pub last: i64,
}

/// An inline floating-point constant: its code, and its bits in each format.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InlineFloat {
    /// The code.
    pub code: u16,
    /// The text in operands of up to 32 bits.
    pub name: &'static str,
    /// The number that the text denotes.
    pub value: f64,
    /// The bits of an `f16`.
    pub f16: u16,
    /// The bits of a `bf16`.
    pub bf16: u16,
    /// The bits of an `f32`. Integer operands of up to 32 bits read these, too: one of 16 bits reads a half of them.
    pub f32: u32,
    /// The bits of an `f64`. Integer operands of 64 bits have these, too.
    pub f64: u64,
}

impl InlineFloat {
    /// The constant with this code whose value is exact in an `f16` and a `bf16`.
    #[must_use]
    pub const fn new(code: u16, name: &'static str, value: f32) -> Self {
        let f16 = match narrow(value as f64, 5, 10) {
            Some(bits) => bits as u16,
            None => 0,
        };
        let f32 = value.to_bits();
        InlineFloat {
            code,
            name,
            value: value as f64,
            f16,
            bf16: (f32 >> 16) as u16,
            f32,
            f64: (value as f64).to_bits(),
        }
    }

    /// Returns the bits of the constant in the format of an operand's type, without those of a sign extension. An operand
    /// of two 16-bit elements has an `f16` or a `bf16` in the first one, and zero in the other.
    #[must_use]
    pub const fn bits(&self, ty: Type) -> u64 {
        Format::of(ty).inline(self)
    }
}

/// The constants of a set: the codes of inline constants, and the code of a literal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Constants {
    /// The inline integers.
    pub integers: &'static [InlineIntegers],
    /// The inline floating-point numbers.
    pub floats: &'static [InlineFloat],
    /// The code of a literal, a dword after the instruction's own.
    pub literal: Option<u16>,
}

/// A constant as an instruction holds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EncodedConstant {
    /// The code of the operand.
    pub code: u16,
    /// The literal, if the code selects one.
    pub literal: Option<u32>,
    /// Whether no bits are lost. A literal holds the upper half of an `f64`: the lower half must be zero. The literal of a 16-bit
    /// integer, of which the instruction reads the lower half, has the bits of an `f32`.
    pub exact: bool,
}

/// Returns the bits that an operand of this type reads from a literal. A literal of 64 bits holds the upper half of a float, or
/// a number that a signed type extends by its sign.
#[must_use]
pub const fn bits_of_literal(literal: u32, ty: Type) -> u64 {
    match ty.class() {
        Class::Float | Class::BFloat if ty.total_bits() == 64 => (literal as u64) << 32,
        Class::Signed => literal as i32 as u64,
        _ => literal as u64,
    }
}

/// The bits of a floating-point number in a narrower format with this many bits of exponent and mantissa, rounded to
/// nearest even. `None` if the number is too large, or so small that all of its bits would be lost.
const fn narrow(value: f64, exponent: u32, mantissa: u32) -> Option<u32> {
    let bits = value.to_bits();
    let sign = ((bits >> 63) as u32) << (exponent + mantissa);
    let bias = (1i32 << (exponent - 1)) - 1;
    if bits << 1 == 0 {
        return Some(sign);
    }
    let power = (bits >> 52 & 0x7ff) as i32 - 1023;
    let digits = bits & ((1 << 52) - 1) | 1 << 52;
    let below = if power < 1 - bias { (1 - bias - power) as u32 } else { 0 };
    let shift = 52 - mantissa + below;
    if shift > 63 {
        return None;
    }
    let (kept, lost, half) = (digits >> shift, digits & ((1 << shift) - 1), 1u64 << (shift - 1));
    let rounded = kept + (lost > half || lost == half && kept & 1 == 1) as u64;
    let one = 1u64 << mantissa;
    if below > 0 {
        return if lost == 0 || rounded >= one { Some(sign | rounded as u32) } else { None };
    }
    // A carry out of the mantissa goes into the exponent.
    let biased = power + bias;
    if biased < 0 {
        return None;
    }
    let result = ((biased as u64) << mantissa) + rounded - one;
    if result < ((1 << exponent) - 1) << mantissa { Some(sign | result as u32) } else { None }
}

/// Returns the bits of an infinity or a NaN in the format of a type's constants. Returns `None` for numbers, for 16-bit integers,
/// and for a NaN whose payload does not fit.
pub(crate) const fn non_finite_bits(value: f64, ty: Type) -> Option<u32> {
    let (exponent, mantissa) = match Format::of(ty) {
        _ if is_half(ty) && !ty.is_float() => return None,
        Format::F16 => (5, 10),
        Format::BF16 => (8, 7),
        Format::F32 => (8, 23),
        Format::F64 => return None,
    };
    let bits = value.to_bits();
    let lost = 52 - mantissa;
    if value.is_finite() || bits & ((1 << lost) - 1) != 0 {
        return None;
    }
    let payload = bits << 12 >> 12 >> lost;
    let (sign, ones) = ((bits >> 63) as u32, (1 << exponent) - 1);
    Some(sign << (exponent + mantissa) | ones << mantissa | payload as u32)
}

/// Whether an integer fits this many bits, with or without a sign.
const fn fits_bits(n: i64, bits: u32) -> bool {
    -(1i64 << (bits - 1)) <= n && n < 1i64 << bits
}

/// The format of a type's constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    F16,
    BF16,
    /// Of integers of up to 32 bits, too.
    F32,
    /// Of all types of 64 bits.
    F64,
}

impl Format {
    const fn of(ty: Type) -> Self {
        match (ty.class(), ty.bits()) {
            _ if ty.total_bits() == 64 => Format::F64,
            (Class::Float, 16) => Format::F16,
            (Class::BFloat, 16) => Format::BF16,
            _ => Format::F32,
        }
    }

    /// The bits of a number; `None` if it has none in this format.
    const fn round(self, value: f64) -> Option<u32> {
        match self {
            Format::F16 => narrow(value, 5, 10),
            Format::BF16 => narrow(value, 8, 7),
            Format::F32 => narrow(value, 8, 23),
            Format::F64 => Some((value.to_bits() >> 32) as u32),
        }
    }

    /// The bits of an inline constant.
    const fn inline(self, float: &InlineFloat) -> u64 {
        match self {
            Format::F16 => float.f16 as u64,
            Format::BF16 => float.bf16 as u64,
            Format::F32 => float.f32 as u64,
            Format::F64 => float.f64,
        }
    }
}

/// Returns whether the operand has 16 bits. The upper half of its literal is then the sign extension.
const fn is_half(ty: Type) -> bool {
    ty.total_bits() == 16
}

/// Returns the 32 bits of the literal for a constant of this type, and whether no bits are lost. Returns `None` if the constant
/// does not fit. An integer states the bits themselves; the literal of an `f64` holds its upper half.
#[must_use]
pub const fn literal_bits(constant: Constant, ty: Type) -> Option<(u32, bool)> {
    let bits = match constant {
        Constant::Integer(n) if is_half(ty) => {
            if !fits_bits(n, 16) {
                return None;
            }
            if ty.is_float() { n as u32 & 0xffff } else { n as u32 }
        }
        Constant::Integer(n) => {
            if !fits_bits(n, 32) {
                return None;
            }
            n as u32
        }
        Constant::Float(f) if ty.total_bits() == 64 => {
            if !ty.is_float() {
                return None;
            }
            return Some(((f.to_bits() >> 32) as u32, f.to_bits() as u32 == 0));
        }
        // A number outside the range of an `f16` fits no 16-bit integer operand either, although a literal of one has
        // the bits of an `f32`.
        Constant::Float(f) if is_half(ty) && !ty.is_float() && narrow(f, 5, 10).is_none() => return None,
        Constant::Float(f) => match Format::of(ty).round(f) {
            Some(bits) => bits,
            None => return None,
        },
    };
    Some((bits, true))
}

/// Whether a literal is one that [`literal_bits`] could give an operand: of a type of 16 bits it has nothing but a sign
/// above them. `f16`: text has the operand as an `f16`, regardless of its type.
#[must_use]
pub const fn literal_half(bits: u32, ty: Type, f16: bool) -> bool {
    if bits >> 16 == 0 || !f16 && !is_half(ty) {
        return true;
    }
    // An integer operand takes the sign of a number, or a float as it would be in 32 bits.
    let signed = bits as u16 as i16 as u32 == bits;
    let float = narrow(f32::from_bits(bits) as f64, 5, 10).is_some();
    !f16 && !ty.is_float() && (signed || float)
}

impl Constants {
    /// No constants.
    pub const NONE: Constants = Constants { integers: &[], floats: &[], literal: None };

    /// Returns the code of an inline integer.
    #[must_use]
    pub const fn integer(&self, n: i64) -> Option<u16> {
        let mut i = 0;
        while i < self.integers.len() {
            let InlineIntegers { code, first, last } = self.integers[i];
            if first <= n && n <= last {
                return Some(code + (n - first) as u16);
            }
            if last <= n && n <= first {
                return Some(code + (first - n) as u16);
            }
            i += 1;
        }
        None
    }

    /// Returns the code of the inline float with these bits in a format.
    const fn float(&self, bits: u64, format: Format) -> Option<u16> {
        let mut i = 0;
        while i < self.floats.len() {
            if format.inline(&self.floats[i]) == bits {
                return Some(self.floats[i].code);
            }
            i += 1;
        }
        None
    }

    /// Returns the code of the inline constant that equals a constant in an operand of this type.
    #[must_use]
    pub const fn inline(&self, constant: Constant, ty: Type) -> Option<u16> {
        let format = Format::of(ty);
        if matches!(format, Format::F64) {
            let bits = match constant {
                Constant::Integer(n) => n as u64,
                Constant::Float(f) => f.to_bits(),
            };
            return match self.integer(bits as i64) {
                None => self.float(bits, format),
                code => code,
            };
        }
        if let (Constant::Float(f), Format::BF16) = (constant, format) {
            // As it is written, 1/(2 pi) would round to another bf16.
            let mut i = 0;
            while i < self.floats.len() {
                if self.floats[i].value.to_bits() == f.to_bits() || self.floats[i].f64 == f.to_bits() {
                    return Some(self.floats[i].code);
                }
                i += 1;
            }
        }
        let Some((bits, _)) = literal_bits(constant, ty) else { return None };
        let number = match constant {
            Constant::Integer(n) if is_half(ty) && !ty.is_float() => n,
            _ if is_half(ty) && ty.is_float() => bits as u16 as i16 as i64,
            _ => bits as i32 as i64,
        };
        match self.integer(number) {
            None => self.float(bits as u64, format),
            code => code,
        }
    }

    /// Returns whether a literal in an operand of this type has the bits of an inline constant.
    #[must_use]
    pub fn is_inline(&self, literal: u32, ty: Type) -> bool {
        let format = Format::of(ty);
        // A 16-bit float has its own half; any other operand is compared as a whole.
        let (bits, number) = match format {
            Format::F64 => return self.integer(literal as i64).is_some(),
            Format::F16 | Format::BF16 if is_half(ty) => (literal & 0xffff, literal as u16 as i16 as i64),
            _ => (literal, literal as i32 as i64),
        };
        if self.integer(number).is_some() {
            return true;
        }
        // A loop for each format: one loop that looks at the format of each constant takes twice the instructions.
        let mut floats = self.floats.iter();
        match format {
            Format::F16 => floats.any(|float| u32::from(float.f16) == bits),
            Format::BF16 => floats.any(|float| u32::from(float.bf16) == bits),
            Format::F32 | Format::F64 => floats.any(|float| float.f32 == bits),
        }
    }

    /// Returns whether a literal in an operand of two 16-bit elements has the bits of an inline constant, which both receive.
    #[must_use]
    pub fn is_inline_in_both_halves(&self, literal: u32) -> bool {
        const HALF: Type = Type::new(Class::Float, 16, 1);
        let low = literal & 0xffff;
        let in_halves = low == literal >> 16 && low < 0xfff0 && self.is_inline(low, HALF);
        // Of other values only the small integers can be inline.
        in_halves || self.integer((literal as i32).into()).is_some()
    }

    /// Returns the code of the inline constant that equals a constant in an operand of two 16-bit elements which both
    /// receive it.
    #[must_use]
    pub const fn inline_in_both_halves(&self, constant: Constant, ty: Type) -> Option<u16> {
        const HALF: Type = Type::new(Class::Float, 16, 1);
        let Some((bits, _)) = literal_bits(constant, ty) else { return None };
        match self.integer(bits as i32 as i64) {
            None if bits >> 16 == bits & 0xffff && bits & 0xffff < 0xfff0 => {
                self.inline(Constant::Integer((bits & 0xffff) as i64), HALF)
            }
            code => code,
        }
    }

    /// Returns the code and the literal of a constant in an operand of this type. `forced`: a literal, even if an inline
    /// constant is equal; its 32 bits may then be stated as an unsigned integer (LLVM's `lit(…)`).
    #[must_use]
    pub const fn encode(&self, constant: Constant, ty: Type, forced: bool) -> Option<EncodedConstant> {
        if !forced && let Some(code) = self.inline(constant, ty) {
            return Some(EncodedConstant { code, literal: None, exact: true });
        }
        let Some(code) = self.literal else { return None };
        let (literal, exact) = match (literal_bits(constant, ty), constant) {
            // A 16-bit integer operand reads the lower half of its literal, which has the bits of an `f32`.
            (Some((bits, _)), Constant::Float(_)) if is_half(ty) && !ty.is_float() => (bits, false),
            (Some(found), _) => found,
            (None, Constant::Integer(n)) if forced && 0 <= n && n <= u32::MAX as i64 => (n as u32, true),
            // All 64 bits of an `f64`, whose upper half a literal holds.
            (None, Constant::Integer(n)) if ty.is_float() && ty.total_bits() == 64 && n as u32 == 0 => {
                ((n >> 32) as u32, true)
            }
            _ => return None,
        };
        Some(EncodedConstant { code, literal: Some(literal), exact })
    }

    /// Returns the constant of a code in an operand of this type, and whether [`encode`](Self::encode) has to be told to
    /// make a literal of it. `None` if the code is not that of a constant.
    #[must_use]
    pub const fn decode(&self, code: u16, literal: u32, ty: Type) -> Option<(Constant, bool)> {
        if let Some(n) = self.integer_of(code) {
            return Some((Constant::Integer(n), false));
        }
        if let Some(float) = self.float_of(code) {
            let wide = ty.total_bits() == 64;
            return Some((Constant::Float(if wide { f64::from_bits(float.f64) } else { float.value }), false));
        }
        match self.literal {
            Some(selecting) if selecting == code => {}
            _ => return None,
        }
        let constant = if ty.total_bits() == 64 && ty.is_float() {
            Constant::Float(f64::from_bits((literal as u64) << 32))
        } else if is_half(ty) || matches!(ty.class(), Class::Signed) {
            Constant::Integer(literal as i32 as i64)
        } else {
            Constant::Integer(literal as i64)
        };
        let same = match self.encode(constant, ty, false) {
            Some(EncodedConstant { literal: Some(bits), .. }) => bits == literal,
            _ => false,
        };
        match constant {
            _ if same => Some((constant, false)),
            Constant::Float(_) => Some((constant, true)),
            // As bits: a forced literal takes any.
            Constant::Integer(_) => match literal_bits(constant, ty) {
                Some((bits, _)) if bits == literal => Some((constant, true)),
                _ => Some((Constant::Integer(literal as i64), true)),
            },
        }
    }

    /// Returns the bits that an operand of this type has for a code: 16, 64, or for all other types 32. `None` if the code
    /// is not that of a constant.
    #[must_use]
    pub const fn bits(&self, code: u16, literal: u32, ty: Type) -> Option<u64> {
        let mask = match ty.total_bits() {
            16 => 0xffff,
            64 => u64::MAX,
            _ => 0xffff_ffff,
        };
        if let Some(n) = self.integer_of(code) {
            return Some(n as u64 & mask);
        }
        if let Some(float) = self.float_of(code) {
            return Some(float.bits(ty) & mask);
        }
        match self.literal {
            Some(selecting) if selecting == code => {}
            _ => return None,
        }
        Some(bits_of_literal(literal, ty) & mask)
    }

    /// The value of an inline integer.
    const fn integer_of(&self, code: u16) -> Option<i64> {
        let mut i = 0;
        while i < self.integers.len() {
            let InlineIntegers { code: from, first, last } = self.integers[i];
            let (count, step) = if last < first { (first - last, -1) } else { (last - first, 1) };
            if from <= code && (code - from) as i64 <= count {
                return Some(first + step * (code - from) as i64);
            }
            i += 1;
        }
        None
    }

    /// The inline float with this code.
    const fn float_of(&self, code: u16) -> Option<&'static InlineFloat> {
        let mut i = 0;
        while i < self.floats.len() {
            if self.floats[i].code == code {
                return Some(&self.floats[i]);
            }
            i += 1;
        }
        None
    }
}
