//! The words of `isa_set!` before its list of blocks.

use proc_macro2::{Ident, Span, TokenStream};

use crate::cond::Cond;
use crate::tree::{Attr, Text};

/// The words of `isa_set!` before its list of blocks.
pub struct Head {
    /// The attributes of the set.
    pub docs: Vec<Attr>,
    /// Its name.
    pub name: Ident,
    /// The generation that it is, where its blocks cover several.
    pub of: Option<Text>,
    /// The path of the type of modes.
    pub mode: TokenStream,
    /// The modes that it has.
    pub modes: Vec<Ident>,
    /// The path of the type of operands' values.
    pub value: TokenStream,
    /// The path of the module of kinds.
    pub operands: TokenStream,
    /// The function that knows the rules between operands.
    pub legal: Option<TokenStream>,
    /// The module of what typed builders admit.
    pub build: Option<Build>,
}

/// The set's `build` clause.
pub struct Build {
    /// What stands before it, as `#[cfg(…)]`.
    pub attrs: Vec<Attr>,
    /// The path of the module.
    pub module: TokenStream,
    /// Where the path begins.
    pub span: Span,
    /// The list after the path.
    pub maps: Vec<Map>,
}

/// `KIND | KIND if COND => Slot,` or `mod modifier if COND => Marker,`.
pub struct Map {
    /// Whether it is about modifiers.
    pub modifier: bool,
    /// Kinds, or modifiers.
    pub names: Vec<Text>,
    /// Of which rows it is true.
    pub cond: Option<Cond>,
    /// None for `_`: builders do not show it.
    pub to: Option<Ident>,
}
