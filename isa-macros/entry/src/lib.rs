//! The proc-macro crate of `isa!` and `isa_set!`.
//!
//! `isa-macros` implements the macros. rustc links a proc-macro crate, so it waits for the machine code of all its
//! dependencies; therefore this crate has entry points only, and the implementation compiles in parallel with them.

use proc_macro::TokenStream;

/// Describes a microcode format, or a suffix dword that may follow one. See docs/reference/row-language.md.
#[proc_macro]
pub fn isa(input: TokenStream) -> TokenStream {
    isa_macros::block(input)
}

/// Joins `isa!` blocks into an instruction set. See docs/reference/row-language.md.
#[proc_macro]
pub fn isa_set(input: TokenStream) -> TokenStream {
    isa_macros::set(input)
}

/// The end of the callback chain that `isa_set!` starts; not for direct use.
#[doc(hidden)]
#[proc_macro]
pub fn __isa_finish(input: TokenStream) -> TokenStream {
    isa_macros::finish(input)
}
