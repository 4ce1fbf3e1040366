//! Macros of which the crate of each set makes its slots, markers and builder.
//!
//! They are no interface of their own: traits and the type of builders have to stand in the crate of the set, since their
//! messages, modifiers and rules are its own.

/// A type that text writes as an [`Arg`](crate::build::Arg).
#[doc(hidden)]
#[macro_export]
macro_rules! written {
    ($($(const $n:ident)? $ty:ty, $self:ident => $arg:expr;)*) => {$(
        impl $(<const $n: usize>)? From<$ty> for $crate::build::Arg {
            fn from($self: $ty) -> $crate::build::Arg {
                $arg
            }
        }

        impl $(<const $n: usize>)? $crate::isa::ToText for $ty {
            fn write_to(&self, out: &mut $crate::isa::Text) {
                $crate::isa::ToText::write_to(&$crate::build::Arg::from(*self), out);
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

        $crate::written! { $ty, _r => $crate::build::Arg::Word($text); }
    )*};
}

/// The body of what a slot does with most values.
#[doc(hidden)]
#[macro_export]
macro_rules! __argument {
    () => {
        fn argument(self) -> $crate::build::Arg {
            self.into()
        }
    };
}

/// Implements a slot for values of some types.
#[doc(hidden)]
#[macro_export]
macro_rules! __admit {
    ($slot:ident: $($what:ident)*) => {$($crate::__admit!(@ $what $slot);)*};
    (@ vgprs $slot:ident) => {
        impl<const N: usize, T: $crate::isa::build::Dwords<N> + $crate::isa::build::Whole> $slot<T> for $crate::build::Vgprs<N> { $crate::__argument!(); }
    };
    (@ halves $slot:ident) => {
        impl<T: $crate::isa::build::Half> $slot<T> for $crate::build::VgprHalf { $crate::__argument!(); }
    };
    (@ whole_vgprs $slot:ident) => {
        impl<const N: usize, T: $crate::isa::build::Dwords<N>> $slot<T> for $crate::build::Vgprs<N> { $crate::__argument!(); }
    };
    (@ any_vgprs $slot:ident) => {
        impl<const N: usize, T> $slot<T> for $crate::build::Vgprs<N> { $crate::__argument!(); }
    };
    (@ one_vgpr $slot:ident) => {
        impl<T> $slot<T> for $crate::build::Vgpr { $crate::__argument!(); }
    };
    (@ two_vgprs $slot:ident) => {
        impl<T> $slot<T> for $crate::build::Vgprs<2> { $crate::__argument!(); }
    };
    (@ sgprs $slot:ident) => {
        impl<const N: usize, T: $crate::isa::build::Dwords<N>> $slot<T> for $crate::build::Sgprs<N> { $crate::__argument!(); }
        impl<const N: usize, T: $crate::isa::build::Dwords<N>> $slot<T> for $crate::build::Ttmps<N> { $crate::__argument!(); }
    };
    (@ narrow_sgprs $slot:ident) => {
        impl<const N: usize, T: $crate::isa::build::Dwords<N> + $crate::isa::build::Narrow> $slot<T> for $crate::build::Sgprs<N> { $crate::__argument!(); }
        impl<const N: usize, T: $crate::isa::build::Dwords<N> + $crate::isa::build::Narrow> $slot<T> for $crate::build::Ttmps<N> { $crate::__argument!(); }
    };
    (@ one_sgpr $slot:ident) => {
        impl<T> $slot<T> for $crate::build::Sgprs<1> { $crate::__argument!(); }
        impl<T> $slot<T> for $crate::build::Ttmps<1> { $crate::__argument!(); }
    };
    (@ two_sgprs $slot:ident) => {
        impl<T> $slot<T> for $crate::build::Sgprs<2> { $crate::__argument!(); }
        impl<T> $slot<T> for $crate::build::Ttmps<2> { $crate::__argument!(); }
    };
    (@ vcc $slot:ident) => {
        impl<T: $crate::isa::build::Dwords<2>> $slot<T> for $crate::build::Vcc { $crate::__argument!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::VccLo { $crate::__argument!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::VccHi { $crate::__argument!(); }
    };
    (@ exec $slot:ident) => {
        impl<T: $crate::isa::build::Dwords<2>> $slot<T> for $crate::build::Exec { $crate::__argument!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::ExecLo { $crate::__argument!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::ExecHi { $crate::__argument!(); }
    };
    (@ m0 $slot:ident) => {
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::M0Register { $crate::__argument!(); }
    };
    (@ null $slot:ident) => {
        impl<T> $slot<T> for $crate::build::Null { $crate::__argument!(); }
    };
    (@ off $slot:ident) => {
        impl<T> $slot<T> for $crate::build::Off { $crate::__argument!(); }
    };
    (@ readable $slot:ident) => {
        impl<T: $crate::isa::build::Narrow> $slot<T> for $crate::build::Scc { $crate::__argument!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for $crate::build::SharedBase { $crate::__argument!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for $crate::build::SharedLimit { $crate::__argument!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for $crate::build::PrivateBase { $crate::__argument!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for $crate::build::PrivateLimit { $crate::__argument!(); }
    };
    // What GCN has besides.
    (@ gcn_registers $slot:ident) => {
        impl<T: $crate::isa::build::Dwords<2>> $slot<T> for $crate::build::FlatScratch { $crate::__argument!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::FlatScratchLo { $crate::__argument!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::FlatScratchHi { $crate::__argument!(); }
        impl<T: $crate::isa::build::Dwords<2>> $slot<T> for $crate::build::XnackMask { $crate::__argument!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::XnackMaskLo { $crate::__argument!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::XnackMaskHi { $crate::__argument!(); }
        impl<T: $crate::isa::build::Dwords<2>> $slot<T> for $crate::build::Tba { $crate::__argument!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::TbaLo { $crate::__argument!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::TbaHi { $crate::__argument!(); }
        impl<T: $crate::isa::build::Dwords<2>> $slot<T> for $crate::build::Tma { $crate::__argument!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::TmaLo { $crate::__argument!(); }
        impl<T: $crate::isa::build::Dwords<1>> $slot<T> for $crate::build::TmaHi { $crate::__argument!(); }
    };
    (@ gcn_readable $slot:ident) => {
        impl<T: $crate::isa::build::Narrow> $slot<T> for $crate::build::Vccz { $crate::__argument!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for $crate::build::Execz { $crate::__argument!(); }
    };
    (@ integers $slot:ident) => {
        impl<T: $crate::isa::build::Narrow> $slot<T> for i16 { $crate::__argument!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for u16 { $crate::__argument!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for i32 { $crate::__argument!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for u32 { $crate::__argument!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for i64 { $crate::__argument!(); }
        impl<T: $crate::isa::build::Narrow> $slot<T> for u64 { $crate::__argument!(); }
    };
    (@ floats $slot:ident) => {
        impl<T: $crate::isa::build::Narrow + $crate::isa::build::TakesFloat> $slot<T> for f32 { $crate::__argument!(); }
        impl<T: $crate::isa::build::Narrow + $crate::isa::build::TakesFloat> $slot<T> for f64 { $crate::__argument!(); }
    };
    // Of matrices, whose elements the constant stands for.
    (@ element_constants $slot:ident) => {
        impl<T> $slot<T> for i32 { $crate::__argument!(); }
        impl<T> $slot<T> for u32 { $crate::__argument!(); }
        impl<T: $crate::isa::build::TakesFloat> $slot<T> for f32 { $crate::__argument!(); }
        impl<T: $crate::isa::build::TakesFloat> $slot<T> for f64 { $crate::__argument!(); }
    };
    (@ sixteen_bits $slot:ident) => {
        impl<T> $slot<T> for i16 { $crate::__argument!(); }
        impl<T> $slot<T> for u16 { $crate::__argument!(); }
        impl<T> $slot<T> for i32 {
            fn argument(self) -> $crate::build::Arg {
                match self {
                    -0x8000..=0xffff => self.into(),
                    _ => $crate::build::Arg::Fault("the constant has 16 bits: it lies between -32768 and 65535"),
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
            /// The value as the line keeps it.
            fn argument(self) -> $crate::build::Arg;
        }

        $crate::__admit!($slot: $($what)*);
    )*};
}

/// Markers of modifiers: traits that generated groups of instructions carry.
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
        pub trait $marker {}
    )*};
}

/// Methods of a builder for modifiers that are names alone.
#[doc(hidden)]
#[macro_export]
macro_rules! flags {
    ($($(#[$doc:meta])* $method:ident $marker:ident;)*) => {$(
        $(#[$doc])*
        pub fn $method(mut self) -> Self
        where
            M: has::$marker,
        {
            self.draft().modifier(stringify!($method), |_| {});
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
        pub fn $method(mut self, value: $ty) -> Self
        where
            M: has::$marker,
        {
            self.draft().modifier(stringify!($method), |out| {
                out.push_ascii(b':');
                $crate::isa::ToText::write_to(&value, out);
            });
            self
        }
    )*};
}

/// The same for modifiers with a list of bits.
#[doc(hidden)]
#[macro_export]
macro_rules! lists {
    ($($(#[$doc:meta])* $method:ident $marker:ident;)*) => {$(
        $(#[$doc])*
        pub fn $method<const N: usize>(mut self, bits: [u8; N]) -> Self
        where
            M: has::$marker,
        {
            self.draft().modifier(stringify!($method), |out| {
                out.push_ascii(b':');
                $crate::build::list(&bits, out);
            });
            self
        }
    )*};
}

/// What any builder is: copied, written and shown as its line. It has `line`, which has `fn write(&self, out: &mut Text)`.
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

        /// The line as the parser reads it.
        impl<$($param $(: $bound)?),*> $crate::isa::ToText for $ty {
            fn write_to(&self, out: &mut $crate::isa::Text) {
                self.line.write(out);
            }
        }

        impl<$($param $(: $bound)?),*> ::core::fmt::Display for $ty {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::build::pad(self, f)
            }
        }

        impl<$($param $(: $bound)?),*> ::core::fmt::Debug for $ty {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                write!(f, "Builder({self})")
            }
        }
    };
}
