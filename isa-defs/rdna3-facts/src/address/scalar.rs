//! Addresses of SMEM instructions. Guide §8.1.1, §8.1.2, §8.4.

use amdgpu_memory::buffer::scalar_bytes;

use super::{Address, Fault, NO_ACCESS, Spans};
use crate::descriptor::buffer::BufferResource;
use crate::{File, Instr, Registers, Value, Wave, words};

/// What SBASE holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScalarBase {
    /// A 64-bit address.
    Pointer(u64),
    /// A buffer resource. Its base, stride and number of records count; that it may be swizzled does not.
    Buffer(BufferResource),
}

/// What an instruction says of its access. Guide §8.1 (table 34).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScalarAccess {
    /// Whether SBASE is a buffer resource.
    pub buffer: bool,
    /// OFFSET.
    pub offset: i32,
    /// Whether SOFFSET is a register.
    pub soffset: bool,
    /// How many dwords are loaded.
    pub dwords: u8,
}

/// What an address depends on besides the instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScalarState {
    /// What the registers of SBASE hold.
    pub base: ScalarBase,
    /// The value of SOFFSET if it is a register.
    pub soffset: u32,
}

/// A rule of S_BUFFER_LOAD, which a memory violation follows. Guide §8.1.2.
pub const NEGATIVE_BUFFER_OFFSET: &str = "the constant offset into a buffer is not negative";
/// A rule of S_LOAD. Guide §8.1.1.
pub const NEGATIVE_OFFSET: &str = "the constant offset and that of the register are not negative together";
/// What is said of a state that does not suit the instruction.
pub const OTHER_BASE: &str = "the base is a pointer for some instructions and a buffer resource for others";

impl ScalarAccess {
    /// What an SMEM instruction says; `None` for others, and for the invalidation of caches.
    #[must_use]
    pub fn of(instr: &Instr) -> Option<Self> {
        let Instr::Smem(x) = instr else { return None };
        let mut access = ScalarAccess {
            buffer: instr.row_words() & words::BUFFER != 0,
            offset: x.offset(),
            soffset: false,
            dwords: 0,
        };
        for operand in instr.operands(Wave::W32) {
            match operand.role {
                "d" => access.dwords = operand.ty.dwords(),
                "soffset" => {
                    let null = Value::Registers(Registers::new(File::Null, 0, 1));
                    access.soffset = operand.value != null && operand.value != Value::Off;
                }
                _ => {}
            }
        }
        (access.dwords > 0).then_some(access)
    }

    /// Where the dwords lie: a piece for each. Guide §8.1.1, §8.1.2, §8.4.1.
    ///
    /// The two low bits of each part of a pointer's address are ignored; of a buffer's, those of the base and of the sum
    /// of offsets. Dwords beyond a buffer's bounds are [`Fault::OutOfRange`]: zero is loaded for them.
    ///
    /// # Errors
    /// [`Fault::Forbidden`] for negative offsets.
    pub fn address(&self, state: &ScalarState) -> Result<Spans, Fault> {
        let soffset = if self.soffset { state.soffset } else { 0 };
        let offset = i64::from(self.offset);
        let mut spans = Spans::NONE;
        match state.base {
            ScalarBase::Pointer(base) if !self.buffer => {
                if offset + i64::from(soffset) < 0 {
                    return Err(Fault::Forbidden(NEGATIVE_OFFSET));
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
                let bytes = scalar_bytes(u32::from(resource.stride()), resource.num_records());
                let start = (resource.base() & !3) + (offset & !3);
                for dword in 0..u64::from(self.dwords) {
                    let inside = offset + 4 * dword < bytes;
                    let address = Address::new(start + 4 * dword, 4);
                    spans.push(if inside { Ok(address) } else { Err(Fault::OutOfRange) });
                }
            }
            _ => return Err(Fault::Forbidden(OTHER_BASE)),
        }
        Ok(spans)
    }
}

/// Where the access of an SMEM instruction lands. Guide §8.1.1, §8.1.2.
///
/// # Errors
/// [`Fault::Forbidden`]; each dword may have a fault of its own.
pub fn address(instr: &Instr, state: &ScalarState) -> Result<Spans, Fault> {
    ScalarAccess::of(instr).ok_or(NO_ACCESS)?.address(state)
}
