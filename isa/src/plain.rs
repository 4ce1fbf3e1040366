//! Operands as nearly all texts have them: what a kind says of its plainest texts, and how these are read a word of the
//! processor at a time.
//!
//! [`Plain`] is a list of facts, which `parse::quick` goes by. What is read so need not be right: it may be the wrong
//! registers for the operand. A line that is no legal instruction when it was read so is read by the kinds of its
//! operands, which say what is wrong.

/// What a kind of operand or modifier takes in its plainest forms, wherever it stands in forms without a tail that text
/// chooses. The lists are tried in the order of the first characters, so that no two may begin alike.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    /// Rows with one of these words have something else here.
    pub unless: u128,
    /// Files whose registers have numbers: the letter, the code of the first and the highest number.
    pub files: &'static [(u8, u32, u8)],
    /// How many low bits of a register's code the field leaves out; they are zero.
    pub aligned: u8,
    /// Whether the first reading takes any number of registers: the kind is [`LATE`](crate::Operand::LATE).
    pub any: bool,
    /// Whether operands of 16 bits are whole registers.
    pub whole: bool,
    /// What is plain of a lane mask in its stead, and how many registers one has in each mode, in the order of the set's.
    pub mask: Option<(&'static Plain, [u8; 2])>,
    /// The code of 0 and the highest number, where small integers have codes of their own.
    pub integers: Option<(u32, u8)>,
    /// The same of negative integers: the code of -1 is one above the first.
    pub negative: Option<(u32, u8)>,
    /// Registers and constants that have names; those that begin with a digit or a sign are constants.
    pub names: &'static [Word],
    /// The code that stands for a dword behind the instruction, and the numbers above the small integers that have codes
    /// of their own: any other number in hexadecimal is put there where the operand has 32 bits, but in floats of 16.
    pub literal: Option<(u32, &'static [u32])>,
    /// The highest number that is its own code; of a type of eight bits 255 is the highest.
    pub numbers: Option<u32>,
    /// What can stand for a number: the names of its parts with what they hold.
    pub parts: Option<&'static Parts>,
    /// Whether its own name is written for 1: of a modifier.
    pub flag: bool,
    /// What a number follows that is the code: of a modifier. The least, which may be negative, and the highest.
    pub key: Option<(Word, i32, i32)>,
}

impl Plain {
    /// Nothing.
    pub const NONE: Plain = Plain {
        unless: 0,
        files: &[],
        aligned: 0,
        any: false,
        whole: false,
        mask: None,
        integers: None,
        negative: None,
        names: &[],
        literal: None,
        numbers: None,
        parts: None,
        flag: false,
        key: None,
    };
}

/// A number that is written in parts, each a name with a value in parentheses; no part stands twice.
#[derive(Debug)]
pub struct Parts {
    /// The number where no part is written.
    pub none: u32,
    /// What stands between two parts.
    pub between: &'static str,
    /// The parts.
    pub all: &'static [Part],
}

/// A part of a number.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its name with the parenthesis.
    name: [Word; 2],
    lo: u8,
    ones: u32,
    /// The names of its values, where these are no numbers.
    values: &'static [[Word; 2]],
}

impl Part {
    /// A part of so many bits from `lo` up. Its name ends in the parenthesis; it and those of values have at most 16
    /// characters, longer ones are not plain.
    #[must_use]
    pub const fn new(name: &str, lo: u8, width: u8, values: &'static [[Word; 2]]) -> Self {
        Part { name: Word::two(name), lo, ones: u32::MAX >> (32 - width), values }
    }
}

impl Parts {
    /// The number that begins here and ends with the text.
    #[inline(never)]
    pub(crate) fn read(&self, text: &[u8], at: usize) -> Option<u32> {
        let (mut at, mut number, mut seen) = (at, self.none, 0);
        // Mostly they stand in their order.
        let mut rest = self.all;
        loop {
            let is = |part: &&Part| Word::both(&part.name, text, at);
            let mut parts = rest.iter();
            let part = parts.find(is).or_else(|| self.all.iter().find(is))?;
            rest = parts.as_slice();
            at += Word::length(&part.name);
            let value = if part.values.is_empty() {
                let (value, bits) = decimal(eight(text, at)).filter(|(value, _)| *value <= part.ones)?;
                at += bits as usize / 8;
                value
            } else {
                let (name, len) = enclosed(text, at);
                let value =
                    part.values.iter().position(|value| value[0].bytes == name[0] && value[1].bytes == name[1])?;
                // One that is too long for its word is no value.
                if part.values.get(value).map(Word::length) != Some(len) {
                    return None;
                }
                at += len;
                value as u32
            };
            let bits = part.ones << part.lo;
            if seen & bits != 0 || text.get(at) != Some(&b')') {
                return None;
            }
            seen |= bits;
            number = number & !bits | value << part.lo;
            at += 1;
            if at == text.len() {
                return Some(number);
            }
            at += text.get(at..)?.starts_with(self.between.as_bytes()).then_some(self.between.len())?;
        }
    }
}

/// A text of at most eight characters and the code that it stands for.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    pub(crate) bytes: u64,
    pub(crate) mask: u64,
    pub(crate) len: u8,
    pub(crate) dwords: u8,
    pub(crate) code: u32,
}

impl Word {
    /// The text of `code` in operands of so many dwords, or in all for 0. One that is too long stands for nothing.
    #[must_use]
    pub const fn new(text: &str, dwords: u8, code: u32) -> Self {
        let (bytes, len) = (text.as_bytes(), text.len());
        if len == 0 || len > 8 {
            return Word { bytes: 1, mask: 0, len: 0, dwords, code };
        }
        let (mut word, mut i) = (0, len);
        while i > 0 {
            i -= 1;
            word = word << 8 | bytes[i] as u64;
        }
        Word { bytes: word, mask: u64::MAX >> (64 - 8 * len), len: len as u8, dwords, code }
    }

    /// A text of at most 16 characters.
    #[must_use]
    pub const fn two(text: &str) -> [Word; 2] {
        match text.split_at_checked(8) {
            Some((first, second)) if !second.is_empty() => [Word::new(first, 0, 0), Word::new(second, 0, 0)],
            _ => [Word::new(text, 0, 0), Word::ANY],
        }
    }

    /// Stands anywhere.
    const ANY: Word = Word { bytes: 0, mask: 0, len: 0, dwords: 0, code: 0 };

    /// Whether both halves of a text stand here.
    #[inline(always)]
    fn both([first, second]: &[Word; 2], text: &[u8], at: usize) -> bool {
        first.begins(eight(text, at)) && (second.mask == 0 && second.bytes == 0 || second.begins(eight(text, at + 8)))
    }

    /// How long both halves are.
    const fn length(two: &[Word; 2]) -> usize {
        two[0].len as usize + two[1].len as usize
    }

    /// Whether text begins with it.
    #[inline(always)]
    pub(crate) const fn begins(&self, text: u64) -> bool {
        text & self.mask == self.bytes
    }
}

/// A byte in each byte of a word.
const EACH: u64 = 0x0101_0101_0101_0101;

/// Eight bytes of a text of at least as many from `at` on, the first the lowest; zeros beyond its end. There is no branch
/// in it that a processor could not guess: where a line ends is different each time.
#[inline(always)]
pub(crate) fn eight(text: &[u8], at: usize) -> u64 {
    if at >= text.len() {
        return 0;
    }
    let from = at.min(text.len().wrapping_sub(8));
    let bytes = text.get(from..from.wrapping_add(8)).and_then(|bytes| bytes.first_chunk::<8>());
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes) >> ((8 * (at - from)) & 63))
}

/// What stands here before a closing parenthesis, with zeros behind it, and how long it is, if it has at most 16 bytes;
/// else its first 16.
#[inline(always)]
fn enclosed(text: &[u8], at: usize) -> ([u64; 2], usize) {
    let end = |word: u64| {
        let others = word ^ (EACH * b')' as u64);
        (others.wrapping_sub(EACH) & !others & (EACH * 0x80)).trailing_zeros() & !7
    };
    let (first, second) = (eight(text, at), eight(text, at + 8));
    match (end(first), end(second)) {
        (bits @ 0..64, _) => ([first & !(u64::MAX << bits), 0], bits as usize / 8),
        (_, bits @ 0..64) => ([first, second & !(u64::MAX << bits)], 8 + bits as usize / 8),
        _ => ([first, second], 16),
    }
}

/// Where the first byte is that is a blank or a control character: its lowest bit; 64 where none is.
#[inline(always)]
pub(crate) const fn blank(word: u64) -> u32 {
    // A borrow goes up from such a byte only, so that the lowest is told rightly.
    (word.wrapping_sub(EACH * 0x21) & !word & (EACH * 0x80)).trailing_zeros() & !7
}

/// A number in decimal of up to seven digits, and how many bits of the word they take. A zero before other digits would
/// make it octal.
#[inline(always)]
pub(crate) const fn decimal(word: u64) -> Option<(u32, u32)> {
    let digits = word ^ (EACH * 0x30);
    // The highest bit of each byte that is no digit.
    let others = (((digits & (EACH * 0x7f)) + EACH * 0x76) | digits) & (EACH * 0x80);
    let bits = others.trailing_zeros() & !7;
    if bits == 0 || bits > 56 || bits > 8 && digits & 0xff == 0 {
        return None;
    }
    // With zeros before them there are always eight: first pairs, then fours, then all.
    let all = digits << (64 - bits);
    let pairs = all.wrapping_mul(1 + (10 << 8)) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(1 + (100 << 16)) >> 16 & 0x0000_ffff_0000_ffff;
    Some(((fours.wrapping_mul(1 + (10_000 << 32)) >> 32) as u32, bits))
}

/// A number in decimal of up to three digits, and how many bits of the word they take.
#[inline(always)]
pub(crate) const fn small(word: u32) -> Option<(u32, u32)> {
    let digits = word ^ 0x3030_3030;
    let others = (((digits & 0x7f7f_7f7f) + 0x7676_7676) | digits) & 0x8080_8080;
    let bits = others.trailing_zeros() & !7;
    if bits == 0 || bits > 24 || bits > 8 && digits & 0xff == 0 {
        return None;
    }
    // With zeros before them there are always three.
    let all = digits << (32 - bits);
    Some(((all >> 24) + (all >> 16 & 0xff) * 10 + (all >> 8 & 0xff) * 100, bits))
}

/// A number in hexadecimal of up to eight digits behind its `0x`, and how many bytes these take.
#[inline]
pub(crate) fn hexadecimal(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let (mut value, mut len) = (0, 0);
    while let Some(digit) = text.get(at + len).and_then(|byte| char::from(*byte).to_digit(16)) {
        if len == 8 {
            return None;
        }
        value = value << 4 | digit;
        len += 1;
    }
    if len > 0 { Some((value, len)) } else { None }
}

/// The most registers that an operand has.
const MOST: u8 = 32;

/// The number of a register, `5`, or a range of them, `[4:5]`, behind the letter of their file, up to `last`: the first,
/// how many, and how many bytes are taken. `None` for everything else, everything wrong, and blanks.
///
/// ```
/// assert_eq!(isa::numbered(b"[4:7], v1", 255), Some((4, 4, 5)));
/// assert_eq!(isa::numbered(b"12, v1", 255), Some((12, 1, 2)));
/// assert_eq!(isa::numbered(b"12.l", 255), None);
/// ```
#[inline]
#[must_use]
pub fn numbered(text: &[u8], last: u8) -> Option<(u8, u8, usize)> {
    let mut room = [0; 16];
    let len = text.len().min(room.len());
    room.get_mut(..len)?.copy_from_slice(text.get(..len)?);
    let (first, count, length) = registers(&room, 0, eight(&room, 0), last)?;
    let goes_on = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$');
    if text.get(length).is_some_and(goes_on) && text.first() != Some(&b'[') {
        return None;
    }
    Some((first, count, length))
}

/// The same of the text from `at` on, which begins with `word`; what follows is not looked at.
#[inline(always)]
pub(crate) fn registers(text: &[u8], at: usize, word: u64, last: u8) -> Option<(u8, u8, usize)> {
    if word as u8 != b'[' {
        let (first, bits) = decimal(word)?;
        return (first <= last as u32).then_some((first as u8, 1, bits as usize / 8));
    }
    let (first, bits) = decimal(word >> 8)?;
    let colon = 1 + bits as usize / 8;
    if text.get(at + colon) != Some(&b':') {
        return None;
    }
    let word = eight(text, at + colon + 1);
    let (end, bits) = decimal(word)?;
    let close = colon + 1 + bits as usize / 8;
    let more = end.checked_sub(first)?;
    if text.get(at + close) != Some(&b']') || more >= u32::from(MOST) || end > u32::from(last) {
        return None;
    }
    Some((first as u8, more as u8 + 1, close + 1))
}

#[cfg(test)]
mod tests {
    use super::{Word, blank, decimal, eight, enclosed, hexadecimal, numbered, small};

    #[test]
    fn whatever_is_not_plain_is_left_to_others() {
        for text in ["", "05", "256", "5x", "5_", "[5]", "[5:4]", "[ 4:5]", "[4:5", "[0:32]", "[04:5]", "[4:256]"] {
            assert_eq!(numbered(text.as_bytes(), 255), None, "{text}");
        }
        assert_eq!(numbered(b"[0:31]", 255), Some((0, 32, 6)));
        assert_eq!(numbered(b"[224:255]", 255), Some((224, 32, 9)));
        assert_eq!(numbered(b"255", 255), Some((255, 1, 3)));
    }

    /// The first eight bytes of a text, with zeros behind a short one.
    fn first(text: &str) -> u64 {
        let mut room = [0; 32];
        room[..text.len()].copy_from_slice(text.as_bytes());
        eight(&room, 0)
    }

    #[test]
    fn words_have_zeros_beyond_the_end() {
        let text = b"0123456789";
        for len in 8..=text.len() {
            for at in 0..14 {
                let mut bytes = [0; 8];
                for (to, from) in bytes.iter_mut().zip(text[..len].iter().skip(at)) {
                    *to = *from;
                }
                assert_eq!(eight(&text[..len], at), u64::from_le_bytes(bytes), "{at} of {len}");
            }
        }
    }

    #[test]
    fn numbers_end_where_digits_do() {
        for (text, value) in [
            ("0", Some((0, 8))),
            ("7,", Some((7, 8))),
            ("10]", Some((10, 16))),
            ("255 x", Some((255, 24))),
            ("65535", Some((65535, 40))),
            ("9999999/", Some((9_999_999, 56))),
            ("12345678", None),
            ("01", None),
            ("", None),
            ("x1", None),
            (":1", None),
            ("1\u{80}", Some((1, 8))),
            ("\u{fa}0", None),
        ] {
            assert_eq!(decimal(first(text)), value, "{text}");
        }
        for n in 0..=999 {
            let text = std::format!("{n},");
            assert_eq!(small(first(&text) as u32), Some((n, text.len() as u32 * 8 - 8)));
        }
        for text in ["", "1000", "01", "x", ",", "\u{fa}"] {
            assert_eq!(small(first(text) as u32), None, "{text}");
        }
        for n in 0..10_000_000u32 {
            if n % 997 == 0 {
                let text = std::format!("{n}:");
                assert_eq!(decimal(first(&text)), Some((n, text.len() as u32 * 8 - 8)));
            }
        }
        assert_eq!(hexadecimal(b"0x1Fg", 2), Some((31, 2)));
        assert_eq!(hexadecimal(b"ffffffff", 0), Some((u32::MAX, 8)));
        assert_eq!((hexadecimal(b"100000000", 0), hexadecimal(b"x", 0), hexadecimal(b"", 3)), (None, None, None));
    }

    #[test]
    fn names_end_where_a_parenthesis_does() {
        for text in ["", "NEXT", "VALU_DEP", "VALU_DEP_1", "FMA_ACCUM_CYCLE_"] {
            let line = std::format!("{text}) | x(y)          ");
            let [low, high] = Word::two(text);
            let expected = if text.is_empty() { [0, 0] } else { [low.bytes, high.bytes] };
            assert_eq!(enclosed(line.as_bytes(), 0), (expected, text.len()), "{text}");
        }
        assert_eq!(enclosed(b"FMA_ACCUM_CYCLE_1)", 0).1, 16);
    }

    #[test]
    fn blanks_end_words() {
        for (text, at) in [(" ", 0), ("a b", 8), ("v_add_f3", 64), ("abc\tde f", 24), ("a\u{e9} ", 24), ("a!", 16)] {
            assert_eq!(blank(first(text)), at, "{text}");
        }
    }

    #[test]
    fn texts_are_told_by_their_first_characters() {
        let word = Word::new("vcc_lo", 1, 106);
        assert!(word.begins(first("vcc_lo, v1")) && !word.begins(first("vcc_l")));
        for text in ["", "123456789"] {
            assert!(!Word::new(text, 1, 0).begins(first(text)));
        }
    }
}
