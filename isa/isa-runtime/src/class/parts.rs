//! Numbers that text has in parts: `vmcnt(0) expcnt(1)`.

#[cfg(feature = "parse")]
use super::Syntax;
#[cfg(feature = "parse")]
use crate::{Asm, Isa, ParseError, Word};
use crate::{Label, Text};

/// The error for a value that needs more bits than its part has.
pub const NARROW_PART: &str = "the part has fewer bits than this number";

/// A number that is written in parts, each a name with a value in parentheses.
#[derive(Debug)]
pub struct Parted {
    /// The parts, in the order of text.
    pub parts: &'static [PartOf],
    /// The texts of each part, parallel to `parts`.
    pub labels: &'static [PartLabels],
    /// The bits of all parts.
    pub bits: u32,
    /// The number that parts without text have: 0, or all bits.
    pub idle: u32,
    /// The text between two parts.
    pub between: &'static str,
    /// The separators that are read between two parts, besides blanks.
    pub separators: &'static [u8],
    /// Whether a separator can be left out.
    pub is_loose: bool,
    /// Whether a part may be written again.
    pub repeats: bool,
    /// The ending of a part's name that saturates values: `vmcnt_sat(99)` is the highest value of `vmcnt`.
    pub saturating: &'static str,
    /// The bits with which a number is written in hexadecimal: all that no part has, or none.
    pub hex_bits: u32,
    /// Whether text with a number may have bits that no part has.
    pub states_bits: bool,
    /// The least and the highest number that text may have in place of parts.
    pub range: (i64, i64),
    /// The noun phrase for errors: `the name of a counter`.
    pub expects: &'static str,
    /// The error for a number outside the range.
    pub rule: &'static str,
}

/// The texts of the lowest values of a part, with the text between two parts.
///
/// The position of the part is stated again, so that a part that is not written costs one test.
#[derive(Clone, Copy, Debug)]
pub struct PartLabels {
    bits: u32,
    lo: u8,
    texts: &'static [Label],
    part: &'static PartOf,
}

impl PartLabels {
    /// The texts of a part.
    #[must_use]
    pub const fn new(part: &'static PartOf, texts: &'static [Label]) -> Self {
        PartLabels { bits: part.bits(), lo: part.lo, texts, part }
    }
}

/// A part of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartOf {
    /// Its name in text.
    pub name: &'static str,
    /// Its lowest bit.
    pub lo: u8,
    /// Its width in bits.
    pub width: u8,
    /// The names of its values, if they are not numbers.
    pub values: &'static [&'static str],
    /// The text of a value without a name.
    pub unknown: &'static str,
}

impl PartOf {
    /// Returns the highest value.
    #[must_use]
    pub const fn most(&self) -> u32 {
        (1 << self.width) - 1
    }

    /// Returns the value in a number.
    #[must_use]
    pub const fn of(&self, number: u32) -> u32 {
        number >> self.lo & self.most()
    }

    /// Returns the bits of the part.
    const fn bits(&self) -> u32 {
        self.most() << self.lo
    }

    /// Returns the texts of the lowest values with what follows them.
    #[must_use]
    pub const fn labels<const N: usize>(&self, between: &str) -> [Label; N] {
        let (mut all, before) = ([Label::NONE; N], Label::NONE.with(self.name).with("("));
        let mut value = 0;
        while value < N {
            let label = match self.values {
                [] => before.with_dec(value as u32),
                values => before.with(values[value]),
            };
            all[value] = label.with(")").with(between);
            value += 1;
        }
        all
    }
}

/// Returns names in their parentheses, in the order in which the fast parser compares them: from `first`, the most frequent one,
/// up, and then from 0.
#[cfg(feature = "parse")]
#[must_use]
pub const fn enclosed<const N: usize>(names: &[&str; N], first: usize) -> [[Word; 2]; N] {
    let mut all = [Word::enclosed("", 0); N];
    let mut nth = 0;
    while nth < N {
        let value = (first + nth) % N;
        all[nth] = Word::enclosed(names[value], value as u32);
        nth += 1;
    }
    all
}

impl Parted {
    /// Writes the parts that differ from the idle number. Writes the idle number itself as 0, or as all parts if it has all bits.
    pub fn write(&self, code: u32, out: &mut Text) {
        if code & self.hex_bits != 0 {
            return out.hex(code);
        }
        let mut written = (code ^ self.idle) & self.bits;
        if written == 0 {
            if self.idle == 0 {
                return out.push_ascii(b'0');
            }
            written = self.bits;
        }
        for PartLabels { bits, lo, texts, part } in self.labels {
            if written & bits == 0 {
                continue;
            }
            match texts.get(((code & bits) >> (lo & 31)) as usize) {
                Some(label) if !label.is_empty() => out.label(label),
                _ => self.write_part(part, code, out),
            }
        }
        out.cut(self.between.len());
    }

    /// Writes a part without a label. If it were inlined, the loop over the parts would keep its values in memory: 211 executed
    /// instructions a number instead of 113 (callgrind).
    #[inline(never)]
    fn write_part(&self, part: &PartOf, code: u32, out: &mut Text) {
        out.push(part.name);
        out.push_ascii(b'(');
        if part.values.is_empty() {
            out.dec(part.of(code))
        } else {
            out.push(part.unknown)
        }
        out.push_ascii(b')');
        out.push(self.between);
    }

    /// Returns whether each part has a value with a name, and no bits are set that no part has.
    #[must_use]
    pub fn is_valid(&self, code: u32) -> bool {
        let is_named = |part: &PartOf| part.values.is_empty() || (part.of(code) as usize) < part.values.len();
        code & !self.bits == 0 && self.parts.iter().all(is_named)
    }
}

#[cfg(feature = "parse")]
impl Parted {
    /// Reads the parts, or a number in their place.
    ///
    /// # Errors
    /// Returns an error for an unknown part, a value that does not fit, or a number outside the range.
    pub fn read<I: Isa, S: Syntax>(&self, asm: &mut Asm<'_, '_, I>) -> Result<u32, ParseError> {
        let start = asm.input.at();
        let is_call = !asm.input.word().is_empty() && asm.input.eat("(");
        asm.input.go(start);
        if !is_call {
            if self.states_bits {
                asm.state_bits();
            }
            return S::number(asm, self.range.0, self.range.1, self.rule);
        }
        let (mut code, mut seen) = (self.idle, 0);
        loop {
            let word = asm.input.peek_word();
            let (name, saturates) = match word.strip_suffix(self.saturating) {
                Some(name) if !self.saturating.is_empty() => (name, true),
                _ => (word, false),
            };
            let Some(part) = self.parts.iter().find(|part| part.name == name) else {
                return Err(asm.expected(self.expects));
            };
            if !self.repeats && seen & part.bits() != 0 {
                return Err(asm.rule("this part is already stated"));
            }
            seen |= part.bits();
            asm.input.take(word);
            if !asm.input.eat("(") {
                return Err(asm.expected("`(`"));
            }
            let value = part.read::<I, S>(asm, saturates)?;
            if !asm.input.eat(")") {
                return Err(asm.expected("`)`"));
            }
            // A part that is written again adds its bits to a number that begins with none.
            code = if self.idle == 0 { code } else { code & !part.bits() } | value << part.lo;
            let is_joined = self.separators.iter().any(|separator| asm.input.eat_byte(*separator));
            if !is_joined && (!self.is_loose || asm.input.done()) {
                return Ok(code);
            }
        }
    }
}

#[cfg(feature = "parse")]
impl PartOf {
    /// Reads a value.
    fn read<I: Isa, S: Syntax>(&self, asm: &mut Asm<'_, '_, I>, saturates: bool) -> Result<u32, ParseError> {
        if self.values.is_empty() {
            let start = asm.input.at();
            return match S::integer(asm, "a number")? {
                value if (0..=i64::from(self.most())).contains(&value) => Ok(value as u32),
                _ if saturates => Ok(self.most()),
                _ => Err(asm.rule_at(start, NARROW_PART)),
            };
        }
        let word = asm.input.peek_word();
        // Names that are alike differ in their last letter.
        let last = word.bytes().last();
        let is = |name: &&str| name.bytes().last() == last && *name == word;
        let Some(value) = self.values.iter().position(is) else {
            return Err(asm.unknown_name("a name that this part knows", self.values.iter().copied()));
        };
        asm.input.take(word);
        Ok(value as u32)
    }
}
