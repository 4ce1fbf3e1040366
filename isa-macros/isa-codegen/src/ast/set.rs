//! The syntax tree of `isa_set!` without its list of blocks.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

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
    /// The path of the function that checks the rules between operands, and the condition of the clause.
    pub legal: Option<(Condition, TokenStream)>,
    /// The condition under which the set has a parser.
    pub parse: Condition,
    /// The condition under which the set has operand-level instructions and bodies.
    pub inst: Condition,
    /// The `build` clause.
    pub build: Option<BuildClause>,
}

impl SetHeader {
    /// Returns an item of sets with a parser, under its condition.
    pub fn in_parser(&self, item: impl Fn() -> TokenStream) -> TokenStream {
        if cfg!(feature = "parse") { self.parse.item(&item()) } else { TokenStream::new() }
    }

    /// Returns an item of sets with rules between operands, under the condition of the clause `legal`. Without the clause a set may have
    /// rules that text need not obey.
    pub fn in_rules(&self, item: &TokenStream) -> TokenStream {
        self.legal.as_ref().map_or_else(|| item.clone(), |(condition, _)| condition.item(item))
    }

    /// Returns an item of sets with operand-level instructions, under its condition.
    pub fn in_inst(&self, item: impl Fn() -> TokenStream) -> TokenStream {
        if cfg!(feature = "inst") { self.inst.item(&item()) } else { TokenStream::new() }
    }
}

/// The condition of a clause, `#[cfg(…)]`. rustc evaluates it in the crate of the set: Cargo may have enabled more features of the
/// macros for another set.
#[derive(Default)]
pub struct Condition {
    /// The predicate of `cfg`. Without one the condition always holds.
    pub predicate: Option<TokenStream>,
}

impl Condition {
    /// Returns an item that depends on the condition.
    pub fn item(&self, item: &TokenStream) -> TokenStream {
        let attr = self.predicate.as_ref().map(|predicate| quote!(#[cfg(#predicate)]));
        quote!(#attr #item)
    }

    /// Returns the condition that holds if one of two does.
    #[must_use]
    pub fn or(&self, other: &Condition) -> Condition {
        let both = self.predicate.as_ref().zip(other.predicate.as_ref());
        Condition { predicate: both.map(|(first, second)| quote!(any(#first, #second))) }
    }
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
