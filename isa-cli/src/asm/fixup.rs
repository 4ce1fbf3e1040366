//! What waits until all labels are known, and what is left to a linker.

use std::ops::Range;

use crate::arch::{branch_bytes, nearest_register};
use crate::asm::expr::{Expr, Place};
use crate::asm::program::Program;
use crate::asm::report::Diagnostic;
use crate::asm::symbols::{Base, Value};

/// A value that is still to be put in.
#[derive(Debug)]
pub struct Fixup {
    /// Where.
    pub place: Place,
    /// As what.
    pub target: Target,
    /// The value.
    pub expr: Expr,
    /// Its place in the file.
    pub span: Range<usize>,
}

/// As what a value is put in.
#[derive(Debug)]
pub enum Target {
    /// The distance of a branch, counted from `end`.
    Branch { end: u64 },
    /// The literal of an instruction: a bare address counts from its place.
    Literal,
    /// Data of so many bytes.
    Data(usize),
}

/// A value that a linker puts in; zeros stand there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relocation {
    /// Where.
    pub place: Place,
    /// LLVM's name of its kind.
    pub kind: &'static str,
    /// The symbol.
    pub symbol: String,
    /// What is added to it.
    pub addend: i64,
}

impl Program<'_> {
    /// Puts in everything that waits.
    pub(super) fn resolve(&mut self) {
        for fixup in std::mem::take(&mut self.fixups) {
            if let Err(fault) = self.fix(&fixup) {
                self.faults.push(fault);
            }
        }
    }

    fn fix(&mut self, fixup: &Fixup) -> Result<(), Diagnostic> {
        let fault = |why: &str| Diagnostic::new(fixup.span.clone(), why);
        let value = self.symbols.evaluate(&fixup.expr).map_err(fault)?;
        match &fixup.target {
            Target::Branch { end } => {
                if value.absolute().is_some() {
                    return Err(fault("a number that a branch goes by is defined before the branch"));
                }
                let dwords = self.distance(fixup, &value, *end)?;
                self.write(fixup, &branch_bytes(dwords));
                Ok(())
            }
            Target::Literal => self.fix_literal(fixup, value),
            Target::Data(size) => self.fix_data(fixup, value, *size, false),
        }
    }

    /// How many dwords a branch that ends at `end` goes to get to a place.
    fn distance(&self, fixup: &Fixup, value: &Value, end: u64) -> Result<i16, Diagnostic> {
        let fault = |why: String| Diagnostic::new(fixup.span.clone(), why);
        if let Some((name, span)) = value.undefined() {
            return Err(self.symbols.fault(name, span, |name| format!("the label {name} is not defined")));
        }
        if value.plus != Some(Base::Section(fixup.place.section)) || value.minus.is_some() || value.kind.is_some() {
            return Err(fault("a branch goes to a label of its own section".into()));
        }
        let bytes = value.addend.wrapping_sub(end as i64);
        if bytes % 4 != 0 {
            return Err(fault("a branch goes to a place whose address is a multiple of 4".into()));
        }
        rdna3::isa::reach(bytes / 4).map_err(|far| fault(far.to_string()).help(Some(rdna3::FAR_BRANCH.into())))
    }

    /// Puts in the literal of an instruction, or notes that a linker will.
    fn fix_literal(&mut self, fixup: &Fixup, value: Value) -> Result<(), Diagnostic> {
        // A name that nothing defines is a mistyped operand, unless it says how a linker is to take it.
        if value.kind.is_none()
            && let Some((name, span)) = value.undefined()
        {
            let fault = self.symbols.fault(name, span, |name| format!("{name} is neither an operand nor defined"));
            let register = nearest_register(name).filter(|_| fault.help.is_none());
            let help = register.map(|register| format!("there is the register `{register}`"));
            return Err(if help.is_some() { fault.help(help) } else { fault });
        }
        let from_here = fixup.expr.counts_from_place();
        // LLVM leaves such a number to the linker, which would take the literal's own address off it.
        if from_here && value.absolute().is_some() {
            let fault = Diagnostic::new(fixup.span.clone(), "this number is not known before this line");
            return Err(fault.help(Some("define it as a number before an instruction takes it".into())));
        }
        self.fix_data(fixup, value, 4, from_here)
    }

    /// Puts in a value of `size` bytes, or notes that a linker will.
    fn fix_data(&mut self, fixup: &Fixup, value: Value, size: usize, from_here: bool) -> Result<(), Diagnostic> {
        let fault = |why: String| Diagnostic::new(fixup.span.clone(), why);
        let here = fixup.place;
        let mut value = value;
        if let Some(number) = value.absolute() {
            let bits = size as u32 * 8;
            if bits < 64 && (number >= 1 << bits || number < -(1 << (bits - 1))) {
                return Err(fault(format!("{number} does not fit {bits} bits")));
            }
            self.write(fixup, number.to_le_bytes().get(..size).unwrap_or_default());
            return Ok(());
        }
        let mut relative = false;
        match &value.minus {
            // What counts from another symbol counts from here, if both stand in this section.
            Some(Base::Section(section)) if *section == here.section && value.plus.is_some() => {
                value.addend = value.addend.wrapping_add(here.offset as i64);
                relative = true;
            }
            Some(_) => return Err(fault("the difference of these places is not known".into())),
            None if from_here && value.kind.is_none() => {
                if value.plus == Some(Base::Section(here.section)) {
                    let distance = value.addend.wrapping_sub(here.offset as i64);
                    self.write(fixup, distance.to_le_bytes().get(..size).unwrap_or_default());
                    return Ok(());
                }
                relative = true;
            }
            None => {}
        }
        let kind = match (value.kind, relative, size) {
            (Some((_, kind)), false, 4 | 8) => kind,
            (None, true, 4) => "R_AMDGPU_REL32",
            (None, true, 8) => "R_AMDGPU_REL64",
            (None, false, 4) => "R_AMDGPU_ABS32",
            (None, false, 8) => "R_AMDGPU_ABS64",
            _ => return Err(fault(format!("no relocation puts this address into {size} bytes"))),
        };
        let symbol = match value.plus {
            Some(Base::Section(section)) => self.sections.get(section).map_or("", |s| &s.name).to_string(),
            Some(Base::Undefined(name, _)) => name,
            None => "*ABS*".into(),
        };
        self.relocations.push(Relocation { place: here, kind, symbol, addend: value.addend });
        Ok(())
    }

    fn write(&mut self, fixup: &Fixup, bytes: &[u8]) {
        let start = fixup.place.offset as usize;
        let section = self.sections.get_mut(fixup.place.section);
        if let Some(to) = section.and_then(|section| section.bytes.get_mut(start..start + bytes.len())) {
            to.copy_from_slice(bytes);
        }
    }
}
