//! The address of a MUBUF access.

use super::{BufferResource, Generation};
use crate::address::{Address, Fault, natural};
use crate::buffer::{self, Lane, linear, swizzled};

/// What an instruction says of its access.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BufferAccess {
    /// OFFSET, OFFEN and IDXEN.
    pub fields: buffer::Access,
    /// ADDR64: the address registers hold a 64-bit address. GCN 1.0 and 1.1 only.
    pub addr64: bool,
    /// How many bytes the instruction moves.
    pub bytes: u32,
}

/// What an instruction may not have beside ADDR64.
pub const ADDR64_ALONE: &str = "`addr64` stands without `offen` and `idxen`";
/// Where ADDR64 is.
pub const ADDR64_GENERATIONS: &str = "`addr64` exists in GCN 1.0 and 1.1 only";

/// What an access is aligned to: the hardware ignores the low bits of an address of 16 bits or more, up to a dword.
#[must_use]
pub const fn alignment(bytes: u32) -> u32 {
    let natural = natural(bytes);
    if natural > 4 { 4 } else { natural }
}

/// Where the bytes lie that a lane reaches through a buffer resource, with `soffset` as the value of SOFFSET.
///
/// Index, offset and the offset into the buffer are unsigned 32-bit numbers that wrap, as the text computes them; a
/// scalar offset beyond NUMRECORDS leaves nothing in range. With a stride, what is out of range by its index is so whether
/// or not the instruction has one (NUMRECORDS is 0 then); the offset counts only if IDXEN or TID_ENABLE is set. No range
/// is checked with ADDR64.
///
/// # Errors
/// [`Fault::OutOfRange`]; [`Fault::WrongResource`] if TYPE is not a buffer's; [`Fault::Forbidden`] where ADDR64 cannot be.
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
        let offset = offset.wrapping_add(fields.offset as u32);
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
