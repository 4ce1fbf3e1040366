//! Further facts of MUBUF and SMEM: counters, hazards, offset registers of stores, coalescing.

use super::{BufferResource, Generation};

/// The number of other instructions (scalar or vector) required between a write of the third dword of a buffer resource
/// and an `S_BUFFER_…` instruction that uses the resource.
pub const INSTRUCTIONS_AFTER_THIRD_RESOURCE_DWORD: usize = 1;

/// The dword of a buffer resource (the first is 0) to which [`INSTRUCTIONS_AFTER_THIRD_RESOURCE_DWORD`] applies.
pub const RESOURCE_DWORD_WITH_DELAY: usize = 2;

/// The size of a line of the scalar data cache in bytes.
pub const SCALAR_CACHE_LINE: u64 = 64;

/// The amounts that an instruction adds to counters when it is issued, and subtracts when it completes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// VMCNT, which decrements after the access, in order.
    pub vm: u8,
    /// EXPCNT, which decrements once the data registers have been read.
    pub exp: u8,
    /// LGKMCNT, which decrements out of order: only a wait for zero proves that an access is complete.
    pub lgkm: u8,
}

/// Returns the counters of a MUBUF instruction.
#[must_use]
pub const fn mubuf_counts(writes_memory: bool) -> Counts {
    Counts { vm: 1, exp: writes_memory as u8, lgkm: 0 }
}

/// Returns the counters of an SMEM instruction of `dwords` dwords. One without data adds one to LGKMCNT, too.
#[must_use]
pub const fn smem_counts(dwords: u8) -> Counts {
    Counts { vm: 0, exp: 0, lgkm: if dwords > 1 { 2 } else { 1 } }
}

/// The operand code of M0.
const M0: u8 = 124;

/// Whether `S_STORE_…` and `S_BUFFER_STORE_…` accept the scalar register with this code as their offset: M0 alone in
/// GCN 1.2, any in GCN 1.4.
#[must_use]
pub const fn store_offset_register(code: u8, generation: Generation) -> bool {
    match generation {
        Generation::Gcn1_0 | Generation::Gcn1_1 => false,
        Generation::Gcn1_2 => code == M0,
        Generation::Gcn1_4 => true,
    }
}

/// The accesses of neighbouring lanes that the hardware coalesces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coalescing {
    /// None.
    None,
    /// Accesses with contiguous offsets.
    Offsets,
    /// Accesses with equal offsets and contiguous indices.
    Indices,
    /// Accesses with equal offsets and contiguous indices, but not across a multiple of this many records.
    IndicesWithin(u32),
}

/// Returns the coalescing of accesses of `bytes` bytes: by offset without a stride; by index with a stride of 1 or
/// swizzling, if all offsets are equal and the element has the size of the access.
#[must_use]
pub const fn coalescing(resource: BufferResource, bytes: u32) -> Coalescing {
    let same_size = resource.element_size().bytes() == bytes;
    match (resource.stride(), resource.swizzle()) {
        (0, _) => Coalescing::Offsets,
        (_, Some(by)) if same_size => Coalescing::IndicesWithin(by.index_stride),
        (1, None) if same_size => Coalescing::Indices,
        _ => Coalescing::None,
    }
}

/// Returns the LDS address of a lane of an instruction with LDS set, relative to the wave's allocation: the low half of
/// M0, plus the offset of `BUFFER_STORE_LDS_DWORD`, plus four times the lane number.
#[must_use]
pub const fn lds_address(m0: u32, offset: u16, lane: u8) -> u32 {
    (m0 & 0xffff) + offset as u32 + 4 * lane as u32
}
