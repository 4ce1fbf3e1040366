//! How many instructions of each class code has.

use amdgpu_arch::Instr;
use rdna3::{Format, Generation, Instruction, Pipeline, flags};
use serde_json::{Map, Value};

/// Numbers of instructions by class, in the order in which the classes first occur.
#[derive(Debug, Clone, Default)]
pub struct Mix {
    counts: Vec<(&'static str, u64)>,
    /// The bytes of the instructions.
    pub bytes: u64,
    /// The number of S_NOP since the last other instruction, and their bytes: they are padding if nothing follows.
    nops: (u64, u64),
}

impl Mix {
    /// Counts an instruction of this size in bytes; padding after code does not count.
    pub fn add(&mut self, instr: &Instr, bytes: usize) {
        match class(instr) {
            Class::Padding => {}
            Class::Nop => {
                self.nops.0 += 1;
                self.nops.1 += bytes as u64;
            }
            Class::Named(class) => self.add_class(class, bytes),
        }
    }

    /// Counts an instruction of a class.
    pub fn add_class(&mut self, class: &'static str, bytes: usize) {
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
    pub fn merge(&mut self, other: &Self) {
        self.bytes += other.bytes;
        for (class, more) in &other.counts {
            *self.count(class) += more;
        }
    }

    /// Returns the number of instructions.
    pub fn total(&self) -> u64 {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    /// Returns the classes and their counts, the largest first.
    fn sorted(&self) -> Vec<(&'static str, u64)> {
        let mut counts = self.counts.clone();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        counts
    }

    /// Returns the counts in one line.
    pub fn text(&self) -> String {
        self.sorted().iter().map(|(class, count)| format!("{class} {count}")).collect::<Vec<_>>().join(", ")
    }

    /// Returns an object with the counts.
    pub fn json(&self) -> Value {
        self.sorted().into_iter().map(|(class, count)| (class.to_owned(), count.into())).collect::<Map<_, _>>().into()
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
fn class(instr: &Instr) -> Class {
    match instr {
        Instr::Rdna3(instr, _) => class_of_rdna(instr),
        Instr::Rdna3_5(instr, _) => class_of_rdna(instr),
        other => Class::Named(other.format()),
    }
}

fn class_of_rdna<I: Instruction>(instr: &I) -> Class {
    const WAITS: u128 = flags::WAITS_VM | flags::WAITS_VS | flags::WAITS_EXP | flags::WAITS_LGKM | flags::WAITS_ALU;
    let has = |set: u128| instr.flags() & set != 0;
    Class::Named(match <I::Generation as Generation>::pipeline(instr.opcode()) {
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
