//! What the `asm!` macros of all instruction sets share.
//!
//! The macro of a set is a proc-macro crate that links the crate of the rows and hands its run-time parser to this one
//! as a [`Language`]. Here tokens become statements of text (`statement`), statements become words with labels resolved
//! (`program`), and every fault is reported at the tokens it is about, all of them in one run. Nothing here knows an
//! instruction.

use proc_macro2::TokenStream;

mod program;
mod statement;
mod template;

/// What a set's macro hands over: its parser and its modes.
#[derive(Debug, Clone, Copy)]
pub struct Language<M: 'static> {
    /// The mode that holds without a directive: the first one.
    pub mode: M,
    /// The modes and the directives that choose them, such as `.wave64`.
    pub modes: &'static [(&'static str, M)],
    /// Reads one line.
    pub parse: fn(&str, M) -> Result<Line, isa::ParseError>,
    /// What to do where a branch does not reach, as the end of a sentence.
    pub far: &'static str,
    /// An operand of each sort, as text: what [`instrs`] tries where a value of run time will stand.
    pub samples: &'static [&'static str],
}

/// What a line of assembly comes to.
#[derive(Debug, Clone, Copy)]
pub struct Line {
    /// The dwords.
    pub words: isa::Words,
    /// Whether it goes to a place in the code: a label may then stand in its last operand.
    pub branch: bool,
}

/// `asm! { … }`: an array of the words of all lines.
#[must_use]
pub fn asm<M: Copy>(input: TokenStream, language: &Language<M>) -> TokenStream {
    program::asm(input, language)
}

/// `instrs! { {path} … }`: an expression that yields instructions, with values of run time in braces.
///
/// `path` is that of the crate the expansion speaks of: it calls `path::__private::instructions::<N>(mode, &lines)`,
/// the mode as its index in [`Language::modes`]. Lines without values are checked now; of the others it is shown now
/// that some operands fit, so that a mnemonic, a modifier or a number of operands that is wrong is reported here.
#[must_use]
pub fn instrs<M: Copy>(input: TokenStream, language: &Language<M>) -> TokenStream {
    template::instrs(input, language)
}
