//! Addresses: where an instruction's access lands, from the instruction and the values of the registers it reads.
//! Guide §8 to §12.
//!
//! Each module has a function `address` of a decoded instruction and a small state, and a struct that says what the
//! instruction asks for, once for all lanes. [`image`] says which register holds which part of an image's address and
//! data.

use amdgpu_memory::address::{aligned, natural};
pub use amdgpu_memory::buffer::Lane;
use amdgpu_memory::codes;
pub use amdgpu_memory::{Address, Fault, Spans};

use crate::Opcode;

pub mod atomic;
pub mod buffer;
pub mod data;
pub mod flat;
pub mod gds;
pub mod image;
pub mod lds;
pub mod scalar;

/// What is said of an instruction that is asked for an address it does not have.
pub const NO_ACCESS: Fault = Fault::Forbidden("the instruction has no such address");

codes! {
    /// How memory treats addresses that are not aligned: SH_MEM_CONFIG.alignment_mode. Guide §9.5.
    pub enum AlignmentMode: full {
        /// Low bits are ignored: addresses are aligned to the access or a dword, whichever is smaller.
        Dword = 0 "DWORD",
        /// Addresses must be aligned to the access or a dword, whichever is smaller.
        DwordStrict = 1 "DWORD_STRICT",
        /// Addresses must be aligned to the access.
        Strict = 2 "STRICT",
        /// Any address will do.
        Unaligned = 3 "UNALIGNED",
    }
}

impl AlignmentMode {
    /// The address that an access of `size` bytes uses. An access of 12 bytes is aligned if each dword is.
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
}

/// How many bytes of memory an opcode moves at each of its addresses, which the guide's mnemonics say: the last type in
/// the name. `None` if there is none: formatted accesses, and what is no access at all.
#[must_use]
pub fn memory_bytes(opcode: Opcode) -> Option<u32> {
    opcode.name().rsplit('_').find_map(|part| {
        let bits: u32 = part.strip_prefix(['B', 'U', 'I', 'F'])?.parse().ok()?;
        matches!(bits, 8 | 16 | 32 | 64 | 96 | 128 | 256 | 512).then_some(bits / 8)
    })
}

/// Whether an opcode of vector memory reads, changes and writes memory in one go.
#[must_use]
pub fn is_atomic(opcode: Opcode) -> bool {
    opcode.name().contains("_ATOMIC_")
}

/// The lane's number as addresses take it: six bits.
const fn thread_id(lane: u8) -> u32 {
    lane as u32 & 63
}
