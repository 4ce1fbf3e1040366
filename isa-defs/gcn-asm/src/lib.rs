//! `asm!` and `instrs!` of the crate `gcn`, a pair for each generation; that crate re-exports and documents them.
//!
//! They link the crate of the rows and call its run-time parsers, so there is one parser for each generation.

use gcn_rows::Wave;
use isa_asm::{EncodedLine, Language};
use proc_macro::TokenStream;

const SAMPLES: &[&str] = &[
    "v0", "s0", "0", "s[0:1]", "v[0:1]", "s[0:3]", "v[0:3]", "v[0:2]", "s[0:7]", "s[0:15]", "v[0:4]", "off", "m0",
    "0x12345",
];

macro_rules! generation {
    ($module:ident, $asm:ident, $instrs:ident) => {
        /// See the module of this generation in the crate `gcn`.
        #[proc_macro]
        pub fn $asm(input: TokenStream) -> TokenStream {
            isa_asm::asm(input.into(), &language(line::$module)).into()
        }

        /// See the module of this generation in the crate `gcn`, whose macro puts its path in front.
        #[proc_macro]
        pub fn $instrs(input: TokenStream) -> TokenStream {
            isa_asm::instrs(input.into(), &language(line::$module)).into()
        }
    };
}

const fn language(parse: fn(&str, Wave) -> Result<EncodedLine, isa::ParseError>) -> Language<Wave> {
    // MUBUF and SMEM have no branches, so nothing can be too far.
    Language { mode: Wave::W64, modes: &[(".wave64", Wave::W64)], parse, distance: no_branches, samples: SAMPLES }
}

/// The parser of each generation.
mod line {
    macro_rules! line {
        ($($module:ident),*) => {$(
            pub fn $module(text: &str, wave: gcn_rows::Wave) -> Result<isa_asm::EncodedLine, isa::ParseError> {
                let instr = gcn_rows::$module::Instr::parse(text, wave)?;
                Ok(isa_asm::EncodedLine { words: instr.encode(), is_branch: false })
            }
        )*};
    }

    line!(gcn1_0, gcn1_1, gcn1_2, gcn1_4);
}

generation!(gcn1_0, asm_gcn1_0, instrs_gcn1_0);
generation!(gcn1_1, asm_gcn1_1, instrs_gcn1_1);
generation!(gcn1_2, asm_gcn1_2, instrs_gcn1_2);
generation!(gcn1_4, asm_gcn1_4, instrs_gcn1_4);

/// The formats of this crate have no branches.
fn no_branches(_: i64, _: usize) -> Result<i64, String> {
    Err("no instruction takes a label".into())
}
