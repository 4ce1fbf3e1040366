//! Executes instruction sets made with `isa!` on the CPU. It knows no opcode: the body of each row says what the instruction
//! computes.
//!
//! 1. Implement [`program::Machine`] for the set: how many registers there are, and which register each operand names. `rdna3::exec` has
//!    one for RDNA3.
//! 2. A [`program::Program`] decodes code and lowers the bodies of its instructions, when waves reach them.
//! 3. [`wave::Wave`] holds the registers, [`group::WorkGroup`] its waves and local memory, and [`memory::Regions`] the other memory.
//!    [`group::WorkGroup::run`] executes the program until every wave has ended.
//!
//! [`num`] defines each numeric builtin of the body language, bit for bit. The guide page "Define your own instruction set" has an
//! example.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod access;
pub mod check;
mod cross;
pub mod descriptor;
pub mod eval;
pub mod fault;
pub mod group;
pub mod guard;
pub mod layout;
pub mod lower;
mod matrix;
pub mod memory;
pub mod num;
pub mod observe;
pub mod operation;
pub mod primitive;
pub mod program;
mod registers;
pub mod rows;
mod run;
pub mod step;
mod texel;
pub mod units;
pub mod wave;
