//! Code objects against those of ld.lld: the same sections and symbols, wherever each linker places them.
//!
//! The relocatable object says which bytes a linker fills. All others must be those of the object, in both files; the filled ones must
//! lead to the same symbol, or to the same bytes.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use object::elf::{self, FileHeader64, Rela64, Sym64};
use object::read::elf::{FileHeader, ProgramHeader as _, Rela as _, SectionHeader as _, Sym as _};
use object::{LittleEndian as Le, SectionIndex};

use crate::process;
use crate::programs::contents::bytes;

/// LLVM's linker.
pub const LLD: &str = "ld.lld-22";
/// How long a linker or reader may take.
const LIMIT: Duration = Duration::from_secs(20);

/// Links an object with ld.lld: the code object, or its messages.
pub fn lld(object: &Path, to: &Path) -> Result<Result<Vec<u8>, String>> {
    let mut command = Command::new(LLD);
    command.args(["-shared", "--no-undefined", "-o"]).arg(to).arg(object);
    match process::output(&mut command, LIMIT)? {
        Some(output) if output.success => Ok(Ok(std::fs::read(to)?)),
        Some(output) => Ok(Err(output.stderr)),
        None => bail!("{LLD} took longer than {} s", LIMIT.as_secs()),
    }
}

/// Returns the complaints of LLVM's tools about a code object.
pub fn complaints(file: &Path) -> Result<Vec<String>> {
    let mut said = Vec::new();
    for (program, option) in [("llvm-readelf-22", "--all"), ("llvm-objdump-22", "-d")] {
        match process::output(Command::new(program).arg(option).arg(file), LIMIT)? {
            Some(output) if output.success && output.stderr.is_empty() => {}
            Some(output) => said.push(format!("{program}: {}", output.stderr.lines().next().unwrap_or("fails"))),
            None => said.push(format!("{program} takes longer than {} s", LIMIT.as_secs())),
        }
    }
    Ok(said)
}

/// A dynamic relocation: its type, the name of its symbol or an empty name, and the addend.
type Filled = (u32, String, i64);

/// The loaded contents of a code object.
struct Image<'a> {
    header: String,
    segments: Vec<(u64, &'a [u8])>,
    notes: Vec<&'a [u8]>,
    /// Exported symbols by name, and what else is said of each but its address.
    exported: BTreeMap<String, String>,
    /// Addresses of symbols, also local ones; none where several have the name.
    addresses: BTreeMap<String, Option<u64>>,
    relocations: BTreeMap<u64, Filled>,
}

impl<'a> Image<'a> {
    fn of(file: &'a [u8]) -> Result<Self> {
        let header = FileHeader64::<Le>::parse(file)?;
        let ident = header.e_ident();
        let mut image = Self {
            header: format!(
                "type {}, e_flags {:#x}, OS ABI {}, ABI version {}",
                header.e_type(Le),
                header.e_flags(Le),
                ident.os_abi,
                ident.abi_version
            ),
            segments: Vec::new(),
            notes: Vec::new(),
            exported: BTreeMap::new(),
            addresses: BTreeMap::new(),
            relocations: BTreeMap::new(),
        };
        for segment in header.program_headers(Le, file)? {
            let data = segment.data(Le, file).ok().context("a segment reaches past the end of the file")?;
            match segment.p_type(Le) {
                elf::PT_LOAD => image.segments.push((segment.p_vaddr(Le), data)),
                elf::PT_NOTE => image.notes.push(data),
                _ => {}
            }
        }
        let sections = header.sections(Le, file)?;
        for kind in [elf::SHT_SYMTAB, elf::SHT_DYNSYM] {
            let symbols = sections.symbols(Le, file, kind)?;
            for symbol in symbols.iter().skip(1) {
                let name = String::from_utf8_lossy(symbols.symbol_name(Le, symbol)?).into_owned();
                let address = symbol.st_value(Le);
                if kind == elf::SHT_DYNSYM {
                    let (size, class, binding) = (symbol.st_size(Le), symbol.st_type(), symbol.st_bind());
                    let (visibility, defined) = (symbol.st_visibility(), !symbol.is_undefined(Le));
                    let said = format!(
                        "size {size:#x}, type {class}, binding {binding}, visibility {visibility}, defined {defined}"
                    );
                    image.exported.insert(name.clone(), said);
                }
                if !symbol.is_undefined(Le) {
                    image
                        .addresses
                        .entry(name)
                        .and_modify(|a| *a = a.filter(|a| *a == address))
                        .or_insert(Some(address));
                }
            }
        }
        let exported = sections.symbols(Le, file, elf::SHT_DYNSYM)?;
        for section in sections.iter() {
            let Some((relocations, _)) = section.rela(Le, file)? else { continue };
            for relocation in relocations {
                let name = match relocation.symbol(Le, false) {
                    Some(index) => {
                        String::from_utf8_lossy(exported.symbol_name(Le, exported.symbol(index)?)?).into_owned()
                    }
                    None => String::new(),
                };
                let filled = (relocation.r_type(Le, false).0, name, relocation.r_addend(Le));
                image.relocations.insert(relocation.r_offset(Le), filled);
            }
        }
        Ok(image)
    }

    fn bytes(&self, address: u64, size: usize) -> Option<&'a [u8]> {
        self.segments.iter().find_map(|(begin, data)| {
            let from = usize::try_from(address.checked_sub(*begin)?).ok()?;
            data.get(from..from.checked_add(size)?)
        })
    }

    fn field(&self, address: u64, size: usize) -> Option<u64> {
        let bytes = self.bytes(address, size)?;
        Some(bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
    }

    /// Describes what the loader writes at an address, independent of the addresses of symbols in this file.
    fn loaded(&self, address: u64) -> String {
        match self.relocations.get(&address) {
            None => "nothing".into(),
            Some((kind, name, addend)) if name.is_empty() => {
                let target = u64::try_from(*addend).ok();
                let symbol = self.addresses.iter().find(|(_, at)| at.is_some() && **at == target);
                format!("type {kind}, {}", symbol.map_or("an address", |(name, _)| name))
            }
            Some((kind, name, addend)) => format!("type {kind}, {name} + {addend:#x}"),
        }
    }
}

/// A section of the relocatable object, with its address in both images; `None` if no symbol names a part of it, or if it
/// holds strings, which linkers merge and reorder.
struct Section<'a> {
    name: String,
    bytes: &'a [u8],
    relocations: &'a [Rela64<Le>],
    holds_strings: bool,
    at: Option<[u64; 2]>,
}

impl Section<'_> {
    /// The string at an offset, with its terminator.
    fn string(&self, offset: u64) -> Option<&[u8]> {
        let rest = self.bytes.get(usize::try_from(offset).ok()?..)?;
        rest.get(..=rest.iter().position(|byte| *byte == 0)?)
    }
}

/// Lines that say what differs between two code objects that were linked from `object`.
pub fn differences(ours: &[u8], lld: &[u8], object: &[u8]) -> Result<Vec<String>> {
    let images = [Image::of(ours)?, Image::of(lld)?];
    let mut said = Vec::new();
    let [ours, theirs] = &images;
    if ours.header != theirs.header {
        said.push(format!("isa: {}; lld: {}", ours.header, theirs.header));
    }
    if ours.notes != theirs.notes {
        said.push("the notes differ".into());
    }
    for (name, what) in &ours.exported {
        match theirs.exported.get(name) {
            Some(other) if other == what => {}
            other => said.push(format!("symbol {name:?}: isa {what}; lld {}", other.map_or("none", String::as_str))),
        }
    }
    // The table of ld.lld also has undefined symbols that only debug information names.
    // An undefined symbol that code or data refers to is an error in both; one that debug information refers to is exported by lld.
    let alone = theirs
        .exported
        .keys()
        .filter(|name| theirs.addresses.contains_key(*name) && !ours.exported.contains_key(*name));
    said.extend(alone.map(|name| format!("lld alone exports {name:?}")));

    let header = FileHeader64::<Le>::parse(object)?;
    let sections = header.sections(Le, object)?;
    let symbols = sections.symbols(Le, object, elf::SHT_SYMTAB)?;
    let mut placed: BTreeMap<usize, Section<'_>> = BTreeMap::new();
    for (index, section) in sections.enumerate() {
        if section.sh_flags(Le).contains(elf::SHF_ALLOC) {
            let name = String::from_utf8_lossy(sections.section_name(Le, section)?).into_owned();
            let holds_strings = section.sh_flags(Le).contains(elf::SHF_MERGE | elf::SHF_STRINGS);
            let bytes = section.data(Le, object)?;
            placed.insert(index.0, Section { name, bytes, relocations: &[], holds_strings, at: None });
        }
    }
    for section in sections.iter() {
        if let (Some((relocations, _)), Some(to)) =
            (section.rela(Le, object)?, placed.get_mut(&(section.sh_info(Le) as usize)))
        {
            to.relocations = relocations;
        }
    }
    for (index, symbol) in symbols.enumerate() {
        let section = symbols.symbol_section(Le, symbol, index)?;
        let Some(section) = section.and_then(|section: SectionIndex| placed.get_mut(&section.0)) else { continue };
        if section.holds_strings {
            said.extend(merged(&images, &String::from_utf8_lossy(symbols.symbol_name(Le, symbol)?), section, symbol));
            continue;
        }
        let name = String::from_utf8_lossy(symbols.symbol_name(Le, symbol)?);
        let base = |image: &Image<'_>| image.addresses.get(&*name).copied().flatten()?.checked_sub(symbol.st_value(Le));
        if let (None, Some(ours), Some(theirs)) = (section.at, base(ours), base(theirs)) {
            section.at = Some([ours, theirs]);
        }
    }
    for section in placed.values() {
        let Some(at) = section.at else { continue };
        let mut filled: Vec<(usize, usize)> = Vec::new();
        for relocation in section.relocations {
            let kind = relocation.r_type(Le, false).0;
            let offset = usize::try_from(relocation.r_offset(Le))?;
            filled.push((offset, width(kind)));
            let target = match relocation.symbol(Le, false) {
                None => Target { name: None, at: Some([0; 2]) },
                Some(index) => {
                    let symbol = symbols.symbol(index)?;
                    let name = String::from_utf8_lossy(symbols.symbol_name(Le, symbol)?).into_owned();
                    let own = symbols.symbol_section(Le, symbol, index)?.and_then(|s| placed.get(&s.0)?.at);
                    let from_section = own.map(|bases| bases.map(|base| base.wrapping_add(symbol.st_value(Le))));
                    let by_name =
                        || Some([ours.addresses.get(&name).copied()??, theirs.addresses.get(&name).copied()??]);
                    let weak = (symbol.is_undefined(Le) && symbol.st_bind() == elf::STB_WEAK).then_some([0; 2]);
                    Target { at: from_section.or_else(by_name).or(weak), name: (!name.is_empty()).then_some(name) }
                }
            };
            let place = format!("relocation of type {kind} in {:?} at {offset:#x}", section.name);
            let at = at.map(|base| base + offset as u64);
            said.extend(
                wrong(&images, at, kind, relocation.r_addend(Le), &target).map(|what| format!("{place}: {what}")),
            );
        }
        let mut expected = section.bytes.to_vec();
        for (image, (base, name)) in images.iter().zip(at.into_iter().zip(["isa", "lld"])) {
            let Some(found) = image.bytes(base, expected.len()) else {
                // Sections without contents are beyond the file's bytes.
                continue;
            };
            for (from, size) in &filled {
                if let (Some(to), Some(from)) = (expected.get_mut(*from..from + size), found.get(*from..from + size)) {
                    to.copy_from_slice(from);
                }
            }
            said.extend(
                bytes(found, &expected)
                    .map(|what| format!("{name}, section {:?} against the object: {what}", section.name)),
            );
        }
    }
    said.truncate(12);
    Ok(said)
}

/// Says what is wrong with the string that a symbol names, wherever a linker places it.
fn merged(images: &[Image<'_>; 2], name: &str, section: &Section<'_>, symbol: &Sym64<Le>) -> Option<String> {
    let string = section.string(symbol.st_value(Le))?;
    images.iter().zip(["isa", "lld"]).find_map(|(image, program)| {
        let address = image.addresses.get(name).copied().flatten()?;
        let found = image.bytes(address, string.len());
        (found != Some(string)).then(|| format!("{program} has {found:02x?} at {name:?}, not {string:02x?}"))
    })
}

/// The target of a relocation, and its address in both images.
struct Target {
    name: Option<String>,
    at: Option<[u64; 2]>,
}

/// How many bytes a relocation fills.
fn width(kind: u32) -> usize {
    match kind {
        3 | 5 | 13 => 8,
        14 => 2,
        _ => 4,
    }
}

/// Says what is wrong with a field that a linker filled. `at` is its address in both images.
fn wrong(images: &[Image<'_>; 2], at: [u64; 2], kind: u32, addend: i64, target: &Target) -> Option<String> {
    let [Some(ours), Some(theirs)] = [0, 1].map(|i| images[i].field(at[i], width(kind))) else {
        return Some("the field is not in both files".into());
    };
    let fields = [ours, theirs];
    // The global offset table's entry.
    if matches!(kind, 7..=9) {
        if kind == 9 {
            return None;
        }
        let entries =
            [0, 1].map(|i| u64::from((fields[i] as u32).wrapping_add(at[i] as u32).wrapping_sub(addend as u32)));
        // ld.lld leaves an undefined weak symbol to the loader, which has nothing to put there; `isa` writes 0.
        if target.at == Some([0; 2]) && images[0].field(entries[0], 8) == Some(0) {
            return None;
        }
        let [ours, theirs] = [0, 1].map(|i| images[i].loaded(entries[i]));
        return (ours != theirs).then(|| format!("isa's entry of the offset table loads {ours}; lld's {theirs}"));
    }
    let loaded = [0, 1].map(|i| images[i].loaded(at[i]));
    if loaded[0] != loaded[1] {
        return Some(format!("isa has the loader write {}; lld {}", loaded[0], loaded[1]));
    }
    let Some(addresses) = target.at else {
        // Nothing there has a name: what is there must be the same.
        let there = [0, 1].map(|i| {
            let value = match kind {
                10 | 4 => u64::from((fields[i] as u32).wrapping_add(at[i] as u32)),
                5 => fields[i].wrapping_add(at[i]),
                _ => return None,
            };
            images[i].bytes(value.wrapping_sub(addend as u64).wrapping_add(addend.max(0) as u64), 4)
        });
        return (there[0] != there[1]).then(|| format!("refers to {:02x?}; lld's to {:02x?}", there[0], there[1]));
    };
    let expected = [0, 1].map(|i| {
        let absolute = addresses[i].wrapping_add(addend as u64);
        let relative = absolute.wrapping_sub(at[i]);
        match kind {
            1 | 6 => absolute & 0xffff_ffff,
            2 => absolute >> 32,
            // Written by the loader, or 0 for a weak symbol that nothing defines.
            3 => fields[i],
            4 | 10 => relative & 0xffff_ffff,
            5 => relative,
            11 => relative >> 32,
            14 => (relative.wrapping_sub(4) as i64 / 4) as u64 & 0xffff,
            _ => fields[i],
        }
    });
    let name = target.name.as_deref().unwrap_or("a section");
    if fields[1] != expected[1] {
        return Some(format!(
            "lld has {:#x} for {name}, and {:#x} is expected: the comparison is wrong",
            fields[1], expected[1]
        ));
    }
    (fields[0] != expected[0]).then(|| format!("isa has {:#x} for {name}, not {:#x}", fields[0], expected[0]))
}
