//! Addresses: the bytes of memory that an instruction accesses, computed from the instruction and the values of the
//! registers it reads. Guide chapters 8 to 12.
//!
//! Each module has a struct of the facts that an instruction encodes, the same for all lanes, and a function `address`
//! that takes a decoded instruction and the state of one lane. [`image`] maps VGPRs to the parts of an image's address
//! and data.

use amdgpu_memory::address::{aligned, natural};
pub use amdgpu_memory::buffer::{Access as BufferFields, Lane};
use amdgpu_memory::codes;
pub use amdgpu_memory::{Address, Fault, Spans};

use crate::isa::BodyEffects;
use crate::isa::body::Place;
use crate::{Instruction, Opcode};

pub mod atomic;
mod body;
pub mod buffer;
pub mod data;
pub mod flat;
pub mod gds;
pub mod image;
pub mod lds;
pub mod scalar;
mod window;

use body::BodyAccess;

/// The fault of an instruction that accesses no memory of the type asked for.
pub const NO_ACCESS: Fault = Fault::Forbidden("the instruction accesses no memory of this type");

codes! {
    /// The treatment of misaligned addresses, SH_MEM_CONFIG.alignment_mode. It governs vector memory (guide §3.3.3,
    /// §9.5) and LDS (§3.3.4.1, §12.7). Atomics must be aligned to their size in every mode.
    pub enum AlignmentMode: full {
        /// The hardware clears low bits: memory aligns to the smaller of the access and a dword, LDS to the access.
        Dword = 0 "DWORD",
        /// Memory accesses must be aligned to the smaller of the access and a dword, LDS accesses to their size.
        DwordStrict = 1 "DWORD_STRICT",
        /// Accesses must be aligned to their size.
        Strict = 2 "STRICT",
        /// Accesses have any alignment.
        Unaligned = 3 "UNALIGNED",
    }
}

impl AlignmentMode {
    /// Returns the address that a memory access of `size` bytes uses, if it is neither formatted nor an atomic. Twelve
    /// bytes count as aligned if each dword is.
    ///
    /// # Errors
    /// [`Fault::Misaligned`] in the strict modes.
    pub const fn apply(self, address: Address, size: u32) -> Result<Address, Fault> {
        let natural = natural(size);
        let dword = if natural > 4 { 4 } else { natural };
        match self {
            AlignmentMode::Dword => Ok(Address::new(address.byte & !(dword as u64 - 1), address.bytes)),
            AlignmentMode::DwordStrict => aligned(address, dword),
            AlignmentMode::Strict => aligned(address, natural),
            AlignmentMode::Unaligned => Ok(address),
        }
    }

    /// Returns the address that a memory access of `size` bytes uses, an atomic or not.
    ///
    /// # Errors
    /// [`Fault::Misaligned`] in the strict modes, and for an atomic in every mode (guide §3.3.3).
    pub(super) const fn apply_to(self, address: Address, size: u32, atomic: bool) -> Result<Address, Fault> {
        if atomic { aligned(address, natural(size)) } else { self.apply(address, size) }
    }
}

/// Returns the number of bytes that an opcode transfers at each of its addresses. `None` for formatted accesses, whose
/// format decides, and for opcodes that access no memory.
#[must_use]
pub fn memory_bytes(opcode: Opcode) -> Option<u32> {
    body::access(opcode).map(BodyAccess::bytes)
}

/// Returns the number of bytes that an instruction of any generation transfers at each of its addresses, as [`memory_bytes`] does for an
/// opcode.
#[must_use]
pub fn bytes_accessed<I: Instruction>(instr: &I) -> Option<u32> {
    body::first_access(instr.semantics_in(0)?.body()?).map(BodyAccess::bytes)
}

/// Returns whether an opcode of vector memory is an atomic.
#[must_use]
pub fn is_atomic(opcode: Opcode) -> bool {
    updates_memory(opcode.effects())
}

/// Returns whether an instruction of vector memory with these effects is an atomic.
pub(crate) fn updates_memory(effects: BodyEffects) -> bool {
    [Place::Mem, Place::Texel].into_iter().any(|place| effects.loads(place) && effects.stores(place))
}

/// The thread ID in an address: six bits of the lane number.
const fn thread_id(lane: u8) -> u32 {
    lane as u32 & 63
}
