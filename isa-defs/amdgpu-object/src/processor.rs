//! The processors that objects are written for.

use std::fmt;

/// Processors whose kernel descriptors have the same fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Family {
    /// RDNA3 and RDNA3.5: gfx1100 to gfx1103, gfx1150 to gfx1154.
    #[default]
    Gfx11,
    /// RDNA4: gfx1200 and gfx1201.
    Gfx12,
}

/// Defines [`Processor`] from names, `EF_AMDGPU_MACH` numbers, families, and the numbers of VGPRs of a SIMD and of work-group
/// processors.
macro_rules! processors {
    ($($variant:ident $name:literal $mach:literal $family:ident $vgprs:literal $wgps:literal,)+) => {
        /// A processor with RDNA3, RDNA3.5 or RDNA4 instructions.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Processor {
            $(#[doc = concat!("`", $name, "`.")] $variant = $mach,)+
        }

        impl Processor {
            /// All processors.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// Returns LLVM's name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// Returns the family, which decides what a kernel descriptor holds.
            #[must_use]
            pub const fn family(self) -> Family {
                match self {
                    $(Self::$variant => Family::$family,)+
                }
            }

            /// Returns the number of VGPRs that the waves of a SIMD share, counted in wave32: 1,024 or 1,536 (guide §3.3.2.1; which
            /// processor has which is LLVM's feature `1_5xvgprs`).
            #[must_use]
            pub const fn vgprs_per_simd(self) -> u32 {
                match self {
                    $(Self::$variant => $vgprs,)+
                }
            }

            /// Returns the number of work-group processors (WGPs) of two CUs each, in the largest product that AMD sells: the
            /// RX 7900 XTX has 96 CUs.
            #[must_use]
            pub const fn wgps(self) -> u32 {
                match self {
                    $(Self::$variant => $wgps,)+
                }
            }
        }
    };
}

processors! {
    Gfx1100 "gfx1100" 0x41 Gfx11 1536 48,
    Gfx1101 "gfx1101" 0x46 Gfx11 1536 30,
    Gfx1102 "gfx1102" 0x47 Gfx11 1024 16,
    Gfx1103 "gfx1103" 0x44 Gfx11 1024 6,
    Gfx1150 "gfx1150" 0x43 Gfx11 1024 8,
    Gfx1151 "gfx1151" 0x4a Gfx11 1536 20,
    Gfx1152 "gfx1152" 0x55 Gfx11 1024 4,
    Gfx1153 "gfx1153" 0x58 Gfx11 1024 2,
    Gfx1154 "gfx1154" 0x57 Gfx11 1024 2,
    Gfx1200 "gfx1200" 0x48 Gfx12 1536 16,
    Gfx1201 "gfx1201" 0x4e Gfx12 1536 32,
}

impl Processor {
    /// Finds the processor of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|processor| processor.name() == name).copied()
    }

    /// Finds the processor of the `e_flags` of an object.
    #[must_use]
    pub fn from_flags(flags: u32) -> Option<Self> {
        Self::ALL.iter().find(|processor| processor.flags() == flags & 0xFF).copied()
    }

    /// Returns the `e_flags` of objects for this processor: its number, `EF_AMDGPU_MACH`.
    #[must_use]
    pub const fn flags(self) -> u32 {
        self as u32
    }

    /// Returns the target of code objects of HSA, as metadata names it.
    #[must_use]
    pub fn hsa_target(self) -> String {
        format!("amdgcn-amd-amdhsa--{self}")
    }
}

impl fmt::Display for Processor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The version of the format of HSA's code objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CodeObjectVersion {
    /// Version 5.
    V5,
    /// Version 6, the default of LLVM 22.
    #[default]
    V6,
}

impl CodeObjectVersion {
    /// Returns the `EI_ABIVERSION` byte.
    #[must_use]
    pub const fn abi_version(self) -> u8 {
        match self {
            Self::V5 => 3,
            Self::V6 => 4,
        }
    }
}
