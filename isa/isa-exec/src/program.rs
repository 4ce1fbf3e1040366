//! Programs: code that was decoded and lowered once, to be executed by any number of waves.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use isa_runtime::body::{Builtin, Clause, Op};
use isa_runtime::{Access, DecodeError, Isa, MAX_DWORDS, OperandInfo, decode, operands, semantics, surroundings};

use crate::fault::FaultKind;
use crate::layout::{Bound, Image, Layout, Location, Role};
use crate::lower::{Lowered, Lowering};
use crate::operation::dwords;
use crate::step::Step;

/// The facts about an instruction set that its rows do not state: register layout, operand locations, wave sizes.
pub trait Machine {
    /// The instruction set.
    type Isa: Isa<Value: PartialEq + Eq>;
    /// Where the registers are.
    const LAYOUT: Layout;
    /// Whether waves have 64 lanes in a mode, and not at most 32.
    fn is_wave64(_mode: <Self::Isa as Isa>::Mode) -> bool {
        false
    }
    /// Where an operand is; `None` if it is nothing that a body can name.
    fn location(operand: &OperandInfo<Self::Isa>) -> Option<Location>;
    /// The operands of an access to an image; `None` for other instructions.
    fn image(_instr: &<Self::Isa as Isa>::Instr) -> Option<Image> {
        None
    }
    /// The effect of an instruction whose body calls `external`.
    ///
    /// # Errors
    /// The program cannot continue after it.
    fn outside(_instr: &<Self::Isa as Isa>::Instr) -> Result<Effect, FaultKind> {
        Err(FaultKind::External("its effect is outside the machine".into()))
    }
}

/// The effect of an instruction whose body calls `external`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Effect {
    /// None that a program can see.
    Nothing,
    /// Writes the clock of constant rate to the operand with the role `d`.
    Realtime,
}

/// An instruction of a program.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    /// The address.
    pub address: u64,
    /// The address of the next one.
    pub next: u64,
    /// The mnemonic, as the guide spells it.
    pub name: &'static str,
    /// The index of its first step in the program's code.
    pub first: u32,
    /// Why it cannot be executed.
    pub error: Option<FaultKind>,
}

/// Code that is ready to be executed.
#[derive(Clone, Debug)]
pub struct Program {
    start: u64,
    end: u64,
    instructions: Vec<Instruction>,
    /// The steps of all instructions, so that straight-line code is one array.
    code: Vec<Step>,
    /// The index of the instruction of each step.
    owners: Vec<u32>,
    /// For each dword of the code one more than the index of the instruction that begins there, or 0.
    at: Vec<u32>,
    lowering: Lowering,
}

impl Program {
    /// Decodes and lowers code whose first byte is at the address `start`, for waves with `vectors` vector registers.
    ///
    /// Words that are not an instruction are an error only where they are executed. Instructions that are not canonical are
    /// executed as what they are otherwise.
    #[must_use]
    pub fn new<M: Machine>(code: &[u8], start: u64, mode: <M::Isa as Isa>::Mode, vectors: u16) -> Self {
        let (chunks, _) = code.as_chunks::<4>();
        let words: Vec<u32> = chunks.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        let mut program = Program {
            start,
            end: start.wrapping_add(code.len() as u64),
            instructions: Vec::new(),
            code: Vec::new(),
            owners: Vec::new(),
            at: alloc::vec![0; words.len()],
            lowering: Lowering::new(M::LAYOUT, vectors.min(M::LAYOUT.vectors), M::is_wave64(mode)),
        };
        let mut at = 0;
        while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
            let (instruction, length) = program.instruction::<M>(rest, at, mode);
            program.instructions.push(instruction);
            if let Some(index) = program.at.get_mut(at) {
                *index = u32::try_from(program.instructions.len()).unwrap_or(0);
            }
            at += length.max(1);
        }
        program.link();
        program
    }

    /// Resolves branches whose target is a constant.
    fn link(&mut self) {
        let mut code = core::mem::take(&mut self.code);
        for step in &mut code {
            if let Step::Branch { src, target, .. } = step {
                let address = self.lowering.scalar_number(*src).and_then(|address| self.find(address & !3));
                *target = address.and_then(|(index, _)| u32::try_from(index).ok());
            }
        }
        self.code = code;
    }

    /// The address after the last instruction.
    #[must_use]
    pub const fn end(&self) -> u64 {
        self.end
    }

    /// The registers and constants of the program's waves.
    #[must_use]
    pub const fn lowering(&self) -> &Lowering {
        &self.lowering
    }

    /// How many instructions there are: the indices of [`Site`](crate::observe::Site)s are below.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Whether there are no instructions.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.instructions.is_empty()
    }

    /// The instructions that cannot be executed: the address, the mnemonic, and why.
    pub fn unsupported(&self) -> impl Iterator<Item = (u64, &'static str, &FaultKind)> + '_ {
        let failing =
            self.instructions.iter().filter_map(|instruction| Some((instruction, instruction.error.as_ref()?)));
        failing.map(|(instruction, error)| (instruction.address, instruction.name, error))
    }

    /// The address and the mnemonic of each instruction, in the order of their indices.
    pub fn instructions(&self) -> impl ExactSizeIterator<Item = (u64, &'static str)> + '_ {
        self.instructions.iter().map(|instruction| (instruction.address, instruction.name))
    }

    /// Whether an instruction branches to an address that it computes: code with calls returns from them in this way.
    #[must_use]
    pub fn has_computed_branches(&self) -> bool {
        self.code.iter().any(|step| matches!(step, Step::Branch { target: None, .. }))
    }

    /// The steps from the first one of an instruction on.
    #[inline]
    pub(crate) fn code_from(&self, index: usize) -> &[Step] {
        let first = self.instructions.get(index).map_or(self.code.len(), |instruction| instruction.first as usize);
        self.code.get(first..).unwrap_or_default()
    }

    /// The steps of one instruction.
    pub(crate) fn code_of(&self, index: usize) -> &[Step] {
        let from = self.code_from(index);
        let after = self.code_from(index + 1).len();
        from.get(..from.len().saturating_sub(after)).unwrap_or_default()
    }

    /// The index of the instruction that a step belongs to; `left` steps follow it in the program's code.
    pub(crate) fn owner(&self, left: usize) -> usize {
        let at = self.owners.len().checked_sub(left + 1).and_then(|at| self.owners.get(at));
        at.map_or(0, |index| *index as usize)
    }

    /// An instruction by its index.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&Instruction> {
        self.instructions.get(index)
    }

    /// The instruction at an address, and its index.
    #[inline]
    pub(crate) fn find(&self, address: u64) -> Option<(usize, &Instruction)> {
        let offset = address.wrapping_sub(self.start);
        if !offset.is_multiple_of(4) {
            return None;
        }
        let index = *self.at.get(usize::try_from(offset / 4).ok()?)?;
        let index = (index as usize).checked_sub(1)?;
        self.instructions.get(index).map(|instruction| (index, instruction))
    }

    /// Decodes and lowers the instruction that words begin with; its length in dwords.
    fn instruction<M: Machine>(
        &mut self,
        words: &[u32],
        at: usize,
        mode: <M::Isa as Isa>::Mode,
    ) -> (Instruction, usize) {
        let address = self.start.wrapping_add(4 * at as u64);
        let first = u32::try_from(self.code.len()).unwrap_or(u32::MAX);
        let instr = match decode::<M::Isa>(words, mode) {
            Ok((instr, _)) => instr,
            Err(DecodeError::NonCanonical { instr, .. }) => instr,
            Err(error) => {
                self.append(Lowered { steps: Vec::from([Step::Unable]), is_wave: true });
                let error = Some(FaultKind::Undecodable(error.to_string()));
                return (Instruction { address, next: address.wrapping_add(4), name: "", first, error }, 1);
            }
        };
        let (format, all) = M::Isa::parts(&instr);
        let length = isa_runtime::length::<M::Isa>(format, &all);
        let next = address.wrapping_add(4 * length as u64);
        let opcode = isa_runtime::opcode::<M::Isa>(format, &all, 0).unwrap_or(u16::MAX);
        let name = M::Isa::mnemonics().get(usize::from(opcode)).copied().unwrap_or_default();
        let error = match self.lower::<M>(&instr, length, mode, next) {
            Ok(lowered) => {
                self.append(lowered);
                None
            }
            Err(kind) => {
                self.append(Lowered { steps: Vec::from([Step::Unable]), is_wave: true });
                Some(kind)
            }
        };
        (Instruction { address, next, name, first, error }, length)
    }

    /// Appends the steps of the next instruction to the code.
    fn append(&mut self, mut lowered: Lowered) {
        let number = u32::try_from(self.instructions.len()).unwrap_or(u32::MAX);
        for step in &mut lowered.steps {
            if let Step::Getreg { index, .. } | Step::Realtime { index, .. } = step {
                *index = number;
            }
        }
        self.code.extend(lowered.steps);
        self.owners.resize(self.code.len(), number);
    }

    /// Lowers the bodies of an instruction.
    fn lower<M: Machine>(
        &mut self,
        instr: &<M::Isa as Isa>::Instr,
        length: usize,
        mode: <M::Isa as Isa>::Mode,
        next: u64,
    ) -> Result<Lowered, FaultKind> {
        let (format, words) = M::Isa::parts(instr);
        let words = &words;
        let image = M::image(instr);
        let components = M::Isa::formats().get(usize::from(format)).map_or(0, |format| format.components.len());
        let mut parts = Vec::new();
        for component in 0..components as u8 {
            let meaning = semantics::<M::Isa>(format, words, component).ok_or(FaultKind::NoBody)?;
            let body = meaning.body().ok_or(FaultKind::NoBody)?;
            let all = operands::<M::Isa>(format, *words, length as u8, mode);
            let all: Vec<_> = all.filter(|operand| operand.component == component).collect();
            if body.clone().any(|op| matches!(op, Op::Call { builtin: Builtin::External, .. })) {
                return external::<M>(instr, &all);
            }
            let roles: Result<Vec<Role>, FaultKind> =
                meaning.roles().iter().map(|name| role::<M>(&all, name, image.is_some())).collect();
            let clauses: Vec<Clause<'static>> = meaning.clauses().collect();
            parts.push((body, clauses, roles?, component));
        }
        let fields: Vec<_> = parts
            .iter()
            .map(|(.., component)| {
                let component = *component;
                move |name: &str| field::<M::Isa>(format, words, mode, component, name)
            })
            .collect();
        let bounds: Vec<Bound<'_>> = parts
            .iter()
            .zip(&fields)
            .map(|((body, clauses, roles, ..), field)| Bound {
                body: body.clone(),
                clauses: clauses.clone(),
                roles,
                image,
                field,
            })
            .collect();
        self.lowering.lower(&bounds, next).map_err(|error| FaultKind::Unsupported(error.0))
    }
}

/// The steps of an instruction whose body calls `external`.
fn external<M: Machine>(
    instr: &<M::Isa as Isa>::Instr,
    operands: &[OperandInfo<M::Isa>],
) -> Result<Lowered, FaultKind> {
    let steps = match M::outside(instr)? {
        Effect::Nothing => Vec::new(),
        Effect::Realtime => {
            let Role { ty, location, .. } = role::<M>(operands, "d", false)?;
            match location {
                // The destination may be EXEC.
                Location::Scalar(dst) => Vec::from([Step::Realtime { dst, count: dwords(ty), index: 0 }, Step::Reload]),
                _ => Vec::new(),
            }
        }
    };
    Ok(Lowered { steps, is_wave: true })
}

/// The operand that has a role. A role without an operand is not read, and its writes are dropped. The registers of an image's
/// coordinates need no location, since `is_image` says that [`Machine::image`] names them.
fn role<M: Machine>(operands: &[OperandInfo<M::Isa>], name: &str, is_image: bool) -> Result<Role, FaultKind> {
    let Some(operand) = operands.iter().find(|operand| operand.role == name) else {
        let ty = isa_runtime::body::Type::new(isa_runtime::body::Class::Bits, 32, 1);
        return Ok(Role { ty, location: Location::Null, is_written: false });
    };
    let location = M::location(operand).or(is_image.then_some(Location::Null)).ok_or_else(|| {
        let message: String = format!("its operand `{name}` is outside the machine");
        FaultKind::Unsupported(message)
    })?;
    Ok(Role { ty: operand.ty, location, is_written: operand.access != Access::Read })
}

/// The code of a modifier, or else of a field of the format.
fn field<I: Isa>(format: u8, words: &[u32; MAX_DWORDS], mode: I::Mode, component: u8, name: &str) -> Option<u32> {
    let around = surroundings::<I>(format, words, mode, component)?;
    let of_modifier = around.sibling(name).map(|(code, _)| code);
    of_modifier.or_else(|| {
        let field = around.format.fields.iter().find(|field| field.name == name && field.suffix_dword == 0)?;
        Some(field.bits.get(words))
    })
}
