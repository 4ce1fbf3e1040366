//! Addresses of a loaded code object as users know them: symbol, instruction, source line.

use std::sync::Mutex;

use addr2line::gimli::{self, EndianSlice, LittleEndian, SectionId};
use amdgpu_dispatch::CODE_BASE;
use amdgpu_object::{CodeObject, Kernel, Segment};
use object::elf;
use object::read::elf::{FileHeader as _, SectionHeader as _};

use crate::arch::{self, Instr};
use crate::demangle;
use crate::input::printable;
use crate::run::spec;

type Reader<'a> = EndianSlice<'a, LittleEndian>;

/// Resolves addresses of a kernel's code to symbols, instructions and source lines, and back.
pub struct Places<'a> {
    object: &'a CodeObject<'a>,
    segment: &'a Segment<'a>,
    /// The set and the wave size of the code.
    reader: arch::Reader,
    /// The line tables, which are read when a line is asked for first.
    lines: Option<Mutex<addr2line::Context<Reader<'a>>>>,
}

impl<'a> Places<'a> {
    /// The places of the code in a segment. `file` is the code object's file, which may have line tables.
    pub fn new(object: &'a CodeObject<'a>, segment: &'a Segment<'a>, reader: arch::Reader, file: &'a [u8]) -> Self {
        Self { object, segment, reader, lines: lines(file).map(Mutex::new) }
    }

    /// The instruction at an address, if there is one.
    pub fn instr(&self, pc: u64) -> Option<Instr> {
        let start = usize::try_from(pc.checked_sub(self.segment.address)?).ok()?;
        let (words, _) = self.segment.bytes.get(start..)?.as_chunks::<4>();
        let words: Vec<u32> = words.iter().take(arch::MAX_DWORDS).map(|word| u32::from_le_bytes(*word)).collect();
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

    /// The file and line of the source at an address.
    pub fn line(&self, pc: u64) -> Option<String> {
        let lines = self.lines.as_ref()?.lock().ok()?;
        let found = lines.find_location(pc.checked_sub(CODE_BASE)?).ok()??;
        Some(format!("{}:{}", printable(found.file?.as_bytes()), found.line?))
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
