//! Printed output: the listing, and the relocations.

use std::io::{self, Write};

use crate::asm::expansions::Source;
use crate::asm::fixup::RelocationTarget;
use crate::asm::program::{Program, StatementBytes};
use crate::asm::symbols::in_object_file;
use crate::input::printable;

/// Bytes on a line of the listing.
const ON_A_LINE: usize = 12;

/// Lines of a long filling that are shown.
const LINES_OF_A_ROW: usize = 4;

/// Prints address, bytes and source of all statements in executable sections; the names of the sections too, if there are several.
pub fn listing(out: &mut impl Write, program: &Program<'_>, source: &Source<'_>) -> io::Result<()> {
    let section = |row: &StatementBytes| program.sections.section_of(row.start.subsection);
    let mut rows: Vec<&StatementBytes> = program.rows.iter().collect();
    rows.sort_by_key(|row| (section(row), program.sections.offset(row.start)));
    rows.retain(|row| {
        program.sections.list().get(section(row) as usize).is_some_and(|section| section.is_executable())
    });
    let has_headings = rows.iter().any(|row| section(row) != 0);
    for rows in rows.chunk_by(|a, b| section(a) == section(b)) {
        let Some(listed) = rows.first().and_then(|row| program.sections.list().get(section(row) as usize)) else {
            continue;
        };
        if has_headings {
            writeln!(out, "{}:", printable(listed.name().as_bytes()))?;
        }
        for row in rows {
            let start = program.sections.offset(row.start) as usize;
            let end = program.sections.offset(row.end) as usize;
            let bytes = listed.bytes.get(start..end).unwrap_or_default();
            list_row(out, start, bytes, source.text(row.span.clone()))?;
        }
    }
    Ok(())
}

fn list_row(out: &mut impl Write, start: usize, bytes: &[u8], source: &str) -> io::Result<()> {
    let mut text = printable(source.replace('\t', " ").as_bytes());
    for (line, chunk) in bytes.chunks(ON_A_LINE).enumerate() {
        let address = start + line * ON_A_LINE;
        if line == LINES_OF_A_ROW {
            writeln!(out, "{address:8x}  … {} bytes in all", bytes.len())?;
            break;
        }
        let hex: String = chunk.iter().map(|b| format!("{b:02x}")).collect();
        if text.is_empty() {
            writeln!(out, "{address:8x}  {hex}")?;
        } else {
            writeln!(out, "{address:8x}  {hex:24}  {text}")?;
        }
        text.clear();
    }
    Ok(())
}

/// Prints a line for each relocation: section, offset, type, symbol and addend.
pub fn relocations(out: &mut impl Write, program: &Program<'_>) -> io::Result<()> {
    let section = |at: u32| program.sections.list().get(at as usize).map_or("", |section| section.name());
    for relocation in &program.relocations {
        let sign = if relocation.addend < 0 { '-' } else { '+' };
        let addend = relocation.addend.unsigned_abs();
        let target = match relocation.target {
            RelocationTarget::Symbol(id) => in_object_file(&program.symbols.name(id)).to_string(),
            RelocationTarget::Section(at) => section(at).to_string(),
            RelocationTarget::Absolute => "*ABS*".to_string(),
        };
        let (name, target) = (printable(section(relocation.section).as_bytes()), printable(target.as_bytes()));
        writeln!(out, "{name}\t{:x}\t{}\t{target}{sign}{addend:#x}", relocation.offset, relocation.kind.name())?;
    }
    Ok(())
}
