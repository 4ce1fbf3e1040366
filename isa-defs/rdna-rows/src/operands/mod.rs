//! The operand classes: tables of what the codes in fields mean, and the functions of classes with logic. Functions that parse have
//! the feature `parse`, those that only operand-level instructions call the feature `inst`.

mod buffer_format;
mod cache;
mod data_format;
mod dpp;
mod ds;
mod flat;
pub(crate) mod hwreg;
mod image;
mod immediates;
mod message;
mod regs;
mod scalar;
mod source;
mod vector;
mod vop3;
mod vop3p;

use isa::isa;

use crate::Generation;
pub use cache::DEVICE_SCOPE;
pub use data_format::*;
pub use ds::*;
pub use image::*;
pub use message::*;
pub use regs::*;
pub(crate) use scalar::constant_type;

/// A counter in the constant of a wait: the wait ends once it is no higher. All bits set: it is not waited for.
pub use isa::class::PartOf;

#[cfg(feature = "parse")]
use dpp::read_fi;
#[cfg(feature = "parse")]
use ds::read_attribute;
use ds::{buffer_data, data};
#[cfg(feature = "parse")]
use vop3::read_omod;

isa! {
    operands CLASSES for I: Generation;
    value crate::Value of File;
    flags crate::flags;
    mode crate::Wave { W32, W64 };
    masks 1 2 "a lane mask is one in wave32 and a pair in wave64";
    syntax amdgpu_operands::Llvm;
    #[cfg(feature = "parse")]
    parse;
    #[cfg(feature = "inst")]
    inst;

    // Guide §15.1.1, table 65. LLVM prints some codes that the guide reserves.
    values {
        0..=105    sgpr "s{}" aligned;
        106..=107  vcc  "vcc_lo" "vcc_hi" "vcc";
        108..=123  ttmp "ttmp{}" aligned;
        124        null "null" any;
        125        m0   "m0";
        126..=127  exec "exec_lo" "exec_hi" "exec";
        128..=192  int  0..=64;
        193..=208  int  -1..=-16;
        230..=231  scratch_base as special from 230 "src_flat_scratch_base_lo" "src_flat_scratch_base_hi"
                   "src_flat_scratch_base_lo" also "flat_scratch_base_lo" also "flat_scratch_base_hi" printed
                   else "the base of scratch memory does not fit: it is a source only";
        235..=238  aperture as special from 235 "src_shared_base" "src_shared_limit" "src_private_base" "src_private_limit" any
                   also "shared_base" also "shared_limit" also "private_base" also "private_limit"
                   else "a memory aperture does not fit: it is a source only";
        239        ordered as special from 239 "src_pops_exiting_wave_id" any also "pops_exiting_wave_id" printed;
        240..=248  float 0.5 -0.5 1.0 -1.0 2.0 -2.0 4.0 -4.0 0.15915494309189532;
        251..=252  status as special from 251 "src_vccz" "src_execz" any also "vccz" also "execz" printed
                   else "a status bit does not fit: no operand of these generations can be one";
        253        scc  "src_scc" one also "scc" else "SCC does not fit: it is a source only";
        254        lds_direct as special from 254 "src_lds_direct" also "lds_direct" printed;
        255        literal LITERAL;
        256..=511  vgpr "v{}" halves;
    }

    scalar = sgpr | vcc | ttmp | null | m0 | exec, called "a scalar register";
    vector = vgpr, called "a vector register";
    readable = scalar | scc, called "a scalar register";
    source = scalar | int | float | aperture | scc | literal;

    // Scalar formats.

    /// A source of a scalar instruction by its 8-bit code: a register, an inline constant or the literal.
    operand Ssrc(code: u8) = source, constants half_bits if bit_constants else typed if half_constants else dword,
        prints misaligned | scratch_base | ordered | status,
        says "a scalar instruction reads no vector registers", expects "a scalar register or a constant";
    /// A source of a scalar instruction that has to be a register, since the instruction reads others relative to it or
    /// goes where it points; SCC counts as one of 32 bits.
    operand SsrcRegister -> Ssrc = readable if it is up to 32 else scalar,
        prints misaligned | int | float | aperture | scc | literal | scratch_base | ordered | status,
        write scalar::write_register, expects "a scalar register";

    /// A scalar register by its 7-bit code, or a range that begins with it: the destination, and in SOPK also a source.
    operand Sdst(code: u8) = scalar, prints misaligned;
    /// The registers that a scalar load fills.
    operand SmemData -> Sdst = scalar - m0 - exec, prints misaligned, says "a scalar load cannot fill these registers";
    /// The base of a scalar load: a pair that holds a pointer, or four registers that hold a buffer resource. The field
    /// leaves out the lowest bit of the register's code.
    operand SmemBase(code: u8) = scalar by 2 if it is up to 64 else sgpr | ttmp by 2, prints misaligned | null;
    /// The scalar registers of a resource or a sampler, four or eight by the type. The field counts groups of four.
    operand ResourceSgprs -> u8 = sgpr | ttmp by 4, gives register, prints null,
        says "the scalar registers of a resource or sampler begin with a multiple of four", expects "scalar registers that begin with a multiple of four";
    /// A number that is written in decimal up to 64 and in hexadecimal above. Of a floating-point number that is read, the
    /// lowest bits of the double count.
    number Imm16 -> u16 = -0x8000..=0xffff, text "{}" to 64 "{x}", floats bits,
        says "the constant has 16 bits: it lies between -32768 and 65535";
    /// A number of seven bits, written as [`Imm16`] is.
    number Imm7 -> u8 = 0..=127, text "{}" to 64 "{x}", floats bits,
        says "the constant lies between 0 and 127";
    /// A number that is written in hexadecimal, without a sign even where it has one.
    number Imm16Hex -> u16 = -0x8000..=0xffff, text "{x}", floats in range,
        unsigned if unsigned says "the constant lies between 0 and 65535",
        says "the constant has 16 bits: it lies between -32768 and 65535";
    /// Where a branch goes: signed dwords from the end of the instruction, written as a decimal number without a sign.
    number Branch -> i16 = -0x8000..=0xffff, read immediates::read_branch, code_value immediates::branch_value,
        says "the constant has 16 bits: it lies between -32768 and 65535";
    /// A literal constant that stands apart from the sources: always hexadecimal, regardless of its type.
    number Literal -> u32 = 0..=0xffff_ffff, text "{x}", read source::read_literal, constants literal;
    /// A literal constant that is written as the inline constant of the same bits would be, if there is one.
    number LiteralConstant -> u32 = -0x8000_0000..=0xffff_ffff, floats f32, write immediates::write_literal_constant,
        constants literal, says "the constant has 32 bits: it lies between -2147483648 and 4294967295";
    /// The constant of the instruction that ends a program: not written where it is 0.
    number EndCode -> u16 = 0..=0xffff, absent 0, says "the constant lies between 0 and 65535";
    /// The register in the address of a scalar load; NULL where there is none.
    operand SmemSoffset(code: u8) = scalar, dwords 1, absent 124, without names, without plain,
        read scalar::read_soffset, write scalar::write_soffset;
    /// The constant in the address of a scalar load. It is written in the place of a register that is NULL, and as
    /// `offset:` after one that is not.
    number SmemOffset -> i32 = -0x10_0000..=0xf_ffff, signed, text "{x}",
        says "the offset has 21 bits: it lies between -1048576 and 1048575",
        read scalar::read_offset, write scalar::write_offset, missing scalar::offset;
    /// As [`SmemOffset`], in RDNA4.
    number SmemOffset24 -> i32 = -0x80_0000..=0x7f_ffff, signed, text "{x}",
        says "the offset has 24 bits: it lies between -8388608 and 8388607",
        read scalar::read_offset, write scalar::write_offset, missing scalar::offset;
    /// The constant in the address of a prefetch.
    number SmemConstant -> i32 = -0x80_0000..=0x7f_ffff, signed, text "{x}",
        says "the offset has 24 bits: it lies between -8388608 and 8388607";
    /// The register in the address of a prefetch; NULL where there is none.
    operand SmemRegister -> Ssrc = scalar, dwords 1, says "this register cannot be part of the address";
    /// How many units of 128 bytes are prefetched, less one; the number of a probe.
    number PrefetchLength -> u8 = 0..=31, any width, says "the number lies between 0 and 31";
    /// The messages that have a name in text. Those from 128 on return a value to the wave.
    names MESSAGES: u8 {
        0x01 "MSG_INTERRUPT", 0x02 "MSG_HS_TESSFACTOR", 0x03 "MSG_DEALLOC_VGPRS", 0x05 "MSG_STALL_WAVE_GEN",
        0x06 "MSG_HALT_WAVES", 0x09 "MSG_GS_ALLOC_REQ", 0x80 "MSG_RTN_GET_DOORBELL", 0x81 "MSG_RTN_GET_DDID",
        0x82 "MSG_RTN_GET_TMA", 0x83 "MSG_RTN_GET_REALTIME", 0x84 "MSG_RTN_SAVE_WAVE", 0x85 "MSG_RTN_GET_TBA",
        0x86 "MSG_RTN_GET_TBA_TO_PC"
    };
    /// A message by its number. None of this generation has an operation or a stream; text has their places all the
    /// same, where the message has no name.
    parts MessageCode -> u16 = call "sendmsg" {
        id [7:0] MESSAGES says "messages have the numbers 0 to 255",
        operation [6:4] says "an operation has a number from 0 to 7",
        stream [9:8] says "a stream has a number from 0 to 3"
    }, name alone, prints all, says "the constant lies between 0 and 65535", expects "the name or the number of a message";
    /// The messages of RDNA4 that have a name in text.
    names RDNA4_MESSAGES: u8 {
        0x01 "MSG_INTERRUPT", 0x02 "MSG_HS_TESSFACTOR", 0x03 "MSG_DEALLOC_VGPRS", 0x09 "MSG_GS_ALLOC_REQ",
        0x80 "MSG_RTN_GET_DOORBELL", 0x81 "MSG_RTN_GET_DDID", 0x82 "MSG_RTN_GET_TMA", 0x83 "MSG_RTN_GET_REALTIME",
        0x84 "MSG_RTN_SAVE_WAVE", 0x85 "MSG_RTN_GET_TBA", 0x86 "MSG_RTN_GET_TBA_TO_PC", 0x87 "MSG_RTN_GET_SE_AID_ID"
    };
    /// As [`MessageCode`], with the messages of RDNA4.
    parts Rdna4MessageCode -> u16 = call "sendmsg" {
        id [7:0] RDNA4_MESSAGES says "messages have the numbers 0 to 255",
        operation [6:4] says "an operation has a number from 0 to 7",
        stream [9:8] says "a stream has a number from 0 to 3"
    }, name alone, prints all, says "the constant lies between 0 and 65535", expects "the name or the number of a message";
    /// The number of a barrier: an inline constant, or M0.
    operand BarrierNumber -> Ssrc = m0 | int | float, dwords 1,
        prints misaligned | sgpr | vcc | ttmp | null | exec | aperture | scc | literal | scratch_base | ordered | status,
        says "the number of a barrier is in M0 or an inline constant", expects "`m0` or the number of a barrier";
    /// The hardware registers that have a name in text.
    names HW_REGISTERS: u8 {
        1 "HW_REG_MODE", 2 "HW_REG_STATUS", 3 "HW_REG_TRAPSTS", 5 "HW_REG_GPR_ALLOC", 6 "HW_REG_LDS_ALLOC",
        7 "HW_REG_IB_STS", 15 "HW_REG_SH_MEM_BASES", 18 "HW_REG_PERF_SNAPSHOT_PC_LO", 19 "HW_REG_PERF_SNAPSHOT_PC_HI",
        20 "HW_REG_FLAT_SCR_LO", 21 "HW_REG_FLAT_SCR_HI", 23 "HW_REG_HW_ID1", 24 "HW_REG_HW_ID2",
        27 "HW_REG_PERF_SNAPSHOT_DATA", 29 "HW_REG_SHADER_CYCLES"
    };
    /// Bits of a hardware register. Text may have all of this in braces, too: `{id: 1, offset: 0, size: 4}`.
    parts HwRegister(id: u8, offset: u8, size: u8) = call "hwreg" {
        id [5:0] HW_REGISTERS says "hardware registers have the numbers 0 to 63",
        offset [10:6] says "the first bit lies between 0 and 31",
        size [15:11] + 1 absent 32 says "a bit field has 1 to 32 bits"
    }, braces, says "the constant lies between 0 and 65535", expects "the name or the number of a hardware register";
    /// The hardware registers of RDNA4 that have a name in text.
    names RDNA4_HW_REGISTERS: u8 {
        1 "HW_REG_WAVE_MODE", 2 "HW_REG_WAVE_STATUS", 4 "HW_REG_WAVE_STATE_PRIV", 5 "HW_REG_WAVE_GPR_ALLOC",
        6 "HW_REG_WAVE_LDS_ALLOC", 7 "HW_REG_IB_STS", 10 "HW_REG_PERF_SNAPSHOT_DATA", 11 "HW_REG_PERF_SNAPSHOT_PC_LO",
        12 "HW_REG_PERF_SNAPSHOT_PC_HI", 15 "HW_REG_PERF_SNAPSHOT_DATA1", 16 "HW_REG_PERF_SNAPSHOT_DATA2",
        17 "HW_REG_WAVE_EXCP_FLAG_PRIV", 18 "HW_REG_WAVE_EXCP_FLAG_USER", 19 "HW_REG_WAVE_TRAP_CTRL",
        20 "HW_REG_WAVE_SCRATCH_BASE_LO", 21 "HW_REG_WAVE_SCRATCH_BASE_HI", 23 "HW_REG_WAVE_HW_ID1",
        24 "HW_REG_WAVE_HW_ID2", 26 "HW_REG_WAVE_SCHED_MODE", 29 "HW_REG_SHADER_CYCLES_LO",
        30 "HW_REG_SHADER_CYCLES_HI", 31 "HW_REG_WAVE_DVGPR_ALLOC_LO", 32 "HW_REG_WAVE_DVGPR_ALLOC_HI",
        // Older names, which are read only.
        1 "HW_REG_MODE", 2 "HW_REG_STATUS", 4 "HW_REG_STATE_PRIV", 5 "HW_REG_GPR_ALLOC", 6 "HW_REG_LDS_ALLOC",
        17 "HW_REG_EXCP_FLAG_PRIV", 18 "HW_REG_EXCP_FLAG_USER", 19 "HW_REG_TRAP_CTRL", 20 "HW_REG_SCRATCH_BASE_LO",
        21 "HW_REG_SCRATCH_BASE_HI", 23 "HW_REG_HW_ID1", 24 "HW_REG_HW_ID2", 31 "HW_REG_DVGPR_ALLOC_LO",
        32 "HW_REG_DVGPR_ALLOC_HI"
    };
    /// As [`HwRegister`], with the registers of RDNA4.
    parts Rdna4HwRegister(id: u8, offset: u8, size: u8) = call "hwreg" {
        id [5:0] RDNA4_HW_REGISTERS says "hardware registers have the numbers 0 to 63",
        offset [10:6] says "the first bit lies between 0 and 31",
        size [15:11] + 1 absent 32 says "a bit field has 1 to 32 bits"
    }, braces, says "the constant lies between 0 and 65535", expects "the name or the number of a hardware register";
    /// Generations of the microcode that S_VERSION can name.
    names CODE_VERSIONS: u8 {
        0 "UC_VERSION_GFX7", 4 "UC_VERSION_GFX10", 6 "UC_VERSION_GFX11", 9 "UC_VERSION_GFX12"
    };
    /// The flags of S_VERSION beside the generation.
    names CODE_VERSION_BITS: u16 {
        0x2000 "UC_VERSION_W64_BIT", 0x4000 "UC_VERSION_W32_BIT", 0x8000 "UC_VERSION_MDP_BIT"
    };
    /// The version of the microcode that a program was made for: one of [`CODE_VERSIONS`] in the low byte, and
    /// [`CODE_VERSION_BITS`].
    number CodeVersion -> u16 = -0x8000..=0xffff, says "the version has 16 bits",
        read hwreg::read_version, write hwreg::write_version;
    /// The dependencies of S_DELAY_ALU, by their numbers.
    names DELAY_IDS {
        0 "NO_DEP", 1..=4 "VALU_DEP_{1}", 5..=7 "TRANS32_DEP_{1}", 8 "FMA_ACCUM_CYCLE_1", 9..=11 "SALU_CYCLE_{1}"
    };
    /// How far the second instruction of S_DELAY_ALU is from the first, by its number.
    names DELAY_SKIPS { 0 "SAME", 1 "NEXT", 2..=5 "SKIP_{1}" };
    /// The counts that S_WAITCNT waits for. Of a number in their place the lowest bits count, as in LLVM.
    parts WaitCounters -> u16 = { vmcnt [15:10], expcnt [2:0], lgkmcnt [9:4] } as WAIT_COUNTERS, idle all,
        between " " | "&" | ",", repeating, saturating "_sat", range any, prints all, expects "the name of a counter";
    /// The counts that S_WAITCNT_DEPCTR waits for; a plain number where bits are set that belong to no counter.
    parts DependencyCounters -> u16 = {
        depctr_hold_cnt [7], depctr_sa_sdst [0], depctr_va_vdst [15:12], depctr_va_sdst [11:9], depctr_va_ssrc [8],
        depctr_va_vcc [1], depctr_vm_vsrc [4:2]
    } as DEPENDENCY_COUNTERS, idle all, between " " | "&" | ",", others hex, range -0x8000..=0xffff,
        says "the constant has 16 bits: it lies between -32768 and 65535", expects "the name of a counter";
    /// The delay of S_DELAY_ALU: each part is written where it says something.
    parts DelayAlu(id0: u8, skip: u8, id1: u8) = {
        instid0 [3:0] DELAY_IDS from 9 else "/* invalid instid value */",
        instskip [6:4] DELAY_SKIPS from 1 else "/* invalid instskip value */",
        instid1 [10:7] DELAY_IDS from 9 else "/* invalid instid value */"
    }, between " | ", repeating, range -0x8000..=0xffff, prints all,
        says "the constant has 16 bits: it lies between -32768 and 65535",
        expects "`instid0`, `instskip` or `instid1`";
    /// A modifier of one bit that is written as its own name: `glc`, `dlc`, `slc`, `gds` …
    modifier Flag = flag;
    /// A modifier as [`Flag`], of which text cannot say that it is not set.
    modifier Switch = flag, without no;

    // Vector formats.

    /// A source by its 9-bit code: scalar register, constant, literal or VGPR.
    operand Src(code: u16) = vector if vgpr_only else source | vector, half [7],
        constants both_halves if repeats else half_float if float_text,
        prints misaligned | scratch_base | ordered | status | lds_direct,
        read vector::read_source, expects "a register or a constant";
    /// The second source of VOP2 and VOPC: a VGPR, with the signs that a DPP16 dword gives it.
    operand Vsrc1 -> Vgpr = vector by number, half [7], neg "neg1", abs "abs1";
    /// The first source of an instruction with DPP: a VGPR.
    operand DppSrc -> Vgpr = vector by number, half op_sel[0] by dpp::half,
        neg "neg_lo"[0] if mix else "neg0", abs "neg_hi"[0] if mix else "abs0";
    /// A source that is the same for all lanes: a scalar register or a constant, but no VGPR.
    operand ScalarSrc -> Src = source, prints misaligned | scratch_base | ordered | status | lds_direct,
        says "these registers cannot be a source here: this operand is a scalar register or a constant",
        expects "a scalar register or a constant";
    /// The source of an instruction that computes for the whole wave, with its signs. LLVM reads VGPRs, too.
    operand UniformSrc -> Src = source | vector, neg "neg0", abs "abs0",
        prints misaligned | scratch_base | ordered | status | lds_direct,
        read vector::read_uniform_source, expects "a scalar register or a constant";
    /// The number of a lane: as [`ScalarSrc`], but a literal cannot give it.
    operand LaneSel -> Src = source - literal, prints misaligned | scratch_base | ordered | status | lds_direct | literal,
        says "these registers cannot be a source here: this operand is a scalar register or a constant",
        expects "a scalar register or a constant";
    /// Source `N` of VOP3 with its signs; OPSEL chooses the half of a 16-bit one.
    operand Src3<N in 0..=2> -> Src =
            scalar | aperture | scc if it is mask else vector if vgpr_only else vector if it is above 64 else source | vector,
        dwords mode, half op_sel[N] by vop3::half::<N, _>, constants half_float if float_text,
        neg "neg{N}", abs "abs{N}",
        prints misaligned | scratch_base | ordered | status | lds_direct,
        read vector::read_source3::<N, _>, expects "a register or a constant";
    /// Source `N` of VOP3P: whole registers, signed only in the rows with `mix`.
    operand SrcP<N in 0..=2> -> Src = source | vector, constants any_half_float if mix,
        neg "neg_lo"[N] if mix, abs "neg_hi"[N] if mix,
        prints misaligned | scratch_base | ordered | status | lds_direct, check vop3p::is_source::<N, _> beside dword,
        read vector::read_packed_source::<N, _>, expects "a register or a constant", without plain;
    /// Source `N` of VINTERP: as [`Src3`], but always a VGPR.
    operand InterpSrc<N in 0..=2> -> Src = vector, half op_sel[N] by vop3::half::<N, _>,
        neg "neg{N}", abs "abs{N}", without plain;
    /// VDST of VOP3: VGPRs, or scalar registers that take the lane mask of a comparison or, with the flag `scalar_d`, a
    /// value. LLVM takes constants and status bits for a lane mask, too.
    operand Vdst3 -> u8 = scalar | aperture | scc if it is mask else scalar - m0 if scalar_d else vector by number,
        dwords mode, half op_sel[3] by vop3::half::<3, _>,
        read vector::read_vdst3, expects "a vector register";
    /// A scalar register that takes a value of the whole wave: 16 bits have zeros above. LLVM takes SCC, too.
    operand UniformDst -> u8 = sgpr | vcc | ttmp | null | m0 | scc, dwords 1, expects "a scalar register";
    /// VCC as a lane mask that no bits name.
    operand Vcc -> () = vcc except "vcc_hi" by number, dwords mode,
        expects "vcc, or vcc_lo in wave32", says "this operand is vcc, or vcc_lo in wave32";
    /// The matrix C of WMMA: registers, or an inline constant for all elements.
    operand WmmaAcc -> Src = int | float | vector, dwords type / 2 in W64, constants element, prints literal,
        read vop3p::read_accumulator, without plain, without names,
        expects "vector registers or an inline constant";
    /// Scalar registers that take a lane mask: one in wave32, an aligned pair in wave64.
    operand MaskDst -> u8 = scalar, dwords mode;
    /// A VGPR in an 8-bit field of a one-dword format or of VOPD; of a 16-bit operand bit 7 chooses the half.
    operand Vgpr(number: u8) = vector by number, half [7];
    /// A 9-bit source that must be a VGPR. A half that it names is chosen as in one-dword formats.
    operand VgprSrc -> Src = vector, half [7];
    /// VDST of VOP1: a VGPR, or with the flag `scalar_d` a scalar register.
    operand Vdst -> Vgpr = scalar - m0 if scalar_d else vector by number, half [7], read vector::read_vdst,
        expects "a vector register";
    /// The destination of VOPD's second instruction: its lowest bit is the opposite of that of the first's.
    operand VdstY -> u8 = vector by number by 2, read vector::read_vdst_y, write vector::write_vdst_y,
        value vector::vdst_y, without plain, without names, depends vector::vdst_y_operands with vector::judge_vdst_y;
    /// A destination of whole registers, even if only a half is written.
    operand WholeVgpr -> Vgpr = vector by number;
    /// A matrix that RDNA4's WMMA multiplies: the row states wave32's type, and wave64 has twice the lanes.
    operand WmmaSrc -> Src = vector, dwords type / 2 in W64;
    /// The matrix D of WMMA: the row states wave32's type, and wave64 has twice the lanes.
    operand WmmaDst -> Vgpr = vector by number, dwords type / 2 in W64;
    /// A modifier that the text of an operand shows: it writes nothing itself.
    modifier Hidden = hidden;
    /// The lowest bit of TH, which [`TemporalHint`] shows: whether an atomic returns the old value.
    modifier ReturnBit = hidden, stated by "th:TH_ATOMIC_RETURN";
    /// OPSEL_HI2: the bit of the third source, which [`OpSelHi`] shows.
    modifier OpSelHi2 = hidden, default 0 if mix else 1;
    /// CLMP.
    modifier Clamp = flag "clamp";
    /// OMOD: what the result is multiplied by.
    modifier Omod -> u8 = names " {}" { 1 "mul:2", 2 "mul:4", 3 "div:2" }, read read_omod;
    /// OPSEL: the halves of 16-bit operands, a bit for each source and the highest for the destination. The list has entries
    /// for the operands that the row has.
    modifier OpSel -> u8 = list " op_sel:[{}]" of 4 x 1, check vop3::is_op_sel nonzero, printable vop3::prints_op_sel,
        read vop3::read_op_sel, write vop3::write_op_sel;
    /// OPSEL of packed instructions: the half of each source that gives the low half of the result.
    /// In rows with `sparse`: the part of the index, ` index_key:1`.
    modifier OpSelLo -> u8 = list " op_sel:[{}]" of 2 x 1 + s2, check vop3p::is_index_key if sparse,
        read vop3p::read_op_sel, write vop3p::write_op_sel;
    /// OPSEL_HI: the half of each source that gives the high half of the result; in rows with `mix`, the sources that are an
    /// f16. The third source's bit is OPSEL_HI2. Omitted where all are 1, or with `mix` where all are 0.
    modifier OpSelHi -> u8 = list " op_sel_hi:[{}]" of 2 x 1 + s2, any width, always, default 0 if mix else 3,
        read vop3p::read_op_sel_hi, write vop3p::write_op_sel_hi, missing vop3p::missing_op_sel_hi;
    /// NEG: which sources are negated for the low half of the result. In rows with `mix` signs are written at the operands.
    modifier NegLo -> u8 = list " neg_lo:[{}]" of 2 x 1 + s2, hidden if mix, check vop3p::is_neg if few_signs;
    /// NEG_HI: which sources are negated for the high half of the result.
    modifier NegHi -> u8 = list " neg_hi:[{}]" of 2 x 1 + s2, hidden if mix, check vop3p::is_neg if few_signs;
    /// DPP_CTRL: which lane of a row each lane reads.
    modifier DppCtrl -> u16 = cases {
        0..=0xff list " quad_perm:[{}]" of 4 x 2,
        0x101..=0x10f "row_shl:{1}", 0x111..=0x11f "row_shr:{1}", 0x121..=0x12f "row_ror:{1}",
        0x140 "row_mirror", 0x141 "row_half_mirror", 0x150..=0x15f "row_share:{}", 0x160..=0x16f "row_xmask:{}"
    } as DPP_CONTROLS, required 0x1ff, says "a row has 16 lanes";
    /// LANE_SEL0 to LANE_SEL7 of DPP8, and `fi:1` if SRC0 holds the code that fetches from inactive lanes too.
    modifier Dpp8Lanes -> u32 = list " dpp8:[{}]" of 8 x 3, required, second by fi,
        read dpp::read_dpp8, write dpp::write_dpp8, missing dpp::missing_dpp8;
    /// WAITEXP of VINTERP: the EXPcnt to wait for.
    modifier WaitExp -> u8 = 0..=7, text " wait_exp:{}", always, says "wait_exp lies between 0 and 7";
    /// A mask of four rows.
    modifier RowMask -> u8 = 0..=15, text " row_mask:{x}", always, absent 15, says "a mask has four bits";
    /// As [`RowMask`], for banks.
    modifier BankMask -> u8 = 0..=15, text " bank_mask:{x}", always, absent 15, says "a mask has four bits";
    /// BC: lanes that read from outside take zero.
    modifier BoundCtrl -> bool = 0..=1, text " bound_ctrl:{}", says "bound_ctrl is 0 or 1";
    /// FI: inactive lanes are read too.
    modifier FetchInactive -> bool = 0..=1, text " fi:{}", read read_fi, without plain;

    // Memory.

    /// The scalar offset of a buffer address: a scalar register or an inline constant.
    operand BufferSoffset -> u8 = source - literal, prints scratch_base | ordered | status,
        says "these registers cannot be a source here: this operand is a scalar register or a constant",
        expects "a scalar register or an inline constant";
    /// The scalar offset of a buffer address in RDNA4: a scalar register, NULL where there is none.
    operand BufferRegister -> u8 = scalar, dwords 1, says "the offset of a buffer is one scalar register, or null",
        expects "a scalar register, or `null`";
    /// The scalar registers of a global address, or `off`. LLVM shows an odd register as the pair that it is part of.
    operand GlobalSaddr -> u8 = scalar - m0, dwords 2, off null, check flat::is_base of exec, prints misaligned,
        read flat::read_global_base, expects "`off` or a pair of scalar registers that begins with an even one";
    /// The scalar register of a scratch address, or `off`.
    operand ScratchSaddr -> u8 = scalar except "exec_hi", dwords 1, off null, expects "`off` or a scalar register",
        says "this register cannot be an address";
    /// Which of the four components are moved, a bit each.
    modifier Dmask -> u8 = 0..=15, text " dmask:{x}", says "the mask is a number from 0 to 15";
    /// The scalar registers of an image resource: eight, or four if R128 is set. LLVM always shows eight.
    operand ImageResource -> u8 = sgpr | ttmp by 4, gives register, prints null,
        says "the scalar registers of a resource or sampler begin with a multiple of four",
        expects "scalar registers that begin with a multiple of four",
        value image::resource, depends image::resource_operands with image::judge_resource;
    /// As [`ImageResource`], by the code of the first register.
    operand ImageResourceRegister -> u8 = sgpr | ttmp, prints misaligned | null,
        says "the scalar registers of a resource or sampler begin with a multiple of four",
        expects "scalar registers that begin with a multiple of four",
        value image::resource, depends image::resource_operands with image::judge_resource;
    /// The dimension of an image. Text may leave out the first part of the name: `dim:2D`.
    modifier ImageDim -> Self = names " dim:{}" {
        0 "SQ_RSRC_IMG_1D", 1 "SQ_RSRC_IMG_2D", 2 "SQ_RSRC_IMG_3D", 3 "SQ_RSRC_IMG_CUBE", 4 "SQ_RSRC_IMG_1D_ARRAY",
        5 "SQ_RSRC_IMG_2D_ARRAY", 6 "SQ_RSRC_IMG_2D_MSAA", 7 "SQ_RSRC_IMG_2D_MSAA_ARRAY"
    } as DIM_NAMES, always, prefix "SQ_RSRC_IMG_",
        expects "a dimension, such as `2D`, `CUBE` or `SQ_RSRC_IMG_2D_ARRAY`";
    /// The registers of the data of an image: one for each component of DMASK, or for two components if D16 is set, and
    /// one for the status if TFE or LWE is set.
    operand ImageData -> Vgpr = vector by number, dwords image::data_dwords, late, value image::data_value,
        read image::read_data, depends image::data_operands with image::judge_data;
    /// The address registers of an image instruction: one range, or up to five that an NSA suffix dword names.
    operand ImageAddr -> Vgpr = vector by number, dwords 1, late, without names, without plain, write image::write_address,
        value image::address_value, read image::read_address, expects "vector registers",
        registers in addr1 | addr2 | addr3 | addr4, depends image::address_operands with image::judge_address;
    /// The address registers of a ray intersection; the type says whether the node pointer has 32 or 64 bits.
    operand RayAddr -> Vgpr = vector by number, dwords 1, late, without names, without plain, write image::write_address,
        value image::address_value, read image::read_ray, expects "vector registers",
        registers in addr1 | addr2 | addr3 | addr4, depends image::address_operands with image::judge_address;
    /// One register of an NSA suffix dword. Those that the address does not need hold 0.
    modifier NsaAddr -> Vgpr = hidden, used image::is_group;
    /// The last group of the address of a ray, which is 0 in instructions whose address has four groups: LLVM refuses other codes.
    modifier RayAddr4 -> Vgpr = hidden, check image::has_group nonzero;
    /// Vector registers that an instruction on memory moves or takes its address from, as many as the row's type has
    /// dwords. Text shows whole registers even where only a half is moved.
    operand DataVgpr -> Vgpr = vector by number, unless streamout, value data;
    /// The vector registers of a global address: two that hold all of it, or one that holds an offset from SADDR.
    operand GlobalAddr -> Vgpr = vector by number, dwords 1 + saddr == 124;
    /// The vector register of a scratch address; `off` unless SVE is set.
    operand ScratchAddr -> Vgpr = vector by number, there sve, off,
        expects "`off` or a vector register";
    /// The registers of a buffer address: an index if IDXEN is set, then an offset if OFFEN is set; `off` without either.
    operand BufferAddr -> Vgpr = vector by number, dwords idxen + offen, off,
        says "the address is a register with `offen` or `idxen`, two with both, `off` without",
        expects "`off` or vector registers";
    /// The registers that a buffer instruction moves: as many as the type has dwords, and one for the status if TFE is set.
    operand BufferData -> Vgpr = vector by number, dwords type + tfe, value buffer_data;
    /// A source of an export, `s0` to `s3`: a vector register, or `off` if its bit in EN is not set.
    operand ExportSource -> Vgpr = vector by number, there en[digit] in crate::raw::Exp, off,
        expects "`off` or a vector register";
    /// Which of the four sources of an export are there, a bit each. Text shows it by the sources themselves.
    modifier ExportEnable -> u8 = hidden;
    /// Where an export goes. LLVM writes the codes without a name as `invalid_target_N`. Guide §15.10.1.
    modifier ExportTarget -> u8 = names " {}" {
        0..=7 "mrt{}", 8 "mrtz", 12..=16 "pos{}", 20 "prim", 21..=22 "dual_src_blend{}"
    } else " invalid_target_{}" as EXPORT_TARGETS, always, prints all, then ",",
        expects "a target of exports: mrt0 to mrt7, mrtz, pos0 to pos4, prim, dual_src_blend0 or 1";
    /// The offset of a FLAT instruction: twelve bits, unsigned. The field has a thirteenth bit that the hardware ignores;
    /// LLVM shows it as part of the number.
    modifier FlatOffset -> u16 = 0..=0xfff, text " offset:{}", prints all, says "the offset is a number from 0 to 4095";
    /// The offset of a GLOBAL or SCRATCH instruction: thirteen bits, signed.
    modifier SignedOffset -> i16 = -4096..=4095, signed, text " offset:{}",
        says "the offset is a number from -4096 to 4095";
    /// The constant offset of a buffer address: twelve bits, unsigned.
    modifier BufferOffset -> u16 = 0..=0xfff, text " offset:{}", says "the offset is a number from 0 to 4095";
    /// A format of buffer elements and image texels, by the guide's name with an `F` before a figure. Codes below 64 are
    /// formats that buffers can have, too. Guide §10.7, table 52.
    #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
    names DataFormat by amdgpu_memory::codes {
        0 "INVALID", 1..=6 "8_{UNORM|SNORM|USCALED|SSCALED|UINT|SINT}",
        7..=13 "16_{UNORM|SNORM|USCALED|SSCALED|UINT|SINT|FLOAT}",
        14..=19 "8_8_{UNORM|SNORM|USCALED|SSCALED|UINT|SINT}", 20..=22 "32_{UINT|SINT|FLOAT}",
        23..=29 "16_16_{UNORM|SNORM|USCALED|SSCALED|UINT|SINT|FLOAT}", 30 "10_11_11_FLOAT", 31 "11_11_10_FLOAT",
        32..=35 "10_10_10_2_{UNORM|SNORM|UINT|SINT}", 36..=41 "2_10_10_10_{UNORM|SNORM|USCALED|SSCALED|UINT|SINT}",
        42..=47 "8_8_8_8_{UNORM|SNORM|USCALED|SSCALED|UINT|SINT}", 48..=50 "32_32_{UINT|SINT|FLOAT}",
        51..=57 "16_16_16_16_{UNORM|SNORM|USCALED|SSCALED|UINT|SINT|FLOAT}", 58..=60 "32_32_32_{UINT|SINT|FLOAT}",
        61..=63 "32_32_32_32_{UINT|SINT|FLOAT}", 64 "8_SRGB", 65 "8_8_SRGB", 66 "8_8_8_8_SRGB", 67 "5_9_9_9_FLOAT",
        68 "5_6_5_UNORM", 69 "1_5_5_5_UNORM", 70 "5_5_5_1_UNORM", 71 "4_4_4_4_UNORM", 72 "4_4_UNORM", 73 "1_UNORM",
        74 "1_REVERSED_UNORM", 75 "32_FLOAT_CLAMP", 76..=77 "8_24_{UNORM|UINT}", 78..=79 "24_8_{UNORM|UINT}",
        80..=81 "X24_8_32_{UINT|FLOAT}", 82..=85 "GB_GR_{UNORM|SNORM|UINT|SRGB}",
        86..=89 "BG_RG_{UNORM|SNORM|UINT|SRGB}", 109..=110 "BC1_{UNORM|SRGB}", 111..=112 "BC2_{UNORM|SRGB}",
        113..=114 "BC3_{UNORM|SRGB}", 115..=116 "BC4_{UNORM|SNORM}", 117..=118 "BC5_{UNORM|SNORM}",
        119..=120 "BC6_{UFLOAT|SFLOAT}", 121..=122 "BC7_{UNORM|SRGB}", 205..=206 "YCBCR_{UNORM|SRGB}",
        227 "6E4_FLOAT", 228 "7E3_FLOAT"
    };
    /// A modifier of later generations: LLVM prints it, and no processor of this generation has it.
    modifier Unavailable -> u8 = 0..=1, write cache::write_name, read cache::read_nothing, check cache::is_available nonzero, printable cache::prints_invalid;
    /// TH: how long data stays in caches. Text has it with [`CacheScope`], in any order. Its lowest bit is the
    /// field GLC, which says of an atomic whether it returns a value; SMEM has one bit more, other formats two.
    modifier TemporalHint -> u8 = 0..=3, any width, always, read cache::read_hint, write cache::write_hint,
        check cache::is_named nonzero, printable cache::prints_invalid, says "the hint has a name, such as TH_LOAD_NT";
    /// SCOPE: how far an access reaches.
    modifier CacheScope -> u8 = names " scope:{}" { 0 "SCOPE_CU", 1 "SCOPE_SE", 2 "SCOPE_DEV", 3 "SCOPE_SYS" }
        as SCOPE_NAMES, read cache::read_nothing;
    /// The offset of FLAT, GLOBAL and SCRATCH instructions in RDNA4.
    modifier Offset24 -> i32 = -0x80_0000..=0x7f_ffff, signed, text " offset:{}",
        says "the offset is a number from -8388608 to 8388607";
    /// The constant offset of a buffer address in RDNA4: 24 bits; the highest is 0.
    modifier BufferOffset24 -> u32 = 0..=0x7f_ffff, any width, text " offset:{}",
        says "the offset is a number from 0 to 8388607";
    /// The scalar registers of a resource or a sampler in RDNA4, four or eight by the type, by the code of the first.
    operand ResourceRegister -> u8 = sgpr | ttmp, prints misaligned | null,
        says "the scalar registers of a resource or sampler begin with a multiple of four", expects "scalar registers that begin with a multiple of four";
    /// The destination of a load that transposes a matrix: the row states wave32's type, and wave64 has twice the lanes.
    operand TransposedDst -> Vgpr = vector by number, dwords type / 2 in W64;
    /// How many vector memory instructions may still read vector registers when a direct load begins.
    modifier WaitVsrc -> u8 = 0..=1, text " wait_vm_vsrc:{}", always, says "the count is 0 or 1";
    /// The format in which a typed buffer instruction reads or writes memory: the number of a [`DataFormat`], written as
    /// `format:[BUF_FMT_32_FLOAT]`, or as a number if buffers cannot have it.
    modifier BufferFormat -> u8 = 0..=127, absent 1, says "the format is a number from 0 to 127",
        read buffer_format::read_format, write buffer_format::write_format;
    /// OFFSET0: the first offset of a row with two, otherwise the low half of the only one, which it writes as a whole.
    modifier DsOffset0 -> u8 = 0..=0xff, always, check ds::is_swizzle if swizzle, prints all,
        says "each of the two offsets is a number from 0 to 255", read ds::read_offset0, write ds::write_offset0;
    /// OFFSET1: the second offset of a row with two, otherwise the high half of the only one.
    modifier DsOffset1 -> u8 = 0..=0xff, text " offset1:{}", says "each of the two offsets is a number from 0 to 255";
    /// Which pixel attribute `LDS_PARAM_LOAD` loads: `attr0` to `attr32`.
    number Attr -> u8 = 0..=32, text "attr{}", prints all, read read_attribute;
    /// Which channel of a pixel attribute.
    number AttrChannel -> u8 = names ".{}" { 0 "x", 1 "y", 2 "z", 3 "w" }, expects "a channel: `.x`, `.y`, `.z` or `.w`";
    /// How many vector instructions may still be under way when the load begins.
    modifier WaitVdst -> u8 = 0..=15, text " {name}:{}", always, says "the count is a number from 0 to 15";
}
