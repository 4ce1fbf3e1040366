//! Instruction selection: from the syntax tree to RDNA3 instructions with virtual registers. It checks types on the way.
//!
//! A number is a vector register, which has a value for each work-item of the wave, or a scalar register if it is a
//! parameter. A condition is a scalar register with a bit for each work-item. A wave executes both blocks of an `if`, each
//! with EXEC reduced to the work-items that take it.

use std::collections::HashMap;

use amdgpu_object::Condition;
use rdna3::build::*;
use rdna3::isa::facts::Operation;
use rdna3::isa::inst::File;
use rdna3::isa::{self, Access, Class, EncodeError, Op, Reg, RowOperand};
use rdna3::{Inst, Opcode, Pipeline, Wave};

use crate::Result;
use crate::abi::{self, Entry, SGPR, VGPR};
use crate::syntax::{Expression, Kernel, Operator, Statement, Type};

/// A line of code.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Line {
    Inst(Inst),
    /// A label, by its number.
    Bind(usize),
    /// A branch to a label. Without a condition it is always taken.
    Branch(Option<Condition>, usize),
}

impl Line {
    pub fn inst(&self) -> Option<&Inst> {
        if let Line::Inst(inst) = self { Some(inst) } else { None }
    }
}

/// Returns the code of a kernel.
///
/// # Errors
/// A name is unknown, or an operand has another type than its operation takes.
pub fn select(kernel: &Kernel) -> Result<Vec<Line>> {
    let mut selector = Selector {
        kernel,
        entry: Entry::new()?,
        parameters: Vec::new(),
        variables: Vec::new(),
        opcodes: HashMap::new(),
        registers: 0,
        labels: 0,
        code: Vec::new(),
    };
    selector.load_parameters()?;
    selector.block(&kernel.body)?;
    selector.push(s_endpgm(0).inst()?)?;
    Ok(selector.code)
}

/// The state of [`select`].
struct Selector<'a> {
    kernel: &'a Kernel,
    entry: Entry,
    /// The registers of each parameter.
    parameters: Vec<Op>,
    /// The variables in scope with their registers, the innermost last.
    variables: Vec<(&'a str, Type, Op)>,
    /// The instructions of operators that have been looked up.
    opcodes: HashMap<(Operator, Type), Option<(Opcode, Operation)>>,
    /// The number of virtual registers.
    registers: u32,
    /// The number of labels.
    labels: usize,
    code: Vec<Line>,
}

impl<'a> Selector<'a> {
    fn load_parameters(&mut self) -> Result<()> {
        for argument in abi::arguments(self.kernel) {
            let to = self.new_register(SGPR, (argument.size / 4) as u8);
            let (from, offset) = (self.entry.arguments, i32::try_from(argument.offset)?);
            let load = match argument.size {
                8 => s_load_b64(to, from, NULL, offset).inst()?,
                _ => s_load_b32(to, from, NULL, offset).inst()?,
            };
            self.push(load)?;
            self.parameters.push(to);
        }
        Ok(())
    }

    /// Selects the statements of a block, whose variables end with it.
    fn block(&mut self, block: &'a [Statement]) -> Result<()> {
        let variables = self.variables.len();
        block.iter().try_for_each(|statement| self.statement(statement))?;
        self.variables.truncate(variables);
        Ok(())
    }

    fn statement(&mut self, statement: &'a Statement) -> Result<()> {
        match statement {
            Statement::Let(name, value) => {
                let to = self.new_register(VGPR, 1);
                let (ty, _) = self.expression(value, Some(to))?;
                self.variables.push((name, ty, to));
            }
            Statement::Assign(name, value) => {
                let (ty, to) = self.variable(name).ok_or_else(|| format!("`{name}` is not a variable"))?;
                self.typed(value, ty, Some(to))?;
            }
            Statement::Store(array, index, value) => {
                let (ty, array) = self.parameter(array, true)?;
                let offset = self.offset(index)?;
                let value = self.typed(value, ty, None)?;
                self.push(global_store_b32(offset, value, array).inst()?)?;
            }
            Statement::If(condition, yes, no) => self.branch(condition, yes, no)?,
            Statement::While(condition, body) => self.repeat(condition, body)?,
            Statement::Block(body) => self.block(body)?,
        }
        Ok(())
    }

    /// Selects an `if`: EXEC has the work-items of one block, then those of the other.
    fn branch(&mut self, condition: &Expression, yes: &'a [Statement], no: &'a [Statement]) -> Result<()> {
        let condition = self.typed(condition, Type::Bool, None)?;
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
    fn repeat(&mut self, condition: &Expression, body: &'a [Statement]) -> Result<()> {
        let (outer, again, end) = (self.new_register(SGPR, 1), self.new_label(), self.new_label());
        self.push(s_mov_b32(outer, EXEC_LO).inst()?)?;
        self.code.push(Line::Bind(again));
        let condition = self.typed(condition, Type::Bool, None)?;
        self.push(s_and_b32(EXEC_LO, EXEC_LO, condition).inst()?)?;
        self.code.push(Line::Branch(Some(Condition::Execz), end));
        self.block(body)?;
        self.code.push(Line::Branch(None, again));
        self.code.push(Line::Bind(end));
        self.push(s_mov_b32(EXEC_LO, outer).inst()?)
    }

    /// Selects an expression: its type and its operand. With `into` the result is in that vector register.
    fn expression(&mut self, expression: &Expression, into: Option<Op>) -> Result<(Type, Op)> {
        match expression {
            Expression::Number(ty, bits) => self.operand(*ty, Op::from(*bits), into),
            Expression::Name(name) => {
                let found = self.variable(name).map_or_else(|| self.parameter(name, false), Ok)?;
                self.operand(found.0, found.1, into)
            }
            Expression::WorkItem => {
                let (group, item) = (self.entry.group, self.entry.item);
                self.compute(Type::U32, into, |to| Ok(v_lshl_add_u32(to, group, abi::GROUP.ilog2(), item).inst()?))
            }
            Expression::Load(array, index) => {
                let (ty, array) = self.parameter(array, true)?;
                let offset = self.offset(index)?;
                self.compute(ty, into, |to| Ok(global_load_b32(to, offset, array).inst()?))
            }
            Expression::Convert(ty, from) => match (ty, self.expression(from, None)?) {
                (Type::U32, (Type::F32, from)) => self.compute(*ty, into, |to| Ok(v_cvt_u32_f32(to, from).inst()?)),
                (Type::F32, (Type::U32, from)) => self.compute(*ty, into, |to| Ok(v_cvt_f32_u32(to, from).inst()?)),
                (ty, (found, from)) if *ty == found => self.operand(found, from, into),
                _ => Err("only numbers are converted".into()),
            },
            Expression::Not(condition) => {
                let condition = self.typed(condition, Type::Bool, None)?;
                self.compute(Type::Bool, into, |to| Ok(s_and_not1_b32(to, EXEC_LO, condition).inst()?))
            }
            Expression::Binary(operator, a, b) => {
                let (ty, a) = self.expression(a, None)?;
                let b = self.typed(b, ty, None)?;
                let found = *self.opcodes.entry((*operator, ty)).or_insert_with(|| opcode(*operator, ty));
                let (opcode, operation) =
                    found.ok_or_else(|| format!("`{}` does not take a `{}`", operator.name(), ty.name()))?;
                self.compute(if operator.compares() { Type::Bool } else { ty }, into, |to| {
                    let mut ops = [to; 3];
                    let [left, right] = operation.sources.map(usize::from);
                    (ops[left], ops[right]) = (a, b);
                    Ok(Inst::new(opcode, ops))
                })
            }
        }
    }

    /// Selects an expression that has to be of a type.
    fn typed(&mut self, expression: &Expression, ty: Type, into: Option<Op>) -> Result<Op> {
        let (found, op) = self.expression(expression, into)?;
        let error = || format!("expected a `{}`, found a `{}`", ty.name(), found.name());
        if found == ty { Ok(op) } else { Err(error().into()) }
    }

    /// Moves an operand to a register, if there is one.
    fn operand(&mut self, ty: Type, from: Op, into: Option<Op>) -> Result<(Type, Op)> {
        if into.is_some() { self.compute(ty, into, |to| Ok(v_mov_b32(to, from).inst()?)) } else { Ok((ty, from)) }
    }

    /// Appends an instruction that writes a register: a new one unless it is given.
    fn compute(&mut self, ty: Type, into: Option<Op>, inst: impl FnOnce(Op) -> Result<Inst>) -> Result<(Type, Op)> {
        let to = match (ty, into) {
            (Type::Bool, Some(_)) => return Err("a variable holds a number".into()),
            (Type::Bool, None) => self.new_register(SGPR, 1),
            (_, into) => into.unwrap_or_else(|| self.new_register(VGPR, 1)),
        };
        self.push(inst(to)?)?;
        Ok((ty, to))
    }

    /// Computes the distance of an element from the beginning of its array in bytes.
    fn offset(&mut self, index: &Expression) -> Result<Op> {
        let index = self.typed(index, Type::U32, None)?;
        self.compute(Type::U32, None, |to| Ok(v_lshlrev_b32(to, 2, index).inst()?)).map(|(_, to)| to)
    }

    /// Appends an instruction, or the one with exchanged sources if that is shorter. Sources that no encoding accepts are
    /// moved to vector registers before it.
    fn push(&mut self, mut inst: Inst) -> Result<()> {
        let length = |inst: &Inst| inst.encode_with_any_registers(Wave::W32).map(|instr| instr.len());
        let length_as_is = loop {
            let error = match length(&inst) {
                Ok(length) => break length,
                Err(error) => error,
            };
            let source = movable_source(&inst, error).ok_or(error)?;
            let register = self.new_register(VGPR, 1);
            self.code.push(Line::Inst(v_mov_b32(register, inst.ops()[source]).inst()?));
            inst.ops_mut()[source] = register;
        };
        let shorter = inst.commuted().filter(|other| length(other).is_ok_and(|length| length < length_as_is));
        self.code.push(Line::Inst(shorter.unwrap_or(inst)));
        Ok(())
    }

    fn variable(&self, name: &str) -> Option<(Type, Op)> {
        self.variables.iter().rev().find(|(known, ..)| *known == name).map(|(_, ty, op)| (*ty, *op))
    }

    fn parameter(&self, name: &str, is_array: bool) -> Result<(Type, Op)> {
        let mut known = self.kernel.parameters.iter().zip(&self.parameters);
        let found = known.find(|(known, _)| known.name == name && known.is_array == is_array);
        let kind = if is_array { "array" } else { "number" };
        Ok(found.map(|(parameter, op)| (parameter.ty, *op)).ok_or_else(|| format!("there is no {kind} `{name}`"))?)
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

/// Returns the index of a source that is not in a vector register: the one that an error names, or else the first.
fn movable_source(inst: &Inst, error: EncodeError) -> Option<usize> {
    let is_movable = |(_, (op, row)): &(usize, (&Op, &RowOperand))| {
        row.access == Access::Read && op.as_reg().is_none_or(|reg| reg.file != VGPR)
    };
    let sources = || inst.operands().enumerate().filter(is_movable);
    let named = sources().find(|(_, (_, row))| error.operand == Some(row.role));
    named.or_else(|| sources().next()).map(|(index, _)| index)
}

/// Returns the instruction of an operator that takes a type.
fn opcode(operator: Operator, ty: Type) -> Option<(Opcode, Operation)> {
    use Operator::{And, Or, Shl, Shr, Xor};
    let (class, pipeline) = match ty {
        Type::F32 => (Class::Float, Pipeline::Valu),
        Type::U32 if matches!(operator, And | Or | Xor | Shl | Shr) => (Class::Bits, Pipeline::Valu),
        Type::U32 => (Class::Unsigned, Pipeline::Valu),
        Type::Bool if matches!(operator, And | Or | Xor) => (Class::Bits, Pipeline::Salu),
        Type::Bool => return None,
    };
    let ty = isa::Type::new(class, 32, 1);
    let opcodes = Opcode::ALL.iter().filter(|opcode| opcode.pipeline() == pipeline);
    let mut operations = opcodes.filter_map(|opcode| Some((*opcode, opcode.operation()?)));
    operations.find(|(_, operation)| (operation.operator, operation.ty) == (operator, ty))
}
