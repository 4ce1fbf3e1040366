//! AMD's code objects: ELF files with kernels, as compilers and linkers write them.

use std::cell::LazyCell;
use std::collections::HashMap;
use std::fmt;

use amdgpu_arch::{Arch, Wave};
use amdgpu_object::{CodeObject, Kernel, KernelDescriptor, LoadError, OsAbi, printable};
use object::LittleEndian;
use object::elf::{self, FileHeader64, SectionHeader64, Sym64};
use object::read::elf::{FileHeader, SectionHeader, SectionTable, Sym, SymbolTable};
use object::read::{SectionIndex, SymbolIndex};

use crate::entry_points::EntryPoints;
use crate::error::ObjectError;
use crate::file_sections::{FileSections, SectionContent, check_names};
use crate::options::Limits;
use crate::relocations;
use crate::section::{CodeSection, WaveSizes};
use crate::symbol::{CodeSymbol, SymbolKind, WaveRule, WaveSource};
use crate::wave_sizes;

type Header = FileHeader64<LittleEndian>;
type Le = LittleEndian;

const LE: Le = LittleEndian;

/// A code object, or a relocatable object, whose header is sound.
#[derive(Debug)]
pub struct ObjectFile<'a> {
    bytes: &'a [u8],
    header: &'a Header,
    sections: SectionTable<'a, Header>,
    limits: Limits,
}

impl<'a> ObjectFile<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// The kind of file that it is instead, if it is known, or what is damaged.
    pub fn parse(bytes: &'a [u8], limits: &Limits) -> Result<Self, ObjectError> {
        check_format(bytes)?;
        let header = Header::parse(bytes).map_err(damaged)?;
        let (start, count) = (header.e_shoff(LE), u64::from(header.e_shnum(LE)));
        let end = start.saturating_add(count * u64::from(header.e_shentsize(LE)));
        if end > bytes.len() as u64 {
            return Err(truncated("the section headers", end, bytes));
        }
        let sections = header.sections(LE, bytes).map_err(damaged)?;
        let object = Self { bytes, header, sections, limits: *limits };
        // Names that are not in the file would be left out without a word.
        for header in object.sections.iter().filter(|header| header.sh_type(LE) == elf::SHT_STRTAB) {
            object.section_bytes(header, &object.name(header))?;
        }
        Ok(object)
    }

    /// Returns the name of the processor in the header, or its number if it is unknown.
    #[must_use]
    pub fn processor(&self) -> String {
        match amdgpu_arch::processor(self.flags()) {
            Ok(processor) => processor.name.to_owned(),
            Err(number) => format!("processor number 0x{number:02x}"),
        }
    }

    /// Returns the instruction set, from `e_flags`.
    ///
    /// # Errors
    /// The processor is unknown, or has a set that this project does not read.
    pub fn arch(&self) -> Result<Arch, ObjectError> {
        match amdgpu_arch::processor(self.flags()) {
            Ok(processor) => processor.arch.ok_or(ObjectError::Unsupported(processor)),
            Err(0) => Err(ObjectError::NoProcessor),
            Err(number) => Err(ObjectError::UnknownProcessor(number)),
        }
    }

    /// Returns the instruction set to read the code with: for a file of which the caller says that it is of the set `wanted`, that one; for
    /// an image that `wanted` has chosen, that of `e_flags`, and `wanted` if they name no supported processor.
    ///
    /// # Errors
    /// As [`arch`](Self::arch).
    pub fn arch_or(&self, wanted: Option<Arch>, is_file: bool) -> Result<Arch, ObjectError> {
        match (wanted, self.arch()) {
            (Some(wanted), _) if is_file => Ok(wanted),
            (Some(wanted), Err(_)) => Ok(wanted),
            (_, arch) => arch,
        }
    }

    /// Returns the executable sections, in the file's order. `arch` is the instruction set, `wave` the wave size of all code if the caller
    /// gives one.
    ///
    /// # Errors
    /// The file is damaged, or holds no code.
    pub fn sections(&self, arch: Arch, wave: Option<Wave>) -> Result<Vec<CodeSection<'a>>, ObjectError> {
        let mut image = self.image()?;
        let default = match wave {
            Some(wave) if arch.is_rdna() => {
                wave_sizes::assign_all(&mut image, wave, &WaveRule::Given);
                wave
            }
            _ => wave_sizes::assign(&mut image, arch),
        };
        let mut found = Vec::new();
        for (header, content) in self.sections.iter().zip(image.sections) {
            if content.is_executable {
                found.push(CodeSection::new(self.name(header), arch, content, WaveSizes { default, given: wave }));
            }
        }
        if found.is_empty() {
            return Err(ObjectError::NoCode);
        }
        if found.iter().all(|section| section.bytes.is_empty()) {
            return Err(ObjectError::EmptySections(found.into_iter().map(|section| section.name).collect()));
        }
        Ok(found)
    }

    /// Returns the kernels with their descriptors and metadata. Their addresses are those of a code object that is loaded at 0.
    ///
    /// # Errors
    /// The file cannot be loaded.
    pub fn kernels(&self) -> Result<Vec<Kernel>, LoadError> {
        Ok(CodeObject::load_within(self.bytes, 0, self.limits.objects)?.kernels)
    }

    /// Returns the number of kernels: of symbols that name a descriptor.
    ///
    /// # Errors
    /// The table of symbols is damaged.
    pub fn kernel_count(&self) -> Result<usize, ObjectError> {
        let table = self.symbol_table()?;
        Ok(self.places(&table).iter().filter(|place| place.kernel().is_some()).count())
    }

    /// All sections with their symbols and relocations, by index. The wave sizes of functions are not yet known.
    fn image(&self) -> Result<FileSections<'a>, ObjectError> {
        let table = self.symbol_table()?;
        let mut symbols = self.symbols(&table)?;
        let mut sections = Vec::with_capacity(self.sections.len());
        let mut room = self.bytes.len();
        for (index, header) in self.sections.enumerate() {
            let is_executable = executable(header);
            let has_bytes = is_executable || header.sh_flags(LE).0 & elf::SHF_ALLOC.0 != 0;
            let bytes = match self.section_bytes(header, &self.name(header)) {
                Ok(bytes) if has_bytes => bytes,
                Err(error) if is_executable => return Err(error),
                _ => &[],
            };
            if is_executable {
                // A small file could otherwise make a listing without an end.
                room = room.checked_sub(bytes.len()).ok_or_else(|| damaged("its executable sections overlap"))?;
            }
            let mut symbols = symbols.remove(&index).unwrap_or_default();
            symbols.sort_by(|a, b| (a.offset, &a.name).cmp(&(b.offset, &b.name)));
            symbols.dedup();
            let address = header.sh_addr(LE);
            sections.push(SectionContent { address, bytes, is_executable, symbols, relocations: Vec::new() });
        }
        let mut image = FileSections::new(sections, !self.is_relocatable());
        let mut relocations =
            relocations::read((self.bytes, self.limits.name_factor), &self.sections, self.is_relocatable(), &image)?;
        for (index, section) in image.sections.iter_mut().enumerate() {
            section.relocations = relocations.remove(&index).unwrap_or_default();
        }
        Ok(image)
    }

    fn flags(&self) -> u32 {
        self.header.e_flags(LE).0
    }

    /// Returns whether its code may be parts of shaders, which a driver joins: objects of any system but HSA. LLVM states no system
    /// (`ELFOSABI_NONE`) for triples such as `amdgcn`.
    #[must_use]
    pub fn has_shader_parts(&self) -> bool {
        self.is_relocatable() && self.os_abi() != Some(OsAbi::Hsa)
    }

    fn os_abi(&self) -> Option<OsAbi> {
        OsAbi::from_number(self.header.e_ident().os_abi.0)
    }

    fn is_relocatable(&self) -> bool {
        self.header.e_type(LE) == elf::ET_REL
    }

    fn name(&self, header: &SectionHeader64<Le>) -> String {
        // A nameless section can still be listed.
        let name = self.sections.section_name(LE, header).unwrap_or_default();
        printable(name)
    }

    fn section_bytes(&self, header: &SectionHeader64<Le>, name: &str) -> Result<&'a [u8], ObjectError> {
        header.data(LE, self.bytes).map_err(|_| {
            let end = header.sh_offset(LE).saturating_add(header.sh_size(LE));
            truncated(&format!("section {name}"), end, self.bytes)
        })
    }

    /// The table of symbols. A linked file may keep only the one for the dynamic linker.
    fn symbol_table(&self) -> Result<SymbolTable<'a, Header>, ObjectError> {
        let table = |kind| self.sections.symbols(LE, self.bytes, kind).map_err(damaged);
        let full = table(elf::SHT_SYMTAB)?;
        if full.is_empty() { table(elf::SHT_DYNSYM) } else { Ok(full) }
    }

    /// The symbols of each section that a listing shows.
    fn symbols(&self, table: &SymbolTable<'a, Header>) -> Result<HashMap<SectionIndex, Vec<CodeSymbol>>, ObjectError> {
        let places = self.places(table);
        let name_bytes = places.iter().fold(0usize, |sum, place| sum.saturating_add(place.name.len()));
        check_names(name_bytes, self.bytes.len(), self.limits.name_factor)?;
        let kernels = self.kernel_waves(&places);
        // Reading it takes as long as listing a tenth of the code, and kernels with a descriptor do not need it.
        let metadata = LazyCell::new(|| self.metadata());
        let mut by_section: HashMap<SectionIndex, Vec<CodeSymbol>> = HashMap::new();
        for place in places {
            let Ok(offset) = usize::try_from(place.offset) else {
                continue;
            };
            let name = printable(place.name);
            let descriptor =
                kernels.by_name.get(place.name).or_else(|| kernels.by_entry.get(&(place.section, place.offset)));
            let is_code = place.symbol.st_type() != elf::STT_OBJECT && executable(place.header);
            let documented = || if is_code { metadata.get(&name) } else { None };
            let kind = match (place.symbol.st_type(), descriptor) {
                _ if place.kernel().is_some() => SymbolKind::Descriptor(place.size()),
                (elf::STT_OBJECT, _) => SymbolKind::Data(place.size()),
                // LLVM writes no descriptor for MIR without a function of IR: the symbol is as large as the code then.
                (STT_AMDGPU_HSA_KERNEL, _)
                    if is_code
                        && self.os_abi() == Some(OsAbi::Mesa3d)
                        && matches!(place.size(), 0 | MESA_DESCRIPTOR..) =>
                {
                    SymbolKind::Descriptor(MESA_DESCRIPTOR)
                }
                (_, Some(wave)) => SymbolKind::Kernel(*wave, WaveSource::Descriptor),
                (kind, None) => match documented() {
                    Some((wave, source)) => SymbolKind::Kernel(wave, source),
                    // A rule decides on the wave size when all symbols are known.
                    None if kind == elf::STT_FUNC => SymbolKind::Function(Wave::W32, WaveRule::Unknown),
                    None => SymbolKind::Label,
                },
            };
            by_section.entry(place.section).or_default().push(CodeSymbol { offset, name, kind });
        }
        Ok(by_section)
    }

    /// The entry points in the metadata notes.
    fn metadata(&self) -> EntryPoints {
        let mut found = EntryPoints::default();
        // Notes of a damaged file may overlap.
        let mut room = self.bytes.len() as u64;
        for header in self.sections.iter() {
            let Ok(Some(notes)) = header.notes(LE, self.bytes) else { continue };
            let Some(left) = room.checked_sub(header.sh_size(LE)) else { break };
            room = left;
            found.add_notes(notes);
        }
        found
    }

    /// The symbols that name a place in a section.
    fn places(&self, table: &SymbolTable<'a, Header>) -> Vec<Place<'a>> {
        let mut places = Vec::new();
        for (i, symbol) in table.symbols().iter().enumerate() {
            let kind = symbol.st_type();
            if kind == elf::STT_SECTION || kind == elf::STT_FILE {
                continue;
            }
            let section = table.symbol_section(LE, symbol, SymbolIndex(i));
            let (Ok(Some(section)), Ok(name)) = (section, table.symbol_name(LE, symbol)) else {
                continue;
            };
            let Ok(header) = self.sections.section(section) else {
                continue;
            };
            if name.is_empty() || name.starts_with(DYNAMIC_VGPRS) {
                continue;
            }
            let value = symbol.st_value(LE);
            let offset = if self.is_relocatable() { value } else { value.wrapping_sub(header.sh_addr(LE)) };
            places.push(Place { name, section, header, offset, symbol });
        }
        places
    }

    /// The wave size of each kernel that has a descriptor.
    fn kernel_waves(&self, places: &[Place<'a>]) -> Kernels<'a> {
        let mut kernels = Kernels::default();
        let code = self.sections.enumerate().filter(|(_, header)| executable(header));
        let mut code: Vec<_> = code.map(|(index, header)| (header.sh_addr(LE), header.sh_size(LE), index)).collect();
        code.sort_unstable_by_key(|(address, ..)| *address);
        for place in places {
            let Some(name) = place.kernel() else { continue };
            let Some(descriptor) = self.descriptor(place) else {
                continue;
            };
            kernels.by_name.insert(name, wave(&descriptor));
            // In a relocatable object the linker has yet to write the entry; there the name alone tells.
            if self.is_relocatable() {
                continue;
            }
            let at = place.header.sh_addr(LE).wrapping_add(place.offset);
            let entry = at.wrapping_add_signed(descriptor.entry_offset());
            // Sections that are loaded do not overlap: the last one that begins at or before the entry has it, or none.
            let before = code.partition_point(|(address, ..)| *address <= entry);
            if let Some((address, size, index)) = before.checked_sub(1).and_then(|at| code.get(at))
                && entry - address < *size
            {
                kernels.by_entry.insert((*index, entry - address), wave(&descriptor));
            }
        }
        kernels
    }

    fn descriptor(&self, place: &Place<'a>) -> Option<KernelDescriptor> {
        let bytes = place.header.data(LE, self.bytes).ok()?;
        let bytes = bytes.get(usize::try_from(place.offset).ok()?..)?;
        Some(KernelDescriptor::from_bytes(bytes.first_chunk()?))
    }
}

/// The prefix of LLVM's second symbol for a function that waves enter with dynamic VGPRs. Bits 5 to 3 of its value hold the number of blocks
/// of VGPRs less one, so it may point into an instruction.
const DYNAMIC_VGPRS: &[u8] = b"_dvgpr$";

/// The type of the symbols of Mesa's kernels, which `.amdgpu_hsa_kernel` sets; other systems have another meaning for its number. The
/// code follows a descriptor.
const STT_AMDGPU_HSA_KERNEL: elf::SymbolType = elf::STT_GNU_IFUNC;
/// The size of that descriptor, `amd_kernel_code_t`.
const MESA_DESCRIPTOR: usize = 256;

/// A symbol and its place.
struct Place<'a> {
    name: &'a [u8],
    section: SectionIndex,
    header: &'a SectionHeader64<Le>,
    /// From the section's start.
    offset: u64,
    symbol: &'a Sym64<Le>,
}

impl<'a> Place<'a> {
    /// The kernel that this is the descriptor of, by its name. Hand-written ones may lack the type of an object.
    fn kernel(&self) -> Option<&'a [u8]> {
        let name = self.name.strip_suffix(b".kd")?;
        (self.symbol.st_type() != elf::STT_FUNC).then_some(name)
    }

    /// The number of bytes it names; a descriptor always has its 64.
    fn size(&self) -> usize {
        let size = usize::try_from(self.symbol.st_size(LE)).unwrap_or(usize::MAX);
        if self.kernel().is_some() { size.max(KernelDescriptor::SIZE) } else { size }
    }
}

/// Wave sizes of kernels by their symbol, and by the place that their descriptor points at.
#[derive(Default)]
struct Kernels<'a> {
    by_name: HashMap<&'a [u8], Wave>,
    by_entry: HashMap<(SectionIndex, u64), Wave>,
}

/// The wave size that a kernel's descriptor selects. The bit is 0 on processors without a choice, whose waves have 64 work-items.
fn wave(descriptor: &KernelDescriptor) -> Wave {
    if descriptor.wavefront_size32() { Wave::W32 } else { Wave::W64 }
}

fn executable(header: &SectionHeader64<Le>) -> bool {
    header.sh_type(LE) != elf::SHT_NOBITS && header.sh_flags(LE).0 & elf::SHF_EXECINSTR.0 != 0
}

fn damaged(why: impl fmt::Display) -> ObjectError {
    ObjectError::Damaged(why.to_string())
}

fn truncated(part: &str, end: u64, bytes: &[u8]) -> ObjectError {
    ObjectError::Truncated { part: part.into(), end, size: bytes.len() }
}

/// Refuses files that are not AMD code objects.
///
/// # Errors
/// The kind of the file.
pub fn check_format(bytes: &[u8]) -> Result<(), ObjectError> {
    if bytes.starts_with(b"BC\xc0\xde") {
        return Err(ObjectError::Bitcode);
    }
    if bytes.is_empty() {
        return Err(ObjectError::Empty);
    }
    if !bytes.starts_with(&elf::ELFMAG) {
        return Err(ObjectError::NotElf);
    }
    let header = size_of::<Header>() as u64;
    // The class, the byte order and the machine are at the same offsets in every ELF file.
    let (Some(&class), Some(&order), Some(machine)) = (bytes.get(4), bytes.get(5), bytes.get(18..20)) else {
        return Err(truncated("the ELF header", header, bytes));
    };
    let pair = [machine[0], machine[1]];
    let machine = if order == elf::ELFDATA2MSB.0 { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) };
    if machine != elf::EM_AMDGPU.0 {
        return Err(ObjectError::OtherMachine(machine));
    }
    if class != elf::ELFCLASS64.0 || order != elf::ELFDATA2LSB.0 {
        return Err(damaged("AMD's code objects are 64-bit and little-endian"));
    }
    if (bytes.len() as u64) < header {
        return Err(truncated("the ELF header", header, bytes));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_named() {
        let what = |bytes: &[u8]| check_format(bytes).unwrap_err().to_string();
        assert!(what(b"").contains("empty"));
        assert!(what(b"int main() {}").contains("not an ELF file"));
        assert!(what(b"\x7fELF").contains("truncated"));
        assert!(what(b"BC\xc0\xde").contains("bitcode"));
        let mut elf = [0; 64];
        elf[..6].copy_from_slice(b"\x7fELF\x02\x01");
        elf[18] = 62;
        assert_eq!(what(&elf), "an ELF file for x86-64, not for AMD GPUs, and no code for them is in it");
        elf[5] = 2;
        elf[18..20].copy_from_slice(&[0, 21]);
        assert!(what(&elf).contains("for PowerPC"));
        elf[18..20].copy_from_slice(&[0, 224]);
        assert!(what(&elf).contains("damaged"));
    }
}
