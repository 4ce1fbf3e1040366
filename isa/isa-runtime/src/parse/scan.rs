//! The scanner of lines of assembly: blanks, words, numbers.

use super::hex_float::hex_float;

/// The bytes that words consist of.
static IN_WORD: [bool; 256] = {
    let mut all = [false; 256];
    let mut byte = 0;
    while byte < all.len() {
        all[byte] = is_in_word(byte as u8);
        byte += 1;
    }
    all
};

/// Returns whether words contain this byte. A relocation specifier belongs to the word: `v4@rel32@lo` names a symbol and no
/// register.
pub(crate) const fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'@')
}

/// A position in a line of text. Every method that consumes text skips the blanks before it.
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

    /// Returns the position after any blanks, in bytes from the start of the text.
    #[inline]
    pub fn at(&mut self) -> usize {
        self.blanks();
        self.at
    }

    /// Moves to a position that [`at`](Self::at) returned.
    #[inline]
    pub const fn go(&mut self, at: usize) {
        self.at = at;
    }

    /// The whole text.
    #[must_use]
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the rest of the text after any blanks.
    #[inline]
    pub fn rest(&mut self) -> &'a str {
        self.blanks();
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Returns the rest of the text after any blanks, as bytes.
    #[inline]
    pub fn bytes(&mut self) -> &'a [u8] {
        self.blanks();
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    #[inline]
    fn blanks(&mut self) {
        while let Some(b' ' | b'\t') = self.text.as_bytes().get(self.at) {
            self.at += 1;
        }
    }

    /// Whether nothing is left but blanks.
    #[inline]
    pub fn done(&mut self) -> bool {
        self.bytes().is_empty()
    }

    /// The next byte.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        self.bytes().first().copied()
    }

    /// Takes this text if it comes next.
    #[inline]
    pub fn eat(&mut self, text: &str) -> bool {
        let rest = self.bytes();
        // In most cases the first byte differs.
        let found = text.is_empty() || rest.first() == text.as_bytes().first() && rest.starts_with(text.as_bytes());
        if found {
            self.at += text.len();
        }
        found
    }

    /// Takes this byte if it comes next.
    #[inline]
    pub fn eat_byte(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// The word that comes next (letters, digits, `_`, `.`, `$` and `@`, not beginning with a digit), without taking it.
    #[inline]
    pub fn peek_word(&mut self) -> &'a str {
        let rest = self.bytes();
        if rest.first().is_none_or(u8::is_ascii_digit) {
            return "";
        }
        let mut end = 0;
        while let Some(byte) = rest.get(end)
            && IN_WORD[usize::from(*byte)]
        {
            end += 1;
        }
        self.text.get(self.at..self.at + end).unwrap_or_default()
    }

    /// Takes the next word; empty if something else comes next.
    #[inline]
    pub fn word(&mut self) -> &'a str {
        let word = self.peek_word();
        self.at += word.len();
        word
    }

    /// Takes a word that [`peek_word`](Self::peek_word) has just given.
    #[inline]
    pub const fn take(&mut self, word: &str) {
        self.at += word.len();
    }

    /// Takes this word if it is the whole of the next word.
    #[inline]
    pub fn eat_word(&mut self, word: &str) -> bool {
        let rest = self.bytes();
        // In most cases the first byte differs.
        let found = (word.is_empty() || rest.first() == word.as_bytes().first()) && self.peek_word() == word;
        if found {
            self.at += word.len();
        }
        found
    }

    /// Takes `key:` if it comes next, with blanks before the colon.
    pub fn eat_key(&mut self, key: &str) -> bool {
        let before = *self;
        let taken = self.eat_word(key) && self.eat(":");
        if !taken {
            *self = before;
        }
        taken
    }

    /// Takes an integer without a sign: decimal, `0x…`, `0b…`, `0o…` or, as C has it, octal after a leading 0, with a suffix of C
    /// such as `UL`; or a character in single quotes. `None`, and nothing taken, if none comes next, if it does not fit 64 bits, or
    /// if a letter or a point is stuck to it.
    pub fn integer(&mut self) -> Option<u64> {
        let rest = self.bytes();
        let (radix, begin) = radix(rest);
        let mut value = 0u64;
        let mut end = begin;
        while let Some(byte) = rest.get(end).filter(|b| b.is_ascii_alphanumeric()) {
            let Some(digit) = char::from(*byte).to_digit(radix) else { break };
            value = value.checked_mul(radix.into())?.checked_add(digit.into())?;
            end += 1;
        }
        if end == begin {
            let (value, length) = character(rest)?;
            self.at += length;
            return Some(value.into());
        }
        match rest.get(end) {
            Some(b'.') => return None,
            Some(byte) if byte.is_ascii_alphanumeric() => {
                end += integer_suffix(rest.get(end..)?);
                if rest.get(end).is_some_and(|byte| IN_WORD[usize::from(*byte)]) {
                    return None;
                }
            }
            _ => {}
        }
        self.at += end;
        Some(value)
    }

    /// Returns whether an integer with more than 64 bits comes next, with or without signs. Takes nothing but blanks.
    #[cold]
    pub(crate) fn is_wide_integer(&mut self) -> bool {
        let number = self.rest().trim_start_matches(['-', '+', ' ', '\t']).as_bytes();
        let (radix, begin) = radix(number);
        let digits = number.get(begin..).unwrap_or_default().iter().take_while(|b| b.is_ascii_alphanumeric());
        let mut value = Some(0u64);
        for byte in digits {
            let Some(digit) = char::from(*byte).to_digit(radix) else { return false };
            value = value.and_then(|value| value.checked_mul(radix.into())?.checked_add(digit.into()));
        }
        value.is_none()
    }

    /// Takes an integer, with `-`s and `+`s before it.
    pub fn signed(&mut self) -> Option<i64> {
        let start = self.at();
        let mut negative = false;
        while let Some(sign @ (b'-' | b'+')) = self.peek() {
            negative ^= sign == b'-';
            self.at += 1;
        }
        // A number above i64's range is a bit pattern.
        let signed = |n: u64| if negative { 0i64.checked_sub_unsigned(n) } else { Some(n as i64) };
        let value = self.integer().and_then(signed);
        if value.is_none() {
            self.at = start;
        }
        value
    }

    /// Takes a floating-point number without a sign: a decimal one has a point or an exponent, a hexadecimal one an exponent. `None`, and
    /// nothing taken, if none comes next.
    pub fn float(&mut self) -> Option<f64> {
        let rest = self.bytes();
        match rest {
            [b'0', b'x' | b'X', ..] => return self.hex_float(),
            // An octal number, which has no exponent.
            [b'0', b'0'..=b'9' | b'e' | b'E', ..] => return None,
            _ => {}
        }
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

    /// Takes a hexadecimal floating-point number, which has an exponent.
    fn hex_float(&mut self) -> Option<f64> {
        let rest = self.bytes();
        let digits = |from: usize, like: fn(&u8) -> bool| {
            rest.get(from..).map_or(0, |rest| rest.iter().take_while(|byte| like(byte)).count())
        };
        let mut power = 2 + digits(2, u8::is_ascii_hexdigit);
        if rest.get(power) == Some(&b'.') {
            power += 1 + digits(power + 1, u8::is_ascii_hexdigit);
        }
        if !matches!(rest.get(power), Some(b'p' | b'P')) {
            return None;
        }
        let sign = usize::from(matches!(rest.get(power + 1), Some(b'-' | b'+')));
        let end = power + 1 + sign + digits(power + 1 + sign, u8::is_ascii_digit);
        if rest.get(end).is_some_and(|byte| is_in_word(*byte)) {
            return None;
        }
        let bits = hex_float(self.rest().get(2..end)?, f64::MANTISSA_DIGITS - 1, 11)?;
        self.at += end;
        Some(f64::from_bits(bits))
    }
}

/// Returns the length of the suffix of C at the start of a text that follows the digits of an integer. It has no meaning: `U`, `L`,
/// `LL`, `UL` or `ULL`, with small letters too.
#[must_use]
pub fn integer_suffix(text: &[u8]) -> usize {
    let is = |at: usize, letter: u8| text.get(at).is_some_and(|byte| byte.eq_ignore_ascii_case(&letter));
    let unsigned = usize::from(is(0, b'u'));
    unsigned + (unsigned..unsigned + 2).take_while(|at| is(*at, b'l')).count()
}

/// Returns the ASCII character in single quotes at the start of a text, and the length with its quotes. After a backslash, `b`, `f`,
/// `n`, `r` and `t` are control characters and any other one is itself.
#[must_use]
pub const fn character(text: &[u8]) -> Option<(u8, usize)> {
    Some(match text {
        [b'\'', b'\\', escape, b'\'', ..] => {
            let value = match escape {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'b' => 8,
                b'f' => 12,
                _ => *escape,
            };
            (value, 4)
        }
        [b'\'', byte, b'\'', ..] if *byte != b'\\' => (*byte, 3),
        _ => return None,
    })
}

/// Returns the radix of the integer at the start of a text, and the length of its prefix.
#[inline(always)]
const fn radix(text: &[u8]) -> (u32, usize) {
    match text {
        [b'0', b'x' | b'X', ..] => (16, 2),
        [b'0', b'b' | b'B', ..] => (2, 2),
        [b'0', b'o' | b'O', ..] => (8, 2),
        [b'0', digit, ..] if digit.is_ascii_digit() => (8, 1),
        _ => (10, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_form_are_read() {
        for (text, value) in [
            ("10", 10),
            ("0x1F", 31),
            ("0b101", 5),
            ("010", 8),
            ("-3", -3),
            ("- 3", -3),
            ("--3", 3),
            ("0", 0),
            ("10U", 10),
            ("10l", 10),
            ("0x10uL", 16),
            ("0b11ULL", 3),
            ("017ll", 15),
            ("0u", 0),
            ("-1UL", -1),
            ("'a'", 97),
            ("-'a'", -97),
            ("'\\n'", 10),
            ("'\\''", 39),
            ("'\''", 39),
            ("';'", 59),
        ] {
            let mut s = Scanner::new(text);
            assert_eq!((s.signed(), s.done()), (Some(value), true), "{text}");
        }
        for text in [
            "",
            "x",
            "1x",
            "0x",
            "0xg",
            "09",
            "1.5",
            "0b2",
            "99999999999999999999",
            "10LU",
            "10UU",
            "10LLL",
            "10Ux",
            "08U",
            "10U_",
            "10U.",
            "0xU",
            "'",
            "'ab'",
            "'\\x41'",
            "'é'",
        ] {
            let mut s = Scanner::new(text);
            assert_eq!((s.signed(), s.at()), (None, 0), "{text}");
        }
        assert_eq!(Scanner::new("0xffffffffffffffff").signed(), Some(-1));
        assert_eq!(Scanner::new("-0x8000000000000000").signed(), Some(i64::MIN));
        assert_eq!(Scanner::new("-0x8000000000000001").signed(), None);
        for (text, value) in [
            ("1.5", 1.5),
            (".5", 0.5),
            ("1e3", 1000.0),
            ("1.0e-2", 0.01),
            ("4.", 4.0),
            ("0x1.8p-1", 0.75),
            ("0X.8P+1,", 1.0),
            ("0x1p3 ", 8.0),
        ] {
            assert_eq!(Scanner::new(text).float(), Some(value), "{text}");
        }
        for text in
            ["1", "x", "1.5x", "e3", ".", "0e1", "01.5", "0x1", "0x1.8", "0x1p", "0x.p1", "0x1p1x", "0x1p1.5", "0x"]
        {
            assert_eq!(Scanner::new(text).float(), None, "{text}");
        }
    }

    #[test]
    fn integers_of_more_than_64_bits_are_wide() {
        for text in ["0x10000000000000000", "-18446744073709551616", "99999999999999999999 ", "02000000000000000000000"]
        {
            assert!(Scanner::new(text).is_wide_integer(), "{text}");
        }
        for text in ["", "0xffffffffffffffff", "18446744073709551615", "v99999999999999999999", "9999999999999999999g"]
        {
            assert!(!Scanner::new(text).is_wide_integer(), "{text}");
        }
    }

    #[test]
    fn words_end_where_letters_do() {
        let mut s = Scanner::new("  v_add_f32\tv0.l, 1x");
        assert_eq!(s.word(), "v_add_f32");
        assert_eq!(s.word(), "v0.l");
        assert!(s.eat(",") && s.word().is_empty() && !s.eat_word("1x"));
        assert!(!Scanner::new("s1@rel32").eat_word("s1"));
    }
}
