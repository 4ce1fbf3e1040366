//! Reading a line of assembly: blanks, words, numbers.

/// Which bytes a word has.
static IN_WORD: [bool; 256] = {
    let mut all = [false; 256];
    let mut byte = 0;
    while byte < all.len() {
        let b = byte as u8;
        all[byte] = b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$');
        byte += 1;
    }
    all
};

/// A place in a line of text. Every method that takes something skips the blanks before it.
#[derive(Clone, Copy, Debug)]
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    /// A scanner at the beginning of `text`.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Scanner { text, at: 0 }
    }

    /// Where it stands, in bytes from the beginning of the text, past any blanks.
    pub fn at(&mut self) -> usize {
        self.blanks();
        self.at
    }

    /// Goes back (or forward) to a place that [`at`](Self::at) gave.
    pub const fn go(&mut self, at: usize) {
        self.at = at;
    }

    /// The whole text.
    #[must_use]
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// What is left, past any blanks.
    pub fn rest(&mut self) -> &'a str {
        self.blanks();
        self.text.get(self.at..).unwrap_or_default()
    }

    #[inline]
    fn blanks(&mut self) {
        while let Some(b' ' | b'\t') = self.text.as_bytes().get(self.at) {
            self.at += 1;
        }
    }

    /// Whether nothing is left but blanks.
    pub fn done(&mut self) -> bool {
        self.rest().is_empty()
    }

    /// The next byte.
    pub fn peek(&mut self) -> Option<u8> {
        self.rest().bytes().next()
    }

    /// Takes this text if it comes next.
    #[inline]
    pub fn eat(&mut self, text: &str) -> bool {
        self.blanks();
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        // Mostly it does not, and then the first byte says so.
        let found = text.is_empty() || rest.first() == text.as_bytes().first() && rest.starts_with(text.as_bytes());
        if found {
            self.at += text.len();
        }
        found
    }

    /// The word that comes next (letters, digits, `_`, `.` and `$`, not beginning with a digit), without taking it.
    pub fn peek_word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.bytes().take_while(|b| IN_WORD[usize::from(*b)]).count();
        if rest.bytes().next().is_none_or(|b| b.is_ascii_digit()) { "" } else { rest.get(..end).unwrap_or_default() }
    }

    /// Takes the next word; empty if something else comes next.
    pub fn word(&mut self) -> &'a str {
        let word = self.peek_word();
        self.at += word.len();
        word
    }

    /// Takes this word if it is the whole of the next word.
    #[inline]
    pub fn eat_word(&mut self, word: &str) -> bool {
        self.blanks();
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        // Mostly it is not, and then the first byte says so.
        let found = (word.is_empty() || rest.first() == word.as_bytes().first()) && self.peek_word() == word;
        if found {
            self.at += word.len();
        }
        found
    }

    /// Takes an integer without a sign: decimal, `0x…`, `0b…`, `0o…` or, as C has it, octal after a leading 0.
    /// `None`, and nothing taken, if none comes next, if it does not fit 64 bits, or if a letter or a point is stuck
    /// to it.
    pub fn integer(&mut self) -> Option<u64> {
        let rest = self.rest();
        let end = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let digits = rest.get(..end)?;
        if rest.as_bytes().get(end) == Some(&b'.') {
            return None;
        }
        let lower = |prefix: &str| digits.get(..2).is_some_and(|p| p.eq_ignore_ascii_case(prefix));
        let (radix, body) = if lower("0x") {
            (16, digits.get(2..)?)
        } else if lower("0b") {
            (2, digits.get(2..)?)
        } else if lower("0o") {
            (8, digits.get(2..)?)
        } else if digits.len() > 1 && digits.starts_with('0') {
            (8, digits.get(1..)?)
        } else {
            (10, digits)
        };
        // `from_str_radix` would take a sign.
        if !body.bytes().next()?.is_ascii_alphanumeric() {
            return None;
        }
        let value = u64::from_str_radix(body, radix).ok()?;
        self.at += end;
        Some(value)
    }

    /// Takes an integer, with `-`s and `+`s before it.
    pub fn signed(&mut self) -> Option<i64> {
        let start = self.at();
        let mut negative = false;
        while let Some(sign @ (b'-' | b'+')) = self.peek() {
            negative ^= sign == b'-';
            self.at += 1;
        }
        let value = self.integer().and_then(|n| {
            let n = i128::from(n);
            let n = if negative { -n } else { n };
            // A number above i64's range is a bit pattern.
            i64::try_from(n).ok().or_else(|| (!negative).then_some(n as u64 as i64))
        });
        if value.is_none() {
            self.at = start;
        }
        value
    }

    /// Takes a decimal floating-point number (it has a point or an exponent), without a sign. `None`, and nothing
    /// taken, if none comes next.
    pub fn float(&mut self) -> Option<f64> {
        let rest = self.rest().as_bytes();
        let mut end = 0;
        let mut floating = false;
        while let Some(b) = rest.get(end) {
            match b {
                b'0'..=b'9' => {}
                b'.' => floating = true,
                b'e' | b'E' if end > 0 => {
                    floating = true;
                    if matches!(rest.get(end + 1), Some(b'-' | b'+')) {
                        end += 1;
                    }
                }
                _ => break,
            }
            end += 1;
        }
        let stuck = rest.get(end).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        if !floating || stuck {
            return None;
        }
        let value = self.rest().get(..end)?.parse().ok()?;
        self.at += end;
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_form_are_read() {
        for (text, value) in
            [("10", 10), ("0x1F", 31), ("0b101", 5), ("010", 8), ("-3", -3), ("- 3", -3), ("--3", 3), ("0", 0)]
        {
            let mut s = Scanner::new(text);
            assert_eq!((s.signed(), s.done()), (Some(value), true), "{text}");
        }
        for text in ["", "x", "1x", "0x", "0xg", "09", "1.5", "0b2", "99999999999999999999"] {
            let mut s = Scanner::new(text);
            assert_eq!((s.signed(), s.at()), (None, 0), "{text}");
        }
        assert_eq!(Scanner::new("0xffffffffffffffff").signed(), Some(-1));
        for (text, value) in [("1.5", 1.5), (".5", 0.5), ("1e3", 1000.0), ("1.0e-2", 0.01), ("4.", 4.0)] {
            assert_eq!(Scanner::new(text).float(), Some(value), "{text}");
        }
        for text in ["1", "x", "1.5x", "e3", "."] {
            assert_eq!(Scanner::new(text).float(), None, "{text}");
        }
    }

    #[test]
    fn words_end_where_letters_do() {
        let mut s = Scanner::new("  v_add_f32\tv0.l, 1x");
        assert_eq!(s.word(), "v_add_f32");
        assert_eq!(s.word(), "v0.l");
        assert!(s.eat(",") && s.word().is_empty() && !s.eat_word("1x"));
    }
}
