//! The opcodes of a set that is chosen at run time: their names, formats and bodies.

use isa::body::write_body;
use isa::{Isa, MAX_DWORDS};

use crate::{Arch, Instr, InstructionSet, Wave, with_set};

/// An opcode of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpcodeEntry {
    /// The mnemonic as LLVM prints it, without the suffix of an encoding.
    pub name: &'static str,
    /// The name in AMD's guide.
    pub guide_name: &'static str,
    /// The names of the microcode formats, in the order of the set.
    pub formats: Vec<&'static str>,
    /// Other mnemonics: older ones, and that in dual-issue pairs.
    pub aliases: Vec<&'static str>,
    /// What it computes, in the row language; empty for a row without a body.
    pub computes: String,
}

/// Returns the opcodes of a set, sorted by name.
#[must_use]
pub fn opcodes(arch: Arch) -> Vec<OpcodeEntry> {
    with_set!(arch, S => opcodes_of::<S>())
}

fn opcodes_of<I: Isa>() -> Vec<OpcodeEntry> {
    let new = |(index, guide_name): (usize, &&'static str)| OpcodeEntry {
        name: "",
        guide_name,
        formats: Vec::new(),
        aliases: Vec::new(),
        computes: u16::try_from(index).map(computes::<I>).unwrap_or_default(),
    };
    let mut all: Vec<OpcodeEntry> = I::tables().mnemonics.iter().enumerate().map(new).collect();
    let mut entries: Vec<_> = I::parser_tables().entries.iter().collect();
    entries.sort_by_key(|entry| entry.format);
    for entry in entries {
        let Some(format) = I::tables().formats.get(usize::from(entry.format)) else { continue };
        let Some(component) = format.components.get(usize::from(entry.component)) else { continue };
        let Some(slot) = component.slots.get(usize::from(entry.slot)) else { continue };
        let Some(listed) = all.get_mut(usize::from(slot.opcode)) else { continue };
        if listed.name.is_empty() {
            listed.name = component.text(slot.number);
        }
        if !listed.formats.contains(&format.name) {
            listed.formats.push(format.name);
        }
        if entry.name != listed.name && !listed.aliases.contains(&entry.name) {
            listed.aliases.push(entry.name);
        }
    }
    all.retain(|listed| !listed.name.is_empty());
    all.sort_by_key(|listed| listed.name);
    all
}

/// Returns the text of an opcode's body; empty for a row without one.
fn computes<I: Isa>(opcode: u16) -> String {
    let mut text = String::new();
    if let Some(body) = I::inst_tables().bodies.body(opcode) {
        // Writing to a String does not fail.
        let _ = write_body(body, I::inst_tables().bodies.roles(opcode), &mut text);
    }
    text
}

impl Instr {
    /// Returns the name in AMD's guide of each opcode: one, or two for a dual-issue pair.
    #[must_use]
    pub fn guide_names(&self) -> Vec<&'static str> {
        self.with_opcodes(Names)
    }

    /// Returns what each opcode computes, in the row language. Rows without a body are left out.
    #[must_use]
    pub fn computes(&self) -> Vec<String> {
        self.with_opcodes(Computes)
    }

    fn with_opcodes<V: OpcodeVisitor>(&self, visitor: V) -> Vec<V::Item> {
        fn visit<S: InstructionSet, V: OpcodeVisitor>(instr: &S::Instr, visitor: V) -> Vec<V::Item> {
            let (format, words): (u8, [u32; MAX_DWORDS]) = S::parts(instr);
            let components = S::tables().formats.get(usize::from(format)).map_or(0, |format| format.components.len());
            let opcodes = (0..components).filter_map(|component| isa::opcode::<S>(format, &words, component));
            opcodes.filter_map(|opcode| visitor.item::<S>(opcode)).collect()
        }
        let arch = self.arch();
        with_set!(arch, S => match S::of_any(self) {
            Some((instr, _)) => visit::<S, V>(&instr, visitor),
            None => Vec::new(),
        })
    }

    /// Returns the set.
    #[must_use]
    pub fn arch(&self) -> Arch {
        let is_of = |arch: &&Arch| with_set!(**arch, S => S::of_any(self).is_some());
        // An instruction is of one of the sets.
        Arch::ALL.iter().find(is_of).copied().unwrap_or(Arch::Rdna3)
    }

    /// Returns the wave size of its code.
    #[must_use]
    pub fn wave(&self) -> Wave {
        let arch = self.arch();
        with_set!(arch, S => S::of_any(self).map_or(Wave::W32, |(_, wave)| wave))
    }
}

/// A property of opcodes, for a set that is known as a type.
trait OpcodeVisitor {
    type Item;

    fn item<S: InstructionSet>(&self, opcode: u16) -> Option<Self::Item>;
}

struct Names;

impl OpcodeVisitor for Names {
    type Item = &'static str;

    fn item<S: InstructionSet>(&self, opcode: u16) -> Option<&'static str> {
        S::tables().mnemonics.get(usize::from(opcode)).copied()
    }
}

struct Computes;

impl OpcodeVisitor for Computes {
    type Item = String;

    fn item<S: InstructionSet>(&self, opcode: u16) -> Option<String> {
        Some(computes::<S>(opcode)).filter(|text| !text.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reader;

    #[test]
    fn opcodes_have_names_formats_and_bodies() {
        let all = opcodes(Arch::Rdna3);
        let add = all.iter().find(|opcode| opcode.name == "v_add_f32").expect("an opcode");
        assert_eq!((add.guide_name, &add.formats[..]), ("V_ADD_F32", &["VOP2", "VOP3", "VOPD"][..]));
        assert_eq!(add.computes, "d = s0 + s1;");
        assert_eq!(add.aliases, ["v_dual_add_f32"]);
        assert!(Arch::ALL.iter().all(|arch| opcodes(*arch).is_sorted_by_key(|opcode| opcode.name)));
    }

    #[test]
    fn a_pair_has_two_opcodes() {
        let reader = Reader::new(Arch::Rdna3, Wave::W32);
        let pair = reader.parse("v_dual_mov_b32 v0, v1 :: v_dual_add_f32 v3, v2, v4").expect("a pair");
        assert_eq!(pair.guide_names().len(), 2, "{:?}", pair.guide_names());
        assert_eq!((pair.arch(), pair.wave()), (Arch::Rdna3, Wave::W32));
        assert_eq!(pair.computes().len(), 2);
        let gcn = Reader::new(Arch::Gcn1_4, Wave::W64).parse("s_dcache_inv").expect("an instruction of SMEM");
        assert_eq!((gcn.arch(), gcn.wave()), (Arch::Gcn1_4, Wave::W64));
    }
}
