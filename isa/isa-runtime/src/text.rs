//! A line of assembly in a buffer of fixed size, and precomputed texts. Writing copies bytes and never allocates.

use core::fmt;

/// The highest number of bytes of a line. The longest instruction takes about 190.
const CAPACITY: usize = 320;

/// A line of text under construction. Text that does not fit is dropped.
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

    /// Removes the text, so that the buffer can be used again.
    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// Returns the text so far.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // The buffer holds whole strings and ASCII bytes. It is invalid only if `cut` has split a character.
        core::str::from_utf8(self.bytes.get(..self.len).unwrap_or_default()).unwrap_or_default()
    }

    /// Returns the length in bytes.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the text is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the text as bytes, for writing to a file. They are ASCII unless other text was pushed.
    #[inline]
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// Appends a string, or nothing if it does not fit as a whole.
    #[inline]
    pub fn push(&mut self, s: &str) {
        let end = self.len + s.len();
        if let Some(to) = self.bytes.get_mut(self.len..end) {
            copy(to, s.as_bytes());
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

    /// Removes `count` bytes from the end.
    #[inline]
    pub const fn cut(&mut self, count: usize) {
        self.len = self.len.saturating_sub(count);
    }

    /// Removes blanks from the end.
    #[inline]
    pub fn trim_end(&mut self) {
        while self.len > 0 && self.bytes.get(self.len - 1) == Some(&b' ') {
            self.len -= 1;
        }
    }

    /// Returns the next `N` bytes of the buffer, if it has as many.
    #[inline(always)]
    fn room<const N: usize>(&mut self) -> Option<&mut [u8; N]> {
        self.bytes.get_mut(self.len..)?.first_chunk_mut()
    }

    /// Appends the first `count` of `N` bytes. The copy has `N` bytes, so that it is one or two moves.
    #[inline]
    fn push_some<const N: usize>(&mut self, bytes: &[u8; N], count: usize) {
        if let Some(to) = self.room() {
            *to = *bytes;
            self.len += count;
        } else {
            self.push_each(bytes.get(..count).unwrap_or(bytes));
        }
    }

    /// Appends bytes one by one, near the end of the buffer: those that do not fit are dropped.
    #[cold]
    #[inline(never)]
    fn push_each(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.push_ascii(*byte));
    }

    /// Appends a number in decimal.
    #[inline]
    pub fn dec(&mut self, n: u32) {
        match DIGITS.get(n as usize) {
            Some(digits) => self.push_some(digits, usize::from(digits[3])),
            None => self.long_dec(n),
        }
    }

    /// Appends a number that has more digits than the numbers of [`DIGITS`].
    fn long_dec(&mut self, n: u32) {
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

    /// Appends a number in hexadecimal, with its sign.
    pub fn signed_hex(&mut self, n: i32) {
        if n < 0 {
            self.push_ascii(b'-');
        }
        self.hex(n.unsigned_abs());
    }

    /// Appends a number in hexadecimal with `0x`, lower case, no leading zeros.
    #[inline]
    pub fn hex(&mut self, n: u32) {
        self.push("0x");
        // The digits are spread to a byte each. Then each becomes a character, `0` plus the digit, or a letter above 9.
        let mut all = u64::from(n);
        all = (all | all << 16) & 0x0000_ffff_0000_ffff;
        all = (all | all << 8) & 0x00ff_00ff_00ff_00ff;
        all = (all | all << 4) & 0x0f0f_0f0f_0f0f_0f0f;
        let letters = (all + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101;
        all += 0x3030_3030_3030_3030 + letters * u64::from(b'a' - b'0' - 10);
        let unused = ((n | 1).leading_zeros() / 4) as usize;
        self.push_some(&(all << (8 * unused)).to_be_bytes(), 8 - unused);
    }
}

/// The digits of the numbers below 1000; the last byte is the number of digits.
static DIGITS: [[u8; 4]; 1000] = {
    let mut all = [[0; 4]; 1000];
    let mut n = 0;
    while n < all.len() {
        let (a, b, c) = ((n / 100) as u8 + b'0', (n / 10 % 10) as u8 + b'0', (n % 10) as u8 + b'0');
        all[n] = match n {
            0..10 => [c, 0, 0, 1],
            10..100 => [b, c, 0, 2],
            _ => [a, b, c, 3],
        };
        n += 1;
    }
    all
};

/// Writes bytes from an index on. The caller makes sure that they fit; otherwise nothing is written.
#[inline(always)]
fn put<const N: usize, const M: usize>(room: &mut [u8; N], at: usize, bytes: [u8; M]) {
    if let Some(to) = room.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *to = bytes;
    }
}

/// Copies a string of the same length. Strings of up to 16 bytes are copied in one or two pieces instead of a call.
#[inline(always)]
fn copy(to: &mut [u8], from: &[u8]) {
    fn pieces<const N: usize>(to: &mut [u8], from: &[u8]) -> Option<()> {
        let (first, last) = (*from.first_chunk::<N>()?, *from.last_chunk::<N>()?);
        *to.first_chunk_mut()? = first;
        *to.last_chunk_mut()? = last;
        Some(())
    }
    let done = match from.len() {
        0 => Some(()),
        1 => pieces::<1>(to, from),
        2..4 => pieces::<2>(to, from),
        4..8 => pieces::<4>(to, from),
        8..=16 => pieces::<8>(to, from),
        17..=32 => pieces::<16>(to, from),
        _ => None,
    };
    if done.is_none() {
        to.copy_from_slice(from);
    }
}

/// A precomputed text of an operand: up to 15 bytes, and the length in the last byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name([u8; Name::MOST + 1]);

impl Name {
    /// The highest number of bytes.
    pub const MOST: usize = 15;
    /// The length that marks a missing text.
    const NO_TEXT: u8 = u8::MAX;

    /// No precomputed text: the operand class prints the operand.
    pub const NONE: Name = Name([Name::NO_TEXT; Name::MOST + 1]);
    /// A text of no characters.
    pub const EMPTY: Name = Name([0; Name::MOST + 1]);

    /// Returns this text followed by a string of ASCII, or [`NONE`](Self::NONE) if that does not fit.
    #[must_use]
    pub const fn with(mut self, s: &str) -> Name {
        let bytes = s.as_bytes();
        let mut i = 0;
        while i < bytes.len() {
            self = self.with_byte(bytes[i]);
            i += 1;
        }
        self
    }

    /// Returns this text followed by an ASCII character, or [`NONE`](Self::NONE) if that does not fit.
    pub(crate) const fn with_byte(mut self, byte: u8) -> Name {
        let len = self.0[Name::MOST] as usize;
        if len >= Name::MOST || byte > 0x7F {
            return Name::NONE;
        }
        self.0[len] = byte;
        self.0[Name::MOST] = len as u8 + 1;
        self
    }

    /// Returns this text followed by a number below 1000 in decimal, or [`NONE`](Self::NONE) if that does not fit.
    #[must_use]
    pub const fn with_dec(mut self, n: u32) -> Name {
        let ([first, second, third, count], len) = (DIGITS[n as usize], self.0[Name::MOST] as usize);
        let end = len + count as usize;
        if end > Name::MOST {
            return Name::NONE;
        }
        // Const evaluation of a loop takes twice as long.
        self.0[len] = first;
        if count > 1 {
            self.0[len + 1] = second;
        }
        if count > 2 {
            self.0[len + 2] = third;
        }
        self.0[Name::MOST] = end as u8;
        self
    }
}

/// A precomputed text of up to eight bytes, such as a separator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Short {
    bytes: [u8; 8],
    len: ShortLen,
}

/// The length of a [`Short`]. An enum instead of a number, so that the compiler knows the largest length and omits a mask for each
/// copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum ShortLen {
    L0,
    L1,
    L2,
    L3,
    L4,
    L5,
    L6,
    L7,
    L8,
}

impl ShortLen {
    /// All lengths in order.
    const ALL: [ShortLen; Short::MOST + 1] = {
        use ShortLen::*;
        [L0, L1, L2, L3, L4, L5, L6, L7, L8]
    };
}

impl Short {
    /// The highest number of bytes.
    pub const MOST: usize = isa_schema::MAX_PREFIX_LEN;

    /// Returns a text, which is empty if it has too many bytes.
    #[must_use]
    pub const fn new(text: &str) -> Self {
        let (mut bytes, mut len) = ([0; Short::MOST], 0);
        let from = text.as_bytes();
        while from.len() <= Short::MOST && len < from.len() {
            bytes[len] = from[len];
            len += 1;
        }
        Short { bytes, len: ShortLen::ALL[len] }
    }
}

/// A precomputed text such as a mnemonic: up to 39 bytes, and the length in the last byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label([u8; Label::MOST + 1]);

impl Label {
    /// The highest number of bytes.
    pub const MOST: usize = isa_schema::MAX_MNEMONIC_LEN;

    /// No text.
    pub const NONE: Label = Label([0; Label::MOST + 1]);

    /// Returns a text of ASCII characters, with the length in the last byte.
    pub(crate) const fn new(bytes: [u8; Label::MOST + 1]) -> Self {
        assert!(bytes[Label::MOST] as usize <= Label::MOST);
        Label(bytes)
    }

    /// Returns this text followed by a string of ASCII, or [`NONE`](Self::NONE) if that does not fit.
    #[must_use]
    pub const fn with(mut self, s: &str) -> Label {
        let (len, bytes) = (self.0[Label::MOST] as usize, s.as_bytes());
        if len + bytes.len() > Label::MOST {
            return Label::NONE;
        }
        let mut i = 0;
        while i < bytes.len() {
            if bytes[i] > 0x7F {
                return Label::NONE;
            }
            self.0[len + i] = bytes[i];
            i += 1;
        }
        self.0[Label::MOST] = (len + i) as u8;
        self
    }

    /// Returns this text followed by a number below 1000 in decimal, or [`NONE`](Self::NONE) if that does not fit.
    #[must_use]
    pub const fn with_dec(mut self, n: u32) -> Label {
        let (len, digits) = (self.0[Label::MOST] as usize, &DIGITS[n as usize]);
        let count = digits[3] as usize;
        if len + count > Label::MOST {
            return Label::NONE;
        }
        let mut i = 0;
        while i < count {
            self.0[len + i] = digits[i];
            i += 1;
        }
        self.0[Label::MOST] = (len + count) as u8;
        self
    }

    /// Returns whether it has no text.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0[Label::MOST] == 0
    }

    /// Returns the text.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.0.split_at(self.0[Label::MOST] as usize).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

impl Text {
    /// Appends a short text.
    #[inline(always)]
    pub(crate) fn short(&mut self, short: &Short) {
        self.push_some(&short.bytes, short.len as usize);
    }

    /// Appends a short text and a name. Returns `false`, and appends nothing, if there is no name or little room.
    #[inline(always)]
    pub fn copy(&mut self, before: &Short, name: &Name) -> bool {
        let Some(room) = self.room::<{ Copies::MOST }>() else { return false };
        let len = put_both(room, 0, before, name);
        self.len += len.unwrap_or(0);
        len.is_some()
    }

    /// Appends a label.
    #[inline]
    pub fn label(&mut self, label: &Label) {
        self.push_some(&label.0, usize::from(label.0[Label::MOST]));
    }

    /// Appends a label, and returns a writer for up to [`Copies::COUNT`] copies after it. Returns `None`, and appends nothing, if the
    /// buffer may be too short for all of them.
    #[inline(always)]
    pub(crate) fn line(&mut self, label: &Label) -> Option<Copies<'_>> {
        let Text { len, bytes } = self;
        let room = bytes.get_mut(*len..)?.first_chunk_mut()?;
        // Without the length, which is in a register already, the copy is three moves.
        put(room, 0, *label.0.first_chunk::<{ Label::MOST }>()?);
        Some(Copies { at: usize::from(label.0[Label::MOST]), room, len })
    }
}

/// A writer of a line into a buffer that has room for [`Copies::COUNT`] copies.
///
/// The length stays in a register until the end: if it were in memory, each copy would wait for the store of the one before.
pub(crate) struct Copies<'a> {
    /// The number of bytes written.
    at: usize,
    room: &'a mut [u8; 256 + Copies::MOST],
    len: &'a mut usize,
}

impl Copies<'_> {
    /// The highest number of bytes that a copy writes.
    const MOST: usize = 32;

    /// The number of copies that fit after a label.
    pub(crate) const COUNT: usize = (256 - Label::MOST) / (Short::MOST + Name::MOST);

    /// Appends a short text and a name. Returns `false`, and appends nothing, if there is no name.
    #[inline(always)]
    pub(crate) fn copy(&mut self, before: &Short, name: &Name) -> bool {
        // All copies begin within the first 256 bytes, so that the mask changes nothing and the compiler omits the bounds check.
        let len = put_both(self.room, self.at & 255, before, name);
        self.at += len.unwrap_or(0);
        len.is_some()
    }

    /// Adds the written bytes to the text.
    #[inline(always)]
    pub(crate) fn end(self) {
        *self.len += self.at;
    }
}

/// Writes a short text and a name from an index on, and returns the length of both. Returns `None` if there is no name.
#[inline(always)]
fn put_both<const N: usize>(room: &mut [u8; N], at: usize, before: &Short, name: &Name) -> Option<usize> {
    let (skip, len) = (before.len as usize, name.0[Name::MOST]);
    if len == Name::NO_TEXT {
        return None;
    }
    put(room, at, before.bytes);
    put(room, at + skip, name.0);
    Some(skip + usize::from(len))
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
        for n in [0, 9, 10, 99, 100, 999, 1000, 180_149_999, 4_294_967_295] {
            t.dec(n);
            t.push_ascii(b' ');
            t.hex(n);
            t.push_ascii(b' ');
        }
        t.signed(i32::MIN);
        assert_eq!(
            t.as_str(),
            "0 0x0 9 0x9 10 0xa 99 0x63 100 0x64 999 0x3e7 1000 0x3e8 180149999 0xabcdeef 4294967295 0xffffffff -2147483648"
        );
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
