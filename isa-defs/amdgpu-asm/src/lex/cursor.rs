//! Reading a statement: blanks, names, strings, numbers, each with its place in the file.

use std::ops::Range;

use isa::{character, integer_suffix};

use crate::diagnostic::Diagnostic;

/// A position in a statement. Methods that take a token skip the blanks before it.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a> {
    text: &'a str,
    at: usize,
    base: usize,
}

/// The bytes that names consist of.
static IN_NAME: [bool; 256] = {
    let mut all = [false; 256];
    let mut byte = 0;
    while byte < all.len() {
        let b = byte as u8;
        all[byte] = b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'?');
        byte += 1;
    }
    all
};

/// Whether names contain this byte. They begin with none of the digits, not with `?`, and with `$` only before a letter, a digit, `_`
/// or `.`.
#[inline]
pub fn in_name(byte: u8) -> bool {
    IN_NAME[usize::from(byte)]
}

/// Removes the blanks at the end of a text.
#[inline]
pub fn trim_end(text: &str) -> &str {
    text.trim_end_matches([' ', '\t'])
}

/// Whether a byte separates tokens and has no other meaning.
#[inline]
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

impl<'a> Cursor<'a> {
    /// A cursor over `text`, which begins at `base` in the file.
    pub fn new(text: &'a str, base: usize) -> Self {
        Self { text, at: 0, base }
    }

    /// The position in the source of the next token.
    pub fn place(&mut self) -> usize {
        self.rest();
        self.base + self.at
    }

    /// The position in the source after the last token taken.
    pub fn end(&self) -> usize {
        self.base + self.at
    }

    /// The rest of the statement, from the next token on.
    pub fn rest(&mut self) -> &'a str {
        while self.text.as_bytes().get(self.at).is_some_and(|byte| is_blank(*byte)) {
            self.at += 1;
        }
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The rest of the statement with the blanks before the next token.
    pub fn unread(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The first byte of the next token.
    pub fn peek(&mut self) -> Option<u8> {
        self.rest().bytes().next()
    }

    /// Whether nothing is left.
    pub fn done(&mut self) -> bool {
        self.rest().is_empty()
    }

    /// Takes `text` if the rest begins with it.
    pub fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        self.at += if found { text.len() } else { 0 };
        found
    }

    /// Takes a name without quotes and without `@`; returns an empty string if none follows.
    pub fn word(&mut self) -> &'a str {
        self.word_of(in_name)
    }

    /// Takes a name without quotes; returns an empty string if none follows.
    pub fn identifier(&mut self) -> &'a str {
        self.word_of(|byte| in_name(byte) || byte == b'@')
    }

    fn word_of(&mut self, contains: fn(u8) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.bytes().position(|b| !contains(b)).unwrap_or(rest.len());
        let word = rest.get(..end).unwrap_or_default();
        let is_name = match word.as_bytes() {
            [b'$' | b'@', next, ..] => !matches!(next, b'$' | b'?' | b'@'),
            [b'0'..=b'9' | b'?' | b'$' | b'@', ..] => false,
            _ => true,
        };
        if !is_name {
            return "";
        }
        self.at += word.len();
        word
    }

    /// Takes the name of a symbol, which may be quoted; returns it and its position. In quotes, `\"` is a quote and `\\` a
    /// backslash; LLVM keeps every other backslash.
    pub fn name(&mut self) -> Result<(String, Range<usize>), Diagnostic> {
        let is_quoted = self.peek() == Some(b'"');
        match self.name_or_dot()? {
            (name, span) if name == "." && !is_quoted => Err(Diagnostic::new(span, "expected a name")),
            found => Ok(found),
        }
    }

    /// Takes the name of a symbol like [`name`](Self::name), or `.`, the current address.
    pub fn name_or_dot(&mut self) -> Result<(String, Range<usize>), Diagnostic> {
        self.unescaped(Self::identifier)
    }

    /// Takes the name of a symbol in an expression, where `@` ends it and begins a specifier, or `.`, the current address.
    pub fn symbol_or_dot(&mut self) -> Result<(String, Range<usize>), Diagnostic> {
        self.unescaped(Self::word)
    }

    fn unescaped(&mut self, bare: fn(&mut Self) -> &'a str) -> Result<(String, Range<usize>), Diagnostic> {
        let is_quoted = self.peek() == Some(b'"');
        let (raw, span) = self.raw(bare)?;
        if !is_quoted || !raw.contains('\\') {
            return Ok((raw.to_string(), span));
        }
        let mut name = String::with_capacity(raw.len());
        let mut rest = raw.chars().peekable();
        while let Some(c) = rest.next() {
            let escaped = if c == '\\' { rest.next_if(|next| matches!(next, '"' | '\\')) } else { None };
            name.push(escaped.unwrap_or(c));
        }
        Ok((name, span))
    }

    /// Takes a name, which may be quoted, without replacing escape sequences: that of a section, for example. Returns it and its
    /// position.
    pub fn raw_name(&mut self) -> Result<(&'a str, Range<usize>), Diagnostic> {
        self.raw(Self::identifier)
    }

    fn raw(&mut self, bare: fn(&mut Self) -> &'a str) -> Result<(&'a str, Range<usize>), Diagnostic> {
        let start = self.place();
        let name = if self.peek() == Some(b'"') { self.quoted()? } else { bare(self) };
        if name.is_empty() && self.place() == start {
            return Err(self.expected("a name"));
        }
        Ok((name, start..self.end()))
    }

    /// Takes a string in quotes and returns the text between them.
    fn quoted(&mut self) -> Result<&'a str, Diagnostic> {
        let start = self.place();
        if !self.eat("\"") {
            return Err(self.expected("a string in quotes"));
        }
        let rest = self.unread();
        let mut bytes = rest.bytes().enumerate();
        while let Some((at, byte)) = bytes.next() {
            match byte {
                b'"' => {
                    self.at += at + 1;
                    return Ok(rest.get(..at).unwrap_or_default());
                }
                b'\\' => drop(bytes.next()),
                _ => {}
            }
        }
        Err(no_end(start))
    }

    /// Takes the text up to the next comma or the end, and returns it without the blanks around it.
    pub fn field(&mut self) -> &'a str {
        let rest = self.rest();
        let field = rest.get(..rest.find(',').unwrap_or(rest.len())).unwrap_or_default();
        self.at += field.len();
        field.trim_end()
    }

    /// Takes a string in quotes. The escape sequences are those of C, except that `\x` has any number of digits.
    pub fn string(&mut self) -> Result<Vec<u8>, Diagnostic> {
        let start = self.place();
        if !self.eat("\"") {
            return Err(self.expected("a string in quotes"));
        }
        let mut out = Vec::new();
        let mut bytes = self.text.bytes().enumerate().skip(self.at).peekable();
        while let Some((at, byte)) = bytes.next() {
            match byte {
                b'"' => {
                    self.at = at + 1;
                    return Ok(out);
                }
                b'\\' => {
                    let escape = bytes.next().map_or(0, |(_, b)| b);
                    let mut digits = |radix: u32, most: usize, first: u32| {
                        let mut value = first;
                        let mut count = 0;
                        while count < most {
                            let digit = bytes.peek().and_then(|(_, b)| char::from(*b).to_digit(radix));
                            let Some(digit) = digit else { break };
                            value = value.wrapping_mul(radix).wrapping_add(digit);
                            bytes.next();
                            count += 1;
                        }
                        (value, count)
                    };
                    let byte = match escape {
                        b'n' => Some(b'\n'),
                        b't' => Some(b'\t'),
                        b'r' => Some(b'\r'),
                        b'b' => Some(8),
                        b'f' => Some(12),
                        b'"' | b'\\' => Some(escape),
                        b'x' | b'X' => Some(digits(16, usize::MAX, 0)).filter(|(_, n)| *n > 0).map(|(v, _)| v as u8),
                        b'0'..=b'7' => u8::try_from(digits(8, 2, u32::from(escape - b'0')).0).ok(),
                        _ => None,
                    };
                    let place = self.base + at;
                    out.push(byte.ok_or_else(|| {
                        let error = Diagnostic::new(place..place + 2, "unknown escape sequence in a string");
                        error.help(Some(
                            "there are \\n \\t \\r \\b \\f \\\" \\\\, \\x with hex digits and \\0 to \\377".into(),
                        ))
                    })?);
                }
                // As in LLVM, a line end of two bytes is the first one.
                b'\n' if self.text.as_bytes().get(at.wrapping_sub(1)) == Some(&b'\r') => {}
                _ => out.push(byte),
            }
        }
        Err(no_end(start))
    }

    /// Takes a numbered label and its colon; returns the number and its position.
    pub fn numbered_label(&mut self) -> Option<(u64, Range<usize>)> {
        if !self.peek()?.is_ascii_digit() {
            return None;
        }
        let mut ahead = *self;
        let start = ahead.place();
        let number = ahead.number()?.ok()?.cast_unsigned();
        let span = start..ahead.end();
        if !ahead.eat(":") {
            return None;
        }
        *self = ahead;
        Some((number, span))
    }

    /// Takes `1b` or `1f`, the nearest label 1 before or after this; returns the number, and whether the label comes after.
    pub fn numbered(&mut self) -> Option<(u64, bool)> {
        let rest = self.rest();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = rest.get(..digits)?;
        // As in other numbers, a leading 0 tells an octal one.
        let radix = if number.len() > 1 && number.starts_with('0') { 8 } else { 10 };
        let number = u64::from_str_radix(number, radix).ok()?;
        let (direction, behind) = (rest.as_bytes().get(digits)?, rest.as_bytes().get(digits + 1));
        if !matches!(direction, b'b' | b'f') || behind.is_some_and(|byte| in_name(*byte)) {
            return None;
        }
        self.at += digits + 1;
        Some((number, *direction == b'f'))
    }

    /// Takes a number of 64 bits without a sign: decimal, `0x…`, `0b…`, octal after a leading 0, or a character in quotes.
    /// `None` if something else follows.
    pub fn number(&mut self) -> Option<Result<i64, Diagnostic>> {
        let start = self.place();
        let number = self.large_number()?;
        let span = start..self.end();
        Some(number.and_then(|number| {
            let number = u64::try_from(number).map_err(|_| Diagnostic::new(span, "the number has more than 64 bits"));
            number.map(|number| number as i64)
        }))
    }

    /// Takes a number of 128 bits, like [`number`](Self::number). The suffixes of C have no effect.
    pub fn large_number(&mut self) -> Option<Result<u128, Diagnostic>> {
        let start = self.place();
        let rest = self.rest();
        if rest.starts_with('\'') {
            return Some(self.character().map(u128::from));
        }
        let bytes = rest.as_bytes();
        let (radix, begin) = match bytes {
            [b'0', b'x' | b'X', ..] => (16, 2),
            [b'0', b'b' | b'B', ..] => (2, 2),
            [b'0', b'0'..=b'9', ..] => (8, 1),
            [b'0'..=b'9', ..] => (10, 0),
            _ => return None,
        };
        // The digits that the lexer takes, even if the radix lacks them: `09` is one wrong number.
        let lexed = if radix == 8 { 10 } else { radix };
        let end = begin + bytes.iter().skip(begin).take_while(|b| char::from(**b).is_digit(lexed)).count();
        let after = end + integer_suffix(bytes.get(end..).unwrap_or_default());
        self.at += after;
        let span = start..self.end();
        let digits = rest.get(begin..end).unwrap_or_default();
        // A name character directly after the digits makes them part of a float or a name.
        let joined = bytes.get(after).is_some_and(|byte| in_name(*byte));
        let value = u128::from_str_radix(digits, radix);
        Some(match value {
            Ok(value) if !joined => Ok(value),
            _ if digits.chars().all(|c| c.is_digit(radix)) && !digits.is_empty() && !joined => {
                Err(Diagnostic::new(span, "the number has more than 128 bits"))
            }
            _ => Err(Diagnostic::new(
                span,
                format!("`{}` is not a number", rest.get(..after.max(1)).unwrap_or_default()),
            )),
        })
    }

    /// Takes a character in quotes.
    fn character(&mut self) -> Result<u8, Diagnostic> {
        let start = self.place();
        let Some((value, length)) = character(self.rest().as_bytes()) else {
            return Err(Diagnostic::new(start..start + 1, "expected one ASCII character in single quotes"));
        };
        self.at += length;
        Ok(value)
    }

    /// The error that `what` was expected in place of the next token.
    pub fn expected(&mut self, what: &str) -> Diagnostic {
        let start = self.place();
        let rest = self.rest();
        let word = rest.bytes().take_while(|b| in_name(*b)).count();
        let length = word.max(rest.chars().next().map_or(0, char::len_utf8));
        Diagnostic::new(start..start + length, format!("expected {what}"))
    }

    /// Returns an error if anything is left of the statement.
    pub fn finish(&mut self) -> Result<(), Diagnostic> {
        if self.done() { Ok(()) } else { Err(self.expected("the end of the line")) }
    }
}

/// The error of a string that begins at `start`.
fn no_end(start: usize) -> Diagnostic {
    Diagnostic::new(start..start + 1, "the string has no end on this line")
}

/// The byte after the name that comes next, past any blanks; `None` where nothing is left or no name comes.
pub fn behind_name(input: Cursor<'_>) -> Option<u8> {
    let mut input = input;
    if input.identifier().is_empty() {
        if input.peek() != Some(b'"') {
            return None;
        }
        input.quoted().ok()?;
    }
    input.peek()
}

/// Takes a label and its colon.
pub fn label(input: &mut Cursor<'_>) -> Option<(String, Range<usize>)> {
    let mut ahead = *input;
    let (name, span) = ahead.name().ok()?;
    let colon = ahead.rest().starts_with(':') && !ahead.rest().starts_with("::") && name != ".";
    if !colon {
        return None;
    }
    ahead.eat(":");
    *input = ahead;
    Some((name, span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_have_escapes() {
        let read = |text| Cursor::new(text, 0).string();
        assert_eq!(read(r#""a\n\101\x41\\\"" b"#), Ok(b"a\nAA\\\"".to_vec()));
        assert_eq!(read(r#" "a"#).map_err(|e| e.span), Err(1..2));
        assert!(read(r#""\q""#).is_err() && read("\"a\\").is_err() && read("a").is_err());
    }

    #[test]
    fn names_have_two_escapes() {
        let read = |text| Cursor::new(text, 0).name().map(|(name, _)| name);
        for (text, name) in [
            ("a.b c", "a.b"),
            (r#""a b" c"#, "a b"),
            (r#""a\"\\b""#, r#"a"\b"#),
            (r#""\n\101""#, r"\n\101"),
            ("\"\"", ""),
        ] {
            assert_eq!(read(text).as_deref(), Ok(name), "{text}");
        }
        assert_eq!(Cursor::new(r#""a\"b" c"#, 5).raw_name(), Ok((r#"a\"b"#, 5..11)));
        assert!(read("1a").is_err() && read(r#""a\""#).is_err() && read("").is_err());
    }

    #[test]
    fn numbers_of_every_base() {
        let read = |text| Cursor::new(text, 0).number().and_then(Result::ok);
        for (text, value) in [("0", 0), ("12", 12), ("0x1F", 31), ("0b11", 3), ("017", 15), ("'a'", 97), ("'\\n'", 10)]
        {
            assert_eq!(read(text), Some(value), "{text}");
        }
        assert_eq!(read("0xffffffffffffffff"), Some(-1));
        for text in ["08", "0x", "1.5", "'ab'", "99999999999999999999", "x", "'"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
