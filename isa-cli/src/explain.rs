//! `isa explain`: one instruction, drawn bit by bit, with what it reads, writes and computes.

mod drawing;
mod fields;

use std::io::{self, Write};
use std::process::ExitCode;

use amdgpu_arch::hex::{self, Accept};
use amdgpu_arch::{Instr, InstructionSet, Reader, TargetSelection, lanes, wave_name, with_set};
use drawing::draw;
use fields::Layout;
use isa::MAX_DWORDS;
use rdna3::Wave;
use serde_json::{Value, json};

use crate::arguments::wave_parser;
use crate::effects;
use crate::failure::Failure;
use crate::info::sections;

/// The arguments of `isa explain`.
#[derive(clap::Args)]
#[command(after_help = "Exit status: 0 for an instruction, 1 for anything else, 2 for wrong usage.\n\
    Examples:\n  isa explain v_add_f32 v0, v1, v2\n  isa explain 01050006\n  isa explain --json 'global_load_b128 v[0:3], v4, s[2:3]'")]
pub struct Args {
    /// An instruction: its text, or its bytes in hex in the order of memory
    #[arg(value_name = "HEX|TEXT", required = true, num_args = 1.., allow_hyphen_values = true)]
    instruction: Vec<String>,
    /// Instruction set: rdna3, rdna3.5, rdna4, gcn1.0, gcn1.1, gcn1.2, gcn1.4, or LLVM's name of a processor that has one of them
    #[arg(long, visible_alias = "mcpu", value_parser = TargetSelection::parse, default_value = "rdna3")]
    arch: TargetSelection,
    /// Work-items of a wave
    #[arg(long, value_name = "32|64", value_parser = wave_parser(), default_value = "32")]
    wave: Wave,
    /// As a JSON document
    #[arg(long)]
    json: bool,
}

/// Runs `isa explain`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let reader = Reader::new(args.arch.arch, args.wave);
    let text = args.instruction.join(" ");
    let instr = read(&text, reader).map_err(Failure::Message)?;
    let explained = with_set!(args.arch.arch, S => Explained::of::<S>(&instr, reader)).map_err(Failure::Message)?;
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", explained.json())?;
    } else {
        explained.write(&mut out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads hex, if the text is nothing else, or assembly.
fn read(text: &str, reader: Reader) -> Result<Instr, String> {
    let is_hex = |c: char| c.is_ascii_hexdigit() || c.is_ascii_whitespace() || ",[]xX".contains(c);
    if text.chars().all(is_hex) {
        return hex::instr(text.as_bytes(), reader, Accept::ReservedCodes).map_err(|error| error.to_string());
    }
    reader.parse(text).map_err(|error| format!("column {}: {error}", error.start + 1))
}

/// All that is said of an instruction.
struct Explained {
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

impl Explained {
    fn of<S: InstructionSet>(instr: &Instr, reader: Reader) -> Result<Self, String> {
        let bytes = instr.bytes();
        let words: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let mode = S::mode(reader.wave());
        let decoded = match isa::decode::<S>(&words, mode) {
            Ok((decoded, _)) => decoded,
            Err(error) => error.noncanonical().ok_or_else(|| error.to_string())?,
        };
        let (format, padded) = S::parts(&decoded);
        let row = S::formats().get(usize::from(format)).ok_or("no format")?;
        let mut columns = String::new();
        // Writing to a String does not fail.
        let _ = effects::describe(instr, &mut columns);
        let mut columns = columns.split('\t').map(str::to_owned);
        let mut names = || columns.next().unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        let (reads, writes) = (names(), names());
        let computes = (0..row.components.len()).filter_map(|component| {
            let opcode = isa::opcode::<S>(format, &padded, component)?;
            let body = S::bodies().body(opcode)?;
            let mut text = String::new();
            isa::body::write_body(body, S::bodies().roles(opcode), &mut text).ok()?;
            Some(text)
        });
        Ok(Explained {
            text: instr.to_string(),
            arch: reader.arch().name(),
            wave: if reader.arch().is_rdna() { reader.wave() } else { Wave::W64 },
            format: row.name,
            sections: sections(S::docs().get(usize::from(format)).copied().unwrap_or_default()),
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

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
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

    fn json(&self) -> Value {
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
