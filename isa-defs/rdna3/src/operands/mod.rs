//! What the codes in the fields mean: a Rust type for each kind of operand and modifier.

mod regs;
pub use regs::*;
