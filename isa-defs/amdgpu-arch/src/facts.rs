//! What is known about an instruction of any set: operands, facts and broken rules.

use isa::{Isa, OperandInfo, facts};

use crate::instr::{Instr, InstructionSet};
use crate::operands::{Operand, Violation};
use crate::with_set;

/// Facts about the opcodes of an instruction for compilers and emulators, without those of its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpcodeFacts {
    /// It may continue elsewhere than at the next instruction, and does not come back.
    pub is_branch: bool,
    /// It is a branch that may also continue at the next instruction.
    pub is_conditional_branch: bool,
    /// It branches to an address that does not depend on the program counter.
    pub is_indirect_branch: bool,
    /// It branches and keeps the address of the next instruction.
    pub is_call: bool,
    /// It can only be the last instruction of a basic block.
    pub is_terminator: bool,
    /// The next instruction may follow, also after a call.
    pub falls_through: bool,
    /// It may read memory.
    pub may_load: bool,
    /// It may write memory.
    pub may_store: bool,
    /// It does something besides writing operands and memory and branching.
    pub has_side_effects: bool,
    /// It waits for the other waves of the work-group.
    pub is_barrier: bool,
    /// It depends on other lanes or waves.
    pub is_convergent: bool,
    /// It writes one operand that depends on the sources alone.
    pub is_rematerializable: bool,
}

impl Instr {
    /// Calls a function with each operand in the order of the instruction's row.
    pub fn for_each_operand(&self, mut each: impl FnMut(Operand)) {
        fn visit<S: InstructionSet>(instr: &Instr, each: &mut impl FnMut(Operand)) {
            let Some((inner, wave)) = S::of_any(instr) else { return };
            let (format, words) = S::parts(&inner);
            let convert = |operand: OperandInfo<S>| Operand {
                role: operand.row.role,
                access: operand.row.access,
                bits: operand.row.ty.total_bits(),
                component: operand.component,
                value: S::operand_value(operand.value),
            };
            // An instruction has at most three dwords.
            let dwords = (instr.size() / 4) as u8;
            isa::operands::<S>(format, words, dwords, S::mode(wave)).map(convert).for_each(each);
        }
        with_set!(self.arch(), S => visit::<S>(self, &mut each));
    }

    /// Checks the rules between the operands.
    ///
    /// # Errors
    /// The first rule that it breaks; one that LLVM's assembler applies comes before one that only the guide has.
    pub fn check(&self) -> Result<(), Violation> {
        with_set!(self.arch(), S => match S::of_any(self) {
            Some((instr, wave)) => S::check(&instr, wave),
            None => Ok(()),
        })
    }

    /// Returns whether its words are those that encoding and parsing write.
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        with_set!(self.arch(), S => S::of_any(self).is_some_and(|(instr, _)| {
            let (format, words) = S::parts(&instr);
            isa::is_canonical::<S>(format, &words)
        }))
    }

    /// Returns the index of the opcode in the opcodes of the set, and of the second opcode of a dual-issue pair.
    #[must_use]
    pub fn opcode_indices(&self) -> (Option<u16>, Option<u16>) {
        with_set!(self.arch(), S => match S::of_any(self) {
            Some((instr, _)) => {
                let (format, words) = S::parts(&instr);
                (isa::opcode::<S>(format, &words, 0), isa::opcode::<S>(format, &words, 1))
            }
            None => (None, None),
        })
    }

    /// Returns what is known about its opcodes: of a dual-issue pair, what either of them does.
    #[must_use]
    pub fn opcode_facts(&self) -> OpcodeFacts {
        fn of<S: InstructionSet>(opcode: S::Opcode) -> OpcodeFacts {
            let effects = S::inst_tables().bodies.effects(S::opcode_index(opcode));
            let is_branch = facts::is_branch::<S>(opcode);
            OpcodeFacts {
                is_branch,
                is_conditional_branch: facts::is_conditional_branch::<S>(opcode),
                is_indirect_branch: is_branch && effects.jumps_indirectly(),
                is_call: effects.saves_pc(),
                is_terminator: facts::is_terminator::<S>(opcode),
                falls_through: facts::falls_through::<S>(opcode),
                may_load: facts::may_load::<S>(opcode),
                may_store: facts::may_store::<S>(opcode),
                has_side_effects: facts::has_side_effects::<S>(opcode),
                is_barrier: effects.is_barrier(),
                is_convergent: facts::is_convergent::<S>(opcode),
                is_rematerializable: facts::is_rematerializable::<S>(opcode),
            }
        }
        let (first, second) = self.opcode_indices();
        let of_index = |index: Option<u16>| with_set!(self.arch(), S => index.and_then(S::opcode_at).map(of::<S>));
        // Only vector instructions that compute can be paired, so that the first decides about control flow and memory.
        let mut all = of_index(first).unwrap_or_default();
        if let Some(second) = of_index(second) {
            all.is_convergent |= second.is_convergent;
            all.has_side_effects |= second.has_side_effects;
            all.is_rematerializable = false;
        }
        all
    }
}

/// Returns the number of opcodes of a set.
#[must_use]
pub fn opcode_count(arch: crate::Arch) -> usize {
    with_set!(arch, S => S::tables().mnemonics.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operands::OperandValue;
    use crate::{Access, Arch, Reader, Wave, files};

    fn parsed(arch: Arch, wave: Wave, text: &str) -> Instr {
        Reader::new(arch, wave).parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn operands_have_roles_and_values() {
        let mut operands = Vec::new();
        parsed(Arch::Rdna3, Wave::W32, "v_fma_f32 v[0], s5, 0.5, 0x1234").for_each_operand(|o| operands.push(o));
        let values: Vec<_> = operands.iter().map(|operand| (operand.role, operand.access, operand.value)).collect();
        let register = |file, first| OperandValue::Registers { file, first, count: 1, half: None };
        assert_eq!(
            values,
            [
                ("d", Access::Write, register(files::VGPR, 0)),
                ("s0", Access::Read, register(files::SGPR, 5)),
                ("s1", Access::Read, OperandValue::Float(0.5_f32.to_bits())),
                ("s2", Access::Read, OperandValue::Literal(0x1234)),
            ]
        );
        let mut loaded = Vec::new();
        let load = parsed(Arch::Gcn1_4, Wave::W64, "s_load_dwordx2 s[4:5], s[2:3], 0x10");
        load.for_each_operand(|operand| loaded.push(operand.value));
        assert!(loaded.contains(&OperandValue::Registers { file: files::SGPR, first: 4, count: 2, half: None }));
    }

    #[test]
    fn facts_and_rules_are_those_of_the_set() {
        let branch = parsed(Arch::Rdna4, Wave::W32, "s_cbranch_scc0 4").opcode_facts();
        assert!(branch.is_conditional_branch && branch.falls_through && !branch.may_load);
        let end = parsed(Arch::Rdna3, Wave::W32, "s_endpgm").opcode_facts();
        assert!(end.is_terminator && !end.falls_through && !end.is_branch);
        assert!(parsed(Arch::Gcn1_4, Wave::W64, "s_load_dword s4, s[2:3], 0x10").opcode_facts().may_load);
        assert!(parsed(Arch::Rdna3, Wave::W32, "v_add_f32 v0, v1, v2").check().is_ok());
        // v_fma_f32 v0, s1, s2, s3: one scalar register more than the constant bus carries.
        let decoded = Reader::new(Arch::Rdna3, Wave::W32).decode(&[0xD613_0000, 0x000C_0401]);
        let violation = decoded.expect("a decodable instruction").0.check().expect_err("a rule");
        assert!(!violation.rule.text.is_empty() && !violation.to_string().is_empty());
    }
}
