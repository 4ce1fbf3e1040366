//! Conversion of tokens to statements: text for the run-time parser, with a span for each byte range of the text.

use std::ops::Range;

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};

/// An error message for a range of tokens.
#[derive(Debug)]
pub struct Error {
    pub first: Span,
    pub last: Span,
    pub message: String,
}

impl Error {
    /// Creates an error for a single token.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Error { first: span, last: span, message: message.into() }
    }

    /// Converts the error to a `compile_error!` that rustc reports for all tokens from the first to the last.
    pub fn into_compile_error(self) -> TokenStream {
        use proc_macro2::{Group, Ident, Literal, Punct};
        // rustc reports the range from the span of the first token to that of the last token.
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

/// A run-time value: a Rust expression in braces.
#[derive(Debug)]
pub struct Placeholder {
    /// The byte offset in the statement's text at which the value's text is inserted.
    pub offset: usize,
    pub value: TokenStream,
    pub span: Span,
}

/// An instruction or a directive as text.
#[derive(Debug, Default)]
pub struct Statement {
    /// The text, without the run-time values.
    pub text: String,
    pub placeholders: Vec<Placeholder>,
    /// The byte range and the span of each token.
    tokens: Vec<(Range<usize>, Span)>,
}

impl Statement {
    /// Creates an error for the tokens of a byte range of the text.
    pub fn error(&self, range: Range<usize>, message: impl Into<String>) -> Error {
        let overlaps = |t: &&(Range<usize>, Span)| t.0.end > range.start && t.0.start < range.end.max(range.start + 1);
        // An error at the end of the text, such as a missing operand, is reported at the last token.
        let first = self.tokens.iter().find(overlaps).or(self.tokens.last());
        let last = self.tokens.iter().rfind(overlaps).or(self.tokens.last());
        let span = |t: Option<&(Range<usize>, Span)>| t.map_or_else(Span::call_site, |t| t.1);
        Error { first: span(first), last: span(last), message: message.into() }
    }

    /// Returns an error if braces stand where an instruction begins, as in `asm!({ s_nop 0 })`.
    pub fn braces_for_instruction(&self) -> Option<Error> {
        let braces = self.placeholders.first().filter(|braces| braces.offset == 0)?;
        let message = "expected an instruction, not a block in braces\nhelp: write the lines in one pair of braces or \
                       parentheses: `asm! { s_nop 0 }`";
        Some(Error::new(braces.span, message))
    }

    /// Returns whether the tokens are on several lines without a comma or `::` at a line end: in a block with semicolons, line
    /// ends do not end statements.
    pub fn spans_lines(&self) -> bool {
        self.tokens.windows(2).any(|pair| {
            let [(before, first), (_, second)] = pair else { return false };
            let is_continued = self.text.get(..before.end).is_some_and(|text| text.ends_with([',', ':']));
            !is_continued && first.end().line != second.start().line
        })
    }

    /// Returns the last operand and its byte offset, if that operand is a single name.
    pub fn last_name(&self) -> Option<(usize, &str)> {
        let start = self.text.rfind([' ', ','])? + 1;
        let name = self.text.get(start..)?;
        let letters = name.strip_prefix('.').unwrap_or(name);
        let is_name = letters.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$');
        (is_name && !letters.bytes().next()?.is_ascii_digit()).then_some((start, name))
    }

    /// Returns whether the statement continues on the next line: it ends in a comma, or in the `::` of a dual-issue
    /// pair.
    fn is_continued(&self) -> bool {
        let ends_in_value = self.placeholders.last().is_some_and(|p| p.offset == self.text.len());
        !ends_in_value && self.text.ends_with([',', ':'])
    }

    /// Appends the text of a token, with a blank before it if it would otherwise merge with the token before it.
    fn push(&mut self, text: &str, span: Span) {
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '"');
        let before = self.text.chars().next_back();
        let bars = || self.text.matches('|').count();
        // An even number of bars closes `|v1|`, so a modifier may follow.
        let ends_operand = before.is_some_and(|c| is_word(c) || matches!(c, ')' | ']') || c == '|' && bars() % 2 == 0);
        if ends_operand && text.starts_with(is_word) && !self.text.ends_with("::") {
            self.text.push(' ');
        }
        let start = self.text.len();
        self.text.push_str(text);
        self.tokens.push((start..self.text.len(), span));
    }

    /// Appends a token tree. A group in braces becomes a placeholder.
    fn push_tree(&mut self, tree: TokenTree) {
        let TokenTree::Group(group) = tree else {
            return self.push(&without_raw_prefix(&tree.to_string()), tree.span());
        };
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => ("", ""),
            Delimiter::Brace => {
                if self.text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | ']')) {
                    self.text.push(' ');
                }
                let (offset, span) = (self.text.len(), group.span());
                self.tokens.push((offset..offset + 1, span));
                return self.placeholders.push(Placeholder { offset, value: group.stream(), span });
            }
        };
        if !open.is_empty() {
            self.push(open, group.span_open());
        }
        group.stream().into_iter().for_each(|tree| self.push_tree(tree));
        if !close.is_empty() {
            self.push(close, group.span_close());
        }
    }
}

/// An item of a block.
#[derive(Debug)]
pub enum Item {
    /// `name:`.
    Label(String, Span),
    Statement(Statement),
}

/// Splits a block into labels and statements. Semicolons end statements; in a block without any semicolon, line ends
/// do.
pub fn items(input: TokenStream) -> Vec<Item> {
    let trees: Vec<TokenTree> = input.into_iter().collect();
    let by_lines = !trees.iter().any(|t| is_punct(t, ';'));
    let (mut all, mut current, mut line) = (Vec::new(), Statement::default(), 0);
    let mut trees = trees.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let is_line_end = by_lines && tree.span().start().line != line && !current.is_continued();
        line = tree.span().end().line;
        if is_line_end || is_punct(&tree, ';') {
            finish(&mut current, &mut all);
        }
        let before_colon =
            matches!(trees.peek(), Some(TokenTree::Punct(p)) if p.as_char() == ':' && p.spacing() == Spacing::Alone);
        match tree {
            TokenTree::Punct(p) if p.as_char() == ';' => {}
            TokenTree::Ident(name) if before_colon && matches!(current.text.as_str(), "" | ".") => {
                let dot = std::mem::take(&mut current).text;
                all.push(Item::Label(dot + &without_raw_prefix(&name.to_string()), name.span()));
                trees.next();
            }
            tree => current.push_tree(tree),
        }
    }
    finish(&mut current, &mut all);
    all
}

fn is_punct(tree: &TokenTree, c: char) -> bool {
    matches!(tree, TokenTree::Punct(p) if p.as_char() == c)
}

/// Moves the current statement to `all`, unless it is empty.
fn finish(current: &mut Statement, all: &mut Vec<Item>) {
    if !current.tokens.is_empty() {
        all.push(Item::Statement(std::mem::take(current)));
    }
}

/// Removes the `r#` of a raw identifier.
fn without_raw_prefix(text: &str) -> String {
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
    fn tokens_are_converted_back_to_their_text() {
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
    fn line_ends_or_semicolons_end_statements() {
        assert_eq!(texts("a b\nc d,\ne"), ["a b", "c d,e"]);
        assert_eq!(texts("a b\nc d,\ne; f"), ["a b c d,e", "f"]);
        assert_eq!(texts("x: a y\n.L1: r#loop: b"), ["x:", "a y", ".L1:", "loop:", "b"]);
        assert_eq!(texts("a b, {c}\n|d|\ne"), ["a b,", "|d|", "e"]);
    }
}
