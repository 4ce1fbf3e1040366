//! Instruction selection: from operations to RDNA3 instructions with virtual registers.
//!
//! A number is a vector register, which has a value for each work-item of the wave, or a scalar register if it is a
//! parameter. A condition is a scalar register with a bit for each work-item. A wave executes both blocks of an `if`, each
//! with EXEC reduced to the work-items that take it.

use amdgpu_object::Condition;
use rdna3::build::*;
use rdna3::isa::inst::File;
use rdna3::isa::{Access, EncodeError, Op, Reg};
use rdna3::{Inst, Opcode, Wave, files};

use crate::Result;
use crate::ir::{Kernel, Operation, Statement, Value};
use crate::object::{self, Entry};
use crate::syntax::{Operator, Type};

pub const VGPR: File = File(files::VGPR);
pub const SGPR: File = File(files::SGPR);

/// A line of code.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Line {
    Inst(Inst),
    /// A label, by its number.
    Bind(usize),
    /// A branch to a label. Without a condition it is always taken.
    Branch(Option<Condition>, usize),
}

/// Returns the code of a kernel.
///
/// # Errors
/// No encoding has the operands of an instruction, even if its sources are in vector registers.
pub fn select(kernel: &Kernel) -> Result<Vec<Line>> {
    let values = vec![Op::NONE; kernel.types.len()];
    let entry = Entry::new()?;
    let mut selector =
        Selector { kernel, entry, values, parameters: Vec::new(), registers: 0, labels: 0, code: Vec::new() };
    selector.load_parameters()?;
    selector.block(&kernel.body)?;
    selector.push(s_endpgm(0).inst()?)?;
    Ok(selector.code)
}

/// The state of [`select`].
struct Selector<'a> {
    kernel: &'a Kernel,
    entry: Entry,
    /// The register or constant of each value.
    values: Vec<Op>,
    /// The registers of each parameter.
    parameters: Vec<Op>,
    /// The number of virtual registers.
    registers: u32,
    /// The number of labels.
    labels: usize,
    code: Vec<Line>,
}

impl Selector<'_> {
    fn load_parameters(&mut self) -> Result<()> {
        for (parameter, argument) in self.kernel.parameters.iter().zip(object::arguments(self.kernel)) {
            let to = self.new_register(SGPR, if parameter.is_array { 2 } else { 1 });
            let (from, offset) = (self.entry.arguments, i32::try_from(argument.offset)?);
            if parameter.is_array {
                self.push(s_load_b64(to, from, NULL, offset).inst()?)?;
            } else {
                self.push(s_load_b32(to, from, NULL, offset).inst()?)?;
            }
            self.parameters.push(to);
        }
        Ok(())
    }

    fn block(&mut self, block: &[Statement]) -> Result<()> {
        for statement in block {
            match statement {
                Statement::Set(to, operation) => self.set(*to, *operation)?,
                Statement::Store(array, index, value) => {
                    let offset = self.offset(*index)?;
                    let (value, array) = (self.values[*value], self.parameters[*array]);
                    self.push(global_store_b32(offset, value, array).inst()?)?;
                }
                Statement::If(condition, yes, no) => self.branch(self.values[*condition], yes, no)?,
                Statement::While(test, condition, body) => self.repeat(test, *condition, body)?,
            }
        }
        Ok(())
    }

    /// Selects an `if`: EXEC has the work-items of one block, then those of the other.
    fn branch(&mut self, condition: Op, yes: &[Statement], no: &[Statement]) -> Result<()> {
        let (outer, otherwise, end) = (self.new_register(SGPR, 1), self.new_label(), self.new_label());
        self.push(s_and_saveexec_b32(outer, condition).inst()?)?;
        self.code.push(Line::Branch(Some(Condition::Execz), otherwise));
        self.block(yes)?;
        self.code.push(Line::Bind(otherwise));
        if !no.is_empty() {
            self.push(s_and_not1_b32(EXEC_LO, outer, condition).inst()?)?;
            self.code.push(Line::Branch(Some(Condition::Execz), end));
            self.block(no)?;
        }
        self.code.push(Line::Bind(end));
        self.push(s_mov_b32(EXEC_LO, outer).inst()?)
    }

    /// Selects a loop: EXEC loses the work-items whose condition is false, until it is empty.
    fn repeat(&mut self, test: &[Statement], condition: Value, body: &[Statement]) -> Result<()> {
        let (outer, again, end) = (self.new_register(SGPR, 1), self.new_label(), self.new_label());
        self.push(s_mov_b32(outer, EXEC_LO).inst()?)?;
        self.code.push(Line::Bind(again));
        self.block(test)?;
        self.push(s_and_b32(EXEC_LO, EXEC_LO, self.values[condition]).inst()?)?;
        self.code.push(Line::Branch(Some(Condition::Execz), end));
        self.block(body)?;
        self.code.push(Line::Branch(None, again));
        self.code.push(Line::Bind(end));
        self.push(s_mov_b32(EXEC_LO, outer).inst()?)
    }

    /// Selects the instructions of an operation. Constants and parameters need none: they become operands of others.
    fn set(&mut self, to: Value, operation: Operation) -> Result<()> {
        self.values[to] = match operation {
            Operation::Constant(bits) => Op::from(bits),
            Operation::Parameter(index) => self.parameters[index],
            _ => self.destination(to),
        };
        let (to, get) = (self.values[to], |value: Value| self.values[value]);
        match operation {
            Operation::Constant(_) | Operation::Parameter(_) => Ok(()),
            Operation::Copy(from) => self.push(v_mov_b32(to, get(from)).inst()?),
            Operation::Not(condition) => self.push(s_and_not1_b32(to, EXEC_LO, get(condition)).inst()?),
            Operation::WorkItem => {
                let (group, item) = (self.entry.group, self.entry.item);
                self.push(v_lshl_add_u32(to, group, object::GROUP.ilog2(), item).inst()?)
            }
            Operation::Load(array, index) => {
                let offset = self.offset(index)?;
                self.push(global_load_b32(to, offset, self.parameters[array]).inst()?)
            }
            Operation::Convert(from) if self.kernel.types[from] == Type::F32 => {
                self.push(v_cvt_u32_f32(to, get(from)).inst()?)
            }
            Operation::Convert(from) => self.push(v_cvt_f32_u32(to, get(from)).inst()?),
            Operation::Binary(operator @ (Operator::Shl | Operator::Shr), a, b) => {
                self.push(Inst::new(opcode(operator, Type::U32), [to, get(b), get(a)]))
            }
            Operation::Binary(operator, a, b) => {
                self.push(Inst::new(opcode(operator, self.kernel.types[a]), [to, get(a), get(b)]))
            }
        }
    }

    /// Computes the distance of an element from the beginning of its array in bytes.
    fn offset(&mut self, index: Value) -> Result<Op> {
        let offset = self.new_register(VGPR, 1);
        self.push(v_lshlrev_b32(offset, 2, self.values[index]).inst()?)?;
        Ok(offset)
    }

    /// Appends an instruction, or the one with exchanged sources if that is shorter. Sources that no encoding accepts are
    /// moved to vector registers before it.
    fn push(&mut self, mut inst: Inst) -> Result<()> {
        let length = loop {
            let error = match trial(&inst, None) {
                Ok(length) => break length,
                Err(error) => error,
            };
            let source = movable_source(&inst, error).ok_or(error)?;
            let register = self.new_register(VGPR, 1);
            self.code.push(Line::Inst(v_mov_b32(register, inst.ops()[source]).inst()?));
            inst.ops_mut()[source] = register;
        };
        let shorter = inst.commuted().filter(|other| trial(other, None).is_ok_and(|other| other < length));
        self.code.push(Line::Inst(shorter.unwrap_or(inst)));
        Ok(())
    }

    /// Returns the register of a value: the one that it has, or a new one.
    fn destination(&mut self, value: Value) -> Op {
        let file = if self.kernel.types[value] == Type::Bool { SGPR } else { VGPR };
        if self.values[value] == Op::NONE { self.new_register(file, 1) } else { self.values[value] }
    }

    fn new_register(&mut self, file: File, count: u8) -> Op {
        self.registers += 1;
        Op::reg(Reg::new_virtual(file, self.registers, count))
    }

    fn new_label(&mut self) -> usize {
        self.labels += 1;
        self.labels - 1
    }
}

/// Encodes an instruction with physical registers in the place of virtual ones, and returns its length in dwords. The virtual
/// register of a number becomes a given one, the others become any: so the encoder decides what an operand can be.
pub fn trial(inst: &Inst, fixed: Option<(u32, u32)>) -> std::result::Result<usize, EncodeError> {
    let mut others: Vec<u32> = Vec::new();
    let physical = inst.map_registers(|reg, _| match fixed {
        _ if !reg.is_virtual => reg,
        Some((number, physical)) if number == reg.number => Reg { number: physical, is_virtual: false, ..reg },
        _ => {
            let known = others.iter().position(|number| *number == reg.number);
            let at = known.unwrap_or_else(|| {
                others.push(reg.number);
                others.len() - 1
            });
            Reg { number: 8 * at as u32, is_virtual: false, ..reg }
        }
    });
    physical.encode(Wave::W32).map(|instr| instr.len())
}

/// Returns the index of a source that is not in a vector register: the one that an error names, or else the first.
fn movable_source(inst: &Inst, error: EncodeError) -> Option<usize> {
    let is_movable = |op: &Op| op.as_reg().is_none_or(|reg| reg.file != VGPR);
    let sources = inst.operands().enumerate().filter(|(_, (op, row))| row.access == Access::Read && is_movable(op));
    let sources: Vec<(usize, &str)> = sources.map(|(index, (_, row))| (index, row.role)).collect();
    let named = sources.iter().find(|(_, role)| error.operand == Some(role));
    named.or(sources.first()).map(|(index, _)| *index)
}

/// Returns the instruction of an operator. Shifts have the distance as the first source.
fn opcode(operator: Operator, ty: Type) -> Opcode {
    match (operator, ty) {
        (Operator::Add, Type::F32) => Opcode::V_ADD_F32,
        (Operator::Sub, Type::F32) => Opcode::V_SUB_F32,
        (Operator::Mul, Type::F32) => Opcode::V_MUL_F32,
        (Operator::Lt, Type::F32) => Opcode::V_CMP_LT_F32,
        (Operator::Le, Type::F32) => Opcode::V_CMP_LE_F32,
        (Operator::Eq, Type::F32) => Opcode::V_CMP_EQ_F32,
        (Operator::Ne, Type::F32) => Opcode::V_CMP_NEQ_F32,
        (Operator::And, Type::Bool) => Opcode::S_AND_B32,
        (Operator::Or, Type::Bool) => Opcode::S_OR_B32,
        (Operator::Xor, Type::Bool) => Opcode::S_XOR_B32,
        (Operator::Add, _) => Opcode::V_ADD_NC_U32,
        (Operator::Sub, _) => Opcode::V_SUB_NC_U32,
        (Operator::Mul, _) => Opcode::V_MUL_LO_U32,
        (Operator::And, _) => Opcode::V_AND_B32,
        (Operator::Or, _) => Opcode::V_OR_B32,
        (Operator::Xor, _) => Opcode::V_XOR_B32,
        (Operator::Shl, _) => Opcode::V_LSHLREV_B32,
        (Operator::Shr, _) => Opcode::V_LSHRREV_B32,
        (Operator::Lt, _) => Opcode::V_CMP_LT_U32,
        (Operator::Le, _) => Opcode::V_CMP_LE_U32,
        (Operator::Eq, _) => Opcode::V_CMP_EQ_U32,
        (Operator::Ne, _) => Opcode::V_CMP_NE_U32,
    }
}
