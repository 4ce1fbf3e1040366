//! Numbers of instructions by class and by function.

use std::collections::HashMap;
use std::convert::Infallible;

use amdgpu_arch::{Instr, InstructionSet, with_rdna_set};
use amdgpu_object::printable;
use isa::Isa;
use rdna_facts::counter::WAIT_FLAGS;
use rdna_rows::{Format, Generation, Instruction, Pipeline, flags};

use crate::section::{CodeSection, RowContent};
use crate::symbol::SymbolKind;

/// Numbers of instructions by class, in the order in which the classes first occur.
#[derive(Debug, Clone, Default)]
pub struct InstructionCounts {
    counts: Vec<(&'static str, u64)>,
    /// The bytes of the instructions.
    pub bytes: u64,
    /// The number of S_NOP since the last other instruction, and their bytes: they are padding if nothing follows.
    nops: (u64, u64),
}

impl InstructionCounts {
    /// Counts an instruction of this size in bytes; padding after code does not count.
    fn add(&mut self, class: Class, bytes: usize) {
        match class {
            Class::Padding => {}
            Class::Nop => {
                self.nops.0 += 1;
                self.nops.1 += bytes as u64;
            }
            Class::Named(class) => self.add_class(class, bytes),
        }
    }

    /// Counts an instruction of a class.
    fn add_class(&mut self, class: &'static str, bytes: usize) {
        let (nops, nop_bytes) = std::mem::take(&mut self.nops);
        if nops > 0 {
            *self.count(DELAY) += nops;
        }
        self.bytes += nop_bytes + bytes as u64;
        *self.count(class) += 1;
    }

    fn count(&mut self, class: &'static str) -> &mut u64 {
        let known = self.counts.iter().position(|(name, _)| *name == class);
        let index = known.unwrap_or_else(|| {
            self.counts.push((class, 0));
            self.counts.len() - 1
        });
        &mut self.counts[index].1
    }

    /// Adds other counts.
    fn merge(&mut self, other: &Self) {
        self.bytes += other.bytes;
        for (class, more) in &other.counts {
            *self.count(class) += more;
        }
    }

    /// Returns the number of instructions.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    /// Returns the classes and their counts, the largest first.
    #[must_use]
    pub fn sorted(&self) -> Vec<(&'static str, u64)> {
        let mut counts = self.counts.clone();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        counts
    }
}

/// The class of S_NOP, S_DELAY_ALU and S_CLAUSE.
const DELAY: &str = "delay";

/// The class of an instruction.
enum Class {
    /// S_CODE_END or a dword of zeros, which follow code.
    Padding,
    /// S_NOP, which is padding between functions.
    Nop,
    /// Any other.
    Named(&'static str),
}

/// Returns the class of an instruction, from the facts of its row. The class of an instruction of GCN is its format.
fn class(instr: &Instr, section: &CodeSection<'_>, pipelines: &mut Pipelines) -> Class {
    with_rdna_set!(section.arch, S => S::of_any(instr).map(|(instr, _)| class_of_rdna(&instr, pipelines)))
        .flatten()
        .unwrap_or_else(|| Class::Named(instr.format()))
}

/// The pipelines of opcodes, by the index of the opcode, as far as they were asked for: each takes a search through the rows.
type Pipelines = Vec<Option<Pipeline>>;

/// Returns the pipeline of an instruction.
fn pipeline<I: Instruction>(instr: &I, pipelines: &mut Pipelines) -> Pipeline {
    let index = usize::from(I::Generation::opcode_index(instr.opcode()));
    if pipelines.len() <= index {
        pipelines.resize(index + 1, None);
    }
    let find = || <I::Generation as Generation>::pipeline(instr.opcode());
    pipelines.get_mut(index).map_or_else(find, |known| *known.get_or_insert_with(find))
}

fn class_of_rdna<I: Instruction>(instr: &I, pipelines: &mut Pipelines) -> Class {
    const WAITS: u128 = WAIT_FLAGS | flags::WAITS_ALU;
    let has = |set: u128| instr.flags() & set != 0;
    Class::Named(match pipeline(instr, pipelines) {
        Pipeline::Valu => "VALU",
        Pipeline::Transcendental => "transcendental",
        Pipeline::Wmma => "WMMA",
        Pipeline::VmemLoad => "VMEM load",
        Pipeline::VmemStore => "VMEM store",
        Pipeline::VmemAtomic => "VMEM atomic",
        Pipeline::VmemSample => "VMEM sample",
        Pipeline::Lds => "LDS",
        Pipeline::Smem => "SMEM",
        Pipeline::Salu => "SALU",
        Pipeline::Branch => "branch",
        Pipeline::Export => "export",
        Pipeline::Message => "message",
        Pipeline::Control if has(flags::CODE_END) || instr.microcode() == Format::Illegal => return Class::Padding,
        Pipeline::Control if has(flags::NOP) => return Class::Nop,
        Pipeline::Control if has(flags::DELAY | flags::CLAUSE) => DELAY,
        // The end of a program waits, too.
        Pipeline::Control if has(WAITS) && !isa::facts::is_terminator::<I::Generation>(instr.opcode()) => "wait",
        Pipeline::Control => "control",
    })
}

/// The instructions of a code object by function.
#[derive(Debug)]
pub struct CodeCounts {
    /// By the section and offset at which kernels and functions begin.
    by_place: HashMap<(usize, usize), InstructionCounts>,
    /// Where kernels begin.
    kernels: HashMap<String, (usize, usize)>,
    /// Those of all code.
    pub all: InstructionCounts,
}

impl CodeCounts {
    /// Counts the instructions of sections.
    #[must_use]
    pub fn new(sections: &[CodeSection<'_>]) -> Self {
        let mut code = Self { by_place: HashMap::new(), kernels: HashMap::new(), all: InstructionCounts::default() };
        for (index, section) in sections.iter().enumerate() {
            code.add(index, section);
        }
        for counts in code.by_place.values() {
            code.all.merge(counts);
        }
        code
    }

    fn add(&mut self, index: usize, section: &CodeSection<'_>) {
        let mut symbols = section.symbols.iter().filter(|symbol| symbol.is_entry()).peekable();
        let mut current = 0;
        let mut counts = InstructionCounts::default();
        let mut pipelines = Pipelines::new();
        let Ok(()) = section.try_for_each_row(|row| -> Result<(), Infallible> {
            while let Some(symbol) = symbols.next_if(|symbol| symbol.offset <= row.offset) {
                if symbol.offset > current {
                    self.by_place.entry((index, current)).or_default().merge(&std::mem::take(&mut counts));
                    current = symbol.offset;
                }
                if matches!(symbol.kind, SymbolKind::Kernel(..)) {
                    self.kernels.insert(symbol.name.clone(), (index, symbol.offset));
                }
            }
            match &row.content {
                RowContent::Outside(name) => counts.add_class(name, row.bytes.len()),
                _ => row
                    .instr()
                    .into_iter()
                    .for_each(|instr| counts.add(class(instr, section, &mut pipelines), row.bytes.len())),
            }
            Ok(())
        });
        self.by_place.entry((index, current)).or_default().merge(&counts);
    }

    /// Returns those of the kernel with this symbol, without the functions that it calls.
    #[must_use]
    pub fn of(&self, kernel: &str) -> Option<&InstructionCounts> {
        self.by_place.get(self.kernels.get(&printable(kernel.as_bytes()))?)
    }
}
