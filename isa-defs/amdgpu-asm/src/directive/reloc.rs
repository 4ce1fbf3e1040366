//! `.reloc`: relocations that the program states itself.

use amdgpu_object::RelocationKind;

use crate::diagnostic::Diagnostic;
use crate::expression::evaluate::{Evaluator, Phase, Term};
use crate::layout::fixup::RelocDirective;
use crate::layout::fixup::{Relocation, RelocationTarget};
use crate::lex::cursor::Cursor;
use crate::program::Program;
use crate::symbol_table::is_temporary;

/// The names that LLVM takes for any processor.
const ALIASES: [(&str, RelocationKind); 3] = [
    ("BFD_RELOC_NONE", RelocationKind::None),
    ("BFD_RELOC_32", RelocationKind::Abs32),
    ("BFD_RELOC_64", RelocationKind::Abs64),
];

impl Program<'_> {
    /// `.reloc OFFSET, TYPE [, TARGET]`.
    pub(crate) fn reloc(&mut self, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        let start = input.place();
        let offset = self.expression(input)?;
        let offset = (offset, start..input.end());
        if !input.eat(",") {
            return Err(input.expected("`,` and the type of the relocation"));
        }
        let start = input.place();
        let name = input.word();
        let known = RelocationKind::ALL.into_iter().find(|kind| kind.name() == name);
        let alias = || ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, kind)| *kind);
        let kind = known.or_else(alias).ok_or_else(|| {
            let names = RelocationKind::ALL.iter().map(|kind| kind.name());
            let near = isa::nearest(names, name).map(|near| format!("there is `{near}`"));
            Diagnostic::new(start..input.end().max(start + 1), "unknown type of relocation").help(near)
        })?;
        let mut target = None;
        if input.eat(",") {
            let start = input.place();
            let expr = self.expression(input)?;
            target = Some((expr, start..input.end()));
        }
        input.finish()?;
        let section = self.sections.current_section();
        self.fixups.push_directive(RelocDirective { section, offset, kind, target });
        Ok(())
    }

    /// Adds the relocations of `.reloc` directives. As in LLVM, they name symbols where others name sections.
    pub(crate) fn resolve_reloc_directives(&mut self) {
        let directives = self.fixups.take_directives();
        let mut evaluator = Evaluator::new(&self.symbols, Phase::Layout(&self.sections));
        for RelocDirective { section, offset: (offset, at), kind, target } in directives {
            let mut resolve = || {
                let error = |why: &str| Diagnostic::new(at.clone(), why);
                let value = evaluator.evaluate(&offset).map_err(error)?;
                let place = match (value.add, value.sub, value.specifier) {
                    (None, None, None) => Some((section, value.number)),
                    (Some(term), None, None) => evaluator.address(term).map(|(address, more)| {
                        let start = self.sections.offset(address).cast_signed();
                        let section = self.sections.section_of(address.subsection);
                        (section, start.wrapping_add(more).wrapping_add(value.number))
                    }),
                    _ => None,
                };
                let (section, offset) =
                    place.ok_or_else(|| error("the offset is neither a number nor an address in a section"))?;
                let size = self.sections.list().get(section as usize).map_or(0, |section| section.size);
                let offset = u64::try_from(offset).ok().filter(|offset| *offset <= size);
                let offset = offset.ok_or_else(|| error("the offset is outside of the section"))?;
                let Some((target, at)) = &target else {
                    return Ok(Relocation { section, offset, kind, target: RelocationTarget::Absolute, addend: 0 });
                };
                let value = evaluator.evaluate(target).map_err(|why| Diagnostic::new(at.clone(), why))?;
                if let Some(Term::Symbol(id)) = value.add
                    && self.symbols.definition(id).is_none()
                    && is_temporary(&self.symbols.name(id))
                {
                    return Err(self.symbols.undefined(id, at.clone(), |name| format!("{name} is not defined")));
                }
                if value.sub.is_some() || value.specifier.is_some() {
                    return Err(Diagnostic::new(at.clone(), "expected a symbol, a number, or their sum"));
                }
                let (target, addend) = match value.add {
                    None => (RelocationTarget::Absolute, value.number),
                    Some(Term::Symbol(id)) => (RelocationTarget::Symbol(id), value.number),
                    Some(Term::Address(address)) => {
                        let target = RelocationTarget::Section(self.sections.section_of(address.subsection));
                        (target, value.number.wrapping_add(self.sections.offset(address).cast_signed()))
                    }
                };
                Ok(Relocation { section, offset, kind, target, addend })
            };
            match resolve() {
                Ok(relocation) => self.relocations.push(relocation),
                Err(error) => self.report.push(error),
            }
        }
    }
}
