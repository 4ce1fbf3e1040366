//! Symbol resolution: the address or number of each symbol in the linked file.

use std::collections::HashSet;

use object::elf;
use object::write::elf::Sym;

use crate::model::{Binding, Definition, Object, Symbol, SymbolType, Visibility};
use crate::write;

use super::LinkError;
use super::output::Outputs;

/// The value of a symbol in the linked file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// Not defined.
    Undefined,
    /// Weak and not defined: 0.
    UndefinedWeak,
    /// A number.
    Absolute(u64),
    /// An offset in bytes from the beginning of an output section.
    Place(usize, u64),
    /// A variable in LDS, which has no address.
    Lds,
    /// In a section that is not linked.
    Dropped,
}

/// Returns the meaning of each symbol.
pub fn resolve(object: &Object, outputs: &mut Outputs) -> Result<Vec<Meaning>, LinkError> {
    let mut names = HashSet::new();
    let mut meanings = Vec::with_capacity(object.symbols.len());
    for (nth, symbol) in object.symbols.iter().enumerate() {
        let meaning = match symbol.definition {
            Definition::Undefined => section_end(&symbol.name, outputs).unwrap_or(match symbol.binding {
                Binding::Weak => Meaning::UndefinedWeak,
                Binding::Local | Binding::Global | Binding::Unique => Meaning::Undefined,
            }),
            Definition::Absolute(value) => Meaning::Absolute(value),
            Definition::Section(id, offset) => match outputs.places.byte(id.0, offset) {
                Some((output, offset)) => Meaning::Place(output, offset),
                None => Meaning::Dropped,
            },
            Definition::Common { .. } => {
                let begin = outputs.commons.get(&nth).copied().unwrap_or(0);
                Meaning::Place(outputs.bss(), begin)
            }
            Definition::Lds { .. } => Meaning::Lds,
        };
        let is_defined = symbol.definition != Definition::Undefined;
        if is_defined && symbol.binding != Binding::Local && !names.insert(symbol.name.as_str()) {
            return Err(LinkError::Duplicate { name: symbol.name.clone() });
        }
        meanings.push(meaning);
    }
    Ok(meanings)
}

/// The beginning or end of a section whose name is a C identifier, which `__start_NAME` and `__stop_NAME` name.
fn section_end(name: &str, outputs: &Outputs) -> Option<Meaning> {
    let (section, is_end) = match (name.strip_prefix("__start_"), name.strip_prefix("__stop_")) {
        (Some(section), _) => (section, false),
        (_, Some(section)) => (section, true),
        _ => return None,
    };
    let is_identifier = !section.starts_with(|c: char| c.is_ascii_digit())
        && section.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
    let index = outputs.find(section).filter(|_| is_identifier)?;
    let output = &outputs.outputs[index];
    output.is_loaded().then_some(Meaning::Place(index, if is_end { output.size } else { 0 }))
}

/// Whether other code objects can name the symbol.
pub fn is_exported(symbol: &Symbol, meaning: Meaning) -> bool {
    is_visible(symbol)
        && symbol.kind != SymbolType::File
        && matches!(meaning, Meaning::Absolute(_) | Meaning::Place(..))
}

/// Whether another code object may define the symbol instead.
pub fn is_preemptible(symbol: &Symbol, meaning: Meaning) -> bool {
    is_exported(symbol, meaning) && attributes(symbol, meaning).st_other.visibility() == elf::STV_DEFAULT
}

/// A symbol's binding, type and visibility in the linked file. What the linker defines, no other code object redefines.
pub fn attributes(symbol: &Symbol, meaning: Meaning) -> Sym {
    let mut entry = write::attributes(symbol);
    let is_section_end = symbol.definition == Definition::Undefined && matches!(meaning, Meaning::Place(..));
    if is_section_end && symbol.visibility == Visibility::Default {
        entry.st_other = entry.st_other.with_visibility(elf::STV_PROTECTED);
    }
    if !is_visible(symbol) {
        entry.st_info = elf::SymbolInfo::new(elf::STB_LOCAL, entry.st_info.st_type());
    }
    entry
}

/// Whether the symbol is global in the linked file.
pub fn is_visible(symbol: &Symbol) -> bool {
    symbol.binding != Binding::Local && matches!(symbol.visibility, Visibility::Default | Visibility::Protected)
}

/// Whether the table of symbols keeps the symbol. Labels that an assembler keeps only because their section is merged are dropped,
/// as in lld.
pub fn is_kept(object: &Object, symbol: &Symbol, meaning: Meaning) -> bool {
    let is_private = symbol.binding == Binding::Local && symbol.name.starts_with(".L");
    let is_merged = match symbol.definition {
        Definition::Section(id, _) => object.sections[id.0].flags & elf::SHF_MERGE.0 != 0,
        _ => false,
    };
    !(matches!(meaning, Meaning::Dropped | Meaning::Lds) || is_private && is_merged)
}
