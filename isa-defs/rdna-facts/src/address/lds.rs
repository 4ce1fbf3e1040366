//! Addresses of DS instructions in the local data share, of LDSDIR instructions, and lanes of permutations. Guide
//! chapter 12 and §3.3.4.

use amdgpu_memory::address::aligned;
use amdgpu_memory::{codes, descriptor};

use super::body::first_access;
use super::{Address, AlignmentMode, Fault, NO_ACCESS, Spans, thread_id};
use crate::{Format, Instruction, Wave, flags, raw, roles};

/// The treatment of misaligned LDS addresses. LDS has no separate mode: §3.3.4.1 names all four modes of
/// SH_MEM_CONFIG, of which §12.7 lists two.
pub type LdsAlignment = AlignmentMode;

/// The source of a DS instruction's address. Guide §12.5.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DsForm {
    /// A VGPR and one offset of 16 bits.
    One,
    /// A VGPR and two offsets of 8 bits; each is multiplied by this many bytes.
    Two(u16),
    /// M0, one offset of 16 bits, and the thread ID times four.
    AddTid,
    /// M0 and one offset of 16 bits, the same for all lanes: a counter.
    Counter,
}

/// The access that a DS instruction encodes. Guide §12.5 (tables 59 and 60), §12.5.1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DsAccess {
    /// The source of the address.
    pub form: DsForm,
    /// OFFSET0 and OFFSET1.
    pub offsets: [u8; 2],
    /// The number of bytes at each address.
    pub bytes: u32,
    /// Whether the instruction is an atomic.
    pub atomic: bool,
    /// Whether the instruction returns data that it read from memory.
    pub returns: bool,
    /// GDS: the access goes to GDS instead of LDS.
    pub gds: bool,
}

/// The state that an LDS address depends on besides the instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LdsState {
    /// The value of the VGPR that ADDR names.
    pub addr: u32,
    /// M0.
    pub m0: u32,
    /// The lane number.
    pub lane: u8,
    /// LDS_BASE: the first byte of the wave's or workgroup's allocation.
    pub base: u32,
    /// The size of the allocation in bytes.
    pub size: u32,
    /// The alignment mode.
    pub alignment: LdsAlignment,
}

/// The factor of STRIDE64 offsets, besides the size of the element. Guide §12.5, table 60.
const STRIDE64: u16 = 64;

impl DsAccess {
    /// Returns the access of a DS instruction; `None` for other instructions, and for those without an address in
    /// memory.
    #[must_use]
    pub fn of<I: Instruction>(instr: &I) -> Option<Self> {
        if instr.microcode() != Format::Ds {
            return None;
        }
        // Both families have these bits; RDNA4 reserves GDS, which is 0.
        let x = raw::Ds::from_bits(instr.low64());
        // Ray intersections keep a separate stack, and permutations access no memory.
        let access = first_access(instr.semantics_in(0)?.body()?).filter(|_| !instr.body_effects().is_external())?;
        let bytes = u32::from(access.ty.total_bits().div_ceil(8));
        let has = |flag: u128| instr.flags() & flag != 0;
        let form = if has(flags::TWO_OFFSETS) {
            let unit = if bytes == 8 { 8 } else { 4 };
            DsForm::Two(if has(flags::STRIDE64) { unit * STRIDE64 } else { unit })
        } else if has(flags::APPENDS) {
            DsForm::Counter
        } else if access.has_address {
            DsForm::AddTid
        } else {
            DsForm::One
        };
        let atomic = access.is_atomic;
        let returns = instr.operand_infos(Wave::W32).any(|o| o.role == roles::D);
        Some(DsAccess { form, offsets: [x.offset0(), x.offset1()], bytes, atomic, returns, gds: x.gds() })
    }

    /// The offset of an instruction with one address: {OFFSET1, OFFSET0}. Guide §12.5, table 59.
    #[must_use]
    pub const fn offset(&self) -> u16 {
        u16::from_le_bytes(self.offsets)
    }

    /// The offsets in bytes of an instruction with two addresses. Guide §12.5, table 59.
    #[must_use]
    pub const fn two_offsets(&self, unit: u16) -> [u32; 2] {
        let [a, b] = self.offsets;
        [a as u32 * unit as u32, b as u32 * unit as u32]
    }

    /// Returns the bytes of LDS that the instruction accesses: one piece for each address. Guide §12.5, §12.7, §3.3.4.1.
    ///
    /// Sums wrap at 32 bits: compilers fold offsets beside a negative address.
    ///
    /// # Errors
    /// [`NO_ACCESS`] if the access goes to GDS. Each piece may have its own fault.
    pub fn address(&self, state: &LdsState) -> Result<Spans, Fault> {
        if self.gds {
            return Err(NO_ACCESS);
        }
        let offset = u32::from(self.offset());
        let m0 = state.m0 & 0xffff;
        Ok(match self.form {
            DsForm::One => Spans::one(self.piece(state.addr.wrapping_add(offset), state)),
            DsForm::AddTid => Spans::one(self.piece(offset + m0 + 4 * thread_id(state.lane), state)),
            DsForm::Two(unit) => {
                self.two(self.two_offsets(unit).map(|offset| self.piece(state.addr.wrapping_add(offset), state)))
            }
            DsForm::Counter => Spans::one(self.piece(offset + m0, state)),
        })
    }

    /// The piece at `at` bytes from LDS_BASE.
    fn piece(&self, at: u32, state: &LdsState) -> Result<Address, Fault> {
        let address = lds_piece(at.into(), self.bytes, self.atomic, state.size, state.alignment)?;
        Ok(Address::new(address.byte + u64::from(state.base), address.bytes))
    }

    /// Joins the pieces of the two addresses. An instruction that returns data is out of range as a whole if either
    /// address is (guide §3.3.4.1: a read of several dwords returns zero as a whole); a store drops only the piece that
    /// is out of range.
    pub(super) fn two(&self, pieces: [Result<Address, Fault>; 2]) -> Spans {
        let out = self.returns && pieces.contains(&Err(Fault::OutOfRange));
        let mut spans = Spans::NONE;
        for piece in pieces {
            spans.push(if out { Err(Fault::OutOfRange) } else { piece });
        }
        spans
    }
}

/// The alignment that LDS calls native: the size of the access, and 16 for twelve bytes. Guide §3.3.4.1.
const fn native_alignment(bytes: u32) -> u32 {
    bytes.next_power_of_two()
}

/// Returns the bytes of an access of `bytes` bytes at `at` in a space of `size` bytes, for LDS and GDS. Guide §3.3.4.1,
/// §12.7.
///
/// In mode DWORD the address is aligned first, and the bounds apply to the aligned address.
///
/// # Errors
/// [`Fault::OutOfRange`]; [`Fault::Misaligned`] for atomics, and for all accesses in the strict modes.
pub(super) fn lds_piece(at: u64, bytes: u32, atomic: bool, size: u32, mode: LdsAlignment) -> Result<Address, Fault> {
    let native = native_alignment(bytes);
    let byte = if !atomic && mode == AlignmentMode::Dword { at & !(u64::from(native) - 1) } else { at };
    if byte.saturating_add(u64::from(bytes)) > u64::from(size) {
        return Err(Fault::OutOfRange);
    }
    let demanded = if !atomic && mode == AlignmentMode::Unaligned { 1 } else { native };
    aligned(Address::new(byte, bytes), demanded)
}

/// Whether the hardware reports a fault of LDS as a memory violation: out-of-range accesses if
/// LDS_CONFIG.ADDR_OUT_OF_RANGE_REPORTING is set, misaligned accesses always. Guide §3.3.4.1, §12.7.
#[must_use]
pub const fn is_reported(fault: Fault, out_of_range_reporting: bool) -> bool {
    match fault {
        Fault::OutOfRange => out_of_range_reporting,
        Fault::Misaligned { .. } => true,
        _ => false,
    }
}

/// Returns the bytes of LDS that a DS instruction accesses. Guide §12.5.
///
/// # Errors
/// [`NO_ACCESS`] for instructions that access no LDS. Each piece may have its own fault.
pub fn address<I: Instruction>(instr: &I, state: &LdsState) -> Result<Spans, Fault> {
    DsAccess::of(instr).ok_or(NO_ACCESS)?.address(state)
}

/// Returns the lane that a permutation selects by an index in bytes plus the instruction's offset. In a wave of 64, the
/// lane is in the same half as `lane`. Guide §12.5.2.
///
/// `DS_PERMUTE_B32` writes to the selected lane, `DS_BPERMUTE_B32` reads from it.
#[must_use]
pub const fn permuted_lane(index: u32, offset: u16, lane: u8, wave: Wave) -> u8 {
    let other = (index.wrapping_add(offset as u32) >> 2 & 31) as u8;
    match wave {
        Wave::W32 => other,
        Wave::W64 => other | lane & 32,
    }
}

codes! {
    /// The data type of `LDS_DIRECT_LOAD`. Guide §12.4.
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
    /// The size in bytes.
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
    /// The contents of M0 for `LDS_DIRECT_LOAD`. Guide §12.2.1 (table 57), §12.4.
    pub struct DirectM0 [u32; 1], values DirectM0Values {
        /// The address in bytes.
        address: u16 = 16,
        /// The data type.
        data_type: DirectType = 3,
        ; _ = 13
    }
}

impl DirectM0 {
    /// Returns the bytes that `LDS_DIRECT_LOAD` reads, relative to LDS_BASE, with `size` bytes allocated. Guide §12.4.
    ///
    /// # Errors
    /// [`Fault::Misaligned`] unless the address is a multiple of four; [`Fault::OutOfRange`].
    pub fn location(self, size: u32) -> Result<Address, Fault> {
        let Some(bytes) = self.data_type().bytes() else {
            return Err(NO_ACCESS);
        };
        let address = aligned(Address::new(u64::from(self.address()), bytes), 4)?;
        if address.byte + u64::from(bytes) > u64::from(size) { Err(Fault::OutOfRange) } else { Ok(address) }
    }
}

descriptor! {
    /// The contents of M0 for `LDS_PARAM_LOAD`. Guide §12.2.1, table 57.
    pub struct ParamM0 [u32; 1], values ParamM0Values {
        /// The first byte of the parameters, a multiple of 128.
        param_offset: u16 = 16,
        /// One bit for each quad but the first: whether the quad begins a new primitive.
        new_prim_mask: u16 = 15,
        ; _ = 1
    }
}

/// The number of dwords of an attribute of a primitive: three parameters of four channels.
const ATTRIBUTE_DWORDS: u32 = 12;

impl ParamM0 {
    /// The number of primitives of the wave. Guide §12.2.1.
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

    /// Returns the bytes of parameter 0 to 2 of a channel of an attribute for a quad, relative to LDS_BASE. Guide
    /// §12.2.1.
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
        /// The distance of the next entry from the base in bytes, a multiple of four.
        index: u16 = 16,
        /// The size of a lane's stack.
        size: StackSize = 2,
        /// The base of the stack in dwords, relative to the allocation.
        base_dword: u16 = 14,
    }
}

codes! {
    /// The size of a lane's stack in dwords. Guide §12.5.3.
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
    /// The number of dwords.
    #[must_use]
    pub const fn dwords(self) -> u32 {
        8 << self as u32
    }
}

impl StackAddress {
    /// The base in bytes, relative to the allocation.
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
