//! The fast syntax of operand classes: the texts that the fast parser reads without calling the class.
//!
//! The fast syntax may accept too much, such as registers that the operand does not take. If the result is not a legal
//! instruction, the slow path parses the line again and reports the error.

use crate::parse::swar::{load, parse_decimal};
use crate::tables::codes::{PartCodes, ValidCodes};

/// The fast syntax of an operand class. It applies in encoding variants without a suffix dword that text selects. No two
/// alternatives begin with the same characters.
#[derive(Clone, Copy, Debug)]
pub struct FastSyntax {
    /// The flags of rows in which the operand has another syntax.
    pub unless: u128,
    /// Register files with numbered registers.
    pub files: &'static [NumberedFile],
    /// The number of low bits of a register's code that the field leaves out. They are 0.
    pub aligned: u8,
    /// Whether the operand takes any number of registers when it is first parsed: it is
    /// [deferred](crate::Operand::DEFERRED).
    pub any: bool,
    /// Whether 16-bit operands are whole registers.
    pub whole: bool,
    /// The fast syntax of lane masks, and their number of registers in each mode.
    pub mask: Option<(&'static FastSyntax, [u8; 2])>,
    /// Inline integers: the code of 0 and the highest number.
    pub integers: Option<(u32, u8)>,
    /// Negative inline integers: the code before that of -1, and the highest absolute value.
    pub negative: Option<(u32, u8)>,
    /// Names of registers and constants. A name that begins with a digit or a sign is a constant.
    pub names: &'static [Word],
    /// The code that selects a literal, and the inline constants besides the small integers. Any other hexadecimal number
    /// is the literal of a 32-bit operand.
    pub literal: Option<(u32, &'static [u32])>,
    /// The highest number that is its own code. For 8-bit types it is at most 255.
    pub numbers: Option<u32>,
    /// The named parts of a number.
    pub parts: Option<&'static FastParts>,
    /// Whether the operand is a modifier that is written as its name if it is 1.
    pub flag: bool,
    /// A modifier that is written as a text and a number.
    pub key: Option<NumberKey>,
}

/// A register file whose registers are written as a letter and a number.
#[derive(Clone, Copy, Debug)]
pub struct NumberedFile {
    /// The letter.
    pub letter: u8,
    /// The code of register 0.
    pub base: u32,
    /// The highest number.
    pub last: u8,
}

/// The text of a modifier before its number.
#[derive(Clone, Copy, Debug)]
pub struct NumberKey {
    /// The text.
    pub text: Word,
    /// The least number, which may be negative.
    pub least: i32,
    /// The highest number.
    pub last: i32,
}

impl FastSyntax {
    /// No fast syntax.
    pub const NONE: FastSyntax = FastSyntax {
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

/// A number that is written in parts, each a name with a value in parentheses. No part is repeated.
#[derive(Debug)]
pub struct FastParts {
    /// The number if no part is written.
    pub none: u32,
    /// The separator of parts.
    pub between: Word,
    /// The parts, in their usual order.
    pub all: &'static [FastPart],
}

/// A part of a number.
#[derive(Clone, Copy, Debug)]
pub struct FastPart {
    /// The name, without the parenthesis.
    name: Word,
    lo: u8,
    ones: u32,
    /// The names of the values in parentheses, the most frequent first, with the value in the first half. Empty if the values
    /// are numbers.
    values: &'static [[Word; 2]],
}

impl FastPart {
    /// Returns a part of `width` bits from bit `lo` up. Its name has at most eight characters, and the names of values, which
    /// [`Word::enclosed`] returns, at most 14: longer ones never match.
    #[must_use]
    pub const fn new(name: &str, lo: u8, width: u8, values: &'static [[Word; 2]]) -> Self {
        FastPart { name: Word::new(name, 0, 0), lo, ones: u32::MAX >> (32 - width), values }
    }

    /// Returns the mask of the part.
    const fn bits(&self) -> u32 {
        self.ones << self.lo
    }

    /// Returns the highest value.
    const fn last(&self) -> u32 {
        if self.values.is_empty() { self.ones } else { self.values.len() as u32 - 1 }
    }

    /// Parses the value, which begins with a parenthesis at `at`. Returns it and its end.
    #[inline(always)]
    fn value(&self, text: &[u8], at: usize) -> Option<(u32, usize)> {
        let first = load(text, at);
        if self.values.is_empty() {
            let (value, bits) = parse_decimal(first >> 8)?;
            let end = at + 1 + bits as usize / 8;
            let enclosed = first as u8 == b'(' && text.get(end) == Some(&b')');
            return (enclosed && value <= self.ones).then_some((value, end + 1));
        }
        let second = load(text, at + 8);
        let [one, two] = self.values.iter().find(|[one, two]| one.begins(first) && two.begins(second))?;
        Some((one.code, at + usize::from(one.len + two.len)))
    }
}

impl FastParts {
    /// Parses a number whose parts are in the usual order and which ends with the line. Returns it and its end.
    #[inline(never)]
    pub(crate) fn parse(&self, text: &[u8], at: usize) -> Option<(u32, usize)> {
        let (mut at, mut number) = (at, self.none);
        for part in self.all {
            if !part.name.begins(load(text, at)) {
                continue;
            }
            let (value, end) = part.value(text, at + usize::from(part.name.len))?;
            number = number & !part.bits() | value << part.lo;
            if matches!(text.get(end), None | Some(b'\n' | b'\r')) {
                return Some((number, end));
            }
            if !self.between.begins(load(text, end)) {
                return None;
            }
            at = end + usize::from(self.between.len);
        }
        None
    }

    /// Returns whether all numbers with this syntax are valid codes.
    pub(crate) const fn are_valid(&self, codes: &ValidCodes) -> bool {
        let (mut parts, mut i) = (0, 0);
        while i < self.all.len() {
            parts |= self.all[i].bits();
            i += 1;
        }
        match *codes {
            ValidCodes::All => true,
            ValidCodes::Within(bits) => (parts | self.none) & !bits == 0,
            ValidCodes::Parts(runs) => {
                let (mut rest, mut i) = (parts | self.none, 0);
                while i < runs.len() {
                    let PartCodes { lo, width, codes } = runs[i];
                    let bits = u32::MAX >> (32 - width) << lo;
                    let none = (self.none & bits) >> lo;
                    let last = match self.part(bits) {
                        Some(part) => part.last(),
                        None if parts & bits == 0 => none,
                        None => return false,
                    };
                    if !codes.covers(none, none) || !codes.covers(0, last) {
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

    /// Returns the part with this mask.
    const fn part(&self, bits: u32) -> Option<&FastPart> {
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

/// A text of at most eight characters and its code, for comparison with eight bytes of a line.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    pub(crate) bytes: u64,
    pub(crate) mask: u64,
    pub(crate) len: u8,
    pub(crate) dwords: u8,
    pub(crate) code: u32,
}

impl Word {
    /// Returns the text of `code` in operands of `dwords` registers, 0 for any number. A text that is too long never matches.
    #[must_use]
    pub const fn new(text: &str, dwords: u8, code: u32) -> Self {
        match text.len() {
            len @ 1..=8 => Word { dwords, code, ..Word::of_bytes(text.as_bytes(), len) },
            _ => Word { bytes: 1, mask: 0, len: 0, dwords, code },
        }
    }

    /// Returns a name of at most 14 characters in parentheses, in two halves, of which the first has the code. A name that
    /// is too long never matches.
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

    /// Returns the first `len` bytes with the code 0. With no bytes, every text matches.
    const fn of_bytes(bytes: &[u8], len: usize) -> Self {
        let (mut word, mut i) = (0, len);
        while i > 0 {
            i -= 1;
            word = word << 8 | bytes[i] as u64;
        }
        let mask = if len == 0 { 0 } else { u64::MAX >> (64 - 8 * len) };
        Word { bytes: word, mask, len: len as u8, dwords: 0, code: 0 }
    }

    /// Returns whether a text begins with this one.
    #[inline(always)]
    pub(crate) const fn begins(&self, text: u64) -> bool {
        text & self.mask == self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::{FastPart, FastParts, Word};
    use crate::parse::swar::{first_bytes, load};
    use crate::{CodeSet, PartCodes, ValidCodes};

    #[test]
    fn enclosed_texts_match_with_both_parentheses() {
        for (name, lengths) in [("", [2, 0]), ("NEXT", [6, 0]), ("SKIP_1", [8, 0]), ("VALU_DEP_1", [8, 4])] {
            let words = Word::enclosed(name, 0);
            assert_eq!(words.map(|word| word.len), lengths, "{name}");
            let line = std::format!("({name}) | x(y)");
            assert!(words[0].begins(first_bytes(&line)) && words[1].begins(load(line.as_bytes(), 8)), "{name}");
            let line = std::format!("({name}_) | x(y)");
            assert!(!words[0].begins(first_bytes(&line)) || !words[1].begins(load(line.as_bytes(), 8)), "{name}");
        }
        assert!(!Word::enclosed("FMA_ACCUM_CYCLE", 0)[0].begins(first_bytes("(FMA_ACCUM_CYCLE)")));
    }

    #[test]
    fn numbers_are_parsed_by_their_parts() {
        static NAMED: [[Word; 2]; 3] =
            [Word::enclosed("TWO_TWO_TWO", 2), Word::enclosed("ONE", 1), Word::enclosed("ZERO", 0)];
        static ALL: [FastPart; 2] = [FastPart::new("named", 0, 2, &NAMED), FastPart::new("count", 4, 6, &[])];
        let parts = FastParts { none: 0x3f0, between: Word::new(" | ", 0, 0), all: &ALL };
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
            assert_eq!(parts.parse(text.as_bytes(), 0), number, "{text}");
            assert_eq!(parts.parse(std::format!("{text}\nnamed(ONE)").as_bytes(), 0), number, "{text}");
        }
        static LOW: CodeSet = CodeSet::NONE.with(0, 2);
        static LOWER: CodeSet = CodeSet::NONE.with(0, 1);
        const COUNT: PartCodes = PartCodes { lo: 4, width: 6, codes: ValidCodes::All };
        const fn runs(set: &'static CodeSet) -> [PartCodes; 3] {
            let names = PartCodes { lo: 0, width: 2, codes: ValidCodes::Only(set) };
            [names, PartCodes { lo: 2, codes: ValidCodes::Within(0), ..names }, COUNT]
        }
        static RUNS: [[PartCodes; 3]; 2] = [runs(&LOW), runs(&LOWER)];
        assert!(
            parts.are_valid(&ValidCodes::All)
                && parts.are_valid(&ValidCodes::Within(0x3f3))
                && !parts.are_valid(&ValidCodes::Within(0x3f2))
        );
        assert!(parts.are_valid(&ValidCodes::Parts(&RUNS[0])) && !parts.are_valid(&ValidCodes::Parts(&RUNS[1])));
        assert!(!parts.are_valid(&ValidCodes::Parts(&[PartCodes { lo: 0, width: 4, codes: ValidCodes::All }, COUNT])));
        assert!(!parts.are_valid(&ValidCodes::Parts(&[COUNT])) && !parts.are_valid(&ValidCodes::Only(&LOW)));
    }

    #[test]
    fn words_match_their_first_characters() {
        let word = Word::new("vcc_lo", 1, 106);
        assert!(word.begins(first_bytes("vcc_lo, v1")) && !word.begins(first_bytes("vcc_l")));
        for text in ["", "123456789"] {
            assert!(!Word::new(text, 1, 0).begins(first_bytes(text)));
        }
    }
}
