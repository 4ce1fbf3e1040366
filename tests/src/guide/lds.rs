//! Indexed accesses and atomics of LDS and GDS (chapter 12, §3.3.4.1).

use super::{Mode, Outcome, Part, Transfer, Why, bits, transfer};

/// The contents of the registers and the configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// The register that ADDR names.
    pub addr: u32,
    /// M0.
    pub m0: u32,
    /// The number of the lane.
    pub lane: u8,
    /// LDS_BASE.
    pub base: u32,
    /// The number of bytes allocated.
    pub size: u32,
    /// The alignment mode.
    pub mode: Mode,
}

/// "Native" alignment (§3.3.4.1).
#[must_use]
pub fn native(size: u32) -> u64 {
    match size {
        1 => 1,
        2 => 2,
        4 => 4,
        8 => 8,
        _ => 16,
    }
}

/// One address relative to the allocation: alignment, then the bounds (the text calls the aligned sum "LDSaddr").
pub fn part(address: u64, transfer: Transfer, size: u64, mode: Mode) -> Part {
    let (Transfer::Unformatted(bytes) | Transfer::Atomic(bytes)) = transfer else { return Err(vec![Why::NoAccess]) };
    let to = native(bytes);
    let mut why = Vec::new();
    let mut aligned = address;
    if matches!(transfer, Transfer::Atomic(_)) || matches!(mode, Mode::Strict | Mode::DwordStrict) {
        if !address.is_multiple_of(to) {
            why.push(Why::Alignment);
        }
    } else if mode == Mode::Dword {
        aligned = address / to * to;
    }
    if aligned + u64::from(bytes) > size {
        why.push(Why::Range);
    }
    if why.is_empty() { Ok((aligned, bytes)) } else { Err(why) }
}

/// The parts of a DS access to LDS (`gds` false) or GDS.
pub fn access(name: &str, words: &[u32], gds: bool, state: &State) -> Outcome {
    let Some(transfer @ (Transfer::Unformatted(bytes) | Transfer::Atomic(bytes))) = transfer(name) else {
        return Err(vec![Why::NoAccess]);
    };
    let addtid = name.contains("_ADDTID_");
    if gds != (bits(words, 17, 17) == 1) || gds && addtid {
        return Err(vec![Why::NoAccess]);
    }
    let (offset0, offset1) = (u64::from(bits(words, 7, 0)), u64::from(bits(words, 15, 8)));
    let both = u64::from(bits(words, 15, 0));
    let addr = u64::from(state.addr);
    let addresses = if name.contains("_2ADDR") {
        let unit = if bytes == 8 { 8 } else { 4 } * if name.contains("STRIDE64") { 64 } else { 1 };
        vec![addr + offset0 * unit, addr + offset1 * unit]
    } else if addtid {
        vec![both + u64::from(state.lane) * 4 + u64::from(state.m0 & 0xffff)]
    } else if matches!(name, "DS_APPEND" | "DS_CONSUME") {
        // In LDS compilers put the address into M0; in GDS the base is the window's (§16.15).
        vec![both + if gds { 0 } else { u64::from(state.m0 & 0xffff) }]
    } else {
        vec![addr + both]
    };
    // §12.6: M0 holds the base and the size of the window of GDS.
    let (base, size) = if gds { (state.m0 >> 16, state.m0 & 0xffff) } else { (state.base, state.size) };
    // The sums have 32 bits: compilers rely on the wrap.
    let addresses = addresses.into_iter().map(|a| a % (1 << 32));
    let mut parts: Vec<Part> = addresses.map(|a| part(a, transfer, u64::from(size), state.mode)).collect();
    // §3.3.4.1: a read of several dwords of which a part is out of range returns zero as a whole.
    let out = |part: &Part| part.as_ref().is_err_and(|why| why.contains(&Why::Range));
    if !name.contains("_STORE_") && parts.iter().any(out) {
        for part in &mut parts {
            let mut why = part.clone().err().unwrap_or_default();
            why.push(Why::Range);
            *part = Err(why);
        }
    }
    Ok(parts.into_iter().map(|p| p.map(|(byte, bytes)| (byte + u64::from(base), bytes))).collect())
}

/// LDS_PARAM_LOAD (§12.2.1): byte address of a dword of parameter data, from M0, the attribute, the dword of the twelve
/// (P0.x, P0.y, … P2.w) and the quad.
#[must_use]
pub fn parameter(m0: u32, attribute: u32, dword: u32, quad: u32) -> u64 {
    // A set bit q of the mask says that quad q begins a primitive; bit 0 is left out, since the first quad always does.
    let mut begins = vec![true];
    begins.extend((1..16).map(|q| m0 >> (15 + q) & 1 == 1));
    let primitives = begins.iter().filter(|b| **b).count() as u64;
    let primitive = begins[..=quad as usize].iter().filter(|b| **b).count() as u64 - 1;
    u64::from(m0 & 0xffff) + 4 * (u64::from(attribute) * primitives * 12 + primitive * 12 + u64::from(dword))
}

/// The lane that an index selects (§12.5.2): bits 6 to 2 of the sum, within the half wave.
#[must_use]
pub fn permuted_lane(index: u32, offset: u32, lane: u8) -> u8 {
    let selected = (u64::from(index) + u64::from(offset)) / 4 % 32;
    selected as u8 + lane / 32 * 32
}
