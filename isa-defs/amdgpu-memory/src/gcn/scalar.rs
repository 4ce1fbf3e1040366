//! Addresses of SMEM accesses.

use super::Generation;
use crate::address::{Address, Fault, Spans};
use crate::buffer::scalar_bytes;

/// The value of SBASE, which decides the unit of the offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScalarBase {
    /// A 64-bit address: `S_LOAD_…`, `S_STORE_…`, `S_ATOMIC_…`.
    Pointer(u64),
    /// A 64-bit address, with the register's offset in units of 64 bytes: `S_SCRATCH_…`.
    Scratch(u64),
    /// A buffer resource, of which the access uses base, stride and number of records: `S_BUFFER_…`.
    Buffer(super::BufferResource),
}

/// The access that an instruction encodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ScalarAccess {
    /// IMM.
    pub imm: bool,
    /// SOE. GCN 1.4 only.
    pub soe: bool,
    /// OFFSET as a number: 20 bits unsigned in GCN 1.2, 21 bits signed in GCN 1.4. Ignored unless `imm` is set.
    pub offset: i32,
    /// The number of dwords.
    pub dwords: u8,
}

/// The values of the SGPRs that an instruction names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ScalarRegisters {
    /// The SGPR that OFFSET names.
    pub offset: u32,
    /// The SGPR that SOFFSET names.
    pub soffset: u32,
}

/// The sources of an access's offset, by IMM and SOE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OffsetParts {
    /// Whether OFFSET is an immediate.
    pub immediate: bool,
    /// Whether OFFSET names an SGPR.
    pub offset_register: bool,
    /// Whether SOFFSET names an SGPR.
    pub soffset_register: bool,
}

/// Returns the row of the table of IMM and SOE; `None` if the generation has no such row. GCN 1.0 and 1.1 have no SMEM.
#[must_use]
pub const fn offset_parts(imm: bool, soe: bool, generation: Generation) -> Option<OffsetParts> {
    match generation {
        Generation::Gcn1_0 | Generation::Gcn1_1 => None,
        Generation::Gcn1_2 if soe => None,
        _ => Some(OffsetParts { immediate: imm, offset_register: !imm && !soe, soffset_register: soe }),
    }
}

/// The fault of a pair of IMM and SOE that the generation does not have.
pub const NO_SUCH_FORM: &str = "SMEM exists from GCN 1.2 on, and its SOE from GCN 1.4 on";
/// The fault of a negative offset into a buffer.
pub const NEGATIVE: &str = "the offset into a buffer is negative";

/// Returns the bytes that an SMEM instruction accesses: one piece for each dword.
///
/// The hardware ignores the two low bits of base and offset. A dword of a buffer is out of range if its offset is at
/// least the size of the buffer; it loads zero.
///
/// # Errors
/// [`Fault::Forbidden`] for offset sources that the generation does not have and negative offsets into buffers.
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

/// The unit of the register's offset in `S_SCRATCH_…` instructions, in bytes.
pub const SCRATCH_UNIT: i64 = 64;

/// Returns the cache line that `S_DCACHE_DISCARD` and `S_DCACHE_DISCARD_X2` discard: the address aligned to the size of
/// a line.
#[must_use]
pub const fn discarded_line(byte: u64) -> u64 {
    byte & !(super::facts::SCALAR_CACHE_LINE - 1)
}
