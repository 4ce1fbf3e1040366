//! What the placing of operands in generator and runtime shares.

use isa_body::{Class, Type};

/// The type of an operand's constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConstantEncoding {
    /// Values of the operand's type.
    Type,
    /// Values of 32 bits for types of up to 32 bits.
    Dword,
    /// An `f16`, if the type has 16 bits.
    HalfFloat,
    /// An `f16`.
    AnyHalfFloat,
    /// The 16 bits of an integer.
    HalfBits,
    /// Each of two 16-bit elements.
    BothHalves,
    /// Values of one element of the type.
    Element,
    /// The operand is the literal itself.
    Literal,
}

impl ConstantEncoding {
    /// Returns the type that the constants of an operand of type `ty` have.
    #[must_use]
    pub const fn of_type(self, ty: Type) -> Type {
        const HALF: Type = Type::new(Class::Float, 16, 1);
        match self {
            ConstantEncoding::Dword if ty.dwords() == 1 => Type::new(Class::Bits, 32, 1),
            ConstantEncoding::HalfFloat if ty.total_bits() == 16 => HALF,
            ConstantEncoding::AnyHalfFloat => HALF,
            ConstantEncoding::HalfBits => Type::new(Class::Bits, 16, 1),
            ConstantEncoding::Element => ty.element(),
            ConstantEncoding::Type
            | ConstantEncoding::Dword
            | ConstantEncoding::HalfFloat
            | ConstantEncoding::BothHalves
            | ConstantEncoding::Literal => ty,
        }
    }
}

/// Returns the alignment of the first of `count` registers in a file with aligned registers.
#[must_use]
pub const fn register_alignment(count: u8) -> u16 {
    match count {
        0 | 1 => 1,
        2 => 2,
        _ => 4,
    }
}

/// Returns the alignment of the first of `count` registers whose codes lack the lowest `shift` bits of the number. `is_aligned` says
/// whether their file has aligned registers.
#[must_use]
pub const fn alignment(shift: u8, is_aligned: bool, count: u8) -> u16 {
    let (of_code, of_count) = (1 << shift, register_alignment(count));
    if is_aligned && of_count > of_code { of_count } else { of_code }
}

/// Returns the last character of a role's name as a digit, which is the number of a bit: that of `s3` is 3.
#[must_use]
pub const fn last_digit(name: &str) -> u8 {
    match name.as_bytes() {
        [.., last @ b'0'..=b'9'] => *last - b'0',
        _ => 0,
    }
}

/// The error for a number that a field without a meaning cannot hold.
pub const CODE_RULE: &str = "the number does not fit the field";

/// What errors call an operand without a meaning.
pub const CODE_EXPECTS: &str = "a number";
