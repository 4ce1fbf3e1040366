//! The processor that a program is for, and the symbols that describe it.

use amdgpu_arch::{Arch, Processor, SelectionError, TargetSelection};
use amdgpu_bundle::TargetName;
use amdgpu_object::OsAbi;

/// The symbols of how many vector and how many scalar registers there must be.
pub const COUNTED_REGISTERS: [&str; 2] = [".amdgcn.next_free_vgpr", ".amdgcn.next_free_sgpr"];

/// The symbols that hold the parts of the processor's version, under their newer and their older names.
pub const VERSION_SYMBOLS: [[&str; 2]; 3] = [
    [".amdgcn.gfx_generation_number", ".option.machine_version_major"],
    [".amdgcn.gfx_generation_minor", ".option.machine_version_minor"],
    [".amdgcn.gfx_generation_stepping", ".option.machine_version_stepping"],
];

/// The target of a program: an instruction set, and perhaps a processor.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The instruction set.
    pub arch: Arch,
    /// The processor, unless the target is only the name of a set. A program that names another one has an error.
    pub processor: Option<&'static Processor>,
    /// The processor's version, as in its name: 11, 0 and 1 of gfx1101.
    version: [i64; 3],
}

impl Target {
    /// Reads the name of a set, a processor, a target ID or a target.
    ///
    /// # Errors
    /// The name is unknown, the processor has a set that this project does not read, or it lacks the features.
    pub fn parse(name: &str) -> Result<Self, SelectionError> {
        Ok(Self::of(&TargetSelection::parse(name)?))
    }

    /// Returns what a user selects.
    #[must_use]
    pub fn of(wanted: &TargetSelection) -> Self {
        let processor = wanted.processor();
        // The name of a set or a family selects its first processor.
        let first = || Processor::first(wanted.arch).and_then(|first| version(first.name));
        let version = processor.and_then(|named| version(named.name)).or_else(first).unwrap_or_default();
        Self { arch: wanted.arch, processor, version }
    }

    /// The symbols that LLVM defines in every program: the processor's version, under its newer and its older name, and the
    /// registers that are counted.
    pub(crate) fn symbols(self) -> impl Iterator<Item = (&'static str, i64)> {
        self.version_symbols().chain(COUNTED_REGISTERS.map(|name| (name, 0)))
    }

    /// The symbols that hold the processor's version.
    pub(crate) fn version_symbols(self) -> impl Iterator<Item = (&'static str, i64)> {
        VERSION_SYMBOLS.into_iter().zip(self.version).flat_map(|(names, number)| names.map(|name| (name, number)))
    }
}

/// The versions of LLVM whose words a program can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Llvm {
    /// Version 22: sources that a vector instruction does not use hold 0.
    V22,
    /// Version 23 and later: they hold 0x80, the constant 0.
    V23,
}

impl Llvm {
    /// Returns the version of LLVM that writes this name of a target.
    pub(crate) fn of_target(target: &TargetName<'_>) -> Self {
        if target.arch.starts_with("amdgpu") { Self::V23 } else { Self::V22 }
    }
}

/// The processor and the operating system that an object file names.
#[derive(Debug, Clone, Copy)]
pub struct ObjectTarget {
    /// The instruction set.
    pub arch: Arch,
    /// The processor, once `--arch` or the program names it.
    pub processor: Option<&'static Processor>,
    /// The operating system.
    pub os_abi: OsAbi,
    /// The version of the code object: 3 to 6.
    pub code_object_version: u8,
    /// The first target that the program names, whether or not it is the instruction set that the program is read with.
    pub named: Option<Target>,
    /// The version of LLVM that wrote the program, once `--llvm` or the name of a target tells it.
    pub llvm: Option<Llvm>,
}

impl ObjectTarget {
    /// The target before the program says anything.
    pub fn new(target: Target, llvm: Option<Llvm>) -> Self {
        let Target { arch, processor, .. } = target;
        Self { arch, processor, os_abi: OsAbi::Hsa, code_object_version: 6, named: None, llvm }
    }

    /// The `e_flags`, the operating system and the `EI_ABIVERSION` of the file. Returns `None` for a set whose files are not written.
    pub fn identity(&self) -> Option<(u32, OsAbi, u8)> {
        let processor = self.processor.or_else(|| Processor::first(self.arch)).filter(|_| self.arch.is_rdna());
        let Processor { name, mach, .. } = processor?;
        let generic = if name.ends_with("-generic") { 1 << EF_AMDGPU_GENERIC_VERSION_OFFSET } else { 0 };
        let abi_version = if self.os_abi == OsAbi::Hsa { self.code_object_version - 2 } else { 0 };
        Some((mach | generic, self.os_abi, abi_version))
    }

    /// Whether `.note` is loaded with the code.
    pub fn has_loaded_notes(&self) -> bool {
        self.os_abi == OsAbi::Hsa
    }
}

/// Where `e_flags` has the version of a generic processor.
const EF_AMDGPU_GENERIC_VERSION_OFFSET: u32 = 24;

/// Whether a statement asks for the registers that are counted.
pub fn asks_for_registers(statement: &str) -> bool {
    memchr::memmem::find(statement.as_bytes(), b".amdgcn.next_free_").is_some()
}

/// The version that a processor's name holds: its last two digits are one number each, in hex.
fn version(name: &str) -> Option<[i64; 3]> {
    let digits = name.strip_prefix("gfx")?;
    let (major, rest) = digits.split_at_checked(digits.len().checked_sub(2)?)?;
    let mut low = rest.chars().map(|digit| digit.to_digit(16).map(i64::from));
    Some([major.parse().ok()?, low.next()??, low.next()??])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_stand_in_names() {
        for (name, expected) in [
            ("gfx1103", [11, 0, 3]),
            ("gfx90c", [9, 0, 12]),
            ("gfx601", [6, 0, 1]),
            ("gfx810", [8, 1, 0]),
            ("rdna3", [11, 0, 0]),
            ("rdna3.5", [11, 5, 0]),
            ("gfx1152", [11, 5, 2]),
            ("gcn1.2", [8, 0, 1]),
            ("gfx11-generic", [11, 0, 0]),
            ("amdgpu11.52-amd-amdhsa-unknown-", [11, 5, 2]),
        ] {
            assert_eq!(Target::parse(name).unwrap().version, expected, "{name}");
        }
    }
}
