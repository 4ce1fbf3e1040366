//! What the codes in the fields mean, in every generation: a Rust type for each kind of operand and modifier.

mod buffer;
mod placing;
mod read;
mod regs;
mod scalar;

pub use buffer::*;
pub use regs::*;
pub use scalar::*;
