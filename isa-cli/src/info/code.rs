//! The instructions of code objects by class and function.

use std::collections::HashMap;

use amdgpu_arch::Arch;
use amdgpu_dis::{CodeSection, ObjectError, ObjectFile, RowContent, SymbolKind};

use super::mix::Mix;
use crate::input::printable;

/// The instructions of a code object by function.
pub struct Code {
    /// By the section and offset at which kernels and functions begin.
    by_place: HashMap<(usize, usize), Mix>,
    /// Where kernels begin.
    kernels: HashMap<String, (usize, usize)>,
    pub all: Mix,
}

impl Code {
    /// Counts the instructions of a code object.
    pub fn count(object: &ObjectFile<'_>, arch: Arch) -> Result<Self, ObjectError> {
        let mut code = Self { by_place: HashMap::new(), kernels: HashMap::new(), all: Mix::default() };
        for (index, section) in object.sections(arch, None)?.iter().enumerate() {
            code.add(index, section);
        }
        for mix in code.by_place.values() {
            code.all.merge(mix);
        }
        Ok(code)
    }

    fn add(&mut self, index: usize, section: &CodeSection<'_>) {
        let mut symbols = section.symbols.iter().filter(|symbol| symbol.is_entry()).peekable();
        let mut current = 0;
        let mut mix = Mix::default();
        let Ok(()) = section.try_for_each_row(|row| -> Result<(), std::convert::Infallible> {
            while let Some(symbol) = symbols.next_if(|symbol| symbol.offset <= row.offset) {
                if symbol.offset > current {
                    self.by_place.entry((index, current)).or_default().merge(&std::mem::take(&mut mix));
                    current = symbol.offset;
                }
                if matches!(symbol.kind, SymbolKind::Kernel(..)) {
                    self.kernels.insert(symbol.name.clone(), (index, symbol.offset));
                }
            }
            match &row.content {
                RowContent::Outside(name) => mix.add_class(name, row.bytes.len()),
                _ => row.instr().into_iter().for_each(|instr| mix.add(instr, row.bytes.len())),
            }
            Ok(())
        });
        self.by_place.entry((index, current)).or_default().merge(&mix);
    }

    /// The instructions of a kernel, without the functions that it calls.
    pub fn of(&self, kernel: &str) -> Option<&Mix> {
        self.by_place.get(self.kernels.get(&printable(kernel.as_bytes()))?)
    }
}
