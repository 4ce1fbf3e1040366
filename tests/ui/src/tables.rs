//! The items that the operand tables of compile errors (`macro`) refer to.

/// The register files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum File {
    /// Numbered registers.
    Reg,
    /// Further numbered registers.
    Other,
    /// The program counter.
    Pc,
    /// The stack pointer.
    Sp,
    /// The frame pointer.
    Fp,
}

/// The value of an operand.
pub type Value = isa::Meaning<File>;

/// The sets that the operand classes belong to.
pub trait Sets: isa::Isa<Value = Value> {}
