//! `asm!` and `instrs!` of the crates `rdna3`, `rdna3_5` and `rdna4`, which re-export and document them.
//!
//! They link the crate of the rows and call its run-time parsers, so there is one parser for each generation and no second
//! copy of a table.

use isa_asm::{EncodedLine, Language};
use proc_macro::TokenStream;
use rdna_rows::{FAR_BRANCH, Wave};

const SAMPLES: &[&str] = &[
    "v0",
    "s0",
    "0",
    "s[0:1]",
    "v[0:1]",
    "v0.l",
    "s[0:3]",
    "1.0",
    "v[0:3]",
    "v[0:2]",
    "s[0:7]",
    "v[0:7]",
    "s[0:15]",
    "v[0:4]",
    "vcc",
    "null",
    "off",
    "0x12345678",
];

macro_rules! generation {
    ($module:ident, $asm:ident, $instrs:ident) => {
        /// See the crate of this generation.
        #[proc_macro]
        pub fn $asm(input: TokenStream) -> TokenStream {
            isa_asm::asm(input.into(), &language(line::$module)).into()
        }

        /// See the macro `instrs` of the crate of this generation, which puts its path in front.
        #[proc_macro]
        pub fn $instrs(input: TokenStream) -> TokenStream {
            isa_asm::instrs(input.into(), &language(line::$module)).into()
        }
    };
}

const fn language(parse: fn(&str, Wave) -> Result<EncodedLine, isa::ParseError>) -> Language<Wave> {
    let modes = &[(".wave32", Wave::W32), (".wave64", Wave::W64)];
    Language { mode: Wave::W32, modes, parse, distance, samples: SAMPLES }
}

/// Branches have the distance of the label from their end in dwords.
fn distance(dwords: i64, _: usize) -> Result<i64, String> {
    isa::reach(dwords).map(i64::from).map_err(|far| format!("{far}\nhelp: {FAR_BRANCH}"))
}

/// The parser of each generation.
mod line {
    macro_rules! line {
        ($module:ident) => {
            pub fn $module(text: &str, wave: rdna_rows::Wave) -> Result<isa_asm::EncodedLine, isa::ParseError> {
                let instr = rdna_rows::$module::Instr::parse(text, wave)?;
                Ok(isa_asm::EncodedLine { words: instr.encode(), is_branch: instr.branch_offset().is_some() })
            }
        };
    }

    #[cfg(feature = "rdna3")]
    line!(rdna3);
    #[cfg(feature = "rdna3_5")]
    line!(rdna3_5);
    #[cfg(feature = "rdna4")]
    line!(rdna4);
}

#[cfg(feature = "rdna3")]
generation!(rdna3, asm, instrs);
#[cfg(feature = "rdna3_5")]
generation!(rdna3_5, asm_rdna3_5, instrs_rdna3_5);
#[cfg(feature = "rdna4")]
generation!(rdna4, asm_rdna4, instrs_rdna4);
