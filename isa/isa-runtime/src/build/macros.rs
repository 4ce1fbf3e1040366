//! Macros for the module of a set that its `build` clause names: values, slots, markers and the builder itself.
//!
//! They define types in that module, since messages, modifiers and rules are those of the set.

/// Implements `ToText` and `Display` for types by what they write: `Channel, channel, out => out.push(…);`.
#[doc(hidden)]
#[macro_export]
macro_rules! __written {
    ($($(const $n:ident)? $ty:ty, $self:ident, $out:ident => $write:expr;)*) => {$(
        impl $(<const $n: usize>)? $crate::ToText for $ty {
            fn write_to(&self, $out: &mut $crate::Text) {
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

/// Defines registers that have their own names and types: `Zero ZERO "x0" => Op::reg(…);`.
#[doc(hidden)]
#[macro_export]
macro_rules! __named {
    ($($(#[$doc:meta])* $ty:ident $name:ident $text:expr => $op:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct $ty;

        $(#[$doc])*
        pub const $name: $ty = $ty;

        $crate::__written! { $ty, _register, out => out.push($text); }
        $crate::__operands! { $ty, _register => $op; }
    )*};
}

/// Converts types to operands of an `Inst`: `X, x => Op::reg(…);`.
#[doc(hidden)]
#[macro_export]
macro_rules! __operands {
    ($($(const $n:ident)? $ty:ty, $self:ident => $op:expr;)*) => {$(
        impl $(<const $n: usize>)? $ty {
            /// The registers as an operand of an `Inst`.
            #[inline]
            #[must_use]
            pub const fn op(self) -> $crate::Op {
                let $self = self;
                $op
            }
        }

        impl $(<const $n: usize>)? From<$ty> for $crate::Op {
            #[inline]
            fn from(register: $ty) -> $crate::Op {
                register.op()
            }
        }
    )*};
}

/// The method of a slot for values that convert to one operand.
#[doc(hidden)]
#[macro_export]
macro_rules! __fill {
    () => {
        #[inline]
        fn fill<I: $crate::Isa>(self, inst: &mut $crate::build::InstBuilder<I>) {
            inst.push(self.into());
        }
    };
}

/// Implements a slot for types that convert to an operand, where the operand's type has a bound: `Source: Narrow: i32, u32;`.
#[doc(hidden)]
#[macro_export]
macro_rules! __admit {
    ($slot:ident: $($bound:path: $($ty:path),+;)*) => {$($(
        impl<T: $bound> $slot<T> for $ty { $crate::__fill!(); }
    )+)*};
}

/// Defines slots: a trait each, with the message, the label and the note of the error for a type that it does not admit.
#[doc(hidden)]
#[macro_export]
macro_rules! __slots {
    ($($(#[$doc:meta])* $slot:ident $message:literal $label:literal $note:literal;)*) => {$(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        pub trait $slot<T> {
            /// Adds the operand to an instruction.
            fn fill<I: $crate::Isa>(self, inst: &mut $crate::build::InstBuilder<I>);
        }

        /// An operand that is known only at run time: the instruction is checked when it is built.
        #[diagnostic::do_not_recommend]
        impl<T> $slot<T> for $crate::Op {
            #[inline]
            fn fill<I: $crate::Isa>(self, inst: &mut $crate::build::InstBuilder<I>) {
                inst.push(self);
            }
        }
    )*};
}

/// Defines markers: traits that the functions' groups of instructions implement, with the field of the modifier. Those of
/// choices that are not modifiers, such as an encoding, are marked `choice` and have none.
#[doc(hidden)]
#[macro_export]
macro_rules! __markers {
    ($($marker:ident $message:literal $note:literal $($choice:ident)?;)*) => {$(
        #[doc = $message]
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "not a modifier of this instruction",
            note = $note,
            note = "the documentation of each function of `build` lists the modifiers that it has"
        )]
        pub trait $marker {
            $crate::__markers!(@ $($choice)?);
        }
    )*};
    (@) => {
        /// The modifier of the instructions.
        const FIELD: $crate::build::ModifierRange;
    };
    (@ choice) => {};
}

/// Defines methods of a builder for modifiers of one bit: `glc Glc;` sets the field of the marker `has::Glc`.
#[doc(hidden)]
#[macro_export]
macro_rules! __flags {
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

/// Defines methods of a builder for modifiers that are numbers: `dmask Dmask u8;`.
#[doc(hidden)]
#[macro_export]
macro_rules! __numbers {
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
macro_rules! __builder {
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
