//! The procedural macros `isa!` and `isa_set!`, as the compiler calls them; `isa-macros` is what they do.
//!
//! A crate of macros is linked, and so waits for the machine code of all that it depends on. This one is nothing but that:
//! what the macros do compiles as a library, beside the machine code of what parses their tokens.

use proc_macro::TokenStream;

/// Transcribes one microcode format, or a dword that may follow one. See docs/row-language.md.
#[proc_macro]
pub fn isa(input: TokenStream) -> TokenStream {
    isa_macros::block(input)
}

/// Joins `isa!` blocks into one instruction set. See docs/row-language.md.
#[proc_macro]
pub fn isa_set(input: TokenStream) -> TokenStream {
    isa_macros::set(input)
}

/// The end of the chain that `isa_set!` starts; not for direct use.
#[doc(hidden)]
#[proc_macro]
pub fn __isa_finish(input: TokenStream) -> TokenStream {
    isa_macros::finish(input)
}
