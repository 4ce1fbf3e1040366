//! Executes the bodies of rows on the CPU.
//!
//! [`num`] defines each numeric builtin of the body language, bit for bit.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod access;
mod cross;
pub mod descriptor;
pub mod eval;
pub mod fault;
pub mod group;
pub mod layout;
pub mod lower;
mod matrix;
pub mod memory;
pub mod num;
pub mod observe;
pub mod operation;
pub mod primitive;
pub mod program;
pub mod rows;
mod run;
pub mod step;
mod texel;
pub mod wave;
