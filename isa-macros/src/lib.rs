//! What the procedural macros `isa!` and `isa_set!` do: tables of instructions to typed Rust. The crate `isa-proc` has the
//! macros themselves.
//!
//! `parse` reads a block's words into the tree of `isa-blocks`, which keeps every span; what is wrong with blocks and what
//! Rust comes of them is said there. That crate needs no parser of Rust, so it compiles beside the one that this needs.
//!
//! `isa!` checks one block by itself and hands its tokens on as a `macro_rules!` macro; `isa_set!` chains those, so
//! that the last call (`__isa_finish!`) sees every row of every block with its original span.

extern crate proc_macro;

use proc_macro::TokenStream;

mod cond;
mod handoff;
mod parse;

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
