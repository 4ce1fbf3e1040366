//! The types of arguments that slots admit, in groups.

/// Implements a slot for ranges of registers, and for virtual ones.
#[doc(hidden)]
#[macro_export]
macro_rules! __admit_ranges {
    ($slot:ident: $ty:ident $virtual:ident [$($generic:tt)*] $n:tt [$($bound:tt)*]) => {
        impl<$($generic)* T $($bound)*> $slot<T> for $crate::build::$ty<$n> { $crate::isa::build::fill!(); }
        #[diagnostic::do_not_recommend]
        impl<$($generic)* T $($bound)*> $slot<T> for $crate::build::$virtual<$n> { $crate::isa::build::fill!(); }
    };
}

/// Implements a slot for scalar registers and trap temporaries.
#[doc(hidden)]
#[macro_export]
macro_rules! __admit_scalars {
    ($slot:ident: [$($generic:tt)*] $n:tt [$($bound:tt)*]) => {
        $crate::__admit_ranges!($slot: Sgprs VirtualSgprs [$($generic)*] $n [$($bound)*]);
        impl<$($generic)* T $($bound)*> $slot<T> for $crate::build::Ttmps<$n> { $crate::isa::build::fill!(); }
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
        $crate::isa::build::admit!($slot: $crate::isa::build::RegisterHalf: $crate::build::VgprHalf;);
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
        $crate::isa::build::admit!($slot:
            $crate::isa::build::Dwords<2>: $crate::build::Vcc;
            $crate::isa::build::Dwords<1>: $crate::build::VccLo, $crate::build::VccHi;
        );
    };
    (@ exec $slot:ident) => {
        $crate::isa::build::admit!($slot:
            $crate::isa::build::Dwords<2>: $crate::build::Exec;
            $crate::isa::build::Dwords<1>: $crate::build::ExecLo, $crate::build::ExecHi;
        );
    };
    (@ m0 $slot:ident) => {
        $crate::isa::build::admit!($slot: $crate::isa::build::Dwords<1>: $crate::build::M0Register;);
    };
    (@ null $slot:ident) => {
        impl<T> $slot<T> for $crate::build::Null { $crate::isa::build::fill!(); }
    };
    (@ off $slot:ident) => {
        impl<T> $slot<T> for $crate::build::Off { $crate::isa::build::fill!(); }
    };
    (@ readable $slot:ident) => {
        $crate::isa::build::admit!($slot: $crate::isa::build::Narrow: $crate::build::Scc, $crate::build::SharedBase,
            $crate::build::SharedLimit, $crate::build::PrivateBase, $crate::build::PrivateLimit;);
    };
    // Modifiers and registers that only GCN has.
    (@ gcn_registers $slot:ident) => {
        $crate::isa::build::admit!($slot:
            $crate::isa::build::Dwords<2>: $crate::build::FlatScratch, $crate::build::XnackMask, $crate::build::Tba,
                $crate::build::Tma;
            $crate::isa::build::Dwords<1>: $crate::build::FlatScratchLo, $crate::build::FlatScratchHi,
                $crate::build::XnackMaskLo, $crate::build::XnackMaskHi, $crate::build::TbaLo, $crate::build::TbaHi,
                $crate::build::TmaLo, $crate::build::TmaHi;
        );
    };
    (@ gcn_readable $slot:ident) => {
        $crate::isa::build::admit!($slot: $crate::isa::build::Narrow: $crate::build::Vccz, $crate::build::Execz;);
    };
    (@ integers $slot:ident) => {
        $crate::isa::build::admit!($slot: $crate::isa::build::Narrow: i16, u16, i32, u32, i64, u64;);
    };
    (@ floats $slot:ident) => {
        impl<T: $crate::isa::build::Narrow + $crate::isa::build::TakesFloat> $slot<T> for f32 { $crate::isa::build::fill!(); }
        impl<T: $crate::isa::build::Narrow + $crate::isa::build::TakesFloat> $slot<T> for f64 { $crate::isa::build::fill!(); }
    };
    // Of matrices, whose elements the constant stands for.
    (@ element_constants $slot:ident) => {
        impl<T> $slot<T> for i32 { $crate::isa::build::fill!(); }
        impl<T> $slot<T> for u32 { $crate::isa::build::fill!(); }
        impl<T: $crate::isa::build::TakesFloat> $slot<T> for f32 { $crate::isa::build::fill!(); }
        impl<T: $crate::isa::build::TakesFloat> $slot<T> for f64 { $crate::isa::build::fill!(); }
    };
    (@ sixteen_bits $slot:ident) => {
        impl<T> $slot<T> for i16 { $crate::isa::build::fill!(); }
        impl<T> $slot<T> for u16 { $crate::isa::build::fill!(); }
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

/// Slots: a trait each, with the message for what it does not admit, and the groups of types that it admits.
#[doc(hidden)]
#[macro_export]
macro_rules! slots {
    ($($(#[$doc:meta])* $slot:ident $message:literal $label:literal $note:literal: $($what:ident)*;)*) => {
        $crate::isa::build::slots! {$(
            $(#[$doc])*
            $slot $message $label $note;
        )*}
        $($crate::__admit!($slot: $($what)*);)*
    };
}
