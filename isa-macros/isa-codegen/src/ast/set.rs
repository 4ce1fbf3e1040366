//! The syntax tree of `isa_set!` without its list of blocks.

use proc_macro2::{Ident, Span, TokenStream};

use super::block::Attr;
use super::cond::Cond;
use crate::spanned::SpannedStr;

/// The clauses of `isa_set!` before `formats`.
pub struct SetHeader {
    /// The attributes of the set.
    pub docs: Vec<Attr>,
    /// The name of the set, which becomes the name of a type.
    pub name: Ident,
    /// The generation in `set NAME of GENERATION;`.
    pub generation: Option<SpannedStr>,
    /// The path of the mode type.
    pub mode: TokenStream,
    /// The variants of the mode type, the default first.
    pub modes: Vec<Ident>,
    /// The path of the type of operand values.
    pub value: TokenStream,
    /// The path of the module that defines the operand classes.
    pub operands: TokenStream,
    /// The path of the function that checks the rules between operands.
    pub legal: Option<TokenStream>,
    /// The `build` clause.
    pub build: Option<BuildClause>,
}

/// `build path::module { … }` or `build;`, which requests typed builders.
pub struct BuildClause {
    /// The attributes of the clause, such as `#[cfg(…)]`.
    pub attrs: Vec<Attr>,
    /// The path of the module that defines what builders accept. Without it they accept any operand.
    pub module: Option<TokenStream>,
    /// The span of the first token of the path, or of the keyword.
    pub span: Span,
    /// The lines between the braces.
    pub mappings: Vec<BuildMapping>,
}

/// A line of a `build` clause: `Class | Class if COND => Slot,` or `mod modifier if COND => Marker,`.
pub struct BuildMapping {
    /// Whether the line is about modifiers.
    pub is_modifier: bool,
    /// The names of operand classes, or of modifiers.
    pub names: Vec<SpannedStr>,
    /// The rows to which the line applies.
    pub cond: Option<Cond>,
    /// The slot trait or the marker trait. `None` for `_`: builders hide the operand or the modifier.
    pub target: Option<Ident>,
}
