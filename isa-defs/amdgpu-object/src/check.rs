//! The conditions that an object has to meet before anything is written or linked.

use std::collections::HashSet;

use object::elf;

use crate::error::WriteError;
use crate::model::{Binding, Definition, Object, RelocationTarget, Section, SymbolType};

/// Checks every index, name, size and alignment of an object.
pub fn check(object: &Object) -> Result<(), WriteError> {
    for section in &object.sections {
        check_section(object, section)?;
    }
    for symbol in &object.symbols {
        check_name(&symbol.name)?;
        match symbol.definition {
            Definition::Section(id, _) => check_index(object, &symbol.name, id.0)?,
            Definition::Common { align } | Definition::Lds { align } => check_align(&symbol.name, align)?,
            Definition::Undefined | Definition::Absolute(_) => {}
        }
        let file = symbol.binding == Binding::Local && matches!(symbol.definition, Definition::Absolute(_));
        if symbol.kind == SymbolType::File && !file {
            return Err(WriteError::FileSymbol { name: symbol.name.clone() });
        }
    }
    let mut members = HashSet::new();
    for group in &object.groups {
        check_name(&group.signature)?;
        for id in &group.sections {
            check_index(object, &group.signature, id.0)?;
            if !members.insert(id.0) {
                return Err(WriteError::TwoGroups { section: object.sections[id.0].name.clone() });
            }
        }
    }
    Ok(())
}

fn check_section(object: &Object, section: &Section) -> Result<(), WriteError> {
    check_name(&section.name)?;
    check_align(&section.name, section.align)?;
    let len = section.bytes.len() as u64;
    let sound = if section.kind == elf::SHT_NOBITS.0 { len == 0 } else { len == section.size };
    if !sound {
        return Err(WriteError::Size { section: section.name.clone(), size: section.size, len });
    }
    if let Some(id) = section.link {
        check_index(object, &section.name, id.0)?;
    }
    for relocation in &section.relocations {
        match relocation.target {
            RelocationTarget::Symbol(id) if id.0 >= object.symbols.len() => {
                return Err(WriteError::NoSymbol { section: section.name.clone(), index: id.0 });
            }
            RelocationTarget::Section(id) => check_index(object, &section.name, id.0)?,
            RelocationTarget::Symbol(_) | RelocationTarget::Absolute => {}
        }
    }
    Ok(())
}

fn check_name(name: &str) -> Result<(), WriteError> {
    if name.contains('\0') { Err(WriteError::NameWithNul { name: name.into() }) } else { Ok(()) }
}

fn check_align(name: &str, align: u64) -> Result<(), WriteError> {
    if align == 0 || align.is_power_of_two() { Ok(()) } else { Err(WriteError::Alignment { name: name.into(), align }) }
}

fn check_index(object: &Object, user: &str, index: usize) -> Result<(), WriteError> {
    if index < object.sections.len() { Ok(()) } else { Err(WriteError::NoSection { user: user.into(), index }) }
}
