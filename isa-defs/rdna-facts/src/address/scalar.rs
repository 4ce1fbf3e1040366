//! Addresses of SMEM instructions. Guide §8.1.1, §8.1.2, §8.4.

use amdgpu_memory::buffer::scalar_bytes;

use super::{Address, Fault, NO_ACCESS, Spans, bytes_accessed};
use crate::descriptor::buffer::{BufferDescriptor, BufferResource};
use crate::{File, Format, Generation, Instruction, Registers, Value, Wave, flags, roles};

/// The value of SBASE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScalarBase<R: BufferDescriptor = BufferResource> {
    /// A 64-bit address.
    Pointer(u64),
    /// A buffer resource, of which the access uses base, stride and number of records.
    Buffer(R),
}

/// The access that an instruction encodes. Guide §8.1 (table 34).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScalarAccess {
    /// Whether SBASE is a buffer resource.
    pub buffer: bool,
    /// OFFSET.
    pub offset: i32,
    /// Whether SOFFSET is a register.
    pub soffset: bool,
    /// The number of dwords that are written to registers.
    pub dwords: u8,
    /// The bytes in memory of a load of less than a dword, which RDNA4 has; 0 for others.
    pub narrow: u8,
}

/// The values of the registers that an address depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScalarState<R: BufferDescriptor = BufferResource> {
    /// The value of SBASE.
    pub base: ScalarBase<R>,
    /// The value of SOFFSET if it is a register.
    pub soffset: u32,
}

/// The error of S_BUFFER_LOAD with a negative immediate, which raises MEMVIOL. Guide §8.1.2.
pub const NEGATIVE_BUFFER_OFFSET: &str = "the immediate offset into a buffer must not be negative";
/// The error of S_LOAD with a negative sum of offsets. Guide §8.1.1.
pub const NEGATIVE_OFFSET: &str = "the sum of the immediate and the register offset must not be negative";
/// The error of a base whose type is not that of the instruction.
pub const OTHER_BASE: &str = "the base is not of the type that the instruction takes: a pointer or a buffer resource";

impl ScalarAccess {
    /// Returns the access of an SMEM instruction; `None` for other instructions, and for cache invalidations.
    #[must_use]
    pub fn of<I: Instruction>(instr: &I) -> Option<Self> {
        if instr.microcode() != Format::Smem {
            return None;
        }
        let offset = I::Generation::scalar_fields(&instr.dwords()).offset;
        let buffer = instr.flags() & flags::BUFFER != 0;
        let narrow = if instr.flags() & flags::NARROW != 0 { bytes_accessed(instr)? as u8 } else { 0 };
        let mut access = ScalarAccess { buffer, offset, soffset: false, dwords: 0, narrow };
        for operand in instr.operand_infos(Wave::W32) {
            match operand.role {
                roles::D => access.dwords = operand.ty.dwords(),
                roles::SOFFSET => {
                    let null = Value::Registers(Registers::new(File::Null, 0, 1));
                    access.soffset = operand.value != null && operand.value != Value::Off;
                }
                _ => {}
            }
        }
        (access.dwords > 0).then_some(access)
    }

    /// Returns the bytes of the access: one piece for each dword. Guide §8.1.1, §8.1.2, §8.4.1.
    ///
    /// The hardware ignores the two low bits of each component of a pointer access, and those of the base and of the
    /// sum of the offsets of a buffer access. Loads of two bytes from pointers ignore the lowest bit, those of one byte
    /// none. Dwords out of the buffer's bounds are [`Fault::OutOfRange`], and load zero.
    ///
    /// # Errors
    /// [`Fault::Forbidden`] for negative offsets, and for a base that does not suit the instruction.
    pub fn address<R: BufferDescriptor>(&self, state: &ScalarState<R>) -> Result<Spans, Fault> {
        let soffset = if self.soffset { state.soffset } else { 0 };
        let offset = i64::from(self.offset);
        let mut spans = Spans::NONE;
        match state.base {
            ScalarBase::Pointer(base) if !self.buffer => {
                if offset + i64::from(soffset) < 0 {
                    return Err(Fault::Forbidden(NEGATIVE_OFFSET));
                }
                if self.narrow > 0 {
                    // A byte has any address, two bytes an even one: RDNA4's §8.1.1.
                    let unused = u32::from(self.narrow) - 1;
                    let (base, offset) = (base & !u64::from(unused), offset & !i64::from(unused));
                    let byte = base.wrapping_add_signed(offset).wrapping_add((soffset & !unused).into());
                    return Ok(Spans::one(Ok(Address::new(byte, self.narrow.into()))));
                }
                let start = (base & !3).wrapping_add_signed(offset & !3).wrapping_add(u64::from(soffset & !3));
                for dword in 0..u64::from(self.dwords) {
                    spans.push(Ok(Address::new(start.wrapping_add(4 * dword), 4)));
                }
            }
            ScalarBase::Buffer(resource) if self.buffer => {
                let Ok(offset) = u64::try_from(offset) else {
                    return Err(Fault::Forbidden(NEGATIVE_BUFFER_OFFSET));
                };
                let offset = offset + u64::from(soffset);
                if self.narrow > 0 {
                    let bytes = scalar_bytes(resource.scalar_stride(), resource.num_records());
                    let byte = (resource.base() & !3).wrapping_add(offset);
                    let address = Address::new(byte, self.narrow.into());
                    return Ok(Spans::one(if offset < bytes { Ok(address) } else { Err(Fault::OutOfRange) }));
                }
                return Ok(buffer_dwords(resource, offset, self.dwords));
            }
            _ => return Err(Fault::Forbidden(OTHER_BASE)),
        }
        Ok(spans)
    }
}

/// Returns the dwords of a scalar load through a buffer resource, one piece for each. Guide §8.1.2, §8.4.1.
///
/// `offset` is the sum of the offsets in bytes, which has more than 32 bits and does not wrap. The hardware ignores its two
/// low bits and those of the base.
#[must_use]
pub fn buffer_dwords(resource: impl BufferDescriptor, offset: u64, dwords: u8) -> Spans {
    let bytes = scalar_bytes(resource.scalar_stride(), resource.num_records());
    let start = (resource.base() & !3).wrapping_add(offset & !3);
    let mut spans = Spans::NONE;
    for dword in 0..u64::from(dwords) {
        let inside = offset.saturating_add(4 * dword) < bytes;
        let address = Address::new(start.wrapping_add(4 * dword), 4);
        spans.push(if inside { Ok(address) } else { Err(Fault::OutOfRange) });
    }
    spans
}

/// Returns the bytes that an SMEM instruction accesses. Guide §8.1.1, §8.1.2.
///
/// # Errors
/// [`NO_ACCESS`] for other instructions, and [`Fault::Forbidden`]. Each dword may have its own fault.
pub fn address<I: Instruction, R: BufferDescriptor>(instr: &I, state: &ScalarState<R>) -> Result<Spans, Fault> {
    ScalarAccess::of(instr).ok_or(NO_ACCESS)?.address(state)
}
