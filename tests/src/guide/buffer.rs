//! Buffer instructions (chapter 9).

use super::{Mode, Outcome, Part, Transfer, Why, bits, memory_alignment, transfer};

/// The contents of the registers and the configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// The V#.
    pub resource: [u32; 4],
    /// The register that SOFFSET names.
    pub soffset: u32,
    /// The number of the lane.
    pub lane: u8,
    /// VADDR and the register after it.
    pub vaddr: [u32; 2],
    /// The alignment mode.
    pub mode: Mode,
}

/// Bytes of an element of a buffer format (table 52); 0 for INVALID and codes of images.
#[must_use]
pub fn element(format: u32) -> u32 {
    match format {
        1..=6 => 1,
        7..=19 => 2,
        20..=47 => 4,
        48..=57 => 8,
        58..=60 => 12,
        61..=63 => 16,
        _ => 0,
    }
}

/// The scalar offset (table 37): an SGPR, M0, NULL or an inline constant.
fn scalar_offset(code: u32, register: u32) -> u32 {
    match code {
        0..=107 | 125 => register,
        // Integers (§7.2, table of source operands): 128 is 0, 129 to 192 are 1 to 64, 193 to 208 are -1 to -16.
        128..=192 => code - 128,
        193..=208 => 0u32.wrapping_sub(code - 192),
        // Floating-point constants by their bits.
        240 => 0x3f00_0000,
        241 => 0xbf00_0000,
        242 => 0x3f80_0000,
        243 => 0xbf80_0000,
        244 => 0x4000_0000,
        245 => 0xc000_0000,
        246 => 0x4080_0000,
        247 => 0xc080_0000,
        248 => 0x3e22_f983,
        124 => 0,
        _ => register,
    }
}

/// The parts of a buffer access, each of which is checked by itself.
pub fn access(name: &str, words: &[u32], state: &State) -> Outcome {
    let Some(transfer) = transfer(name) else { return Err(vec![Why::NoAccess]) };
    let v = &state.resource;
    let typed = name.starts_with("TBUFFER_");
    let format = if typed { bits(words, 25, 19) } else { bits(v, 113, 108) };
    let add_tid = bits(v, 119, 119) == 1;
    if bits(v, 127, 126) != 0 {
        return Err(vec![Why::WrongResource]);
    }
    // §9.6, unbound resources.
    if bits(v, 113, 108) == 0 && (typed || !add_tid) {
        return Err(vec![Why::Unbound]);
    }
    // Table 47.
    let base = u128::from(v[0]) + (u128::from(v[1] & 0xffff) << 32);
    let stride = u128::from(bits(v, 61, 48));
    let element_size = match bits(v, 63, 62) {
        1 => Some(4),
        3 => Some(16),
        _ => None,
    };
    let index_stride = [8, 16, 32, 64][bits(v, 118, 117) as usize];
    let records = u128::from(v[2]);
    // Tables 40, 43, 45.
    let (offen, idxen) = (bits(words, 54, 54) == 1, bits(words, 55, 55) == 1);
    let vindex = if idxen { state.vaddr[0] } else { 0 };
    let voffset = if offen { state.vaddr[usize::from(idxen)] } else { 0 };
    let soffset = u128::from(scalar_offset(bits(words, 63, 56), state.soffset));
    // Both sums have 32 bits: compilers rely on the wrap of the offset (docs/reference/disagreements.md).
    let index = u128::from(vindex.wrapping_add(if add_tid { u32::from(state.lane & 63) } else { 0 }));
    let offset = u128::from(voffset.wrapping_add(bits(words, 11, 0)));

    let (size, part_size) = match transfer {
        Transfer::Unformatted(size) => (size, size.min(4)),
        Transfer::Atomic(size) => (size, size),
        // No element of INVALID exists, even if other fields keep the resource from being unbound.
        Transfer::Formatted if element(format) == 0 => return Err(vec![Why::Unbound]),
        Transfer::Formatted => (element(format), element(format)),
    };
    let mut rules = Vec::new();
    if let Some(element_size) = element_size {
        // §9.4.2.
        if offset % element_size + u128::from(size) > element_size || stride % element_size != 0 {
            rules.push(Why::Rule);
        }
    }
    if !rules.is_empty() {
        return Err(rules);
    }
    let buffer_offset = |offset: u128| match element_size {
        None => stride * index + offset,
        Some(element_size) => {
            let (index_msb, index_lsb) = (index / index_stride, index % index_stride);
            let (offset_msb, offset_lsb) = (offset / element_size, offset % element_size);
            (index_msb * stride + offset_msb * element_size) * index_stride + index_lsb * element_size + offset_lsb
        }
    };
    let address = |offset: u128| base + soffset + buffer_offset(offset);
    // Table 46.
    let out_of_bounds = |offset: u128, payload: u128| match bits(v, 125, 124) {
        0 => index >= records || offset + payload > stride,
        1 => index >= records,
        2 => records == 0,
        _ => {
            let records = records.saturating_sub(soffset);
            if element_size.is_some() && stride != 0 {
                index >= records || offset + payload > stride
            } else {
                // The "exact range check" of §9.4.1.2 covers everything after the base and the scalar offset.
                buffer_offset(offset) + payload > records
            }
        }
    };
    let start = address(offset) as u64;
    let aligned = memory_alignment(start, transfer, size, state.mode);
    let part = |i: u32| -> Part {
        let mut why = Vec::new();
        if out_of_bounds(offset + u128::from(i), u128::from(part_size)) {
            why.push(Why::Range);
        }
        if aligned.is_err() {
            why.push(Why::Alignment);
        }
        // §9.4.2: swizzled accesses, of a dword or more at least, are aligned to a dword in every mode.
        if element_size.is_some() && size >= 4 && aligned.as_ref().is_ok_and(|byte| byte % 4 != 0) {
            why.push(Why::Alignment);
        }
        if !why.is_empty() {
            return Err(why);
        }
        let shift = start - aligned.as_ref().copied().unwrap_or(start);
        Ok((address(offset + u128::from(i)) as u64 - shift, part_size))
    };
    Ok((0..size).step_by(part_size as usize).map(part).collect())
}
