//! What the codes in the fields mean: a Rust type for each kind of operand and modifier.

mod buffer;
mod buffer_format;
mod data_format;
mod dpp;
mod ds;
mod export;
mod expression;
mod flat;
mod hwreg;
mod image;
mod immediates;
mod message;
mod placing;
mod read;
mod regs;
mod scalar;
mod vector;
mod vector_read;
mod vop3;
mod vop3p;
mod waits;

pub use buffer::*;
pub use buffer_format::*;
pub use data_format::*;
pub use dpp::*;
pub use ds::*;
pub use export::*;
pub use flat::*;
pub use hwreg::*;
pub use image::*;
pub use immediates::*;
pub use message::*;
pub use read::*;
pub use regs::*;
pub(crate) use scalar::constant_type;
pub use scalar::*;
pub use vector::*;
pub use vop3::*;
pub use vop3p::*;
#[cfg(feature = "build")]
pub(crate) use waits::write_counters;
pub use waits::*;
