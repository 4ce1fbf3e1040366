//! The listing as JSON.

use std::io::Write;

use amdgpu_arch::{hex, lanes};
use amdgpu_dis::{CodeSection, CodeSymbol, Row, RowContent, SymbolKind, symbol_remark};
use isa::Text;
use serde_json::{Value, json};

use crate::failure::Failure;

/// Writes a document with the sections of a file, a row on each line, and returns whether every word was read. `is_strict`: with
/// remarks on unused fields that hold something else than encoding writes.
pub fn write(
    out: &mut impl Write,
    (file, processor): (&str, &str),
    sections: &[CodeSection<'_>],
    is_strict: bool,
) -> Result<bool, Failure> {
    let mut all_read = true;
    write!(out, "{{\"file\":{},\"processor\":{},\"sections\":[", json!(file), json!(processor))?;
    for (nth, section) in sections.iter().enumerate() {
        let symbols = section.symbols.iter().filter(|symbol| section.is_selected(symbol.offset));
        let symbols: Value = symbols.map(|symbol| about_symbol(section, symbol)).collect();
        let (comma, name, address) = (if nth > 0 { "," } else { "" }, json!(section.name), section.address);
        write!(out, "{comma}\n{{\"name\":{name},\"address\":{address},\"symbols\":{symbols},\"rows\":[")?;
        let mut text = Text::new();
        let mut comma = "";
        section.try_for_each_row(|row| -> Result<(), Failure> {
            all_read &= !row.is_unread();
            row.text(&mut text);
            write!(out, "{comma}\n{}", about_row(section, &row, text.as_str(), is_strict))?;
            comma = ",";
            Ok(())
        })?;
        write!(out, "\n]}}")?;
    }
    writeln!(out, "]}}")?;
    Ok(all_read)
}

fn about_symbol(section: &CodeSection<'_>, symbol: &CodeSymbol) -> Value {
    let kind = match &symbol.kind {
        SymbolKind::Kernel(_, source) if source.is_shader() => "shader",
        SymbolKind::Kernel(..) => "kernel",
        SymbolKind::Function(..) => "function",
        SymbolKind::Label => "label",
        SymbolKind::Data(_) => "data",
        SymbolKind::Descriptor(_) => "descriptor",
    };
    let mut out = json!({"name": symbol.name, "address": section.address_of(symbol.offset), "is": kind});
    if let Some(wave) = symbol.kind.wave() {
        out["wave"] = json!(lanes(wave));
        out["remark"] = json!(symbol_remark(&symbol.kind));
    }
    out
}

fn about_row(section: &CodeSection<'_>, row: &Row<'_>, text: &str, is_strict: bool) -> Value {
    let mut bytes = Vec::new();
    hex::push(&mut bytes, row.bytes);
    let is = match row.content {
        RowContent::Instr(_) | RowContent::NonCanonical(..) => "instruction",
        RowContent::Outside(_) | RowContent::Unknown(_) => "unknown",
        RowContent::Data => "data",
    };
    let address = section.address_of(row.offset);
    let mut out = json!({"address": address, "bytes": String::from_utf8_lossy(&bytes), "text": text, "is": is});
    if let Some(instr) = row.instr() {
        out["format"] = json!(instr.format());
    }
    if let Some(target) = row.target() {
        out["target"] = json!(section.address.wrapping_add_signed(target));
    }
    if let Some(remark) = row.content.remark(is_strict) {
        out["remark"] = json!(remark);
    }
    let begin = section.relocations.partition_point(|relocation| relocation.offset < row.offset);
    let end = row.offset + row.bytes.len();
    let relocations = section.relocations.get(begin..).unwrap_or_default().iter();
    let texts: Vec<String> = relocations.take_while(|r| r.offset < end).map(|relocation| relocation.text()).collect();
    if !texts.is_empty() {
        out["relocations"] = json!(texts);
    }
    out
}
