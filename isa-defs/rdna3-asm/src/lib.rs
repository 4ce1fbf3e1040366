//! `asm!` and `instrs!` of the crate `rdna3`, which re-exports and documents them.
//!
//! Both link the crate of the rows and call its run-time parser, so there is one parser and no second copy of a table.

use isa_asm::{EncodedLine, Language};
use proc_macro::TokenStream;
use rdna3_rows::{FAR_BRANCH, Instr, Wave};

const LANGUAGE: Language<Wave> = Language {
    mode: Wave::W32,
    modes: &[(".wave32", Wave::W32), (".wave64", Wave::W64)],
    parse: |text, wave| {
        let instr = Instr::parse(text, wave)?;
        Ok(EncodedLine { words: instr.encode(), is_branch: instr.branch_offset().is_some() })
    },
    far_branch_help: FAR_BRANCH,
    samples: &[
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
    ],
};

/// See the crate `rdna3`.
#[proc_macro]
pub fn asm(input: TokenStream) -> TokenStream {
    isa_asm::asm(input.into(), &LANGUAGE).into()
}

/// See the macro of this name in the crate `rdna3`, which puts its path in front.
#[proc_macro]
pub fn instrs(input: TokenStream) -> TokenStream {
    isa_asm::instrs(input.into(), &LANGUAGE).into()
}
