//! Reading tokens: what the parsers of this crate need of such a library, and no more.
//!
//! It is written after `syn`, and says what that says where words are wrong. A crate with rows is built after its
//! macros, and these were built after `syn`, which takes longer than this crate does: without it, compilers that have
//! another processor work on both at once.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

mod error;
mod literal;
mod token;

pub use error::{Error, Result};
pub use literal::{LitInt, LitStr};
pub(crate) use token::Token;
pub use token::{ANY_IDENT, BRACE, BRACKET, Expected, IDENT, INT, LITERAL, Mark, PAREN};

/// Something that reads itself.
pub trait Parse: Sized {
    fn parse(input: ParseStream) -> Result<Self>;
}

/// Where a parser stands among the tokens of a group or of the whole input.
pub struct ParseBuffer {
    tokens: Rc<[TokenTree]>,
    at: Cell<usize>,
    /// What is named where the tokens end.
    end: Span,
    /// The first token that nobody took, in any group of the input.
    left: Rc<Cell<Option<Span>>>,
}

pub type ParseStream<'a> = &'a ParseBuffer;

impl Drop for ParseBuffer {
    fn drop(&mut self) {
        if let Some(token) = self.nth(0)
            && self.left.get().is_none()
        {
            self.left.set(Some(token.span()));
        }
    }
}

/// Adds the tokens of a stream; groups without delimiters, which fragments of macros come in, are their contents.
fn flatten(stream: TokenStream, out: &mut Vec<TokenTree>) {
    for token in stream {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => flatten(group.stream(), out),
            token => out.push(token),
        }
    }
}

impl ParseBuffer {
    fn new(stream: TokenStream, end: Span, left: Rc<Cell<Option<Span>>>) -> ParseBuffer {
        let mut tokens = Vec::new();
        flatten(stream, &mut tokens);
        ParseBuffer { tokens: tokens.into(), at: Cell::new(0), end, left }
    }

    fn nth(&self, n: usize) -> Option<&TokenTree> {
        self.tokens.get(self.at.get() + n)
    }

    fn next(&self) -> Option<&TokenTree> {
        let token = self.nth(0)?;
        self.at.set(self.at.get() + 1);
        Some(token)
    }

    /// The next token if it is a name, of the language or not.
    pub fn ident(&self) -> Option<&Ident> {
        match self.nth(0)? {
            TokenTree::Ident(ident) => Some(ident),
            _ => None,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.nth(0).is_none()
    }

    /// Where the next token is.
    pub fn span(&self) -> Span {
        self.nth(0).map_or(self.end, TokenTree::span)
    }

    /// A fault at the next token.
    pub fn error(&self, say: impl fmt::Display) -> Error {
        match self.nth(0) {
            Some(token) => Error::new(token.span(), say),
            None => Error::new(self.end, format!("unexpected end of input, {say}")),
        }
    }

    /// Another parser at the same place, which looks ahead.
    pub fn fork(&self) -> ParseBuffer {
        ParseBuffer { tokens: self.tokens.clone(), at: self.at.clone(), end: self.end, left: Rc::default() }
    }

    pub fn peek(&self, what: impl Expected) -> bool {
        what.len_at(&self.tokens, self.at.get()).is_some()
    }

    pub fn peek2(&self, what: impl Expected) -> bool {
        what.len_at(&self.tokens, self.at.get() + 1).is_some()
    }

    pub fn peek3(&self, what: impl Expected) -> bool {
        what.len_at(&self.tokens, self.at.get() + 2).is_some()
    }

    pub fn parse<T: Parse>(&self) -> Result<T> {
        T::parse(self)
    }

    pub fn call<T>(&self, reader: fn(ParseStream) -> Result<T>) -> Result<T> {
        reader(self)
    }

    /// Takes this mark or word.
    pub fn take(&self, mark: Mark) -> Result<()> {
        if self.accept(mark) { Ok(()) } else { Err(self.error(format_args!("expected `{mark}`"))) }
    }

    /// Takes this mark or word if it is next.
    pub fn accept(&self, mark: Mark) -> bool {
        let len = mark.len_at(&self.tokens, self.at.get());
        self.at.set(self.at.get() + len.unwrap_or(0));
        len.is_some()
    }

    /// Takes a group; its contents.
    pub fn group(&self, delimiter: Delimiter) -> Result<ParseBuffer> {
        if let Some(TokenTree::Group(group)) = self.nth(0)
            && group.delimiter() == delimiter
        {
            self.next();
            return Ok(ParseBuffer::new(group.stream(), group.span_close(), self.left.clone()));
        }
        Err(self.error(match delimiter {
            Delimiter::Brace => "expected curly braces",
            Delimiter::Bracket => "expected square brackets",
            _ => "expected parentheses",
        }))
    }

    /// Items with commas between them, and perhaps after the last one.
    pub fn between_commas<T>(&self, item: fn(ParseStream) -> Result<T>) -> Result<Vec<T>> {
        let mut all = Vec::new();
        while !self.is_empty() {
            all.push(item(self)?);
            if !self.is_empty() {
                self.take(Token![,])?;
            }
        }
        Ok(all)
    }
}

/// Reads the whole of some tokens.
pub fn parse2<T>(reader: impl FnOnce(ParseStream) -> Result<T>, tokens: TokenStream) -> Result<T> {
    let input = ParseBuffer::new(tokens, Span::call_site(), Rc::default());
    let read = reader(&input)?;
    match input.left.get().or_else(|| input.nth(0).map(TokenTree::span)) {
        Some(span) => Err(Error::new(span, "unexpected token")),
        None => Ok(read),
    }
}

#[cfg(test)]
pub fn parse_str<T>(reader: impl FnOnce(ParseStream) -> Result<T>, text: &str) -> Result<T> {
    let tokens = text.parse().map_err(|e| Error::new(Span::call_site(), e))?;
    parse2(reader, tokens)
}

impl Parse for TokenStream {
    fn parse(input: ParseStream) -> Result<TokenStream> {
        Ok(std::iter::from_fn(|| input.next().cloned()).collect())
    }
}

impl Parse for TokenTree {
    fn parse(input: ParseStream) -> Result<TokenTree> {
        input.next().cloned().ok_or_else(|| input.error("expected token tree"))
    }
}

impl Parse for Ident {
    fn parse(input: ParseStream) -> Result<Ident> {
        match input.ident() {
            Some(ident) if token::is_keyword(ident) => {
                Err(input.error(format_args!("expected identifier, found keyword `{ident}`")))
            }
            _ => any_ident(input),
        }
    }
}

/// A name, even one that is a keyword of Rust.
pub fn any_ident(input: ParseStream) -> Result<Ident> {
    let Some(ident) = input.ident() else { return Err(input.error("expected identifier")) };
    input.next();
    Ok(ident.clone())
}

/// The identifier that this text is; `None` for keywords.
pub fn ident(text: &str) -> Option<Ident> {
    let ident = Ident::new(text, Span::call_site());
    (!token::is_keyword(&ident)).then_some(ident)
}

/// `#[…]`.
#[derive(Clone)]
pub struct Attribute(TokenStream);

impl Attribute {
    /// All that stand here.
    pub fn outer(input: ParseStream) -> Result<Vec<Attribute>> {
        let mut all = Vec::new();
        while input.peek(Token![#]) {
            let mark: TokenTree = input.parse()?;
            let group: TokenTree = match input.peek(BRACKET) {
                true => input.parse()?,
                false => return Err(input.error("expected square brackets")),
            };
            all.push(Attribute(TokenStream::from_iter([mark, group])));
        }
        Ok(all)
    }

    /// The text of a doc comment.
    pub fn doc(&self) -> Option<String> {
        let TokenTree::Group(group) = self.0.clone().into_iter().nth(1)? else { return None };
        let mut tokens = group.stream().into_iter();
        let is_doc = matches!(tokens.next()?, TokenTree::Ident(name) if name == "doc");
        let is_value = matches!(tokens.next()?, TokenTree::Punct(mark) if mark.as_char() == '=');
        let text: TokenStream = tokens.collect();
        (is_doc && is_value).then(|| parse2(LitStr::parse, text).ok()).flatten().map(|t| t.value().trim().to_owned())
    }
}

impl ToTokens for Attribute {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.clone());
    }
}

/// `crate::legal::for_text`.
pub struct Path(TokenStream);

impl Path {
    pub fn plain(input: ParseStream) -> Result<Path> {
        let mut tokens = TokenStream::new();
        path(input, &mut tokens, false)?;
        Ok(Path(tokens))
    }
}

impl Path {
    /// Where its first name is.
    pub fn span(&self) -> Span {
        let name = |token| match token {
            TokenTree::Ident(ident) => Some(ident.span()),
            _ => None,
        };
        self.0.clone().into_iter().find_map(name).unwrap_or_else(Span::call_site)
    }
}

impl ToTokens for Path {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.clone());
    }
}

/// A type that is a path, perhaps with arguments: `Src3<0>`.
#[derive(Clone)]
pub struct Type(TokenStream);

impl Parse for Type {
    fn parse(input: ParseStream) -> Result<Type> {
        let mut tokens = TokenStream::new();
        path(input, &mut tokens, true)?;
        Ok(Type(tokens))
    }
}

impl ToTokens for Type {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.clone());
    }
}

fn path(input: ParseStream, out: &mut TokenStream, arguments: bool) -> Result<()> {
    let colons = |out: &mut TokenStream| -> Result<()> {
        out.extend([input.parse::<TokenTree>()?, input.parse()?]);
        Ok(())
    };
    if input.peek(Token![::]) {
        colons(out)?;
    }
    loop {
        out.extend([TokenTree::Ident(token::path_segment(input)?)]);
        if arguments && input.peek(Token![<]) {
            let mut depth = 0;
            loop {
                let token: TokenTree = input.parse().map_err(|_| input.error("expected `>`"))?;
                if let TokenTree::Punct(mark) = &token {
                    depth += i32::from(mark.as_char() == '<') - i32::from(mark.as_char() == '>');
                }
                out.extend([token]);
                if depth == 0 {
                    break;
                }
            }
        }
        if !input.peek(Token![::]) {
            return Ok(());
        }
        colons(out)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault<T>(reader: impl FnOnce(ParseStream) -> Result<T>, text: &str) -> String {
        parse_str(reader, text).err().map(|e| e.to_string()).unwrap_or_default()
    }

    #[test]
    fn what_nobody_took_is_a_fault() {
        assert_eq!(fault(Ident::parse, "a b"), "unexpected token");
        let group = |input: ParseStream| input.group(Delimiter::Parenthesis).map(|_| ());
        assert_eq!(fault(group, "(a)"), "unexpected token");
        assert_eq!(fault(group, "()"), "");
        assert_eq!(fault(group, "[]"), "expected parentheses");
        assert_eq!(fault(group, ""), "unexpected end of input, expected parentheses");
        // Looking ahead leaves nothing behind.
        let ahead = |input: ParseStream| input.fork().parse::<Ident>().and_then(|_| input.parse::<Ident>());
        assert_eq!(fault(ahead, "a"), "");
    }

    #[test]
    fn names_are_no_keywords() {
        assert_eq!(fault(Ident::parse, "for"), "expected identifier, found keyword `for`");
        assert_eq!(fault(Ident::parse, "7"), "expected identifier");
        assert_eq!(fault(any_ident, "for"), "");
        assert!(ident("mod").is_none() && ident("d").is_some());
    }

    #[test]
    fn marks_are_as_long_as_they_are() {
        let marks = |input: ParseStream| {
            assert!(input.peek(Token![=]) && input.peek(Token![=>]) && !input.peek(Token![==]));
            input.take(Token![=>])?;
            assert!(!input.accept(Token![==]) && input.accept(Token![=]) && input.peek2(Token![for]));
            input.parse::<TokenStream>()
        };
        assert_eq!(fault(marks, "=> = = for"), "");
        assert_eq!(fault(|input| input.take(Token![==]), "= ="), "expected `==`");
    }

    #[test]
    fn types_end_with_their_arguments() {
        let kind = |text: &str| {
            let reader = |input: ParseStream| Ok((input.parse::<Type>()?, input.parse::<TokenStream>()?));
            let (kind, rest) = parse_str(reader, text).unwrap_or_else(|e| panic!("{text}: {e}"));
            (kind.to_token_stream().to_string().replace(' ', ""), rest.to_string())
        };
        assert_eq!(kind("Src3<0> if x"), ("Src3<0>".into(), "if x".into()));
        assert_eq!(kind("a::Pair<Reg<1>, Reg<2>>, B"), ("a::Pair<Reg<1>,Reg<2>>".into(), ", B".into()));
        assert_eq!(kind("Src"), ("Src".into(), String::new()));
        assert_eq!(fault(Type::parse, "Src<1"), "unexpected end of input, expected `>`");
    }

    #[test]
    fn doc_comments_have_a_text() {
        let docs = |text: &str| {
            let all = parse_str(Attribute::outer, text).unwrap_or_else(|e| panic!("{e}"));
            all.iter().map(Attribute::doc).collect::<Vec<_>>()
        };
        assert_eq!(
            docs("/// Plain.\n #[doc = \"a\\tb \"] #[inline]"),
            [Some("Plain.".into()), Some("a\tb".into()), None]
        );
    }
}
