//! The implementation of `isa!` and `isa_set!`: parsing, and the callback chain between macros.
//!
//! `isa-proc` defines the macros and calls this crate; `isa-blocks` validates the parsed blocks and generates the code.
//!
//! `parse` converts the tokens of a block to the syntax tree of `isa-blocks`. `isa!` checks a single block, and `callback`
//! defines a `macro_rules!` macro that passes its tokens on. `isa_set!` calls these macros in a chain, whose end,
//! `__isa_finish!`, receives the tokens of all blocks with their original spans.

extern crate proc_macro;

use proc_macro::TokenStream;

mod callback;
mod parse;

/// Expands `isa!`: checks a microcode format or a suffix dword.
#[must_use]
pub fn block(input: TokenStream) -> TokenStream {
    callback::block(input.into()).unwrap_or_else(|e| e.into_compile_error()).into()
}

/// Expands `isa_set!`: starts the callback chain of a set's blocks.
#[must_use]
pub fn set(input: TokenStream) -> TokenStream {
    callback::set(input.into()).unwrap_or_else(|e| e.into_compile_error()).into()
}

/// Expands `__isa_finish!`, the end of the callback chain: generates the code of the set.
#[must_use]
pub fn finish(input: TokenStream) -> TokenStream {
    callback::finish(input.into()).unwrap_or_else(|e| e.into_compile_error()).into()
}
