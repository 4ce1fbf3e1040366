//! Operands as nearly all texts have them: what a kind says of its plainest texts, and how these are read a word of the
//! processor at a time.
//!
//! [`Plain`] is a list of facts, which `parse::fast` goes by. What is read so need not be right: it may be the wrong
//! registers for the operand. A line that is no legal instruction when it was read so is read by the kinds of its
//! operands, which say what is wrong.

use crate::operands::codes::Sure;

/// What a kind of operand or modifier takes in its plainest forms, wherever it stands in forms without a suffix dword that text
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
    pub between: Word,
    /// The parts, in the order of nearly all texts.
    pub all: &'static [Part],
}

/// A part of a number.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its name, without the parenthesis.
    name: Word,
    lo: u8,
    ones: u32,
    /// The names of its values in their parentheses, with these values in the first half, where they are no numbers: all up to
    /// the last, the most frequent first.
    values: &'static [[Word; 2]],
}

impl Part {
    /// A part of so many bits from `lo` up. Its name has at most eight characters, those of values, which
    /// [`Word::enclosed`] gives, are at most 14 long: longer ones are not plain.
    #[must_use]
    pub const fn new(name: &str, lo: u8, width: u8, values: &'static [[Word; 2]]) -> Self {
        Part { name: Word::new(name, 0, 0), lo, ones: u32::MAX >> (32 - width), values }
    }

    /// Its bits.
    const fn bits(&self) -> u32 {
        self.ones << self.lo
    }

    /// Its highest value.
    const fn last(&self) -> u32 {
        if self.values.is_empty() { self.ones } else { self.values.len() as u32 - 1 }
    }

    /// Its value, which begins here with a parenthesis, and where that ends.
    #[inline(always)]
    fn value(&self, text: &[u8], at: usize) -> Option<(u32, usize)> {
        let first = eight(text, at);
        if self.values.is_empty() {
            let (value, bits) = decimal(first >> 8)?;
            let end = at + 1 + bits as usize / 8;
            let enclosed = first as u8 == b'(' && text.get(end) == Some(&b')');
            return (enclosed && value <= self.ones).then_some((value, end + 1));
        }
        let second = eight(text, at + 8);
        let [one, two] = self.values.iter().find(|[one, two]| one.begins(first) && two.begins(second))?;
        Some((one.code, at + usize::from(one.len + two.len)))
    }
}

impl Parts {
    /// The number that begins here and ends with the line, if its parts stand in their order, and where that is.
    #[inline(never)]
    pub(crate) fn read(&self, text: &[u8], at: usize) -> Option<(u32, usize)> {
        let (mut at, mut number) = (at, self.none);
        for part in self.all {
            if !part.name.begins(eight(text, at)) {
                continue;
            }
            let (value, end) = part.value(text, at + usize::from(part.name.len))?;
            number = number & !part.bits() | value << part.lo;
            if matches!(text.get(end), None | Some(b'\n' | b'\r')) {
                return Some((number, end));
            }
            if !self.between.begins(eight(text, end)) {
                return None;
            }
            at = end + usize::from(self.between.len);
        }
        None
    }

    /// Whether all numbers that are written so are sure.
    pub(crate) const fn sure(&self, sure: &Sure) -> bool {
        let (mut parts, mut i) = (0, 0);
        while i < self.all.len() {
            parts |= self.all[i].bits();
            i += 1;
        }
        match *sure {
            Sure::All => true,
            Sure::Within(bits) => (parts | self.none) & !bits == 0,
            Sure::Parts(runs) => {
                let (mut rest, mut i) = (parts | self.none, 0);
                while i < runs.len() {
                    let (lo, width, sure) = runs[i];
                    let bits = u32::MAX >> (32 - width) << lo;
                    let none = (self.none & bits) >> lo;
                    let last = match self.part(bits) {
                        Some(part) => part.last(),
                        None if parts & bits == 0 => none,
                        None => return false,
                    };
                    if !sure.covers(none, none) || !sure.covers(0, last) {
                        return false;
                    }
                    rest &= !bits;
                    i += 1;
                }
                rest == 0
            }
            _ => false,
        }
    }

    /// The part that has these bits.
    const fn part(&self, bits: u32) -> Option<&Part> {
        let mut i = 0;
        while i < self.all.len() {
            if self.all[i].bits() == bits {
                return Some(&self.all[i]);
            }
            i += 1;
        }
        None
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
        match text.len() {
            len @ 1..=8 => Word { dwords, code, ..Word::of_bytes(text.as_bytes(), len) },
            _ => Word { bytes: 1, mask: 0, len: 0, dwords, code },
        }
    }

    /// A name of at most 14 characters in parentheses, in two halves, of which the first has the code. One that is too long
    /// stands for nothing.
    #[must_use]
    pub const fn enclosed(name: &str, code: u32) -> [Word; 2] {
        let (name, mut room, mut i) = (name.as_bytes(), [0; 16], 0);
        let len = name.len() + 2;
        if len > room.len() {
            return [Word::new("", 0, 0); 2];
        }
        while i < len {
            room[i] = match i {
                0 => b'(',
                _ if i + 1 == len => b')',
                _ => name[i - 1],
            };
            i += 1;
        }
        let (first, second) = room.split_at(8);
        let first = Word { code, ..Word::of_bytes(first, if len < 8 { len } else { 8 }) };
        [first, Word::of_bytes(second, len.saturating_sub(8))]
    }

    /// The first bytes of these, which stand for 0; where it is none, anything begins with it.
    const fn of_bytes(bytes: &[u8], len: usize) -> Self {
        let (mut word, mut i) = (0, len);
        while i > 0 {
            i -= 1;
            word = word << 8 | bytes[i] as u64;
        }
        let mask = if len == 0 { 0 } else { u64::MAX >> (64 - 8 * len) };
        Word { bytes: word, mask, len: len as u8, dwords: 0, code: 0 }
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
    let bits = others(word).trailing_zeros() & !7;
    if bits == 0 || bits > 56 || bits > 8 && digits & 0xff == 0 {
        return None;
    }
    // With zeros before them there are always eight: first pairs, then fours, then all.
    let all = digits << (64 - bits);
    let pairs = all.wrapping_mul(1 + (10 << 8)) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(1 + (100 << 16)) >> 16 & 0x0000_ffff_0000_ffff;
    Some(((fours.wrapping_mul(1 + (10_000 << 32)) >> 32) as u32, bits))
}

/// A letter and a number in decimal of up to three digits behind it, if this is below what [`beyond`] gives: the number, and
/// how many bits of the word both take. A fourth digit may follow.
#[inline(always)]
pub(crate) const fn small(word: u32, end: u32) -> Option<(u32, u32)> {
    let digits = (word ^ 0x3030_3000) & 0xffff_ff00;
    let others = (((digits & 0x7f7f_7f00) + 0x7676_7600) | digits) & 0x8080_8000;
    let bits = others.trailing_zeros() & !7;
    if bits == 8 || bits > 16 && digits & 0xff00 == 0 {
        return None;
    }
    // With zeros before them there are always three, the first of them the lowest.
    let all = digits << (bits.wrapping_neg() & 31);
    if all.swap_bytes() >= end {
        return None;
    }
    // A hundred of the first, ten of the second and the third come together in the highest byte, and nothing is carried there.
    Some((all.wrapping_mul(1 + (10 << 8) + (100 << 16)) >> 24, bits))
}

/// What is just above a number's three digits, a byte each, the first the highest: so they compare as numbers do. Nothing is
/// below 0.
pub(crate) const fn beyond(number: u8) -> u32 {
    let number = number as u32;
    let digits = (number % 10) + ((number / 10 % 10) << 8) + ((number / 100) << 16);
    digits + 1
}

/// A number in hexadecimal of up to eight digits behind its `0x`, and how many bytes these take.
#[inline(always)]
pub(crate) fn hexadecimal(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let word = eight(text, at);
    let others = others(word) & others_of_letters(word);
    let bits = others.trailing_zeros() & !7;
    let goes_on = || text.get(at + 8).is_some_and(u8::is_ascii_hexdigit);
    if bits == 0 || bits == 64 && goes_on() {
        return None;
    }
    // Letters have bit 6, and nine more than their lowest bits say. With zeros before them there are always eight digits, of
    // which the first is the highest then: first pairs, then fours, then all.
    let digits = (word & (EACH * 0xf)) + (word >> 6 & EACH) * 9;
    let all = (digits << (64 - bits)).swap_bytes();
    let pairs = (all | all >> 4) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff;
    Some(((fours | fours >> 16) as u32, bits as usize / 8))
}

/// The highest bit of each byte that is no decimal digit.
#[inline(always)]
const fn others(word: u64) -> u64 {
    let digits = word ^ (EACH * 0x30);
    (((digits & (EACH * 0x7f)) + EACH * 0x76) | digits) & (EACH * 0x80)
}

/// The highest bit of each byte that is none of the letters from `a` to `f`, small or capital.
#[inline(always)]
const fn others_of_letters(word: u64) -> u64 {
    // They are 1 to 6.
    let letters = (word | (EACH * 0x20)) ^ (EACH * 0x60);
    let low = letters & (EACH * 0x7f);
    ((low + EACH * 0x79) | !(low + EACH * 0x7f) | letters) & (EACH * 0x80)
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
    let (first, count, length) = registers(&room, 0, last)?;
    let goes_on = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$');
    if text.get(length).is_some_and(goes_on) && text.first() != Some(&b'[') {
        return None;
    }
    Some((first, count, length))
}

/// The same of the text from `at` on; what follows is not looked at.
#[inline(always)]
pub(crate) fn registers(text: &[u8], at: usize, last: u8) -> Option<(u8, u8, usize)> {
    const END: u32 = beyond(u8::MAX);
    let word = eight(text, at);
    if word as u8 != b'[' {
        let (first, bits) = small((word << 8) as u32, END)?;
        return (first <= last as u32).then_some((first as u8, 1, bits as usize / 8 - 1));
    }
    // Before the numbers stand the bracket and a colon, in the place of letters.
    let (first, bits) = small(word as u32, END)?;
    let rest = word >> bits;
    let (end, more) = small(rest as u32, END)?;
    let close = (bits + more) as usize / 8;
    let count = end.checked_sub(first)? + 1;
    let whole = rest as u8 == b':' && text.get(at + close) == Some(&b']');
    (whole && count <= u32::from(MOST) && end <= u32::from(last)).then_some((first as u8, count as u8, close + 1))
}

#[cfg(test)]
mod tests {
    use super::{Part, Parts, Word, beyond, blank, decimal, eight, hexadecimal, numbered, small};
    use crate::{CodeSet, Sure};

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
            for last in [0, 9, 64, 99, 105, 255] {
                let fits = n <= u32::from(last);
                let small = small(first(&std::format!("v{text}")) as u32, beyond(last));
                assert_eq!(small, fits.then_some((n, text.len() as u32 * 8)), "{n} up to {last}");
            }
        }
        for text in ["", "v", "v01", "v00", "vx", "v,", "v\u{fa}", "v\u{b1}", "v256", "v999"] {
            assert_eq!(small(first(text) as u32, beyond(255)), None, "{text}");
        }
        assert_eq!(small(first("v0") as u32, 0), None);
        assert_eq!(small(first("v1000") as u32, beyond(255)), Some((100, 32)));
        for n in 0..10_000_000u32 {
            if n % 997 == 0 {
                let text = std::format!("{n}:");
                assert_eq!(decimal(first(&text)), Some((n, text.len() as u32 * 8 - 8)));
            }
        }
    }

    #[test]
    fn hexadecimal_digits_are_of_both_cases() {
        for (text, value) in [
            ("1Fg", Some((31, 2))),
            ("ffffffff", Some((u32::MAX, 8))),
            ("100000000", None),
            ("12345678g", Some((0x1234_5678, 8))),
            ("x", None),
            ("", None),
            ("/:@GA`g", None),
        ] {
            assert_eq!(hexadecimal(std::format!("0x{text}\0\0\0\0\0\0\0\0").as_bytes(), 2), value, "{text}");
        }
        for byte in 0..=u8::MAX {
            for at in 0..8 {
                let mut text = *b"89abCDeF........";
                text[at] = byte;
                let digits = text[..8].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
                let value =
                    core::str::from_utf8(&text[..digits]).ok().and_then(|text| u32::from_str_radix(text, 16).ok());
                assert_eq!(hexadecimal(&text, 0), value.map(|value| (value, digits)), "{byte} at {at}");
            }
        }
    }

    #[test]
    fn values_stand_in_parentheses() {
        for (name, lengths) in [("", [2, 0]), ("NEXT", [6, 0]), ("SKIP_1", [8, 0]), ("VALU_DEP_1", [8, 4])] {
            let words = Word::enclosed(name, 0);
            assert_eq!(words.map(|word| word.len), lengths, "{name}");
            let line = std::format!("({name}) | x(y)");
            assert!(words[0].begins(first(&line)) && words[1].begins(eight(line.as_bytes(), 8)), "{name}");
            let line = std::format!("({name}_) | x(y)");
            assert!(!words[0].begins(first(&line)) || !words[1].begins(eight(line.as_bytes(), 8)), "{name}");
        }
        assert!(!Word::enclosed("FMA_ACCUM_CYCLE", 0)[0].begins(first("(FMA_ACCUM_CYCLE)")));
    }

    #[test]
    fn numbers_are_read_by_their_parts() {
        static NAMED: [[Word; 2]; 3] =
            [Word::enclosed("TWO_TWO_TWO", 2), Word::enclosed("ONE", 1), Word::enclosed("ZERO", 0)];
        static ALL: [Part; 2] = [Part::new("named", 0, 2, &NAMED), Part::new("count", 4, 6, &[])];
        let parts = Parts { none: 0x3f0, between: Word::new(" | ", 0, 0), all: &ALL };
        for (text, number) in [
            ("named(ONE)", Some(0x3f1)),
            ("named(TWO_TWO_TWO) | count(7)", Some(0x72)),
            ("named(ZERO)", Some(0x3f0)),
            ("count(63)", Some(0x3f0)),
            ("count(64)", None),
            ("count(7) | named(ONE)", None),
            ("count 7)", None),
            ("count(7", None),
            ("count(7) ", None),
            ("named(ONE) | ", None),
            ("named(ONE) | named(ONE)", None),
            ("named(THREE)", None),
        ] {
            let number = number.map(|number| (number, text.len()));
            assert_eq!(parts.read(text.as_bytes(), 0), number, "{text}");
            assert_eq!(parts.read(std::format!("{text}\nnamed(ONE)").as_bytes(), 0), number, "{text}");
        }
        static LOW: CodeSet = CodeSet::NONE.with(0, 2);
        static LOWER: CodeSet = CodeSet::NONE.with(0, 1);
        const COUNT: (u8, u8, Sure) = (4, 6, Sure::All);
        const fn runs(set: &'static CodeSet) -> [(u8, u8, Sure); 3] {
            [(0, 2, Sure::Only(set)), (2, 2, Sure::Within(0)), COUNT]
        }
        static RUNS: [[(u8, u8, Sure); 3]; 2] = [runs(&LOW), runs(&LOWER)];
        assert!(parts.sure(&Sure::All) && parts.sure(&Sure::Within(0x3f3)) && !parts.sure(&Sure::Within(0x3f2)));
        assert!(parts.sure(&Sure::Parts(&RUNS[0])) && !parts.sure(&Sure::Parts(&RUNS[1])));
        assert!(!parts.sure(&Sure::Parts(&[(0, 4, Sure::All), COUNT])));
        assert!(!parts.sure(&Sure::Parts(&[COUNT])) && !parts.sure(&Sure::Only(&LOW)));
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
