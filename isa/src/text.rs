//! A line of assembly in a fixed buffer: writing is a copy of bytes, never an allocation.

use core::fmt;

/// The longest line kept, in bytes; the longest real instruction takes about 190.
const CAPACITY: usize = 320;

/// A short text under construction. What does not fit is dropped, never a panic.
#[derive(Clone)]
pub struct Text {
    len: usize,
    bytes: [u8; CAPACITY],
}

impl Default for Text {
    fn default() -> Self {
        Self::new()
    }
}

impl Text {
    /// An empty text.
    #[must_use]
    pub const fn new() -> Self {
        Text { len: 0, bytes: [0; CAPACITY] }
    }

    /// Empties the text, to use the buffer again.
    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// The text so far.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // Only whole strings and ASCII bytes are pushed, so this cannot fail short of a cut at the end.
        core::str::from_utf8(self.bytes.get(..self.len).unwrap_or_default()).unwrap_or_default()
    }

    /// How many bytes it holds.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing has been written.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends a string, or nothing if it does not fit as a whole.
    #[inline]
    pub fn push(&mut self, s: &str) {
        let end = self.len + s.len();
        if let Some(to) = self.bytes.get_mut(self.len..end) {
            to.copy_from_slice(s.as_bytes());
            self.len = end;
        }
    }

    /// Appends one ASCII character; another byte is dropped.
    #[inline]
    pub fn push_ascii(&mut self, byte: u8) {
        if byte.is_ascii()
            && let Some(to) = self.bytes.get_mut(self.len)
        {
            *to = byte;
            self.len += 1;
        }
    }

    /// Takes blanks off the end.
    #[inline]
    pub fn trim_end(&mut self) {
        while self.len > 0 && self.bytes.get(self.len - 1) == Some(&b' ') {
            self.len -= 1;
        }
    }

    /// Appends a number in decimal.
    #[inline]
    pub fn dec(&mut self, n: u32) {
        if n < 10 {
            return self.push_ascii(b'0' + n as u8);
        }
        let mut digits = [0; 10];
        let mut at = digits.len();
        let mut rest = n;
        while rest > 0 && at > 0 {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        for &d in &digits[at..] {
            self.push_ascii(d);
        }
    }

    /// Appends a signed number in decimal.
    #[inline]
    pub fn signed(&mut self, n: i32) {
        if n < 0 {
            self.push_ascii(b'-');
        }
        self.dec(n.unsigned_abs());
    }

    /// Appends a number in hexadecimal with `0x`, lower case, no leading zeros.
    #[inline]
    pub fn hex(&mut self, n: u32) {
        self.push("0x");
        let digits = (32 - n.leading_zeros()).div_ceil(4).max(1);
        for i in (0..digits).rev() {
            self.push_ascii(b"0123456789abcdef"[(n >> (4 * i) & 15) as usize]);
        }
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        self.push(s);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_written() {
        let mut t = Text::new();
        for n in [0, 9, 10, 4_294_967_295] {
            t.dec(n);
            t.push_ascii(b' ');
            t.hex(n);
            t.push_ascii(b' ');
        }
        t.signed(i32::MIN);
        assert_eq!(t.as_str(), "0 0x0 9 0x9 10 0xa 4294967295 0xffffffff -2147483648");
    }

    #[test]
    fn a_full_buffer_drops_what_does_not_fit() {
        let mut t = Text::new();
        for _ in 0..CAPACITY {
            t.push("abc");
        }
        assert_eq!(t.len(), CAPACITY / 3 * 3);
        t.push_ascii(b'x');
        t.push_ascii(b'x');
        t.push_ascii(b'x');
        assert_eq!(t.len(), CAPACITY);
    }
}
