//! A relocatable ELF file to [`Object`].

use std::fmt;

use object::LittleEndian as Le;
use object::elf;
use object::read::elf::{
    FileHeader as _, Rel as _, Rela as _, SectionHeader as _, SectionTable, Sym as _, SymbolTable,
};
use object::read::{SectionIndex, SymbolIndex};

use crate::model::{
    Binding, Definition, Group, Object, OsAbi, Relocation, RelocationKind, RelocationTarget, Section, SectionId,
    Symbol, SymbolId, SymbolType, Visibility,
};
use crate::room::{Overlap, Room};
use crate::write::SHN_AMDGPU_LDS;

type Header = elf::FileHeader64<Le>;

/// Why a file is not a relocatable object that [`read_object`] understands.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// The file is damaged, or not a 64-bit little-endian ELF file.
    Elf {
        /// The message of the reader of ELF files.
        reason: String,
    },
    /// The file is not relocatable, or not for AMD GPUs.
    Kind,
    /// Something in it has no place in an [`Object`].
    Unsupported {
        /// The kind of thing.
        what: &'static str,
        /// Its number: a type, an index or an operating system.
        number: u64,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elf { reason } => write!(f, "a damaged ELF file: {reason}"),
            Self::Kind => f.write_str("not a relocatable object for AMD GPUs"),
            Self::Unsupported { what, number } => write!(f, "the {what} {number} is not supported"),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<object::read::Error> for ReadError {
    fn from(error: object::read::Error) -> Self {
        Self::Elf { reason: error.to_string() }
    }
}

impl From<Overlap> for ReadError {
    fn from(overlap: Overlap) -> Self {
        Self::Elf { reason: overlap.to_string() }
    }
}

/// Reads a relocatable object, as [`write_object`](crate::write_object) and LLVM write it.
///
/// String tables, symbol tables, relocations and groups are taken apart; section symbols without a name become
/// [`RelocationTarget::Section`]. Sections that refer to symbols by number in their contents, as `SHT_LLVM_ADDRSIG` does, are left
/// out, since symbols are numbered anew.
///
/// # Errors
/// The file is damaged, not a relocatable object for AMD GPUs, or has types of relocations or symbols that AMD GPUs
/// do not have.
pub fn read_object(file: &[u8]) -> Result<Object, ReadError> {
    let header = Header::parse(file)?;
    if header.e_type(Le) != elf::ET_REL || header.e_machine(Le) != elf::EM_AMDGPU {
        return Err(ReadError::Kind);
    }
    let number = header.e_ident().os_abi.0;
    let os_abi = OsAbi::from_number(number).ok_or_else(|| unsupported("operating system interface", number))?;
    let mut object = Object::new(header.e_flags(Le).0, os_abi, header.e_ident().abi_version);
    let sections = header.sections(Le, file)?;
    let table = sections.symbols(Le, file, elf::SHT_SYMTAB)?;
    // Names may share their ends.
    let mut reader =
        Reader { file, sections, table, section_ids: Vec::new(), symbols: Vec::new(), room: Room::of(file) };
    reader.read_sections(&mut object)?;
    reader.read_symbols(&mut object)?;
    reader.read_relocations(&mut object)?;
    reader.read_groups(&mut object)?;
    Ok(object)
}

fn unsupported(what: &'static str, number: impl Into<u64>) -> ReadError {
    ReadError::Unsupported { what, number: number.into() }
}

/// Takes the addend of a relocation from the relocated field, in which [`write_object`](crate::write_object) stores it for systems
/// other than HSA. A branch keeps the distance that stands for addend 0.
fn take_addend(section: &mut Section, offset: u64, kind: RelocationKind) -> Option<i64> {
    let start = usize::try_from(offset).ok()?;
    let field = section.bytes.get_mut(start..start.checked_add(kind.field_size())?)?;
    let mut value = [0; 8];
    value[..field.len()].copy_from_slice(field);
    let unused = 64 - 8 * field.len() as u32;
    let value = i64::from_le_bytes(value) << unused >> unused;
    if kind == RelocationKind::Rel16 {
        field.copy_from_slice(&[0xff, 0xff]);
        return Some(value * 4 + 4);
    }
    field.fill(0);
    Some(value)
}

struct Reader<'a> {
    file: &'a [u8],
    sections: SectionTable<'a, Header>,
    table: SymbolTable<'a, Header>,
    /// The section of the object for each section of the file.
    section_ids: Vec<Option<SectionId>>,
    /// The relocation target that each symbol of the file becomes.
    symbols: Vec<RelocationTarget>,
    /// For contents, names, relocations and groups.
    room: Room,
}

impl Reader<'_> {
    fn id(&self, index: SectionIndex) -> Result<SectionId, ReadError> {
        let id = self.section_ids.get(index.0).copied().flatten();
        id.ok_or_else(|| unsupported("reference to section", index.0 as u64))
    }

    fn read_sections(&mut self, object: &mut Object) -> Result<(), ReadError> {
        const ADDRSIG: elf::SectionType = elf::SectionType(0x6fff_4c03);
        for header in self.sections.iter() {
            let kind = header.sh_type(Le);
            let is_table = matches!(
                kind,
                elf::SHT_NULL
                    | elf::SHT_SYMTAB
                    | elf::SHT_STRTAB
                    | elf::SHT_RELA
                    | elf::SHT_REL
                    | elf::SHT_GROUP
                    | elf::SHT_SYMTAB_SHNDX
                    | ADDRSIG
            );
            self.section_ids.push((!is_table).then_some(SectionId(object.sections.len())));
            if is_table {
                continue;
            }
            let name = String::from_utf8_lossy(self.sections.section_name(Le, header)?).into_owned();
            let mut section = Section::new(name, kind.0, header.sh_flags(Le).0);
            section.align = header.sh_addralign(Le);
            section.entry_size = header.sh_entsize(Le);
            section.size = header.sh_size(Le);
            let bytes = header.data(Le, self.file)?;
            self.room.take(bytes.len() + section.name.len(), "parts")?;
            section.bytes = bytes.to_vec();
            object.sections.push(section);
        }
        let headers = self.sections.iter().zip(self.section_ids.clone());
        for (header, id) in headers {
            if let Some(id) = id
                && header.sh_flags(Le).0 & elf::SHF_LINK_ORDER.0 != 0
                && header.sh_link(Le) != 0
            {
                object.sections[id.0].link = Some(self.id(SectionIndex(header.sh_link(Le) as usize))?);
            }
        }
        Ok(())
    }

    fn read_symbols(&mut self, object: &mut Object) -> Result<(), ReadError> {
        for (index, symbol) in self.table.symbols().iter().enumerate() {
            let section = self.table.symbol_section(Le, symbol, SymbolIndex(index))?;
            let name = String::from_utf8_lossy(self.table.symbol_name(Le, symbol)?).into_owned();
            self.room.take(name.len(), "parts")?;
            if index == 0 {
                self.symbols.push(RelocationTarget::Absolute);
                continue;
            }
            if symbol.st_type() == elf::STT_SECTION {
                let section = section.ok_or_else(|| unsupported("section symbol", index as u64))?;
                // A group may be named by such a symbol; no relocation refers to it.
                let target = self.id(section).map_or(RelocationTarget::Absolute, RelocationTarget::Section);
                self.symbols.push(target);
                continue;
            }
            let definition = match section {
                Some(section) => match self.id(section) {
                    Ok(id) => Definition::Section(id, symbol.st_value(Le)),
                    // The signature of a group, which the group names.
                    Err(_) => {
                        self.symbols.push(RelocationTarget::Absolute);
                        continue;
                    }
                },
                None => match symbol.st_shndx(Le) {
                    elf::SHN_UNDEF => Definition::Undefined,
                    elf::SHN_ABS => Definition::Absolute(symbol.st_value(Le)),
                    elf::SHN_COMMON => Definition::Common { align: symbol.st_value(Le) },
                    SHN_AMDGPU_LDS => Definition::Lds { align: symbol.st_value(Le) },
                    other => return Err(unsupported("index of a section", other.0)),
                },
            };
            self.symbols.push(RelocationTarget::Symbol(SymbolId(object.symbols.len())));
            object.symbols.push(Symbol {
                name,
                definition,
                size: symbol.st_size(Le),
                kind: symbol_type(symbol.st_type())?,
                binding: match symbol.st_bind() {
                    elf::STB_LOCAL => Binding::Local,
                    elf::STB_GLOBAL => Binding::Global,
                    elf::STB_WEAK => Binding::Weak,
                    elf::STB_GNU_UNIQUE => Binding::Unique,
                    other => return Err(unsupported("binding of a symbol", other.0)),
                },
                visibility: match symbol.st_visibility() {
                    elf::STV_INTERNAL => Visibility::Internal,
                    elf::STV_HIDDEN => Visibility::Hidden,
                    elf::STV_PROTECTED => Visibility::Protected,
                    _ => Visibility::Default,
                },
            });
        }
        Ok(())
    }

    fn read_relocations(&mut self, object: &mut Object) -> Result<(), ReadError> {
        for header in self.sections.iter() {
            let with_addend = header.rela(Le, self.file)?.map_or(&[][..], |(relocations, _)| relocations);
            let without = header.rel(Le, self.file)?.map_or(&[][..], |(relocations, _)| relocations);
            self.room.take(size_of_val(with_addend) + size_of_val(without), "parts")?;
            let with_addend = with_addend
                .iter()
                .map(|r| (r.r_offset(Le), r.r_type(Le, false).0, r.r_sym(Le, false), Some(r.r_addend(Le))));
            let without = without.iter().map(|r| (r.r_offset(Le), r.r_type(Le).0, r.r_sym(Le), None));
            for (offset, number, symbol, addend) in with_addend.chain(without) {
                let section = self.id(SectionIndex(header.sh_info(Le) as usize))?;
                let kind = RelocationKind::from_number(number);
                let kind = kind.ok_or_else(|| unsupported("type of relocation", number))?;
                let target = self.symbols.get(symbol as usize).copied();
                let target = target.ok_or_else(|| unsupported("reference to symbol", symbol))?;
                let section = &mut object.sections[section.0];
                let addend = match addend {
                    Some(addend) => addend,
                    None => {
                        take_addend(section, offset, kind).ok_or_else(|| unsupported("relocated offset", offset))?
                    }
                };
                section.relocations.push(Relocation { offset, kind, target, addend });
            }
        }
        Ok(())
    }

    fn read_groups(&mut self, object: &mut Object) -> Result<(), ReadError> {
        for header in self.sections.iter() {
            let Some((flag, members)) = header.group(Le, self.file)? else { continue };
            self.room.take(size_of_val(members), "parts")?;
            let index = SymbolIndex(header.sh_info(Le) as usize);
            let symbol = self.table.symbol(index)?;
            let signature = String::from_utf8_lossy(self.table.symbol_name(Le, symbol)?).into_owned();
            self.room.take(signature.len(), "parts")?;
            let members = members.iter().map(|member| SectionIndex(member.get(Le) as usize));
            // The sections of relocations are members, too.
            let sections = members.filter_map(|member| self.id(member).ok()).collect();
            object.groups.push(Group { signature, comdat: flag == elf::GRP_COMDAT, sections });
        }
        Ok(())
    }
}

fn symbol_type(kind: elf::SymbolType) -> Result<SymbolType, ReadError> {
    Ok(match kind {
        elf::STT_NOTYPE => SymbolType::NoType,
        elf::STT_OBJECT => SymbolType::Object,
        elf::STT_FUNC => SymbolType::Function,
        elf::STT_FILE => SymbolType::File,
        elf::STT_COMMON => SymbolType::Common,
        elf::STT_TLS => SymbolType::Tls,
        elf::STT_GNU_IFUNC => SymbolType::IndirectFunction,
        other => return Err(unsupported("type of a symbol", other.0)),
    })
}
