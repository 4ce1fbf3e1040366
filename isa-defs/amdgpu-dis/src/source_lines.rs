//! The source lines of addresses, from the line tables of a code object.

use std::fmt;
use std::sync::Mutex;

use addr2line::gimli::{self, EndianSlice, LittleEndian, SectionId};
use amdgpu_object::printable;
use object::elf;
use object::read::elf::{FileHeader as _, SectionHeader as _};

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

/// The line tables of a code object, which are read when a line is asked for first.
pub struct SourceLines<'a>(Mutex<addr2line::Context<Reader<'a>>>);

impl fmt::Debug for SourceLines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SourceLines").finish_non_exhaustive()
    }
}

impl<'a> SourceLines<'a> {
    /// Returns the line tables of a linked code object; `None` if it has none, or damaged ones.
    #[must_use]
    pub fn new(file: &'a [u8]) -> Option<Self> {
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
        addr2line::Context::from_dwarf(dwarf).ok().map(|context| Self(Mutex::new(context)))
    }

    /// Returns the source of the instruction at an address, which is one of the file.
    #[must_use]
    pub fn location(&self, address: u64) -> Option<SourceLocation> {
        let lines = self.0.lock().ok()?;
        let found = lines.find_location(address).ok()??;
        Some(SourceLocation {
            file: found.file?.into(),
            line: found.line?,
            column: found.column.filter(|column| *column > 0),
        })
    }
}
