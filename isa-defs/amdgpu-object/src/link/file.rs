//! The linked file: headers, contents and the symbol table.

use object::Endianness;
use object::elf;
use object::write::StringId;
use object::write::elf::{SectionHeader, SectionIndex, Sym, Writer};

use crate::model::{Object, Symbol};
use crate::write::file_header;

use super::LinkError;
use super::layout::FileLayout;
use super::output::Output;
use super::plan::value;
use super::symbols::{Meaning, attributes, is_kept, is_visible};

/// A symbol of the symbol table, which serves debuggers and disassemblers.
struct Entry<'a> {
    symbol: &'a Symbol,
    meaning: Meaning,
    name: StringId,
}

/// Writes the file.
pub fn write(
    object: &Object,
    meanings: &[Meaning],
    outputs: &[Output],
    layout: &FileLayout,
) -> Result<Vec<u8>, LinkError> {
    let mut file = Vec::new();
    let mut writer = Writer::new(Endianness::Little, true, &mut file);
    let too_large = |error: object::write::Error| LinkError::TooLarge { reason: error.to_string() };
    write_parts(object, meanings, outputs, layout, &mut writer).map_err(too_large)?;
    Ok(file)
}

fn write_parts<'a>(
    object: &'a Object,
    meanings: &[Meaning],
    outputs: &'a [Output],
    layout: &FileLayout,
    writer: &mut Writer<'a>,
) -> object::write::Result<()> {
    writer.reserve_file_header();
    writer.reserve_program_headers(layout.segments.len() as u32);
    let mut names = Vec::new();
    for nth in &layout.order {
        let output = &outputs[*nth];
        names.push(writer.add_section_name(output.name.as_bytes()));
        writer.reserve_section_index();
        if !output.bytes.is_empty() {
            writer.reserve_until(output.offset);
            writer.reserve(output.bytes.len() as u64, 1);
        }
    }
    let entries = symbols(object, meanings, writer);
    writer.reserve_symtab_section_index();
    writer.reserve_strtab_section_index();
    writer.reserve_shstrtab_section_index();
    writer.reserve_symtab();
    writer.reserve_strtab()?;
    writer.reserve_shstrtab()?;
    writer.reserve_section_headers();

    writer.write_file_header(&file_header(object, elf::ET_DYN))?;
    writer.write_align_program_headers();
    for segment in &layout.segments {
        writer.write_program_header(segment);
    }
    for output in layout.order.iter().map(|nth| &outputs[*nth]).filter(|output| !output.bytes.is_empty()) {
        writer.pad_until(output.offset);
        writer.write(&output.bytes);
    }
    writer.write_null_symbol();
    for entry in &entries {
        let symbol = table_entry(entry, outputs, writer);
        writer.write_symbol(&symbol);
    }
    writer.write_strtab();
    writer.write_shstrtab();
    writer.write_null_section_header();
    for (nth, name) in layout.order.iter().zip(names) {
        let output = &outputs[*nth];
        let header = SectionHeader {
            sh_name: writer.section_name_offset(Some(name)),
            sh_type: elf::SectionType(output.kind),
            sh_flags: elf::SectionFlags(output.flags),
            sh_addr: output.address,
            sh_offset: output.offset,
            sh_size: output.size,
            sh_link: output.link.map_or(0, |nth| outputs[nth].index),
            sh_info: output.info,
            sh_addralign: output.align,
            sh_entsize: output.entry_size,
        };
        writer.write_section_header(&header);
    }
    let locals = entries.iter().filter(|entry| !is_visible(entry.symbol)).count() as u32;
    writer.write_symtab_section_header(locals + 1);
    writer.write_strtab_section_header();
    writer.write_shstrtab_section_header();
    Ok(())
}

/// The symbols that the table keeps: those that are not visible outside become local and precede the others.
fn symbols<'a>(object: &'a Object, meanings: &[Meaning], writer: &mut Writer<'a>) -> Vec<Entry<'a>> {
    writer.reserve_null_symbol_index();
    let mut entries = Vec::new();
    for are_visible in [false, true] {
        let symbols = object.symbols.iter().zip(meanings);
        for (symbol, meaning) in symbols.filter(|(symbol, _)| is_visible(symbol) == are_visible) {
            if !is_kept(object, symbol, *meaning) {
                continue;
            }
            // Sections are fewer than those that need a table of long indices.
            writer.reserve_symbol_index(Some(SectionIndex(0)));
            entries.push(Entry { symbol, meaning: *meaning, name: writer.add_string(symbol.name.as_bytes()) });
        }
    }
    entries
}

fn table_entry(entry: &Entry<'_>, outputs: &[Output], writer: &Writer<'_>) -> Sym {
    let (section, st_shndx) = match entry.meaning {
        Meaning::Place(output, _) => (Some(outputs[output].index), elf::SHN_UNDEF),
        Meaning::Absolute(_) => (None, elf::SHN_ABS),
        Meaning::Undefined | Meaning::UndefinedWeak | Meaning::Lds | Meaning::Dropped => (None, elf::SHN_UNDEF),
    };
    Sym {
        section,
        st_name: writer.string_offset(Some(entry.name)),
        st_shndx,
        st_value: value(entry.meaning, outputs),
        st_size: entry.symbol.size,
        ..attributes(entry.symbol, entry.meaning)
    }
}
