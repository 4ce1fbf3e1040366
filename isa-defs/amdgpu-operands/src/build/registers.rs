//! Registers as values whose types know file and width.

use isa_runtime::build::{named, ranges, virtual_ranges, written};
use isa_runtime::inst::File;
use isa_runtime::{Op, Reg};

use super::write_registers;
use crate::{Half, files};

const PAIR: &str = "a pair of scalar registers begins with an even one: 4..=5, say, not 5..=6";
const MORE: &str = "three or more scalar registers begin with a multiple of four: 4..=7, say, not 5..=8";

ranges! {
    /// `N` vector registers that follow each other.
    Vgprs "v" files::VGPR;
    /// The registers from `first` on.
    ///
    /// # Errors
    /// If the last one would be above v255.
    new 256 "vector registers end at v255, and no operand has more than 32";

    /// `N` scalar registers that follow each other, up to s105; where a generation has fewer, the parser says so. A pair
    /// begins with an even one, more with a multiple of four.
    Sgprs "s" files::SGPR;
    /// The registers from `first` on.
    ///
    /// ```
    /// # use amdgpu_operands::build::Sgprs;
    /// const PAIR: Result<Sgprs<2>, amdgpu_operands::build::RegisterError> = Sgprs::new(4);
    /// assert_eq!(PAIR?.to_string(), "s[4:5]");
    /// assert!(Sgprs::<2>::new(3).is_err());
    /// # Ok::<(), amdgpu_operands::build::RegisterError>(())
    /// ```
    ///
    /// # Errors
    /// If they are not aligned, or the last one would be above s105.
    new 106 "scalar registers end at s105", aligned PAIR MORE;

    /// `N` trap temporaries that follow each other, aligned as [`Sgprs`] are.
    Ttmps "ttmp" files::TTMP;
    /// The registers from `first` on.
    ///
    /// # Errors
    /// If they are not aligned, or the last one would be above ttmp15.
    new 16 "trap temporaries end at ttmp15", aligned PAIR MORE;
}

/// The vector register with this number.
///
/// ```
/// # use amdgpu_operands::build::v;
/// assert_eq!(v(7).to_string(), "v7");
/// assert_eq!(v(7).hi().to_string(), "v7.h");
/// ```
#[must_use]
pub const fn v(number: u8) -> Vgprs<1> {
    Vgprs(number)
}

impl Vgprs<1> {
    /// Its bits 15 to 0.
    #[must_use]
    pub const fn lo(self) -> VgprHalf {
        VgprHalf { number: self.0, half: Half::Low }
    }

    /// Its bits 31 to 16.
    #[must_use]
    pub const fn hi(self) -> VgprHalf {
        VgprHalf { number: self.0, half: Half::High }
    }
}

/// Half of a vector register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VgprHalf {
    /// The number of the register.
    pub number: u8,
    /// Which half.
    pub half: Half,
}

/// The scalar register with this number. Building an instruction with a number above 105 is an error; [`Sgprs::new`] returns it at
/// once.
///
/// ```
/// # use amdgpu_operands::build::s;
/// assert_eq!(s(7).to_string(), "s7");
/// ```
#[must_use]
pub const fn s(number: u8) -> Sgprs<1> {
    Sgprs(number)
}

written! {
    VgprHalf, r, out => write_registers("v", r.number, 1, Some(r.half), out);
}

/// Registers of 64 bits, with a name for all of them and for each half.
macro_rules! pairs {
    ($($whole:ident $WHOLE:ident $lo:ident $LO:ident $hi:ident $HI:ident $text:literal $doc:literal;)*) => {
        named! {$(
            #[doc = concat!($doc, ", both halves.")]
            $whole $WHOLE $text => op(files::$WHOLE, 0, 2);
            #[doc = concat!($doc, ", the lower half.")]
            $lo $LO concat!($text, "_lo") => op(files::$WHOLE, 0, 1);
            #[doc = concat!($doc, ", the upper half.")]
            $hi $HI concat!($text, "_hi") => op(files::$WHOLE, 1, 1);
        )*}
    };
}

pairs! {
    Vcc VCC VccLo VCC_LO VccHi VCC_HI "vcc" "The vector condition code, a lane mask";
    Exec EXEC ExecLo EXEC_LO ExecHi EXEC_HI "exec" "The execute mask";
    FlatScratch FLAT_SCRATCH FlatScratchLo FLAT_SCRATCH_LO FlatScratchHi FLAT_SCRATCH_HI "flat_scratch"
        "The base of scratch memory for flat instructions";
    XnackMask XNACK_MASK XnackMaskLo XNACK_MASK_LO XnackMaskHi XNACK_MASK_HI "xnack_mask"
        "The lanes that are to repeat an access after a page fault";
    Tba TBA TbaLo TBA_LO TbaHi TBA_HI "tba" "The address of the trap handler";
    Tma TMA TmaLo TMA_LO TmaHi TMA_HI "tma" "The address of the trap handler's memory";
}

named! {
    /// M0.
    M0Register M0 "m0" => op(files::M0, 0, 1);
    /// NULL: reads as zero, writes are dropped; as wide as it has to be.
    Null NULL "null" => op(files::NULL, 0, 0);
    /// The scalar condition code, as a source.
    Scc SCC "src_scc" => op(files::SCC, 0, 0);
    /// No register: an address or a source that is switched off.
    Off OFF "off" => Op::OFF;
    /// Where shared memory begins, as a source.
    SharedBase SHARED_BASE "src_shared_base" => op(files::SPECIAL, 235, 0);
    /// Where shared memory ends, as a source.
    SharedLimit SHARED_LIMIT "src_shared_limit" => op(files::SPECIAL, 236, 0);
    /// Where private memory begins, as a source.
    PrivateBase PRIVATE_BASE "src_private_base" => op(files::SPECIAL, 237, 0);
    /// Where private memory ends, as a source.
    PrivateLimit PRIVATE_LIMIT "src_private_limit" => op(files::SPECIAL, 238, 0);
    /// Whether VCC is zero, as a source.
    Vccz VCCZ "src_vccz" => op(files::SPECIAL, 251, 1);
    /// Whether EXEC is zero, as a source.
    Execz EXECZ "src_execz" => op(files::SPECIAL, 252, 1);
}

/// An operand that is registers of a file.
#[inline]
const fn op(file: u8, first: u8, count: u8) -> Op {
    Op::reg(Reg::new(File(file), first as u32, count))
}

virtual_ranges! {
    /// `N` vector registers that follow each other, which a register allocator has yet to choose. Building an instruction that
    /// still has some is an error; take its [`Inst`](isa_runtime::Inst) instead.
    VirtualVgprs files::VGPR;
    /// `N` scalar registers that follow each other, which a register allocator has yet to choose, as [`VirtualVgprs`].
    VirtualSgprs files::SGPR;
}

impl From<VgprHalf> for Op {
    #[inline]
    fn from(VgprHalf { number, half }: VgprHalf) -> Op {
        Op::reg(Reg { half: Some(half), ..Reg::new(File(files::VGPR), number.into(), 1) })
    }
}

/// Vector registers by constant numbers, refused by `cargo check` where there are none such: `vgpr!(4)`,
/// `vgpr!(4..=7)`.
#[macro_export]
macro_rules! vgpr {
    ($first:literal ..= $last:literal) => {
        $crate::__registers!(Vgprs, $first, $last)
    };
    ($number:literal) => {
        $crate::__registers!(Vgprs, $number, $number)
    };
    ($($other:tt)*) => {
        ::core::compile_error!(
            "`vgpr!` takes a constant number or range\nhelp: write `v(n)` for a number that the program computes"
        )
    };
}

/// Scalar registers by constant numbers, refused by `cargo check` where there are none such, or none aligned so:
/// `sgpr!(4)`, `sgpr!(4..=5)`.
#[macro_export]
macro_rules! sgpr {
    ($first:literal ..= $last:literal) => {
        $crate::__registers!(Sgprs, $first, $last)
    };
    ($number:literal) => {
        $crate::__registers!(Sgprs, $number, $number)
    };
    ($($other:tt)*) => {
        ::core::compile_error!(
            "`sgpr!` takes a constant number or range\nhelp: write `s(n)` for a number that the program computes"
        )
    };
}

/// Trap temporaries by constant numbers, as [`sgpr!`] has scalar registers.
#[macro_export]
macro_rules! ttmp {
    ($first:literal ..= $last:literal) => {
        $crate::__registers!(Ttmps, $first, $last)
    };
    ($number:literal) => {
        $crate::__registers!(Ttmps, $number, $number)
    };
}

/// Registers of a type by the constant numbers of the first and the last.
#[doc(hidden)]
#[macro_export]
macro_rules! __registers {
    ($file:ident, $first:literal, $last:literal) => {
        $crate::isa::build::constant_range!(
            $crate::build::$file<{ ($last as usize + 1).saturating_sub($first) }>,
            $first
        )
    };
}
