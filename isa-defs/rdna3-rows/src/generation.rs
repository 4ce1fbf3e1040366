//! Differences between the generations besides their rows, and what code that serves several of them can ask.

#[cfg(feature = "inst")]
use amdgpu_operands::RegisterEffects;
#[cfg(feature = "inst")]
use isa::{BodyEffects, Effects, Semantics};
use isa::{Display, Isa, MAX_DWORDS, Operands};

use crate::{Value, Wave};

/// A generation: an instruction set of this crate.
pub trait Generation: Isa<Mode = Wave, Value = Value, Instr: Instruction<Generation = Self>> {
    /// The properties of the generation that are not in its rows.
    const FEATURES: &'static Features;
    /// The modifier that holds the upper half of the offset of DS instructions.
    #[cfg(feature = "inst")]
    const OFFSET1: isa::Modifier;
    /// S_WAITCNT.
    const WAITCNT: Self::Opcode;
    /// S_WAITCNT_VSCNT.
    const WAITCNT_VSCNT: Self::Opcode;

    /// Returns which part of the processor executes an opcode.
    #[cfg(feature = "inst")]
    fn pipeline(opcode: Self::Opcode) -> crate::Pipeline;
}

/// The properties of a generation that are not in its rows.
#[derive(Debug)]
pub struct Features {
    /// Whether the second source beside DPP controls can be a scalar register or an inline constant.
    pub scalar_dpp_source: bool,
    /// Whether scalar instructions compute with floating-point numbers, so that their constants can have 16 bits.
    pub scalar_float: bool,
    /// What its processors need between instructions, beyond what the guide says. LLVM and ACO know it.
    pub hazards: Hazards,
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
}

/// RDNA3: gfx1100 to gfx1103.
#[cfg(feature = "rdna3")]
pub static RDNA3: Features = Features {
    scalar_dpp_source: false,
    scalar_float: false,
    hazards: Hazards { transcendental_use: true, late_sources: true, export_priority: false },
};

/// RDNA3.5: gfx1150 to gfx1154.
#[cfg(feature = "rdna3_5")]
pub static RDNA3_5: Features = Features {
    scalar_dpp_source: true,
    scalar_float: true,
    hazards: Hazards { transcendental_use: false, late_sources: false, export_priority: true },
};

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
        Self::Generation::bodies().effects(Self::Generation::opcode_index(self.opcode()))
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

/// Declares the microcode formats.
macro_rules! formats {
    ($($name:ident),* $(,)?) => {
        /// A microcode format. All generations have the same.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Format {
            $(
                #[doc = concat!("See the type `", stringify!($name), "` of a set.")]
                $name,
            )*
        }

        /// Implements [`Instruction`] for the `Instr` of a set.
        macro_rules! instruction {
            ($generation:ty) => {
                impl $crate::Instruction for Instr {
                    type Generation = $generation;

                    #[inline]
                    fn microcode(&self) -> $crate::Format {
                        match self {
                            $(Instr::$name(_) => $crate::Format::$name,)*
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
    /// Returns whether the vector ALU executes the instructions of the format.
    #[must_use]
    pub const fn is_vector_alu(self) -> bool {
        use Format::{Vinterp, Vop1, Vop2, Vop3, Vop3p, Vop3sd, Vopc, Vopd};
        matches!(self, Vop1 | Vop2 | Vopc | Vop3 | Vop3sd | Vop3p | Vopd | Vinterp)
    }
}

formats! {
    Sop2, Sopk, Sop1, Sopc, Sopp, Smem, Vop2, Vop1, Vopc, Vop3, Vop3sd, Vop3p, Vopd, Vinterp, Ldsdir, Ds, Mtbuf, Mubuf,
    Mimg, Flat, Scratch, Global, Exp, Illegal,
}
