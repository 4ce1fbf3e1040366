//! Hardware registers of RDNA4 (its guide §3.4).
//!
//! ```
//! use rdna4::{operands::Rdna4HwRegister, register};
//!
//! // s_getreg_b32 s0, hwreg(HW_REG_WAVE_STATE_PRIV, 9, 3): SCC and the priority that the wave was created with.
//! let parts = register::parts(Rdna4HwRegister { id: 4, offset: 9, size: 3 });
//! assert!(parts.map(|part| (part.field.name, part.whole())).eq([("SCC", true), ("SYS_PRIO", true)]));
//! ```

use rdna_rows::operands::{RDNA4_HW_REGISTERS, Rdna4HwRegister};

pub use super::{Access, Denormals, Field, HwId2, Part, Register, Round};
use super::{parts_of, with_id};
use crate::layout::layout;

/// All hardware registers of RDNA4, by number. RDNA4's guide §3.4. LLVM names more: 5, 6, 7, 26, 31 and 32.
pub static REGISTERS: [Register; 18] = [
    Register::new(1, "MODE", Access::ReadWrite, ModeFields::FIELDS, "3.4.3"),
    Register::new(2, "STATUS", Access::Read, StatusFields::FIELDS, "3.4.1"),
    Register::new(4, "STATE_PRIV", Access::ReadPrivilegedWrite, StatePriv::FIELDS, "3.4.2"),
    Register::new(10, "PERF_SNAPSHOT_DATA", Access::Read, PerfSnapshot::FIELDS, "3.4.9"),
    Register::new(11, "PERF_SNAPSHOT_PC_LO", Access::Read, &[], "3.4.9"),
    Register::new(12, "PERF_SNAPSHOT_PC_HI", Access::Read, &[], "3.4.9"),
    Register::new(15, "PERF_SNAPSHOT_DATA1", Access::Read, PerfSnapshot1::FIELDS, "3.4.9"),
    Register::new(16, "PERF_SNAPSHOT_DATA2", Access::Read, PerfSnapshot2::FIELDS, "3.4.9"),
    Register::new(17, "EXCP_FLAG_PRIV", Access::ReadPrivilegedWrite, ExceptionFlagsPriv::FIELDS, "3.4.10"),
    Register::new(18, "EXCP_FLAG_USER", Access::ReadWrite, ExceptionFlagsUser::FIELDS, "3.4.10"),
    Register::new(19, "TRAP_CTRL", Access::ReadPrivilegedWrite, TrapControl::FIELDS, "3.4.10"),
    Register::new(20, "SCRATCH_BASE_LO", Access::ReadPrivilegedWrite, super::FlatScratchLow::FIELDS, "3.4.8"),
    Register::new(21, "SCRATCH_BASE_HI", Access::ReadPrivilegedWrite, super::FlatScratchHigh::FIELDS, "3.4.8"),
    Register::new(23, "HW_ID1", Access::Read, WaveId::FIELDS, "3.4.9"),
    Register::new(24, "HW_ID2", Access::Read, HwId2::FIELDS, "3.4.9"),
    Register::new(28, "IB_STS2", Access::Read, &[], "3.4"),
    Register::new(29, "SHADER_CYCLES_LO", Access::Read, &[], "3.4.11"),
    Register::new(30, "SHADER_CYCLES_HI", Access::Read, &[], "3.4.11"),
];

/// Returns the register with this number.
#[must_use]
pub fn register(id: u8) -> Option<&'static Register> {
    with_id(&REGISTERS, id)
}

/// Returns the name of a register in text, `HW_REG_…`, if it has one.
#[must_use]
pub fn text(id: u8) -> Option<&'static str> {
    RDNA4_HW_REGISTERS.iter().find(|(number, _)| *number == id).map(|(_, name)| *name)
}

/// The fields that `hwreg(id, offset, size)` reads or writes, the lowest first; none for a register without a table.
pub fn parts(bits: Rdna4HwRegister) -> impl Iterator<Item = Part> {
    parts_of(register(bits.id), bits.offset, bits.size)
}

layout! {
    /// How floats are computed; any shader reads and writes it. RDNA4's guide §3.4.3, table 7.
    ModeFields {
        /// Rounding of single precision: FP_ROUND bits 1:0.
        single_round: Round = 2, "FP_ROUND.SINGLE";
        /// Rounding of double and half precision: FP_ROUND bits 3:2.
        double_round: Round = 2, "FP_ROUND.DOUBLE";
        /// Denormals in single precision: FP_DENORM bits 5:4.
        single_denormals: Denormals = 2, "FP_DENORM.SINGLE";
        /// Denormals in double and half precision: FP_DENORM bits 7:6.
        double_denormals: Denormals = 2, "FP_DENORM.DOUBLE";
        __: u32 = 15, "";
        /// Overflow in half precision gives the largest number instead of infinity.
        fp16_overflow: bool = 1, "FP16_OVFL";
        /// Scalar prefetches of instructions and data are executed.
        scalar_prefetch: bool = 1, "SCALAR_PREFETCH_EN";
        __: u32 = 2, "";
        /// The wave is not counted by performance counters.
        disable_perf: bool = 1, "DISABLE_PERF";
        __: u32 = 4, "";
    }
}

layout! {
    /// The status of a wave, which no program writes. RDNA4's guide §3.4.1, table 5.
    StatusFields {
        __: u32 = 5, "";
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
        __: u32 = 2, "";
        /// Will enter the trap handler.
        trap: bool = 1, "TRAP";
        /// The barrier of trap handlers is complete, and the wave has not waited for it.
        trap_barrier_complete: bool = 1, "TRAP_BARRIER_COMPLETE";
        /// Created and not ended.
        valid: bool = 1, "VALID";
        __: u32 = 1, "";
        /// Exports do nothing: no room is given to this shader.
        skip_export: bool = 1, "SKIP_EXPORT";
        __: u32 = 4, "";
        /// Halted by an error; in the trap handler too.
        fatal_halt: bool = 1, "FATAL_HALT";
        /// Has given its VGPRs back.
        no_vgprs: bool = 1, "NO_VGPRS";
        /// The attributes are in LDS: DS_PARAM_LOAD need not stall.
        lds_param_ready: bool = 1, "LDS_PARAM_RDY";
        /// Has yet to send GS_ALLOC_REQ.
        must_gs_alloc: bool = 1, "MUST_GS_ALLOC";
        /// Has yet to export with DONE (pixel shaders).
        must_export: bool = 1, "MUST_EXPORT";
        /// Nothing is outstanding.
        idle: bool = 1, "IDLE";
        /// Has 64 lanes.
        wave64: bool = 1, "WAVE64";
        /// VGPRs are allocated while it runs.
        dynamic_vgprs: bool = 1, "DYN_VGPR_EN";
        __: u32 = 1, "";
    }
}

layout! {
    /// The state that trap handlers write. RDNA4's guide §3.4.2, table 6.
    StatePriv {
        /// The waves of the workgroup are issued in turn.
        round_robin: bool = 1, "WG_RR_EN";
        /// The next S_SLEEP is skipped, since another wave woke this one.
        sleep_wakeup: bool = 1, "SLEEP_WAKEUP";
        /// The barrier is complete, and the wave has not waited for it.
        barrier_complete: bool = 1, "BARRIER_COMPLETE";
        __: u32 = 6, "";
        /// Scalar condition code.
        scc: bool = 1, "SCC";
        /// Priority given at creation, 3 the highest.
        system_priority: u8 = 2, "SYS_PRIO";
        /// Priority that S_SETPRIO gave.
        user_priority: u8 = 2, "USER_PRIO";
        /// Halted, or about to; ignored in the trap handler.
        halt: bool = 1, "HALT";
        __: u32 = 3, "";
        /// Has scratch memory.
        scratch_enabled: bool = 1, "SCRATCH_EN";
        __: u32 = 13, "";
    }
}

layout! {
    /// A sample of a wave. RDNA4's guide §3.4.9.
    PerfSnapshot {
        /// The data were written, and belong to the wave that reads them.
        valid: bool = 1, "VALID";
        /// The wave issued an instruction.
        issued: bool = 1, "WAVE_ISSUE";
        /// The type of the instruction.
        instruction_type: u8 = 4, "INST_TYPE";
        /// The reason for which none was issued.
        no_issue_reason: u8 = 3, "NO_ISSUE_REASON";
        /// The number of the wave.
        wave: u8 = 5, "WAVE_ID";
        __: u32 = 18, "";
    }
}

layout! {
    /// What else was issued when a sample was taken. RDNA4's guide §3.4.9.
    PerfSnapshot1 {
        /// The active waves of the compute unit.
        waves: u8 = 6, "WAVE_CNT";
        /// The types of instructions that the SIMD issued.
        issued: u8 = 7, "ISSUED";
        __: u32 = 1, "";
        /// The types of instructions that the SIMD could not issue.
        stalled: u8 = 7, "STALLED";
        __: u32 = 11, "";
    }
}

layout! {
    /// The counters of a sampled wave. RDNA4's guide §3.4.9.
    PerfSnapshot2 {
        /// LOADcnt.
        loads: u8 = 6, "LOADCNT";
        /// STOREcnt.
        stores: u8 = 6, "STORECNT";
        /// BVHcnt.
        rays: u8 = 3, "BVHCNT";
        /// SAMPLEcnt.
        samples: u8 = 6, "SAMPLECNT";
        /// DScnt.
        lds: u8 = 6, "DSCNT";
        /// KMcnt.
        scalar: u8 = 5, "KMCNT";
    }
}

layout! {
    /// Exceptions that the trap handler clears. RDNA4's guide §3.4.10.
    ExceptionFlagsPriv {
        /// Which of the watched addresses was hit, a bit each.
        address_watch: u8 = 4, "ADDR_WATCH";
        /// Memory violation.
        memory_violation: bool = 1, "MEMVIOL";
        /// The host wants the wave's context saved.
        save_context: bool = 1, "SAVE_CONTEXT";
        /// An illegal instruction was met.
        illegal_inst: bool = 1, "ILLEGAL_INST";
        /// The host sent the wave to the trap handler.
        host_trap: bool = 1, "HOST_TRAP";
        /// The handler was called before a wave's first instruction.
        wave_start: bool = 1, "WAVE_START";
        /// The handler was called after a wave's last instruction.
        wave_end: bool = 1, "WAVE_END";
        /// The handler was called for a sample of performance.
        perf_snapshot: bool = 1, "PERF_SNAPSHOT";
        /// The handler was called because of TRAP_CTRL.TRAP_AFTER_INST.
        trap_after_inst: bool = 1, "TRAP_AFTER_INST";
        __: u32 = 18, "";
        /// The source of the first memory violation: instruction cache, scalar memory, LDS, vector memory.
        first_violation: u8 = 2, "FIRST_MEMVIOL_SOURCE";
    }
}

layout! {
    /// Exceptions that any shader clears. RDNA4's guide §3.4.10.
    ExceptionFlagsUser {
        /// The operand is not valid for the operation.
        invalid: bool = 1, "ALU_INVALID";
        /// An operand is denormal.
        input_denormal: bool = 1, "ALU_INPUT_DENORM";
        /// A float was divided by zero.
        float_divide_by_zero: bool = 1, "ALU_FLOAT_DIV0";
        /// The result is larger than the largest number.
        overflow: bool = 1, "ALU_OVERFLOW";
        /// The result is smaller than the smallest normal number.
        underflow: bool = 1, "ALU_UNDERFLOW";
        /// The result was rounded.
        inexact: bool = 1, "ALU_INEXACT";
        /// An integer was divided by zero.
        integer_divide_by_zero: bool = 1, "ALU_INT_DIV0";
        __: u32 = 23, "";
        /// A buffer access was out of bounds; does not trap.
        buffer_out_of_bounds: bool = 1, "BUFFER_OOB";
        /// Some texture access had its level of detail clamped; does not trap.
        lod_clamped: bool = 1, "LOD_CLAMPED";
    }
}

layout! {
    /// The exceptions that trap. RDNA4's guide §3.4.10.
    TrapControl {
        /// The operand is not valid for the operation.
        invalid: bool = 1, "ALU_INVALID";
        /// An operand is denormal.
        input_denormal: bool = 1, "ALU_INPUT_DENORM";
        /// A float was divided by zero.
        float_divide_by_zero: bool = 1, "ALU_FLOAT_DIV0";
        /// The result is larger than the largest number.
        overflow: bool = 1, "ALU_OVERFLOW";
        /// The result is smaller than the smallest normal number.
        underflow: bool = 1, "ALU_UNDERFLOW";
        /// The result was rounded.
        inexact: bool = 1, "ALU_INEXACT";
        /// An integer was divided by zero.
        integer_divide_by_zero: bool = 1, "ALU_INT_DIV0";
        /// A watched address was accessed.
        address_watch: bool = 1, "ADDR_WATCH";
        /// Before S_ENDPGM.
        wave_end: bool = 1, "TRAP_ON_WAVE_END";
        /// After each instruction but S_ENDPGM.
        after_inst: bool = 1, "TRAP_AFTER_INST";
        __: u32 = 22, "";
    }
}

layout! {
    /// HW_ID1: where a wave runs. For debugging: it may move. RDNA4's guide §3.4.9.
    WaveId {
        /// Within the SIMD.
        wave: u8 = 5, "WAVE_ID";
        __: u32 = 3, "";
        /// Within the WGP: bit 0 the compute unit, bit 1 the SIMD in it.
        simd: u8 = 2, "SIMD_ID";
        /// The physical workgroup processor.
        wgp: u8 = 4, "WGP_ID";
        __: u32 = 2, "";
        /// Shader array.
        shader_array: bool = 1, "SA_ID";
        __: u32 = 15, "";
    }
}
