//! Addresses of DS instructions in the local data share, of LDSDIR instructions, and lanes of permutations. Guide §12.

use amdgpu_memory::address::{aligned, natural};
use amdgpu_memory::{codes, descriptor};

use super::{Address, Fault, NO_ACCESS, Spans, memory_bytes, thread_id};
use crate::{Instr, Opcode, Wave, words};

codes! {
    /// How LDS treats addresses that are not aligned. Guide §12.7.
    pub enum LdsAlignment: full {
        /// Low bits are ignored: addresses are aligned to the element.
        Dword = 0 "ALIGNMENT_MODE_DWORD",
        /// Any address will do.
        Unaligned = 1 "ALIGNMENT_MODE_UNALIGNED",
    }
}

/// Where the address of a DS instruction comes from. Guide §12.5.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DsForm {
    /// A register and one offset of 16 bits.
    One,
    /// A register and two offsets of 8 bits, each times this many bytes.
    Two(u16),
    /// M0, one offset of 16 bits, and a dword for each lane.
    AddTid,
    /// The base in M0 and one offset of 16 bits, the same for all lanes: a counter.
    Counter,
}

/// What a DS instruction says of its access. Guide §12.5 (tables 59 and 60), §12.5.1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DsAccess {
    /// Where the address comes from.
    pub form: DsForm,
    /// OFFSET0 and OFFSET1.
    pub offsets: [u8; 2],
    /// How many bytes are moved at each address.
    pub bytes: u32,
    /// Whether they are changed in one go.
    pub atomic: bool,
    /// GDS: the access is not to LDS.
    pub gds: bool,
}

/// What an address depends on besides the instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LdsState {
    /// The register that ADDR names.
    pub addr: u32,
    /// M0.
    pub m0: u32,
    /// The number of the lane.
    pub lane: u8,
    /// LDS_BASE: where the space of the wave or workgroup begins.
    pub base: u32,
    /// How many bytes are allocated.
    pub size: u32,
    /// What becomes of addresses that are not aligned.
    pub alignment: LdsAlignment,
}

/// What the second offset of a STRIDE64 instruction is multiplied by, besides the element. Guide §12.5, table 60.
const STRIDE64: u16 = 64;

/// DS instructions that go through the hardware of LDS and touch no byte of it, or that are not in LDS. Guide §12.5.
fn touches_memory(opcode: Opcode) -> bool {
    !matches!(
        opcode,
        Opcode::DS_NOP
            | Opcode::DS_SWIZZLE_B32
            | Opcode::DS_PERMUTE_B32
            | Opcode::DS_BPERMUTE_B32
            | Opcode::DS_BVH_STACK_RTN_B32
            | Opcode::DS_ORDERED_COUNT
            | Opcode::DS_ADD_GS_REG_RTN
            | Opcode::DS_SUB_GS_REG_RTN
    ) && !opcode.name().starts_with("DS_GWS_")
}

impl DsAccess {
    /// What a DS instruction says; `None` for others, and for those that have no address in memory.
    #[must_use]
    pub fn of(instr: &Instr) -> Option<Self> {
        let Instr::Ds(x) = instr else { return None };
        let opcode = instr.opcode();
        if !touches_memory(opcode) {
            return None;
        }
        let name = opcode.name();
        let counter = matches!(opcode, Opcode::DS_APPEND | Opcode::DS_CONSUME);
        let bytes = if counter { 4 } else { memory_bytes(opcode)? };
        let form = if instr.row_words() & words::TWO_OFFSETS != 0 {
            let unit = if bytes == 8 { 8 } else { 4 };
            DsForm::Two(if name.contains("_STRIDE64_") { unit * STRIDE64 } else { unit })
        } else if name.contains("_ADDTID_") {
            DsForm::AddTid
        } else if counter {
            DsForm::Counter
        } else {
            DsForm::One
        };
        let atomic = !(name.starts_with("DS_LOAD_") || name.starts_with("DS_STORE_"));
        Some(DsAccess { form, offsets: [x.offset0(), x.offset1()], bytes, atomic, gds: x.gds() })
    }

    /// The offset of an instruction that has one: {OFFSET1, OFFSET0}. Guide §12.5, table 59.
    #[must_use]
    pub const fn offset(&self) -> u16 {
        u16::from_le_bytes(self.offsets)
    }

    /// The offsets in bytes of an instruction that has two. Guide §12.5, table 59.
    #[must_use]
    pub const fn two_offsets(&self, unit: u16) -> [u32; 2] {
        let [a, b] = self.offsets;
        [a as u32 * unit as u32, b as u32 * unit as u32]
    }

    /// Where the access lands in LDS: one piece, or two. Guide §12.5, §12.7.
    ///
    /// # Errors
    /// [`NO_ACCESS`] if it is an access to GDS; the pieces have faults of their own.
    pub fn address(&self, state: &LdsState) -> Result<Spans, Fault> {
        if self.gds {
            return Err(NO_ACCESS);
        }
        let addr = u64::from(state.addr);
        let offset = u64::from(self.offset());
        let m0 = u64::from(state.m0 & 0xffff);
        Ok(match self.form {
            DsForm::One => Spans::one(self.piece(addr + offset, state)),
            DsForm::AddTid => Spans::one(self.piece(offset + m0 + u64::from(4 * thread_id(state.lane)), state)),
            DsForm::Two(unit) => {
                let mut spans = Spans::NONE;
                for offset in self.two_offsets(unit) {
                    spans.push(self.piece(addr + u64::from(offset), state));
                }
                spans
            }
            DsForm::Counter => {
                // The size in M0 bounds it besides what is allocated.
                let size = state.size.min(super::gds::Window::from_bits(state.m0).end());
                let base = u64::from(state.m0 >> 16);
                Spans::one(self.piece(base + offset, &LdsState { size, ..*state }))
            }
        })
    }

    /// `at` counts from LDS_BASE.
    fn piece(&self, at: u64, state: &LdsState) -> Result<Address, Fault> {
        let address = lds_piece(at, self.bytes, self.atomic, state.size, state.alignment)?;
        Ok(Address::new(address.byte + u64::from(state.base), address.bytes))
    }
}

/// The address of `bytes` bytes in a space of `size` bytes: checked against its bounds, and aligned. Guide §12.7.
pub(super) fn lds_piece(
    at: u64,
    bytes: u32,
    atomic: bool,
    size: u32,
    alignment: LdsAlignment,
) -> Result<Address, Fault> {
    if at.saturating_add(u64::from(bytes)) > u64::from(size) {
        return Err(Fault::OutOfRange);
    }
    let to = natural(bytes);
    match alignment {
        _ if atomic => aligned(Address::new(at, bytes), to),
        LdsAlignment::Unaligned => Ok(Address::new(at, bytes)),
        LdsAlignment::Dword => Ok(Address::new(at & !(u64::from(to) - 1), bytes)),
    }
}

/// Whether a fault of LDS is reported as a memory violation: what is out of range if the configuration asks for it
/// (LDS_CONFIG.ADDR_OUT_OF_RANGE_REPORTING), and what is not aligned. Guide §12.7.
#[must_use]
pub const fn is_reported(fault: Fault, out_of_range_reporting: bool) -> bool {
    match fault {
        Fault::OutOfRange => out_of_range_reporting,
        Fault::Misaligned { .. } => true,
        _ => false,
    }
}

/// Where the access of a DS instruction to LDS lands. Guide §12.5.
///
/// # Errors
/// [`NO_ACCESS`] for instructions without one; the pieces have faults of their own.
pub fn address(instr: &Instr, state: &LdsState) -> Result<Spans, Fault> {
    DsAccess::of(instr).ok_or(NO_ACCESS)?.address(state)
}

/// The lane that a permutation means by an index in bytes, to which the instruction's offset is added. In a wave of 64,
/// lanes stay in the half of `lane`. Guide §12.5.2.
///
/// `DS_PERMUTE_B32` writes to that lane, `DS_BPERMUTE_B32` reads from it.
#[must_use]
pub const fn permuted_lane(index: u32, offset: u16, lane: u8, wave: Wave) -> u8 {
    let other = (index.wrapping_add(offset as u32) >> 2 & 31) as u8;
    match wave {
        Wave::W32 => other,
        Wave::W64 => other | lane & 32,
    }
}

codes! {
    /// What `LDS_DIRECT_LOAD` reads. Guide §12.4.
    pub enum DirectType {
        /// An unsigned byte.
        UnsignedByte = 0 "u8",
        /// An unsigned number of 16 bits.
        UnsignedShort = 1 "u16",
        /// A dword.
        Dword = 2 "b32",
        /// A signed byte.
        SignedByte = 4 "i8",
        /// A signed number of 16 bits.
        SignedShort = 5 "i16",
    }
}

impl DirectType {
    /// How many bytes.
    #[must_use]
    pub const fn bytes(self) -> Option<u32> {
        match self {
            DirectType::UnsignedByte | DirectType::SignedByte => Some(1),
            DirectType::UnsignedShort | DirectType::SignedShort => Some(2),
            DirectType::Dword => Some(4),
            DirectType::Reserved(_) => None,
        }
    }
}

descriptor! {
    /// What M0 holds for `LDS_DIRECT_LOAD`. Guide §12.2.1 (table 57), §12.4.
    pub struct DirectM0 [u32; 1], values DirectM0Values {
        /// The address in bytes.
        address: u16 = 16,
        /// What is there.
        data_type: DirectType = 3,
        ; _ = 13
    }
}

impl DirectM0 {
    /// Where `LDS_DIRECT_LOAD` reads, from LDS_BASE on, with `size` bytes allocated. Guide §12.4.
    ///
    /// # Errors
    /// [`Fault::Misaligned`] unless it is a multiple of four; [`Fault::OutOfRange`].
    pub fn location(self, size: u32) -> Result<Address, Fault> {
        let Some(bytes) = self.data_type().bytes() else {
            return Err(NO_ACCESS);
        };
        let address = aligned(Address::new(u64::from(self.address()), bytes), 4)?;
        if address.byte + u64::from(bytes) > u64::from(size) { Err(Fault::OutOfRange) } else { Ok(address) }
    }
}

descriptor! {
    /// What M0 holds for `LDS_PARAM_LOAD`. Guide §12.2.1, table 57.
    pub struct ParamM0 [u32; 1], values ParamM0Values {
        /// Where the parameters begin, in bytes; a multiple of 128.
        param_offset: u16 = 16,
        /// A bit for each quad but the first: whether it begins a new primitive.
        new_prim_mask: u16 = 15,
        ; _ = 1
    }
}

/// How many dwords an attribute of a primitive has: three parameters of four channels.
const ATTRIBUTE_DWORDS: u32 = 12;

impl ParamM0 {
    /// How many primitives the wave has. Guide §12.2.1.
    #[must_use]
    pub const fn primitives(self) -> u32 {
        1 + self.new_prim_mask().count_ones()
    }

    /// The number of the primitive that a quad belongs to. Guide §12.2.1.
    #[must_use]
    pub const fn primitive(self, quad: u8) -> u32 {
        let quads = if quad > 15 { 15 } else { quad };
        (self.new_prim_mask() as u32 & ((1 << quads) - 1)).count_ones()
    }

    /// Where parameter `parameter` (0 to 2) of a channel of an attribute lies for a quad, from LDS_BASE on. Guide §12.2.1.
    #[must_use]
    pub const fn location(self, attribute: u8, channel: u8, parameter: u8, quad: u8) -> Address {
        let element = 4 * (parameter as u32) + (channel & 3) as u32;
        let dwords = (attribute as u32 * self.primitives() + self.primitive(quad)) * ATTRIBUTE_DWORDS + element;
        Address::new(self.param_offset() as u64 + 4 * dwords as u64, 4)
    }
}

descriptor! {
    /// The stack address of `DS_BVH_STACK_RTN_B32`. Guide §12.5.3.
    pub struct StackAddress [u32; 1], values StackAddressValues {
        /// Where the next entry is, in bytes from the base on; a multiple of four.
        index: u16 = 16,
        /// How many dwords the stack of a lane has.
        size: StackSize = 2,
        /// The base in dwords from the beginning of the allocated space on.
        base_dword: u16 = 14,
    }
}

codes! {
    /// How many dwords the stack of a lane has. Guide §12.5.3.
    pub enum StackSize: full {
        /// 8 dwords.
        D8 = 0 "8",
        /// 16 dwords.
        D16 = 1 "16",
        /// 32 dwords.
        D32 = 2 "32",
        /// 64 dwords.
        D64 = 3 "64",
    }
}

impl StackSize {
    /// How many dwords.
    #[must_use]
    pub const fn dwords(self) -> u32 {
        8 << self as u32
    }
}

impl StackAddress {
    /// The base in bytes from the beginning of the allocated space on.
    #[must_use]
    pub const fn base(self) -> u32 {
        4 * self.base_dword() as u32
    }

    /// Where the next entry is, from the beginning of the allocated space on. Guide §12.5.3, §16.15.
    #[must_use]
    pub const fn next(self) -> Address {
        Address::new(self.base() as u64 + (self.index() & !3) as u64, 4)
    }
}
