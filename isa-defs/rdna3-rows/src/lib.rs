//! The rows of AMD RDNA3, and what is generated from them. Depend on the crate `rdna3`, which re-exports all of this
//! beside `asm!`; a crate of procedural macros, which must link the rows, cannot be the one that defines them.
//!
//! [`Instr`] and [`Opcode`] are generated from the blocks in `src/formats`, a file for each microcode format of guide
//! chapter 15; [`operands`] says what the codes in their fields mean; [`raw`] has the bare layouts.
#![no_std]

#[cfg(feature = "build")]
mod builder;
mod formats;
mod legal;
pub mod operands;

#[cfg(feature = "build")]
pub use amdgpu_operands::{sgpr, ttmp, vgpr};
pub use isa;
pub use legal::{Authority, Rule, Target, Violation};
pub use operands::{File, Half, Registers, Value};

/// How many lanes a wave has; it decides the width of lane masks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Wave {
    /// 32 lanes: masks are one SGPR.
    #[default]
    W32,
    /// 64 lanes: masks are two SGPRs.
    W64,
}

isa::isa_set! {
    /// AMD RDNA3, as its instruction set guide of February 2023 has it.
    set Rdna3;
    mode crate::Wave { W32, W64 };
    value crate::Value;
    operands crate::operands;
    legal crate::legal::for_text;
    #[cfg(feature = "build")]
    build crate::builder {
        Vdst | Vdst3 if scalar_d => LaneValue,
        Vdst3 | Src3 if it is mask => LaneMask,
        MaskDst => LaneMask,
        Src | Src3 if vgpr_only => VectorRegister,
        Src | Src3 | SrcP => VectorSource,
        Vgpr | Vdst | Vdst3 | Vsrc1 | InterpSrc => VectorRegister,
        DataVgpr | WholeVgpr | VgprSrc | VdstY => WholeRegister,
        WmmaDst => Matrix,
        WmmaAcc => MatrixSource,
        Ssrc | ScalarSrc | LaneSel => ScalarSource,
        Sdst if waits => WaitRegister,
        Sdst | SsrcRegister => ScalarRegister,
        SmemData => LoadTarget,
        SmemBase => Base,
        SmemSoffset => ScalarOffset,
        SmemOffset => AddressOffset,
        ResourceSgprs | ImageResource => Resource,
        BufferSoffset => BufferOffset,
        BufferAddr => BufferAddress,
        BufferData | ImageData => Data,
        ImageAddr => ImageAddress,
        RayAddr => Ray,
        GlobalAddr => GlobalAddress,
        GlobalSaddr => GlobalBase,
        ScratchAddr => ScratchAddress,
        ScratchSaddr => ScratchBase,
        Imm16 | Imm16Hex => Immediate,
        Branch => Target,
        LiteralConstant => Literal,
        HwRegister => HardwareRegister,
        CodeVersion => Version,
        WaitCounters => WaitCounts,
        DependencyCounters => DependencyCounts,
        DelayAlu => Delay,
        Attr => AttributeNumber,
        AttrChannel => AttributeChannel,

        // Signs stand at the sources that they belong to.
        mod neg0 | neg1 | neg2 => Neg,
        mod abs0 | abs1 | abs2 => Abs,
        mod neg_lo if mix => Neg,
        mod neg_hi if mix => Abs,
        mod dpp_ctrl => Dpp16,
        mod fi => FetchInactive,
        // DS has one offset in two fields, or two.
        mod offset0 if swizzle => Swizzle,
        mod offset0 if !two_offsets => Offset,
        mod offset1 if !two_offsets => _,
        // What operands imply.
        mod op_sel_hi2 | en | sve | nsa | addr1 | addr2 | addr3 | addr4 => _,
    }
    formats {
        formats::tails_literal::LITERAL,
        formats::tails_dpp::DPP16,
        formats::tails_dpp::DPP16_VOP3,
        formats::tails_dpp::DPP8,
        formats::tails_nsa::NSA_ADDRS,
        formats::sop2::SOP2,
        formats::sopk::SOPK,
        formats::sop1::SOP1,
        formats::sopc::SOPC,
        formats::sopp::SOPP,
        formats::smem::SMEM,
        formats::vop2::VOP2,
        formats::vop1::VOP1,
        formats::vopc::VOPC,
        formats::vop3::VOP3,
        formats::vop3sd::VOP3SD,
        formats::vop3p::VOP3P,
        formats::vopd::VOPD,
        formats::vinterp::VINTERP,
        formats::ldsdir::LDSDIR,
        formats::ds::DS,
        formats::mtbuf::MTBUF,
        formats::mubuf::MUBUF,
        formats::mimg::MIMG,
        formats::flat::FLAT,
        formats::scratch::SCRATCH,
        formats::global::GLOBAL,
        formats::exp::EXP,
        formats::illegal::ILLEGAL,
    }
}

/// What to do where a branch does not reach, as a help to its error.
pub const FAR_BRANCH: &str = "add the distance to the result of s_getpc_b64 and use s_setpc_b64";

impl Instr {
    /// Where a branch or call goes: signed dwords from the end of the instruction. `None` for anything else.
    #[must_use]
    pub fn branch_offset(&self) -> Option<i16> {
        // No other format has a branch. This is asked of every instruction: a word of the row is found sooner than its
        // operands, and soonest where the compiler knows the format.
        let words = self.words();
        let of_row = match self {
            Instr::Sopp(_) => isa::row_words::<Rdna3>(Sopp::FORMAT, &words),
            Instr::Sopk(_) => isa::row_words::<Rdna3>(Sopk::FORMAT, &words),
            _ => return None,
        };
        // The constant is in the same bits of both.
        (of_row & words::RELATIVE != 0).then_some(words[0] as u16 as i16)
    }
}
