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

/// Registers that have a name and a type of their own.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($($(#[$doc:meta])* $ty:ident $name:ident $text:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct $ty;

        $(#[$doc])*
        pub const $name: $ty = $ty;

        $crate::written! { $ty, _register, out => out.push($text); }
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

/// Implements a slot for values of some types.
#[doc(hidden)]
#[macro_export]
macro_rules! __admit {
    ($slot:ident: $($what:ident)*) => {$($crate::__admit!(@ $what $slot);)*};
    (@ vgprs $slot:ident) => {
        impl<const N: usize, T: $crate::isa::build::Dwords<N> + $crate::isa::build::Whole> $slot<T> for $crate::build::Vgprs<N> { $crate::__fill!(); }
        #[diagnostic::do_not_recommend]
        impl<const N: usize, T: $crate::isa::build::Dwords<N> + $crate::isa::build::Whole> $slot<T> for $crate::build::VirtualVgprs<N> { $crate::__fill!(); }
    };
    (@ halves $slot:ident) => {
        impl<T: $crate::isa::build::Half> $slot<T> for $crate::build::VgprHalf { $crate::__fill!(); }
    };
    (@ whole_vgprs $slot:ident) => {
        impl<const N: usize, T: $crate::isa::build::Dwords<N>> $slot<T> for $crate::build::Vgprs<N> { $crate::__fill!(); }
        #[diagnostic::do_not_recommend]
        impl<const N: usize, T: $crate::isa::build::Dwords<N>> $slot<T> for $crate::build::VirtualVgprs<N> { $crate::__fill!(); }
    };
    (@ any_vgprs $slot:ident) => {
        impl<const N: usize, T> $slot<T> for $crate::build::Vgprs<N> { $crate::__fill!(); }
        #[diagnostic::do_not_recommend]
        impl<const N: usize, T> $slot<T> for $crate::build::VirtualVgprs<N> { $crate::__fill!(); }
    };
    (@ one_vgpr $slot:ident) => {
        impl<T> $slot<T> for $crate::build::Vgprs<1> { $crate::__fill!(); }
        #[diagnostic::do_not_recommend]
        impl<T> $slot<T> for $crate::build::VirtualVgprs<1> { $crate::__fill!(); }
    };
    (@ two_vgprs $slot:ident) => {
        impl<T> $slot<T> for $crate::build::Vgprs<2> { $crate::__fill!(); }
        #[diagnostic::do_not_recommend]
        impl<T> $slot<T> for $crate::build::VirtualVgprs<2> { $crate::__fill!(); }
    };
    (@ sgprs $slot:ident) => {
        impl<const N: usize, T: $crate::isa::build::Dwords<N>> $slot<T> for $crate::build::Sgprs<N> { $crate::__fill!(); }
        #[diagnostic::do_not_recommend]
        impl<const N: usize, T: $crate::isa::build::Dwords<N>> $slot<T> for $crate::build::VirtualSgprs<N> { $crate::__fill!(); }
        impl<const N: usize, T: $crate::isa::build::Dwords<N>> $slot<T> for $crate::build::Ttmps<N> { $crate::__fill!(); }
    };
    (@ narrow_sgprs $slot:ident) => {
        impl<const N: usize, T: $crate::isa::build::Dwords<N> + $crate::isa::build::Narrow> $slot<T> for $crate::build::Sgprs<N> { $crate::__fill!(); }
        #[diagnostic::do_not_recommend]
        impl<const N: usize, T: $crate::isa::build::Dwords<N> + $crate::isa::build::Narrow> $slot<T> for $crate::build::VirtualSgprs<N> { $crate::__fill!(); }
        impl<const N: usize, T: $crate::isa::build::Dwords<N> + $crate::isa::build::Narrow> $slot<T> for $crate::build::Ttmps<N> { $crate::__fill!(); }
    };
    (@ one_sgpr $slot:ident) => {
        impl<T> $slot<T> for $crate::build::Sgprs<1> { $crate::__fill!(); }
        #[diagnostic::do_not_recommend]
        impl<T> $slot<T> for $crate::build::VirtualSgprs<1> { $crate::__fill!(); }
        impl<T> $slot<T> for $crate::build::Ttmps<1> { $crate::__fill!(); }
    };
    (@ two_sgprs $slot:ident) => {
        impl<T> $slot<T> for $crate::build::Sgprs<2> { $crate::__fill!(); }
        #[diagnostic::do_not_recommend]
        impl<T> $slot<T> for $crate::build::VirtualSgprs<2> { $crate::__fill!(); }
        impl<T> $slot<T> for $crate::build::Ttmps<2> { $crate::__fill!(); }
    };
    (@ vcc $slot:ident) => {
        impl<T: $crate::isa::build::Dwords<2>> $slot<T> for $crate::build::Vcc { $crate::__fill!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::VccLo { $crate::__fill!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::VccHi { $crate::__fill!(); }
    };
    (@ exec $slot:ident) => {
        impl<T: $crate::isa::build::Dwords<2>> $slot<T> for $crate::build::Exec { $crate::__fill!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::ExecLo { $crate::__fill!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::ExecHi { $crate::__fill!(); }
    };
    (@ m0 $slot:ident) => {
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::M0Register { $crate::__fill!(); }
    };
    (@ null $slot:ident) => {
        impl<T> $slot<T> for $crate::build::Null { $crate::__fill!(); }
    };
    (@ off $slot:ident) => {
        impl<T> $slot<T> for $crate::build::Off { $crate::__fill!(); }
    };
    (@ readable $slot:ident) => {
        impl<T: $crate::isa::build::Narrow> $slot<T> for $crate::build::Scc { $crate::__fill!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for $crate::build::SharedBase { $crate::__fill!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for $crate::build::SharedLimit { $crate::__fill!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for $crate::build::PrivateBase { $crate::__fill!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for $crate::build::PrivateLimit { $crate::__fill!(); }
    };
    // Modifiers and registers that only GCN has.
    (@ gcn_registers $slot:ident) => {
        impl<T: $crate::isa::build::Dwords<2>> $slot<T> for $crate::build::FlatScratch { $crate::__fill!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::FlatScratchLo { $crate::__fill!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::FlatScratchHi { $crate::__fill!(); }
        impl<T: $crate::isa::build::Dwords<2>> $slot<T> for $crate::build::XnackMask { $crate::__fill!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::XnackMaskLo { $crate::__fill!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::XnackMaskHi { $crate::__fill!(); }
        impl<T: $crate::isa::build::Dwords<2>> $slot<T> for $crate::build::Tba { $crate::__fill!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::TbaLo { $crate::__fill!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::TbaHi { $crate::__fill!(); }
        impl<T: $crate::isa::build::Dwords<2>> $slot<T> for $crate::build::Tma { $crate::__fill!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::TmaLo { $crate::__fill!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::TmaHi { $crate::__fill!(); }
    };
    (@ gcn_readable $slot:ident) => {
        impl<T: $crate::isa::build::Narrow> $slot<T> for $crate::build::Vccz { $crate::__fill!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for $crate::build::Execz { $crate::__fill!(); }
    };
    (@ integers $slot:ident) => {
        impl<T: $crate::isa::build::Narrow> $slot<T> for i16 { $crate::__fill!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for u16 { $crate::__fill!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for i32 { $crate::__fill!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for u32 { $crate::__fill!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for i64 { $crate::__fill!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for u64 { $crate::__fill!(); }
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

/// Markers of modifiers: traits that generated groups of instructions implement, with the field of the modifier.
#[doc(hidden)]
#[macro_export]
macro_rules! markers {
    ($($marker:ident $message:literal $note:literal;)*) => {$(
        #[doc = $message]
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "not a modifier of this instruction",
            note = $note,
            note = "the documentation of each function of `build` lists the modifiers that it has"
        )]
        pub trait $marker {
            /// The modifier of the instructions.
            const FIELD: $crate::build::Field;
        }
    )*};
}

/// Markers of choices that are no modifiers, such as that of an encoding.
#[doc(hidden)]
#[macro_export]
macro_rules! choices {
    ($($marker:ident $message:literal $note:literal;)*) => {$(
        #[doc = $message]
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "not a modifier of this instruction",
            note = $note,
            note = "the documentation of each function of `build` lists the modifiers that it has"
        )]
        pub trait $marker {}
    )*};
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
