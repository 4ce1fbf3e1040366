//! The C library `amdgpu_isa`. `include/amdgpu_isa.h`, which cbindgen makes from this crate, states the contract of its functions.
//!
//! The crate translates between C and the crates of this repository, and has no logic of instruction sets. `border` has the
//! conversions of pointers; `memory` the memory of launches. Exported functions convert their pointers first, in one unsafe block, and
//! do the rest inside `border::guard`, which turns panics into a status.

#![allow(non_camel_case_types, reason = "types have the names that they have in C")]
#![allow(clippy::missing_safety_doc, reason = "the header begins with the contract of all functions")]

mod arch;
mod assembly;
mod border;
mod decode;
mod error;
mod instr;
mod launch;
mod lint;
mod listing;
mod memory;
mod object;
mod report;
mod status;

pub use arch::*;
pub use assembly::*;
pub use decode::*;
pub use error::*;
pub use instr::*;
pub use launch::*;
pub use lint::*;
pub use listing::*;
pub use object::*;
pub use report::*;
pub use status::*;
