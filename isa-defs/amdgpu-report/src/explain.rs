//! One instruction, drawn bit by bit, with what it reads, writes and computes.

mod drawing;
mod fields;

use std::io::{self, Write};

use amdgpu_arch::{Instr, InstructionSet, MAX_DWORDS, Reader, Wave, lanes, wave_name, with_set};
use serde_json::{Value, json};

use crate::effects::write_effects;
use crate::error::ReportError;
use drawing::draw;
use fields::Layout;

/// An instruction bit by bit: its fields, what it reads, writes and computes, and other ways to write it.
#[derive(Debug, Clone)]
pub struct Explanation {
    text: String,
    arch: &'static str,
    wave: Wave,
    bytes: Vec<u8>,
    words: Vec<u32>,
    format: &'static str,
    sections: Vec<&'static str>,
    layout: Layout,
    reads: Vec<String>,
    writes: Vec<String>,
    /// Partial writes and address spaces.
    facts: String,
    /// What each component computes.
    computes: Vec<String>,
    /// Other encodings and orders of the same instruction.
    twins: Vec<String>,
}

impl Explanation {
    /// Explains an instruction of the set and the wave size of a reader.
    ///
    /// # Errors
    /// The instruction is of another set.
    pub fn new(instr: &Instr, reader: Reader) -> Result<Self, ReportError> {
        with_set!(reader.arch(), S => Self::of::<S>(instr, reader))
    }

    fn of<S: InstructionSet>(instr: &Instr, reader: Reader) -> Result<Self, ReportError> {
        let bytes = instr.bytes();
        let words: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let mode = S::mode(reader.wave());
        let decoded = match isa::decode::<S>(&words, mode) {
            Ok((decoded, _)) => decoded,
            Err(error) => error.noncanonical().ok_or_else(|| ReportError::OtherSet { problem: error.to_string() })?,
        };
        let (format, padded) = S::parts(&decoded);
        let row = S::tables()
            .formats
            .get(usize::from(format))
            .ok_or_else(|| ReportError::OtherSet { problem: "no format".to_owned() })?;
        let mut columns = String::new();
        write_effects(instr, &mut columns);
        let mut columns = columns.split('\t').map(str::to_owned);
        let mut names = || columns.next().unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        let (reads, writes) = (names(), names());
        let computes = (0..row.components.len()).filter_map(|component| {
            let opcode = isa::opcode::<S>(format, &padded, component)?;
            let body = S::inst_tables().bodies.body(opcode)?;
            let mut text = String::new();
            isa::body::write_body(body, S::inst_tables().bodies.roles(opcode), &mut text).ok()?;
            Some(text)
        });
        Ok(Explanation {
            text: instr.to_string(),
            arch: reader.arch().name(),
            wave: if reader.arch().is_rdna() { reader.wave() } else { Wave::W64 },
            format: row.name,
            sections: guide_sections(S::tables().docs.get(usize::from(format)).copied().unwrap_or_default()),
            layout: Layout::of::<S>(format, &padded, words.len(), mode),
            reads,
            writes,
            facts: columns.next().unwrap_or_default(),
            computes: computes.collect(),
            twins: twins::<S>(instr, &decoded, words.len(), reader),
            bytes: bytes.to_vec(),
            words,
        })
    }

    /// Writes it as text, with each dword drawn to scale.
    ///
    /// # Errors
    /// `out` does not take the text.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let hex: Vec<String> = self.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let sections = self.sections.iter().map(|section| format!("§{section}")).collect::<Vec<_>>().join(", ");
        let guide = if sections.is_empty() { String::new() } else { format!(", guide {sections}") };
        writeln!(out, "{}", self.text)?;
        writeln!(out, "{}{guide}; {}, {}; bytes {}", self.format, self.arch, wave_name(self.wave), hex.join(" "))?;
        for (index, word) in self.words.iter().enumerate() {
            writeln!(out, "\ndword {index}: {word:#010x}")?;
            draw(&self.layout, index, *word, out)?;
        }
        writeln!(out)?;
        self.layout.write(out)?;
        let listed =
            [("reads", self.reads.join(" ")), ("writes", self.writes.join(" ")), ("effects", self.facts.clone())];
        writeln!(out)?;
        for (name, text) in listed.iter().filter(|(_, text)| !text.is_empty()) {
            writeln!(out, "{name:9} {text}")?;
        }
        for (name, lines) in [("computes", &self.computes), ("or", &self.twins)] {
            let mut name = name;
            for line in lines.iter().flat_map(|text| text.lines()) {
                writeln!(out, "{name:9} {line}")?;
                name = "";
            }
        }
        Ok(())
    }

    /// Returns it as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "text": self.text,
            "arch": self.arch,
            "wave": lanes(self.wave),
            "bytes": self.bytes,
            "words": self.words,
            "format": self.format,
            "sections": self.sections,
            "fields": self.layout.json(),
            "reads": self.reads,
            "writes": self.writes,
            "facts": self.facts,
            "computes": self.computes,
            "twins": self.twins,
        })
    }
}

/// Returns the texts of other words for the same: other encodings, and exchanged sources.
fn twins<S: InstructionSet>(instr: &Instr, decoded: &S::Instr, len: usize, reader: Reader) -> Vec<String> {
    let mut twins: Vec<String> = Vec::new();
    let own = instr.bytes();
    let text = instr.to_string();
    let (format, words) = S::parts(decoded);
    let opcode = isa::opcode::<S>(format, &words, 0).and_then(S::opcode_at);
    let (name, operands) = text.split_once(' ').unwrap_or((&text, ""));
    let suffixes = opcode.into_iter().flat_map(|opcode| isa::facts::encodings::<S>(opcode));
    let suffixes: Vec<&str> = suffixes.map(|encoding| encoding.suffix()).collect();
    let bare = suffixes.iter().filter(|s| !s.is_empty()).find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name);
    let others = suffixes.iter().filter_map(|suffix| reader.parse(&format!("{bare}{suffix} {operands}")).ok());
    let commuted = isa::inst::lift::<S>(decoded, len as u8, S::mode(reader.wave())).ok();
    let commuted = commuted.and_then(|inst| inst.commuted()?.encode(S::mode(reader.wave())).ok());
    let commuted = commuted.map(|commuted| S::wrap(commuted, reader.wave()));
    for other in others.chain(commuted).filter(|other| *other.bytes() != *own) {
        let other = other.to_string();
        if other != text && !twins.contains(&other) {
            twins.push(other);
        }
    }
    twins
}

/// The words of an instruction, padded.
type Words = [u32; MAX_DWORDS];

/// Returns the sections that a doc comment names: `§15.3.2`.
#[must_use]
pub fn guide_sections(doc: &str) -> Vec<&str> {
    let numbers = doc.split('§').skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        rest[..end].trim_end_matches('.')
    });
    numbers.filter(|n| !n.is_empty()).collect()
}
