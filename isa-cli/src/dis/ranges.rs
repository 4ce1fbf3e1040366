//! The instructions of a section in ranges of one wave size without data between them, as analyses need them.

use std::convert::Infallible;

use amdgpu_arch::{Arch, Instr, Wave};
use rdna3::{Instruction, isa};

use super::code::{CodeSection, Row};
use super::symbol::SymbolKind;

/// Consecutive instructions of one wave size.
pub struct CodeRange<I> {
    pub wave: Wave,
    pub instrs: Vec<I>,
    /// Their offsets in the section.
    pub offsets: Vec<usize>,
    /// The indices of branches whose targets a linker has yet to fill in.
    pub unresolved: Vec<usize>,
    /// Whether the section ends after it.
    pub is_last: bool,
}

impl<I> CodeRange<I> {
    /// Returns the indices of the instructions at which kernels and functions begin.
    pub fn entries(&self, section: &CodeSection<'_>) -> Vec<usize> {
        let begins = |kind: &SymbolKind| matches!(kind, SymbolKind::Kernel(..) | SymbolKind::Function(..));
        let starts = section.symbols.iter().filter(|symbol| begins(&symbol.kind));
        starts.filter_map(|symbol| self.offsets.binary_search(&symbol.offset).ok()).collect()
    }
}

impl<I: Instruction> CodeRange<I> {
    /// Splits the range into parts of shaders. One that ends without `s_endpgm` does not go on with the next one of the file: a
    /// driver chooses the part that follows.
    pub fn into_parts(mut self, section: &CodeSection<'_>) -> Vec<Self> {
        let mut parts = Vec::new();
        for entry in self.entries(section).into_iter().rev() {
            let before = entry.checked_sub(1).and_then(|before| self.instrs.get(before));
            if !before.is_some_and(|before| isa::facts::falls_through::<I::Generation>(before.opcode())) {
                continue;
            }
            let is_in_part = self.unresolved.partition_point(|branch| *branch < entry);
            parts.push(CodeRange {
                wave: self.wave,
                instrs: self.instrs.split_off(entry),
                offsets: self.offsets.split_off(entry),
                unresolved: self.unresolved.split_off(is_in_part).into_iter().map(|branch| branch - entry).collect(),
                is_last: self.is_last,
            });
            self.is_last = false;
        }
        parts.push(self);
        parts.reverse();
        parts
    }
}

/// Returns an instruction of RDNA3 and its wave size.
pub fn rdna3_instr(instr: &Instr) -> Option<(rdna3::Instr, Wave)> {
    if let Instr::Rdna3(instr, wave) = *instr { Some((instr, wave)) } else { None }
}

/// Returns an instruction of RDNA3.5 and its wave size.
pub fn rdna3_5_instr(instr: &Instr) -> Option<(rdna3_5::Instr, Wave)> {
    if let Instr::Rdna3_5(instr, wave) = *instr { Some((instr, wave)) } else { None }
}

/// Splits the instructions of a section where something else is between them.
pub fn code_ranges<I: Instruction>(
    section: &CodeSection<'_>,
    arch: Arch,
    select: fn(&Instr) -> Option<(I, Wave)>,
) -> Vec<CodeRange<I>> {
    let mut ranges: Vec<CodeRange<I>> = Vec::new();
    let mut end = None;
    let Ok(()) = section.rows(arch, |row: Row<'_>| {
        if let Some((instr, wave)) = row.instr().and_then(select) {
            let continues = end == Some(row.offset) && ranges.last().is_some_and(|r| r.wave == wave);
            if !continues {
                let range = CodeRange { wave, instrs: vec![], offsets: vec![], unresolved: vec![], is_last: false };
                ranges.push(range);
            }
            if let Some(range) = ranges.last_mut() {
                let is_relocated = section.relocations.binary_search_by_key(&row.offset, |r| r.offset).is_ok();
                if is_relocated && instr.branch_offset().is_some() {
                    range.unresolved.push(range.instrs.len());
                }
                range.instrs.push(instr);
                range.offsets.push(row.offset);
            }
            end = Some(row.offset + row.bytes.len());
        }
        Ok::<(), Infallible>(())
    });
    if let Some(range) = ranges.last_mut() {
        range.is_last = end == Some(section.bytes.len());
    }
    ranges
}
