//! The sections of the linked file, and which section of the object is where in them.

use std::collections::HashMap;

use object::elf;

use crate::limits::Limits;
use crate::model::{Definition, Object, Section};

use super::merge::{self, Merged};
use super::{LARGEST_ADDRESS, LinkError};

/// `SHT_LLVM_ADDRSIG`: a table for the linker, which is not linked.
const SHT_LLVM_ADDRSIG: u32 = 0x6fff_4c03;

/// Sections whose names begin so, up to the end or a further dot, are merged under that name.
const PREFIXES: [&str; 6] = [".text", ".data.rel.ro", ".data", ".rodata", ".bss.rel.ro", ".bss"];

/// The order of sections in memory: each rank from `ReadOnly` on begins a segment where the access rights change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// Notes.
    Note,
    /// Tables for the dynamic linker.
    Table,
    /// Constants.
    ReadOnly,
    /// Code.
    Code,
    /// Code that is writable.
    WritableCode,
    /// Data that the loader writes once.
    Relro,
    /// The same, without contents in the file.
    RelroZeros,
    /// The rest of the last page of such data.
    RelroPadding,
    /// Data.
    Data,
    /// Data without contents in the file.
    Zeros,
    /// Not loaded.
    NotLoaded,
}

/// A section of the linked file.
#[derive(Debug)]
pub struct Output {
    pub name: String,
    pub kind: u32,
    pub flags: u64,
    pub align: u64,
    pub entry_size: u64,
    pub size: u64,
    pub bytes: Vec<u8>,
    pub rank: Rank,
    /// `sh_link` as an index of an output, and `sh_info`.
    pub link: Option<usize>,
    pub info: u32,
    /// The address, once the layout is known.
    pub address: u64,
    /// The place in the file, once the layout is known.
    pub offset: u64,
    /// The index of the section header, once the layout is known.
    pub index: u32,
}

impl Output {
    pub fn new(name: impl Into<String>, kind: elf::SectionType, flags: elf::SectionFlags, rank: Rank) -> Self {
        Self {
            name: name.into(),
            kind: kind.0,
            flags: flags.0,
            align: 1,
            entry_size: 0,
            size: 0,
            bytes: Vec::new(),
            rank,
            link: None,
            info: 0,
            address: 0,
            offset: 0,
            index: 0,
        }
    }

    pub fn is_loaded(&self) -> bool {
        self.rank != Rank::NotLoaded
    }

    pub fn has_contents(&self) -> bool {
        self.kind != elf::SHT_NOBITS.0
    }

    /// Adds `size` bytes of zeros at an alignment and returns where they begin.
    pub fn allocate(&mut self, size: u64, align: u64) -> Result<u64, LinkError> {
        let too_large = || LinkError::TooLarge { reason: format!("section `{}`", self.name) };
        let align = align.max(1);
        let begin = self.size.checked_next_multiple_of(align).ok_or_else(too_large)?;
        let end = begin.checked_add(size).filter(|end| *end <= LARGEST_ADDRESS).ok_or_else(too_large)?;
        self.size = end;
        self.align = self.align.max(align);
        Ok(begin)
    }
}

/// Where the sections of the object are.
#[derive(Debug, Default, Clone)]
pub struct Places {
    /// For each section an output and a number of bytes from its beginning. `None`: it is not linked.
    sections: Vec<Option<(usize, u64)>>,
    /// For merged sections, where each piece begins, and where it is after the beginning of the section's place.
    pieces: HashMap<usize, Vec<(u64, u64)>>,
}

impl Places {
    /// The beginning of a section.
    pub fn begin(&self, section: usize) -> Option<(usize, u64)> {
        self.sections.get(section).copied().flatten()
    }

    /// Whether a section's pieces are merged with others, so that distances within it are not kept.
    pub fn is_merged(&self, section: usize) -> bool {
        self.pieces.contains_key(&section)
    }

    /// A byte of a section.
    pub fn byte(&self, section: usize, offset: u64) -> Option<(usize, u64)> {
        let (output, begin) = self.begin(section)?;
        let Some(pieces) = self.pieces.get(&section) else { return Some((output, begin.wrapping_add(offset))) };
        let nth = pieces.partition_point(|(from, _)| *from <= offset).checked_sub(1)?;
        let (from, to) = pieces[nth];
        Some((output, begin.wrapping_add(to).wrapping_add(offset - from)))
    }
}

/// Sections in the making, in the order of their first input.
#[derive(Debug)]
pub struct Outputs {
    pub outputs: Vec<Output>,
    by_name: HashMap<String, usize>,
    /// Where each section of the object is.
    pub places: Places,
    /// Where each variable that the linker allocates is in `.bss`, by the index of its symbol.
    pub commons: HashMap<usize, u64>,
}

impl Outputs {
    pub fn push(&mut self, output: Output) -> usize {
        self.outputs.push(output);
        self.outputs.len() - 1
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The section of zeros that variables without contents are allocated in.
    pub fn bss(&mut self) -> usize {
        self.find(".bss").unwrap_or_else(|| {
            let output = Output::new(".bss", elf::SHT_NOBITS, elf::SHF_ALLOC | elf::SHF_WRITE, Rank::Zeros);
            self.by_name.insert(".bss".into(), self.outputs.len());
            self.push(output)
        })
    }
}

/// Merges the sections of an object by name. Variables that the linker allocates precede the other contents of `.bss`.
pub fn merge(object: &Object, limits: Limits) -> Result<Outputs, LinkError> {
    let mut merged =
        Outputs { outputs: Vec::new(), by_name: HashMap::new(), places: Places::default(), commons: HashMap::new() };
    let mut inputs: Vec<Vec<usize>> = Vec::new();
    for (nth, section) in object.sections.iter().enumerate() {
        if !is_linked(section)? {
            continue;
        }
        let name = output_name(section);
        let index = match merged.find(name) {
            Some(index) => index,
            None => {
                let output = Output::new(name, elf::SectionType(section.kind), elf::SectionFlags(0), Rank::NotLoaded);
                merged.by_name.insert(name.into(), merged.outputs.len());
                inputs.push(Vec::new());
                merged.push(output)
            }
        };
        inputs[index].push(nth);
        let output = &mut merged.outputs[index];
        let (first, loaded) = (inputs[index].len() == 1, elf::SHF_ALLOC.0);
        if !first && output.flags & loaded != section.flags & loaded {
            return Err(mismatch(section, "is loaded, and another section of the name is not"));
        }
        if output.kind != section.kind {
            let plain = [elf::SHT_PROGBITS.0, elf::SHT_NOBITS.0];
            if !plain.contains(&output.kind) || !plain.contains(&section.kind) {
                return Err(mismatch(section, "has another type than a section of the name before it"));
            }
            output.kind = elf::SHT_PROGBITS.0;
        }
        // These flags describe the input file, not the contents of the section.
        let dropped = elf::SHF_GROUP | elf::SHF_MERGE | elf::SHF_STRINGS | elf::SHF_LINK_ORDER | elf::SHF_INFO_LINK;
        output.flags |= section.flags & !dropped.0;
    }
    for output in &mut merged.outputs {
        output.rank = rank(output);
    }
    for (nth, symbol) in object.symbols.iter().enumerate() {
        if let Definition::Common { align } = symbol.definition {
            let bss = merged.bss();
            inputs.resize(merged.outputs.len(), Vec::new());
            let begin = merged.outputs[bss].allocate(symbol.size, align)?;
            merged.commons.insert(nth, begin);
        }
    }
    merged.places.sections = vec![None; object.sections.len()];
    let mut total = 0u64;
    for (index, sections) in inputs.iter().enumerate() {
        let parts = parts(object, sections);
        let output = &mut merged.outputs[index];
        let mut chunks = Vec::new();
        for part in &parts {
            let (begin, bytes) = match part {
                Part::Whole(nth) => {
                    let section = &object.sections[*nth];
                    let begin = output.allocate(section.size, section.align)?;
                    merged.places.sections[*nth] = Some((index, begin));
                    (begin, section.bytes.as_slice())
                }
                Part::Merged(members, result) => {
                    let begin = output.allocate(result.bytes.len() as u64, result.align)?;
                    for (nth, pieces) in members.iter().zip(&result.pieces) {
                        merged.places.sections[*nth] = Some((index, begin));
                        merged.places.pieces.insert(*nth, pieces.clone());
                    }
                    (begin, result.bytes.as_slice())
                }
            };
            chunks.push((begin, bytes));
        }
        if output.has_contents() {
            total = total.saturating_add(output.size);
            if total > limits.file_bytes {
                return Err(LinkError::TooLarge { reason: format!("more than {} bytes", limits.file_bytes) });
            }
            fill(output, &chunks);
        }
    }
    Ok(merged)
}

/// A part of an output section.
enum Part {
    /// A section, copied whole.
    Whole(usize),
    /// Sections whose strings or constants are merged, at the place of the first.
    Merged(Vec<usize>, Merged),
}

fn parts(object: &Object, sections: &[usize]) -> Vec<Part> {
    let mut members: HashMap<_, Vec<usize>> = HashMap::new();
    for nth in sections {
        if let Some(key) = merge::key(&object.sections[*nth]) {
            members.entry(key).or_default().push(*nth);
        }
    }
    let mut parts = Vec::new();
    for nth in sections {
        match merge::key(&object.sections[*nth]) {
            None => parts.push(Part::Whole(*nth)),
            Some(key) => {
                if let Some(members) = members.remove(&key) {
                    let sections: Vec<&Section> = members.iter().map(|nth| &object.sections[*nth]).collect();
                    let merged = merge::merge(&sections);
                    parts.push(Part::Merged(members, merged));
                }
            }
        }
    }
    parts
}

/// Copies the parts of an output. Gaps between them are filled with zeros, as in lld.
fn fill(output: &mut Output, chunks: &[(u64, &[u8])]) {
    let size = usize::try_from(output.size).unwrap_or(usize::MAX);
    output.bytes.reserve_exact(size);
    for (begin, bytes) in chunks {
        output.bytes.resize(usize::try_from(*begin).unwrap_or(usize::MAX), 0);
        output.bytes.extend(*bytes);
    }
    output.bytes.resize(size, 0);
}

fn mismatch(section: &Section, reason: &'static str) -> LinkError {
    LinkError::Section { name: section.name.clone(), reason }
}

/// Whether a section has a place in the linked file.
fn is_linked(section: &Section) -> Result<bool, LinkError> {
    let is_loaded = section.flags & elf::SHF_ALLOC.0 != 0;
    if section.kind == SHT_LLVM_ADDRSIG || section.name == ".note.GNU-stack" || section.flags & elf::SHF_EXCLUDE.0 != 0
    {
        return Ok(false);
    }
    if is_loaded && section.flags & elf::SHF_TLS.0 != 0 {
        return Err(mismatch(section, "is thread-local, which GPUs do not have"));
    }
    match elf::SectionType(section.kind) {
        elf::SHT_NULL => Ok(false),
        elf::SHT_PROGBITS | elf::SHT_NOBITS | elf::SHT_NOTE => Ok(true),
        _ if !is_loaded => Ok(true),
        elf::SHT_INIT_ARRAY | elf::SHT_FINI_ARRAY | elf::SHT_PREINIT_ARRAY => {
            Err(mismatch(section, "lists functions to call, which loaders of code objects do not do"))
        }
        _ => Err(mismatch(section, "has a type that is not linked")),
    }
}

fn output_name(section: &Section) -> &str {
    if section.flags & elf::SHF_ALLOC.0 == 0 {
        return &section.name;
    }
    let has_prefix = |prefix: &&str| {
        let rest = section.name.strip_prefix(*prefix);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    PREFIXES.into_iter().find(has_prefix).unwrap_or(&section.name)
}

fn rank(output: &Output) -> Rank {
    let has = |flag: elf::SectionFlags| output.flags & flag.0 != 0;
    if !has(elf::SHF_ALLOC) {
        return Rank::NotLoaded;
    }
    let relro = [".data.rel.ro", ".bss.rel.ro", ".ctors", ".dtors", ".eh_frame"];
    match (has(elf::SHF_EXECINSTR), has(elf::SHF_WRITE), output.has_contents()) {
        _ if output.kind == elf::SHT_NOTE.0 => Rank::Note,
        (true, false, _) => Rank::Code,
        (true, true, _) => Rank::WritableCode,
        (false, false, true) => Rank::ReadOnly,
        (false, false, false) => Rank::Table,
        (false, true, true) if relro.contains(&output.name.as_str()) => Rank::Relro,
        (false, true, false) if relro.contains(&output.name.as_str()) => Rank::RelroZeros,
        (false, true, true) => Rank::Data,
        (false, true, false) => Rank::Zeros,
    }
}
