//! Macros that define the slots, markers and builder in the crate of each set.
//!
//! They are no public interface. The traits and the builder are defined in the crate of the set because their messages,
//! modifiers and rules depend on it.

/// Implements `ToText` and `Display` for types by what they write.
#[doc(hidden)]
#[macro_export]
macro_rules! written {
    ($($(const $n:ident)? $ty:ty, $self:ident, $out:ident => $write:expr;)*) => {$(
        impl $(<const $n: usize>)? $crate::isa::ToText for $ty {
            fn write_to(&self, $out: &mut $crate::isa::Text) {
                let $self = *self;
                $write
            }
        }

        impl $(<const $n: usize>)? ::core::fmt::Display for $ty {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::build::pad(self, f)
            }
        }
    )*};
}

/// Registers that have a name and a type of their own: the text, and the operand.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($($(#[$doc:meta])* $ty:ident $name:ident $text:expr => $op:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct $ty;

        $(#[$doc])*
        pub const $name: $ty = $ty;

        $crate::written! { $ty, _register, out => out.push($text); }
        $crate::operands! { $ty, _register => $op; }
    )*};
}

/// Converts types to operands of an `Inst`.
#[doc(hidden)]
#[macro_export]
macro_rules! operands {
    ($($(const $n:ident)? $ty:ty, $self:ident => $op:expr;)*) => {$(
        impl $(<const $n: usize>)? $ty {
            /// The registers as an operand of an [`Inst`](isa_runtime::Inst).
            #[must_use]
            pub const fn op(self) -> $crate::build::Op {
                let $self = self;
                $op
            }
        }

        impl $(<const $n: usize>)? From<$ty> for $crate::build::Op {
            #[inline]
            fn from(register: $ty) -> $crate::build::Op {
                register.op()
            }
        }
    )*};
}

/// The body of a slot for values that convert to one operand.
#[doc(hidden)]
#[macro_export]
macro_rules! __fill {
    () => {
        #[inline]
        fn fill<I: $crate::isa::Isa>(self, inst: &mut $crate::build::InstBuilder<I>) {
            inst.push(self.into());
        }
    };
}

/// Implements a slot for types, for operands whose type has a bound.
#[doc(hidden)]
#[macro_export]
macro_rules! __admit_types {
    ($slot:ident: $($bound:path: $($ty:path),+;)*) => {$($(
        impl<T: $bound> $slot<T> for $ty { $crate::__fill!(); }
    )+)*};
}

/// Implements a slot for ranges of registers, and for virtual ones.
#[doc(hidden)]
#[macro_export]
macro_rules! __admit_ranges {
    ($slot:ident: $ty:ident $virtual:ident [$($generic:tt)*] $n:tt [$($bound:tt)*]) => {
        impl<$($generic)* T $($bound)*> $slot<T> for $crate::build::$ty<$n> { $crate::__fill!(); }
        #[diagnostic::do_not_recommend]
        impl<$($generic)* T $($bound)*> $slot<T> for $crate::build::$virtual<$n> { $crate::__fill!(); }
    };
}

/// Implements a slot for scalar registers and trap temporaries.
#[doc(hidden)]
#[macro_export]
macro_rules! __admit_scalars {
    ($slot:ident: [$($generic:tt)*] $n:tt [$($bound:tt)*]) => {
        $crate::__admit_ranges!($slot: Sgprs VirtualSgprs [$($generic)*] $n [$($bound)*]);
        impl<$($generic)* T $($bound)*> $slot<T> for $crate::build::Ttmps<$n> { $crate::__fill!(); }
    };
}

/// Implements a slot for values of some types.
#[doc(hidden)]
#[macro_export]
macro_rules! __admit {
    ($slot:ident: $($what:ident)*) => {$($crate::__admit!(@ $what $slot);)*};
    (@ vgprs $slot:ident) => {
        $crate::__admit_ranges!($slot: Vgprs VirtualVgprs [const N: usize,] N [: $crate::isa::build::Dwords<N> + $crate::isa::build::Whole]);
    };
    (@ halves $slot:ident) => {
        $crate::__admit_types!($slot: $crate::isa::build::Half: $crate::build::VgprHalf;);
    };
    (@ whole_vgprs $slot:ident) => {
        $crate::__admit_ranges!($slot: Vgprs VirtualVgprs [const N: usize,] N [: $crate::isa::build::Dwords<N>]);
    };
    (@ any_vgprs $slot:ident) => {
        $crate::__admit_ranges!($slot: Vgprs VirtualVgprs [const N: usize,] N []);
    };
    (@ one_vgpr $slot:ident) => {
        $crate::__admit_ranges!($slot: Vgprs VirtualVgprs [] 1 []);
    };
    (@ two_vgprs $slot:ident) => {
        $crate::__admit_ranges!($slot: Vgprs VirtualVgprs [] 2 []);
    };
    (@ sgprs $slot:ident) => {
        $crate::__admit_scalars!($slot: [const N: usize,] N [: $crate::isa::build::Dwords<N>]);
    };
    (@ narrow_sgprs $slot:ident) => {
        $crate::__admit_scalars!($slot: [const N: usize,] N [: $crate::isa::build::Dwords<N> + $crate::isa::build::Narrow]);
    };
    (@ one_sgpr $slot:ident) => {
        $crate::__admit_scalars!($slot: [] 1 []);
    };
    (@ two_sgprs $slot:ident) => {
        $crate::__admit_scalars!($slot: [] 2 []);
    };
    (@ vcc $slot:ident) => {
        $crate::__admit_types!($slot:
            $crate::isa::build::Dwords<2>: $crate::build::Vcc;
            $crate::isa::build::Dwords<1>: $crate::build::VccLo, $crate::build::VccHi;
        );
    };
    (@ exec $slot:ident) => {
        $crate::__admit_types!($slot:
            $crate::isa::build::Dwords<2>: $crate::build::Exec;
            $crate::isa::build::Dwords<1>: $crate::build::ExecLo, $crate::build::ExecHi;
        );
    };
    (@ m0 $slot:ident) => {
        $crate::__admit_types!($slot: $crate::isa::build::Dwords<1>: $crate::build::M0Register;);
    };
    (@ null $slot:ident) => {
        impl<T> $slot<T> for $crate::build::Null { $crate::__fill!(); }
    };
    (@ off $slot:ident) => {
        impl<T> $slot<T> for $crate::build::Off { $crate::__fill!(); }
    };
    (@ readable $slot:ident) => {
        $crate::__admit_types!($slot: $crate::isa::build::Narrow: $crate::build::Scc, $crate::build::SharedBase,
            $crate::build::SharedLimit, $crate::build::PrivateBase, $crate::build::PrivateLimit;);
    };
    // Modifiers and registers that only GCN has.
    (@ gcn_registers $slot:ident) => {
        $crate::__admit_types!($slot:
            $crate::isa::build::Dwords<2>: $crate::build::FlatScratch, $crate::build::XnackMask, $crate::build::Tba,
                $crate::build::Tma;
            $crate::isa::build::Dwords<1>: $crate::build::FlatScratchLo, $crate::build::FlatScratchHi,
                $crate::build::XnackMaskLo, $crate::build::XnackMaskHi, $crate::build::TbaLo, $crate::build::TbaHi,
                $crate::build::TmaLo, $crate::build::TmaHi;
        );
    };
    (@ gcn_readable $slot:ident) => {
        $crate::__admit_types!($slot: $crate::isa::build::Narrow: $crate::build::Vccz, $crate::build::Execz;);
    };
    (@ integers $slot:ident) => {
        $crate::__admit_types!($slot: $crate::isa::build::Narrow: i16, u16, i32, u32, i64, u64;);
    };
    (@ floats $slot:ident) => {
        impl<T: $crate::isa::build::Narrow + $crate::isa::build::TakesFloat> $slot<T> for f32 { $crate::__fill!(); }
        impl<T: $crate::isa::build::Narrow + $crate::isa::build::TakesFloat> $slot<T> for f64 { $crate::__fill!(); }
    };
    // Of matrices, whose elements the constant stands for.
    (@ element_constants $slot:ident) => {
        impl<T> $slot<T> for i32 { $crate::__fill!(); }
        impl<T> $slot<T> for u32 { $crate::__fill!(); }
        impl<T: $crate::isa::build::TakesFloat> $slot<T> for f32 { $crate::__fill!(); }
        impl<T: $crate::isa::build::TakesFloat> $slot<T> for f64 { $crate::__fill!(); }
    };
    (@ sixteen_bits $slot:ident) => {
        impl<T> $slot<T> for i16 { $crate::__fill!(); }
        impl<T> $slot<T> for u16 { $crate::__fill!(); }
        impl<T> $slot<T> for i32 {
            #[inline]
            fn fill<I: $crate::isa::Isa>(self, inst: &mut $crate::build::InstBuilder<I>) {
                match self {
                    -0x8000..=0xffff => inst.push(self.into()),
                    _ => inst.fail_operand("the constant has 16 bits: it lies between -32768 and 65535"),
                }
            }
        }
    };
}

/// Slots: a trait each, with the message for what it does not admit, and the types that it admits.
#[doc(hidden)]
#[macro_export]
macro_rules! slots {
    ($($(#[$doc:meta])* $slot:ident $message:literal $label:literal $note:literal: $($what:ident)*;)*) => {$(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        pub trait $slot<T> {
            /// Adds the operand to an instruction.
            fn fill<I: $crate::isa::Isa>(self, inst: &mut $crate::build::InstBuilder<I>);
        }

        /// An operand that is known only at run time: the instruction is checked when it is built.
        #[diagnostic::do_not_recommend]
        impl<T> $slot<T> for $crate::build::Op {
            #[inline]
            fn fill<I: $crate::isa::Isa>(self, inst: &mut $crate::build::InstBuilder<I>) {
                inst.push(self);
            }
        }

        $crate::__admit!($slot: $($what)*);
    )*};
}

/// Markers of modifiers: traits that generated groups of instructions implement, with the field of the modifier; those of
/// choices that are no modifiers, such as an encoding, are marked `choice` and have none.
#[doc(hidden)]
#[macro_export]
macro_rules! markers {
    ($($marker:ident $message:literal $note:literal $($choice:ident)?;)*) => {$(
        #[doc = $message]
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "not a modifier of this instruction",
            note = $note,
            note = "the documentation of each function of `build` lists the modifiers that it has"
        )]
        pub trait $marker {
            $crate::markers!(@ $($choice)?);
        }
    )*};
    (@) => {
        /// The modifier of the instructions.
        const FIELD: $crate::build::Field;
    };
    (@ choice) => {};
}

/// Methods of a builder for modifiers that are names alone.
#[doc(hidden)]
#[macro_export]
macro_rules! flags {
    ($($(#[$doc:meta])* $method:ident $marker:ident;)*) => {$(
        $(#[$doc])*
        #[inline]
        pub fn $method(mut self) -> Self
        where
            M: has::$marker,
        {
            self.inst.set(<M as has::$marker>::FIELD.modifier(), 1);
            self
        }
    )*};
}

/// The same for modifiers with a number.
#[doc(hidden)]
#[macro_export]
macro_rules! numbers {
    ($($(#[$doc:meta])* $method:ident $marker:ident $ty:ty;)*) => {$(
        $(#[$doc])*
        #[inline]
        pub fn $method(mut self, value: $ty) -> Self
        where
            M: has::$marker,
        {
            self.inst.set_number(<M as has::$marker>::FIELD, value.into());
            self
        }
    )*};
}

/// Implements `Clone`, `Copy`, `Display` and `Debug` for a builder with `inst` and `fn show(&self, f: &mut Formatter)`.
#[doc(hidden)]
#[macro_export]
macro_rules! builder {
    (<$($param:ident $(: $bound:path)?),*> $ty:ty) => {
        impl<$($param $(: $bound)?),*> Clone for $ty {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$($param $(: $bound)?),*> Copy for $ty {}

        /// The instruction as text if it can be encoded, otherwise its operands.
        impl<$($param $(: $bound)?),*> ::core::fmt::Display for $ty {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                self.show(f)
            }
        }

        impl<$($param $(: $bound)?),*> ::core::fmt::Debug for $ty {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                write!(f, "Builder({self})")
            }
        }
    };
}
