//! One difference from LLVM, with what classes ask of it.

use rdna3::isa::{Isa, Text};
use rdna3::{DecodeError, Instr, Rdna3, Wave};

use isa_tests::vectors::folded;

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

/// Words on which we and LLVM differ.
pub struct Difference<'a> {
    pub kind: Kind,
    pub words: Words,
    pub wave: Wave,
    /// The instruction, if the words are one to us, be it a non-canonical one.
    pub instr: Option<Instr>,
    /// Our error.
    pub error: Option<DecodeError>,
    /// Our text, empty if we print none.
    pub ours: &'a str,
    /// LLVM's text, empty if it prints none.
    pub llvm: &'a str,
}

impl Difference<'_> {
    /// The guide's name of the format, where the words have one.
    pub fn format(&self) -> &'static str {
        self.instr.map(|i| i.format()).or_else(|| self.error?.format()).unwrap_or_default()
    }

    /// The guide's name of the row, where the words have one.
    pub fn row(&self) -> &'static str {
        let opcode = match self.error {
            Some(DecodeError::UnknownForm { opcode, .. } | DecodeError::InvalidOperand { opcode, .. }) => opcode,
            _ => return self.instr.map(|i| i.opcode().name()).unwrap_or_default(),
        };
        Rdna3::mnemonics().get(usize::from(opcode)).copied().unwrap_or_default()
    }

    /// Whether the row is one of these; a name with `*` at its end is of all that begin so.
    pub fn is_row(&self, names: &[&str]) -> bool {
        let row = self.row();
        names.iter().any(|name| name.strip_suffix('*').map_or(row == *name, |start| row.starts_with(start)))
    }

    /// Whether we refuse a code in this field of this format, and which.
    pub fn refused_code(&self, format: &str, field: &str) -> Option<u32> {
        let error = self.error.filter(|e| matches!(e, DecodeError::InvalidOperand { .. }))?;
        (error.format() == Some(format) && error.field() == Some(field)).then(|| error.code()).flatten()
    }

    /// Whether we refuse the words because their suffix dword cannot follow.
    pub fn refused_suffix_dword(&self) -> bool {
        matches!(self.error, Some(DecodeError::UnknownForm { .. }))
    }

    /// The value of a field of the words' format.
    pub fn field(&self, name: &str) -> Option<u32> {
        let format = Rdna3::formats().iter().find(|f| f.name == self.format())?;
        Some(format.fields.iter().find(|f| f.name == name)?.bits.get(&self.words))
    }

    /// Our text of the same words with other values in some fields.
    pub fn text_with(&self, fields: &[(&str, u32)]) -> Option<String> {
        let format = Rdna3::formats().iter().find(|f| f.name == self.format())?;
        let mut words = self.words;
        for (name, value) in fields {
            format.fields.iter().find(|f| f.name == *name)?.bits.set(&mut words, *value);
        }
        text_of(&words, self.wave)
    }

    /// The last dword: a suffix dword, if there is one.
    pub fn suffix_dword(&self) -> Option<u32> {
        self.words.get(self.instr?.len().checked_sub(1)?).copied()
    }
}

/// Our text of words, non-canonical ones too.
pub fn text_of(words: &Words, wave: Wave) -> Option<String> {
    let instr = match Instr::decode(words, wave) {
        Ok((instr, _)) => instr,
        Err(error) => error.noncanonical()?,
    };
    let mut text = Text::new();
    instr.write(wave, &mut text);
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
