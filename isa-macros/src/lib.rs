//! The macros `isa!` and `isa_set!`, which `isa-core` re-exports. Depend on `isa-core` instead.
//!
//! `parse` converts the tokens of a block to the syntax tree of `isa-codegen`, which validates it and generates the code.
//! `isa!` checks a single block, and `callback` defines a `macro_rules!` macro that passes its tokens on. `isa_set!` calls
//! these macros in a chain, whose end, `__isa_finish!`, receives the tokens of all blocks with their original spans.

extern crate proc_macro;

use proc_macro::TokenStream;

mod callback;
mod parse;

/// Describes a microcode format, or a suffix dword that may follow one.
///
/// The module `row_language` of `isa-core` is the reference of what a block may state.
#[proc_macro]
pub fn isa(input: TokenStream) -> TokenStream {
    callback::block(input.into()).unwrap_or_else(|e| e.into_compile_error()).into()
}

/// Joins `isa!` blocks into an instruction set.
///
/// The module `row_language` of `isa-core` is the reference of the clauses.
#[proc_macro]
pub fn isa_set(input: TokenStream) -> TokenStream {
    callback::set(input.into()).unwrap_or_else(|e| e.into_compile_error()).into()
}

/// The end of the callback chain that `isa_set!` starts; not for direct use.
#[doc(hidden)]
#[proc_macro]
pub fn __isa_finish(input: TokenStream) -> TokenStream {
    callback::finish(input.into()).unwrap_or_else(|e| e.into_compile_error()).into()
}
