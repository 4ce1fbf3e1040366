//! Register files: their sizes, the effect of registers outside of them, and special registers (guide §3.1 to §3.4).

pub mod rdna4;

use rdna_rows::Wave;
use rdna_rows::operands::codes;

use crate::layout::layout;

/// Scalar general-purpose registers of a wave, besides VCC.
pub const SGPRS: u8 = *codes::SGPR.end() as u8 + 1;
/// Trap temporaries of a wave.
pub const TTMPS: u8 = (*codes::TTMP.end() - *codes::TTMP.start()) as u8 + 1;
/// The most vector general-purpose registers of a wave.
pub const VGPRS: u16 = (*codes::VGPR.end() - *codes::VGPR.start()) as u16 + 1;
/// Bytes of LDS that a workgroup may have at most.
pub const LDS_BYTES: u32 = 0x1_0000;
/// LDS is given in blocks of this many bytes.
pub const LDS_BLOCK: u32 = 1024;

/// VGPRs are given in blocks of this many. `large`: the device has 1536 VGPRs for each SIMD. Guide §3.3.2.1.
#[must_use]
pub const fn vgpr_block(wave: Wave, large: bool) -> u8 {
    match (wave, large) {
        (Wave::W32, false) => 16,
        (Wave::W64, false) => 8,
        (Wave::W32, true) => 24,
        (Wave::W64, true) => 12,
    }
}

/// Scalar codes that an operand of several dwords, or an index, must not leave. Guide §3.3.1.4.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Region {
    /// SGPRs and, after them, VCC: codes 0 to 107.
    Sgprs,
    /// Trap temporaries: codes 108 to 123.
    Ttmps,
    /// NULL, M0, EXEC and constants: each is a region.
    Other,
}

impl Region {
    /// The region of a scalar code.
    #[must_use]
    pub const fn of(code: u8) -> Self {
        let code = code as u32;
        if code <= *codes::VCC.end() {
            Region::Sgprs
        } else if code <= *codes::TTMP.end() {
            Region::Ttmps
        } else {
            Region::Other
        }
    }
}

/// The effect of a register number that is out of range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OutOfRange {
    /// The instruction reads zero.
    Zero,
    /// The instruction reads register 0 of the file instead; a group of registers begins there.
    First,
    /// The instruction reads the register whose number is the remainder of a division by four.
    Modulo4,
    /// The instruction writes none of its destinations.
    Nothing,
    /// The instruction is issued as if EXEC were zero.
    NoLanes,
}

/// How a scalar register outside of its region is used. Guide §3.3.1.4.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScalarUse {
    /// Any source that is not indexed.
    Source,
    /// A destination; also a trap temporary outside of the trap handler.
    Destination,
    /// A source of S_MOVRELS.
    IndexedSource,
    /// A resource of a vector memory instruction.
    Resource,
    /// The base of a scalar memory instruction.
    MemoryBase,
}

/// Returns the effect of a scalar register outside of its region. Guide §3.3.1.4, §8.4.
#[must_use]
pub const fn scalar_out_of_range(used: ScalarUse) -> OutOfRange {
    match used {
        ScalarUse::Source => OutOfRange::Zero,
        ScalarUse::Destination => OutOfRange::Nothing,
        ScalarUse::IndexedSource | ScalarUse::Resource | ScalarUse::MemoryBase => OutOfRange::First,
    }
}

/// Returns whether `dwords` scalar registers from `code` on are in one region.
#[must_use]
pub const fn scalar_in_range(code: u8, dwords: u8) -> bool {
    let end = code as u16 + dwords as u16;
    match Region::of(code) {
        Region::Sgprs => end <= *codes::VCC.end() as u16 + 1,
        Region::Ttmps => end <= *codes::TTMP.end() as u16 + 1,
        // A pair of EXEC is one value; nothing else has several dwords.
        Region::Other => dwords <= 1 || code as u32 == *codes::EXEC.start() && dwords == 2,
    }
}

/// How a vector register that the wave does not have is used. Guide §3.3.2.2, §3.3.3, §12.2.1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VectorUse {
    /// A source of a vector ALU instruction.
    Source,
    /// A source of a dual-issue pair.
    DualSource,
    /// An address or data of memory, LDS or an export.
    MemorySource,
    /// A destination of a vector ALU instruction; both operands of a swap are.
    Destination,
    /// Where a load or an atomic with return writes, the dword that TFE adds included.
    LoadDestination,
}

/// Returns the effect of a vector register that the wave does not have. Guide §3.3.2.2, §3.3.3.
#[must_use]
pub const fn vector_out_of_range(used: VectorUse) -> OutOfRange {
    match used {
        VectorUse::Source | VectorUse::MemorySource => OutOfRange::First,
        VectorUse::DualSource => OutOfRange::Modulo4,
        VectorUse::Destination => OutOfRange::Nothing,
        VectorUse::LoadDestination => OutOfRange::NoLanes,
    }
}

/// Whether `dwords` vector registers from `first` on, moved by `index` where M0 indexes, are among the `size` of a wave.
#[must_use]
pub const fn vector_in_range(first: u8, dwords: u8, index: u32, size: u16) -> bool {
    index <= 255 && first as u32 + dwords as u32 + index <= size as u32
}

/// A special register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Special {
    /// Its name in text.
    pub name: &'static str,
    /// How many bits it has.
    pub bits: u8,
    /// Its purpose.
    pub role: &'static str,
    /// The section of the guide.
    pub section: &'static str,
}

const fn special(name: &'static str, bits: u8, role: &'static str, section: &'static str) -> Special {
    Special { name, bits, role, section }
}

/// The registers with a separate role. Guide §3.1, table 4, as far as instructions name them.
pub static SPECIALS: [Special; 8] = SPECIALS_OF_RDNA3;

const SPECIALS_OF_RDNA3: [Special; 8] = [
    special(
        "pc",
        48,
        "the next instruction, a multiple of four; branches count from the instruction after them",
        "3.2.1",
    ),
    special("exec", 64, "a bit for each lane that vector instructions execute; wave32 uses the low half", "3.2.2"),
    special("execz", 1, "whether exec is zero, as far as the wave size uses it", "3.2.2"),
    special("vcc", 64, "a bit for each lane: results of comparisons, carries; follows the SGPRs, at 106", "3.4.6"),
    special("vccz", 1, "whether vcc is zero, as far as the wave size uses it", "3.4.6"),
    special("scc", 1, "comparison: true; arithmetic: carry or overflow; logic: not zero; a move leaves it", "3.4.5"),
    special("m0", 32, "indices, bounds and payloads: see M0_ROLES; only scalar instructions write it", "3.4.3"),
    special("null", 32, "reads as zero; what is written is dropped, and SCC is set all the same", "3.4.4"),
];

/// The meaning of M0 in an operation. Guide §3.4.3, table 7.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum M0Role {
    /// [`ParamLoad`]: LDS_PARAM_LOAD.
    ParamLoad,
    /// [`DirectLoad`]: LDS_DIRECT_LOAD.
    DirectLoad,
    /// [`AddTid`]: LDS accesses that add the lane's number.
    AddTid,
    /// [`Gds`]: the global data share.
    Gds,
    /// [`OrderedCount`]: DS_ORDERED_COUNT.
    OrderedCount,
    /// The instruction's own: GWS, S_SENDMSG (see [`message`](crate::message)), exports of rows.
    Own,
    /// A number of registers: S_MOVREL, V_MOVREL.
    Index,
    /// An offset in bytes: scalar memory.
    Offset,
}

/// The roles that M0 has.
pub static M0_ROLES: [(&str, M0Role); 11] = [
    ("LDS_PARAM_LOAD", M0Role::ParamLoad),
    ("LDS_DIRECT_LOAD", M0Role::DirectLoad),
    ("LDS ADDTID", M0Role::AddTid),
    ("Global Data Share", M0Role::Gds),
    ("GDS Ordered Count", M0Role::OrderedCount),
    ("Global Wave Sync", M0Role::Own),
    ("S_MOVREL, V_MOVREL", M0Role::Index),
    ("S_SENDMSG, S_SENDMSG_RTN", M0Role::Own),
    ("EXPORT of rows", M0Role::Own),
    ("SMEM", M0Role::Offset),
    ("Temporary", M0Role::Own),
];

layout! {
    /// M0 of LDS_PARAM_LOAD.
    ParamLoad {
        /// Where the parameters begin, in bytes; a multiple of 128.
        offset: u16 = 16, "PARAMETER_OFFSET";
        /// For each quad but the first whether a new primitive begins; wave32 has seven.
        new_primitive: u16 = 15, "NEW_PRIM_MASK[15:1]";
        __: u32 = 1, "";
    }
}

layout! {
    /// M0 of LDS_DIRECT_LOAD.
    DirectLoad {
        /// In bytes.
        address: u16 = 16, "LDS_ADDRESS";
        /// The type of the data.
        data_type: u8 = 3, "DATA_TYPE";
        __: u32 = 13, "";
    }
}

layout! {
    /// M0 of LDS accesses that add the lane's number.
    AddTid {
        /// In bytes; a multiple of four.
        offset: u16 = 16, "LDS_OFFSET";
        __: u32 = 16, "";
    }
}

layout! {
    /// M0 of accesses to the global data share.
    Gds {
        /// In bytes.
        size: u16 = 16, "SIZE";
        /// In bytes.
        base: u16 = 16, "BASE";
    }
}

layout! {
    /// M0 of DS_ORDERED_COUNT.
    OrderedCount {
        /// The wave's place in the order.
        wave: u16 = 13, "LOGICAL_WAVE_ID";
        __: u32 = 3, "";
        /// In bytes.
        base: u16 = 16, "BASE";
    }
}

/// The contents of TTMP0 and TTMP1 at the entry of the trap handler. Guide §3.4.9, §5.1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TrapEntry {
    /// The address of the instruction: that of S_TRAP itself, not of the next one.
    pub pc: u64,
    /// S_TRAP's number, or the host's; 0 for an exception.
    pub id: u8,
    /// Whether the host requested it.
    pub host: bool,
}

impl TrapEntry {
    /// Reads TTMP0 and TTMP1.
    #[must_use]
    pub const fn from_ttmps(ttmp0: u32, ttmp1: u32) -> Self {
        let pc = ttmp0 as u64 | (ttmp1 as u64 & 0xffff) << 32;
        TrapEntry { pc, id: (ttmp1 >> 16) as u8, host: ttmp1 >> 24 & 1 == 1 }
    }

    /// Returns the values of TTMP0 and TTMP1. The address has 48 bits.
    #[must_use]
    pub const fn into_ttmps(self) -> (u32, u32) {
        let high = (self.pc >> 32) as u32 & 0xffff;
        (self.pc as u32, high | (self.id as u32) << 16 | (self.host as u32) << 24)
    }
}
