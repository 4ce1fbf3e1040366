//! Hardware registers of S_GETREG and S_SETREG: their access rights and fields (guide §3.4). Those of RDNA4 are in [`rdna4`].
//!
//! ```
//! use rdna3::{operands::HwRegister, register};
//!
//! // s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3: round towards zero in single precision, to nearest in double.
//! let parts = register::parts(HwRegister { id: 1, offset: 0, size: 4 });
//! assert!(parts.map(|p| (p.field.name, p.whole())).eq([("FP_ROUND.SINGLE", true), ("FP_ROUND.DOUBLE", true)]));
//! assert_eq!(register::Mode::from_bits(3).single_round(), register::Round::TowardZero);
//! ```

use rdna_rows::operands::HwRegister;

pub mod rdna4;

use crate::Family;
pub use crate::layout::Field;
use crate::layout::layout;

/// The access rights of a register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// Every shader reads and writes it.
    ReadWrite,
    /// Every shader reads it; only the trap handler (STATUS.PRIV is 1) writes it.
    ReadPrivilegedWrite,
    /// Read-only.
    Read,
    /// Write-only.
    Write,
    /// The guide does not name the register, LLVM does.
    Untold,
}

/// A hardware register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Register {
    /// The number in `hwreg(…)`.
    pub id: u8,
    /// The guide's name, or LLVM's if the guide has none.
    pub name: &'static str,
    /// The access rights.
    pub access: Access,
    /// The fields; none if the guide lists none.
    pub fields: &'static [Field],
    /// The section of the guide, if it has one.
    pub section: Option<&'static str>,
}

impl Register {
    const fn new(id: u8, name: &'static str, access: Access, fields: &'static [Field], section: &'static str) -> Self {
        Register { id, name, access, fields, section: Some(section) }
    }

    const fn untold(id: u8, name: &'static str) -> Self {
        Register { id, name, access: Access::Untold, fields: &[], section: None }
    }

    /// The name in RDNA3's text, `HW_REG_…`, if the register has one.
    #[must_use]
    pub fn text(&self) -> Option<&'static str> {
        HwRegister { id: self.id, offset: 0, size: 32 }.name()
    }
}

/// All hardware registers of RDNA3, by number.
pub static REGISTERS: [Register; 16] = [
    Register::new(1, "MODE", Access::ReadWrite, Mode::FIELDS, "3.4.2"),
    Register::new(2, "STATUS", Access::ReadPrivilegedWrite, Status::FIELDS, "3.4.1"),
    Register::new(3, "TRAPSTS", Access::ReadWrite, TrapStatus::FIELDS, "3.4.9"),
    Register::untold(5, "GPR_ALLOC"),
    Register::untold(6, "LDS_ALLOC"),
    Register::untold(7, "IB_STS"),
    Register::new(14, "FLUSH_IB", Access::Write, FlushIb::FIELDS, "3.4.8"),
    Register::new(15, "SH_MEM_BASES", Access::Read, MemoryBases::FIELDS, "3.4"),
    Register::untold(18, "PERF_SNAPSHOT_PC_LO"),
    Register::untold(19, "PERF_SNAPSHOT_PC_HI"),
    Register::new(20, "FLAT_SCRATCH_LO", Access::ReadPrivilegedWrite, FlatScratchLow::FIELDS, "3.4.7"),
    Register::new(21, "FLAT_SCRATCH_HI", Access::ReadPrivilegedWrite, FlatScratchHigh::FIELDS, "3.4.7"),
    Register::new(23, "HW_ID1", Access::Read, HwId1::FIELDS, "3.4.8"),
    Register::new(24, "HW_ID2", Access::Read, HwId2::FIELDS, "3.4.8"),
    Register::untold(27, "PERF_SNAPSHOT_DATA"),
    Register::new(29, "SHADER_CYCLES", Access::Read, ShaderCycles::FIELDS, "3.4.10"),
];

/// Returns the hardware registers of a family, by number.
#[must_use]
pub fn registers(family: Family) -> &'static [Register] {
    match family {
        Family::Gfx11 => &REGISTERS,
        Family::Gfx12 => &rdna4::REGISTERS,
    }
}

/// Returns the register with this number.
#[must_use]
pub fn register(id: u8) -> Option<&'static Register> {
    with_id(&REGISTERS, id)
}

fn with_id(registers: &'static [Register], id: u8) -> Option<&'static Register> {
    registers.iter().find(|register| register.id == id)
}

/// The part of a field that `hwreg(…)` covers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Part {
    /// The field.
    pub field: Field,
    /// The lowest covered bit, counted from the field's lowest.
    pub lo: u8,
    /// The number of covered bits.
    pub width: u8,
}

impl Part {
    /// Whether the whole field is covered.
    #[must_use]
    pub const fn whole(&self) -> bool {
        self.width == self.field.width
    }
}

/// The fields that `hwreg(id, offset, size)` reads or writes, the lowest first; none for a register without a table.
pub fn parts(bits: HwRegister) -> impl Iterator<Item = Part> {
    parts_of(register(bits.id), bits.offset, bits.size)
}

/// The fields of a register in a range of bits.
fn parts_of(register: Option<&'static Register>, offset: u8, size: u8) -> impl Iterator<Item = Part> {
    let (first, end) = (offset, offset.saturating_add(size));
    let fields = register.map_or(&[][..], |register| register.fields);
    fields.iter().filter(|f| !f.name.is_empty()).filter_map(move |field| {
        let (lo, hi) = (first.max(field.lo), end.min(field.lo + field.width));
        (lo < hi).then(|| Part { field: *field, lo: lo - field.lo, width: hi - lo })
    })
}

/// The rounding mode. Guide §3.4.2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Round {
    /// To nearest, ties to even.
    #[default]
    NearestEven = 0,
    /// Toward positive infinity.
    TowardPlus = 1,
    /// Toward negative infinity.
    TowardMinus = 2,
    /// Toward zero.
    TowardZero = 3,
}

impl Round {
    /// Returns the mode with this number; only the low two bits are used.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Round::NearestEven,
            1 => Round::TowardPlus,
            2 => Round::TowardMinus,
            _ => Round::TowardZero,
        }
    }

    /// The number.
    #[must_use]
    pub const fn into_bits(self) -> u8 {
        self as u8
    }
}

/// The denormal mode. Guide §3.4.2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Denormals {
    /// Operands and results are flushed.
    #[default]
    Flush = 0,
    /// Operands keep denormals, results are flushed.
    FlushResults = 1,
    /// Operands are flushed, results keep denormals.
    FlushOperands = 2,
    /// Operands and results keep denormals.
    Keep = 3,
}

impl Denormals {
    /// Returns the mode with this number; only the low two bits are used.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Denormals::Flush,
            1 => Denormals::FlushResults,
            2 => Denormals::FlushOperands,
            _ => Denormals::Keep,
        }
    }

    /// The number.
    #[must_use]
    pub const fn into_bits(self) -> u8 {
        self as u8
    }

    /// Whether denormal operands keep their value.
    #[must_use]
    pub const fn keeps_operands(self) -> bool {
        self as u8 & 1 != 0
    }

    /// Whether denormal results keep their value.
    #[must_use]
    pub const fn keeps_results(self) -> bool {
        self as u8 & 2 != 0
    }
}

layout! {
    /// How floats are computed and which exceptions trap; any shader reads and writes it. Guide §3.4.2, table 6.
    ///
    /// FP_ROUND and FP_DENORM of the guide are two fields here each: of single precision, and of double and half
    /// precision. S_ROUND_MODE sets the first two, S_DENORM_MODE the next two.
    Mode {
        /// Rounding of single precision: FP_ROUND bits 1:0.
        single_round: Round = 2, "FP_ROUND.SINGLE";
        /// Rounding of double and half precision: FP_ROUND bits 3:2.
        double_round: Round = 2, "FP_ROUND.DOUBLE";
        /// Denormals in single precision: FP_DENORM bits 5:4.
        single_denormals: Denormals = 2, "FP_DENORM.SINGLE";
        /// Denormals in double and half precision: FP_DENORM bits 7:6.
        double_denormals: Denormals = 2, "FP_DENORM.DOUBLE";
        /// CLAMP makes zero of NaN, and vector instructions raise no exceptions.
        dx10_clamp: bool = 1, "DX10_CLAMP";
        /// Minimum and maximum as IEEE 754-2008 has them; signalling NaNs are quieted.
        ieee: bool = 1, "IEEE";
        /// Some texture access had its level of detail clamped; stays set.
        lod_clamped: bool = 1, "LOD_CLAMPED";
        /// Traps after each instruction.
        trap_after_inst: bool = 1, "TRAP_AFTER_INST";
        /// Which exceptions trap: see [`Exceptions`]; bit 9 traps at the wave's end.
        exceptions: u16 = 10, "EXCP_EN";
        __: u32 = 1, "";
        /// Overflow in half precision gives the largest number instead of infinity.
        fp16_overflow: bool = 1, "FP16_OVFL";
        __: u32 = 3, "";
        /// The wave is not counted by performance counters.
        disable_perf: bool = 1, "DISABLE_PERF";
        __: u32 = 4, "";
    }
}

layout! {
    /// The status of a wave. Shaders read it; the trap handler writes some of it ([`Status::PRIVILEGED_WRITES`]).
    /// Guide §3.4.1, table 5.
    Status {
        /// Scalar condition code.
        scc: bool = 1, "SCC";
        /// Priority given at creation, 3 the highest.
        system_priority: u8 = 2, "SYS_PRIO";
        /// Priority that S_SETPRIO gave.
        user_priority: u8 = 2, "USER_PRIO";
        /// In the trap handler.
        privileged: bool = 1, "PRIV";
        /// There is a trap handler; without one nothing traps.
        trap_enabled: bool = 1, "TRAP_EN";
        __: u32 = 1, "";
        /// There is room for exports; they stall until it is set.
        export_ready: bool = 1, "EXPORT_RDY";
        /// EXEC is zero.
        execz: bool = 1, "EXECZ";
        /// VCC is zero.
        vccz: bool = 1, "VCCZ";
        /// Its workgroup has more than this wave.
        in_workgroup: bool = 1, "IN_WG";
        /// Waits at a barrier.
        in_barrier: bool = 1, "IN_BARRIER";
        /// Halted, or about to; ignored in the trap handler.
        halt: bool = 1, "HALT";
        /// Will enter the trap handler.
        trap: bool = 1, "TRAP";
        __: u32 = 1, "";
        /// Created and not ended.
        valid: bool = 1, "VALID";
        __: u32 = 1, "";
        /// Exports do nothing: no room is given to this shader.
        skip_export: bool = 1, "SKIP_EXPORT";
        /// Performance counters count the wave.
        perf_enabled: bool = 1, "PERF_EN";
        /// The user's flag that S_CBRANCH_CDBGUSER asks.
        debug_user: bool = 1, "CDBG_USER";
        /// The system's flag that S_CBRANCH_CDBGSYS asks.
        debug_system: bool = 1, "CDBG_SYS";
        __: u32 = 1, "";
        /// Halted by an error; in the trap handler too.
        fatal_halt: bool = 1, "FATAL_HALT";
        /// Has given its VGPRs back.
        no_vgprs: bool = 1, "NO_VGPRS";
        /// The attributes are in LDS: LDS_PARAM_LOAD need not stall.
        lds_param_ready: bool = 1, "LDS_PARAM_RDY";
        /// Has yet to send GS_ALLOC_REQ.
        must_gs_alloc: bool = 1, "MUST_GS_ALLOC";
        /// Has yet to export with DONE (pixel shaders) or to count in order (geometry shaders).
        must_export: bool = 1, "MUST_EXPORT";
        /// Nothing is outstanding.
        idle: bool = 1, "IDLE";
        /// Has scratch memory.
        scratch_enabled: bool = 1, "SCRATCH_EN";
        __: u32 = 2, "";
    }
}

impl Status {
    /// The bits that the trap handler can write.
    pub const PRIVILEGED_WRITES: u32 = Status::new()
        .with_scc(true)
        .with_system_priority(3)
        .with_user_priority(3)
        .with_export_ready(true)
        .with_halt(true)
        .with_skip_export(true)
        .with_debug_user(true)
        .with_debug_system(true)
        .with_lds_param_ready(true)
        .with_must_export(true)
        .with_scratch_enabled(true)
        .into_bits();
}

layout! {
    /// Exceptions by their bit in MODE.EXCP_EN and TRAPSTS.EXCP. Guide §3.4.9.
    Exceptions {
        /// The operand is not valid for the operation.
        invalid: bool = 1, "INVALID";
        /// An operand is denormal.
        input_denormal: bool = 1, "INPUT_DENORMAL";
        /// A float was divided by zero.
        float_divide_by_zero: bool = 1, "FLOAT_DIV0";
        /// The result is larger than the largest number.
        overflow: bool = 1, "OVERFLOW";
        /// The result is smaller than the smallest normal number.
        underflow: bool = 1, "UNDERFLOW";
        /// The result was rounded.
        inexact: bool = 1, "INEXACT";
        /// An integer was divided by zero.
        integer_divide_by_zero: bool = 1, "INT_DIV0";
        /// Address 0 that is watched was accessed.
        address_watch: bool = 1, "ADDR_WATCH";
        /// Memory violation: in TRAPSTS alone, it cannot be masked.
        memory_violation: bool = 1, "MEM_VIOL";
        /// The wave ends: in MODE alone.
        wave_end: bool = 1, "WAVE_END";
        __: u32 = 22, "";
    }
}

layout! {
    /// The causes of traps; the trap handler and shaders clear it. Guide §3.4.9.
    TrapStatus {
        /// The exceptions since it was cleared, enabled or not: see [`Exceptions`].
        exceptions: u16 = 9, "EXCP";
        __: u32 = 1, "";
        /// The host wants the wave's context saved.
        save_context: bool = 1, "SAVECTX";
        /// An illegal instruction was met.
        illegal_inst: bool = 1, "ILLEGAL_INST";
        /// Which of the watched addresses 1 to 3 was hit, a bit each; address 0 has a bit among the exceptions.
        address_watch: u8 = 3, "ADDR_WATCH1-3";
        /// A buffer access was out of bounds; does not trap.
        buffer_out_of_bounds: bool = 1, "BUFFER_OOB";
        /// The host sent the wave to the trap handler.
        host_trap: bool = 1, "HOST_TRAP";
        /// The handler was called before a wave's first instruction.
        wave_start: bool = 1, "WAVE_START";
        /// The handler was called after a wave's last instruction.
        wave_end: bool = 1, "WAVE_END";
        __: u32 = 1, "";
        /// The handler was called because of MODE.TRAP_AFTER_INST.
        trap_after_inst: bool = 1, "TRAP_AFTER_INST";
        __: u32 = 11, "";
    }
}

layout! {
    /// Writing 1 drops the instructions that waves have fetched. Guide §3.4.8.
    FlushIb {
        /// Drops them.
        flush: bool = 1, "FLUSH_IB";
        __: u32 = 31, "";
    }
}

layout! {
    /// The high parts of the apertures' addresses. Guide §3.4, §3.4.8.
    MemoryBases {
        /// Scratch memory.
        private_base: u16 = 16, "PRIVATE_BASE";
        /// LDS.
        shared_base: u16 = 16, "SHARED_BASE";
    }
}

layout! {
    /// The low half of the address of a wave's scratch memory, a multiple of 256. Guide §3.4.7.
    FlatScratchLow {
        /// Bits 31 to 0.
        base: u32 = 32, "SCRATCH_BASE[31:0]";
    }
}

layout! {
    /// The high half of the address of a wave's scratch memory. Guide §3.4.7.
    FlatScratchHigh {
        /// Bits 63 to 32.
        base: u32 = 32, "SCRATCH_BASE[63:32]";
    }
}

layout! {
    /// Where a wave runs. For debugging: it may move. Guide §3.4.8.
    HwId1 {
        /// Within the SIMD.
        wave: u8 = 5, "WAVE_ID";
        __: u32 = 3, "";
        /// Within the WGP: bit 0 the row, bit 1 the column.
        simd: u8 = 2, "SIMD_ID";
        /// The physical workgroup processor.
        wgp: u8 = 4, "WGP_ID";
        __: u32 = 2, "";
        /// Shader array.
        shader_array: bool = 1, "SA_ID";
        __: u32 = 1, "";
        /// Shader engine.
        shader_engine: u8 = 3, "SE_ID";
        __: u32 = 8, "";
        /// One more than the logarithm of how many lanes compute in double precision at a time; 0: none.
        double_rate: u8 = 3, "DP_RATE";
    }
}

layout! {
    /// For whom a wave runs. For debugging: it may move. Guide §3.4.8.
    HwId2 {
        /// The queue, and with it the shader stage.
        queue: u8 = 4, "QUEUE_ID";
        /// The pipeline.
        pipe: u8 = 2, "PIPE_ID";
        __: u32 = 2, "";
        /// The micro engine: 0 graphics, 1 and 2 compute.
        micro_engine: u8 = 2, "ME_ID";
        __: u32 = 2, "";
        /// The state context.
        state: u8 = 3, "STATE_ID";
        __: u32 = 1, "";
        /// The workgroup within the WGP.
        workgroup: u8 = 5, "WG_ID";
        __: u32 = 3, "";
        /// The virtual memory.
        vm: u8 = 4, "VM_ID";
        __: u32 = 4, "";
    }
}

layout! {
    /// A counter of clocks, to measure parts of one wave with. Guide §3.4.10.
    ShaderCycles {
        /// It starts again at zero after 20 bits.
        cycles: u32 = 20, "CYCLES";
        __: u32 = 12, "";
    }
}
