//! The tokens of a line as LLVM's `AsmLexer` divides it, for macro arguments: there, blanks and comments between tokens count.

use crate::lex::cursor::in_name;

/// The type of a token, as far as macro arguments depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The end of the line, or the comment there.
    End,
    /// Blanks.
    Space,
    /// `/* … */`.
    Comment,
    /// `,`.
    Comma,
    /// `:`.
    Colon,
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `=`.
    Equal,
    /// `%`.
    Percent,
    /// `<`.
    Less,
    /// Any other operator.
    Operator,
    /// A name without quotes.
    Name,
    /// A string in quotes.
    Text,
    /// Anything else.
    Other,
    /// A number or other token that is malformed.
    Malformed,
}

impl Kind {
    /// Whether an argument continues after blanks that follow or precede this token.
    pub fn is_operator(self) -> bool {
        matches!(self, Self::Equal | Self::Less | Self::Operator)
    }
}

/// A token and its position in the line.
#[derive(Debug, Clone, Copy)]
pub struct Token<'a> {
    /// The type.
    pub kind: Kind,
    /// As written.
    pub text: &'a str,
    /// The offset of its first byte.
    pub at: usize,
}

impl<'a> Token<'a> {
    /// The token as text: a string without its quotes, everything else as written.
    pub fn contents(&self) -> &'a str {
        if self.kind == Kind::Text { self.text.get(1..self.text.len() - 1).unwrap_or_default() } else { self.text }
    }
}

/// Operators and punctuation, longer ones first.
const SIGNS: [(&str, Kind); 31] = [
    ("==", Kind::Operator),
    ("||", Kind::Operator),
    ("&&", Kind::Operator),
    ("!=", Kind::Operator),
    ("<=", Kind::Operator),
    ("<<", Kind::Operator),
    ("<>", Kind::Operator),
    (">=", Kind::Operator),
    (">>", Kind::Operator),
    ("->", Kind::Other),
    ("+", Kind::Operator),
    ("-", Kind::Operator),
    ("~", Kind::Operator),
    ("/", Kind::Operator),
    ("*", Kind::Operator),
    ("=", Kind::Equal),
    ("|", Kind::Operator),
    ("^", Kind::Operator),
    ("&", Kind::Operator),
    ("!", Kind::Operator),
    ("<", Kind::Less),
    (">", Kind::Operator),
    (",", Kind::Comma),
    (":", Kind::Colon),
    ("(", Kind::Open),
    (")", Kind::Close),
    ("%", Kind::Percent),
    ("[", Kind::Other),
    ("]", Kind::Other),
    ("{", Kind::Other),
    ("}", Kind::Other),
];

/// A cursor over the tokens of a line.
#[derive(Debug, Clone)]
pub struct Tokens<'a> {
    line: &'a str,
    /// The current token.
    pub token: Token<'a>,
    /// Whether blanks are skipped.
    pub skips_blanks: bool,
}

impl<'a> Tokens<'a> {
    /// The tokens of a line from an offset on.
    pub fn new(line: &'a str, at: usize) -> Self {
        let mut tokens = Self { line, token: Token { kind: Kind::Other, text: "", at }, skips_blanks: true };
        tokens.next();
        tokens
    }

    /// The line.
    pub fn line(&self) -> &'a str {
        self.line
    }

    /// The offset after the current token.
    pub fn end(&self) -> usize {
        self.token.at + self.token.text.len()
    }

    /// Goes on to the next token that is not a comment.
    pub fn next(&mut self) {
        self.next_with_comments();
        while self.token.kind == Kind::Comment {
            self.next_with_comments();
        }
    }

    /// Goes on to the next token.
    pub fn next_with_comments(&mut self) {
        self.token = self.peek();
    }

    /// Goes on to the token at this offset.
    pub fn go_on(&mut self, at: usize) {
        self.token = Token { kind: Kind::Other, text: "", at };
        self.next();
    }

    /// Goes past the current token if it is of this kind.
    pub fn eat(&mut self, kind: Kind) -> bool {
        let found = self.token.kind == kind;
        if found {
            self.next();
        }
        found
    }

    /// Goes on to the end of the line: the text up to there.
    pub fn rest(&mut self) -> &'a str {
        let start = self.token.at;
        while self.token.kind != Kind::End {
            self.next_with_comments();
        }
        self.line.get(start..self.token.at).unwrap_or_default()
    }

    /// Goes on to the next comma or the end of the line: the text up to there.
    pub fn field(&mut self) -> &'a str {
        let start = self.token.at;
        while !matches!(self.token.kind, Kind::End | Kind::Comma) {
            self.next_with_comments();
        }
        self.line.get(start..self.token.at).unwrap_or_default()
    }

    /// The token after the current one.
    pub fn peek(&self) -> Token<'a> {
        let mut at = self.end();
        let rest = self.line.get(at..).unwrap_or_default();
        let blanks = rest.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if blanks > 0 && !self.skips_blanks {
            return Token { kind: Kind::Space, text: &rest[..blanks], at };
        }
        at += blanks;
        let rest = &rest[blanks..];
        let (kind, length) = token(rest);
        match rest.get(..length) {
            Some(text) => Token { kind, text, at },
            // It ends inside of a character.
            None => Token { kind: Kind::Malformed, text: rest, at },
        }
    }
}

/// The kind and length of the token that a text begins with.
fn token(text: &str) -> (Kind, usize) {
    let bytes = text.as_bytes();
    let Some(first) = bytes.first() else { return (Kind::End, 0) };
    if *first == b';' || text.starts_with("//") {
        return (Kind::End, 0);
    }
    if text.starts_with("/*") {
        return match memchr::memmem::find(bytes.get(2..).unwrap_or_default(), b"*/") {
            Some(end) => (Kind::Comment, end + 4),
            None => (Kind::Malformed, bytes.len()),
        };
    }
    match first {
        b'"' => {
            let mut at = 1;
            while let Some(byte) = bytes.get(at) {
                match byte {
                    b'"' => return (Kind::Text, at + 1),
                    b'\\' => at += 2,
                    _ => at += 1,
                }
            }
            (Kind::Malformed, bytes.len())
        }
        b'\'' => (Kind::Other, bytes.len().min(if bytes.get(1) == Some(&b'\\') { 4 } else { 3 })),
        b'0'..=b'9' => number(bytes),
        b'.' if bytes.get(1).is_some_and(u8::is_ascii_digit) => {
            let digits = 1 + digits(bytes, 1);
            match bytes.get(digits) {
                Some(b'e' | b'E') => fraction(bytes, digits),
                Some(byte) if in_name(*byte) => (Kind::Name, name(bytes)),
                _ => fraction(bytes, digits),
            }
        }
        b'.' if name(bytes) == 1 => (Kind::Operator, 1),
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'.' => (Kind::Name, name(bytes)),
        _ => match SIGNS.iter().find(|(sign, _)| text.starts_with(sign)) {
            Some((sign, kind)) => (*kind, sign.len()),
            None => (Kind::Other, text.chars().next().map_or(0, char::len_utf8)),
        },
    }
}

fn name(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| in_name(**byte) || **byte == b'@').count()
}

fn digits(bytes: &[u8], from: usize) -> usize {
    bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count()
}

/// A number, with the suffixes that LLVM ignores.
fn number(bytes: &[u8]) -> (Kind, usize) {
    let count = |from: usize, like: fn(&u8) -> bool| bytes.iter().skip(from).take_while(|byte| like(byte)).count();
    let suffix = |at: usize| {
        let at = at + usize::from(bytes.get(at) == Some(&b'U'));
        (Kind::Other, at + bytes.iter().skip(at).take(2).take_while(|byte| **byte == b'L').count())
    };
    match bytes {
        [b'0', b'x' | b'X', ..] => {
            let end = 2 + count(2, u8::is_ascii_hexdigit);
            match bytes.get(end) {
                Some(b'.' | b'p' | b'P') => {
                    let point = end + usize::from(bytes.get(end) == Some(&b'.'));
                    let power = point + count(point, u8::is_ascii_hexdigit);
                    let sign = power + 1 + usize::from(matches!(bytes.get(power + 1), Some(b'+' | b'-')));
                    let exponent = digits(bytes, sign);
                    let whole = matches!(bytes.get(power), Some(b'p' | b'P')) && exponent > 0;
                    (if whole { Kind::Other } else { Kind::Malformed }, bytes.len().min(sign + exponent))
                }
                _ if end == 2 => (Kind::Malformed, 2),
                _ => suffix(end),
            }
        }
        [b'0', b'b' | b'B', b'0'..=b'9', ..] => {
            let end = 2 + count(2, |byte| matches!(byte, b'0' | b'1'));
            if end == 2 { (Kind::Malformed, 2) } else { suffix(end) }
        }
        _ => {
            let end = digits(bytes, 0);
            match bytes.get(end) {
                Some(b'.') => fraction(bytes, end + 1 + digits(bytes, end + 1)),
                Some(b'e' | b'E') if bytes.first() != Some(&b'0') => fraction(bytes, end),
                _ => suffix(end),
            }
        }
    }
}

/// A floating-point literal whose digits end at `end`.
fn fraction(bytes: &[u8], end: usize) -> (Kind, usize) {
    match bytes.get(end) {
        Some(b'+' | b'-') => (Kind::Malformed, end),
        Some(b'e' | b'E') => {
            let sign = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits(bytes, sign);
            (if exponent > 0 { Kind::Other } else { Kind::Malformed }, sign + exponent)
        }
        _ => (Kind::Other, end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(line: &str, skips_blanks: bool) -> Vec<&str> {
        let mut tokens = Tokens::new(line, 0);
        tokens.skips_blanks = skips_blanks;
        let mut found = Vec::new();
        while tokens.token.kind != Kind::End {
            found.push(tokens.token.text);
            tokens.next_with_comments();
        }
        found
    }

    #[test]
    fn lines_are_divided_as_in_llvm() {
        for (line, tokens) in [
            ("a.b$c@d, 0x1FULL+12e", &["a.b$c@d", ",", "0x1FULL", "+", "12e"][..]),
            ("1f 1.5e-3 .5 .5x . 0b12", &["1", "f", "1.5e-3", ".5", ".5x", ".", "0b1", "2"]),
            ("a<<b<>c->d !e", &["a", "<<", "b", "<>", "c", "->", "d", "!", "e"]),
            ("\"a\\\"b\"'c''\\n'é", &["\"a\\\"b\"", "'c'", "'\\n'", "é"]),
            ("a/*b*/c ; d", &["a", "/*b*/", "c"]),
            ("0x1.8p-3 0x1p4 // d", &["0x1.8p-3", "0x1p4"]),
        ] {
            assert_eq!(all(line, true), tokens, "{line}");
        }
        assert_eq!(all("a \t/*b*/ c ", false), ["a", " \t", "/*b*/", " ", "c", " "]);
    }

    #[test]
    fn any_text_ends() {
        let mut random = isa_tests::random::numbers();
        let signs = ["\"", "'", "\\", "0x", "1", ".", "e", "é", "/*", "*/", "a", " ", "-", "p", "b"];
        for _ in 0..5000 {
            let line: String = (0..random(12)).map(|_| signs[random(signs.len())]).collect();
            let total: usize = all(&line, false).iter().map(|token| token.len()).sum();
            assert!(total <= line.len(), "{line}");
        }
    }
}
