//! The buffer and scalar memory instructions (MUBUF, SMEM) of AMD GCN 1.0 to 1.4: decode, encode, print, parse, check and build them.
//! Depend on this crate to work with them.
//!
//! Each generation is a separate set: [`gcn1_0`], [`gcn1_1`], [`gcn1_2`], [`gcn1_4`].
//!
//! ```
//! use gcn::{Wave, gcn1_2, gcn1_4};
//!
//! let (instr, dwords) = gcn1_4::Instr::decode(&[0xc002_0002, 0x24], Wave::W64)?;
//! assert_eq!(dwords, 2);
//! assert_eq!(instr.opcode(), gcn1_4::Opcode::S_LOAD_DWORD);
//! assert_eq!(instr.to_string(), "s_load_dword s0, s[4:5], 0x24");
//! // An error names the generation, the format and the field.
//! let error = gcn1_2::Instr::decode(&[0xc216_0002, 0x24], Wave::W64).unwrap_err();
//! assert_eq!(error.to_string(), "gcn1_2: SMEM has no opcode 133 (OP)");
//! # Ok::<(), gcn1_4::DecodeError>(())
//! ```
//!
//! The module `build` of each generation has a function for each mnemonic (the feature `build`, on by default):
//!
//! ```
//! use gcn::gcn1_4::build::*;
//!
//! const RESOURCE: Sgprs<4> = sgpr!(4..=7);
//! let load = buffer_load_dword(v(1), v(0), RESOURCE, 0).idxen().offset(16).build()?;
//! assert_eq!(load.to_string(), "buffer_load_dword v1, v0, s[4:7], 0 idxen offset:16");
//! let load = s_load_dword(sgpr!(0), sgpr!(2..=3), 16).glc().build()?;
//! assert_eq!(load.to_string(), "s_load_dword s0, s[2:3], 0x10 glc");
//! # Ok::<(), BuildError>(())
//! ```
//!
//! [`memory`] computes the addresses of an access and names the counters that it increments. [`encoding()`] returns the encoding and
//! the length of the other instructions of these sets, which this crate does not decode.
#![no_std]

pub mod memory;

#[doc(inline)]
pub use gcn_rows::*;

macro_rules! generation {
    ($(#[$doc:meta])* $module:ident $set:ident $asm:ident $instrs:ident $hidden:ident) => {
        $(#[$doc])*
        pub mod $module {
            /// Assembles at compile time: an array of the words of all lines, in LLVM's syntax.
            ///
            /// ```
            /// const CODE: &[u32] = &gcn::gcn1_4::asm! {
            ///     s_load_dwordx4 s[0:3], s[4:5], 0x10
            ///     buffer_load_dword v1, v0, s[0:3], 0 idxen offset:16
            /// };
            /// assert_eq!(CODE.len(), 4);
            /// ```
            ///
            /// Statements end with semicolons or, in a block without any, with lines; `.long` takes dwords.
            /// Every line that the parser of [`Instr::parse`] refuses is a compile error at the wrong tokens.
            pub use gcn_asm::$asm as asm;
            #[doc(inline)]
            pub use gcn_rows::$module::*;

            /// Assembles lines with values of run time in them: `Result<[Instr; N], isa::LineError>`.
            ///
            /// ```
            /// let offset = 16;
            /// let [load] = gcn::gcn1_4::instrs! { buffer_load_dword v1, v0, s[0:3], 0 idxen offset:{offset} }?;
            /// assert_eq!(load.to_string(), "buffer_load_dword v1, v0, s[0:3], 0 idxen offset:16");
            /// # Ok::<(), gcn::isa::LineError>(())
            /// ```
            pub use crate::$hidden as instrs;
            #[doc(hidden)]
            pub use gcn_rows::isa;

            /// The items that expansions name. Not for direct use.
            #[doc(hidden)]
            pub mod __private {
                pub use gcn_asm::$instrs as instrs;

                use super::Instr;
                use crate::isa::{LineError, LinePart};

                /// The instructions of these lines.
                ///
                /// # Errors
                /// See [`crate::isa::instructions`].
                pub fn instructions<const N: usize>(
                    _mode: usize,
                    lines: &[&[LinePart<'_>]; N],
                ) -> Result<[Instr; N], LineError> {
                    crate::isa::instructions::<super::$set, N>(lines, crate::Wave::W64, Instr::len)
                }
            }
        }
    };
}

generation! {
    /// GCN 1.0, Southern Islands: gfx600 and its like. MUBUF.
    gcn1_0 Gcn1_0 asm_gcn1_0 instrs_gcn1_0 __instrs_gcn1_0
}
generation! {
    /// GCN 1.1, Sea Islands: gfx700 and its like. MUBUF.
    gcn1_1 Gcn1_1 asm_gcn1_1 instrs_gcn1_1 __instrs_gcn1_1
}
generation! {
    /// GCN 1.2, Volcanic Islands: gfx803 and its like. MUBUF and SMEM.
    gcn1_2 Gcn1_2 asm_gcn1_2 instrs_gcn1_2 __instrs_gcn1_2
}
generation! {
    /// GCN 1.4, Vega: gfx900 and its like. MUBUF and SMEM.
    gcn1_4 Gcn1_4 asm_gcn1_4 instrs_gcn1_4 __instrs_gcn1_4
}

// The macros that each module exports as `instrs!`. A macro that another macro generates cannot be named by a path, so these are
// written out.

#[doc(hidden)]
#[macro_export]
macro_rules! __instrs_gcn1_0 {
    ($($line:tt)*) => { $crate::gcn1_0::__private::instrs! { {$crate::gcn1_0} $($line)* } };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __instrs_gcn1_1 {
    ($($line:tt)*) => { $crate::gcn1_1::__private::instrs! { {$crate::gcn1_1} $($line)* } };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __instrs_gcn1_2 {
    ($($line:tt)*) => { $crate::gcn1_2::__private::instrs! { {$crate::gcn1_2} $($line)* } };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __instrs_gcn1_4 {
    ($($line:tt)*) => { $crate::gcn1_4::__private::instrs! { {$crate::gcn1_4} $($line)* } };
}
