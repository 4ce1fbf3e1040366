//! [`Object`] to a relocatable ELF file.

use std::collections::HashMap;

use object::Endianness;
use object::elf;
use object::write::StringId;
use object::write::elf::{FileHeader, Rel, SectionHeader, SectionIndex, Sym, SymbolIndex, Writer};

use crate::check::check;
use crate::error::WriteError;
use crate::model::{
    Binding, Definition, Object, OsAbi, RelocationKind, RelocationTarget, Section, Symbol, SymbolType, Visibility,
};

/// `SHN_AMDGPU_LDS`: the section of variables in LDS, whose addresses a linker assigns.
pub const SHN_AMDGPU_LDS: elf::SymbolSection = elf::SymbolSection(0xff00);

/// The largest alignment of a section's contents within the file. A linker reads `sh_addralign`; the place in the file serves
/// readers that map it.
const FILE_ALIGN: u64 = 4096;

/// Writes a relocatable object (`ET_REL`), as `llvm-mc -filetype=obj` does.
///
/// The file holds the sections in the order of [`Object::sections`], a section of relocations after each one that has some, the
/// section groups, and the symbol and string tables. Local symbols precede the others, and both keep their order; a local
/// section symbol is added for each section that a relocation refers to.
///
/// # Errors
/// An index, a name, a size or an alignment that is not sound.
///
/// # Examples
/// ```
/// use amdgpu_object::{Object, OsAbi, Section, write_object};
///
/// let mut object = Object::new(0x41, OsAbi::Hsa, 4); // gfx1100, code object version 6
/// let mut text = Section::new(".text", 1, 6); // SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR
/// text.bytes = vec![0x00, 0x00, 0xb0, 0xbf]; // s_endpgm
/// text.size = 4;
/// text.align = 256;
/// object.sections.push(text);
/// let file = write_object(&object)?;
/// assert_eq!(file[..4], *b"\x7fELF");
/// # Ok::<(), amdgpu_object::WriteError>(())
/// ```
pub fn write_object(object: &Object) -> Result<Vec<u8>, WriteError> {
    check(object)?;
    let with_addends;
    let object = if has_rela(object) {
        object
    } else {
        with_addends = store_addends(object);
        &with_addends
    };
    let mut file = Vec::new();
    let prefix = if has_rela(object) { ".rela" } else { ".rel" };
    let names: Vec<String> = object.sections.iter().map(|section| format!("{prefix}{}", section.name)).collect();
    let mut writer = Writer::new(Endianness::Little, true, &mut file);
    let layout = Layout::reserve(object, &names, &mut writer).map_err(too_large)?;
    layout.write(object, &mut writer).map_err(too_large)?;
    Ok(file)
}

/// Whether relocations hold their addends. As in LLVM, those for systems other than HSA have them in the relocated fields.
fn has_rela(object: &Object) -> bool {
    object.os_abi == OsAbi::Hsa
}

/// The object with the addends of its relocations in the relocated fields.
fn store_addends(object: &Object) -> Object {
    let mut object = object.clone();
    for section in &mut object.sections {
        for relocation in &section.relocations {
            let size = relocation.kind.field_size();
            // A branch counts dwords from its end.
            let is_branch = relocation.kind == RelocationKind::Rel16;
            let value = if is_branch { relocation.addend.wrapping_sub(4) / 4 } else { relocation.addend };
            let field = usize::try_from(relocation.offset).ok().and_then(|start| section.bytes.get_mut(start..));
            if let Some(field) = field.and_then(|field| field.get_mut(..size)) {
                field.copy_from_slice(&value.to_le_bytes()[..size]);
            }
        }
    }
    object
}

fn too_large(error: object::write::Error) -> WriteError {
    WriteError::TooLarge { reason: error.to_string() }
}

/// The section header table and the symbol table of the file, before they are written.
struct Layout<'a> {
    groups: Vec<GroupLayout>,
    sections: Vec<SectionLayout>,
    /// The symbol table after its null symbol.
    symbols: Vec<SymbolLayout<'a>>,
    /// The number of local symbols with the null symbol.
    locals: u32,
    /// The index in the symbol table of each symbol of the object.
    symbol_indices: Vec<u32>,
}

/// The header of a section group.
struct GroupLayout {
    name: StringId,
    index: SectionIndex,
    offset: u64,
    signature: u32,
    /// Members with the sections of their relocations.
    members: Vec<SectionIndex>,
}

/// The headers of a section and of its relocations.
struct SectionLayout {
    name: StringId,
    index: SectionIndex,
    offset: u64,
    rela: Option<RelaLayout>,
    /// The index of the section symbol, if a relocation refers to it.
    symbol: u32,
    grouped: bool,
}

/// The header of a section of relocations.
#[derive(Clone, Copy)]
struct RelaLayout {
    name: StringId,
    index: SectionIndex,
    offset: u64,
}

/// A symbol that has an index.
struct SymbolLayout<'a> {
    source: SymbolSource<'a>,
    name: Option<StringId>,
}

/// Where the symbol of an index comes from.
enum SymbolSource<'a> {
    /// The object's symbols.
    Named(&'a Symbol),
    /// A section that a relocation refers to.
    Section(usize),
    /// A group whose signature names no symbol of the object.
    Group(usize),
}

impl<'a> Layout<'a> {
    fn reserve(object: &'a Object, names: &'a [String], writer: &mut Writer<'a>) -> object::write::Result<Self> {
        writer.reserve_file_header();
        let mut layout = Self {
            groups: Vec::new(),
            sections: Vec::new(),
            symbols: Vec::new(),
            locals: 1,
            symbol_indices: vec![0; object.symbols.len()],
        };
        layout.reserve_indices(object, names, writer);
        layout.reserve_symbols(object, writer);
        for (section, place) in object.sections.iter().zip(&mut layout.sections) {
            place.offset = writer.reserve(section.bytes.len() as u64, section.align.clamp(1, FILE_ALIGN));
        }
        for (section, place) in object.sections.iter().zip(&mut layout.sections) {
            if let Some(rela) = &mut place.rela {
                rela.offset = writer.reserve_relocations(section.relocations.len(), has_rela(object));
            }
        }
        for group in &mut layout.groups {
            group.offset = writer.reserve_comdat(group.members.len());
        }
        writer.reserve_symtab_section_index();
        if writer.symtab_shndx_needed() {
            writer.reserve_symtab_shndx_section_index();
        }
        writer.reserve_strtab_section_index();
        writer.reserve_shstrtab_section_index();
        writer.reserve_symtab();
        writer.reserve_symtab_shndx();
        writer.reserve_strtab()?;
        writer.reserve_shstrtab()?;
        writer.reserve_section_headers();
        Ok(layout)
    }

    /// Numbers the groups, the sections and their relocations. A group precedes its members, as the ELF specification demands.
    fn reserve_indices(&mut self, object: &'a Object, names: &'a [String], writer: &mut Writer<'a>) {
        for _ in &object.groups {
            let name = writer.add_section_name(b".group");
            let index = writer.reserve_section_index();
            self.groups.push(GroupLayout { name, index, offset: 0, signature: 0, members: Vec::new() });
        }
        for (section, rela) in object.sections.iter().zip(names) {
            let name = writer.add_section_name(section.name.as_bytes());
            let index = writer.reserve_section_index();
            let rela = (!section.relocations.is_empty()).then(|| {
                let name = writer.add_section_name(rela.as_bytes());
                RelaLayout { name, index: writer.reserve_section_index(), offset: 0 }
            });
            self.sections.push(SectionLayout { name, index, offset: 0, rela, symbol: 0, grouped: false });
        }
        for (group, place) in object.groups.iter().zip(&mut self.groups) {
            for id in &group.sections {
                let member = &mut self.sections[id.0];
                member.grouped = true;
                place.members.push(member.index);
                place.members.extend(member.rela.map(|rela| rela.index));
            }
        }
    }

    /// Numbers the symbols: local ones, section symbols and signatures of groups, then the others.
    fn reserve_symbols(&mut self, object: &'a Object, writer: &mut Writer<'a>) {
        writer.reserve_null_symbol_index();
        let is_local = |symbol: &Symbol| symbol.binding == Binding::Local;
        for (nth, symbol) in object.symbols.iter().enumerate().filter(|(_, symbol)| is_local(symbol)) {
            self.symbol_indices[nth] = self.reserve_symbol(SymbolSource::Named(symbol), writer).0;
        }
        let mut referred = vec![false; object.sections.len()];
        for relocation in object.sections.iter().flat_map(|section| &section.relocations) {
            if let RelocationTarget::Section(id) = relocation.target {
                referred[id.0] = true;
            }
        }
        for (nth, _) in referred.iter().enumerate().filter(|(_, referred)| **referred) {
            self.sections[nth].symbol = self.reserve_symbol(SymbolSource::Section(nth), writer).0;
        }
        let by_name: HashMap<&str, usize> = if object.groups.is_empty() {
            HashMap::new()
        } else {
            object.symbols.iter().enumerate().map(|(nth, symbol)| (symbol.name.as_str(), nth)).collect()
        };
        let mut added = HashMap::new();
        for (nth, group) in object.groups.iter().enumerate() {
            if !by_name.contains_key(group.signature.as_str()) {
                let index = *added
                    .entry(group.signature.as_str())
                    .or_insert_with(|| self.reserve_symbol(SymbolSource::Group(nth), writer));
                self.groups[nth].signature = index.0;
            }
        }
        self.locals = writer.symbol_count();
        for (nth, symbol) in object.symbols.iter().enumerate().filter(|(_, symbol)| !is_local(symbol)) {
            self.symbol_indices[nth] = self.reserve_symbol(SymbolSource::Named(symbol), writer).0;
        }
        for (group, place) in object.groups.iter().zip(&mut self.groups) {
            if let Some(nth) = by_name.get(group.signature.as_str()) {
                place.signature = self.symbol_indices[*nth];
            }
        }
        for SymbolLayout { source, name } in &mut self.symbols {
            let text = match source {
                SymbolSource::Named(symbol) => symbol.name.as_str(),
                SymbolSource::Section(_) => "",
                SymbolSource::Group(nth) => object.groups[*nth].signature.as_str(),
            };
            *name = (!text.is_empty()).then(|| writer.add_string(text.as_bytes()));
        }
    }

    fn reserve_symbol(&mut self, source: SymbolSource<'a>, writer: &mut Writer<'a>) -> SymbolIndex {
        let section = match &source {
            SymbolSource::Named(Symbol { definition: Definition::Section(id, _), .. }) => {
                Some(self.sections[id.0].index)
            }
            SymbolSource::Named(_) => None,
            SymbolSource::Section(nth) => Some(self.sections[*nth].index),
            SymbolSource::Group(nth) => Some(self.groups[*nth].index),
        };
        self.symbols.push(SymbolLayout { source, name: None });
        writer.reserve_symbol_index(section)
    }

    fn write(&self, object: &'a Object, writer: &mut Writer<'a>) -> object::write::Result<()> {
        writer.write_file_header(&file_header(object, elf::ET_REL))?;
        for (section, place) in object.sections.iter().zip(&self.sections) {
            writer.pad_until(place.offset);
            writer.write(&section.bytes);
        }
        for (section, place) in object.sections.iter().zip(&self.sections) {
            if let Some(rela) = place.rela {
                writer.pad_until(rela.offset);
                self.write_relocations(section, has_rela(object), writer);
            }
        }
        for (group, place) in object.groups.iter().zip(&self.groups) {
            writer.pad_until(place.offset);
            let flag = if group.comdat { elf::GRP_COMDAT.0 } else { 0 };
            writer.write(&flag.to_le_bytes());
            for member in &place.members {
                writer.write_comdat_entry(*member);
            }
        }
        writer.write_null_symbol();
        for symbol in &self.symbols {
            let symbol = self.symbol(symbol, writer);
            writer.write_symbol(&symbol);
        }
        writer.write_symtab_shndx();
        writer.write_strtab();
        writer.write_shstrtab();
        self.write_section_headers(object, writer);
        Ok(())
    }

    fn write_relocations(&self, section: &Section, is_rela: bool, writer: &mut Writer<'a>) {
        for relocation in &section.relocations {
            let r_sym = match relocation.target {
                RelocationTarget::Symbol(id) => self.symbol_indices[id.0],
                RelocationTarget::Section(id) => self.sections[id.0].symbol,
                RelocationTarget::Absolute => 0,
            };
            writer.write_relocation(
                is_rela,
                &Rel {
                    r_offset: relocation.offset,
                    r_sym,
                    r_type: elf::RelocationType(relocation.kind as u32),
                    r_addend: relocation.addend,
                },
            );
        }
    }

    fn symbol(&self, symbol: &SymbolLayout<'_>, writer: &Writer<'_>) -> Sym {
        let st_name = writer.string_offset(symbol.name);
        let defined = |section: SectionIndex, kind| Sym {
            section: Some(section.0),
            st_name,
            st_info: elf::SymbolInfo::new(elf::STB_LOCAL, kind),
            st_other: elf::SymbolOther::default(),
            st_shndx: elf::SHN_UNDEF,
            st_value: 0,
            st_size: 0,
        };
        match symbol.source {
            SymbolSource::Section(nth) => defined(self.sections[nth].index, elf::STT_SECTION),
            SymbolSource::Group(nth) => defined(self.groups[nth].index, elf::STT_NOTYPE),
            SymbolSource::Named(symbol) => {
                let (section, st_shndx, st_value) = match symbol.definition {
                    Definition::Undefined => (None, elf::SHN_UNDEF, 0),
                    Definition::Absolute(value) => (None, elf::SHN_ABS, value),
                    Definition::Section(id, offset) => (Some(self.sections[id.0].index.0), elf::SHN_UNDEF, offset),
                    Definition::Common { align } => (None, elf::SHN_COMMON, align),
                    Definition::Lds { align } => (None, SHN_AMDGPU_LDS, align),
                };
                Sym { section, st_name, st_shndx, st_value, st_size: symbol.size, ..attributes(symbol) }
            }
        }
    }

    fn write_section_headers(&self, object: &'a Object, writer: &mut Writer<'a>) {
        writer.write_null_section_header();
        let symtab = writer.symtab_index();
        for group in &self.groups {
            let (signature, count) = (SymbolIndex(group.signature), group.members.len());
            writer.write_comdat_section_header(group.name, symtab, signature, group.offset, count);
        }
        for (section, place) in object.sections.iter().zip(&self.sections) {
            let group = if place.grouped { elf::SHF_GROUP } else { elf::SectionFlags(0) };
            let header = SectionHeader {
                sh_name: writer.section_name_offset(Some(place.name)),
                sh_type: elf::SectionType(section.kind),
                sh_flags: elf::SectionFlags(section.flags) | group,
                sh_addr: 0,
                sh_offset: place.offset,
                sh_size: section.size,
                sh_link: section.link.map_or(0, |id| self.sections[id.0].index.0),
                sh_info: 0,
                sh_addralign: section.align,
                sh_entsize: section.entry_size,
            };
            writer.write_section_header(&header);
            if let Some(RelaLayout { name, offset, .. }) = place.rela {
                let (sh_type, size) = if has_rela(object) { (elf::SHT_RELA, RELA) } else { (elf::SHT_REL, REL) };
                let header = SectionHeader {
                    sh_name: writer.section_name_offset(Some(name)),
                    sh_type,
                    sh_flags: elf::SHF_INFO_LINK | group,
                    sh_addr: 0,
                    sh_offset: offset,
                    sh_size: (section.relocations.len() * size) as u64,
                    sh_link: symtab.0,
                    sh_info: place.index.0,
                    sh_addralign: 8,
                    sh_entsize: size as u64,
                };
                writer.write_section_header(&header);
            }
        }
        writer.write_symtab_section_header(self.locals);
        writer.write_symtab_shndx_section_header();
        writer.write_strtab_section_header();
        writer.write_shstrtab_section_header();
    }
}

/// Bytes of a relocation with an addend.
const RELA: usize = size_of::<elf::Rela64<Endianness>>();

/// Bytes of a relocation without an addend.
const REL: usize = size_of::<elf::Rel64<Endianness>>();

/// The header of an AMD GPU's ELF file.
pub fn file_header(object: &Object, e_type: elf::FileType) -> FileHeader {
    FileHeader {
        os_abi: elf::OsAbi(object.os_abi.number()),
        abi_version: object.abi_version,
        e_type,
        e_machine: elf::EM_AMDGPU,
        e_entry: 0,
        e_flags: elf::FileFlags(object.flags),
    }
}

/// A symbol's binding, type and visibility; the rest of the entry is zero.
pub fn attributes(symbol: &Symbol) -> Sym {
    let binding = match symbol.binding {
        Binding::Local => elf::STB_LOCAL,
        Binding::Global => elf::STB_GLOBAL,
        Binding::Weak => elf::STB_WEAK,
        Binding::Unique => elf::STB_GNU_UNIQUE,
    };
    let kind = match symbol.kind {
        SymbolType::NoType => elf::STT_NOTYPE,
        SymbolType::Object => elf::STT_OBJECT,
        SymbolType::Function => elf::STT_FUNC,
        SymbolType::Tls => elf::STT_TLS,
        SymbolType::Common => elf::STT_COMMON,
        SymbolType::IndirectFunction => elf::STT_GNU_IFUNC,
        SymbolType::File => elf::STT_FILE,
    };
    let visibility = match symbol.visibility {
        Visibility::Default => elf::STV_DEFAULT,
        Visibility::Internal => elf::STV_INTERNAL,
        Visibility::Hidden => elf::STV_HIDDEN,
        Visibility::Protected => elf::STV_PROTECTED,
    };
    Sym {
        section: None,
        st_name: 0,
        st_info: elf::SymbolInfo::new(binding, kind),
        st_other: elf::SymbolOther::from(visibility),
        st_shndx: elf::SHN_UNDEF,
        st_value: 0,
        st_size: 0,
    }
}

#[cfg(test)]
mod tests;
