//! Addresses of a loaded code object as users know them: symbol, instruction, source line.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Mutex;

use addr2line::gimli::{self, EndianSlice, LittleEndian, SectionId};
use amdgpu_arch::Instr;
use amdgpu_dispatch::CODE_BASE;
use amdgpu_object::{CodeObject, Kernel, Segment};
use object::elf;
use object::read::elf::{FileHeader as _, SectionHeader as _};

use crate::demangle;
use crate::input::printable;
use crate::run::spec;

type Reader<'a> = EndianSlice<'a, LittleEndian>;

/// A position in a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLocation {
    /// The path, as the line table has it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: Option<u32>,
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", printable(self.file.as_bytes()), self.line)
    }
}

/// Resolves addresses of a kernel's code to symbols, instructions and source lines, and back.
pub struct Places<'a> {
    object: &'a CodeObject<'a>,
    segment: &'a Segment<'a>,
    /// The set and the wave size of the code.
    reader: amdgpu_arch::Reader,
    /// The line tables, which are read when a line is asked for first.
    lines: Option<Mutex<addr2line::Context<Reader<'a>>>>,
}

impl<'a> Places<'a> {
    /// The places of the code in a segment. `file` is the code object's file, which may have line tables.
    pub fn new(
        object: &'a CodeObject<'a>,
        segment: &'a Segment<'a>,
        reader: amdgpu_arch::Reader,
        file: &'a [u8],
    ) -> Self {
        Self { object, segment, reader, lines: lines(file).map(Mutex::new) }
    }

    /// The instruction at an address, if there is one.
    pub fn instr(&self, pc: u64) -> Option<Instr> {
        let start = usize::try_from(pc.checked_sub(self.segment.address)?).ok()?;
        let (words, _) = self.segment.bytes.get(start..)?.as_chunks::<4>();
        let words: Vec<u32> =
            words.iter().take(amdgpu_arch::MAX_DWORDS).map(|word| u32::from_le_bytes(*word)).collect();
        match self.reader.decode(&words) {
            Ok((instr, _)) => Some(instr),
            Err(error) => error.noncanonical(),
        }
    }

    /// The text of the instruction at an address.
    pub fn text(&self, pc: u64) -> Option<String> {
        Some(self.instr(pc)?.to_string())
    }

    /// The symbol at an address, with the distance from it.
    pub fn symbol(&self, pc: u64) -> Option<String> {
        let symbol = self.object.symbol_at(pc)?;
        Some(format!("{}+{:#x}", printable(symbol.name.as_bytes()), pc - symbol.address))
    }

    /// The demangled symbol at an address, with the distance from it; without the symbol if it is the kernel's.
    pub fn distance(&self, pc: u64, kernel: &Kernel) -> Option<String> {
        let symbol = self.object.symbol_at(pc)?;
        let name = if symbol.name == kernel.name { String::new() } else { demangle::readable(&symbol.name) };
        Some(format!("{name}+{:#x}", pc - symbol.address))
    }

    /// The demangled symbol at an address, with the distance from it.
    pub fn readable(&self, pc: u64) -> Option<String> {
        let symbol = self.object.symbol_at(pc)?;
        Some(format!("{}+{:#x}", demangle::readable(&symbol.name), pc - symbol.address))
    }

    /// The name of the symbol at an address.
    pub fn name(&self, pc: u64) -> Option<&'a str> {
        Some(&self.object.symbol_at(pc)?.name)
    }

    /// The instruction at an address and up to `count` on each side of it, with their addresses.
    pub fn around(&self, pc: u64, count: usize) -> Vec<(u64, String)> {
        // Instructions have no ends to go back from: the way leads from the symbol.
        let mut at = self.object.symbol_at(pc).map_or(pc, |symbol| symbol.address.max(self.segment.address));
        let mut listed = VecDeque::new();
        while at < pc {
            let (text, bytes) = self.item(at);
            listed.push_back((at, text));
            if listed.len() > count {
                listed.pop_front();
            }
            at += bytes;
        }
        if at != pc {
            listed.clear();
        }
        at = pc;
        for _ in 0..=count {
            if self.instr(at).is_none() {
                break;
            }
            let (text, bytes) = self.item(at);
            listed.push_back((at, text));
            at += bytes;
        }
        listed.into()
    }

    /// The text of what is at an address in the code, and its size in bytes.
    fn item(&self, pc: u64) -> (String, u64) {
        match self.instr(pc) {
            Some(instr) => (instr.to_string(), instr.size() as u64),
            None => ("not an instruction".into(), 4),
        }
    }

    /// The source of the instruction at an address.
    pub fn location(&self, pc: u64) -> Option<SourceLocation> {
        let lines = self.lines.as_ref()?.lock().ok()?;
        let found = lines.find_location(pc.checked_sub(CODE_BASE)?).ok()??;
        Some(SourceLocation {
            file: found.file?.into(),
            line: found.line?,
            column: found.column.filter(|column| *column > 0),
        })
    }

    /// The file and line of the source at an address.
    pub fn line(&self, pc: u64) -> Option<String> {
        self.location(pc).map(|location| location.to_string())
    }

    /// The address that `--break` names: an address as `isa dis` lists it, or a symbol.
    pub fn resolve(&self, text: &str) -> Result<u64, String> {
        let hex = |text: &str| u64::from_str_radix(text, 16).ok();
        let code = || self.object.symbols.iter().filter(|symbol| symbol.is_code);
        let named = code().find(|symbol| symbol.name == text);
        let named = named.or_else(|| code().find(|symbol| demangle::demangled(&symbol.name).as_deref() == Some(text)));
        if let Some(symbol) = named {
            return Ok(symbol.address);
        }
        let address = spec::unsigned(text).filter(|_| text.starts_with("0x")).or_else(|| hex(text));
        let address = address.map(|address| if address < CODE_BASE { address + CODE_BASE } else { address });
        let address = address.filter(|address| self.instr(*address).is_some());
        address
            .ok_or_else(|| format!("`{}` is neither an address nor a symbol of the code", printable(text.as_bytes())))
    }
}

/// The line tables of a code object; `None` if it has none, or damaged ones.
fn lines(file: &[u8]) -> Option<addr2line::Context<Reader<'_>>> {
    let header = elf::FileHeader64::<object::LittleEndian>::parse(file).ok()?;
    let endian = object::LittleEndian;
    // A relocatable object's tables lack their addresses.
    if header.e_type(endian) != elf::ET_DYN {
        return None;
    }
    let sections = header.sections(endian, file).ok()?;
    let bytes = |id: SectionId| {
        let (_, section) = sections.section_by_name(endian, id.name().as_bytes())?;
        section.data(endian, file).ok()
    };
    bytes(SectionId::DebugLine)?;
    let load = |id| Ok::<_, gimli::Error>(EndianSlice::new(bytes(id).unwrap_or_default(), LittleEndian));
    let dwarf = gimli::Dwarf::load(load).ok()?;
    addr2line::Context::from_dwarf(dwarf).ok()
}
