//! What is wrong, and where.

use std::fmt;

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

pub type Result<T> = std::result::Result<T, Error>;

/// One fault or several.
#[derive(Clone, Debug)]
pub struct Error(Vec<(Span, String)>);

impl Error {
    pub fn new(span: Span, say: impl fmt::Display) -> Error {
        Error(vec![(span, say.to_string())])
    }

    pub fn span(&self) -> Span {
        self.0.first().map_or_else(Span::call_site, |(span, _)| *span)
    }

    pub fn combine(&mut self, other: Error) {
        self.0.extend(other.0);
    }

    /// `::core::compile_error! { "…" }` for each fault, at its place.
    pub fn into_compile_error(self) -> TokenStream {
        let at = |span: Span, mut token: TokenTree| {
            token.set_span(span);
            token
        };
        let one = |(span, say): (Span, String)| {
            let mark = |c, spacing| TokenTree::Punct(Punct::new(c, spacing));
            let name = |text| TokenTree::Ident(Ident::new(text, span));
            let text = at(span, TokenTree::Literal(Literal::string(&say)));
            let group = TokenTree::Group(Group::new(Delimiter::Brace, text.into()));
            let colons = || [mark(':', Spacing::Joint), mark(':', Spacing::Alone)];
            let path = colons().into_iter().chain([name("core")]).chain(colons()).chain([name("compile_error")]);
            path.chain([mark('!', Spacing::Alone), group]).map(move |token| at(span, token))
        };
        self.0.into_iter().flat_map(one).collect()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.first().map_or(Ok(()), |(_, say)| f.write_str(say))
    }
}

impl IntoIterator for Error {
    type Item = Error;
    type IntoIter = std::vec::IntoIter<Error>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().map(|one| Error(vec![one])).collect::<Vec<_>>().into_iter()
    }
}
