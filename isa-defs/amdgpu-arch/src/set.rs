//! The table of the instruction sets, and what follows from it: [`Arch`] and `with_set!`.
//!
//! To add a set, add a row to `__sets!`, its type and an implementation to `sets.rs`, and its processors.

use amdgpu_object::Family;

/// Calls a macro with its arguments in braces and a row for each set: the variant of [`Arch`] and of [`Instr`], the name, the type.
#[doc(hidden)]
#[macro_export]
macro_rules! __sets {
    ($then:ident! $arguments:tt) => {
        $crate::$then! {
            $arguments
            /// RDNA3: gfx1100 to gfx1103.
            Rdna3 "rdna3" $crate::sets::Rdna3;
            /// RDNA3.5: gfx1150 to gfx1154.
            Rdna3_5 "rdna3.5" $crate::sets::Rdna3_5;
            /// RDNA4: gfx1200 and gfx1201.
            Rdna4 "rdna4" $crate::sets::Rdna4;
            /// Graphics Core Next 1.0, Southern Islands: gfx6.
            Gcn1_0 "gcn1.0" $crate::sets::Gcn1_0;
            /// Graphics Core Next 1.1, Sea Islands: gfx7.
            Gcn1_1 "gcn1.1" $crate::sets::Gcn1_1;
            /// Graphics Core Next 1.2, Volcanic Islands: gfx8.
            Gcn1_2 "gcn1.2" $crate::sets::Gcn1_2;
            /// Graphics Core Next 1.4, Vega: gfx9.
            Gcn1_4 "gcn1.4" $crate::sets::Gcn1_4;
        }
    };
}

/// Runs an expression with the type of a set in place of a name, so that a loop over instructions is compiled for each set:
/// `with_set!(arch, S => run::<S>(words))`.
#[macro_export]
macro_rules! with_set {
    ($arch:expr, $set:ident => $do:expr) => {
        $crate::__sets! { __with_set! { $arch, $set, $do } }
    };
}

/// The rows of [`with_set!`].
#[doc(hidden)]
#[macro_export]
macro_rules! __with_set {
    ({ $arch:expr, $alias:ident, $do:expr } $($(#[$doc:meta])* $set:ident $name:literal $type:ty;)*) => {
        match $arch {
            $($crate::Arch::$set => {
                type $alias = $type;
                $do
            })*
        }
    };
}

/// Runs an expression as [`with_set!`] does, if the set is a generation of RDNA: its type implements `Generation`. Returns `None` for
/// other sets.
#[macro_export]
macro_rules! with_rdna_set {
    ($arch:expr, $set:ident => $do:expr) => {
        match $arch {
            $crate::Arch::Rdna3 => {
                type $set = $crate::sets::Rdna3;
                Some($do)
            }
            $crate::Arch::Rdna3_5 => {
                type $set = $crate::sets::Rdna3_5;
                Some($do)
            }
            $crate::Arch::Rdna4 => {
                type $set = $crate::sets::Rdna4;
                Some($do)
            }
            _ => None,
        }
    };
}

/// Declares [`Arch`].
#[doc(hidden)]
#[macro_export]
macro_rules! __arch {
    ({} $($(#[$doc:meta])* $set:ident $name:literal $type:ty;)*) => {
        /// An instruction set.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Arch {
            $($(#[$doc])* $set,)*
        }

        impl Arch {
            /// All instruction sets.
            pub const ALL: &[Self] = &[$(Self::$set,)*];

            /// Returns the name, such as `rdna3` or `gcn1.4`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$set => $name,)*
                }
            }
        }
    };
}

crate::__sets! { __arch! {} }

impl Arch {
    /// Returns whether it is a generation of RDNA, whose code has wave sizes and kernel descriptors.
    #[must_use]
    pub fn is_rdna(self) -> bool {
        self.family().is_some()
    }

    /// Returns the family of the set's processors, which decides what kernel descriptors hold. `None` for sets whose descriptors are not
    /// written.
    #[must_use]
    pub fn family(self) -> Option<Family> {
        match self {
            Self::Rdna3 | Self::Rdna3_5 => Some(Family::Gfx11),
            Self::Rdna4 => Some(Family::Gfx12),
            _ => None,
        }
    }
}
