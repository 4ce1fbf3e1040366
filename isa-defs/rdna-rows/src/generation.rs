//! Differences between the generations besides their rows, and what code that serves several of them can ask.

#[cfg(feature = "inst")]
use amdgpu_operands::RegisterEffects;
#[cfg(feature = "inst")]
use isa::{BodyEffects, Effects, Semantics};
use isa::{Display, Isa, MAX_DWORDS, Operands};

use crate::{Value, Wave};

/// A generation: an instruction set of this crate.
pub trait Generation: Isa<Mode = Wave, Value = Value, Instr: Instruction<Generation = Self>> {
    /// The family.
    const FAMILY: Family;
    /// The properties of the generation that are not in its rows.
    const FEATURES: &'static Features;
    /// The modifier that holds the upper half of the offset of DS instructions.
    #[cfg(feature = "inst")]
    const OFFSET1: isa::Modifier;
    /// S_WAITCNT.
    const WAITCNT: Self::Opcode;
    /// S_WAITCNT_VSCNT, in generations that have it.
    const WAITCNT_VSCNT: Option<Self::Opcode>;
    /// The instructions that wait for one counter each, if all counters have one: for loads, stores, LDS, exports, samples, ray
    /// intersections, scalar memory.
    const SPLIT_WAITS: Option<[Self::Opcode; 7]>;

    /// Returns the fields of an image instruction, from its dwords.
    #[doc(hidden)]
    fn image_fields(dwords: &[u32; MAX_DWORDS]) -> crate::ImageFields;

    /// Returns the fields of an instruction of SMEM, from its dwords.
    #[doc(hidden)]
    fn scalar_fields(dwords: &[u32; MAX_DWORDS]) -> ScalarFields;

    /// Returns the fields of an instruction of FLAT, GLOBAL or SCRATCH, from its dwords.
    #[doc(hidden)]
    fn vector_fields(dwords: &[u32; MAX_DWORDS]) -> VectorFields;

    /// Returns the fields of an instruction of MUBUF or MTBUF, from its dwords.
    #[doc(hidden)]
    fn buffer_fields(dwords: &[u32; MAX_DWORDS]) -> ElementFields;

    /// Returns whether a direct load from LDS waits until memory instructions have read their registers.
    #[doc(hidden)]
    fn awaits_memory_reads(dword: u32) -> bool;

    /// Returns which part of the processor executes an opcode.
    #[cfg(feature = "inst")]
    fn pipeline(opcode: Self::Opcode) -> crate::Pipeline;
}

/// The fields of a scalar memory instruction, which each generation has in other bits.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct ScalarFields {
    /// The number of the first register of the base.
    pub base: u8,
    /// The code of the register that holds an offset.
    pub soffset: u8,
    /// The code of the first register of the data.
    pub data: u8,
    /// The constant offset.
    pub offset: i32,
}

/// The fields of an instruction of FLAT, GLOBAL or SCRATCH, which each generation has in other bits.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct VectorFields {
    /// The first vector register of the address.
    pub address: u8,
    /// The first register that is stored.
    pub data: u8,
    /// The first register that is loaded.
    pub result: u8,
    /// The constant offset.
    pub offset: i32,
    /// SVE: whether an access to scratch has a vector register in its address.
    pub sve: bool,
}

/// The fields of a buffer instruction, which each generation has in other bits.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct ElementFields {
    /// The constant offset.
    pub offset: u32,
    /// OFFEN.
    pub offen: bool,
    /// IDXEN.
    pub idxen: bool,
    /// FORMAT, which typed instructions have.
    pub format: u8,
}

/// Generations whose instructions have the same layouts: LLVM's gfx11 (RDNA3, RDNA3.5) or gfx12 (RDNA4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// RDNA3 and RDNA3.5.
    Gfx11,
    /// RDNA4.
    Gfx12,
}

/// The properties of a generation that are not in its rows.
#[derive(Debug)]
pub struct Features {
    /// Whether the second source beside DPP controls can be a scalar register or an inline constant.
    pub scalar_dpp_source: bool,
    /// Whether scalar instructions compute with floating-point numbers, so that their constants can have 16 bits.
    pub scalar_float: bool,
    /// Whether the second of two copies in a dual-issue pair reads its source through the third port.
    pub copies_use_third_port: bool,
    /// Whether a matrix that is multiplied can overlap the one that is added and the result.
    pub matrices_overlap: bool,
    /// Returns the name of a message.
    pub message_name: fn(u8) -> Option<&'static str>,
    /// The numbers of the hardware registers that no program can write, not even a trap handler.
    pub read_only_registers: &'static [u8],
    /// Which instructions clauses have.
    pub clauses: Clauses,
    /// What its processors need between instructions, beyond what the guide says. LLVM and ACO know it.
    pub hazards: Hazards,
}

/// Which instructions are in a clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clauses {
    /// Accesses to images are in clauses with those of other memory.
    pub images_join_memory: bool,
    /// S_TRAP is legal in any clause, and ends it.
    pub end_at_trap: bool,
}

/// Whether processors have faults that code must avoid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hazards {
    /// A vector instruction may read the old value of a register that a transcendental one shortly before it writes.
    pub transcendental_use: bool,
    /// A 64-bit multiply-add may read a source after it has begun to write its result.
    pub late_sources: bool,
    /// Exports need a priority of two or more.
    pub export_priority: bool,
    /// A vector instruction of wave64 may read results from before and after a write of EXEC wrongly.
    pub partial_forwarding: bool,
    /// Which reads of a scalar register may see its old value, because a vector instruction has read it before.
    pub scalar_rereads: ScalarRereads,
}

/// The reads of scalar registers that may see the value before the last write, where a vector instruction has read that value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScalarRereads {
    /// In wave64, if the vector instruction has read the register as a lane mask.
    LaneMask,
    /// If the vector instruction has read either register of the aligned pair.
    Pair,
}

/// The fields of an image instruction, which each format has in other bits.
#[derive(Clone, Copy, Debug)]
pub struct ImageFields {
    /// DIM.
    pub dim: u8,
    /// DMASK.
    pub dmask: u8,
    /// A16.
    pub a16: bool,
    /// D16.
    pub d16: bool,
    /// TFE.
    pub tfe: bool,
    /// LWE.
    pub lwe: bool,
    /// R128.
    pub r128: bool,
    /// UNRM, of instructions that have the field.
    pub unrm: bool,
    /// The first register of the data.
    pub data: u8,
    /// The first register of each group of the address.
    pub addresses: [u8; 5],
    /// How many groups of registers the fields name. The last one stands for all registers that are left.
    pub groups: u8,
}

/// An instruction of any generation. The `Instr` of each set implements it.
pub trait Instruction: Copy + 'static {
    /// The generation of the instruction.
    type Generation: Generation<Instr = Self>;

    /// Returns the microcode format.
    fn microcode(&self) -> Format;

    /// Returns the dwords, padded with zeros.
    fn dwords(&self) -> [u32; MAX_DWORDS];

    /// Returns how many dwords count.
    fn dword_count(&self) -> usize;

    /// Returns the opcode; for a dual-issue pair, that of the first instruction.
    fn opcode(&self) -> <Self::Generation as Isa>::Opcode;

    /// Returns the flags of the row, a bit each as in the module `flags` of the set.
    fn flags(&self) -> u128;

    /// Returns the operands.
    fn operand_infos(&self, wave: Wave) -> Operands<Self::Generation>;

    /// Returns where a branch or call goes: signed dwords from the end of the instruction. `None` for anything else.
    fn branch_offset(&self) -> Option<i16>;

    /// Returns the first two dwords as one number, as the layouts of 64-bit formats take them.
    fn low64(&self) -> u64 {
        let [first, second, _] = self.dwords();
        u64::from(first) | u64::from(second) << 32
    }

    /// Returns what the body of the row reads and writes besides the operands.
    #[cfg(feature = "inst")]
    fn body_effects(&self) -> BodyEffects {
        Self::Generation::inst_tables().bodies.effects(Self::Generation::opcode_index(self.opcode()))
    }

    /// Returns what a component of the instruction computes: 0, or 1 for the second instruction of a dual-issue pair.
    #[cfg(feature = "inst")]
    fn semantics_in(&self, component: u8) -> Option<Semantics> {
        isa::semantics::<Self::Generation>(Self::Generation::parts(self).0, &self.dwords(), component)
    }

    /// Returns the assembly text, for formatting.
    fn display_in(&self, wave: Wave) -> Display<Self::Generation> {
        Display::new(Self::Generation::parts(self).0, self.dwords(), self.dword_count() as u8, wave)
    }

    /// Returns what the instruction reads and writes.
    #[cfg(feature = "inst")]
    fn effects_in(&self, wave: Wave) -> Effects<Self::Generation> {
        isa::effects(<Self::Generation as Isa>::parts(self).0, self.dwords(), self.dword_count() as u8, wave)
    }

    /// Returns the registers that the instruction reads and writes, whether its text names them or not.
    #[cfg(feature = "inst")]
    fn register_effects_in(&self, wave: Wave) -> RegisterEffects {
        RegisterEffects::of(self.effects_in(wave), if wave == Wave::W64 { 2 } else { 1 })
    }
}

/// Implements what generations of a family have in common: of LLVM's gfx11 (RDNA3, RDNA3.5) or gfx12 (RDNA4).
macro_rules! of_family {
    (gfx11) => {
        const FAMILY: crate::Family = crate::Family::Gfx11;
        const WAITCNT_VSCNT: Option<Opcode> = Some(Opcode::S_WAITCNT_VSCNT);
        const SPLIT_WAITS: Option<[Opcode; 7]> = None;

        fn image_fields(dwords: &[u32; isa::MAX_DWORDS]) -> crate::ImageFields {
            let &[first, second, third] = dwords;
            let fields = raw::Mimg::from_bits(u64::from(first) | u64::from(second) << 32);
            let others = raw::NsaAddrs::from_bits(third);
            crate::ImageFields {
                dim: fields.dim(),
                dmask: fields.dmask(),
                a16: fields.a16(),
                d16: fields.d16(),
                tfe: fields.tfe(),
                lwe: fields.lwe(),
                r128: fields.r128(),
                unrm: fields.unrm(),
                data: fields.vdata(),
                addresses: [fields.vaddr(), others.addr1(), others.addr2(), others.addr3(), others.addr4()],
                groups: if fields.nsa() { 5 } else { 1 },
            }
        }

        #[inline(always)]
        fn scalar_fields(dwords: &[u32; isa::MAX_DWORDS]) -> crate::ScalarFields {
            let fields = raw::Smem::from_bits(u64::from(dwords[0]) | u64::from(dwords[1]) << 32);
            crate::ScalarFields {
                base: 2 * fields.sbase(),
                soffset: fields.soffset(),
                data: fields.sdata(),
                offset: (fields.offset() << 11) as i32 >> 11,
            }
        }

        #[inline(always)]
        fn vector_fields(dwords: &[u32; isa::MAX_DWORDS]) -> crate::VectorFields {
            // FLAT and GLOBAL have the fields of SCRATCH.
            let fields = raw::Scratch::from_bits(u64::from(dwords[0]) | u64::from(dwords[1]) << 32);
            crate::VectorFields {
                address: fields.addr(),
                data: fields.data(),
                result: fields.vdst(),
                offset: i32::from((fields.offset() << 3) as i16 >> 3),
                sve: fields.sve(),
            }
        }

        #[inline(always)]
        fn buffer_fields(dwords: &[u32; isa::MAX_DWORDS]) -> crate::ElementFields {
            // MUBUF has the fields of MTBUF but for FORMAT.
            let fields = raw::Mtbuf::from_bits(u64::from(dwords[0]) | u64::from(dwords[1]) << 32);
            crate::ElementFields {
                offset: fields.offset().into(),
                offen: fields.offen(),
                idxen: fields.idxen(),
                format: fields.format(),
            }
        }

        fn awaits_memory_reads(_: u32) -> bool {
            false
        }
    };
    (gfx12) => {
        const FAMILY: crate::Family = crate::Family::Gfx12;
        const WAITCNT_VSCNT: Option<Opcode> = None;
        const SPLIT_WAITS: Option<[Opcode; 7]> = Some([
            Opcode::S_WAIT_LOADCNT,
            Opcode::S_WAIT_STORECNT,
            Opcode::S_WAIT_DSCNT,
            Opcode::S_WAIT_EXPCNT,
            Opcode::S_WAIT_SAMPLECNT,
            Opcode::S_WAIT_BVHCNT,
            Opcode::S_WAIT_KMCNT,
        ]);

        fn image_fields(dwords: &[u32; isa::MAX_DWORDS]) -> crate::ImageFields {
            let &[first, second, third] = dwords;
            let whole = u128::from(first) | u128::from(second) << 32 | u128::from(third) << 64;
            let (image, sample) = (raw::Vimage::from_bits(whole), raw::Vsample::from_bits(whole));
            let has_sampler = sample.encoding() == raw::Vsample::new().encoding();
            crate::ImageFields {
                dim: image.dim(),
                dmask: image.dmask(),
                a16: image.a16(),
                d16: image.d16(),
                tfe: if has_sampler { sample.tfe() } else { image.tfe() },
                lwe: has_sampler && sample.lwe(),
                r128: image.r128(),
                unrm: has_sampler && sample.unrm(),
                data: image.vdata(),
                addresses: [image.vaddr0(), image.vaddr1(), image.vaddr2(), image.vaddr3(), image.vaddr4()],
                groups: if has_sampler { 4 } else { 5 },
            }
        }

        #[inline(always)]
        fn scalar_fields(dwords: &[u32; isa::MAX_DWORDS]) -> crate::ScalarFields {
            let fields = raw::Smem::from_bits(u64::from(dwords[0]) | u64::from(dwords[1]) << 32);
            crate::ScalarFields {
                base: 2 * fields.sbase(),
                soffset: fields.soffset(),
                data: fields.sdata(),
                offset: (fields.offset() << 8) as i32 >> 8,
            }
        }

        #[inline(always)]
        fn vector_fields(dwords: &[u32; isa::MAX_DWORDS]) -> crate::VectorFields {
            // FLAT and GLOBAL have the fields of SCRATCH.
            let whole = u128::from(dwords[0]) | u128::from(dwords[1]) << 32 | u128::from(dwords[2]) << 64;
            let fields = raw::Scratch::from_bits(whole);
            crate::VectorFields {
                address: fields.vaddr(),
                data: fields.vsrc(),
                result: fields.vdst(),
                offset: (fields.ioffset() << 8) as i32 >> 8,
                sve: fields.sve(),
            }
        }

        #[inline(always)]
        fn buffer_fields(dwords: &[u32; isa::MAX_DWORDS]) -> crate::ElementFields {
            // MUBUF has the fields of MTBUF, and ignores FORMAT.
            let whole = u128::from(dwords[0]) | u128::from(dwords[1]) << 32 | u128::from(dwords[2]) << 64;
            let fields = raw::Mtbuf::from_bits(whole);
            crate::ElementFields {
                offset: fields.offset(),
                offen: fields.offen(),
                idxen: fields.idxen(),
                format: fields.format(),
            }
        }

        fn awaits_memory_reads(dword: u32) -> bool {
            !raw::Ldsdir::from_bits(dword).wait_vm()
        }
    };
}

/// Declares the microcode formats.
macro_rules! formats {
    ($d:tt $($name:ident),*; $($family:ident: $($some:ident),*;)*) => {
        /// A microcode format.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Format {
            $(
                #[doc = concat!("See the type `", stringify!($name), "` of a set.")]
                $name,
            )*
            $($(
                #[doc = concat!("See the type `", stringify!($some), "` of a set. Only generations of ", stringify!($family), " have it.")]
                $some,
            )*)*
        }

        /// Implements [`Instruction`] for the `Instr` of a set, which has the formats of its family besides those of all sets.
        macro_rules! instruction {
            $(($generation:ty, $family) => { instruction!($generation; $($some),*); };)*
            ($generation:ty; $d($other:ident),*) => {
                /// Returns the format with an index in the set.
                #[cfg(feature = "inst")]
                fn format_of_index(index: u8) -> Option<$crate::Format> {
                    match index {
                        $($name::FORMAT => Some($crate::Format::$name),)*
                        $d($other::FORMAT => Some($crate::Format::$other),)*
                        _ => None,
                    }
                }

                impl $crate::Instruction for Instr {
                    type Generation = $generation;

                    #[inline]
                    fn microcode(&self) -> $crate::Format {
                        match self {
                            $(Instr::$name(_) => $crate::Format::$name,)*
                            $d(Instr::$other(_) => $crate::Format::$other,)*
                        }
                    }

                    #[inline]
                    fn dwords(&self) -> [u32; isa::MAX_DWORDS] {
                        self.words()
                    }

                    #[inline]
                    fn dword_count(&self) -> usize {
                        self.len()
                    }

                    #[inline]
                    fn opcode(&self) -> Opcode {
                        self.opcode()
                    }

                    #[inline]
                    fn branch_offset(&self) -> Option<i16> {
                        self.branch_offset()
                    }

                    #[inline]
                    fn flags(&self) -> u128 {
                        self.flags()
                    }

                    #[inline]
                    fn operand_infos(&self, wave: $crate::Wave) -> isa::Operands<$generation> {
                        self.operands(wave)
                    }
                }
            };
        }
    };
}

impl Format {
    /// Returns whether the instructions of the format access images.
    #[must_use]
    pub const fn is_image(self) -> bool {
        matches!(self, Format::Mimg | Format::Vimage | Format::Vsample)
    }

    /// Returns whether the vector ALU executes the instructions of the format.
    #[must_use]
    pub const fn is_vector_alu(self) -> bool {
        use Format::{Vinterp, Vop1, Vop2, Vop3, Vop3p, Vop3sd, Vopc, Vopd};
        matches!(self, Vop1 | Vop2 | Vopc | Vop3 | Vop3sd | Vop3p | Vopd | Vinterp)
    }
}

formats! {
    $ Sop2, Sopk, Sop1, Sopc, Sopp, Smem, Vop2, Vop1, Vopc, Vop3, Vop3sd, Vop3p, Vopd, Vinterp, Ldsdir, Ds, Mtbuf, Mubuf,
    Flat, Scratch, Global, Exp, Illegal; gfx11: Mimg; gfx12: Vimage, Vsample;
}
