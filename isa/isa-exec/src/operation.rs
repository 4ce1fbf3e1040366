//! Operations without side effects, independent of the functions that compute them.

use alloc::boxed::Box;

use isa_runtime::body::{BinaryOp, Builtin, Class, Type, UnaryOp};

use crate::num::{FloatMode, Format, Mode, Round};
use crate::units::Relation;

/// The mode register, decoded for each floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Modes {
    /// The register.
    pub register: Mode,
    /// The mode of f16 operations.
    pub f16: FloatMode,
    /// The mode of f32 and bf16 operations.
    pub f32: FloatMode,
    /// The mode of f64 operations.
    pub f64: FloatMode,
    /// Whether f32 operations flush denormals; `None` if they do so in arguments or results only, do not round to nearest, or do not
    /// make NaNs quiet.
    pub(crate) fast_f32: Option<bool>,
}

impl Modes {
    /// Decodes a mode register.
    #[must_use]
    pub const fn new(register: Mode) -> Self {
        let (f16, f32, f64) = (register.of(Format::F16), register.of(Format::F32), register.of(Format::F64));
        let is_fast = matches!(f32.round, Round::NearestEven) && f32.ieee && f32.flush_inputs == f32.flush_outputs;
        let fast_f32 = if is_fast { Some(f32.flush_inputs) } else { None };
        Modes { register, f16, f32, f64, fast_f32 }
    }

    /// Returns the mode of operations on a format.
    #[must_use]
    pub const fn of(&self, format: Format) -> FloatMode {
        match format {
            Format::F16 => self.f16,
            Format::BF16 | Format::F32 => self.f32,
            Format::F64 => self.f64,
            Format::F8 | Format::BF8 => self.register.of(format),
        }
    }
}

/// An operator on dwords in a chain of two. Shifts are by the count modulo 32, to the right without the sign.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Link {
    /// A sum.
    Add,
    /// A difference.
    Sub,
    /// The low half of a product.
    Mul,
    /// A conjunction.
    And,
    /// A disjunction.
    Or,
    /// An exclusive disjunction.
    Xor,
    /// A shift to the left.
    Shl,
    /// A shift to the right.
    Shr,
}

impl Link {
    /// All operators.
    pub const ALL: [Link; 8] = [Link::Add, Link::Sub, Link::Mul, Link::And, Link::Or, Link::Xor, Link::Shl, Link::Shr];

    /// The result for two dwords.
    #[inline(always)]
    #[must_use]
    pub const fn apply(self, a: u32, b: u32) -> u32 {
        match self {
            Link::Add => a.wrapping_add(b),
            Link::Sub => a.wrapping_sub(b),
            Link::Mul => a.wrapping_mul(b),
            Link::And => a & b,
            Link::Or => a | b,
            Link::Xor => a ^ b,
            Link::Shl => a << (b & 31),
            Link::Shr => a >> (b & 31),
        }
    }
}

/// A half of a dword: what OPSEL and NEG make of the halves of a packed operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Half {
    /// Whether it is the high half.
    pub is_high: bool,
    /// Whether its highest bit is inverted.
    pub is_negated: bool,
}

impl Half {
    /// The halves of a dword in order.
    pub const IN_ORDER: [Half; 2] =
        [Half { is_high: false, is_negated: false }, Half { is_high: true, is_negated: false }];

    /// The half of a dword.
    #[inline(always)]
    #[must_use]
    pub const fn of(self, dword: u32) -> u32 {
        let half = if self.is_high { dword >> 16 } else { dword & 0xFFFF };
        if self.is_negated { half ^ 0x8000 } else { half }
    }
}

/// The function that an operation computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OperationKind {
    /// An operator with one operand.
    Unary(UnaryOp),
    /// An operator with two operands.
    Binary(BinaryOp),
    /// A conversion to the operation's type.
    Cast,
    /// The nearest number of the operation's type to an integer.
    Saturate,
    /// Bits from this one on.
    Slice(u16),
    /// One bit: value, index.
    Bit,
    /// Condition, value if it holds, value otherwise.
    Select,
    /// Bits from this one on replaced: value, bits.
    Insert(u16),
    /// Two halves of 16 bits, the low one first, each the low or the high half of a dword.
    Halves([Half; 2]),
    /// One bit replaced: value, index, bit.
    InsertBit,
    /// A builtin function that depends on its arguments and the mode alone.
    Call(Builtin),
    /// A shift whose count is taken modulo the width.
    Masked(BinaryOp),
    /// Two operators on dwords: `second(first(a, b), c)`.
    Chain(Link, Link),
    /// `a & b | !a & c`.
    Blend,
    /// `a & !b`.
    AndNot,
    /// Whether a relation of two f32 holds that no operator has.
    Related(Relation),
    /// The low dword of the number with low dword `a` and high dword `b`, shifted to the right by `c` modulo 32.
    Funnel,
    /// The bytes of the number with low dword `a` and high dword `b` that the bytes of `c` name, as `byte_perm` has them.
    BytesOfTwo,
    /// The high dword of the product of two dwords.
    MulHigh,
    /// The product of two dwords plus a number of 64 bits.
    MulAdd,
}

/// An argument: its first row and its type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Argument {
    /// The first of its rows.
    pub row: u16,
    /// Its type.
    pub ty: Type,
}

/// An operation on rows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Operation {
    /// The function that it computes.
    pub kind: OperationKind,
    /// The type of the result.
    pub ty: Type,
    /// The arguments.
    pub args: Box<[Argument]>,
}

/// How many rows hold a value of a type.
#[must_use]
pub const fn dwords(ty: Type) -> u16 {
    let n = ty.total_bits().div_ceil(32);
    if n == 0 { 1 } else { n }
}

/// The floating-point format of a type's elements.
#[must_use]
pub const fn format(ty: Type) -> Option<Format> {
    match (ty.class(), ty.bits()) {
        (Class::Float, 16) => Some(Format::F16),
        (Class::Float, 32) => Some(Format::F32),
        (Class::Float, 64) => Some(Format::F64),
        (Class::BFloat, 16) => Some(Format::BF16),
        (Class::Float, 8) => Some(Format::F8),
        (Class::BFloat, 8) => Some(Format::BF8),
        _ => None,
    }
}

/// The lowest bits of a number.
#[must_use]
pub const fn low_bits(number: u128, bits: u32) -> u128 {
    if bits >= 128 { number } else { number & ((1 << bits) - 1) }
}

/// A number extended to 128 bits by the sign of its type.
#[must_use]
pub const fn extended(number: u128, ty: Type) -> i128 {
    let bits = ty.bits() as u32;
    if bits == 0 || bits >= 128 || !matches!(ty.class(), Class::Signed) {
        return low_bits(number, if bits == 0 { 1 } else { bits }) as i128;
    }
    (number << (128 - bits)) as i128 >> (128 - bits)
}

/// One element of a value of several.
#[must_use]
pub const fn element(number: u128, ty: Type, at: u32) -> u128 {
    let bits = ty.bits() as u32;
    let shift = at * bits;
    if shift >= 128 { 0 } else { low_bits(number >> shift, bits) }
}
