//! Loads a code object: its segments at their addresses, relocated, and its kernels.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;

use object::LittleEndian as Le;
use object::elf;
use object::read::elf::{FileHeader as _, ProgramHeader as _, Rela as _, SectionHeader as _, SectionTable, Sym as _};

use crate::descriptor::KernelDescriptor;
use crate::limits::{Limits, gibibytes};
use crate::link::{LinkError, write_code_object_within};
use crate::metadata::{KernelMetadata, Metadata, PrintfFormat};
use crate::model::RelocationKind;
use crate::note::Note;
use crate::read::{ReadError, read_object};
use crate::room::{Overlap, Room};

type Header = elf::FileHeader64<Le>;

/// Why a file cannot be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// The file is damaged, or not a 64-bit little-endian ELF file.
    Elf {
        /// The message of the reader of ELF files.
        reason: String,
    },
    /// The file is not for AMD GPUs, or neither a code object nor a relocatable object.
    Kind,
    /// Symbols are undefined.
    Undefined {
        /// Their names, each once.
        names: Vec<String>,
    },
    /// A relocatable object cannot be read.
    Read(ReadError),
    /// A relocatable object cannot be linked.
    Link(LinkError),
    /// A relocation of a type that loaders of code objects do not apply, or outside of the segments.
    Relocation {
        /// The number of the type.
        kind: u32,
        /// The relocated address, without the base.
        address: u64,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elf { reason } => write!(f, "a damaged ELF file: {reason}"),
            Self::Kind => f.write_str("neither a code object nor a relocatable object for AMD GPUs"),
            Self::Undefined { names } => LinkError::Undefined { names: names.clone() }.fmt(f),
            Self::Read(error) => error.fmt(f),
            Self::Link(error) => error.fmt(f),
            Self::Relocation { kind, address } => {
                write!(f, "the relocation of type {kind} at {address:#x} cannot be applied")
            }
        }
    }
}

impl std::error::Error for LoadError {}

impl From<object::read::Error> for LoadError {
    fn from(error: object::read::Error) -> Self {
        Self::Elf { reason: error.to_string() }
    }
}

impl From<Overlap> for LoadError {
    fn from(overlap: Overlap) -> Self {
        Self::Elf { reason: overlap.to_string() }
    }
}

/// A part of a code object in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment<'a> {
    /// The address of the first byte.
    pub address: u64,
    /// The contents, with the zeros after those of the file: the file's bytes where nothing is added or relocated.
    pub bytes: Cow<'a, [u8]>,
    /// Whether it holds code.
    pub is_executable: bool,
    /// Whether programs may write it.
    pub is_writable: bool,
}

impl Segment<'_> {
    /// Returns where bytes at an address are, if the segment has all of them.
    fn range(&self, address: u64, size: usize) -> Option<Range<usize>> {
        let start = usize::try_from(address.checked_sub(self.address)?).ok()?;
        let end = start.checked_add(size)?;
        (end <= self.bytes.len()).then_some(start..end)
    }

    /// Returns the bytes at an address, if the segment has all of them.
    fn at(&self, address: u64, size: usize) -> Option<&[u8]> {
        self.bytes.get(self.range(address, size)?)
    }

    /// Returns the same bytes, to be changed.
    fn at_mut(&mut self, address: u64, size: usize) -> Option<&mut [u8]> {
        let range = self.range(address, size)?;
        self.bytes.to_mut().get_mut(range)
    }
}

/// A kernel of a code object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// Its name: that of the descriptor's symbol without `.kd`.
    pub name: String,
    /// The address of its descriptor.
    pub descriptor_address: u64,
    /// The descriptor.
    pub descriptor: KernelDescriptor,
    /// The address of its first instruction.
    pub entry: u64,
    /// Its metadata, if the code object has some.
    pub metadata: Option<KernelMetadata>,
}

/// A symbol of a code object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedSymbol {
    /// Its name.
    pub name: String,
    /// Its address.
    pub address: u64,
    /// Its size in bytes; 0 if the file does not tell.
    pub size: u64,
    /// Whether it names code.
    pub is_code: bool,
}

/// A code object in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeObject<'a> {
    /// The segments that are loaded, in the order of their addresses.
    pub segments: Vec<Segment<'a>>,
    /// The kernels, in the order of their names.
    pub kernels: Vec<Kernel>,
    /// The symbols of code and data, in the order of their addresses.
    pub symbols: Vec<LoadedSymbol>,
    /// The formats of `printf` in the metadata. Entries that are damaged are left out.
    pub printf: Vec<PrintfFormat>,
    /// The processor: `e_flags` of the file.
    pub flags: u32,
}

impl<'a> CodeObject<'a> {
    /// Loads a file at an address that is added to all of its addresses. A relocatable object is linked first.
    ///
    /// # Errors
    /// The file is damaged, no object for AMD GPUs, or refers to undefined symbols.
    pub fn load(file: &'a [u8], base: u64) -> Result<Self, LoadError> {
        Self::load_within(file, base, Limits::default())
    }

    /// Loads a file like [`load`](Self::load), within limits.
    ///
    /// # Errors
    /// As [`load`](Self::load), or the file exceeds the limits.
    pub fn load_within(file: &'a [u8], base: u64, limits: Limits) -> Result<Self, LoadError> {
        let header = Header::parse(file)?;
        match header.e_type(Le) {
            _ if header.e_machine(Le) != elf::EM_AMDGPU => Err(LoadError::Kind),
            elf::ET_REL => {
                let object = read_object(file).map_err(LoadError::Read)?;
                let linked = write_code_object_within(&object, limits).map_err(|error| match error {
                    LinkError::Undefined { names } => LoadError::Undefined { names },
                    error => LoadError::Link(error),
                })?;
                Ok(CodeObject::load_linked(&linked, base, limits)?.into_owned())
            }
            elf::ET_DYN => Self::load_linked(file, base, limits),
            _ => Err(LoadError::Kind),
        }
    }

    /// Returns the code object with a copy of the file's bytes.
    #[must_use]
    pub fn into_owned(self) -> CodeObject<'static> {
        let owned = |segment: Segment<'_>| Segment { bytes: Cow::Owned(segment.bytes.into_owned()), ..segment };
        CodeObject { segments: self.segments.into_iter().map(owned).collect(), ..self }
    }

    fn load_linked(file: &'a [u8], base: u64, limits: Limits) -> Result<Self, LoadError> {
        let header = Header::parse(file)?;
        let sections = header.sections(Le, file)?;
        let mut object = Self {
            segments: segments(header, file, base, limits)?,
            kernels: Vec::new(),
            symbols: symbols(&sections, file, base)?,
            printf: Vec::new(),
            flags: header.e_flags(Le).0,
        };
        object.relocate(&sections, file, base)?;
        let (kernels, printf) = metadata(&sections, file)?;
        object.kernels = object.find_kernels(kernels);
        object.printf = printf;
        Ok(object)
    }

    /// Returns the symbol of code or data that an address belongs to.
    #[must_use]
    pub fn symbol_at(&self, address: u64) -> Option<&LoadedSymbol> {
        let end = self.symbols.partition_point(|symbol| symbol.address <= address);
        let before = self.symbols.get(..end)?.iter().rev();
        before.take(8).find(|symbol| symbol.size == 0 || address - symbol.address < symbol.size)
    }

    /// Applies the relocations that are left for loaders.
    fn relocate(&mut self, sections: &SectionTable<'_, Header>, file: &[u8], base: u64) -> Result<(), LoadError> {
        let table = sections.symbols(Le, file, elf::SHT_DYNSYM)?;
        let mut undefined = BTreeSet::new();
        let mut room = Room::of(file);
        for section in sections.iter() {
            let Some((relocations, _)) = section.rela(Le, file)? else { continue };
            room.take(size_of_val(relocations), "relocations")?;
            for relocation in relocations {
                let (address, kind) = (relocation.r_offset(Le), relocation.r_type(Le, false).0);
                let wrong = LoadError::Relocation { kind, address };
                let addend = relocation.r_addend(Le) as u64;
                let value = match RelocationKind::from_number(kind) {
                    Some(RelocationKind::Relative64) => base.wrapping_add(addend),
                    Some(RelocationKind::Abs64) => {
                        let index = object::read::SymbolIndex(relocation.r_sym(Le, false) as usize);
                        let symbol = table.symbol(index)?;
                        if symbol.st_shndx(Le) != elf::SHN_UNDEF {
                            base.wrapping_add(symbol.st_value(Le)).wrapping_add(addend)
                        } else if symbol.st_bind() == elf::STB_WEAK {
                            addend
                        } else {
                            let name = String::from_utf8_lossy(table.symbol_name(Le, symbol)?);
                            if !undefined.contains(&*name) {
                                room.take(name.len(), "names of symbols")?;
                                undefined.insert(name.into_owned());
                            }
                            continue;
                        }
                    }
                    _ => return Err(wrong),
                };
                let at = base.wrapping_add(address);
                let field = self.segments.iter_mut().find_map(|segment| segment.at_mut(at, 8)).ok_or(wrong)?;
                field.copy_from_slice(&value.to_le_bytes());
            }
        }
        let names: Vec<String> = undefined.into_iter().collect();
        if names.is_empty() { Ok(()) } else { Err(LoadError::Undefined { names }) }
    }

    /// The kernels: a symbol whose name ends in `.kd` names a descriptor.
    fn find_kernels(&self, metadata: Vec<KernelMetadata>) -> Vec<Kernel> {
        let mut by_symbol = BTreeMap::new();
        for kernel in metadata {
            by_symbol.entry(kernel.symbol.clone()).or_insert(kernel);
        }
        let mut kernels = Vec::new();
        for symbol in self.symbols.iter().filter(|symbol| !symbol.is_code) {
            let Some(name) = symbol.name.strip_suffix(".kd") else { continue };
            let bytes = self.segments.iter().find_map(|s| s.at(symbol.address, KernelDescriptor::SIZE));
            let Some(bytes) = bytes.and_then(|bytes| bytes.first_chunk()) else { continue };
            let descriptor = KernelDescriptor::from_bytes(bytes);
            kernels.push(Kernel {
                name: name.into(),
                descriptor_address: symbol.address,
                descriptor,
                entry: symbol.address.wrapping_add_signed(descriptor.entry_offset()),
                metadata: by_symbol.remove(&symbol.name),
            });
        }
        kernels.sort_by(|a, b| a.name.cmp(&b.name));
        kernels.dedup_by(|a, b| a.name == b.name);
        kernels
    }
}

/// The segments that are loaded, without the headers of the file.
fn segments<'a>(header: &Header, file: &'a [u8], base: u64, limits: Limits) -> Result<Vec<Segment<'a>>, LoadError> {
    let headers = header.program_headers(Le, file)?;
    let mut segments = Vec::new();
    let mut room = limits.image_bytes;
    for segment in headers.iter().filter(|segment| segment.p_type(Le) == elf::PT_LOAD) {
        let damaged = |reason: &str| LoadError::Elf { reason: reason.into() };
        let content = segment.data(Le, file).map_err(|()| damaged("a segment ends past the end of the file"))?;
        let size = segment.p_memsz(Le).max(content.len() as u64);
        let too_large = || damaged(&format!("its segments are larger than {}", gibibytes(limits.image_bytes)));
        room = room.checked_sub(size).ok_or_else(too_large)?;
        let mut bytes = Cow::Borrowed(content);
        let size = usize::try_from(size).map_err(|_| damaged("a segment is too large"))?;
        if size > content.len() {
            let mut filled = Vec::new();
            filled.try_reserve_exact(size).map_err(|_| damaged("a segment does not fit into memory"))?;
            filled.extend(content);
            filled.resize(size, 0);
            bytes = Cow::Owned(filled);
        }
        let flags = segment.p_flags(Le).0;
        segments.push(Segment {
            address: base.wrapping_add(segment.p_vaddr(Le)),
            bytes,
            is_executable: flags & elf::PF_X.0 != 0,
            is_writable: flags & elf::PF_W.0 != 0,
        });
    }
    segments.sort_by_key(|segment| segment.address);
    Ok(segments)
}

/// The symbols of code and data: of the full table, or of the one for dynamic linkers where a file has no other.
fn symbols(sections: &SectionTable<'_, Header>, file: &[u8], base: u64) -> Result<Vec<LoadedSymbol>, LoadError> {
    let mut table = sections.symbols(Le, file, elf::SHT_SYMTAB)?;
    if table.is_empty() {
        table = sections.symbols(Le, file, elf::SHT_DYNSYM)?;
    }
    let mut symbols = Vec::new();
    let mut room = Room::of(file);
    for (index, symbol) in table.symbols().iter().enumerate() {
        let kind = symbol.st_type();
        let section = table.symbol_section(Le, symbol, object::read::SymbolIndex(index))?;
        let (Some(section), elf::STT_NOTYPE | elf::STT_FUNC | elf::STT_OBJECT) = (section, kind) else { continue };
        let flags = sections.section(section)?.sh_flags(Le).0;
        let name = table.symbol_name(Le, symbol)?;
        room.take(name.len(), "names of symbols")?;
        symbols.push(LoadedSymbol {
            name: String::from_utf8_lossy(name).into_owned(),
            address: base.wrapping_add(symbol.st_value(Le)),
            size: symbol.st_size(Le),
            is_code: flags & elf::SHF_EXECINSTR.0 != 0,
        });
    }
    symbols.sort_by(|a, b| (a.address, &a.name).cmp(&(b.address, &b.name)));
    Ok(symbols)
}

/// The metadata of all kernels and the formats of `printf` in the notes. Notes of a damaged file are none.
fn metadata(
    sections: &SectionTable<'_, Header>,
    file: &[u8],
) -> Result<(Vec<KernelMetadata>, Vec<PrintfFormat>), LoadError> {
    let (mut kernels, mut formats) = (Vec::new(), Vec::new());
    let mut room = Room::of(file);
    for section in sections.iter().filter(|section| section.sh_type(Le) == elf::SHT_NOTE) {
        let contents = section.data(Le, file)?;
        room.take(contents.len(), "notes")?;
        for note in Note::parse_all(contents).unwrap_or_default() {
            if note.is_metadata()
                && let Ok(metadata) = Metadata::from_message_pack(&note.desc)
            {
                kernels.extend(metadata.kernels);
                formats.extend(metadata.printf.iter().flatten().filter_map(|entry| PrintfFormat::parse(entry)));
            }
        }
    }
    Ok((kernels, formats))
}
