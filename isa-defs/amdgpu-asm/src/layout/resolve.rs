//! Fills in fields whose values depend on addresses, after layout, or leaves them to a linker as relocations.

use amdgpu_arch::{FAR_BRANCH, nearest_register};
use amdgpu_object::RelocationKind;

use crate::diagnostic::{Diagnostic, Severity};
use crate::expression::evaluate::{Evaluator, Phase, Term, Value};
use crate::expression::tree::SymbolId;
use crate::layout::fixup::{Fixup, FixupField, Relocation, RelocationTarget};
use crate::layout::section::Sections;
use crate::program::Program;
use crate::symbol_table::{Symbols, is_temporary};

/// The way to fill in a field.
enum Outcome {
    /// It holds a number.
    Number(i64),
    /// A linker computes it.
    Relocation(RelocationKind, RelocationTarget, i64),
}

impl Program<'_> {
    /// Puts values into all fields that wait for them.
    pub(crate) fn resolve(&mut self) {
        let fixups = self.fixups.take();
        let mut images = self.sections.take_bytes();
        let resolver = Resolver { symbols: &self.symbols, sections: &self.sections };
        let mut evaluator = Evaluator::new(&self.symbols, Phase::Layout(&self.sections));
        for fixup in fixups {
            let section = self.sections.section_of(fixup.address.subsection);
            let offset = self.sections.offset(fixup.address);
            let number = match resolver.outcome(&mut evaluator, &fixup, section, offset) {
                Ok(Outcome::Number(number)) => {
                    self.report.extend(resolver.truncation(&fixup, number));
                    number
                }
                Ok(Outcome::Relocation(kind, target, addend)) => {
                    self.relocations.push(Relocation { section, offset, kind, target, addend });
                    if fixup.field == FixupField::Branch { -1 } else { 0 }
                }
                Err(error) => {
                    self.report.push(error);
                    continue;
                }
            };
            let bytes = &number.to_le_bytes()[..fixup.field.size()];
            let start = offset as usize;
            let image = images.get_mut(section as usize);
            if let Some(to) = image.and_then(|image| image.get_mut(start..start + bytes.len())) {
                to.copy_from_slice(bytes);
            }
        }
        self.sections.set_bytes(images);
    }
}

/// Computes the values of fields.
struct Resolver<'a> {
    symbols: &'a Symbols,
    sections: &'a Sections,
}

impl Resolver<'_> {
    /// Decides how to fill in the field at this offset of a section.
    fn outcome(
        &self,
        evaluator: &mut Evaluator<'_>,
        fixup: &Fixup,
        section: u32,
        offset: u64,
    ) -> Result<Outcome, Diagnostic> {
        let error = |why: &str| Diagnostic::new(fixup.span.clone(), why);
        let mut value = evaluator.evaluate(&fixup.expr).map_err(error)?;
        self.check_symbols(fixup, &value)?;
        let here = offset.cast_signed();
        let mut is_relative = match fixup.field {
            FixupField::Branch => true,
            FixupField::Literal => fixup.expr.is_pc_relative(),
            FixupField::Data(_) => false,
        };
        let place = value.add.and_then(|add| self.place(evaluator, add));
        if !is_relative && let Some(number) = value.absolute() {
            return Ok(Outcome::Number(number));
        }
        // A symbol that a linker can replace is left to it, even in the same section.
        let is_fixed = !matches!(value.add, Some(Term::Symbol(id)) if evaluator.is_replaceable(id));
        if is_relative
            && is_fixed
            && (value.sub, value.specifier) == (None, None)
            && let Some((target, of_section)) = place
            && of_section == section
        {
            let distance = target.wrapping_add(value.number).wrapping_sub(here);
            return if fixup.field == FixupField::Branch {
                branch(fixup, distance)
            } else {
                Ok(Outcome::Number(distance))
            };
        }
        if fixup.field == FixupField::Branch && value.absolute().is_some() {
            return Err(error("a branch takes a number only if it is defined before the branch"));
        }
        // LLVM leaves such a number to the linker, which would subtract the literal's own address from it.
        if fixup.field == FixupField::Literal && value.absolute().is_some() {
            let help = "define it as a number before an instruction takes it";
            return Err(error("this number is not known before this line").help(Some(help.into())));
        }
        if let Some(sub) = value.sub {
            match self.place(evaluator, sub) {
                Some((target, of_section)) if of_section == section && !is_relative => {
                    value.number = value.number.wrapping_add(here).wrapping_sub(target);
                    is_relative = true;
                }
                _ => return Err(error("the distance of addresses in different sections is not known")),
            }
        }
        let is_scratch = matches!(value.add, Some(Term::Symbol(id)) if self.is_scratch_resource(id));
        let kind = match (value.specifier, fixup.field) {
            (_, FixupField::Literal | FixupField::Data(4 | 8)) if is_scratch => RelocationKind::Abs32Lo,
            (Some(specifier), FixupField::Literal | FixupField::Data(4 | 8)) => specifier.relocation(),
            (None, FixupField::Branch) => RelocationKind::Rel16,
            (None, FixupField::Literal | FixupField::Data(4)) if is_relative => RelocationKind::Rel32,
            (None, FixupField::Literal | FixupField::Data(4)) => RelocationKind::Abs32,
            (None, FixupField::Data(8)) if is_relative => RelocationKind::Rel64,
            (None, FixupField::Data(8)) => RelocationKind::Abs64,
            _ => return Err(error(&format!("no relocation puts this address into {} bytes", fixup.field.size()))),
        };
        let (target, addend) = match (value.add, place) {
            (Some(Term::Symbol(id)), Some((target, of_section))) if !evaluator.is_replaceable(id) => {
                let section = self.sections.list().get(of_section as usize);
                let is_merged = section.is_some_and(|section| section.flags & MERGE != 0);
                let is_tls = section.is_some_and(|section| section.flags & TLS != 0);
                // A linker moves the entries of a mergeable section apart, so that an offset has to name its entry.
                if is_tls || is_merged && value.number != 0 {
                    (RelocationTarget::Symbol(id), value.number)
                } else {
                    (RelocationTarget::Section(of_section), value.number.wrapping_add(target))
                }
            }
            (Some(Term::Symbol(id)), _) => (RelocationTarget::Symbol(id), value.number),
            (Some(Term::Address(_)), Some((target, of_section))) => {
                (RelocationTarget::Section(of_section), value.number.wrapping_add(target))
            }
            _ => (RelocationTarget::Absolute, value.number),
        };
        Ok(Outcome::Relocation(kind, target, addend))
    }

    /// The offset and the section of a term, if it is defined in one.
    fn place(&self, evaluator: &mut Evaluator<'_>, term: Term) -> Option<(i64, u32)> {
        let (address, more) = evaluator.address(term)?;
        let offset = self.sections.offset(address).cast_signed().wrapping_add(more);
        Some((offset, self.sections.section_of(address.subsection)))
    }

    /// Returns whether a symbol is one of the two dwords of the scratch buffer's address. LLVM's code generator writes them without a
    /// directive for targets without an operating system, and its assembler gives them the relocation R_AMDGPU_ABS32_LO in all fields.
    fn is_scratch_resource(&self, id: SymbolId) -> bool {
        matches!(&*self.symbols.name(id), "SCRATCH_RSRC_DWORD0" | "SCRATCH_RSRC_DWORD1")
    }

    /// Reports undefined symbols where a linker cannot define them.
    fn check_symbols(&self, fixup: &Fixup, value: &Value) -> Result<(), Diagnostic> {
        let terms = [value.add, value.sub].into_iter().flatten();
        for id in terms.filter_map(|term| if let Term::Symbol(id) = term { Some(id) } else { None }) {
            let (id, is_weak) = self.symbols.weak_target(id).map_or((id, false), |target| (target, true));
            let symbol = self.symbols.symbol(id);
            if symbol.is_some_and(|symbol| symbol.definition.is_some()) {
                continue;
            }
            let span = fixup.expr.find(id).unwrap_or(fixup.span.clone());
            // The symbol table has no temporary symbols, so no other file defines one.
            if is_temporary(&self.symbols.name(id)) || value.sub == Some(Term::Symbol(id)) {
                return Err(self.symbols.undefined(id, span, |name| format!("{name} is not defined")));
            }
            // A name that nothing declares is mistyped more often than defined elsewhere.
            let is_declared =
                is_weak || symbol.is_some_and(|symbol| symbol.is_declared()) || self.is_scratch_resource(id);
            match fixup.field {
                FixupField::Branch => {
                    return Err(self.symbols.undefined(id, span, |name| format!("the label {name} is not defined")));
                }
                FixupField::Literal if value.specifier.is_none() && !is_declared => {
                    let why = |name: &str| format!("{name} is neither an operand nor defined");
                    let error = self.symbols.undefined(id, span, why);
                    let register = nearest_register(&self.symbols.name(id)).filter(|_| error.help.is_none());
                    let help = register.map(|register| format!("there is the register `{register}`"));
                    return Err(if help.is_some() { error.help(help) } else { error });
                }
                FixupField::Literal | FixupField::Data(_) => {}
            }
        }
        Ok(())
    }

    /// The warning of a number that its field cannot hold: LLVM keeps the low bits.
    fn truncation(&self, fixup: &Fixup, number: i64) -> Option<Diagnostic> {
        let bits = fixup.field.size() as u32 * 8;
        if bits >= 64 || number < 1 << bits && number >= -(1 << (bits - 1)) {
            return None;
        }
        let why = format!("the value {number} does not fit {bits} bits: its low bits are kept");
        Some(Diagnostic { severity: Severity::Warning, ..Diagnostic::new(fixup.span.clone(), why) })
    }
}

const MERGE: u64 = object::elf::SHF_MERGE.0;
const TLS: u64 = object::elf::SHF_TLS.0;

/// The dwords of a branch whose target is this many bytes from its beginning.
fn branch(fixup: &Fixup, distance: i64) -> Result<Outcome, Diagnostic> {
    let error = |why: String| Diagnostic::new(fixup.span.clone(), why);
    let bytes = distance.wrapping_sub(4);
    if bytes % 4 != 0 {
        return Err(error("a branch goes to an address that is a multiple of 4".into()));
    }
    let dwords = isa::reach(bytes / 4).map_err(|far| error(far.to_string()).help(Some(FAR_BRANCH.into())))?;
    Ok(Outcome::Number(dwords.into()))
}
