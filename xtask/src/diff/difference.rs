//! One difference from LLVM, with what classes ask of it.

use isa::tables::FieldBits;
use isa::{DecodeError, Text};
use isa_tests::sets::{self, WaveSet};
use isa_tests::vectors::folded;
use rdna3::Wave;

use crate::generate::Words;

/// How the answers to words differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Both print, not the same.
    Text,
    /// The same text, of another number of dwords.
    Length,
    /// LLVM prints what we refuse.
    WeRefuse,
    /// LLVM refuses what we decode.
    LlvmRefuses,
    /// LLVM prints what we decode with a remark that something in it cannot be; of non-canonical words, a remark in place
    /// of what we print.
    LlvmRemarks,
    /// LLVM crashes.
    Crash,
}

impl Kind {
    /// The kind in words, for the page.
    pub const fn text(self) -> &'static str {
        match self {
            Kind::Text => "the texts differ",
            Kind::Length => "the lengths differ",
            Kind::WeRefuse => "LLVM prints, we refuse",
            Kind::LlvmRefuses => "we decode, LLVM refuses",
            Kind::LlvmRemarks => "we decode, LLVM prints with a remark",
            Kind::Crash => "LLVM crashes",
        }
    }
}

/// What classes ask of a set, besides the words.
#[derive(Clone, Copy)]
pub struct Lookup {
    /// The bits of a field of a format.
    pub bits: fn(&str, &str) -> Option<FieldBits>,
    /// Our text of words, non-canonical ones too.
    pub text: fn(&Words, Wave) -> Option<String>,
}

impl Lookup {
    /// Returns the functions of a set.
    pub fn of<S: WaveSet>() -> Self {
        Lookup { bits: bits::<S>, text: text_of::<S> }
    }
}

/// A code that we refuse, with its field.
#[derive(Clone, Copy)]
pub struct RefusedCode {
    pub field: &'static str,
    pub code: u32,
}

/// Words on which we and LLVM differ.
pub struct Difference<'a> {
    pub kind: Kind,
    pub words: Words,
    pub wave: Wave,
    /// How many dwords the instruction has, if the words are one to us, be it a non-canonical one.
    pub length: Option<usize>,
    /// The guide's name of the format, empty where the words have none.
    pub format: &'static str,
    /// The guide's name of the row, empty where the words have none.
    pub row: &'static str,
    /// Whether LLVM lacks the row.
    pub llvm_lacks: bool,
    /// Whether we refuse the words because their suffix dword cannot follow.
    pub refused_suffix_dword: bool,
    /// The code that we refuse.
    pub refused: Option<RefusedCode>,
    /// Our text, empty if we print none.
    pub ours: &'a str,
    /// LLVM's text, empty if it prints none.
    pub llvm: &'a str,
    pub lookup: Lookup,
}

impl<'a> Difference<'a> {
    /// Describes a difference: `instr` is the instruction that the words are to us, `error` our error, and `texts` are ours and LLVM's.
    pub fn new<S: WaveSet>(
        kind: Kind,
        (words, wave): (&Words, Wave),
        instr: Option<S::Instr>,
        error: Option<DecodeError<S>>,
        (ours, llvm): (&'a str, &'a str),
    ) -> Self {
        let format = instr.map(|i| sets::format::<S>(&i)).or_else(|| error?.format()).unwrap_or_default();
        let opcode = match error {
            Some(DecodeError::UnknownForm { opcode, .. } | DecodeError::InvalidOperand { opcode, .. }) => Some(opcode),
            _ => instr.and_then(|i| sets::opcodes::<S>(&i)[0]),
        };
        let row = opcode.and_then(|opcode| S::tables().mnemonics.get(usize::from(opcode)).copied()).unwrap_or_default();
        let refused = error.filter(|e| matches!(e, DecodeError::InvalidOperand { .. }));
        Difference {
            kind,
            words: *words,
            wave,
            length: instr.map(|i| sets::encode::<S>(&i).len()),
            format,
            row,
            llvm_lacks: instr.is_some_and(|i| llvm_lacks::<S>(&i)),
            refused_suffix_dword: matches!(error, Some(DecodeError::UnknownForm { .. })),
            refused: refused.and_then(|e| Some(RefusedCode { field: e.field()?, code: e.code()? })),
            ours,
            llvm,
            lookup: Lookup::of::<S>(),
        }
    }

    /// Whether the row is one of these; a name with `*` at its end is of all that begin so.
    pub fn is_row(&self, names: &[&str]) -> bool {
        names.iter().any(|name| name.strip_suffix('*').map_or(self.row == *name, |start| self.row.starts_with(start)))
    }

    /// Whether we refuse a code in this field of this format, and which.
    pub fn refused_code(&self, format: &str, field: &str) -> Option<u32> {
        let refused = self.refused.filter(|refused| self.format == format && refused.field == field)?;
        Some(refused.code)
    }

    /// The value of a field of the words' format.
    pub fn field(&self, name: &str) -> Option<u32> {
        Some((self.lookup.bits)(self.format, name)?.get(&self.words))
    }

    /// Our text of the same words with other values in some fields.
    pub fn text_with(&self, fields: &[(&str, u32)]) -> Option<String> {
        let mut words = self.words;
        for (name, value) in fields {
            (self.lookup.bits)(self.format, name)?.set(&mut words, *value);
        }
        (self.lookup.text)(&words, self.wave)
    }

    /// The last dword: a suffix dword, if there is one.
    pub fn suffix_dword(&self) -> Option<u32> {
        self.words.get(self.length?.checked_sub(1)?).copied()
    }
}

/// The bits of a field of a format.
fn bits<S: WaveSet>(format: &str, field: &str) -> Option<FieldBits> {
    let format = S::tables().formats.iter().find(|f| f.name == format)?;
    Some(format.fields.iter().find(|f| f.name == field)?.bits)
}

/// Our text of words, non-canonical ones too.
fn text_of<S: WaveSet>(words: &Words, wave: Wave) -> Option<String> {
    let instr = sets::read::<S>(words, wave)?;
    let (format, words) = S::parts(&instr);
    let mut text = Text::new();
    isa::write_text::<S>(format, words, isa::length::<S>(format, &words) as u8, wave, &mut text);
    Some(folded(text.as_str()))
}

/// Where two texts differ, part for part; nothing if they do not have the same number of parts.
pub fn edits<'a>(ours: &'a str, llvm: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let parts = |text: &'a str| text.split(' ').map(|part| part.trim_end_matches(',')).collect::<Vec<_>>();
    let (ours, llvm) = (parts(ours), parts(llvm));
    (ours.len() == llvm.len()).then(|| ours.into_iter().zip(llvm).filter(|(a, b)| a != b).collect())
}

/// The one part in which two texts differ.
pub fn only_edit<'a>(ours: &'a str, llvm: &'a str) -> Option<(&'a str, &'a str)> {
    match edits(ours, llvm)?.as_slice() {
        [edit] => Some(*edit),
        _ => None,
    }
}

/// An operand without the signs of a source: `-|v1|` and `-v1` are `v1`, `neg(-1)` is `-1`.
pub fn unsigned(operand: &str) -> &str {
    let inner = operand.strip_prefix("neg(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(operand);
    let named = |rest: &&str| rest.starts_with(|c: char| c == '|' || c.is_ascii_alphabetic());
    let inner = inner.strip_prefix('-').filter(named).unwrap_or(inner);
    inner.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')).unwrap_or(inner)
}

/// The number that `0x2a` or `lit(0x2a)` is.
pub fn hexadecimal(operand: &str) -> Option<u32> {
    let inner = operand.strip_prefix("lit(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(operand);
    u32::from_str_radix(inner.strip_prefix("0x")?, 16).ok()
}

/// Whether a row is marked as one that LLVM has not. The flag is the same in all sets of the crate.
pub fn llvm_lacks<S: WaveSet>(instr: &S::Instr) -> bool {
    let (format, words) = S::parts(instr);
    let Some(format) = S::tables().formats.get(usize::from(format)) else { return false };
    format.components.iter().any(|c| {
        let number = c.opcode.get(&words);
        let slot = c.slots.iter().find(|s| u32::from(s.number) == number);
        let shape = slot.and_then(|s| c.shapes.get(usize::from(s.shape)));
        shape.is_some_and(|s| s.flags() & rdna3::flags::LLVM_LACKS != 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_sources() {
        for (signed, bare) in [("-|v1|", "v1"), ("-v1.l", "v1.l"), ("|2|", "2"), ("neg(-1)", "-1"), ("-1", "-1")] {
            assert_eq!(unsigned(signed), bare);
        }
    }

    #[test]
    fn parts_that_differ() {
        assert_eq!(edits("v_nop v0, v1", "v_nop v0, v2"), Some(vec![("v1", "v2")]));
        assert_eq!(edits("v_nop v0, v1", "v_nop v0"), None);
        assert_eq!(only_edit("v_nop v0, v1", "v_nop v1, v0"), None);
        assert_eq!(hexadecimal("lit(0x2a)"), Some(42));
    }
}
