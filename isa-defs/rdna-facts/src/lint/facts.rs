//! The facts that the rules need of each instruction: its register uses, its counters, its effect on lane masks.

use alloc::vec::Vec;

use rdna_rows::isa::body::{Place, State};
use rdna_rows::isa::{Access, BodyEffects, Class, OperandInfo};
use rdna_rows::operands::{DEPENDENCY_COUNTERS, RETURNED_GROUPS};
use rdna_rows::{File, Format, Generation, Half, Instruction, Registers, Value, Wave, flags, raw, roles};

use super::masks::MaskStep;
use super::span::{EXEC, EXEC_LO, M0, Span, VCC_LO};
use crate::counter::{Raise, WaitLimits, raises, waits};
use crate::export::{ExportTarget, ExportType};

/// A use of registers by an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RegisterUse {
    /// Whole registers, but for memory instructions: see [`memory_half`].
    pub span: Span,
    /// The half of a register that the operand is, or whole registers.
    pub exact: Span,
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
    /// Whether it is a call, or a jump to an address in registers, as returns are.
    pub leaves_function: bool,
    /// Its effect on lane masks.
    pub mask: Option<MaskStep>,
    pub unit: Unit,
    pub format: Format,
    /// The flags of its row.
    pub flags: u128,
    /// The constant of a scalar instruction.
    pub constant: u16,
    /// The scalar registers that a vector instruction reads as a lane mask.
    pub lane_mask: Option<Span>,
    /// For a direct load from LDS: how many vector instructions may still be in flight when it writes.
    pub lds_limit: Option<u8>,
    /// Whether it is a direct load from LDS that waits until memory instructions have read their registers.
    pub awaits_memory_reads: bool,
    pub export: Option<Export>,
    pub is_barrier: bool,
    /// Whether it accesses the memory of LDS: lane permutations use its hardware only.
    pub has_memory: bool,
}

/// An export whose kind has a last one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Export {
    /// Whether it is of positions; otherwise it is of colours or depth, which share DONE.
    pub of_position: bool,
    /// Whether it is the last one of its kind.
    pub is_done: bool,
}

impl Export {
    fn of<I: Instruction>(instr: &I) -> Option<Self> {
        let fields = (instr.microcode() == Format::Exp).then(|| raw::Exp::from_bits(instr.low64()))?;
        let of_position = match ExportTarget::from_code(fields.target())?.of_type() {
            ExportType::Color | ExportType::Depth => false,
            ExportType::Position => true,
            ExportType::Primitive => return None,
        };
        Some(Export { of_position, is_done: fields.done() })
    }
}

/// What executes an instruction, as far as the rules ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unit {
    /// The vector ALU.
    Vector,
    /// The part of the vector ALU for transcendental functions, which works beside the rest.
    Transcendental,
    Scalar,
    /// LDS, GDS and memory, but for scalar memory.
    Memory,
    Export,
    LdsDirect,
    Other,
}

impl Unit {
    fn of<I: Instruction>(instr: &I) -> Self {
        match instr.microcode() {
            format if format.is_vector_alu() && instr.flags() & flags::TRANS != 0 => Unit::Transcendental,
            format if format.is_vector_alu() => Unit::Vector,
            Format::Sop1 | Format::Sop2 | Format::Sopc | Format::Sopk | Format::Sopp => Unit::Scalar,
            Format::Ds | Format::Flat | Format::Global | Format::Scratch => Unit::Memory,
            Format::Mubuf | Format::Mtbuf => Unit::Memory,
            format if format.is_image() => Unit::Memory,
            Format::Exp => Unit::Export,
            Format::Ldsdir => Unit::LdsDirect,
            _ => Unit::Other,
        }
    }

    /// Returns whether it is a part of the vector ALU.
    pub const fn is_vector(self) -> bool {
        matches!(self, Unit::Vector | Unit::Transcendental)
    }
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
    pub fn new<I: Instruction>(instr: &I, wave: Wave) -> Self {
        let row = instr.flags();
        let mut uses = Vec::new();
        let mut add = |operand: &OperandInfo<I::Generation>, registers: Registers, writes: bool| {
            if let Some(span) = Span::of(registers, memory_half(instr, operand)) {
                let reads = operand.access != Access::Write;
                let is_indexed = match operand.role {
                    roles::S0 => row & flags::INDEX_S != 0,
                    roles::D => row & flags::INDEX_D != 0,
                    _ => false,
                };
                let exact = Span::of(registers, registers.half).unwrap_or(span);
                uses.push(RegisterUse { span, exact, reads, writes, role: operand.role, is_indexed });
            }
        };
        for operand in instr.operand_infos(wave) {
            let writes = operand.access != Access::Read;
            match operand.value {
                Value::Registers(registers) => add(&operand, registers, writes),
                Value::Scattered { groups, first, count } => {
                    for (nth, (first, count)) in first.into_iter().zip(count).enumerate().take(usize::from(groups)) {
                        let registers = Registers::new(File::Vgpr, first, count);
                        add(&operand, registers, writes && RETURNED_GROUPS.contains(&nth));
                    }
                }
                _ => {}
            }
        }
        let effects = instr.body_effects();
        implicit_uses(instr, wave, effects, |span, reads, writes| {
            uses.push(RegisterUse { span, exact: span, reads, writes, role: "implicit", is_indexed: false });
        });
        let mask = MaskStep::of(instr, wave, effects);
        let mut raised = raises(instr);
        let raises = [raised.next(), raised.next()];
        let unit = Unit::of(instr);
        let is_mask = |o: &OperandInfo<I::Generation>| o.access != Access::Write && o.ty.class() == Class::Mask;
        let masks = instr.operand_infos(wave).filter(is_mask).filter_map(|o| match o.value {
            Value::Registers(registers) => Span::of(registers, None),
            _ => None,
        });
        let reads_vcc = [State::Vcc, State::VccLo].into_iter().any(|state| effects.reads(state));
        let vcc = reads_vcc.then(|| Span::mask(VCC_LO, wave));
        let lane_mask = masks.chain(vcc).find(|span| !span.is_vector()).filter(|_| unit.is_vector());
        Fact {
            uses,
            raises,
            waits: waits(instr),
            is_call: effects.saves_pc(),
            leaves_function: effects.saves_pc() || instr.branch_offset().is_none() && effects.writes(State::Pc),
            mask,
            unit,
            format: instr.microcode(),
            flags: row,
            constant: instr.dwords()[0] as u16,
            lane_mask,
            lds_limit: (unit == Unit::LdsDirect).then(|| raw::Ldsdir::from_bits(instr.dwords()[0]).wait_va()),
            awaits_memory_reads: unit == Unit::LdsDirect && I::Generation::awaits_memory_reads(instr.dwords()[0]),
            export: Export::of(instr),
            is_barrier: effects.is_barrier(),
            has_memory: Place::ALL.iter().any(|place| effects.loads(*place) || effects.stores(*place)),
        }
    }

    /// Returns whether its row has a flag.
    pub const fn has(&self, flag: u128) -> bool {
        self.flags & flag != 0
    }

    /// Returns the limit that it sets for a counter of dependencies, by the name in S_WAITCNT_DEPCTR.
    pub fn alu_limit(&self, name: &str) -> Option<u8> {
        // Few instructions have the flag, and looking for the name takes longer.
        if !self.has(flags::WAITS_ALU) {
            return None;
        }
        let counter = DEPENDENCY_COUNTERS.iter().find(|counter| counter.name == name)?;
        Some(counter.of(u32::from(self.constant)) as u8)
    }

    /// Returns the counters of dependencies that it waits for until they are zero, by their names in S_WAITCNT_DEPCTR.
    pub fn cleared(&self) -> impl Iterator<Item = &'static str> {
        // Few instructions have the flag.
        let counters = if self.has(flags::WAITS_ALU) { &DEPENDENCY_COUNTERS[..] } else { &[] };
        counters.iter().filter(|counter| counter.of(u32::from(self.constant)) == 0).map(|counter| counter.name)
    }

    /// Returns the vector registers that it reads, an operand each.
    pub fn vector_sources(&self) -> impl Iterator<Item = Span> {
        self.uses.iter().filter(|u| u.reads && u.span.is_vector()).map(|u| u.span)
    }

    /// Returns the vector registers, and halves of them, that it reads, an operand each.
    pub fn exact_sources(&self) -> impl Iterator<Item = Span> {
        self.uses.iter().filter(|u| u.reads && u.span.is_vector()).map(|u| u.exact)
    }

    /// Returns whether it writes a part of `span`, of which it may write the other half of a register.
    pub fn writes_exactly(&self, span: Span) -> bool {
        self.uses.iter().any(|u| u.writes && u.exact.overlaps(span))
    }

    /// Returns whether it reads or writes a part of `span`.
    pub fn touches(&self, span: Span) -> bool {
        self.uses.iter().any(|u| u.span.overlaps(span))
    }

    /// Returns whether it reads a part of `span`.
    pub fn reads(&self, span: Span) -> bool {
        self.uses.iter().any(|u| u.reads && u.span.overlaps(span))
    }

    /// Returns whether it writes a part of `span`.
    pub fn writes(&self, span: Span) -> bool {
        self.uses.iter().any(|u| u.writes && u.span.overlaps(span))
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
