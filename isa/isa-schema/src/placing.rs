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
