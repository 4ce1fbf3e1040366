//! FLAT, GLOBAL and SCRATCH (chapter 11).

use super::{Mode, Part, Transfer, Why, bits, lds, memory_alignment, transfer};

/// The contents of the registers and the configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// ADDR and the register after it.
    pub vaddr: u64,
    /// SADDR and the register after it.
    pub saddr: u64,
    /// The number of the lane.
    pub lane: u8,
    /// 32 or 64.
    pub wave: u64,
    /// FLAT_SCRATCH.
    pub scratch_base: u64,
    /// The first and the last address of shared memory.
    pub shared: (u64, u64),
    /// The first and the last address of private memory.
    pub private: (u64, u64),
    /// The bytes of LDS that are allocated.
    pub lds_size: u32,
    /// The alignment mode.
    pub mode: Mode,
}

/// Where an access lands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Landing {
    /// Bytes of global memory.
    Global(u64, u32),
    /// Bytes of LDS, relative to the allocation.
    Lds(u64, u32),
    /// The address of each byte in scratch memory.
    Scratch(Vec<u64>),
}

enum Space {
    Global,
    Lds,
    Scratch,
    Invalid,
}

/// The aperture test, on the address before offsets (§11.1.1, §11.3).
fn space(address: u64, state: &State) -> Space {
    let within = |(first, last): (u64, u64)| first <= address && address <= last;
    if within(state.shared) {
        Space::Lds
    } else if within(state.private) {
        Space::Scratch
    } else if address >> 48 & 1 == 0 {
        Space::Global
    } else {
        Space::Invalid
    }
}

/// The code of NULL; 0x7f disables SADDR too (§15.9.1).
fn has_saddr(words: &[u32]) -> bool {
    !matches!(bits(words, 54, 48), 124 | 0x7f)
}

/// Where the access of a FLAT, GLOBAL or SCRATCH instruction lands.
pub fn access(name: &str, words: &[u32], state: &State) -> Result<Landing, Vec<Why>> {
    let Some(transfer @ (Transfer::Unformatted(bytes) | Transfer::Atomic(bytes))) = transfer(name) else {
        return Err(vec![Why::NoAccess]);
    };
    let field = i128::from(bits(words, 12, 0));
    let signed = if field >= 1 << 12 { field - (1 << 13) } else { field };
    let address = |sum: i128| sum.rem_euclid(1 << 64) as u64;
    let global = |sum: i128| {
        memory_alignment(address(sum), transfer, bytes, state.mode).map(|byte| Landing::Global(byte, bytes))
    };
    let vaddr = i128::from(state.vaddr);
    let (voffset, soffset) = (i128::from(state.vaddr as u32), i128::from(state.saddr as u32));
    match name.split('_').next() {
        Some("FLAT") => {
            // The sign bit is ignored and forced to zero.
            let offset = field & 0xfff;
            match space(state.vaddr, state) {
                Space::Global => global(vaddr + offset),
                Space::Lds => {
                    let relative = vaddr + offset - i128::from(state.shared.0);
                    let part: Part = lds::part(relative as u64, transfer, u64::from(state.lds_size), state.mode);
                    part.map(|(byte, bytes)| Landing::Lds(byte, bytes))
                }
                Space::Scratch => {
                    if transfer == Transfer::Atomic(8) {
                        return Err(vec![Why::Rule]);
                    }
                    scratch(vaddr + offset - i128::from(state.private.0), transfer, state)
                }
                Space::Invalid => Err(vec![Why::Rule]),
            }
        }
        Some("GLOBAL") => {
            // NULL disables SADDR, and GT has nothing in its place.
            let saddr = if has_saddr(words) { Some(state.saddr) } else { None };
            let (base, sum) = if name.contains("_ADDTID_") {
                let base = saddr.unwrap_or(0);
                (base, i128::from(base) + signed + i128::from(state.lane) * 4)
            } else if let Some(base) = saddr {
                (base, i128::from(base) + voffset + signed)
            } else {
                (state.vaddr, vaddr + signed)
            };
            match space(base, state) {
                Space::Lds | Space::Invalid => Err(vec![Why::Rule]),
                Space::Global | Space::Scratch => global(sum),
            }
        }
        _ => {
            let (sve, ss) = (bits(words, 55, 55) == 1, has_saddr(words));
            let mut why = Vec::new();
            if !sve && !ss && signed < 0 {
                why.push(Why::Rule);
            }
            if !sve && ss {
                // The immediate is aligned to the payload, the sum to a dword.
                let payload = match bytes {
                    1 => 1,
                    2 => 2,
                    4 | 12 => 4,
                    8 => 8,
                    _ => 16,
                };
                if signed.rem_euclid(payload) != 0 {
                    why.push(Why::Rule);
                }
                if (soffset + signed).rem_euclid(4) != 0 {
                    why.push(Why::Alignment);
                }
            }
            let sum = if sve { voffset } else { 0 } + if ss { soffset } else { 0 } + signed;
            if sum < 0 {
                why.push(Why::Rule);
            }
            if why.is_empty() { scratch(sum, transfer, state) } else { Err(why) }
        }
    }
}

/// Scratch memory is swizzled by dwords (§11.2); only atomics must be aligned (§3.3.3, §11.3).
fn scratch(offset: i128, transfer: Transfer, state: &State) -> Result<Landing, Vec<Why>> {
    let (Transfer::Unformatted(bytes) | Transfer::Atomic(bytes)) = transfer else { return Err(vec![Why::NoAccess]) };
    if matches!(transfer, Transfer::Atomic(_)) && offset % i128::from(bytes) != 0 {
        return Err(vec![Why::Alignment]);
    }
    // The guide gives no width: sums wrap at 32 bits.
    let offset = offset % (1 << 32);
    let byte = |i: u32| {
        let offset = offset + i128::from(i);
        let swizzled = offset / 4 * 4 * i128::from(state.wave) + offset % 4 + i128::from(state.lane) * 4;
        (i128::from(state.scratch_base) + swizzled).rem_euclid(1 << 64) as u64
    };
    Ok(Landing::Scratch((0..bytes).map(byte).collect()))
}
