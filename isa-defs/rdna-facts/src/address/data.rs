//! The part of a register that a load or store transfers, and its extension. Guide §9.2 (table 41), §11.4, §12.5 (table
//! 60).

use super::body::access;
use crate::isa::Class;
use crate::{Half, Opcode, Pipeline};

/// The extension of loaded data to the width of the register or its half.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extension {
    /// No extension: the data fill the register or its half, or the instruction is a store.
    None,
    /// Zero extension.
    Zero,
    /// Sign extension.
    Sign,
}

/// The layout of the data of an unformatted access in registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RegisterData {
    /// The number of bytes in memory.
    pub bytes: u32,
    /// The half of the register that is read or written; `None` for one or more whole registers.
    pub half: Option<Half>,
    /// The extension of loaded data.
    pub extension: Extension,
}

/// Returns the layout of the data of an unformatted load or store: buffer, flat, global, scratch and DS instructions.
/// `None` for other opcodes, atomics and formatted accesses.
#[must_use]
pub fn register_data(opcode: Opcode) -> Option<RegisterData> {
    let is_vector = opcode.pipeline().is_vector_memory() || opcode.pipeline() == Pipeline::Lds;
    let access = access(opcode).filter(|access| is_vector && !access.is_atomic)?;
    let bytes = u32::from(access.ty.total_bits().div_ceil(8));
    let filled = if access.half.is_some() { 2 } else { 4 };
    let extension = match (access.is_load && bytes < filled, access.ty.class()) {
        (false, _) => Extension::None,
        (true, Class::Signed) => Extension::Sign,
        (true, _) => Extension::Zero,
    };
    Some(RegisterData { bytes, half: access.half, extension })
}

impl RegisterData {
    /// Returns the value of a register after a load of up to a dword of `memory`; `before` is its old value.
    #[must_use]
    pub const fn loaded(self, memory: u32, before: u32) -> u32 {
        let bits = if self.bytes >= 4 { 32 } else { 8 * self.bytes };
        let unused = 32 - bits;
        let value = match self.extension {
            Extension::Sign => ((memory << unused) as i32 >> unused) as u32,
            Extension::None | Extension::Zero => memory << unused >> unused,
        };
        match self.half {
            None => value,
            Some(Half::Low) => before & 0xffff_0000 | value & 0xffff,
            Some(Half::High) => before & 0xffff | value << 16,
        }
    }

    /// Returns the bytes that a store of up to a dword writes, in the low bits of the result.
    #[must_use]
    pub const fn stored(self, register: u32) -> u32 {
        let value = match self.half {
            Some(Half::High) => register >> 16,
            _ => register,
        };
        match self.bytes {
            1 => value & 0xff,
            2 => value & 0xffff,
            _ => value,
        }
    }
}
