//! Numbers and texts.

use std::fmt::Display;
use std::str::FromStr;

use proc_macro2::{Literal, Span, TokenTree};

use super::{Error, Parse, ParseStream, Result};

/// An integer.
#[derive(Clone)]
pub struct LitInt {
    token: Literal,
    digits: String,
}

/// The decimal digits of an integer; `None` where the token is none.
fn digits(text: &str) -> Option<String> {
    let (radix, rest) = match text.get(..2) {
        Some("0x") => (16, &text[2..]),
        Some("0o") => (8, &text[2..]),
        Some("0b") => (2, &text[2..]),
        _ => (10, text),
    };
    if !rest.starts_with(|c: char| c.is_digit(radix) || (radix != 10 && c == '_')) {
        return None;
    }
    let plain: String = rest.chars().filter(|c| *c != '_').collect();
    if radix == 10 {
        // What follows the digits is a suffix, which no number here has.
        return plain.bytes().all(|b| b.is_ascii_digit()).then_some(plain);
    }
    Some(u128::from_str_radix(&plain, radix).ok()?.to_string())
}

/// The token here if it is an integer.
pub(super) fn int(token: &TokenTree) -> Option<LitInt> {
    let TokenTree::Literal(token) = token else { return None };
    Some(LitInt { digits: digits(&token.to_string())?, token: token.clone() })
}

impl LitInt {
    pub fn span(&self) -> Span {
        self.token.span()
    }

    pub fn base10_digits(&self) -> &str {
        &self.digits
    }

    pub fn base10_parse<N: FromStr<Err: Display>>(&self) -> Result<N> {
        self.digits.parse().map_err(|e| Error::new(self.span(), e))
    }
}

/// As it is written.
impl Display for LitInt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.token.fmt(f)
    }
}

impl Parse for LitInt {
    fn parse(input: ParseStream) -> Result<LitInt> {
        let found = input.nth(0).and_then(int).ok_or_else(|| input.error("expected integer literal"))?;
        input.next();
        Ok(found)
    }
}

/// A text.
#[derive(Clone)]
pub struct LitStr {
    span: Span,
    value: String,
}

impl LitStr {
    #[cfg(test)]
    pub fn new(value: &str, span: Span) -> LitStr {
        LitStr { span, value: value.into() }
    }

    pub fn span(&self) -> Span {
        self.span
    }

    pub fn value(&self) -> String {
        self.value.clone()
    }
}

impl Parse for LitStr {
    fn parse(input: ParseStream) -> Result<LitStr> {
        if let Some(TokenTree::Literal(token)) = input.nth(0)
            && let Some(value) = text(&token.to_string())
        {
            input.next();
            return Ok(LitStr { span: token.span(), value });
        }
        Err(input.error("expected string literal"))
    }
}

/// What a text in quotes comes to; `None` where it is something else.
fn text(written: &str) -> Option<String> {
    if let Some(raw) = written.strip_prefix('r') {
        let hashes = raw.bytes().take_while(|b| *b == b'#').count();
        let inner = raw.get(hashes..raw.len() - hashes)?;
        return inner.strip_prefix('"')?.strip_suffix('"').map(str::to_owned);
    }
    let mut rest = written.strip_prefix('"')?.strip_suffix('"')?.chars();
    let mut out = String::new();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match rest.next()? {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            '0' => out.push('\0'),
            'x' => {
                let code: String = rest.by_ref().take(2).collect();
                out.push(char::from(u8::from_str_radix(&code, 16).ok()?));
            }
            'u' => {
                let code: String = rest.by_ref().take_while(|c| *c != '}').filter(char::is_ascii_hexdigit).collect();
                out.push(char::from_u32(u32::from_str_radix(&code, 16).ok()?)?);
            }
            '\n' => rest = rest.as_str().trim_start().chars(),
            other => out.push(other),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::super::parse_str;
    use super::*;

    #[test]
    fn integers_of_all_bases() {
        let int = |text| parse_str(LitInt::parse, text).and_then(|n| n.base10_parse::<u64>());
        for (text, number) in [("7", 7), ("1_000", 1000), ("0x1F", 31), ("0xff_ff", 65535), ("0b101", 5), ("0o17", 15)]
        {
            assert_eq!(int(text).ok(), Some(number), "{text}");
        }
        assert_eq!(int("0xFFFF_FFFF_FFFF_FFFF").ok(), Some(u64::MAX));
        for text in ["1.5", "7u8", "\"7\"", "x", "1e3", "'7'"] {
            assert_eq!(int(text).err().map(|e| e.to_string()).as_deref(), Some("expected integer literal"), "{text}");
        }
        let wide = int("0x1_0000_0000_0000_0000").err().map(|e| e.to_string());
        assert_eq!(wide.as_deref(), Some("number too large to fit in target type"));
    }

    #[test]
    fn texts_with_escapes_and_raw() {
        let text = |text| parse_str(LitStr::parse, text).map(|t| t.value()).map_err(|e| e.to_string());
        for (written, value) in [
            (r#""plain""#, "plain"),
            (r#""a\"b\\c\n\t\x41\u{e9}""#, "a\"b\\c\n\tA\u{e9}"),
            (r###"r#"a"b\"#"###, "a\"b\\"),
            (r#"r"x""#, "x"),
            ("\"one \\\n     two\"", "one two"),
            (r#""""#, ""),
        ] {
            assert_eq!(text(written).as_deref(), Ok(value), "{written}");
        }
        for other in ["7", "b\"x\"", "'x'", "x"] {
            assert_eq!(text(other), Err("expected string literal".into()), "{other}");
        }
    }
}
