//! What is printed of a program: the listing, and what is left to a linker.

use std::io::{self, Write};

use crate::asm::expansions::Source;
use crate::asm::program::Program;
use crate::input::printable;

/// Bytes on a line of the listing.
const ON_A_LINE: usize = 12;

/// Lines of a long filling that are shown.
const LINES_OF_A_ROW: usize = 4;

/// Prints address, bytes and source of all that stands in `.text`.
pub fn listing(out: &mut impl Write, program: &Program<'_>, source: &Source<'_>) -> io::Result<()> {
    let Some(text) = program.sections.first() else { return Ok(()) };
    for row in program.rows.iter().filter(|row| row.place.section == 0) {
        let start = row.place.offset as usize;
        let bytes = text.bytes.get(start..start + row.size as usize).unwrap_or_default();
        let mut said = printable(source.text(row.span.clone()).replace('\t', " ").as_bytes());
        for (line, chunk) in bytes.chunks(ON_A_LINE).enumerate() {
            let address = start + line * ON_A_LINE;
            if line == LINES_OF_A_ROW {
                writeln!(out, "{address:8x}  … {} bytes in all", bytes.len())?;
                break;
            }
            let hex: String = chunk.iter().map(|b| format!("{b:02x}")).collect();
            if said.is_empty() {
                writeln!(out, "{address:8x}  {hex}")?;
            } else {
                writeln!(out, "{address:8x}  {hex:24}  {said}")?;
            }
            said.clear();
        }
    }
    Ok(())
}

/// Prints a line for each relocation: section, offset, kind, symbol and addend.
pub fn relocations(out: &mut impl Write, program: &Program<'_>) -> io::Result<()> {
    for relocation in &program.relocations {
        let place = relocation.place;
        let section = program.sections.get(place.section).map_or("", |section| &section.name);
        let sign = if relocation.addend < 0 { '-' } else { '+' };
        let addend = relocation.addend.unsigned_abs();
        let symbol = printable(relocation.symbol.as_bytes());
        writeln!(out, "{section}\t{:x}\t{}\t{symbol}{sign}{addend:#x}", place.offset, relocation.kind)?;
    }
    Ok(())
}
