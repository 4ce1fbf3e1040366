//! The facts that the rules need of each instruction: its register uses, its counters, its effect on lane masks.

use alloc::vec::Vec;

use rdna3_rows::isa::body::State;
use rdna3_rows::isa::{Access, BodyEffects, OperandInfo};
use rdna3_rows::{File, Format, Half, Instruction, Registers, Value, Wave, flags, raw, roles};

use super::masks::MaskStep;
use super::span::{EXEC, EXEC_LO, M0, Span, VCC_LO};
use crate::counter::{Raise, WaitLimits, raises, waits};

/// A use of registers by an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RegisterUse {
    pub span: Span,
    pub reads: bool,
    pub writes: bool,
    /// The role of the operand: `d`, `s0` …; `implicit` for registers that the text does not name.
    pub role: &'static str,
    /// Whether M0 moves the use to other registers of the file.
    pub is_indexed: bool,
}

/// The facts of one instruction.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub uses: Vec<RegisterUse>,
    pub raises: [Option<Raise>; 2],
    pub waits: WaitLimits,
    /// Whether it is a call. The callee may wait for pending work, so that nothing is known of it after the return.
    pub is_call: bool,
    /// Its effect on lane masks.
    pub mask: Option<MaskStep>,
}

/// Scalar registers, a bit for each code, that hold masks known to be related to the lanes of some work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lanes {
    /// Registers whose lanes are all among those of the work.
    subsets: u128,
    /// Registers that have all lanes of the work.
    supersets: u128,
}

impl Lanes {
    /// The lanes of work at its issue: EXEC.
    pub const START: Lanes = Lanes { subsets: 1 << EXEC_LO, supersets: 1 << EXEC_LO };

    /// Returns whether the active lanes are known to include a lane of the work.
    pub const fn overlap_active(self) -> bool {
        (self.subsets | self.supersets) >> EXEC_LO & 1 == 1
    }

    /// Joins two paths: keeps the registers that are known on both.
    pub const fn on_both_paths(self, other: Lanes) -> Lanes {
        Lanes { subsets: self.subsets & other.subsets, supersets: self.supersets & other.supersets }
    }

    /// Executes an instruction: forgets the registers that it writes, and learns its result if it computes a mask.
    pub fn step(&mut self, fact: &Fact) {
        let next = fact.mask.map(|m| (m, m.apply(self.subsets, true), m.apply(self.supersets, false)));
        let exec = (self.subsets >> EXEC_LO & 1, self.supersets >> EXEC_LO & 1);
        for written in fact.uses.iter().filter(|u| u.writes && !u.span.is_vector()) {
            for code in written.span.first()..written.span.end().min(128) {
                self.subsets &= !(1 << code);
                self.supersets &= !(1 << code);
            }
        }
        if let Some((mask, subset, superset)) = next {
            self.subsets |= u128::from(subset) << mask.result;
            self.supersets |= u128::from(superset) << mask.result;
            if let Some(saved) = mask.saved {
                self.subsets |= exec.0 << saved;
                self.supersets |= exec.1 << saved;
            }
        }
    }
}

impl Fact {
    fn new<I: Instruction>(instr: &I, wave: Wave) -> Self {
        let row = instr.flags();
        let mut uses = Vec::new();
        let mut add = |operand: &OperandInfo<I::Generation>, registers: Registers| {
            if let Some(span) = Span::of(registers, memory_half(instr, operand)) {
                let (reads, writes) = (operand.access != Access::Write, operand.access != Access::Read);
                let is_indexed = match operand.role {
                    roles::S0 => row & flags::INDEX_S != 0,
                    roles::D => row & flags::INDEX_D != 0,
                    _ => false,
                };
                uses.push(RegisterUse { span, reads, writes, role: operand.role, is_indexed });
            }
        };
        for operand in instr.operand_infos(wave) {
            match operand.value {
                Value::Registers(registers) => add(&operand, registers),
                Value::Scattered { groups, first, count } => {
                    for (first, count) in first.into_iter().zip(count).take(usize::from(groups)) {
                        add(&operand, Registers::new(File::Vgpr, first, count));
                    }
                }
                _ => {}
            }
        }
        let effects = instr.body_effects();
        implicit_uses(instr, wave, effects, |span, reads, writes| {
            uses.push(RegisterUse { span, reads, writes, role: "implicit", is_indexed: false });
        });
        let mask = MaskStep::of(instr, wave, effects);
        let mut raised = raises(instr);
        let raises = [raised.next(), raised.next()];
        Fact { uses, raises, waits: waits(instr), is_call: effects.saves_pc(), mask }
    }

    /// Returns whether it is an export, whose source registers must not be written before it is done.
    pub fn is_export(&self) -> bool {
        self.raises.iter().flatten().any(|r| matches!(r.kind, crate::counter::Kind::Export(_)))
    }
}

/// Returns the half of the register that a load or store of up to 16 bits writes or reads.
///
/// A load that arrives may change the other half, too, beneath a vector ALU instruction that uses it (llvm/llvm-project pull
/// requests 157795 and 194477). So operands of all other instructions are whole registers.
fn memory_half<I: Instruction>(instr: &I, operand: &OperandInfo<I::Generation>) -> Option<Half> {
    let is_memory = matches!(
        instr.microcode(),
        Format::Ds | Format::Flat | Format::Global | Format::Scratch | Format::Mubuf | Format::Mtbuf
    );
    let half = if instr.flags() & flags::D16_HI != 0 { Half::High } else { Half::Low };
    (is_memory && operand.ty.total_bits() <= 16).then_some(half)
}

/// Calls `add` with registers that an instruction uses and its text does not name, and whether it reads or writes them.
fn implicit_uses<I: Instruction>(instr: &I, wave: Wave, effects: BodyEffects, mut add: impl FnMut(Span, bool, bool)) {
    let reads = |states: [State; 2]| states.into_iter().any(|state| effects.reads(state));
    let writes = |states: [State; 2]| states.into_iter().any(|state| effects.writes(state));
    let (exec, vcc) = ([State::Exec, State::ExecLo], [State::Vcc, State::VccLo]);
    if writes(exec) {
        // A write of one half counts as a write of EXEC.
        add(EXEC, false, true);
    }
    if reads(exec) || writes(exec) {
        add(Span::mask(EXEC.first(), wave), true, false);
    }
    if reads(vcc) {
        add(Span::mask(VCC_LO, wave), true, false);
    }
    if writes(vcc) {
        add(Span::mask(VCC_LO, wave), false, true);
    }
    let reads_m0 = match instr.microcode() {
        Format::Exp => raw::Exp::from_bits(instr.low64()).row(),
        // The base and the size of GDS.
        Format::Ds => raw::Ds::from_bits(instr.low64()).gds() || effects.reads(State::M0),
        _ => effects.reads(State::M0),
    };
    if reads_m0 {
        add(M0, true, false);
    }
}

/// The facts of all instructions.
#[derive(Debug)]
pub(super) struct Facts(pub Vec<Fact>);

impl Facts {
    pub fn new<I: Instruction>(instrs: &[I], wave: Wave) -> Self {
        Facts(instrs.iter().map(|i| Fact::new(i, wave)).collect())
    }

    pub fn replace<I: Instruction>(&mut self, at: usize, instr: &I, wave: Wave) {
        if let Some(fact) = self.0.get_mut(at) {
            *fact = Fact::new(instr, wave);
        }
    }

    pub fn get(&self, at: usize) -> Option<&Fact> {
        self.0.get(at)
    }
}
