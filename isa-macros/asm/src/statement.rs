//! Tokens to statements: text for the parser, and for each part of that text the token it comes from.

use std::ops::Range;

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};

/// A fault and the tokens it is about.
#[derive(Debug)]
pub struct Fault {
    pub first: Span,
    pub last: Span,
    pub message: String,
}

impl Fault {
    pub fn at(span: Span, message: impl Into<String>) -> Self {
        Fault { first: span, last: span, message: message.into() }
    }

    /// `compile_error!` from the first token to the last.
    pub fn into_error(self) -> TokenStream {
        use proc_macro2::{Group, Ident, Literal, Punct};
        // Rust joins the spans of the first and the last token of an expansion.
        let punct = |c, spacing, span| {
            let mut p = Punct::new(c, spacing);
            p.set_span(span);
            TokenTree::from(p)
        };
        let mut text = Literal::string(&self.message);
        text.set_span(self.last);
        let mut group = Group::new(Delimiter::Brace, TokenTree::from(text).into());
        group.set_span(self.last);
        [
            punct(':', Spacing::Joint, self.first),
            punct(':', Spacing::Alone, self.first),
            Ident::new("core", self.first).into(),
            punct(':', Spacing::Joint, self.first),
            punct(':', Spacing::Alone, self.first),
            Ident::new("compile_error", self.first).into(),
            punct('!', Spacing::Alone, self.first),
            group.into(),
        ]
        .into_iter()
        .collect()
    }
}

/// A value of run time in braces.
#[derive(Debug)]
pub struct Hole {
    /// Where its text would stand in the statement's.
    pub at: usize,
    pub value: TokenStream,
    pub span: Span,
}

/// An instruction or a directive as text.
#[derive(Debug, Default)]
pub struct Statement {
    pub text: String,
    pub holes: Vec<Hole>,
    /// Which part of the text comes from which token.
    tokens: Vec<(Range<usize>, Span)>,
}

impl Statement {
    /// The fault that the parser finds in a part of the text.
    pub fn fault(&self, part: Range<usize>, message: impl Into<String>) -> Fault {
        let touched = |t: &&(Range<usize>, Span)| t.0.end > part.start && t.0.start < part.end.max(part.start + 1);
        // What is missing at the end is said at the last token.
        let first = self.tokens.iter().find(touched).or(self.tokens.last());
        let last = self.tokens.iter().rfind(touched).or(self.tokens.last());
        let span = |t: Option<&(Range<usize>, Span)>| t.map_or_else(Span::call_site, |t| t.1);
        Fault { first: span(first), last: span(last), message: message.into() }
    }

    /// The name at the very end, if a name stands there, and where it begins.
    pub fn last_name(&self) -> Option<(usize, &str)> {
        let start = self.text.rfind([' ', ','])? + 1;
        let name = self.text.get(start..)?;
        let word = name.strip_prefix('.').unwrap_or(name);
        let plain = word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$');
        (plain && !word.bytes().next()?.is_ascii_digit()).then_some((start, name))
    }

    /// Whether a line that ends here goes on in the next.
    fn goes_on(&self) -> bool {
        let value = self.holes.last().is_some_and(|hole| hole.at == self.text.len());
        !value && self.text.ends_with([',', ':'])
    }

    fn push(&mut self, text: &str, span: Span) {
        // Words must not run together; anything else may.
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '"');
        let before = self.text.chars().next_back();
        let bars = || self.text.matches('|').count();
        let closed = before.is_some_and(|c| word(c) || matches!(c, ')' | ']') || c == '|' && bars() % 2 == 0);
        if closed && text.starts_with(word) && !self.text.ends_with("::") {
            self.text.push(' ');
        }
        let start = self.text.len();
        self.text.push_str(text);
        self.tokens.push((start..self.text.len(), span));
    }

    fn tree(&mut self, tree: TokenTree) {
        let TokenTree::Group(group) = tree else {
            return self.push(&plain(&tree.to_string()), tree.span());
        };
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => ("", ""),
            Delimiter::Brace => {
                if self.text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | ']')) {
                    self.text.push(' ');
                }
                let (at, span) = (self.text.len(), group.span());
                self.tokens.push((at..at + 1, span));
                return self.holes.push(Hole { at, value: group.stream(), span });
            }
        };
        if !open.is_empty() {
            self.push(open, group.span_open());
        }
        group.stream().into_iter().for_each(|tree| self.tree(tree));
        if !close.is_empty() {
            self.push(close, group.span_close());
        }
    }
}

/// What a block consists of.
#[derive(Debug)]
pub enum Item {
    /// `name:`.
    Label(String, Span),
    Statement(Statement),
}

/// Cuts a block into labels and statements. If it has a semicolon, semicolons end statements; else ends of lines do.
pub fn items(input: TokenStream) -> Vec<Item> {
    let trees: Vec<TokenTree> = input.into_iter().collect();
    let by_lines = !trees.iter().any(|t| is_punct(t, ';'));
    let (mut all, mut now, mut line) = (Vec::new(), Statement::default(), 0);
    let mut trees = trees.into_iter().peekable();
    while let Some(tree) = trees.next() {
        // A line that ends in a comma or between the halves of a pair goes on.
        let breaks = by_lines && tree.span().start().line != line && !now.goes_on();
        line = tree.span().end().line;
        if breaks || is_punct(&tree, ';') {
            finish(&mut now, &mut all);
        }
        let colon =
            matches!(trees.peek(), Some(TokenTree::Punct(p)) if p.as_char() == ':' && p.spacing() == Spacing::Alone);
        match tree {
            TokenTree::Punct(p) if p.as_char() == ';' => {}
            TokenTree::Ident(name) if colon && matches!(now.text.as_str(), "" | ".") => {
                let dot = std::mem::take(&mut now).text;
                all.push(Item::Label(dot + &plain(&name.to_string()), name.span()));
                trees.next();
            }
            tree => now.tree(tree),
        }
    }
    finish(&mut now, &mut all);
    all
}

fn is_punct(tree: &TokenTree, c: char) -> bool {
    matches!(tree, TokenTree::Punct(p) if p.as_char() == c)
}

fn finish(now: &mut Statement, all: &mut Vec<Item>) {
    if !now.tokens.is_empty() {
        all.push(Item::Statement(std::mem::take(now)));
    }
}

/// A name as it is written, without what makes a keyword an identifier.
fn plain(text: &str) -> String {
    text.strip_prefix("r#").unwrap_or(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        let items = items(source.parse().unwrap());
        let text = |item| match item {
            Item::Label(name, _) => format!("{name}:"),
            Item::Statement(s) => s.text,
        };
        items.into_iter().map(text).collect()
    }

    #[test]
    fn tokens_become_the_text_that_they_were() {
        let lines = [
            "v_mul_f32 v0,-|v1|,neg(abs(v2)) mul:2 clamp",
            "v_mul_f32 v0,|v1|,-|v2| clamp",
            "v_add_f16 v0.l,v1.h,v2.l",
            "image_sample v[64:66],[v32,v33,v34],s[4:11],s[100:103] dmask:0x7 dim:2D",
            "v_dual_mul_f32 v0,v1,v2::v_dual_mul_f32 v3,v2,v3",
            "buffer_load_b32 v1,off,s[8:11],s3 offset:0x10 glc",
        ];
        for line in lines {
            assert_eq!(texts(line), [line]);
        }
    }

    #[test]
    fn statements_end_with_lines_or_with_semicolons() {
        assert_eq!(texts("a b\nc d,\ne"), ["a b", "c d,e"]);
        assert_eq!(texts("a b\nc d,\ne; f"), ["a b c d,e", "f"]);
        assert_eq!(texts("x: a y\n.L1: r#loop: b"), ["x:", "a y", ".L1:", "loop:", "b"]);
        assert_eq!(texts("a b, {c}\n|d|\ne"), ["a b,", "|d|", "e"]);
    }
}
