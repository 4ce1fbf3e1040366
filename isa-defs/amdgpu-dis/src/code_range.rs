//! The instructions of a section in ranges of one wave size without data between them, as analyses need them.

use std::convert::Infallible;

use amdgpu_arch::{InstructionSet, Wave, with_rdna_set};
use rdna_facts::flow::Graph;
use rdna_rows::{Generation, Instruction};

use crate::section::{CodeSection, Row};

/// Consecutive instructions of one wave size.
#[derive(Debug)]
pub struct CodeRange<I> {
    /// The wave size.
    pub wave: Wave,
    /// The instructions.
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
    #[must_use]
    pub fn entries(&self, section: &CodeSection<'_>) -> Vec<usize> {
        let starts = section.symbols.iter().filter(|symbol| symbol.is_entry());
        starts.filter_map(|symbol| self.offsets.binary_search(&symbol.offset).ok()).collect()
    }
}

impl<I: Instruction> CodeRange<I> {
    /// Splits the range into parts of shaders. One that ends without `s_endpgm` does not go on with the next one of the file: a
    /// driver chooses the part that follows.
    #[must_use]
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

/// Splits the instructions of a section where something else is between them. Returns those of the set `S`.
#[must_use]
pub fn code_ranges<S: InstructionSet + Generation>(section: &CodeSection<'_>) -> Vec<CodeRange<S::Instr>> {
    let mut ranges: Vec<CodeRange<S::Instr>> = Vec::new();
    let mut end = None;
    let Ok(()) = section.try_for_each_row(|row: Row<'_>| {
        if let Some((instr, wave)) = row.instr().and_then(S::of_any) {
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

/// A basic block of a section: instructions that are entered at the first and left at the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedBlock {
    /// The offset of the first instruction.
    pub offset: usize,
    /// The indices of the blocks that may come before it.
    pub predecessors: Vec<usize>,
    /// The indices of the blocks that may follow.
    pub successors: Vec<usize>,
    /// Whether a kernel or a function begins with it.
    pub is_entry: bool,
}

impl CodeSection<'_> {
    /// Returns the basic blocks. Sets other than generations of RDNA have none, since their branches are not known.
    #[must_use]
    pub fn blocks(&self) -> Vec<ListedBlock> {
        let mut blocks = Vec::new();
        with_rdna_set!(self.arch, S => code_ranges::<S>(self).iter().for_each(|range| range.add_blocks(self, &mut blocks)));
        blocks
    }
}

impl<I: Instruction> CodeRange<I> {
    /// Returns the control flow.
    #[must_use]
    pub fn graph(&self, section: &CodeSection<'_>) -> Graph {
        Graph::new(&self.instrs, &self.entries(section), &self.unresolved)
    }

    fn add_blocks(&self, section: &CodeSection<'_>, blocks: &mut Vec<ListedBlock>) {
        let first = blocks.len();
        let sorted = |indices: &[usize]| {
            let mut indices: Vec<usize> = indices.iter().map(|index| first + index).collect();
            indices.sort_unstable();
            indices.dedup();
            indices
        };
        let graph = self.graph(section);
        blocks.extend(graph.blocks.iter().map(|block| ListedBlock {
            offset: self.offsets.get(block.range.start).copied().unwrap_or_default(),
            predecessors: sorted(&block.predecessors),
            successors: sorted(&block.successors),
            is_entry: block.is_entry,
        }));
    }
}
