//! Relocations of objects and of linked files, as listings print them and as the call graph follows them.

use std::collections::HashMap;

use amdgpu_object::{RelocationKind, printable};
use object::LittleEndian;
use object::elf::{self, FileHeader64, Rela64};
use object::read::elf::{Rela, SectionHeader, SectionTable, Sym, SymbolTable};
use object::read::{SectionIndex, SymbolIndex};

use crate::error::ObjectError;
use crate::file_sections::{FileSections, ListedRelocation, SectionOffset, check_names};

type Header = FileHeader64<LittleEndian>;
type Sections<'a> = SectionTable<'a, Header>;

const LE: LittleEndian = LittleEndian;

/// The part of the addend of a reference from code that is the distance from the end of S_GETPC_B64 to the literal.
const LITERAL: i64 = 4;

/// Reads all relocations, by the index of the section that they change; sorted by offset. Damaged tables have none. `name_factor` is
/// [`Limits::name_factor`](crate::Limits::name_factor).
pub fn read(
    (bytes, name_factor): (&[u8], usize),
    sections: &Sections<'_>,
    is_relocatable: bool,
    image: &FileSections<'_>,
) -> Result<HashMap<usize, Vec<ListedRelocation>>, ObjectError> {
    let mut found: HashMap<usize, Vec<ListedRelocation>> = HashMap::new();
    let mut tables: HashMap<SectionIndex, Option<SymbolTable<'_, Header>>> = HashMap::new();
    let (mut names, mut count) = (0usize, 0usize);
    for header in sections.iter() {
        let Ok(Some((relocations, symbols))) = header.rela(LE, bytes) else { continue };
        count = count.saturating_add(relocations.len());
        if count.saturating_mul(size_of::<Rela64<LittleEndian>>()) > bytes.len() {
            return Err(ObjectError::Damaged("its tables of relocations overlap".into()));
        }
        let symbols = tables.entry(symbols).or_insert_with(|| sections.symbol_table_by_index(LE, bytes, symbols).ok());
        for rela in relocations {
            let place = if is_relocatable {
                usize::try_from(rela.r_offset(LE))
                    .ok()
                    .map(|offset| SectionOffset { section: header.sh_info(LE) as usize, offset })
            } else {
                image.at_address(rela.r_offset(LE))
            };
            let inside =
                |place: &SectionOffset| image.sections.get(place.section).is_some_and(|s| place.offset < s.bytes.len());
            let Some(place) = place.filter(inside) else { continue };
            let (name, target) = match (rela.symbol(LE, false), &symbols) {
                (Some(index), Some(symbols)) => pointee(sections, image, symbols, index, rela),
                (Some(_), None) => (String::new(), None),
                // The addend is the address.
                (None, _) => (String::new(), image.at_address(rela.r_addend(LE).cast_unsigned())),
            };
            names = names.saturating_add(name.len());
            let (number, addend) = (rela.r_type(LE, false).0, rela.r_addend(LE));
            let relocation = ListedRelocation { offset: place.offset, number, name, addend, target };
            found.entry(place.section).or_default().push(relocation);
        }
        check_names(names, bytes.len(), name_factor)?;
    }
    found.values_mut().for_each(|relocations| relocations.sort_by_key(|r| r.offset));
    Ok(found)
}

/// The name of a relocation's symbol, and the place that the relocation points at if it is in this file.
fn pointee(
    sections: &Sections<'_>,
    image: &FileSections<'_>,
    symbols: &SymbolTable<'_, Header>,
    index: SymbolIndex,
    rela: &Rela64<LittleEndian>,
) -> (String, Option<SectionOffset>) {
    let Ok(symbol) = symbols.symbol(index) else { return (String::new(), None) };
    let section = symbols.symbol_section(LE, symbol, index).ok().flatten();
    let header = section.and_then(|section| sections.section(section).ok());
    let place = section.zip(header).and_then(|(section, header)| {
        // Sections of a relocatable object have the address 0.
        let mut distance = symbol.st_value(LE).wrapping_sub(header.sh_addr(LE)).cast_signed();
        // A section's symbol is the start of the section: the addend selects the function in it. A named symbol is the
        // function itself.
        if symbol.st_type() == elf::STT_SECTION {
            let from_code = rela.r_type(LE, false).0 == RelocationKind::Rel32Lo as u32;
            distance = distance.wrapping_add(rela.r_addend(LE)) - if from_code { LITERAL } else { 0 };
        }
        image.at(section.0, distance)
    });
    let name = match header.filter(|_| symbol.st_type() == elf::STT_SECTION) {
        Some(header) => printable(sections.section_name(LE, header).unwrap_or_default()),
        None => printable(symbols.symbol_name(LE, symbol).unwrap_or_default()),
    };
    (name, place)
}
