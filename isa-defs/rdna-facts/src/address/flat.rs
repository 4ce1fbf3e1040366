//! Addresses of FLAT, GLOBAL and SCRATCH instructions. Guide chapter 11.

use amdgpu_memory::address::{aligned, natural};

use super::lds::lds_piece;
use super::{Address, AlignmentMode, Fault, NO_ACCESS, Spans, bytes_accessed, thread_id, updates_memory};
use crate::{Family, File, Format, Generation, Instruction, Registers, Value, Wave, roles};

/// The addressing mode. Guide §11.2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// FLAT: a 64-bit address in VGPRs; the aperture that it is in selects the memory.
    Flat,
    /// GLOBAL: a 64-bit address in VGPRs.
    Gv,
    /// GLOBAL: a 64-bit address in SGPRs and a 32-bit offset in a VGPR.
    Gvs,
    /// GLOBAL: a 64-bit address in SGPRs and the thread ID times four.
    Gt,
    /// SCRATCH: an offset in a VGPR.
    Sv,
    /// SCRATCH: an offset in an SGPR.
    Ss,
    /// SCRATCH: an offset in a VGPR and one in an SGPR.
    Svs,
    /// SCRATCH: the immediate offset alone.
    St,
}

/// The access that an instruction encodes. Guide §11 (instruction fields), §11.2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlatAccess {
    /// The addressing mode.
    pub mode: Mode,
    /// Whether SADDR names SGPRs. NULL counts as zero.
    pub saddr: bool,
    /// OFFSET, in RDNA4 IOFFSET; never negative in mode [`Mode::Flat`] of RDNA3.
    pub offset: i32,
    /// The number of bytes of the access.
    pub bytes: u32,
    /// Whether the instruction is an atomic.
    pub atomic: bool,
    /// The family of the generation: its invalid addresses and the alignment of offsets into scratch.
    pub family: Family,
}

/// The apertures of shared memory (LDS) and private memory (scratch) among flat addresses, each as its first and last
/// address: the values of SRC_SHARED_BASE, SRC_SHARED_LIMIT, SRC_PRIVATE_BASE and SRC_PRIVATE_LIMIT. Guide §11, §11.1.1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Apertures {
    /// Shared memory.
    pub shared: (u64, u64),
    /// Private memory.
    pub private: (u64, u64),
}

impl Default for Apertures {
    /// Apertures of four gigabytes at the first addresses that [`Hole`] has for them.
    fn default() -> Self {
        const LAST: u64 = u32::MAX as u64;
        let (private, shared) = (1 << 48, 1 << 48 | 1 << 46);
        Apertures { shared: (shared, shared + LAST), private: (private, private + LAST) }
    }
}

/// The region that bits 48 to 46 of an address select. Guide §11.1.1, the table of the hole.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Hole {
    /// Global memory.
    Normal,
    /// The region of the private aperture.
    PotentialPrivate,
    /// The region of the shared aperture.
    PotentialShared,
    /// Invalid addresses.
    Invalid,
}

/// Returns the region of an address by its bits 48 to 46, in RDNA3. Guide §11.1.1.
#[must_use]
pub const fn hole(address: u64) -> Hole {
    match address >> 46 & 7 {
        0..4 => Hole::Normal,
        4 => Hole::PotentialPrivate,
        5 => Hole::PotentialShared,
        _ => Hole::Invalid,
    }
}

/// The memory that a flat address selects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Space {
    /// Global memory.
    Global,
    /// Local data share.
    Lds,
    /// Scratch.
    Scratch,
}

impl Apertures {
    /// Returns the memory of an address, before offsets are added: that of the aperture it is in, or global memory outside
    /// the hole. `None` for invalid addresses. Guide §11.1.1; RDNA4's §11.2, whose hole has all addresses whose bits 63 to 47 are
    /// not equal.
    #[must_use]
    pub const fn space(&self, address: u64, family: Family) -> Option<Space> {
        let is_normal = match family {
            Family::Gfx11 => matches!(hole(address), Hole::Normal),
            Family::Gfx12 => matches!((address as i64) >> 47, 0 | -1),
        };
        if address >= self.shared.0 && address <= self.shared.1 {
            Some(Space::Lds)
        } else if address >= self.private.0 && address <= self.private.1 {
            Some(Space::Scratch)
        } else if is_normal {
            Some(Space::Global)
        } else {
            None
        }
    }
}

/// The state that an address depends on besides the instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FlatState {
    /// ADDR and the register after it; a 32-bit offset is the low half.
    pub vaddr: u64,
    /// SADDR and the register after it; a 32-bit offset is the low half.
    pub saddr: u64,
    /// The lane number.
    pub lane: u8,
    /// The wave size.
    pub wave: Wave,
    /// FLAT_SCRATCH.
    pub scratch_base: u64,
    /// The apertures of LDS and scratch.
    pub apertures: Apertures,
    /// The number of bytes of LDS that are allocated.
    pub lds_size: u32,
    /// The alignment mode. Loads and stores of scratch may be misaligned in every mode (guide §11.3).
    pub alignment: AlignmentMode,
}

/// The memory and the bytes of an access.
// The crate has no allocator, so the variant cannot be boxed.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Landing {
    /// Global memory.
    Global(Address),
    /// LDS, relative to the allocation.
    Lds(Address),
    /// Scratch memory, as global addresses: one piece for each dword that the access touches.
    Scratch(Spans),
}

/// The fault of an address in the hole, outside the apertures. Guide §11.3.
pub const INVALID_ADDRESS: &str = "the address is in no aperture";
/// The fault of a GLOBAL instruction whose address is in LDS. Guide §11.1.2.
pub const GLOBAL_TO_LDS: &str = "a GLOBAL instruction cannot access LDS";
/// The fault of a flat atomic of eight bytes on scratch. Guide §11.1.1.
pub const WIDE_SCRATCH_ATOMIC: &str = "an atomic on scratch memory has four bytes";
/// The fault of a negative sum of scratch offsets. Guide §11.2.
pub const NEGATIVE_SCRATCH: &str = "the sum of the offsets into scratch must not be negative";
/// The fault of a negative immediate in mode ST. Guide §11.2.
pub const NEGATIVE_ST: &str = "the immediate offset must not be negative without another offset";
/// The fault of a misaligned immediate in mode SS. Guide §11.2.
pub const SS_OFFSET: &str = "the immediate offset beside a scalar one must be aligned to the size of the access";

/// The fault of a misaligned immediate in mode ST of RDNA4. RDNA4's guide §11.2.
pub const ST_OFFSET: &str = "the immediate offset without another one must be aligned to the size of the access";

/// The bytes of the largest access at one address.
const LARGEST: u32 = 16;

/// The number of lanes whose dwords are adjacent in scratch: const_index_stride. Guide §11.2.
#[must_use]
pub const fn scratch_index_stride(wave: Wave) -> u64 {
    match wave {
        Wave::W32 => 32,
        Wave::W64 => 64,
    }
}

/// Returns SWIZZLE of guide §11.2: the distance of byte `offset` of a lane's scratch from the wave's scratch base.
#[must_use]
pub const fn scratch_swizzle(offset: u64, lane: u8, wave: Wave) -> u64 {
    let row = (offset / 4).wrapping_mul(4 * scratch_index_stride(wave));
    row.wrapping_add(offset % 4).wrapping_add(4 * thread_id(lane) as u64)
}

/// Returns the bytes of scratch at a sum of offsets, which wraps at 32 bits and must not be negative.
fn scratch(sum: i64, bytes: u32, state: &FlatState) -> Result<Spans, Fault> {
    let Ok(sum) = u64::try_from(sum) else {
        return Err(Fault::Forbidden(NEGATIVE_SCRATCH));
    };
    let mut offset = sum & u64::from(u32::MAX);
    let mut spans = Spans::NONE;
    let end = offset + u64::from(bytes);
    while offset < end {
        let next = (offset / 4 * 4 + 4).min(end);
        let byte = state.scratch_base.wrapping_add(scratch_swizzle(offset, state.lane, state.wave));
        spans.push(Ok(Address::new(byte, (next - offset) as u32)));
        offset = next;
    }
    Ok(spans)
}

impl FlatAccess {
    /// Returns the access of a FLAT, GLOBAL or SCRATCH instruction; `None` for other instructions, and for RDNA4's moves of blocks of
    /// registers.
    #[must_use]
    pub fn of<I: Instruction>(instr: &I) -> Option<Self> {
        let format = instr.microcode();
        if !matches!(format, Format::Flat | Format::Global | Format::Scratch) {
            return None;
        }
        // M0 says which dwords a block of registers has.
        let bytes = bytes_accessed(instr).filter(|bytes| *bytes <= LARGEST)?;
        let fields = I::Generation::vector_fields(&instr.dwords());
        let has_address = instr.operand_infos(Wave::W32).any(|o| o.role == roles::ADDR);
        let saddr = instr.operand_infos(Wave::W32).find(|o| o.role == roles::SADDR).map(|o| o.value);
        let saddr = !matches!(saddr, None | Some(Value::Off | Value::Registers(Registers { file: File::Null, .. })));
        let family = I::Generation::FAMILY;
        let (mode, offset) = match format {
            // Bit 12 of RDNA3's offset is ignored (guide §11, instruction fields).
            Format::Flat if family == Family::Gfx11 => (Mode::Flat, fields.offset & 0xfff),
            Format::Flat => (Mode::Flat, fields.offset),
            // The thread ID is the address if the instruction has none.
            Format::Global if !has_address => (Mode::Gt, fields.offset),
            Format::Global => (if saddr { Mode::Gvs } else { Mode::Gv }, fields.offset),
            _ => {
                let mode = match (fields.sve, saddr) {
                    (false, false) => Mode::St,
                    (false, true) => Mode::Ss,
                    (true, false) => Mode::Sv,
                    (true, true) => Mode::Svs,
                };
                (mode, fields.offset)
            }
        };
        let atomic = updates_memory(instr.body_effects());
        Some(FlatAccess { mode, saddr, offset, bytes, atomic, family })
    }

    /// Returns the memory and the bytes that the instruction accesses. Guide §11.2, §11.3.
    ///
    /// Sums of 64-bit addresses wrap at 64 bits; the 32-bit offset beside a scalar address is extended first. Sums of offsets
    /// into scratch wrap at 32 bits.
    ///
    /// # Errors
    /// The fault of the address.
    pub fn address(&self, state: &FlatState) -> Result<Landing, Fault> {
        let FlatAccess { mode, offset, bytes, atomic, family, .. } = *self;
        let saddr = if self.saddr { state.saddr } else { 0 };
        let constant = i64::from(offset);
        let (vector, scalar) = (state.vaddr as u32, saddr as u32);
        // Registers hold signed offsets into scratch in RDNA4 (its guide §11.2).
        let register = |offset: u32| match family {
            Family::Gfx11 => i64::from(offset),
            Family::Gfx12 => i64::from(offset as i32),
        };
        let global = |base: u64, more: u64| {
            match state.apertures.space(base, family) {
                Some(Space::Lds) => return Err(Fault::Forbidden(GLOBAL_TO_LDS)),
                None => return Err(Fault::Forbidden(INVALID_ADDRESS)),
                Some(Space::Global | Space::Scratch) => {}
            }
            let byte = base.wrapping_add(more).wrapping_add_signed(constant);
            state.alignment.apply_to(Address::new(byte, bytes), bytes, atomic).map(Landing::Global)
        };
        match mode {
            Mode::Gv => global(state.vaddr, 0),
            Mode::Gvs => global(saddr, u64::from(vector)),
            Mode::Gt => global(saddr, u64::from(4 * thread_id(state.lane))),
            Mode::Sv => scratch(register(vector) + constant, bytes, state).map(Landing::Scratch),
            Mode::Svs => scratch(register(vector) + register(scalar) + constant, bytes, state).map(Landing::Scratch),
            Mode::Ss if family == Family::Gfx11 => {
                if constant.rem_euclid(i64::from(natural(bytes))) != 0 {
                    return Err(Fault::Forbidden(SS_OFFSET));
                }
                let sum = i64::from(scalar) + constant;
                // Accesses below a dword are bound by this, too (guide §11.2).
                aligned(Address::new(sum as u64, bytes), 4)?;
                scratch(sum, bytes, state).map(Landing::Scratch)
            }
            Mode::Ss => scratch(register(scalar) + constant, bytes, state).map(Landing::Scratch),
            Mode::St if offset < 0 => Err(Fault::Forbidden(NEGATIVE_ST)),
            Mode::St if family == Family::Gfx12 && constant.rem_euclid(i64::from(natural(bytes))) != 0 => {
                Err(Fault::Forbidden(ST_OFFSET))
            }
            Mode::St => scratch(constant, bytes, state).map(Landing::Scratch),
            Mode::Flat => self.flat(state),
        }
    }

    fn flat(&self, state: &FlatState) -> Result<Landing, Fault> {
        let FlatAccess { offset, bytes, atomic, family, .. } = *self;
        let constant = i64::from(offset);
        let apertures = &state.apertures;
        match apertures.space(state.vaddr, family) {
            None => Err(Fault::Forbidden(INVALID_ADDRESS)),
            Some(Space::Global) => {
                let address = Address::new(state.vaddr.wrapping_add_signed(constant), bytes);
                state.alignment.apply_to(address, bytes, atomic).map(Landing::Global)
            }
            Some(Space::Lds) => {
                let byte = (state.vaddr - apertures.shared.0).wrapping_add_signed(constant);
                // RDNA4 adds in 17 bits, which may wrap (its guide §11.2).
                let byte = if family == Family::Gfx12 { byte & 0x1_FFFF } else { byte };
                lds_piece(byte, bytes, atomic, state.lds_size, state.alignment).map(Landing::Lds)
            }
            Some(Space::Scratch) if atomic && bytes > 4 => Err(Fault::Forbidden(WIDE_SCRATCH_ATOMIC)),
            Some(Space::Scratch) => {
                let offset = (state.vaddr - apertures.private.0).wrapping_add_signed(constant);
                // Loads and stores of scratch may be misaligned (guide §11.3), atomics may not (§3.3.3).
                if atomic {
                    aligned(Address::new(offset, bytes), natural(bytes))?;
                }
                scratch(i64::try_from(offset).unwrap_or(-1), bytes, state).map(Landing::Scratch)
            }
        }
    }
}

/// Returns the memory and the bytes that a FLAT, GLOBAL or SCRATCH instruction accesses. Guide §11.2.
///
/// # Errors
/// [`NO_ACCESS`] for other instructions, and the fault of the address.
pub fn address<I: Instruction>(instr: &I, state: &FlatState) -> Result<Landing, Fault> {
    FlatAccess::of(instr).ok_or(NO_ACCESS)?.address(state)
}
