//! Registers as values whose types have the file and the number of registers.

use core::fmt;

use crate::Reg;

/// Why there is no such register, or why it cannot begin a range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RegisterError(&'static str);

impl RegisterError {
    /// The rule in words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for RegisterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl core::error::Error for RegisterError {}

/// Returns whether `count` registers of a file of `all` can begin at `first`. `end` is the error beyond the last register.
#[doc(hidden)]
pub const fn check_range(first: u8, count: usize, all: usize, end: &'static str) -> Result<(), RegisterError> {
    if count == 0 {
        return Err(RegisterError("a range goes from its lowest register up: 4..=5, say, not 5..=4"));
    }
    if count > Reg::MAX_COUNT as usize || first as usize + count > all { Err(RegisterError(end)) } else { Ok(()) }
}

/// Returns whether a pair begins with an even register and more with a multiple of four. `pair` and `more` are the errors.
#[doc(hidden)]
pub const fn check_alignment(
    first: u8,
    count: usize,
    pair: &'static str,
    more: &'static str,
) -> Result<(), RegisterError> {
    match (count, first % 4) {
        (2, 1 | 3) => Err(RegisterError(pair)),
        (3.., 1..) => Err(RegisterError(more)),
        _ => Ok(()),
    }
}

/// Defines types of registers of a file that follow each other: `Vgprs "v" files::VGPR; new 256 "…";`, with the number of
/// registers of the file and the error beyond them, and perhaps `aligned` with the errors for a pair and for more.
#[doc(hidden)]
#[macro_export]
macro_rules! __ranges {
    ($($(#[$doc:meta])* $ty:ident $prefix:literal $file:path;
       $(#[$new_doc:meta])* new $all:literal $end:literal $(, aligned $pair:ident $more:ident)?;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct $ty<const N: usize>(u8);

        impl<const N: usize> $ty<N> {
            $(#[$new_doc])*
            pub const fn new(first: u8) -> Result<Self, $crate::build::RegisterError> {
                $(if let Err(error) = $crate::build::check_alignment(first, N, $pair, $more) {
                    return Err(error);
                })?
                match $crate::build::check_range(first, N, $all, $end) {
                    Ok(()) => Ok($ty(first)),
                    Err(error) => Err(error),
                }
            }

            /// The number of the first.
            #[must_use]
            pub const fn first(self) -> u8 {
                self.0
            }
        }

        $crate::__written! { const N $ty<N>, r, out => $crate::class::write_range($prefix, r.0 as u32, N as u8, out); }
        $crate::__operands! {
            const N $ty<N>, r => $crate::Op::reg($crate::Reg::new($crate::inst::File($file), r.0 as u32, N as u8));
        }
    )*};
}

/// Defines types of virtual registers of a file that follow each other: `VirtualVgprs files::VGPR;`.
#[doc(hidden)]
#[macro_export]
macro_rules! __virtual_ranges {
    ($($(#[$doc:meta])* $ty:ident $file:path;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct $ty<const N: usize>(u32);

        impl<const N: usize> $ty<N> {
            /// The virtual registers with this number.
            #[must_use]
            pub const fn new(number: u32) -> Self {
                $ty(number)
            }

            /// The number.
            #[must_use]
            pub const fn number(self) -> u32 {
                self.0
            }
        }

        $crate::__operands! {
            const N $ty<N>, r => $crate::Op::reg($crate::Reg::new_virtual($crate::inst::File($file), r.0, N as u8));
        }
    )*};
}

/// Returns registers of a type by a constant number, `constant_range!(Vgprs<2>, 4)`. It defines an item, so that `cargo check`
/// evaluates it.
#[doc(hidden)]
#[macro_export]
macro_rules! __constant_range {
    ($ty:ty, $first:literal) => {{
        const REGISTERS: $ty = match <$ty>::new($first) {
            ::core::result::Result::Ok(registers) => registers,
            ::core::result::Result::Err(error) => ::core::panic!("{}", error.text()),
        };
        REGISTERS
    }};
}
