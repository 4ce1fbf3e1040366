#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! An [`Arch`] is an instruction set, a [`Processor`] an entry of LLVM's list, and a [`TargetSelection`] what a user selects by name. A
//! [`Reader`] parses and decodes instructions in one wave size; an [`Instr`] is an instruction of any set. [`InstructionSet`] is the
//! trait behind them: [`decode_fast`], [`item`], [`parse`] and [`parse_line_fast`] take the set as a type, for loops over many
//! instructions.

mod catalog;
mod decode;
mod facts;
pub mod hex;
mod instr;
mod operands;
mod processors;
mod reader;
mod selection;
mod set;
#[doc(hidden)]
pub mod sets;
#[cfg(test)]
mod tests;

#[doc(no_inline)]
pub use amdgpu_operands::{Authority, Half, RegisterEffects, RegisterSet, RuleTexts, Unit, files};
#[doc(no_inline)]
pub use amdgpu_operands::{begins_register, nearest_register};
#[doc(no_inline)]
pub use isa::{Access, MAX_DWORDS};
#[doc(no_inline)]
pub use rdna_rows::{FAR_BRANCH, Wave};

pub use catalog::{OpcodeEntry, opcodes};
pub use decode::{DecodeError, decode_fast, dwords_to_skip, item};
pub use facts::{OpcodeFacts, opcode_count};
pub use instr::{Bytes, Instr, InstructionSet, RegisterCounts};
pub use operands::{Operand, OperandValue, Violation};
pub use processors::{PROCESSORS, Processor, processor};
pub use reader::{Reader, branch_bytes, parse, parse_line_fast};
pub use selection::{SelectionError, TargetSelection, processor_name, supported};
pub use set::Arch;

/// Returns the number of lanes of a wave.
#[must_use]
pub fn lanes(wave: Wave) -> u8 {
    match wave {
        Wave::W32 => 32,
        Wave::W64 => 64,
    }
}

/// Returns `wave32` or `wave64`.
#[must_use]
pub fn wave_name(wave: Wave) -> &'static str {
    match wave {
        Wave::W32 => "wave32",
        Wave::W64 => "wave64",
    }
}
