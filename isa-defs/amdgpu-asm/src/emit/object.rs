//! The contents of an object file: which sections, symbols and relocations of a program llvm-mc writes.

use std::collections::{HashMap, HashSet};

use amdgpu_object as model;
use amdgpu_object::{Binding, Note, Object, SectionId, SymbolType};

use crate::expression::evaluate::{Evaluator, Phase, Term};
use crate::expression::tree::SymbolId;
use crate::layout::fixup::{Relocation, RelocationTarget};
use crate::layout::section::{Section, Sections};
use crate::state::aliases::Aliases;
use crate::symbol_table::{Definition, Symbol, Symbols, in_object_file, is_temporary};
use crate::target::ObjectTarget;

/// Whether an object file may lack a section: debuggers and linkers read it, and no code depends on it. Mesa's drivers read
/// `.AMDGPU.config`.
fn is_optional(section: &Section) -> bool {
    let is_allocated = section.flags & object::elf::SHF_ALLOC.0 != 0;
    let name = section.name();
    let is_known = matches!(name, ".comment" | ".llvm_addrsig");
    let is_statistics = name.starts_with(".AMDGPU.") && name != ".AMDGPU.config";
    !is_allocated && (is_known || is_statistics || name.starts_with(".debug_"))
}

/// The value of a symbol in a symbol table.
struct SymbolValue {
    definition: model::Definition,
    /// The symbol that a variable is an alias of. The variable has the type and size of that symbol unless it has its own.
    base: Option<SymbolId>,
}

/// The parts of an assembled program that its object file consists of.
pub(crate) struct ObjectContents<'a> {
    pub(crate) sections: &'a Sections,
    pub(crate) symbols: &'a Symbols,
    pub(crate) relocations: &'a [Relocation],
    pub(crate) aliases: &'a Aliases,
    pub(crate) notes: &'a [Note],
    pub(crate) target: &'a ObjectTarget,
}

impl ObjectContents<'_> {
    /// The object file; `None` if the set has no object files that are written here.
    pub(crate) fn object(&self) -> Option<Object> {
        let (flags, os_abi, abi_version) = self.target.identity()?;
        let mut object = Object::new(flags, os_abi, abi_version);
        let kept = self.kept_sections();
        let mut ids: HashMap<u32, SectionId> = HashMap::new();
        for (at, section) in (0..).zip(self.sections.list()) {
            if kept.contains(&at) {
                ids.insert(at, SectionId(object.sections.len()));
                object.sections.push(model::Section {
                    name: section.name().into(),
                    kind: section.kind,
                    flags: section.flags,
                    align: section.align,
                    entry_size: section.entry_size,
                    bytes: section.bytes.clone(),
                    size: section.size,
                    relocations: Vec::new(),
                    link: None,
                });
            }
        }
        let symbols = self.object_symbols(&mut object, &ids);
        for relocation in self.relocations {
            let Some(section) = ids.get(&relocation.section).and_then(|id| object.sections.get_mut(id.0)) else {
                continue;
            };
            let target = match relocation.target {
                RelocationTarget::Absolute => Some(model::RelocationTarget::Absolute),
                RelocationTarget::Section(at) => ids.get(&at).copied().map(model::RelocationTarget::Section),
                RelocationTarget::Symbol(id) => symbols
                    .get(&self.aliases.named_by_relocation(self.symbols, id))
                    .copied()
                    .map(model::RelocationTarget::Symbol),
            };
            let Relocation { offset, kind, addend, .. } = *relocation;
            section.relocations.extend(target.map(|target| model::Relocation { offset, kind, target, addend }));
        }
        for section in &mut object.sections {
            section.relocations.sort_by_key(|relocation| relocation.offset);
        }
        self.group_sections(&mut object, &ids);
        self.add_notes(&mut object);
        Some(object)
    }

    /// The sections that are not optional, and those to which they refer.
    fn kept_sections(&self) -> HashSet<u32> {
        let mut kept: HashSet<u32> =
            (0..).zip(self.sections.list()).filter(|(_, section)| !is_optional(section)).map(|(at, _)| at).collect();
        let mut evaluator = Evaluator::new(self.symbols, Phase::Layout(self.sections));
        let mut section = |id| {
            let (address, _) = evaluator.address(Term::Symbol(id))?;
            Some(self.sections.section_of(address.subsection))
        };
        for (id, name, symbol, is_current) in self.symbols.iter() {
            if is_current && symbol.is_some_and(|symbol| !symbol.is_predefined) && !is_temporary(&name) {
                kept.extend(section(id));
            }
        }
        // Optional sections that kept ones refer to are kept, too.
        let mut targets: HashMap<u32, Vec<u32>> = HashMap::new();
        for relocation in self.relocations {
            let target = match relocation.target {
                RelocationTarget::Section(at) => Some(at),
                RelocationTarget::Symbol(id) => section(id),
                RelocationTarget::Absolute => None,
            };
            targets.entry(relocation.section).or_default().extend(target.filter(|target| !kept.contains(target)));
        }
        let mut open: Vec<u32> = kept.iter().copied().collect();
        while let Some(section) = open.pop() {
            for target in targets.remove(&section).into_iter().flatten() {
                if kept.insert(target) {
                    open.push(target);
                }
            }
        }
        kept
    }

    /// Whether the symbol table has a symbol that no relocation names.
    fn is_listed(&self, evaluator: &mut Evaluator<'_>, id: SymbolId, name: &str, symbol: Option<&Symbol>) -> bool {
        let Some(symbol) = symbol.filter(|symbol| !symbol.is_predefined && !is_temporary(name)) else { return false };
        if self.aliases.is_renamed(id) || self.symbols.weak_target(id).is_some() {
            return false;
        }
        match &symbol.definition {
            // The name of a section is its beginning.
            None => symbol.is_declared() && self.sections.start_of(name).is_none(),
            Some(Definition::Lds { .. }) => symbol.is_declared(),
            Some(Definition::Variable(_)) => {
                let value = evaluator.variable_value(id);
                let undefined = |term| matches!(term, Some(Term::Symbol(id)) if self.symbols.definition(id).is_none());
                value.is_ok_and(|value| !undefined(value.add) && !undefined(value.sub))
            }
            Some(_) => true,
        }
    }

    /// Adds the symbols. Returns the index of each.
    fn object_symbols(&self, object: &mut Object, ids: &HashMap<u32, SectionId>) -> HashMap<SymbolId, model::SymbolId> {
        // Sections that are left out refer to undefined symbols all the same.
        let is_undefined =
            |id| self.symbols.definition(id).is_none() || self.aliases.undefined_base(self.symbols, id).is_some();
        // Whether all relocations of a symbol are weak references.
        let mut relocated: HashMap<SymbolId, bool> = HashMap::new();
        for relocation in self.relocations {
            let RelocationTarget::Symbol(target) = relocation.target else { continue };
            let id = self.aliases.named_by_relocation(self.symbols, target);
            if ids.contains_key(&relocation.section) || is_undefined(id) {
                *relocated.entry(id).or_insert(true) &= self.symbols.weak_target(target).is_some();
            }
        }
        let profiled =
            self.aliases.profiled().iter().map(|(id, _)| self.aliases.named_by_relocation(self.symbols, *id));
        relocated.extend(profiled.filter(|id| is_undefined(*id)).map(|id| (id, false)));
        let mut evaluator = Evaluator::new(self.symbols, Phase::Layout(self.sections));
        let mut symbols = HashMap::new();
        for (id, name, symbol, is_current) in self.symbols.iter() {
            let relocated = relocated.get(&id);
            if !(relocated.is_some() || is_current && self.is_listed(&mut evaluator, id, &name, symbol)) {
                continue;
            }
            let attributes = symbol.map(Symbol::attributes).unwrap_or_default();
            let Some(SymbolValue { definition, base }) = self.symbol_value(&mut evaluator, id, ids) else { continue };
            let base = base.and_then(|base| self.symbols.symbol(base));
            let binding = attributes.binding.unwrap_or(match definition {
                model::Definition::Undefined if relocated == Some(&true) && !attributes.is_declared => Binding::Weak,
                model::Definition::Undefined | model::Definition::Common { .. } => Binding::Global,
                _ => Binding::Local,
            });
            let is_tls = match definition {
                model::Definition::Section(SectionId(at), _) => object.sections[at].flags & object::elf::SHF_TLS.0 != 0,
                _ => false,
            };
            let kind = match (attributes.kind, base) {
                _ if is_tls => SymbolType::Tls,
                (SymbolType::NoType, Some(base)) => base.kind(),
                (kind, _) => kind,
            };
            let size = match symbol.and_then(|symbol| symbol.definition.as_ref()) {
                Some(Definition::Common { size, .. } | Definition::Lds { size, .. }) => *size,
                _ => {
                    let inherited = base.and_then(|base| base.attributes().size);
                    let size =
                        attributes.size.or(inherited).and_then(|(expr, _)| evaluator.evaluate_in_full(&expr).ok());
                    size.and_then(|size| size.absolute()).unwrap_or(0).cast_unsigned()
                }
            };
            symbols.insert(id, model::SymbolId(object.symbols.len()));
            object.symbols.push(model::Symbol {
                name: in_object_file(&name).to_string(),
                definition,
                size,
                kind,
                binding,
                visibility: attributes.visibility,
            });
        }
        symbols
    }

    fn symbol_value(
        &self,
        evaluator: &mut Evaluator<'_>,
        id: SymbolId,
        ids: &HashMap<u32, SectionId>,
    ) -> Option<SymbolValue> {
        let definition = match self.symbols.definition(id) {
            None => model::Definition::Undefined,
            Some(Definition::Common { align, .. }) => model::Definition::Common { align: *align },
            Some(Definition::Lds { align, .. }) => model::Definition::Lds { align: *align },
            Some(Definition::Label(address)) => {
                let section = ids.get(&self.sections.section_of(address.subsection))?;
                model::Definition::Section(*section, self.sections.offset(*address))
            }
            Some(Definition::Variable(_)) => {
                if let Some(base) = self.aliases.undefined_base(self.symbols, id) {
                    return Some(SymbolValue { definition: model::Definition::Undefined, base: Some(base) });
                }
                let value = evaluator.variable_value(id).ok()?;
                if let Some(number) = value.absolute() {
                    return Some(SymbolValue {
                        definition: model::Definition::Absolute(number.cast_unsigned()),
                        base: None,
                    });
                }
                let (address, more) = evaluator.address(Term::Symbol(id))?;
                let section = ids.get(&self.sections.section_of(address.subsection))?;
                let offset = self.sections.offset(address).wrapping_add_signed(more);
                let base = value.add.and_then(|add| if let Term::Symbol(base) = add { Some(base) } else { None });
                return Some(SymbolValue { definition: model::Definition::Section(*section, offset), base });
            }
        };
        Some(SymbolValue { definition, base: None })
    }

    fn group_sections(&self, object: &mut Object, ids: &HashMap<u32, SectionId>) {
        let mut evaluator = Evaluator::new(self.symbols, Phase::Layout(self.sections));
        let mut groups: HashMap<&str, usize> = HashMap::new();
        for (at, section) in (0..).zip(self.sections.list()) {
            let Some(id) = ids.get(&at) else { continue };
            if let Some(signature) = &section.key.group {
                let next = object.groups.len();
                let group = *groups.entry(signature).or_insert(next);
                if group == next {
                    let (signature, comdat) = (signature.clone(), section.is_comdat);
                    object.groups.push(model::Group { signature, comdat, sections: Vec::new() });
                }
                object.groups[group].sections.push(*id);
            }
            let linked = section.key.linked_to.as_deref().and_then(|name| {
                let symbol = self.symbols.id(name).and_then(|id| evaluator.address(Term::Symbol(id)));
                // The name of a section is its beginning.
                symbol.map(|(address, _)| address).or_else(|| self.sections.start_of(name))
            });
            let linked = linked.and_then(|address| ids.get(&self.sections.section_of(address.subsection)));
            if let Some(section) = object.sections.get_mut(id.0) {
                section.link = linked.copied();
            }
        }
    }

    /// Adds the notes after the program's own contents of `.note`.
    fn add_notes(&self, object: &mut Object) {
        if self.notes.is_empty() {
            return;
        }
        let notes = model::Section::notes(self.notes, self.target.has_loaded_notes());
        match object.sections.iter_mut().find(|section| section.name == notes.name && section.kind == notes.kind) {
            Some(section) => {
                section.align = section.align.max(notes.align);
                section.bytes.resize(section.bytes.len().next_multiple_of(4), 0);
                section.bytes.extend(notes.bytes);
                section.size = section.bytes.len() as u64;
            }
            None => object.sections.push(notes),
        }
    }
}
