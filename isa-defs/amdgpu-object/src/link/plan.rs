//! Decides which relocations the linker applies and which the loader.

use std::collections::HashMap;

use object::elf;

use crate::model::{Binding, Object, Relocation, RelocationKind, RelocationTarget, Section, SymbolId, Visibility};

use super::LinkError;
use super::output::{Output, Outputs, Places};
use super::symbols::{Meaning, is_preemptible};

/// A relocation that the loader applies: 64 bits at a place.
#[derive(Debug)]
pub struct DynamicRelocation {
    /// The section of the object and the offset in it, or the entry of the global offset table.
    pub at: QwordField,
    /// The symbol whose address the loader looks up. `None`: it adds the address at which the code object is loaded.
    pub symbol: Option<SymbolId>,
    /// The address that the linker writes, if the loader does not look up a symbol.
    pub value: Meaning,
    pub addend: i64,
}

/// Where a field of 64 bits is.
#[derive(Debug, Clone, Copy)]
pub enum QwordField {
    /// In a section of the object.
    Section(usize, u64),
    /// In an entry of the global offset table.
    Got(usize),
}

/// The entries and dynamic relocations that the relocations of an object need.
#[derive(Debug, Default)]
pub struct Plan {
    /// The entries of the global offset table.
    pub got: Vec<RelocationTarget>,
    /// The index of the entry for each target.
    pub got_indices: HashMap<RelocationTarget, usize>,
    pub dynamic: Vec<DynamicRelocation>,
    /// Where each section of the object is.
    pub places: Places,
}

/// Decides which relocations the loader applies and which entries the global offset table needs.
pub fn plan(object: &Object, meanings: &[Meaning], outputs: &Outputs) -> Result<Plan, LinkError> {
    let mut plan = Plan { places: outputs.places.clone(), ..Plan::default() };
    let mut is_undefined = vec![false; object.symbols.len()];
    for (nth, section) in object.sections.iter().enumerate() {
        if plan.places.begin(nth).is_none() {
            continue;
        }
        // References of debugging information to undefined symbols are 0.
        let is_loaded = section.flags & elf::SHF_ALLOC.0 != 0;
        for relocation in &section.relocations {
            if let RelocationTarget::Symbol(id) = relocation.target
                && is_loaded
                && meanings[id.0] == Meaning::Undefined
            {
                is_undefined[id.0] = true;
                continue;
            }
            plan.add(object, meanings, nth, relocation)?;
        }
    }
    plan.finish_got(object, meanings);
    let names = object.symbols.iter().zip(is_undefined).filter(|(_, is_undefined)| *is_undefined);
    let mut names: Vec<String> = names.map(|(symbol, _)| symbol.name.clone()).collect();
    names.dedup();
    if names.is_empty() { Ok(plan) } else { Err(LinkError::Undefined { names }) }
}

impl Plan {
    fn add(
        &mut self,
        object: &Object,
        meanings: &[Meaning],
        nth: usize,
        relocation: &Relocation,
    ) -> Result<(), LinkError> {
        let section = &object.sections[nth];
        let fail = |reason| Err(error(object, section, relocation, reason));
        let is_loaded = section.flags & elf::SHF_ALLOC.0 != 0;
        let width = relocation.kind.field_size() as u64;
        let end = relocation.offset.checked_add(width).filter(|end| *end <= section.bytes.len() as u64);
        if end.is_none() {
            return fail("is not within the section");
        }
        let (meaning, addend) = meaning(relocation, meanings, &self.places);
        if !is_loaded {
            let is_static = !matches!(
                relocation.kind,
                RelocationKind::Gotpcrel
                    | RelocationKind::Gotpcrel32Lo
                    | RelocationKind::Gotpcrel32Hi
                    | RelocationKind::Relative64
            );
            return if is_static { Ok(()) } else { fail("is in a section that is not loaded") };
        }
        if meaning == Meaning::Lds {
            return fail(
                "cannot be applied: variables in LDS that other code names have no address; define them in the kernel",
            );
        }
        let (symbol, preemptible) = match relocation.target {
            RelocationTarget::Symbol(id) => {
                let symbol = &object.symbols[id.0];
                (Some(symbol), is_preemptible(symbol, meaning).then_some(id))
            }
            _ => (None, None),
        };
        // A weak symbol that another code object may define.
        let is_weak =
            meaning == Meaning::UndefinedWeak && symbol.is_some_and(|symbol| symbol.visibility == Visibility::Default);
        match relocation.kind {
            RelocationKind::None => Ok(()),
            RelocationKind::Relative64 => fail("is for loaders and cannot be linked"),
            RelocationKind::Gotpcrel | RelocationKind::Gotpcrel32Lo | RelocationKind::Gotpcrel32Hi => {
                self.got.push(relocation.target);
                Ok(())
            }
            RelocationKind::Rel16
            | RelocationKind::Rel32
            | RelocationKind::Rel32Lo
            | RelocationKind::Rel32Hi
            | RelocationKind::Rel64 => match meaning {
                _ if preemptible.is_some() || is_weak => fail(
                    "cannot be applied, since another code object may define the symbol; \
                         make it `.protected` or `.hidden`, or use `@gotpcrel32`",
                ),
                Meaning::Absolute(_) => fail("cannot be applied: the distance to a number is not constant"),
                _ => Ok(()),
            },
            RelocationKind::Abs32 | RelocationKind::Abs32Lo | RelocationKind::Abs32Hi => match meaning {
                Meaning::Absolute(_) | Meaning::UndefinedWeak if preemptible.is_none() && !is_weak => Ok(()),
                _ => fail(
                    "cannot be applied: addresses have 64 bits and are known when the code is loaded; use `@rel32`",
                ),
            },
            RelocationKind::Abs64 => {
                let is_dynamic = preemptible.is_some() || matches!(meaning, Meaning::Place(..));
                if (is_dynamic || is_weak) && section.flags & elf::SHF_WRITE.0 == 0 {
                    return fail(
                        "is in a section that the loader cannot change; put it into a writable one as `.data.rel.ro`",
                    );
                }
                if is_dynamic {
                    let at = QwordField::Section(nth, relocation.offset);
                    self.dynamic.push(DynamicRelocation { at, symbol: preemptible, value: meaning, addend });
                }
                Ok(())
            }
        }
    }

    /// Adds the relocations that fill the global offset table, whose entries are in the order of lld: symbols that are not local,
    /// local ones, sections.
    fn finish_got(&mut self, object: &Object, meanings: &[Meaning]) {
        self.got.sort_by_key(|target| match target {
            RelocationTarget::Symbol(id) => (u8::from(object.symbols[id.0].binding == Binding::Local), id.0),
            RelocationTarget::Section(id) => (2, id.0),
            RelocationTarget::Absolute => (3, 0),
        });
        self.got.dedup();
        self.got_indices = self.got.iter().enumerate().map(|(index, target)| (*target, index)).collect();
        for (index, target) in self.got.iter().enumerate() {
            let entry = Relocation { offset: 0, kind: RelocationKind::Gotpcrel, target: *target, addend: 0 };
            let (value, _) = meaning(&entry, meanings, &self.places);
            let symbol = match target {
                RelocationTarget::Symbol(id) if is_preemptible(&object.symbols[id.0], value) => Some(*id),
                _ => None,
            };
            if symbol.is_some() || matches!(value, Meaning::Place(..)) {
                self.dynamic.push(DynamicRelocation { at: QwordField::Got(index), symbol, value, addend: 0 });
            }
        }
    }
}

/// The error of a relocation that cannot be applied.
pub fn error(object: &Object, section: &Section, relocation: &Relocation, reason: &'static str) -> LinkError {
    let target = match relocation.target {
        RelocationTarget::Symbol(id) => object.symbols[id.0].name.clone(),
        RelocationTarget::Section(id) => object.sections[id.0].name.clone(),
        RelocationTarget::Absolute => "0".into(),
    };
    let (section, offset) = (section.name.clone(), relocation.offset);
    LinkError::Relocation { section, offset, kind: relocation.kind, target, reason }
}

/// Returns the target of a relocation and its addend. In a section whose pieces are merged, the addend selects the piece.
pub fn meaning(relocation: &Relocation, meanings: &[Meaning], places: &Places) -> (Meaning, i64) {
    let addend = relocation.addend;
    match relocation.target {
        RelocationTarget::Symbol(id) => (meanings[id.0], addend),
        RelocationTarget::Section(id) => {
            let (offset, addend) = if places.is_merged(id.0) { (addend.cast_unsigned(), 0) } else { (0, addend) };
            let place = places.byte(id.0, offset);
            (place.map_or(Meaning::Dropped, |(output, offset)| Meaning::Place(output, offset)), addend)
        }
        RelocationTarget::Absolute => (Meaning::Absolute(0), addend),
    }
}

/// The address or number that a symbol means.
pub fn value(meaning: Meaning, outputs: &[Output]) -> u64 {
    match meaning {
        Meaning::Absolute(value) => value,
        Meaning::Place(output, offset) => outputs[output].address.wrapping_add(offset),
        // Debugging information keeps references to sections that are not linked.
        Meaning::Undefined | Meaning::UndefinedWeak | Meaning::Lds | Meaning::Dropped => 0,
    }
}
