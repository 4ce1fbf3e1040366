//! What the texts say of MUBUF and SMEM besides: counters, hazards, registers that stores take, what coalesces.

use super::{BufferResource, Generation};

/// How many other instructions (scalar or vector) must stand between one that sets the third dword of a buffer resource
/// and an `S_BUFFER_…` instruction that uses the resource.
pub const INSTRUCTIONS_AFTER_THIRD_RESOURCE_DWORD: usize = 1;

/// The dword of a buffer resource (the first is 0) that [`INSTRUCTIONS_AFTER_THIRD_RESOURCE_DWORD`] is about.
pub const RESOURCE_DWORD_WITH_DELAY: usize = 2;

/// The bytes of a line of the scalar data cache.
pub const SCALAR_CACHE_LINE: u64 = 64;

/// By how much a counter rises when an instruction is issued; it falls by as much when the instruction is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// VMCNT, which falls after the access, in order.
    pub vm: u8,
    /// EXPCNT, which falls when the data registers were read.
    pub exp: u8,
    /// LGKMCNT, which falls out of order: only waiting for zero tells which access is done.
    pub lgkm: u8,
}

/// What a MUBUF instruction raises.
#[must_use]
pub const fn mubuf_counts(writes_memory: bool) -> Counts {
    Counts { vm: 1, exp: writes_memory as u8, lgkm: 0 }
}

/// What an SMEM instruction raises that moves `dwords` dwords; one that moves none raises LGKMCNT by one, too.
#[must_use]
pub const fn smem_counts(dwords: u8) -> Counts {
    Counts { vm: 0, exp: 0, lgkm: if dwords > 1 { 2 } else { 1 } }
}

/// The code of M0 among scalar registers.
const M0: u8 = 124;

/// Whether `S_STORE_…` and `S_BUFFER_STORE_…` take this scalar register (by its code) as their offset: M0 alone in GCN
/// 1.2, any in GCN 1.4.
#[must_use]
pub const fn store_offset_register(code: u8, generation: Generation) -> bool {
    match generation {
        Generation::Gcn1_0 | Generation::Gcn1_1 => false,
        Generation::Gcn1_2 => code == M0,
        Generation::Gcn1_4 => true,
    }
}

/// What accesses of neighbouring lanes are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coalescing {
    /// None.
    None,
    /// Those with contiguous offsets.
    Offsets,
    /// Those with equal offsets and contiguous indices.
    Indices,
    /// The same, but not across a multiple of so many records.
    IndicesWithin(u32),
}

/// What coalesces in a buffer for accesses of `bytes` bytes: without a stride, offsets; with a stride of 1 or swizzling,
/// if all offsets are equal and the element has the size of the access, indices.
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

/// Where a lane of an instruction with LDS set reads or writes, from the beginning of the wave's LDS on: the low half of
/// M0, the offset of the instruction if it is `BUFFER_STORE_LDS_DWORD`, and a dword for each lane.
#[must_use]
pub const fn lds_address(m0: u32, offset: u16, lane: u8) -> u32 {
    (m0 & 0xffff) + offset as u32 + 4 * lane as u32
}
