//! What the procedural macros `isa!` and `isa_set!` do: tables of instructions to typed Rust. The crate `isa-proc` has the
//! macros themselves.
//!
//! Four steps, a module each: `parse` reads a block's words into a tree that keeps every span; `model` resolves
//! rows against fields (families unrolled, roles bound, conditions evaluated); `check` refuses what cannot be right,
//! at the token that is wrong; `expand` writes the Rust. No module knows an instruction set.
//!
//! `isa!` checks one block by itself and hands its tokens on as a `macro_rules!` macro; `isa_set!` chains those, so
//! that the last call (`__isa_finish!`) sees every row of every block with its original span.

extern crate proc_macro;

use proc_macro::TokenStream;

mod check;
mod cond;
mod expand;
mod generation;
mod handoff;
mod model;
mod parse;
mod shape;
mod template;
mod ty;

/// `isa!`: one microcode format, or a dword that may follow one.
#[must_use]
pub fn block(input: TokenStream) -> TokenStream {
    handoff::block(input.into()).unwrap_or_else(|e| e.into_compile_error()).into()
}

/// `isa_set!`: blocks joined into one instruction set.
#[must_use]
pub fn set(input: TokenStream) -> TokenStream {
    handoff::set(input.into()).unwrap_or_else(|e| e.into_compile_error()).into()
}

/// The end of the chain that `isa_set!` starts.
#[must_use]
pub fn finish(input: TokenStream) -> TokenStream {
    handoff::finish(input.into()).unwrap_or_else(|e| e.into_compile_error()).into()
}
