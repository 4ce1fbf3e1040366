//! Executes the bodies of rows on the CPU.
//!
//! [`num`] defines each numeric builtin of the body language, bit for bit.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod num;
