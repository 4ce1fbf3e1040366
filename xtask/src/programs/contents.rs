//! The parts of a relocatable object that a linker or loader reads, in a form whose differences can be told.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result};
use object::elf::{self, FileHeader64};
use object::read::elf::{FileHeader, Rela as _, SectionHeader as _, Sym as _};
use object::{Endianness, SectionIndex};

/// The most differences that are told of one object.
const TOLD: usize = 12;

/// The contents of an object: the ELF header's fields, and each section that is loaded or a note, each named symbol and each
/// relocation of these sections as a line of text. The order of sections and symbols in the file has no effect.
#[derive(Debug, PartialEq, Eq)]
pub struct Contents {
    header: String,
    /// Sections by name and what else tells them apart; several may be equal in all of it.
    sections: BTreeMap<String, Vec<Vec<u8>>>,
    /// How often each line occurs.
    lines: BTreeMap<String, usize>,
}

impl Contents {
    /// Reads an ELF object.
    pub fn of(file: &[u8]) -> Result<Self> {
        let header = FileHeader64::<Endianness>::parse(file)?;
        let endian = header.endian()?;
        let ident = header.e_ident();
        let mut contents = Self {
            header: format!(
                "e_flags {:#x}, OS ABI {}, ABI version {}, type {}, machine {}",
                header.e_flags(endian),
                ident.os_abi,
                ident.abi_version,
                header.e_type(endian),
                header.e_machine(endian)
            ),
            sections: BTreeMap::new(),
            lines: BTreeMap::new(),
        };
        let sections = header.sections(endian, file)?;
        let symbols = sections.symbols(endian, file, elf::SHT_SYMTAB)?;
        let name_of = |index: SectionIndex| -> Result<String> {
            let section = sections.section(index)?;
            Ok(String::from_utf8_lossy(sections.section_name(endian, section)?).into_owned())
        };
        let is_compared = |index: SectionIndex| -> Result<bool> {
            let section = sections.section(index)?;
            let flags = section.sh_flags(endian);
            Ok(flags.contains(elf::SHF_ALLOC) || section.sh_type(endian) == elf::SHT_NOTE)
        };
        for (index, section) in sections.enumerate() {
            if index.0 == 0 || !is_compared(index)? {
                continue;
            }
            let key = format!(
                "section {:?}: type {:#x}, flags {:#x}, align {}, entsize {}, size {:#x}",
                name_of(index)?,
                section.sh_type(endian),
                section.sh_flags(endian),
                section.sh_addralign(endian),
                section.sh_entsize(endian),
                section.sh_size(endian)
            );
            contents.sections.entry(key).or_default().push(section.data(endian, file)?.to_vec());
        }
        contents.sections.values_mut().for_each(|alike| alike.sort());
        for (index, symbol) in symbols.enumerate() {
            let kind = symbol.st_type();
            if index.0 == 0 || kind == elf::STT_SECTION || kind == elf::STT_FILE {
                continue;
            }
            let place = match symbols.symbol_section(endian, symbol, index)? {
                Some(section) => {
                    let name = name_of(section)?;
                    if is_left_out(&name) {
                        continue;
                    }
                    format!("section {name:?}")
                }
                None => format!("index {:#x}", symbol.st_shndx(endian)),
            };
            contents.line(format!(
                "symbol {:?}: value {:#x}, size {:#x}, type {kind}, binding {}, visibility {}, in {place}",
                String::from_utf8_lossy(symbols.symbol_name(endian, symbol)?),
                symbol.st_value(endian),
                symbol.st_size(endian),
                symbol.st_bind(),
                symbol.st_visibility()
            ));
        }
        for section in sections.iter() {
            // Either kind: only one has an addend, the other has it in the field.
            let (name, relocations) = if let Some((relocations, _)) = section.rela(endian, file)? {
                ("relocation", relocations.to_vec())
            } else if let Some((relocations, _)) = section.rel(endian, file)? {
                ("relocation without addend", relocations.iter().map(|&relocation| relocation.into()).collect())
            } else {
                continue;
            };
            let target = SectionIndex(section.sh_info(endian) as usize);
            if !is_compared(target)? {
                continue;
            }
            let place = name_of(target)?;
            for relocation in relocations {
                let symbol = match relocation.symbol(endian, false) {
                    None => "no symbol".to_string(),
                    Some(index) => {
                        let symbol = symbols.symbol(index)?;
                        if symbol.st_type() == elf::STT_SECTION {
                            let section = symbols.symbol_section(endian, symbol, index)?;
                            format!("section {:?}", name_of(section.context("a section symbol without a section")?)?)
                        } else {
                            format!("{:?}", String::from_utf8_lossy(symbols.symbol_name(endian, symbol)?))
                        }
                    }
                };
                contents.line(format!(
                    "{name} in {place:?} at {:#x}: type {}, {symbol} + {:#x}",
                    relocation.r_offset(endian),
                    relocation.r_type(endian, false),
                    relocation.r_addend(endian)
                ));
            }
        }
        Ok(contents)
    }

    fn line(&mut self, line: String) {
        *self.lines.entry(line).or_default() += 1;
    }

    /// How many bytes the sections hold.
    pub fn size(&self) -> usize {
        self.sections.values().flatten().map(Vec::len).sum()
    }

    /// Lines that say what differs from what LLVM wrote; none if nothing does.
    pub fn differences(&self, llvm: &Self) -> Vec<String> {
        let mut said = Vec::new();
        if self.header != llvm.header {
            said.push(format!("isa: {}; LLVM: {}", self.header, llvm.header));
        }
        for (key, ours) in &self.sections {
            match llvm.sections.get(key) {
                None => said.push(format!("only isa: {key}")),
                Some(theirs) if theirs.len() != ours.len() => {
                    said.push(format!("{} times {key}; LLVM: {} times", ours.len(), theirs.len()));
                }
                Some(theirs) => {
                    said.extend(ours.iter().zip(theirs).filter_map(|(a, b)| Some(format!("{key}: {}", bytes(a, b)?))));
                }
            }
        }
        said.extend(
            llvm.sections.keys().filter(|k| !self.sections.contains_key(*k)).map(|k| format!("only LLVM: {k}")),
        );
        said.extend(only(&self.lines, &llvm.lines).map(|line| format!("only isa: {line}")));
        said.extend(only(&llvm.lines, &self.lines).map(|line| format!("only LLVM: {line}")));
        if said.len() > TOLD {
            let more = said.len() - TOLD;
            said.truncate(TOLD);
            said.push(format!("and {more} more"));
        }
        said
    }
}

/// Sections of the compiler's own and of debuggers, and what is defined in them, are not compared.
fn is_left_out(section: &str) -> bool {
    [".comment", ".llvm_addrsig", ".AMDGPU.", ".debug_"].iter().any(|begin| section.starts_with(begin))
}

/// Lines that occur more often in `these` than in `those`.
fn only<'a>(these: &'a BTreeMap<String, usize>, those: &'a BTreeMap<String, usize>) -> impl Iterator<Item = &'a str> {
    these.iter().filter(|(line, count)| those.get(*line).unwrap_or(&0) < count).map(|(line, _)| line.as_str())
}

/// Says where two strings of bytes differ first.
pub fn bytes(ours: &[u8], llvm: &[u8]) -> Option<String> {
    if ours == llvm {
        return None;
    }
    let at = ours.iter().zip(llvm).position(|(a, b)| a != b).unwrap_or(ours.len().min(llvm.len()));
    let from = at & !3;
    let some = |bytes: &[u8]| {
        let end = bytes.len().min(from + 8);
        let mut text = String::new();
        for byte in bytes.get(from..end).unwrap_or_default() {
            // Writing to a String does not fail.
            let _ = write!(text, "{byte:02x}");
        }
        text
    };
    let count = ours.iter().zip(llvm).filter(|(a, b)| a != b).count();
    Some(format!(
        "{count} bytes differ, sizes {:#x} and {:#x}; at {from:#x} isa {}, LLVM {}",
        ours.len(),
        llvm.len(),
        some(ours),
        some(llvm)
    ))
}
