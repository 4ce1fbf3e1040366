//! The processor that a program is for, and the symbols that describe it.

use std::ops::Range;

use amdgpu_object::{Note, OsAbi};

use crate::arch::{Arch, MAX_DWORDS, PROCESSORS, Processor, Set};
use crate::asm::cursor::Cursor;
use crate::asm::expr::Expr;
use crate::asm::program::Program;
use crate::asm::report::Diagnostic;
use crate::asm::section::Subsection;

/// The symbols of how many vector and how many scalar registers there must be.
const FREE: [&str; 2] = [".amdgcn.next_free_vgpr", ".amdgcn.next_free_sgpr"];

/// What `--arch` names.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The instruction set.
    pub arch: Arch,
    /// The processor, if its name was given and not that of its instruction set.
    pub processor: Option<&'static Processor>,
    /// The processor's version, as in its name: 11, 0 and 1 of gfx1101.
    version: [i64; 3],
}

impl Target {
    /// Reads an `--arch` argument.
    pub fn parse(name: &str) -> Result<Self, String> {
        let arch = Arch::parse(name)?;
        // The name of a set or a family selects its first processor.
        let version = match (version(name), arch) {
            (Some(version), _) => version,
            (None, Arch::Gcn1_0) => [6, 0, 0],
            (None, Arch::Gcn1_1) => [7, 0, 0],
            (None, Arch::Gcn1_2) => [8, 0, 1],
            (None, Arch::Gcn1_4) => [9, 0, 0],
            (None, Arch::Rdna3) => [11, 0, 0],
            (None, Arch::Rdna3_5) => [11, 5, 0],
        };
        Ok(Self { arch, processor: Processor::named(name), version })
    }

    /// The symbols that LLVM defines in every program: the processor's version, under its newer and its older name, and the
    /// registers that are counted.
    pub fn symbols(self) -> Vec<(String, i64)> {
        let counted = FREE.map(|name| (name, 0));
        self.version_symbols().chain(counted).map(|(name, number)| (name.into(), number)).collect()
    }

    /// The symbols that hold the processor's version.
    fn version_symbols(self) -> impl Iterator<Item = (&'static str, i64)> {
        let names = [
            [".amdgcn.gfx_generation_number", ".option.machine_version_major"],
            [".amdgcn.gfx_generation_minor", ".option.machine_version_minor"],
            [".amdgcn.gfx_generation_stepping", ".option.machine_version_stepping"],
        ];
        names.into_iter().zip(self.version).flat_map(|(names, number)| names.map(|name| (name, number)))
    }
}

impl Program<'_> {
    /// Counts the registers up to the end of the program if it gave one of the counts a value: only then is the symbol written to
    /// an object file, with its last value.
    pub(super) fn count_remaining_registers(&mut self) {
        if FREE.iter().any(|name| self.symbols.get(name).is_some_and(|symbol| !symbol.is_predefined)) {
            self.count_registers();
        }
    }

    /// Counts the registers of the instructions since the last time that somebody asked: one more than the highest number of
    /// each file, unless the program gave the symbol a higher value.
    pub(super) fn count_registers(&mut self) {
        let reader = self.reader;
        let mut most = [0, 0];
        for Subsection { bytes, data, counted, .. } in self.sections.subsections_mut() {
            let from = *counted;
            let mut data = data.iter().skip_while(|part| part.end <= from).peekable();
            while let Some(rest) = bytes.get(*counted..).filter(|rest| !rest.is_empty()) {
                if let Some(part) = data.next_if(|part| part.start <= *counted) {
                    *counted = part.end;
                    continue;
                }
                let (dwords, _) = rest.as_chunks::<4>();
                let words: Vec<u32> = dwords.iter().take(MAX_DWORDS).map(|bytes| u32::from_le_bytes(*bytes)).collect();
                let Ok((instr, dwords)) = reader.decode(&words) else { break };
                let (vector, scalar) = instr.registers();
                most = [most[0].max(vector), most[1].max(scalar)];
                *counted += 4 * dwords;
            }
            *counted = bytes.len();
        }
        for (name, most) in FREE.into_iter().zip(most) {
            let Some(symbol) = self.symbols.get(name) else { continue };
            let Some(Expr::Number(set)) = symbol.variable() else { continue };
            let (count, span, is_predefined) = ((*set).max(most), symbol.span.clone(), symbol.is_predefined);
            if is_predefined {
                self.symbols.predefine(name, count);
            } else {
                self.symbols.assign(name, Expr::Number(count), span);
            }
        }
    }
}

/// The processor and the operating system that an object file names.
#[derive(Debug, Clone, Copy)]
pub struct ObjectTarget {
    arch: Arch,
    /// The processor, once `--arch` or the program names it.
    processor: Option<&'static Processor>,
    os_abi: OsAbi,
    code_object_version: u8,
}

impl ObjectTarget {
    /// The target before the program says anything.
    pub fn new(arch: Arch, processor: Option<&'static Processor>) -> Self {
        Self { arch, processor, os_abi: OsAbi::Hsa, code_object_version: 6 }
    }

    /// The `e_flags`, the operating system and the `EI_ABIVERSION` of the file.
    ///
    /// # Errors
    /// Files for this instruction set are not written.
    pub fn identity(&self) -> Result<(u32, OsAbi, u8), String> {
        if !self.arch.is_rdna() {
            let name = self.arch.name();
            return Err(format!("object files of {name} are not written; `--emit raw` writes the bytes of .text"));
        }
        let first = || PROCESSORS.iter().find(|processor| processor.set == Set::Read(self.arch));
        let Some(Processor { name, mach, .. }) = self.processor.or_else(first) else {
            return Err(format!("no processor is known for {}", self.arch.name()));
        };
        let generic = if name.ends_with("-generic") { 1 << EF_AMDGPU_GENERIC_VERSION_OFFSET } else { 0 };
        let abi_version = if self.os_abi == OsAbi::Hsa { self.code_object_version - 2 } else { 0 };
        Ok((mach | generic, self.os_abi, abi_version))
    }

    /// Whether `.note` is loaded with the code.
    pub fn has_loaded_notes(&self) -> bool {
        self.os_abi == OsAbi::Hsa
    }
}

/// Where `e_flags` has the version of a generic processor.
const EF_AMDGPU_GENERIC_VERSION_OFFSET: u32 = 24;

impl Program<'_> {
    /// `.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"`.
    pub(super) fn amdgcn_target(&mut self, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        let (name, span) = target_name(input)?;
        self.set_target(&name, span)
    }

    /// `.amd_amdgpu_isa "amdgcn-amd-amdpal--gfx1100"`: the target, which becomes a note.
    pub(super) fn amd_amdgpu_isa(&mut self, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        let (name, span) = target_name(input)?;
        self.set_target(&name, span)?;
        self.notes.push(Note::isa_name(&name));
        Ok(())
    }

    fn set_target(&mut self, name: &str, span: Range<usize>) -> Result<(), Diagnostic> {
        let error = |why: String| Diagnostic::new(span.clone(), why);
        let parts: Vec<&str> = name.splitn(5, '-').collect();
        let [arch, _, os, _, target_id] = parts[..] else {
            let help = "a target is `amdgcn-amd-amdhsa--PROCESSOR`";
            return Err(error("no AMD GPU".into()).help(Some(help.into())));
        };
        if arch != "amdgcn" {
            let help = "a target is `amdgcn-amd-amdhsa--PROCESSOR`";
            return Err(error("no AMD GPU".into()).help(Some(help.into())));
        }
        let (processor, features) = target_id.split_once(':').unwrap_or((target_id, ""));
        let known = Target::parse(processor).map_err(|why| error(format!("the file is for {processor}: {why}")))?;
        let ours = self.reader.arch();
        if known.arch != ours {
            let (theirs, ours) = (known.arch.name(), ours.name());
            return Err(error(format!("the file is for {theirs}, and `--arch` asks for {ours}")));
        }
        if ours.is_rdna() && !features.is_empty() {
            return Err(error(format!("{processor} has no target features, such as `{features}`")));
        }
        let asked = self.target.processor.filter(|asked| asked.name != processor);
        if let Some(asked) = asked {
            return Err(error(format!("the file is for {processor}, and not for {}", asked.name)));
        }
        if self.target.processor.is_none() {
            for (name, number) in known.version_symbols() {
                self.symbols.predefine(name, number);
            }
        }
        self.target.processor = known.processor;
        self.target.os_abi = match os {
            "amdhsa" => OsAbi::Hsa,
            "amdpal" => OsAbi::Pal,
            "mesa3d" => OsAbi::Mesa3d,
            _ => OsAbi::None,
        };
        Ok(())
    }

    /// `.amdhsa_code_object_version N`.
    pub(super) fn code_object_version(&mut self, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        let start = input.place();
        let version = self.number(input)?;
        let Some(version) = u8::try_from(version).ok().filter(|version| (3..=6).contains(version)) else {
            let error = Diagnostic::new(start..input.end(), "no version of code objects that is known");
            return Err(error.help(Some("there are 3 to 6".into())));
        };
        self.target.code_object_version = version;
        input.finish()
    }
}

/// Takes a target in quotes.
fn target_name(input: &mut Cursor<'_>) -> Result<(String, Range<usize>), Diagnostic> {
    let start = input.place();
    let name = String::from_utf8_lossy(&input.string()?).into_owned();
    let span = start..input.end();
    input.finish()?;
    Ok((name, span))
}

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
        ] {
            assert_eq!(Target::parse(name).unwrap().version, expected, "{name}");
        }
    }
}
