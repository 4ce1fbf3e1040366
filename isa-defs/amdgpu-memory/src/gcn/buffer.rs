//! Addresses of MUBUF accesses.

use super::{BufferResource, Generation};
use crate::address::{Address, Fault, natural};
use crate::buffer::{self, Lane, linear, swizzled};

/// The access that an instruction encodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BufferAccess {
    /// OFFSET, OFFEN and IDXEN.
    pub fields: buffer::Access,
    /// ADDR64: the address registers hold a 64-bit address. GCN 1.0 and 1.1 only.
    pub addr64: bool,
    /// The number of bytes of the access.
    pub bytes: u32,
}

/// The fault of ADDR64 beside OFFEN or IDXEN.
pub const ADDR64_ALONE: &str = "`addr64` stands without `offen` and `idxen`";
/// The fault of ADDR64 in a generation without it.
pub const ADDR64_GENERATIONS: &str = "`addr64` exists in GCN 1.0 and 1.1 only";

/// Returns the alignment of an access: the hardware ignores low bits of accesses of 16 bits or more, up to a dword.
#[must_use]
pub const fn alignment(bytes: u32) -> u32 {
    let natural = natural(bytes);
    if natural > 4 { 4 } else { natural }
}

/// Returns the bytes that one lane accesses through a buffer resource; `soffset` is the value of SOFFSET.
///
/// Index, offset and buffer offset are unsigned 32-bit numbers that wrap, as in the text. A scalar offset beyond
/// NUMRECORDS leaves nothing in range. With a stride, the index is checked in every access, and the offset only if
/// IDXEN or TID_ENABLE is set. Accesses with ADDR64 have no range check.
///
/// # Errors
/// [`Fault::OutOfRange`]; [`Fault::WrongResource`] if TYPE is not a buffer's; [`Fault::Forbidden`] for ADDR64 with
/// OFFEN or IDXEN, or in a generation without it.
pub const fn buffer_address(
    resource: BufferResource,
    access: BufferAccess,
    lane: Lane,
    soffset: u32,
    generation: Generation,
) -> Result<Address, Fault> {
    let BufferAccess { fields, addr64, bytes } = access;
    if resource.resource_type().into_bits() != 0 {
        return Err(Fault::WrongResource);
    }
    let base = resource.base().wrapping_add(soffset as u64);
    let byte = if addr64 {
        if matches!(generation, Generation::Gcn1_2 | Generation::Gcn1_4) {
            return Err(Fault::Forbidden(ADDR64_GENERATIONS));
        }
        if fields.offen || fields.idxen {
            return Err(Fault::Forbidden(ADDR64_ALONE));
        }
        let address = lane.vaddr[0] as u64 | (lane.vaddr[1] as u64) << 32;
        base.wrapping_add(address).wrapping_add(fields.offset as u64)
    } else {
        let (index, offset) = fields.split(lane.vaddr);
        let tid = resource.tid_enable();
        let index = if tid { index.wrapping_add(lane.id as u32) } else { index };
        let offset = offset.wrapping_add(fields.offset);
        let stride = resource.stride() as u32;
        let at = match resource.swizzle() {
            Some(by) => swizzled(index as u64, offset as u64, by),
            None => linear(index as u64, stride, offset as u64),
        } as u32;
        let records = resource.num_records();
        let out = if stride == 0 {
            at >= records.saturating_sub(soffset)
        } else {
            index >= records || ((fields.idxen || tid) && offset >= stride)
        };
        if out {
            return Err(Fault::OutOfRange);
        }
        base.wrapping_add(at as u64)
    };
    let byte = byte & !(alignment(bytes) as u64 - 1);
    Ok(Address { byte, bytes })
}
