//! Marks and words that parsers look for.

use std::fmt;

use proc_macro2::{Delimiter, Ident, Spacing, TokenTree};

use super::literal::int;
use super::{ParseStream, Result, any_ident};

/// What can stand at a place.
pub trait Expected {
    /// How many tokens it is if it stands there.
    fn len_at(&self, tokens: &[TokenTree], at: usize) -> Option<usize>;
}

impl<F: Fn(&TokenTree) -> bool> Expected for F {
    fn len_at(&self, tokens: &[TokenTree], at: usize) -> Option<usize> {
        tokens.get(at).is_some_and(self).then_some(1)
    }
}

/// A mark such as `=>`, or a word of Rust such as `for`.
#[derive(Clone, Copy)]
pub struct Mark(pub &'static str);

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Expected for Mark {
    fn len_at(&self, tokens: &[TokenTree], at: usize) -> Option<usize> {
        if let Some(TokenTree::Ident(ident)) = tokens.get(at) {
            return (ident == self.0).then_some(1);
        }
        let mut rest = tokens.get(at..)?.iter();
        let mut chars = self.0.chars().peekable();
        while let Some(c) = chars.next() {
            let TokenTree::Punct(mark) = rest.next()? else { return None };
            // What follows the last character does not matter: `=` stands at the beginning of `=>` too.
            if mark.as_char() != c || (chars.peek().is_some() && mark.spacing() == Spacing::Alone) {
                return None;
            }
        }
        Some(self.0.len())
    }
}

/// The mark or word that is written between the brackets.
macro_rules! Token {
    (_) => {
        $crate::read::Mark("_")
    };
    ($($token:tt)+) => {
        $crate::read::Mark(concat!($(stringify!($token)),+))
    };
}
pub(crate) use Token;

/// A name that is no keyword.
pub const IDENT: fn(&TokenTree) -> bool = |token| matches!(token, TokenTree::Ident(ident) if !is_keyword(ident));
/// A name, even if it is a keyword.
pub const ANY_IDENT: fn(&TokenTree) -> bool = |token| matches!(token, TokenTree::Ident(_));
pub const INT: fn(&TokenTree) -> bool = |token| int(token).is_some();
pub const LITERAL: fn(&TokenTree) -> bool = |token| matches!(token, TokenTree::Literal(_));
pub const BRACE: fn(&TokenTree) -> bool = |token| is_group(token, Delimiter::Brace);
pub const BRACKET: fn(&TokenTree) -> bool = |token| is_group(token, Delimiter::Bracket);
pub const PAREN: fn(&TokenTree) -> bool = |token| is_group(token, Delimiter::Parenthesis);

fn is_group(token: &TokenTree, delimiter: Delimiter) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == delimiter)
}

const KEYWORDS: [&str; 52] = [
    "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "if", "impl", "in", "let", "loop", "macro", "match",
    "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "Self", "self", "static", "struct", "super",
    "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

pub(super) fn is_keyword(ident: &Ident) -> bool {
    // Comparing an identifier of the compiler writes it out each time.
    KEYWORDS.contains(&ident.to_string().as_str())
}

/// One name of a path.
pub(super) fn path_segment(input: ParseStream) -> Result<Ident> {
    match input.ident() {
        Some(name) if ["crate", "self", "Self", "super"].contains(&name.to_string().as_str()) => any_ident(input),
        _ => input.parse(),
    }
}
