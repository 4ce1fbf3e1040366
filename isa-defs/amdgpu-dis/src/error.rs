//! Why a file is not disassembled.

use std::error::Error;
use std::fmt;

use amdgpu_arch::{Processor, SelectionError, supported};
use object::elf;

/// Why bytes are not a code object whose code can be listed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ObjectError {
    /// There are no bytes.
    Empty,
    /// LLVM bitcode.
    Bitcode,
    /// Not an ELF file.
    NotElf,
    /// An ELF file for the machine with this number.
    OtherMachine(u16),
    /// A part of the file ends after the file.
    Truncated {
        /// The name of the part.
        part: String,
        /// Where it should end.
        end: u64,
        /// The size of the file.
        size: usize,
    },
    /// The ELF structures contradict each other.
    Damaged(String),
    /// The header names no processor.
    NoProcessor,
    /// The header names a processor that LLVM does not define.
    UnknownProcessor(u32),
    /// The processor has an instruction set that this project does not read.
    Unsupported(&'static Processor),
    /// The file has no executable sections.
    NoCode,
    /// All executable sections, which have these names, are empty.
    EmptySections(Vec<String>),
}

impl ObjectError {
    /// Returns whether the file was read, but holds no code.
    #[must_use]
    pub const fn is_without_code(&self) -> bool {
        matches!(self, Self::NoCode | Self::EmptySections(_))
    }
}

impl Error for ObjectError {}

impl fmt::Display for ObjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the file is empty"),
            Self::Bitcode => f.write_str("LLVM bitcode, not machine code; compile it first"),
            Self::NotElf => f.write_str("not an ELF file"),
            Self::OtherMachine(machine) => {
                f.write_str("an ELF file for ")?;
                match machine_name(*machine) {
                    Some(name) => f.write_str(name)?,
                    None => write!(f, "machine {machine}")?,
                }
                f.write_str(", not for AMD GPUs, and no code for them is in it")
            }
            Self::Truncated { part, end, size } => {
                write!(f, "truncated or damaged: {part} should end at byte {end}, and the file has {size}")
            }
            Self::Damaged(why) => write!(f, "a damaged ELF file: {why}"),
            Self::NoProcessor => f.write_str("the file names no processor"),
            Self::UnknownProcessor(number) => {
                write!(f, "made for an unknown processor, number 0x{number:02x}; supported: {}", supported())
            }
            Self::Unsupported(processor) => {
                write!(f, "made for {}: {}", processor.name, SelectionError::Unsupported { nearest: None })
            }
            Self::NoCode => f.write_str("the file has no executable sections, so it holds no code"),
            Self::EmptySections(names) => {
                write!(f, "the file holds no code: its executable sections ({}) are empty", names.join(", "))
            }
        }
    }
}

/// Returns the name of a machine that ELF files are made for.
fn machine_name(machine: u16) -> Option<&'static str> {
    Some(match elf::Machine(machine) {
        elf::EM_386 => "x86",
        elf::EM_X86_64 => "x86-64",
        elf::EM_ARM => "Arm",
        elf::EM_AARCH64 => "AArch64",
        elf::EM_RISCV => "RISC-V",
        elf::EM_PPC64 => "PowerPC",
        elf::EM_CUDA => "NVIDIA GPUs",
        _ => return None,
    })
}
