//! The rows of AMD RDNA3, RDNA3.5 and RDNA4, and the types generated from them, in a module for each generation: [`rdna3`]. Depend on
//! the crate of that name instead, which re-exports it and adds `asm!`. The rows are a separate crate because the proc-macro crate of `asm!`
//! links them.
//!
//! `Instr` and `Opcode` of each set are generated from the blocks in `src/formats`, a file for each microcode format of
//! guide chapter 15; [`operands`] says what the codes in their fields mean; the module `raw` of a set has the bare layouts.
#![no_std]
// What only the parser or operand-level instructions need: helpers of operand classes, and imports.
#![cfg_attr(not(all(feature = "parse", feature = "inst")), allow(dead_code, unused_imports))]

#[cfg(feature = "build")]
mod builder;
#[cfg(feature = "inst")]
mod effects;
#[cfg(feature = "inst")]
pub mod facts;
mod features;
mod formats;
#[macro_use]
mod generation;
#[cfg(any(feature = "parse", feature = "inst"))]
mod legal;
pub mod operands;

pub use amdgpu_operands::files;
#[cfg(feature = "inst")]
pub use amdgpu_operands::{Pressure, RegisterEffects, RegisterSet, Unit};
#[cfg(feature = "build")]
pub use amdgpu_operands::{sgpr, ttmp, vgpr};
#[cfg(feature = "inst")]
pub use facts::{Pipeline, dual_issue};
pub use generation::{
    Clauses, ElementFields, Family, Features, Format, Generation, ImageFields, Instruction, ScalarFields,
    ScalarRereads, VectorFields,
};
pub use isa;
#[cfg(any(feature = "parse", feature = "inst"))]
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

/// Makes the set of a generation; `build`: the condition under which it has typed builders.
macro_rules! generation {
    ($(#[$doc:meta])* $module:ident, $name:ident, $features:ident, $family:ident, build if $($build:tt)*) => {
        $(#[$doc])*
        pub mod $module {
            /// The builders of this generation, and the items that builders of all generations share.
            #[cfg($($build)*)]
            mod builder {
                pub use crate::builder::*;

                /// An instruction under construction. `M` says which modifiers it has.
                pub type Builder<M> = crate::builder::Builder<super::$name, M>;
                /// Half of a dual-issue pair; `M` says which half it can be.
                pub type DualHalf<M> = crate::builder::DualHalf<super::$name, M>;
                /// A dual-issue pair under construction.
                pub type Pair = crate::builder::Pair<super::$name>;
            }

            isa::isa_set! {
                $(#[$doc])*
                set $name of $module;
                mode crate::Wave { W32, W64 };
                value crate::Value;
                operands crate::operands;
                #[cfg(any(feature = "parse", feature = "inst"))]
                legal crate::legal::for_text;
                #[cfg(feature = "parse")]
                parse;
                #[cfg(feature = "inst")]
                inst;
                #[cfg($($build)*)]
                build self::builder {
                    Vdst | Vdst3 if scalar_d => LaneValue,
                    Src3 if it is mask => LaneMask,
                    Vdst3 if it is mask => LaneMaskResult,
                    MaskDst => LaneMaskResult,
                    Src | Src3 if vgpr_only => VectorRegister,
                    Src | Src3 | SrcP => VectorSource,
                    Vgpr | Vdst | Vdst3 | Vsrc1 | InterpSrc => VectorRegister,
                    DataVgpr | WholeVgpr | VgprSrc | VdstY => WholeRegister,
                    WmmaSrc | WmmaDst if rdna4 => PartOfMatrix,
                    TransposedDst => PartOfMatrix,
                    WmmaAcc if rdna4 => PartOfMatrixSource,
                    WmmaDst => Matrix,
                    WmmaAcc => MatrixSource,
                    Ssrc | ScalarSrc | LaneSel | UniformSrc => ScalarSource,
                    Sdst if waits => WaitRegister,
                    Sdst | SsrcRegister | UniformDst => ScalarRegister,
                    SmemData => LoadTarget,
                    SmemBase => Base,
                    SmemSoffset => ScalarOffset,
                    SmemOffset | SmemOffset24 | SmemConstant => AddressOffset,
                    ResourceSgprs | ImageResource | ResourceRegister | ImageResourceRegister => Resource,
                    BufferSoffset => BufferOffset,
                    BufferRegister | SmemRegister => ScalarOffset,
                    BufferAddr => BufferAddress,
                    BufferData | ImageData => Data,
                    ImageAddr => ImageAddress,
                    RayAddr => Ray,
                    GlobalAddr => GlobalAddress,
                    GlobalSaddr => GlobalBase,
                    ScratchAddr => ScratchAddress,
                    ScratchSaddr => ScratchBase,
                    Imm7 | PrefetchLength | Imm16 | Imm16Hex => Immediate,
                    Branch => Target,
                    LiteralConstant => Literal,
                    HwRegister => HardwareRegister,
                    Rdna4HwRegister => Rdna4HardwareRegister,
                    Rdna4MessageCode => MessageCode,
                    BarrierNumber => Barrier,
                    CodeVersion => Version,
                    WaitCounters => WaitCounts,
                    DependencyCounters => DependencyCounts,
                    DelayAlu => Delay,
                    Attr => AttributeNumber,
                    AttrChannel => AttributeChannel,

                    // A builder states signs by the number of the source.
                    mod neg0 | neg1 | neg2 => Neg,
                    mod abs0 | abs1 | abs2 => Abs,
                    mod neg_lo if mix => Neg,
                    mod neg_hi if mix => Abs,
                    mod op_sel if byte_source => SourceByte,
                    mod op_sel if byte_result => ResultByte,
                    mod op_sel if sparse => IndexKey,
                    mod dpp_ctrl => Dpp16,
                    mod fi => FetchInactive,
                    // DS has one offset in two fields, or two.
                    mod offset0 if swizzle => Swizzle,
                    mod offset0 if !two_offsets => Offset,
                    mod offset1 if !two_offsets => _,
                    mod th if atomic => AtomicHint,
                    // Functions of atomics whose names end in `_rtn` set it, and hints of loads and stores.
                    mod rtn => _,
                    // Processors lack these.
                    mod nv | scale_offset => _,
                    // Other operands determine these fields.
                    mod op_sel_hi2 | en | sve | nsa | addr1 | addr2 | addr3 | addr4 => _,
                }
                formats {
                    crate::formats::suffix_dwords_literal::LITERAL,
                    crate::formats::suffix_dwords_dpp::DPP16,
                    crate::formats::suffix_dwords_dpp::DPP16_VOP3,
                    crate::formats::suffix_dwords_dpp::DPP8,
                    crate::formats::suffix_dwords_nsa::NSA_ADDRS,
                    crate::formats::sop2::SOP2,
                    crate::formats::sopk::SOPK,
                    crate::formats::sop1::SOP1,
                    crate::formats::sopc::SOPC,
                    crate::formats::sopp::SOPP,
                    crate::formats::smem::SMEM,
                    crate::formats::vop2::VOP2,
                    crate::formats::vop1::VOP1,
                    crate::formats::vopc::VOPC,
                    crate::formats::vop3::VOP3,
                    crate::formats::vop3sd::VOP3SD,
                    crate::formats::vop3p::VOP3P,
                    crate::formats::vopd::VOPD,
                    crate::formats::vinterp::VINTERP,
                    crate::formats::ldsdir::LDSDIR,
                    crate::formats::ds::DS,
                    crate::formats::mtbuf::MTBUF,
                    crate::formats::mubuf::MUBUF,
                    crate::formats::mimg::MIMG,
                    crate::formats::vimage::VIMAGE,
                    crate::formats::vsample::VSAMPLE,
                    crate::formats::flat::FLAT,
                    crate::formats::scratch::SCRATCH,
                    crate::formats::global::GLOBAL,
                    crate::formats::exp::EXP,
                    crate::formats::illegal::ILLEGAL,
                    crate::operands::CLASSES,
                }
            }

            impl crate::Generation for $name {
                const FEATURES: &'static crate::Features = &crate::features::$features;
                #[cfg(feature = "inst")]
                const OFFSET1: isa::Modifier = modifiers::OFFSET1;
                const WAITCNT: Opcode = Opcode::S_WAITCNT;

                of_family!($family);

                #[cfg(feature = "inst")]
                fn pipeline(opcode: Opcode) -> crate::Pipeline {
                    opcode.pipeline()
                }
            }

            instruction!($name, $family);

            #[cfg(feature = "inst")]
            impl Opcode {
                /// Returns which part of the processor executes the instruction.
                #[must_use]
                pub fn pipeline(self) -> crate::Pipeline {
                    crate::facts::pipeline::<$name>(self, format_of_index)
                }
            }

            /// In wave32.
            #[cfg($($build)*)]
            impl<M> TryFrom<builder::Builder<M>> for Instr {
                type Error = builder::BuildError;

                fn try_from(builder: builder::Builder<M>) -> Result<Instr, builder::BuildError> {
                    builder.instr()
                }
            }

            #[cfg($($build)*)]
            impl TryFrom<builder::Pair> for Instr {
                type Error = builder::BuildError;

                fn try_from(pair: builder::Pair) -> Result<Instr, builder::BuildError> {
                    pair.build()
                }
            }

            impl Instr {
                /// Checks that the instruction obeys the rules of its target.
                ///
                /// # Errors
                /// The first rule it breaks; one that LLVM's assembler holds comes before one that only the guide has.
                #[cfg(any(feature = "parse", feature = "inst"))]
                #[doc(alias = "verifyInstruction")]
                pub fn check(&self, target: impl Into<crate::Target>) -> Result<(), crate::Violation> {
                    crate::legal::check(self, target.into())
                }

                /// Returns the registers that the instruction reads and writes, whether its text names them or not.
                #[cfg(feature = "inst")]
                #[must_use]
                pub fn register_effects(&self, wave: crate::Wave) -> crate::RegisterEffects {
                    crate::Instruction::register_effects_in(self, wave)
                }

                /// Where a branch or call goes: signed dwords from the end of the instruction. `None` for anything else.
                #[must_use]
                pub fn branch_offset(&self) -> Option<i16> {
                    // No other format has a branch. This is asked of every instruction: a word of the row is found sooner
                    // than its operands, and soonest where the compiler knows the format.
                    let dwords = self.words();
                    let flags = match self {
                        Instr::Sopp(_) => isa::flags::<$name>(Sopp::FORMAT, &dwords),
                        Instr::Sopk(_) => isa::flags::<$name>(Sopk::FORMAT, &dwords),
                        _ => return None,
                    };
                    // The constant is in the same bits of both.
                    (flags & flags::RELATIVE != 0).then_some(dwords[0] as u16 as i16)
                }
            }
        }
    };
}

#[cfg(feature = "rdna3")]
generation! {
    /// AMD RDNA3, as its instruction set guide of February 2023 has it.
    rdna3, Rdna3, RDNA3, gfx11, build if feature = "build"
}

#[cfg(feature = "rdna3_5")]
generation! {
    /// AMD RDNA3.5: RDNA3 with scalar floating-point instructions, as LLVM 22 has it.
    rdna3_5, Rdna3_5, RDNA3_5, gfx11, build if feature = "build"
}

#[cfg(feature = "rdna4")]
generation! {
    /// AMD RDNA4, as its instruction set guide of 2025 and LLVM 22 have it.
    rdna4, Rdna4, RDNA4, gfx12, build if feature = "build"
}

#[cfg(not(any(feature = "rdna3", feature = "rdna3_5", feature = "rdna4")))]
compile_error!("rdna-rows has no set: enable the feature `rdna3`, `rdna3_5` or `rdna4`");

// Layouts, flags, and the names of roles and modifiers are the same in all sets.
#[cfg(all(not(feature = "rdna3"), feature = "rdna3_5", any(feature = "parse", feature = "inst")))]
use rdna3_5::modifiers;
#[cfg(all(not(feature = "rdna3"), feature = "rdna3_5"))]
use rdna3_5::{flags, raw, roles};
#[cfg(all(not(any(feature = "rdna3", feature = "rdna3_5")), any(feature = "parse", feature = "inst")))]
use rdna4::modifiers;
#[cfg(not(any(feature = "rdna3", feature = "rdna3_5")))]
use rdna4::{flags, raw, roles};

#[cfg(feature = "rdna3")]
pub use rdna3::*;

/// The advice for a branch that does not reach its label.
pub const FAR_BRANCH: &str = "add the distance to the result of s_getpc_b64 and use s_setpc_b64";

/// The instructions of these lines; `mode` is 0 for wave32 and 1 for wave64. What expansions of `instrs!` call.
///
/// # Errors
/// See [`isa::instructions`].
#[doc(hidden)]
#[cfg(feature = "parse")]
pub fn instructions<I: Generation, const N: usize>(
    mode: usize,
    lines: &[&[isa::LinePart<'_>]; N],
) -> Result<[I::Instr; N], isa::LineError> {
    let wave = if mode == 0 { Wave::W32 } else { Wave::W64 };
    isa::instructions::<I, N>(lines, wave, Instruction::dword_count)
}

/// For the tests of this crate, which are a program apart: with unit tests, the crate would be compiled twice.
#[cfg(any(feature = "parse", feature = "inst"))]
#[doc(hidden)]
pub mod __private {
    pub use crate::legal::{Verdicts, verdicts};
}
