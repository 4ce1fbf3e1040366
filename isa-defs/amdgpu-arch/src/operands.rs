//! Operands of an instruction of any set, and rules between them.

use std::error::Error;
use std::fmt;

use amdgpu_operands::{Half, LegalityRule, RuleTexts};
use isa::Access;

/// An operand of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operand {
    /// The role: `d`, `s0`, `addr` …
    pub role: &'static str,
    /// Whether it is read, written or both.
    pub access: Access,
    /// The width of its type in bits; 0 for a lane mask, whose width is that of the wave.
    pub bits: u16,
    /// The instruction of a dual-issue pair that it belongs to: 0 or 1.
    pub component: u8,
    /// The registers or the constant.
    pub value: OperandValue,
}

/// The value of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperandValue {
    /// Consecutive registers of a file.
    Registers {
        /// The number of the file in [`files`](crate::files).
        file: u8,
        /// The number of the first register.
        first: u8,
        /// The number of 32-bit registers.
        count: u8,
        /// The half that a 16-bit operand means.
        half: Option<Half>,
    },
    /// Up to five groups of vector registers: the address of an image instruction.
    Scattered {
        /// The number of groups.
        groups: u8,
        /// The first register of each group.
        first: [u8; 5],
        /// The number of registers of each group.
        count: [u8; 5],
    },
    /// An inline integer, -16 to 64.
    Integer(i8),
    /// An inline floating-point constant, as the bits of an `f32`.
    Float(u32),
    /// A literal constant.
    Literal(u32),
    /// A number in the fields of the instruction.
    Immediate(i32),
    /// A branch target: signed dwords from the end of the instruction.
    Branch(i16),
    /// The operand is disabled: `off`.
    Off,
}

/// A rule that an instruction breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Violation {
    /// The role of the operand that breaks the rule, or the name of the modifier.
    pub operand: &'static str,
    /// The rule.
    pub rule: RuleTexts,
}

impl Violation {
    pub(crate) fn new<R: LegalityRule>(violation: &amdgpu_operands::Violation<R>) -> Self {
        Self { operand: violation.operand, rule: violation.rule.texts() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.operand, self.rule.text)
    }
}

impl Error for Violation {}
