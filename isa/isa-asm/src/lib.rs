//! Implementation of the `asm!` and `instrs!` macros, shared by all instruction sets.
//!
//! The proc-macro crate of a set links the set's rows and passes its run-time parser to this crate as a [`Language`].
//!
//! - `statement` converts tokens to statements of assembly text and remembers the span of each token.
//! - `program` resolves labels, assembles statements to dwords and expands `asm!`.
//! - `instrs` expands `instrs!`, whose statements may hold run-time values.
//!
//! One expansion reports all errors, each at the tokens that caused it. This crate knows no instruction set.
//!
//! # Examples
//! A language of one instruction; the crate of a set calls its parser here:
//! ```
//! use isa_asm::{EncodedLine, Language, asm};
//! use isa_runtime::{ErrorKind, ParseError, InstrDwords};
//!
//! fn parse(text: &str, (): ()) -> Result<EncodedLine, ParseError> {
//!     match text {
//!         "halt" => Ok(EncodedLine { words: InstrDwords::new([7, 0, 0], 1), is_branch: false }),
//!         _ => Err(ParseError { start: 0, end: text.len(), kind: ErrorKind::Mnemonic(None) }),
//!     }
//! }
//!
//! let language = Language::new((), parse);
//! assert_eq!(asm("halt; halt".parse()?, &language).to_string(), "[7u32 , 7u32]");
//! assert!(asm("stop".parse()?, &language).to_string().contains("compile_error"));
//! # Ok::<(), proc_macro2::LexError>(())
//! ```

use proc_macro2::TokenStream;

mod instrs;
mod language;
mod program;
mod statement;

pub use language::{EncodedLine, Language};

/// Expands `asm! { … }` to an array with the dwords of all lines.
#[must_use]
pub fn asm<M: Copy>(input: TokenStream, language: &Language<M>) -> TokenStream {
    program::expand(input, language)
}

/// Expands `instrs! { {path} … }` to an expression that builds instructions at run time. Operands in braces are Rust
/// expressions.
///
/// `path` is the path of the crate that re-exports the macro. The expansion calls
/// `path::__private::instructions::<N>(mode, &lines)`, where `mode` is an index in [`Language::modes`].
///
/// The macro checks lines without run-time values completely. For every other line it searches [`Language::samples`]
/// for operands that make the line valid, and reports an error if there are none: the mnemonic, a modifier or the
/// number of operands is wrong.
#[must_use]
pub fn instrs<M: Copy>(input: TokenStream, language: &Language<M>) -> TokenStream {
    instrs::expand(input, language)
}
