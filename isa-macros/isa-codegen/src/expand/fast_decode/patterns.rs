//! The patterns of the fast decoder: the fixed bits of instructions, and the fields whose codes are looked up in sets.

use std::collections::HashMap;

use isa_schema::{
    BitRange, FIRST_PATTERN, FurtherLookups, LOOKUPS_OF_PATTERN, Lookup, MAX_PATTERNS, MAX_SET_BYTES, NEEDS_CHECK,
    PatternRow, SET_BYTES, SETS_OF_BYTE, SUFFIX_DWORD,
};

use super::{CodeCheck, Entry, FastDecoder};
use crate::interner::Interner;
use crate::operand_tables::valid_codes::{OperandContext, PartCodes, ValidCodes, all_codes};
use crate::operand_tables::{Bits, insert};

/// The most lookups of a pattern: the unconditional ones, and as many further ones.
const MAX_LOOKUPS: usize = 2 * LOOKUPS_OF_PATTERN;

/// The most bits of a code that is looked up.
const MAX_WIDTH: u8 = SET_BYTES.ilog2() as u8;

/// The checks of an instruction. Instructions with equal checks share a pattern.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Pattern {
    mask: u64,
    value: u64,
    /// The bits of the third dword that are 0.
    third_zero: u32,
    lookups: Vec<Lookup>,
    format: u8,
    len: u8,
    len_with_suffix_dword: u8,
}

impl Pattern {
    /// Returns whether there are further checks than the fixed bits and the unconditional lookups.
    fn has_further(&self) -> bool {
        self.third_zero != 0 || self.lookups.len() > LOOKUPS_OF_PATTERN
    }

    /// Returns the lookups from one on, as many as a row has.
    fn lookups_from(&self, first: usize) -> [Lookup; LOOKUPS_OF_PATTERN] {
        std::array::from_fn(|nth| self.lookups.get(first + nth).copied().unwrap_or(Lookup::NONE))
    }
}

/// A set of codes of a field: the codes that are valid, and those that select a suffix dword.
#[derive(Clone, PartialEq, Eq, Hash)]
struct CodeSet {
    codes: Bits,
    width: u8,
    /// The index of the list of codes that select a suffix dword.
    selector: Option<usize>,
    /// See [`CodeCheck::suffix_dword_effects`].
    suffix_dword_effects: u32,
}

/// The bits that have to be 0 for a code to be valid, and the lookups.
#[derive(Clone, Default)]
struct Answer {
    zero: [u32; 3],
    lookups: Vec<Lookup>,
}

/// How the codes of a field are checked, independent of the field's position.
enum Outcome<'a> {
    /// Every code is valid.
    Nothing,
    /// All other bits are 0.
    Within(u32),
    /// A lookup in the set with this index.
    Set(usize),
    /// Each part is checked by itself.
    Parts(&'a [PartCodes]),
}

/// The patterns of all modes, each once.
pub(super) struct Patterns<'a> {
    decoder: &'a FastDecoder<'a>,
    patterns: Interner<Pattern>,
    sets: Interner<CodeSet>,
    /// The bits of flags.
    flags: HashMap<&'a str, u128>,
}

impl<'a> Patterns<'a> {
    pub(super) fn new(decoder: &'a FastDecoder<'a>) -> Self {
        let flags = decoder.set.flags.iter().enumerate().map(|(bit, name)| (name.as_str(), 1 << bit)).collect();
        let mut sets = Interner::default();
        // Lookups that a pattern does not need are in the first set, which has all codes.
        sets.intern(&CodeSet { codes: all_codes(MAX_WIDTH), width: 0, selector: None, suffix_dword_effects: 0 });
        Patterns { decoder, patterns: Interner::default(), sets, flags }
    }

    /// Returns the number of the pattern of each entry in a mode: 0 if the slow path decodes it.
    pub(super) fn of_mode(&mut self, mode: usize) -> Vec<u8> {
        let decoder = self.decoder;
        let answers: Vec<Option<Answer>> =
            decoder.checks.items.iter().map(|check| self.check(check, mode as u8)).collect();
        decoder.entries.iter().map(|entry| self.pattern(entry, mode, &answers).unwrap_or(0)).collect()
    }

    /// Returns the number of an entry's pattern. Returns `None` if the tables cannot express it, or have no room.
    fn pattern(&mut self, entry: &Entry, mode: usize, answers: &[Option<Answer>]) -> Option<u8> {
        if entry.only_mode.is_some_and(|only| only != mode) {
            return None;
        }
        let mut all = Answer::default();
        for check in &entry.checks {
            all.add(answers[*check].as_ref()?);
        }
        let zero = u64::from(all.zero[0]) | u64::from(all.zero[1]) << 32;
        // A bit that must be 1 and 0 matches nothing.
        if all.lookups.len() > MAX_LOOKUPS || entry.mask & entry.value & zero != 0 {
            return None;
        }
        let nth = self.patterns.intern(&Pattern {
            mask: entry.mask | zero,
            value: entry.value,
            third_zero: all.zero[2],
            lookups: all.lookups,
            format: entry.format,
            len: entry.len,
            len_with_suffix_dword: entry.len_with_suffix_dword,
        });
        (FIRST_PATTERN + nth < MAX_PATTERNS).then(|| (FIRST_PATTERN + nth) as u8)
    }

    /// Returns the answer to a check in a mode. Returns `None` if the tables cannot decide.
    fn check(&mut self, check: &CodeCheck, mode: u8) -> Option<Answer> {
        let codes = match check.class {
            None => &ValidCodes::All,
            Some(class) => {
                let has_flag = |name: &str| self.flags.get(name).is_some_and(|flag| check.flags & flag != 0);
                let operand = OperandContext { ty: check.ty, has_flag: &has_flag, mode: Some(mode) };
                self.decoder.classes[class].as_ref()?.of(&operand)?
            }
        };
        self.answer(codes, check.selector, check.suffix_dword_effects, &check.bits)
    }

    /// Returns the answer to a check of codes without cases in a field.
    fn answer(
        &mut self,
        codes: &ValidCodes,
        selector: Option<usize>,
        suffix_dword_effects: u32,
        bits: &[BitRange],
    ) -> Option<Answer> {
        let mut answer = Answer::default();
        let width = match bits {
            [] => Some(0),
            [range] => Some(range.width),
            _ => None,
        };
        match self.outcome(codes, selector, suffix_dword_effects, width)? {
            Outcome::Nothing => {}
            Outcome::Within(bits_of_code) => {
                let mut outside = u64::from(!bits_of_code);
                // The least significant range first.
                for range in bits.iter().rev() {
                    answer.zero[range.dword()] |= (outside as u32 & range.ones()) << range.lo_in_dword();
                    outside >>= range.width;
                }
            }
            Outcome::Set(set) => {
                let lo = bits.first().map(|range| range.lo).filter(|lo| *lo < 64)?;
                let mask = (SUFFIX_DWORD | NEEDS_CHECK) << (set % SETS_OF_BYTE);
                answer.lookups.push(Lookup { lo, mask, group: (set / SETS_OF_BYTE) as u8 });
            }
            Outcome::Parts(parts) => {
                let [range] = bits else { return None };
                for PartCodes { lo, width, codes } in parts {
                    // A part ends where the field ends.
                    let width = range.width.saturating_sub(*lo).min(*width);
                    answer.add(&self.answer(codes, None, 0, &[BitRange::new(range.lo + lo, width)])?);
                }
            }
        }
        Some(answer)
    }

    /// Returns how codes without cases are checked in a field. Returns `None` if the tables cannot decide. A field with several bit
    /// ranges has no width.
    fn outcome<'c>(
        &mut self,
        codes: &'c ValidCodes,
        selector: Option<usize>,
        suffix_dword_effects: u32,
        width: Option<u8>,
    ) -> Option<Outcome<'c>> {
        let codes = match codes {
            ValidCodes::All if selector.is_none() => return Some(Outcome::Nothing),
            ValidCodes::Within(bits) if selector.is_none() => return Some(Outcome::Within(*bits)),
            ValidCodes::Parts(parts) if selector.is_none() => return Some(Outcome::Parts(parts)),
            ValidCodes::All => all_codes(MAX_WIDTH),
            ValidCodes::Only(codes) | ValidCodes::With(codes) => *codes,
            ValidCodes::Within(bits) => codes_within(*bits),
            ValidCodes::Parts(_) | ValidCodes::Cases(_) => return None,
        };
        let width = width.filter(|width| *width <= MAX_WIDTH)?;
        // Codes that the field cannot hold do not matter.
        let all = all_codes(width);
        let codes = std::array::from_fn(|nth| codes[nth] & all[nth]);
        if selector.is_none() && codes == all {
            return Some(Outcome::Nothing);
        }
        if width == 0 {
            return None;
        }
        let set = self.sets.intern(&CodeSet { codes, width, selector, suffix_dword_effects });
        (set < MAX_SET_BYTES / SET_BYTES * SETS_OF_BYTE).then_some(Outcome::Set(set))
    }

    /// Returns the patterns, and the further lookups of patterns with further checks. The first further lookups belong to no pattern.
    pub(super) fn rows(&self) -> (Vec<PatternRow>, Vec<FurtherLookups>) {
        let mut all_further = vec![FurtherLookups::ZERO];
        let rows = self.patterns.items.iter().take(MAX_PATTERNS - FIRST_PATTERN).map(|pattern| {
            let mut further = 0;
            if pattern.has_further() {
                further = all_further.len() as u8;
                let [first, second, third] = pattern.lookups_from(LOOKUPS_OF_PATTERN);
                all_further.push(FurtherLookups { first, second, third });
            }
            let [first, second, third] = pattern.lookups_from(0);
            let Pattern { mask, value, format, len, len_with_suffix_dword, .. } = *pattern;
            PatternRow { mask, value, first, second, third, format, len, len_with_suffix_dword, further }
        });
        (rows.collect(), all_further)
    }

    /// Returns the bits of the third dword that are 0, for each of the further lookups; none if no pattern has such bits.
    pub(super) fn third_zero(&self) -> Vec<u32> {
        let patterns = self.patterns.items.iter().take(MAX_PATTERNS - FIRST_PATTERN);
        let of_patterns = patterns.filter(|pattern| pattern.has_further()).map(|pattern| pattern.third_zero);
        let all: Vec<u32> = std::iter::once(0).chain(of_patterns).collect();
        if all.iter().all(|zero| *zero == 0) { Vec::new() } else { all }
    }

    /// Returns the bytes of the sets: a power of two.
    pub(super) fn set_bytes(&self) -> Vec<u8> {
        let n_groups = self.sets.items.len().div_ceil(SETS_OF_BYTE).next_power_of_two().min(MAX_SET_BYTES / SET_BYTES);
        let mut bytes = vec![0; n_groups * SET_BYTES];
        for (group, sets) in bytes.chunks_mut(SET_BYTES).zip(self.sets.items.chunks(SETS_OF_BYTE)) {
            for (place, set) in sets.iter().enumerate() {
                for (code, byte) in group.iter_mut().enumerate() {
                    *byte |= self.result(set, code & ((1 << set.width) - 1)) << place;
                }
            }
        }
        bytes
    }

    /// Returns the result of the lookup of a code in a set.
    fn result(&self, set: &CodeSet, code: usize) -> u8 {
        let is_valid = set.codes[code / 64] >> (code % 64) & 1 == 1;
        let selecting = set.selector.map(|selector| &self.decoder.selectors.items[selector]);
        let selected = selecting.into_iter().flatten().find(|(selecting, _)| *selecting as usize == code);
        match selected {
            _ if !is_valid => NEEDS_CHECK,
            None => 0,
            Some((_, suffix_dword)) if set.suffix_dword_effects >> (2 * (suffix_dword - 1)) & 3 == 1 => SUFFIX_DWORD,
            Some(_) => NEEDS_CHECK,
        }
    }
}

impl Answer {
    /// Adds the answer to another check.
    fn add(&mut self, other: &Answer) {
        for (zero, more) in self.zero.iter_mut().zip(other.zero) {
            *zero |= more;
        }
        self.lookups.extend(&other.lookups);
    }
}

/// Returns the codes that have no bits other than `bits`.
fn codes_within(bits: u32) -> Bits {
    let mut codes = [0; SET_BYTES / 64];
    (0..1u32 << MAX_WIDTH).filter(|code| code & !bits == 0).for_each(|code| insert(&mut codes, code));
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_within_bits_have_no_others() {
        for bits in [0, 1, 0b110, 0x3F, 0x40, 0x1C0, 0x155, 0x1FF, u32::MAX] {
            let codes = codes_within(bits);
            for code in 0..1u32 << MAX_WIDTH {
                let is_in = codes[code as usize / 64] >> (code % 64) & 1 == 1;
                assert_eq!(is_in, code & !bits == 0, "{code} of {bits:#x}");
            }
        }
    }
}
