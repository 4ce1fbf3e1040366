//! The processor that a program is for, and what its symbols say of it.

use crate::arch::{Arch, LONGEST};
use crate::asm::expr::Expr;
use crate::asm::program::Program;
use crate::asm::section::Section;
use crate::asm::symbols::{Meaning, Symbol};

/// The symbols of how many vector and how many scalar registers there must be.
const FREE: [&str; 2] = [".amdgcn.next_free_vgpr", ".amdgcn.next_free_sgpr"];

/// What `--arch` names.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The instruction set.
    pub arch: Arch,
    /// The processor's version, as in its name: 11, 0 and 1 of gfx1101.
    version: [i64; 3],
}

impl Target {
    /// Reads an `--arch` argument.
    pub fn parse(name: &str) -> Result<Self, String> {
        let arch = Arch::parse(name)?;
        // A set's name stands for the first of its processors, and so does that of a family.
        let version = match (version(name), arch) {
            (Some(version), _) => version,
            (None, Arch::Gcn1_0) => [6, 0, 0],
            (None, Arch::Gcn1_1) => [7, 0, 0],
            (None, Arch::Gcn1_2) => [8, 0, 1],
            (None, Arch::Gcn1_4) => [9, 0, 0],
            (None, Arch::Rdna3) => [11, 0, 0],
        };
        Ok(Self { arch, version })
    }

    /// The symbols that LLVM defines in every program: what stands for the processor, under its newer and its older name, and the
    /// registers that are counted.
    pub fn symbols(self) -> Vec<(String, i64)> {
        let names = [
            [".amdgcn.gfx_generation_number", ".option.machine_version_major"],
            [".amdgcn.gfx_generation_minor", ".option.machine_version_minor"],
            [".amdgcn.gfx_generation_stepping", ".option.machine_version_stepping"],
        ];
        let named = names.iter().zip(self.version);
        let version = named.flat_map(|(names, number)| names.map(|name| (name, number)));
        version.chain(FREE.map(|name| (name, 0))).map(|(name, number)| (name.into(), number)).collect()
    }
}

impl Program<'_> {
    /// Counts the registers of the instructions since the last time that somebody asked: one more than the highest number of
    /// each file, unless the program gave the symbol a higher value.
    pub(super) fn count_registers(&mut self) {
        let reader = self.reader;
        let mut most = [0, 0];
        for section in &mut self.sections {
            let Section { bytes, data, counted, .. } = section;
            let from = *counted;
            let mut data = data.iter().skip_while(|part| part.end <= from).peekable();
            while let Some(rest) = bytes.get(*counted..).filter(|rest| !rest.is_empty()) {
                if let Some(part) = data.next_if(|part| part.start <= *counted) {
                    *counted = part.end;
                    continue;
                }
                let (dwords, _) = rest.as_chunks::<4>();
                let words: Vec<u32> = dwords.iter().take(LONGEST).map(|bytes| u32::from_le_bytes(*bytes)).collect();
                let Ok((instr, dwords)) = reader.decode(&words) else { break };
                let (vector, scalar) = instr.registers();
                most = [most[0].max(vector), most[1].max(scalar)];
                *counted += 4 * dwords;
            }
            *counted = bytes.len();
        }
        for (name, most) in FREE.into_iter().zip(most) {
            let Some(Symbol { meaning: Meaning::Variable(expr), .. }) = self.symbols.get(name) else { continue };
            let set = self.symbols.constant(expr).unwrap_or(0);
            self.symbols
                .set(name.into(), Symbol { meaning: Meaning::Variable(Expr::Number(set.max(most))), span: 0..0 });
        }
    }
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
            ("gcn1.2", [8, 0, 1]),
            ("gfx11-generic", [11, 0, 0]),
        ] {
            assert_eq!(Target::parse(name).unwrap().version, expected, "{name}");
        }
    }
}
