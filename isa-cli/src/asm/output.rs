//! Printed output: the listing, and the relocations.

use std::io::{self, Write};

use amdgpu_asm::Assembly;
use amdgpu_object::printable;

/// Bytes on a line of the listing.
const ON_A_LINE: usize = 12;

/// Lines of a long filling that are shown.
const LINES_OF_A_ROW: usize = 4;

/// Prints address, bytes and source of all statements in executable sections; the names of the sections too, if there are several.
pub fn listing(out: &mut impl Write, assembly: &Assembly) -> io::Result<()> {
    let rows = assembly.listing();
    let has_headings = rows.iter().any(|row| row.section_index != 0);
    for rows in rows.chunk_by(|a, b| a.section_index == b.section_index) {
        if let Some(first) = rows.first().filter(|_| has_headings) {
            writeln!(out, "{}:", printable(first.section.as_bytes()))?;
        }
        for row in rows {
            list_row(out, row.offset as usize, row.bytes, row.source)?;
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
pub fn relocations(out: &mut impl Write, assembly: &Assembly) -> io::Result<()> {
    for relocation in assembly.relocations() {
        let sign = if relocation.addend < 0 { '-' } else { '+' };
        let addend = relocation.addend.unsigned_abs();
        let (name, target) = (printable(relocation.section.as_bytes()), printable(relocation.target.as_bytes()));
        writeln!(out, "{name}\t{:x}\t{}\t{target}{sign}{addend:#x}", relocation.offset, relocation.kind.name())?;
    }
    Ok(())
}
