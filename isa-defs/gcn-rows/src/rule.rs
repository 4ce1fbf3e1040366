//! The rules between the operands of an instruction.

use amdgpu_operands::legality_rules;

legality_rules! {
    /// Registers end at v255.
    VgprRange Llvm "" "vector registers end at v255" "begin at a lower register";
    /// A store has no status to bring back.
    StatusOfStore Llvm "" "a store has no status: `tfe` is for loads" "remove `tfe`";
    /// The offset into a buffer resource is not negative.
    BufferOffset Llvm "" "the offset into a buffer must not be negative" "add to the base or to the register";
    /// In GCN 1.2 the offset of a scalar store is a constant or M0.
    StoreOffset Guide ""
        "the register in the address of a scalar store must be m0"
        "move the offset to m0, or write it as a constant";
}

/// A rule that an instruction breaks.
pub type Violation = amdgpu_operands::Violation<Rule>;
