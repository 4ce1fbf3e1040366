//! Buffer and scalar accesses of GCN 1.0 to 1.4, from the texts on MUBUF and SMEM.

use super::{Outcome, Part, Why, bits};

/// A MUBUF access: the fields, the registers and the size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Buffer {
    /// Twelve bits.
    pub offset: u32,
    /// OFFEN.
    pub offen: bool,
    /// IDXEN.
    pub idxen: bool,
    /// ADDR64.
    pub addr64: bool,
    /// The number of bytes.
    pub bytes: u32,
    /// The lane number.
    pub lane: u32,
    /// VADDR and the register after it.
    pub vaddr: [u32; 2],
    /// SOFFSET.
    pub soffset: u32,
}

/// The bytes of a MUBUF access. `addr64_exists`: the generation is 1.0 or 1.1.
pub fn buffer(resource: [u32; 4], access: &Buffer, addr64_exists: bool) -> Part {
    let v = &resource;
    let (base, stride) = (u128::from(v[0]) | u128::from(v[1] & 0xffff) << 32, bits(v, 61, 48));
    let (swizzle, records, tid) = (bits(v, 63, 63) == 1, bits(v, 95, 64), bits(v, 119, 119) == 1);
    let element = [2u32, 4, 8, 16][bits(v, 116, 115) as usize];
    let index_stride = [8u32, 16, 32, 64][bits(v, 118, 117) as usize];
    let address = |more: u128| {
        let byte = (base + more + u128::from(access.soffset)) as u64;
        // Operations of 32 bits ignore two bits of the address; those of 16 bits, about which the text says nothing, one.
        let to = match access.bytes {
            1 => 1,
            2 => 2,
            _ => 4,
        };
        Ok((byte / to * to, access.bytes))
    };
    if bits(v, 127, 126) != 0 {
        return Err(vec![Why::WrongResource]);
    }
    if access.addr64 {
        if !addr64_exists || access.offen || access.idxen {
            return Err(vec![Why::Rule]);
        }
        let vaddr = u128::from(access.vaddr[0]) | u128::from(access.vaddr[1]) << 32;
        return address(vaddr + u128::from(access.offset));
    }
    // UINT32 sums.
    let voffset = if access.offen { access.vaddr[usize::from(access.idxen)] } else { 0 };
    let offset = access.offset.wrapping_add(voffset);
    let vindex = if access.idxen { access.vaddr[0] } else { 0 };
    let index = vindex.wrapping_add(if tid { access.lane } else { 0 });
    let into = if swizzle {
        (offset % element).wrapping_add(element.wrapping_mul(index % index_stride)).wrapping_add(
            index_stride
                .wrapping_mul((index / index_stride).wrapping_mul(stride).wrapping_add(offset / element * element)),
        )
    } else {
        index.wrapping_mul(stride).wrapping_add(offset)
    };
    let out = if stride == 0 {
        i64::from(into) >= i64::from(records) - i64::from(access.soffset)
    } else {
        index >= records || (access.idxen || tid) && offset >= stride
    };
    if out { Err(vec![Why::Range]) } else { address(u128::from(into)) }
}

/// The contents of SBASE, which determine the unit of the offset in a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// An address, for loads, stores and atomics.
    Pointer(u64),
    /// An address, for `S_SCRATCH_…`: the register counts units of 64 bytes.
    Scratch(u64),
    /// A buffer resource.
    Buffer([u32; 4]),
}

/// The dwords of an SMEM access of `dwords` dwords. `registers` hold the value of the SGPR that OFFSET names and of the
/// one that SOFFSET names; `newest`: the generation is 1.4, not 1.2.
pub fn scalar(
    base: Base,
    imm: bool,
    soe: bool,
    offset: i32,
    registers: [u32; 2],
    dwords: u64,
    newest: bool,
) -> Outcome {
    if soe && !newest {
        return Err(vec![Why::Rule]);
    }
    // The table of IMM and SOE.
    let number = if imm { i128::from(offset) } else { 0 };
    let register = match (imm, soe) {
        (false, false) => registers[0],
        (true, false) => 0,
        (_, true) => registers[1],
    };
    let down = |n: i128| n.div_euclid(4) * 4;
    let start = match base {
        Base::Pointer(base) => down(i128::from(base)) + down(number + i128::from(register)),
        Base::Scratch(base) => down(i128::from(base)) + down(number) + down(i128::from(register)) * 64,
        Base::Buffer(v) => {
            let sum = number + i128::from(register);
            // The text has no rule for a negative sum; a buffer has no such bytes.
            if sum < 0 {
                return Err(vec![Why::Rule]);
            }
            let base = i128::from(v[0]) | i128::from(v[1] & 0xffff) << 32;
            let size = i128::from(bits(&v, 61, 48).max(1)) * i128::from(v[2]);
            let dword = |i: u64| {
                let at = sum + 4 * i128::from(i);
                if at < size { Ok(((down(base) + down(at)) as u64, 4)) } else { Err(vec![Why::Range]) }
            };
            return Ok((0..dwords).map(dword).collect());
        }
    };
    Ok((0..dwords).map(|i| Ok(((start + 4 * i128::from(i)).rem_euclid(1 << 64) as u64, 4))).collect())
}
