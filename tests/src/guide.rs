//! A second, deliberately naive implementation of the memory accesses in the RDNA3 guide: chapters 3 and 8 to 12, with the
//! bit positions of chapter 15, and of those in the texts on GCN.
//!
//! It is written from these texts alone and calls nothing of `rdna3` or `amdgpu-memory`: mnemonics are strings, instructions
//! are dwords, sums are 128 bits wide. Tests compare it with `rdna3::address` on random inputs.

pub mod buffer;
pub mod flat;
pub mod gcn;
pub mod image;
pub mod lds;
pub mod scalar;

/// A reason why bytes are not accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The bytes are out of bounds.
    Range,
    /// The address is misaligned in a mode, or for an operation, that demands alignment.
    Alignment,
    /// The guide calls the combination illegal, or says that it raises MEMVIOL for a reason other than alignment.
    Rule,
    /// The resource is unbound: its format is INVALID.
    Unbound,
    /// The descriptor is not of the type that the instruction needs.
    WrongResource,
    /// The instruction accesses no memory of this type.
    NoAccess,
}

/// The bytes of one part of an access, or every reason why there are none. The guide does not say which of several
/// reasons the hardware reports.
pub type Part = Result<(u64, u32), Vec<Why>>;

/// The outcome of an access: reasons that concern all of it, or its parts in order.
pub type Outcome = Result<Vec<Part>, Vec<Why>>;

/// SH_MEM_CONFIG.alignment_mode (§9.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Code 0: the hardware aligns.
    Dword,
    /// Code 1: MEMVIOL unless aligned to the smaller of the size and a dword.
    DwordStrict,
    /// Code 2: MEMVIOL unless aligned to the size.
    Strict,
    /// Code 3: any alignment.
    Unaligned,
}

/// The modes, by code.
pub const MODES: [Mode; 4] = [Mode::Dword, Mode::DwordStrict, Mode::Strict, Mode::Unaligned];

/// Bits `high` to `low` of the dwords of an instruction.
#[must_use]
pub fn bits(words: &[u32], high: u32, low: u32) -> u32 {
    (low..=high).fold(0, |value, bit| {
        let word = words.get((bit / 32) as usize).copied().unwrap_or(0);
        value | (word >> (bit % 32) & 1) << (bit - low)
    })
}

/// The transfer of an instruction for one lane (tables 39, 56, 60 and the list of atomics in §12.5.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Transfer {
    /// This many bytes, without conversion.
    Unformatted(u32),
    /// An atomic operation on this many bytes.
    Atomic(u32),
    /// An element of a format.
    Formatted,
}

/// The transfer that a mnemonic names; `None` for instructions that transfer nothing between memory and registers.
#[must_use]
pub fn transfer(name: &str) -> Option<Transfer> {
    let tokens: Vec<&str> = name.split('_').collect();
    if tokens.contains(&"INV") {
        return None;
    }
    if tokens.contains(&"FORMAT") {
        return Some(Transfer::Formatted);
    }
    let sizes = [
        ("U8", 1),
        ("I8", 1),
        ("B8", 1),
        ("U16", 2),
        ("I16", 2),
        ("B16", 2),
        ("B32", 4),
        ("U32", 4),
        ("I32", 4),
        ("F32", 4),
        ("B64", 8),
        ("U64", 8),
        ("I64", 8),
        ("F64", 8),
        ("B96", 12),
        ("B128", 16),
        ("B256", 32),
        ("B512", 64),
    ];
    let size = sizes.iter().find(|(token, _)| tokens.contains(token)).map(|(_, bytes)| *bytes);
    if matches!(tokens.as_slice(), ["DS", "APPEND" | "CONSUME"]) {
        return Some(Transfer::Atomic(4));
    }
    if tokens.iter().any(|t| matches!(*t, "LOAD" | "STORE")) && tokens[0] != "IMAGE" {
        return size.map(Transfer::Unformatted);
    }
    match tokens[0] {
        "BUFFER" | "FLAT" | "GLOBAL" if tokens[1] == "ATOMIC" => size.map(Transfer::Atomic),
        "DS" if !matches!(tokens[1], "SWIZZLE" | "PERMUTE" | "BPERMUTE" | "BVH" | "NOP" | "ORDERED" | "GWS") => {
            size.map(Transfer::Atomic)
        }
        _ => None,
    }
}

/// A global or buffer access after the range check: the alignment rules of §3.3.3 and §9.5 on the byte address.
pub fn memory_alignment(byte: u64, transfer: Transfer, element: u32, mode: Mode) -> Result<u64, Vec<Why>> {
    let demand = |to: u32| if byte.is_multiple_of(u64::from(to)) { Ok(byte) } else { Err(vec![Why::Alignment]) };
    match (transfer, mode) {
        (Transfer::Atomic(size), _) => demand(size),
        (Transfer::Formatted, _) => demand(element.min(4)),
        (Transfer::Unformatted(size), Mode::Dword) => Ok(byte - byte % u64::from(size.min(4))),
        (Transfer::Unformatted(size), Mode::DwordStrict) => demand(size.min(4)),
        // Twelve bytes: no alignment is named; each dword is aligned.
        (Transfer::Unformatted(size), Mode::Strict) => demand(if size == 12 { 4 } else { size }),
        (Transfer::Unformatted(_), Mode::Unaligned) => Ok(byte),
    }
}
