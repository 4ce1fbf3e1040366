//! The address of an SMEM access.

use super::Generation;
use crate::address::{Address, Fault, Spans};
use crate::buffer::scalar_bytes;

/// What SBASE holds, and so how the offset counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScalarBase {
    /// A 64-bit address: `S_LOAD_…`, `S_STORE_…`, `S_ATOMIC_…`.
    Pointer(u64),
    /// A 64-bit address, and the register's offset counts in units of 64 bytes: `S_SCRATCH_…`.
    Scratch(u64),
    /// A buffer resource: `S_BUFFER_…`. Its base, stride and number of records count.
    Buffer(super::BufferResource),
}

/// What an instruction says of its access.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ScalarAccess {
    /// IMM.
    pub imm: bool,
    /// SOE. GCN 1.4 only.
    pub soe: bool,
    /// OFFSET as a number: 20 bits unsigned in GCN 1.2, 21 bits signed in GCN 1.4. Not looked at if `imm` is not set.
    pub offset: i32,
    /// How many dwords are moved.
    pub dwords: u8,
}

/// The values of the scalar registers that an instruction names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ScalarRegisters {
    /// The register whose number is in OFFSET.
    pub offset: u32,
    /// The register whose number is in SOFFSET.
    pub soffset: u32,
}

/// Where the offset of an access comes from, by IMM and SOE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OffsetParts {
    /// Whether OFFSET is a number that is added.
    pub immediate: bool,
    /// Whether OFFSET is the number of a register that is added.
    pub offset_register: bool,
    /// Whether the register in SOFFSET is added.
    pub soffset_register: bool,
}

/// The table of IMM and SOE. `None`: the generation has no such pair. GCN 1.0 and 1.1 have no SMEM.
#[must_use]
pub const fn offset_parts(imm: bool, soe: bool, generation: Generation) -> Option<OffsetParts> {
    match generation {
        Generation::Gcn1_0 | Generation::Gcn1_1 => None,
        Generation::Gcn1_2 if soe => None,
        _ => Some(OffsetParts { immediate: imm, offset_register: !imm && !soe, soffset_register: soe }),
    }
}

/// Why a pair of IMM and SOE is refused.
pub const NO_SUCH_FORM: &str = "SMEM exists from GCN 1.2 on, and its SOE from GCN 1.4 on";
/// Why a negative offset is refused.
pub const NEGATIVE: &str = "the offset into a buffer is negative";

/// Where the dwords lie that an SMEM instruction moves: one piece for each.
///
/// The two low bits of base and offset are dropped. A dword of a buffer is out of range if its offset is at least the
/// bytes of the buffer: loads give zero for it.
///
/// # Errors
/// [`Fault::Forbidden`] for forms that the generation has not and negative offsets into buffers.
pub fn scalar_address(
    base: ScalarBase,
    access: ScalarAccess,
    registers: ScalarRegisters,
    generation: Generation,
) -> Result<Spans, Fault> {
    let Some(parts) = offset_parts(access.imm, access.soe, generation) else {
        return Err(Fault::Forbidden(NO_SUCH_FORM));
    };
    let immediate = if parts.immediate { i64::from(access.offset) } else { 0 };
    let mut register = 0;
    if parts.offset_register {
        register = registers.offset;
    } else if parts.soffset_register {
        register = registers.soffset;
    }
    let mut spans = Spans::NONE;
    let (start, mut left) = match base {
        ScalarBase::Pointer(base) => {
            let offset = immediate + i64::from(register);
            ((base & !3).wrapping_add_signed(offset & !3), None)
        }
        ScalarBase::Scratch(base) => {
            let offset = (immediate & !3) + i64::from(register & !3) * SCRATCH_UNIT;
            ((base & !3).wrapping_add_signed(offset), None)
        }
        ScalarBase::Buffer(resource) => {
            let Ok(offset) = u64::try_from(immediate + i64::from(register)) else {
                return Err(Fault::Forbidden(NEGATIVE));
            };
            let bytes = scalar_bytes(u32::from(resource.stride()), resource.num_records());
            ((resource.base() & !3).wrapping_add(offset & !3), Some(bytes.saturating_sub(offset)))
        }
    };
    for dword in 0..u64::from(access.dwords) {
        let piece = match &mut left {
            Some(left) if *left == 0 => Err(Fault::OutOfRange),
            _ => Ok(Address::new(start.wrapping_add(4 * dword), 4)),
        };
        left = left.map(|left| left.saturating_sub(4));
        spans.push(piece);
    }
    Ok(spans)
}

/// What a register's offset of an `S_SCRATCH_…` instruction is multiplied by.
pub const SCRATCH_UNIT: i64 = 64;

/// The cache line that `S_DCACHE_DISCARD` and `S_DCACHE_DISCARD_X2` discard: the address of the access, aligned to the
/// bytes of a line.
#[must_use]
pub const fn discarded_line(byte: u64) -> u64 {
    byte & !(super::facts::SCALAR_CACHE_LINE - 1)
}
