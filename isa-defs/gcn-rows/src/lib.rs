//! The rows of AMD GCN 1.0, 1.1, 1.2 and 1.4, and the types generated from them. Depend on `gcn` instead, which re-exports them.
//!
//! Each generation is a separate set in a module ([`gcn1_0`], [`gcn1_1`], [`gcn1_2`], [`gcn1_4`]), made from the same
//! blocks in `src/formats`; [`operands`] declares the codes of their fields, and [`generation`] lists the differences
//! between generations.
#![no_std]

#[cfg(feature = "build")]
mod builder;
mod effects;
mod formats;
pub mod generation;
mod legal;
mod length;
pub mod operands;
mod rule;

pub use amdgpu_operands::{Authority, RegisterEffects, RegisterSet, Unit};
pub use generation::Generation;
pub use isa;
pub use length::{Encoding, encoding};
pub use operands::{File, Registers, Value};
pub use rule::{Rule, Violation};

/// How many lanes a wave has: always 64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Wave {
    /// 64 lanes.
    #[default]
    W64,
}

macro_rules! generation {
    ($(#[$doc:meta])* $module:ident, $name:ident, $features:ident) => {
        $(#[$doc])*
        pub mod $module {
            /// The builder of this generation, and the items that builders of all generations share.
            #[cfg(feature = "build")]
            mod builder {
                pub use crate::builder::*;

                /// An instruction under construction. `M` says which modifiers it has.
                pub type Builder<M> = crate::builder::Builder<super::$name, M>;
            }

            isa::isa_set! {
                $(#[$doc])*
                set $name of $module;
                mode crate::Wave { W64 };
                value crate::Value;
                operands crate::operands;
                legal self::for_text;
                #[cfg(feature = "build")]
                build self::builder {
                    BufferData => Data,
                    BufferAddr => BufferAddress,
                    ResourceSgprs => Resource,
                    BufferSoffset => BufferOffset,
                    SmemData => ScalarData,
                    SmemBase => Base,
                    SmemOffset | SmemOffset20 => ScalarOffset,
                    // The slot of the offset sets this field.
                    SmemSoffset => _,
                    Imm7 => ProbeCode,

                    // A register and a constant besides.
                    mod soe => Offset,
                    mod imm_offset => _,
                }
                formats { crate::formats::mubuf::MUBUF, crate::formats::smem::SMEM, crate::operands::CLASSES }
            }

            impl crate::Generation for $name {
                const FEATURES: &'static crate::generation::Features = &crate::generation::$features;

                fn check(instr: &Instr) -> Result<(), crate::Violation> {
                    instr.check()
                }
            }

            #[cfg(feature = "build")]
            impl<M> TryFrom<builder::Builder<M>> for Instr {
                type Error = builder::BuildError;

                fn try_from(builder: builder::Builder<M>) -> Result<Instr, builder::BuildError> {
                    builder.build()
                }
            }

            impl Instr {
                /// Returns the registers that the instruction reads and writes, whether its text names them or not.
                #[must_use]
                pub fn register_effects(&self) -> crate::RegisterEffects {
                    crate::RegisterEffects::of(self.effects(crate::Wave::W64), 2)
                }

                /// Whether the instruction obeys the rules between its operands.
                ///
                /// # Errors
                /// The first rule it breaks.
                pub fn check(&self) -> Result<(), crate::Violation> {
                    crate::legal::check(self.operands(crate::Wave::W64), self.flags(), &self.words())
                }
            }

            fn for_text(instr: &Instr, _: crate::Wave) -> Result<(), isa::Forbidden> {
                crate::Violation::of_assembler(instr.check())
            }
        }
    };
}

generation! {
    /// GCN 1.0, Southern Islands: gfx600 and its like. MUBUF.
    gcn1_0, Gcn1_0, GCN1_0
}
generation! {
    /// GCN 1.1, Sea Islands: gfx700 and its like. MUBUF.
    gcn1_1, Gcn1_1, GCN1_1
}
generation! {
    /// GCN 1.2, Volcanic Islands: gfx803 and its like. MUBUF and SMEM.
    gcn1_2, Gcn1_2, GCN1_2
}
generation! {
    /// GCN 1.4, Vega: gfx900 and its like. MUBUF and SMEM.
    gcn1_4, Gcn1_4, GCN1_4
}

/// The flags that rows may carry and the roles of operands, with the same values in every generation.
pub use gcn1_4::{flags, roles};
